"""A page that is reloaded, or opened once more, shows things as they are."""

from gallery import Gallery, until

# Chromium without a screen calls all its pages visible.
HIDE = """(isHidden) => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => isHidden });
    document.dispatchEvent(new Event("visibilitychange"));
}"""


def test_a_page_reloaded_in_mid_run_shows_the_state_as_it_is(gallery: Gallery) -> None:
    gallery.reset()
    gallery.button("start").click()
    visible = gallery.visible()
    gallery.wait_until_done(visible)
    before = gallery.status()
    states = {index: gallery.photo(index)["state"] for index in visible}
    gallery.page.reload()
    gallery.wait_until_done(visible)
    recorded = gallery.recorded()
    for index in visible:
        assert recorded[str(index)] == [states[index]], f"Photo {index} was {recorded[str(index)]}."
    assert gallery.count("filtered") >= before["filtered"]
    until(lambda: gallery.count("filtered") > before["filtered"], "the rest of the run")
    gallery.button("cancel").click()


def test_two_pages_show_the_same(gallery: Gallery) -> None:
    other = Gallery(gallery.context, gallery.server, gallery.artefacts).open()
    gallery.reset()
    visible = gallery.visible()
    gallery.wait_until_done(visible)
    other.wait_until_done(visible)


def test_two_pages_at_two_places_both_get_their_photos(gallery: Gallery) -> None:
    other = Gallery(gallery.context, gallery.server, gallery.artefacts).open()
    other.cell(other.visible()[0]).focus()
    other.page.keyboard.press("End")
    other.cell(other.get("/api/gallery")["count"] - 1).wait_for()
    gallery.reset()
    gallery.wait_until_done(gallery.visible())
    other.wait_until_done(other.visible())
    assert not set(gallery.visible()) & set(other.visible())


def test_a_page_that_is_closed_gets_no_photos(gallery: Gallery) -> None:
    other = Gallery(gallery.context, gallery.server, gallery.artefacts).open()
    other.cell(other.visible()[0]).focus()
    other.page.keyboard.press("End")
    last = other.get("/api/gallery")["count"] - 1
    other.cell(last).wait_for()
    gallery.act("suspend")
    gallery.reset()
    other.page.close()
    gallery.act("resume")
    gallery.wait_until_done(gallery.visible())
    until(lambda: gallery.status()["state"] == "idle", "the end of the work")
    assert gallery.photo(last)["state"] != "filtered"


def test_a_hidden_page_leaves_the_view_to_the_one_in_use(gallery: Gallery) -> None:
    def reports() -> int:
        return sum(path == "visible" for path, _ in gallery.posts)

    other = Gallery(gallery.context, gallery.server, gallery.artefacts).open()
    gallery.wait_until_done(gallery.visible())
    gallery.page.evaluate(HIDE, True)
    before = reports()
    # Both pages learn that all photos begin anew, and only the one in use asks for its view again.
    gallery.reset()
    gallery.page.wait_for_timeout(500)
    assert reports() == before
    other.wait_until_done(other.visible())
    gallery.page.evaluate(HIDE, False)
    until(lambda: reports() > before, "the report of the view")


def test_the_address_is_clicked_in_a_page_of_another_site(gallery: Gallery) -> None:
    terminal = "http://terminal.example/"
    link = f"<a href='{gallery.server.address}'>The gallery</a>"
    gallery.page.route(terminal, lambda route: route.fulfill(body=link, content_type="text/html"))
    gallery.context.clear_cookies()
    gallery.page.goto(terminal)
    gallery.page.get_by_text("The gallery").click()
    gallery.cell(0).wait_for()
