#!/usr/bin/env python3
"""Tests the gallery's page in Firefox: that what differs between browsers works there, too.

usage: firefox.py TINTYPE PHOTOS [TEST...] [--artefacts FOLDER] [--firefox PATH]

TINTYPE and PHOTOS are those of run.py, TEST a part of a test's name.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bidi import Connection, Event, Page, firefox, page
from gallery import Server, until
from run import passes, serve

PHOTO_COUNT = 10_000
FLAGS = ["-o", "{folder}/out"]

END = "All has been told."

SHOWN = ".cell[data-state=filtered][data-shown]:not([data-loading]):not([data-look])"

# Elements that reach beyond the view, and boxes that scroll sideways. What is moved or cut on purpose may.
OVERFLOWING = """[...document.body.querySelectorAll("*")].filter((element) => {
    if (!element.checkVisibility() || element.closest("svg, .hidden, .stage, .images")) return false;
    const { left, right, width } = element.getBoundingClientRect();
    const { overflowX, textOverflow } = getComputedStyle(element);
    if (width <= 1) return false;
    const isWider = element.scrollWidth > element.clientWidth + 1;
    return left < -1 || right > innerWidth + 1
        || (isWider && ["auto", "scroll"].includes(overflowX) && textOverflow !== "ellipsis");
}).map((element) => `${element.tagName} ${element.id} ${element.className}`)"""


class Gallery:
    """The page, and the server behind it."""

    def __init__(self, connection: Connection, opened: Page, server: Server, artefacts: Path) -> None:
        self.page = opened
        self.server = server
        self.problems: list[str] = []
        self._artefacts = artefacts
        connection.onevent = self._read

    def open(self, width: int = 1280, height: int = 800) -> Gallery:
        self.page.resize(width, height)
        self.page.goto(self.server.address)
        self.wait_for(".cell[data-index='0']")
        return self

    def _read(self, method: str, event: Event) -> None:
        if method == "log.entryAdded" and event["level"] in ("error", "warn"):
            self.problems.append(event["text"])

    def told(self) -> list[str]:
        """The problems until now."""
        self.page.evaluate("(text) => console.error(text)", END)
        # Events come with answers.
        until(lambda: self.page.evaluate("true") and END in self.problems, "the end of the console")
        self.problems.remove(END)
        return self.problems

    def each(self, selector: str, expression: str) -> list:
        """What an expression gives for each `element`."""
        script = f"(selector) => [...document.querySelectorAll(selector)].map((element) => {expression})"
        return self.page.evaluate(script, selector)

    def has(self, selector: str) -> bool:
        """Whether an element is there and not hidden."""
        return any(self.each(selector, "element.checkVisibility()"))

    def wait_for(self, selector: str) -> None:
        until(lambda: self.has(selector), selector)

    def wait_until_gone(self, selector: str) -> None:
        until(lambda: not self.has(selector), f"the end of {selector}")

    def text(self, selector: str) -> str:
        return self.each(selector, "element.innerText")[0]

    def count(self, selector: str) -> int:
        return len(self.each(selector, "0"))

    def cells(self, selector: str) -> list[int]:
        """The photos of cells."""
        return self.each(selector, "Number(element.dataset.index)")

    def visible(self) -> list[int]:
        """The photos whose cells are in view, wholly or in part."""
        return self.page.evaluate("""(() => {
            const view = document.getElementById("grid").getBoundingClientRect();
            return [...document.querySelectorAll(".cell:not([hidden])")].filter((cell) => {
                const { top, bottom } = cell.getBoundingClientRect();
                return bottom > view.top && top < view.bottom;
            }).map((cell) => Number(cell.dataset.index)).sort((a, b) => a - b);
        })()""")

    def wait_until_done(self) -> None:
        """Waits until the photos in view are filtered and shown, or failed."""
        until(self._is_done, "the photos in view")

    def _is_done(self) -> bool:
        visible = set(self.visible())
        # None are for a moment after a jump.
        return len(visible) > 0 and visible <= set(self.cells(f"{SHOWN}, .cell[data-state=failed]"))

    def box(self, selector: str) -> dict[str, float]:
        """Where an element is that a click reaches."""
        found = None

        def stands() -> bool:
            nonlocal found
            before = found
            found = self.page.evaluate(
                """(selector) => {
                    const element = document.querySelector(selector);
                    element?.scrollIntoView({ block: "nearest" });
                    const { x, y, width, height } = element?.getBoundingClientRect() ?? {};
                    const reached = width > 0 && document.elementFromPoint(x + width / 2, y + height / 2);
                    return reached && element.contains(reached) ? { x, y, width, height } : null;
                }""",
                selector,
            )
            return found is not None and found == before

        until(stands, f"a place to click {selector}")
        return found

    def place(self, selector: str, across: float = 0.5, down: float = 0.5) -> tuple[float, float]:
        """A place in an element, at shares of its width and height."""
        box = self.box(selector)
        return box["x"] + across * box["width"], box["y"] + down * box["height"]

    def click(self, selector: str) -> None:
        self.page.drag(self.place(selector))

    def filters(self) -> list[dict]:
        """The chain, as the server knows it."""
        answer = self.page.evaluate("fetch('/api/gallery').then((answer) => answer.json())")
        return answer["recipe"]["filters"]

    def wait_for_chain(self, *names: str) -> None:
        until(lambda: [each["name"] for each in self.filters()] == list(names), f"the chain {names}")

    def set_chain(self, *names: str) -> None:
        """Makes a chain of filters at their defaults, in the panel."""
        while self.has("#chain .remove"):
            self.click("#chain .remove")
        for name in names:
            self.click("#add-filter")
            self.page.press(name, "Enter")
            self.wait_until_gone("#adding")
        self.wait_for_chain(*names)

    def screenshot(self, name: str) -> None:
        self.page.screenshot(self._artefacts / f"firefox-{name}.png")


def test_problems_would_be_noticed(gallery: Gallery) -> None:
    gallery.page.evaluate("""setTimeout(() => { throw new Error("Thrown.") })""")
    gallery.page.evaluate("Promise.reject(new Error('Rejected.')) && 0")
    gallery.page.evaluate("""(() => {
        const script = document.createElement("script");
        script.textContent = "0";
        document.body.append(script);
    })()""")
    until(lambda: len(gallery.told()) >= 3, "the problems")
    text = " ".join(gallery.told())
    assert "Thrown." in text and "Rejected." in text and "Content-Security-Policy" in text, text
    gallery.problems.clear()


def test_photos_in_view_are_filtered_and_shown(gallery: Gallery) -> None:
    gallery.wait_until_done()
    assert gallery.count(f"{SHOWN} img") >= len(gallery.visible()) - 1
    assert gallery.page.evaluate("[...document.images].every((image) => image.naturalWidth > 0)")
    gallery.screenshot("grid")


def test_the_grid_scrolls(gallery: Gallery) -> None:
    gallery.page.wheel(*gallery.place("#grid"), 900)
    until(lambda: min(gallery.visible(), default=0) > 0, "what the wheel turned to")
    gallery.wait_until_done()
    gallery.page.evaluate("document.querySelector('.cell[tabindex=\"0\"]').focus()")
    gallery.page.press("End")
    until(lambda: PHOTO_COUNT - 1 in gallery.visible(), "the end")
    gallery.wait_until_done()
    gallery.screenshot("end")
    # As by the scroll bar.
    gallery.page.evaluate("document.getElementById('grid').scrollTop /= 2")
    middle = range(PHOTO_COUNT // 4, 3 * PHOTO_COUNT // 4)
    until(lambda: any(index in middle for index in gallery.visible()), "the middle")
    gallery.wait_until_done()


def test_a_slider_is_dragged_and_undone(gallery: Gallery) -> None:
    gallery.set_chain("sepia")
    gallery.wait_until_done()
    before = gallery.filters()
    gallery.page.evaluate("""window.looked = new Set(),
        new MutationObserver((changes) => {
            for (const { target } of changes) if ("look" in target.dataset) looked.add(target.dataset.index);
        }).observe(document.getElementById("grid"), { subtree: true, attributeFilter: ["data-look"] }), 0""")
    slider = "#chain input[type=range]"
    gallery.page.drag(*(gallery.place(slider, across) for across in (0.8, 0.6, 0.4, 0.25)))
    assert 40 < gallery.each(slider, "Number(element.value)")[0] < 60
    until(lambda: gallery.page.evaluate("looked.size") >= len(gallery.visible()) - 1, "looks of the photos")
    until(lambda: gallery.filters() != before, "the recipe")
    gallery.wait_until_done()
    gallery.screenshot("dragged")
    gallery.page.press("Control+z")
    until(lambda: gallery.filters() == before, "the recipe before")
    assert gallery.each(slider, "Number(element.value)") == [160]
    gallery.wait_until_done()


def test_a_photo_is_opened_and_left(gallery: Gallery) -> None:
    gallery.set_chain("sepia")
    gallery.wait_until_done()
    gallery.click(".cell[data-index='0'] .images")
    gallery.wait_for("#picture img + img")
    assert gallery.text("#viewer-place").startswith("1 of ")
    stage, filters = gallery.box("#stage"), gallery.box("#filters")
    assert stage["width"] > 900 and abs(stage["x"] + stage["width"] - filters["x"]) < 1, (stage, filters)
    gallery.wait_for("#divider")
    gallery.wait_for("#histogram")
    gallery.screenshot("viewer")
    start = gallery.place("#divider .knob")
    picture = gallery.each("#picture", "element.getBoundingClientRect().toJSON()")[0]
    gallery.page.drag(start, *((picture["x"] + share * picture["width"], start[1]) for share in (0.4, 0.25)))
    assert gallery.each("#divider", "element.ariaValueNow") == ["25"]
    gallery.click("#zoom-full")
    until(lambda: gallery.text("#zoom-level") == "100%", "the zoom")
    gallery.page.wheel(*gallery.place("#stage", 0.3, 0.3), -200)
    until(lambda: int(gallery.text("#zoom-level").rstrip("%")) > 100, "a larger photo")
    gallery.page.press("3")
    until(lambda: gallery.count(".star.given") == 3, "the stars")
    gallery.click(".star[aria-label='3 stars']")
    until(lambda: gallery.count(".star.given") == 0, "no stars")
    gallery.page.press("f", "ArrowRight")
    until(lambda: gallery.text("#viewer-place").startswith("2 of "), "the next photo")
    gallery.wait_for("#picture img + img")
    gallery.page.press("Escape")
    gallery.wait_until_gone("#viewer")
    until(lambda: gallery.cells(".cell:focus") == [1], "the focus on the photo")


def test_one_photo_has_its_own_filters(gallery: Gallery) -> None:
    gallery.wait_until_done()
    gallery.click(".cell[data-index='0']")
    gallery.wait_for("#picture img + img")
    gallery.click("#own")
    gallery.wait_for("#own[aria-pressed=true]")
    gallery.click("#chain .remove")
    gallery.wait_for("#no-filters")
    gallery.click("#stage")
    gallery.page.press("Escape")
    gallery.wait_until_gone("#viewer")
    assert gallery.text("#chain h3") == "Sepia"
    gallery.wait_for(".cell[data-index='0'][data-own=true] .own")
    gallery.screenshot("own")
    gallery.click(".cell[data-index='0']")
    gallery.wait_for("#own[aria-pressed=true]")
    gallery.click("#own")
    until(lambda: gallery.cells(".cell[data-own=true]") == [], "the filters of all")


def test_a_filter_is_found_by_typing(gallery: Gallery) -> None:
    gallery.set_chain("sepia")
    gallery.wait_until_done()
    gallery.click("#add-filter")
    gallery.wait_for(".preview img")
    count = gallery.count("#catalog button:not([hidden])")
    gallery.page.wheel(*gallery.place("#catalog"), 300)
    until(lambda: gallery.each("#catalog", "element.scrollTop")[0] > 200, "the wheel")
    gallery.screenshot("filters")
    gallery.page.press("vign")
    until(lambda: gallery.text("#matches") == "1 filter", "what was searched")
    assert gallery.count("#catalog button:not([hidden])") == 1 < count
    gallery.page.press("Enter")
    gallery.wait_until_gone("#adding")
    gallery.wait_for_chain("sepia", "vignette")
    gallery.screenshot("chain")
    gallery.page.drag(
        gallery.place("#chain li:last-child .grip"),
        gallery.place("#chain li:first-child h3"),
        gallery.place("#chain li:first-child h3", 0.5, -0.2),
    )
    gallery.wait_for_chain("vignette", "sepia")


def test_a_curve_is_bent(gallery: Gallery) -> None:
    gallery.set_chain("curves")
    before = gallery.filters()
    gallery.page.drag(gallery.place(".curve", 0.25, 0.8), gallery.place(".curve", 0.3, 0.9))
    until(lambda: gallery.filters() != before, "the recipe")
    gallery.screenshot("curve")
    gallery.set_chain("sepia")


def test_photos_are_selected(gallery: Gallery) -> None:
    chosen = ".cell[aria-selected=true]"
    with gallery.page.holding("Control"):
        gallery.click(".cell[data-index='1'] .name")
    until(lambda: gallery.cells(chosen) == [1], "the photo that was clicked")
    gallery.page.press("ArrowRight", "x")
    until(lambda: gallery.cells(chosen) == [1, 2], "the next photo")
    with gallery.page.holding("Shift"):
        gallery.click(".cell[data-index='4'] .name")
    until(lambda: gallery.cells(chosen) == [1, 2, 3, 4], "all photos until the one that was clicked")
    assert gallery.page.evaluate("String(getSelection())") == "", "Text is marked."
    gallery.screenshot("selected")
    gallery.page.press("Control+a")
    until(lambda: gallery.text("#counters [data-state=selected] b") == f"{PHOTO_COUNT:,}", "all photos")
    gallery.page.press("Escape")
    until(lambda: gallery.cells(chosen) == [], "the end of the selection")
    assert not gallery.has("#viewer")


def test_a_photo_is_saved(gallery: Gallery) -> None:
    gallery.wait_until_done()
    saved = gallery.server.folder / "out/00001.jpg"
    assert not saved.exists()
    with gallery.page.holding("Control"):
        gallery.click(".cell[data-index='1'] .name")
    gallery.page.press("Control+s")
    gallery.wait_for("#save-dialog[open]")
    until(lambda: gallery.text("#save-start") == "Save 1 photo", "the number of photos")
    gallery.screenshot("save")
    gallery.click("#save-start")
    gallery.wait_for("#saving[data-state=ended]")
    assert saved.read_bytes()[:2] == b"\xff\xd8"
    gallery.screenshot("saved")
    gallery.page.press("Control+s")
    gallery.click("#save-form [value=current]")
    gallery.click("#save-download")
    gallery.wait_until_gone("#save-dialog")
    # Firefox makes an empty file first.
    downloaded = gallery.server.folder / "downloads/00001.jpg"
    until(lambda: downloaded.exists() and downloaded.stat().st_size > 0, "the download")
    assert downloaded.read_bytes() == saved.read_bytes()


def test_nothing_overflows(gallery: Gallery) -> None:
    gallery.set_chain("sepia")
    for width, height in ((360, 740), (3840, 2160)):
        gallery.open(width, height)
        gallery.wait_until_done()
        check_width(gallery, f"{width}")
        gallery.click("#toggle-filters")
        check_width(gallery, f"{width}-panel")
        if width < 1000:
            gallery.click("#close-filters")
        gallery.page.press("Control+s")
        gallery.wait_for("#save-form [name=folder]")
        check_width(gallery, f"{width}-save")
        gallery.page.press("Escape")
        gallery.wait_until_gone("#save-dialog")
        gallery.click(".cell[data-index='0'] .images")
        gallery.wait_for("#picture img + img")
        check_width(gallery, f"{width}-viewer")


def check_width(gallery: Gallery, name: str) -> None:
    gallery.screenshot(name)
    overflowing = gallery.page.evaluate(OVERFLOWING)
    assert overflowing == [], f"{name}: {overflowing}"
    assert gallery.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name


@contextmanager
def opened(connection: Connection, server: Server, artefacts: Path) -> Iterator[Gallery]:
    """A page of its own. What its console tells of problems fails the test."""
    with page(connection) as tab:
        gallery = Gallery(connection, tab, server, artefacts).open()
        yield gallery
        problems = gallery.told()
        assert not problems, problems


def main() -> int:
    parser = argparse.ArgumentParser(description="Tests the gallery's page in Firefox.")
    parser.add_argument("tintype")
    parser.add_argument("photos")
    parser.add_argument("tests", nargs="*", metavar="test", help="a part of a test's name; all by default")
    parser.add_argument("--artefacts", type=Path, default=Path(".build/gallery-screenshots"))
    parser.add_argument("--firefox", default="/usr/bin/firefox-esr")
    arguments = parser.parse_args()
    chosen = arguments.tests or [""]
    tests = [each for name, each in globals().items() if name.startswith("test_")]
    tests = [test for test in tests if any(part in test.__name__ for part in chosen)]
    with serve(arguments, PHOTO_COUNT, *FLAGS) as server, firefox(arguments.firefox) as connection:
        connection.send("session.subscribe", events=["log.entryAdded"])
        downloads = {"type": "allowed", "destinationFolder": str(server.folder / "downloads")}
        connection.send("browser.setDownloadBehavior", downloadBehavior=downloads)
        failures = sum(
            not passes("firefox", test, opened(connection, server, arguments.artefacts)) for test in tests
        )
    print("All passed." if failures == 0 else f"{failures} failed.")
    return min(failures, 1)


if __name__ == "__main__":
    sys.exit(main())
