"""A page that is reloaded shows things as they are."""

from gallery import Gallery, until


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
