"""Start, suspend, resume, cancel, reset."""

from gallery import Gallery, remains, until


def done(gallery: Gallery) -> int:
    status = gallery.status()
    return status["filtered"] + status["failed"]


def rests(gallery: Gallery) -> bool:
    status = gallery.status()
    return status["downloads"] == 0 and status["filtering"] == 0


def start(gallery: Gallery) -> None:
    gallery.reset()
    gallery.button("start").click()
    beyond_view = len(gallery.visible()) + 5
    until(lambda: done(gallery) > beyond_view, "photos outside of the view")


def test_suspended_work_goes_on_when_it_is_resumed(gallery: Gallery) -> None:
    start(gallery)
    button = gallery.button("suspend")
    button.click()
    gallery.page.locator("body[data-session=suspended]").wait_for()
    assert button.inner_text() == "Resume"
    until(lambda: rests(gallery), "the work in progress")
    remains(lambda: done(gallery), 1, "The number of photos that are done")
    gallery.screenshot("suspended")
    before = done(gallery)
    button.click()
    gallery.page.locator("body[data-session=running]").wait_for()
    assert button.inner_text() == "Suspend"
    until(lambda: done(gallery) > before, "more photos")
    gallery.button("cancel").click()


def test_cancelled_work_does_not_go_on(gallery: Gallery) -> None:
    start(gallery)
    gallery.button("cancel").click()
    gallery.page.locator("body[data-session=idle]").wait_for()
    until(lambda: rests(gallery), "the work in progress")
    remains(lambda: done(gallery), 1, "The number of photos that are done")
    before = done(gallery)
    gallery.button("start").click()
    until(lambda: done(gallery) > before, "more photos")
    gallery.button("cancel").click()


def test_a_reset_forgets_all_photos(gallery: Gallery) -> None:
    start(gallery)
    gallery.button("cancel").click()
    gallery.page.locator("body[data-session=idle]").wait_for()
    before = done(gallery)
    gallery.button("reset").click()
    until(lambda: done(gallery) < before, "the reset")
    gallery.wait_until_done(gallery.visible())


def test_a_page_that_is_suspended_by_its_user_stays_so_while_scrolling(gallery: Gallery) -> None:
    start(gallery)
    gallery.button("suspend").click()
    gallery.page.locator("body[data-session=suspended]").wait_for()
    gallery.posts.clear()
    gallery.cell(gallery.visible()[0]).focus()
    gallery.page.keyboard.press("End")
    until(lambda: any(path == "visible" for path, _ in gallery.posts), "the report of the view")
    assert gallery.status()["state"] == "suspended"
    gallery.button("suspend").click()
    gallery.wait_until_done(gallery.visible())
    gallery.button("cancel").click()
