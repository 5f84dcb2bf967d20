"""The main thread is never busy for long: not by reloads, nor by scrolling."""

from __future__ import annotations

from collections.abc import Callable

from gallery import Gallery

LONGEST = 50
"""Milliseconds."""


def longest_task(gallery: Gallery, act: Callable[[], None]) -> float:
    """The processor time of the main thread's longest task, in milliseconds: other processes do not count."""
    events: list[dict] = []
    ends: list[dict] = []
    session = gallery.context.new_cdp_session(gallery.page)
    session.on("Tracing.dataCollected", lambda part: events.extend(part["value"]))
    session.on("Tracing.tracingComplete", lambda end: ends.append(end))
    session.send("Tracing.start", {"categories": "devtools.timeline,disabled-by-default-devtools.timeline"})
    act()
    session.send("Tracing.end")
    while not ends:
        gallery.page.wait_for_timeout(50)
    mains = {(event["pid"], event["tid"]) for event in events if event["name"] == "FireAnimationFrame"}
    tasks = [
        event["tdur"] / 1000
        for event in events
        if event["name"] == "RunTask" and "tdur" in event and (event["pid"], event["tid"]) in mains
    ]
    assert tasks, "The trace has no tasks of the page."
    return max(tasks)


def test_reloads_of_a_full_screen(gallery: Gallery) -> None:
    gallery.wait_until_done(gallery.visible())

    def act() -> None:
        gallery.reset()
        gallery.wait_until_done(gallery.visible())

    longest = longest_task(gallery, act)
    print(f"  longest task of reloads: {longest:.0f} ms")
    assert longest <= LONGEST


test_reloads_of_a_full_screen.options = {"viewport": {"width": 3840, "height": 2160}}


def test_scrolling_to_the_end(gallery: Gallery) -> None:
    def act() -> None:
        gallery.page.locator("#grid").evaluate("""async (grid) => {
            const end = grid.scrollHeight - grid.clientHeight;
            for (let step = 1; step <= 100; step += 1) {
                grid.scrollTop = end * step / 100;
                await new Promise(requestAnimationFrame);
            }
        }""")
        gallery.cell(gallery.get("/api/gallery")["count"] - 1).wait_for()

    longest = longest_task(gallery, act)
    print(f"  longest task of scrolling: {longest:.0f} ms")
    assert longest <= LONGEST
