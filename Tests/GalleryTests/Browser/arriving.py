"""A page is empty until the list of photos arrives; then each photo goes through its states."""

from gallery import Gallery
from states import ORDER

PHOTO_COUNT = 0
FLAGS = ["--slow", "--files-from", "{photos}/late.txt"]


def test_a_page_opened_before_its_list_fills_itself(gallery: Gallery) -> None:
    assert gallery.page.evaluate("wasEmpty"), "The list came too early."
    assert gallery.page.locator("#empty").is_hidden()
    assert gallery.get("/api/gallery")["count"] == 12
    gallery.wait_until_done(list(range(12)))
    for index, states in gallery.recorded().items():
        order = ["new", "failed"] if states[-1] == "failed" else ORDER
        assert states == [state for state in order if state in states], f"Photo {index} was {states}."
