"""A photo that cannot be had says why, and can be tried again."""

from urllib.request import urlopen

from gallery import Gallery, until


def attempts(gallery: Gallery, index: int) -> int:
    """How often the photo was asked for."""
    with urlopen(f"{gallery.server.photos}/count/{index:05}.jpg") as answer:
        return int(answer.read())


def test_a_failed_cell_tells_why_and_is_tried_again(gallery: Gallery) -> None:
    gallery.reset()
    index, reason = gallery.failed()
    until(lambda: gallery.cell(index).locator(".failure p").inner_text() == reason, "the reason")
    assert reason in gallery.cell(index).get_attribute("aria-label")
    gallery.screenshot("failed")
    before = attempts(gallery, index)
    gallery.cell(index).get_by_role("button", name="Retry").click()
    until(lambda: attempts(gallery, index) > before, "the next attempt")
    assert (f"photos/{index}/retry", {}) in gallery.posts
    gallery.wait_until_done([index])


def test_a_failed_photo_does_not_hold_up_the_others(gallery: Gallery) -> None:
    gallery.reset()
    visible = gallery.visible()
    gallery.wait_until_done(visible)
    states = [gallery.cell(index).get_attribute("data-state") for index in visible]
    assert "failed" in states and states.count("filtered") >= len(states) / 2
