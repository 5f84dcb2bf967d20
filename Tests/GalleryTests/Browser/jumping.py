"""A jump in a large list: what comes into view is filtered at once, what has left it stops."""

from __future__ import annotations

import statistics

from gallery import Gallery, until

FLAGS: list[str] = []

# Scrolls to a share of the list, and waits for the first cell in view that is filtered, and for the first one
# whose filtered image begins to fade in.
JUMP = """async (share) => {
    const grid = document.getElementById("grid");
    const start = performance.now();
    grid.scrollTop = share * (grid.scrollHeight - grid.clientHeight);
    await new Promise(requestAnimationFrame);
    const inView = (cell) => {
        const { top, bottom } = cell.getBoundingClientRect();
        const view = grid.getBoundingClientRect();
        return bottom > view.top && top < view.bottom;
    };
    const isFiltered = (cell) => cell.dataset.state === "filtered";
    const isShown = (cell) => isFiltered(cell) && [...cell.querySelectorAll("img")]
        .some((image) => image.src.endsWith(`version=${cell.dataset.version}`));
    const time = (condition) => new Promise((resolve) => {
        const observer = new MutationObserver((changes) => {
            const cells = changes.map(({ target }) => target.closest(".cell")).filter(Boolean);
            if (!cells.some((cell) => condition(cell) && inView(cell))) return;
            observer.disconnect();
            resolve((performance.now() - start) / 1000);
        });
        observer.observe(grid, { subtree: true, childList: true, attributes: true });
    });
    return Promise.all([time(isFiltered), time(isShown)]);
}"""


def worked_on(gallery: Gallery) -> int:
    status = gallery.status()
    return status["downloaded"] + status["filtered"] + status["failed"]


def jumps(gallery: Gallery, *shares: float) -> tuple[float, float, str]:
    """Jumps to places that were not seen yet.

    Returns the medians of the seconds until the first cell in view is filtered, and until one shows it, and
    all times as text.
    """
    filtered, shown = [], []
    for share in shares:
        times = gallery.page.evaluate(JUMP, share)
        filtered.append(times[0])
        shown.append(times[1])
        gallery.page.wait_for_timeout(500)
    texts = [", ".join(f"{each:.2f}" for each in times) for times in (filtered, shown)]
    return (
        statistics.median(filtered),
        statistics.median(shown),
        f"{texts[0]} s, fading in after {texts[1]} s",
    )


def test_what_comes_into_view_is_filtered_within_half_a_second(gallery: Gallery) -> None:
    gallery.reset()
    assert gallery.get("/api/gallery")["count"] == 10_000
    gallery.wait_until_done(gallery.visible())
    _, shown, text = jumps(gallery, 1, 0.3, 0.7, 0.1, 0.9)
    print(f"  first photo filtered after a jump: {text}")
    assert shown <= 0.5


def test_a_run_of_all_photos_does_not_hold_up_a_jump(gallery: Gallery) -> None:
    gallery.reset()
    gallery.button("start").click()
    until(lambda: worked_on(gallery) > 50, "photos out of view")
    filtered, _, text = jumps(gallery, 1, 0.4, 0.8, 0.2, 0.6)
    gallery.button("cancel").click()
    print(f"  the same during a run of all photos: {text}")
    assert filtered <= 0.5


def test_work_out_of_view_ends_with_the_jump(gallery: Gallery) -> None:
    gallery.reset()
    window = len(gallery.visible())
    for share in (0.25, 0.5, 0.75):
        before = worked_on(gallery)
        # The view is left while its photos are downloaded and filtered.
        gallery.page.evaluate(JUMP, share)
        until(lambda: gallery.status()["state"] == "idle", "the end of the work")
        out_of_view = worked_on(gallery) - before - len(gallery.visible())
        print(f"  photos out of view after the jump: {out_of_view}, in view: {window}")
        assert out_of_view <= window
