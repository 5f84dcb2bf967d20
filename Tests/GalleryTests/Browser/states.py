"""Every cell goes from empty to its placeholder, the photo as downloaded, and the photo as filtered."""

from gallery import Gallery

ORDER = ["new", "downloaded", "filtered"]


def test_every_cell_in_view_goes_through_its_states_in_order(gallery: Gallery) -> None:
    visible = gallery.visible()
    gallery.wait_until_done(visible)
    gallery.reset()
    gallery.screenshot("loading")
    gallery.wait_until_done(visible)
    gallery.screenshot("filtered")
    recorded = gallery.recorded()
    complete = 0
    for index in visible:
        states = recorded[str(index)]
        # Changes within one frame are shown as one, so that states may be missing.
        order = ["new", "failed"] if states[-1] == "failed" else ORDER
        assert states == [state for state in order if state in states], f"Photo {index} was {states}."
        complete += states == ORDER
    assert complete > 0, "No photo was shown as downloaded before it was filtered."


def test_nothing_jumps_while_photos_load(gallery: Gallery) -> None:
    gallery.reset()
    gallery.page.evaluate("shifts = []")
    gallery.wait_until_done(gallery.visible())
    shifts = gallery.page.evaluate("shifts")
    assert shifts == [], shifts


def test_a_placeholder_shows_that_work_is_under_way(gallery: Gallery) -> None:
    gallery.reset()
    gallery.button("start").click()
    gallery.page.locator(".cell[data-state=new][data-busy=true] .spinner").first.wait_for()
    gallery.button("cancel").click()


def test_counters_agree_with_the_server(gallery: Gallery) -> None:
    gallery.wait_until_done(gallery.visible())
    gallery.page.locator("body[data-session=idle]").wait_for()
    status = gallery.status()
    assert {state: gallery.count(state) for state in [*ORDER, "failed"]} == {
        state: status[state] for state in [*ORDER, "failed"]
    }
    assert sum(status[state] for state in [*ORDER, "failed"]) == gallery.get("/api/gallery")["count"]
