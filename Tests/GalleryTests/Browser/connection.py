"""A page that has lost its connection, as through a tunnel that breaks, goes on when it is back."""

import re

from gallery import Gallery, until

PICTURES = re.compile(r"/(thumbnail|before|after)\?")
REPORTS = re.compile(r"/api/visible$")

# Keeps the page's connections for events.
RECORDER = """
window.sources = [];
window.EventSource = class extends EventSource {
    constructor(address) {
        super(address);
        sources.push(this);
    }
};
"""

# What the browser tells when it has connected again by itself.
RECONNECT = """() => {
    for (const name of ["error", "open"]) sources.at(-1).dispatchEvent(new Event(name));
}"""


def lose(gallery: Gallery, requests: re.Pattern) -> None:
    """Lets some of the page's requests fail. Its events still come."""
    gallery.page.route(requests, lambda route: route.abort())


def recover(gallery: Gallery) -> None:
    gallery.page.unroute_all()
    gallery.page.evaluate(RECONNECT)


def prepare(gallery: Gallery) -> list[int]:
    """Waits until the photos in view are filtered, and returns them."""
    gallery.page.add_init_script(RECORDER)
    gallery.page.reload()
    gallery.cell(0).wait_for()
    gallery.wait_until_done(gallery.visible())
    return gallery.visible()


def test_the_view_is_reported_again(gallery: Gallery) -> None:
    visible = prepare(gallery)
    lose(gallery, REPORTS)
    with gallery.page.expect_event("requestfailed", lambda request: REPORTS.search(request.url)):
        gallery.reset()
    recover(gallery)
    gallery.wait_until_done(visible)


def test_thumbnails_are_loaded_again(gallery: Gallery) -> None:
    visible = prepare(gallery)
    lose(gallery, PICTURES)
    gallery.reset()
    filtered = gallery.page.locator(".cell[data-state=filtered]:not([data-loading]):not([data-shown])")
    filtered.first.wait_for()
    recover(gallery)
    gallery.wait_until_done(visible)


def test_the_open_photo_is_loaded_again(gallery: Gallery) -> None:
    visible = prepare(gallery)
    index = next(index for index in visible if gallery.photo(index)["state"] == "filtered")
    lose(gallery, PICTURES)
    with gallery.page.expect_event("requestfailed", lambda request: "/after?" in request.url):
        gallery.cell(index).click()

    def is_whole() -> bool:
        # The page may learn a moment later that the pictures failed.
        recover(gallery)
        return gallery.page.locator("#picture img").count() == 2

    until(is_whole, "both pictures")
