"""A gallery in a browser: what the tests of its page share."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Locator, Page, Request

SECONDS = 60
"""How long a condition may take, on a machine that is busy."""

# Keeps every state that each cell's photo had, whether there were no photos at first, and what moved in the
# grid although the user did not scroll.
RECORDER = """
window.recorded = {};
window.wasEmpty = false;
window.shifts = [];
new PerformanceObserver((list) => {
    for (const { hadRecentInput, sources } of list.getEntries()) {
        // A spinner's box changes as it turns.
        const moved = sources.map(({ node }) => node)
            .filter((node) => node?.parentElement?.closest("#grid") && !node.classList?.contains("spinner"));
        if (!hadRecentInput) shifts.push(...moved.map((node) => node.parentElement.outerHTML));
    }
}).observe({ type: "layout-shift", buffered: true });
new MutationObserver((changes) => {
    for (const { target } of changes) {
        if (target.id === "empty" && !target.hidden) wasEmpty = true;
        const { index, state } = target.dataset;
        if (index === undefined || state === undefined || state === "unknown") continue;
        const states = recorded[index] ??= [];
        if (states.at(-1) !== state) states.push(state);
    }
}).observe(document, {
    subtree: true, attributes: true, attributeFilter: ["data-state", "data-index", "hidden"],
});
"""


@dataclass
class Server:
    """A gallery that runs."""

    address: str
    """With its token."""
    pid: int
    folder: Path
    """Has the list of photos."""
    tintype: str
    """The tool."""
    photos: str
    """The address of the server that the photos come from."""


class Gallery:
    """The page, and the server behind it."""

    def __init__(self, context: BrowserContext, server: Server, artefacts: Path) -> None:
        self.context = context
        self.server = server
        self.artefacts = artefacts
        self.page: Page = context.new_page()
        self.page.set_default_timeout(SECONDS * 1000)
        self.problems: list[str] = []
        self._posts: list[tuple[str, dict]] = []
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("console", lambda message: self._read(message.text))
        self.page.on("request", self._note)
        self.page.add_init_script(RECORDER)

    def open(self) -> Gallery:
        self.page.goto(self.server.address)
        self.cell(0).wait_for()
        return self

    def reset(self) -> Gallery:
        """Puts the server back to its start, and waits until the page shows that."""
        self.page.evaluate("recorded = {}")
        self.act("reset")
        until(lambda: self.recorded(), "the reset")
        return self

    def cell(self, index: int, condition: str = "") -> Locator:
        return self.page.locator(f".cell[data-index='{index}']{condition}")

    def visible(self) -> list[int]:
        """The photos whose cells are in view, wholly or in part."""
        return self.page.evaluate("""() => {
            const view = document.getElementById("grid").getBoundingClientRect();
            return [...document.querySelectorAll(".cell:not([hidden])")].filter((cell) => {
                const { top, bottom } = cell.getBoundingClientRect();
                return bottom > view.top && top < view.bottom;
            }).map((cell) => Number(cell.dataset.index)).sort((a, b) => a - b);
        }""")

    def wait_until_done(self, indices: list[int]) -> None:
        """Waits until the photos are filtered and shown, or failed."""
        for index in indices:
            shown = f".cell[data-index='{index}'][data-state=filtered][data-shown]:not([data-loading])"
            self.page.locator(f"{shown}, .cell[data-index='{index}'][data-state=failed]").wait_for()

    def failed(self) -> tuple[int, str]:
        """Waits for a photo in view that has failed. Returns its index and why."""
        cell = self.page.locator(".cell[data-state=failed]").first
        cell.wait_for()
        index = int(cell.get_attribute("data-index"))
        # The cell may show what was before a reset.
        until(lambda: self.photo(index).get("error"), "the failure")
        return index, self.photo(index)["error"]

    def recorded(self) -> dict[str, list[str]]:
        return self.page.evaluate("recorded")

    @property
    def posts(self) -> list[tuple[str, dict]]:
        """The requests that the page sent: their paths below /api/ and their bodies."""
        # Playwright takes notice of requests only while it waits for the page.
        self.page.evaluate("0")
        return self._posts

    def button(self, action: str) -> Locator:
        return self.page.locator(f"[data-action={action}]")

    def count(self, state: str) -> int:
        """One of the counters in the bar."""
        text = self.page.locator(f"#counters [data-state={state}] b").inner_text()
        return int(text.replace(",", ""))

    def get(self, path: str) -> dict:
        return self.page.evaluate("(path) => fetch(path).then((answer) => answer.json())", path)

    def status(self) -> dict:
        return self.get("/api/gallery")["status"]

    def photo(self, index: int) -> dict:
        return self.get(f"/api/photos?first={index}&count=1")["photos"][0]

    def act(self, action: str) -> None:
        """Asks the server directly, for what is no part of a test."""
        self.page.evaluate(
            """(action) => fetch("/api/session", {
                method: "POST",
                headers: { "Content-Type": "application/json" },
                body: JSON.stringify({ action }),
            })""",
            action,
        )

    def show_filters(self) -> None:
        if self.page.locator("#filters").is_hidden():
            self.page.locator("#toggle-filters").click()

    def set_chain(self, *names: str) -> None:
        """Makes a chain of filters at their defaults, in the panel."""
        self.show_filters()
        while self.page.locator("#chain .remove").count() > 0:
            self.page.locator("#chain .remove").first.click()
        for name in names:
            self.page.locator("#add-filter").click()
            self.page.locator("#catalog button", has_text=name).click()

    def screenshot(self, name: str) -> None:
        self.artefacts.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=self.artefacts / f"{name}.png")

    def _read(self, text: str) -> None:
        if "Content Security Policy" in text:
            self.problems.append(text)

    def _note(self, request: Request) -> None:
        if request.method == "POST":
            self._posts.append((request.url.split("/api/")[-1], request.post_data_json))


@contextmanager
def gallery(browser: Browser, server: Server, artefacts: Path, **options: object) -> Iterator[Gallery]:
    """A page of its own. Errors of its scripts, and what its policy refused, fail the test."""
    options.setdefault("viewport", {"width": 1280, "height": 800})
    context = browser.new_context(**options)
    try:
        opened = Gallery(context, server, artefacts).open()
        yield opened
        assert not opened.problems, opened.problems
    finally:
        context.close()


def until(condition: Callable[[], object], what: str) -> None:
    """Waits for a condition that the page does not show."""
    end = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < end, f"Waited {SECONDS} s for {what}."
        time.sleep(0.05)


def remains(value: Callable[[], object], seconds: float, what: str) -> None:
    """Checks that a value does not change for some time."""
    before = value()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        now = value()
        assert now == before, f"{what} changed from {before} to {now}."
        time.sleep(0.05)
