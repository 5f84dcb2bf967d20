"""One photo has filters of its own."""

from gallery import Gallery, until
from playwright.sync_api import Locator

FLAGS = []
PHOTO_COUNT = 200


def opened(gallery: Gallery) -> tuple[int, Locator]:
    """Opens the first filtered photo, in sepia as all; returns it and the button for its own filters."""
    gallery.set_chain("Sepia")
    gallery.wait_until_done(gallery.visible())
    index = next(index for index in gallery.visible() if gallery.photo(index)["state"] == "filtered")
    gallery.cell(index).click()
    gallery.page.locator("#picture img[src*='/after?']").wait_for()
    return index, gallery.page.get_by_role("button", name="Only this photo")


def own(gallery: Gallery, index: int) -> list[str] | None:
    filters = gallery.photo(index).get("own", {}).get("filters")
    return filters and [each["name"] for each in filters]


def names(gallery: Gallery) -> list[str]:
    return gallery.page.locator("#chain h3").all_text_contents()


def test_a_photo_has_its_own_filters(gallery: Gallery) -> None:
    index, toggle = opened(gallery)
    assert toggle.get_attribute("aria-pressed") == "false"
    toggle.click()
    gallery.set_chain("Noir")
    until(lambda: own(gallery, index) == ["noir"], "the photo's own filters")
    gallery.page.locator("#picture img[src*='/after?']").wait_for()
    gallery.screenshot("own-viewer")
    # The next photo, and the grid, have those of all.
    gallery.page.keyboard.press("Escape")
    assert names(gallery) == ["Sepia"] and toggle.is_hidden()
    gallery.cell(index, "[data-own=true]").wait_for()
    assert "its own filters" in gallery.cell(index).get_attribute("aria-label")
    gallery.screenshot("own-grid")
    gallery.cell(index).click()
    until(lambda: names(gallery) == ["Noir"], "the photo's own filters in the panel")
    assert toggle.get_attribute("aria-pressed") == "true"
    gallery.page.locator("#stage").focus()
    gallery.page.keyboard.press("ArrowRight")
    until(lambda: names(gallery) == ["Sepia"], "the filters of all in the panel")
    assert toggle.get_attribute("aria-pressed") == "false"
    gallery.page.keyboard.press("ArrowLeft")
    until(lambda: names(gallery) == ["Noir"], "the photo's own filters again")
    # Without them it follows the others, and they are not forgotten.
    toggle.click()
    assert names(gallery) == ["Sepia"]
    until(lambda: own(gallery, index) is None, "the filters of all")
    toggle.click()
    assert names(gallery) == ["Noir"]
    until(lambda: own(gallery, index) == ["noir"], "its own filters once more")
    toggle.click()
    until(lambda: own(gallery, index) is None, "the filters of all")


def test_undo_is_of_what_is_edited(gallery: Gallery) -> None:
    index, toggle = opened(gallery)
    toggle.click()
    gallery.page.get_by_role("slider", name="Intensity").fill("200")
    until(lambda: own(gallery, index) == ["sepia"], "the photo's own filters")
    value = gallery.page.get_by_role("spinbutton", name="Intensity").input_value()
    gallery.page.locator("#stage").focus()
    gallery.page.keyboard.press("Control+z")
    restored = gallery.page.get_by_role("spinbutton", name="Intensity").input_value()
    assert restored != value, (restored, value)
    gallery.page.keyboard.press("ArrowRight")
    until(lambda: toggle.get_attribute("aria-pressed") == "false", "the filters of all")
    gallery.page.keyboard.press("ArrowLeft")
    until(lambda: toggle.get_attribute("aria-pressed") == "true", "the photo's own filters")
    gallery.page.keyboard.press("Control+Shift+z")
    assert gallery.page.get_by_role("spinbutton", name="Intensity").input_value() == value
    toggle.click()
    until(lambda: own(gallery, index) is None, "the filters of all")


def test_sliders_of_the_grid_leave_it_alone(gallery: Gallery) -> None:
    index, toggle = opened(gallery)
    toggle.click()
    until(lambda: own(gallery, index) == ["sepia"], "the photo's own filters")
    gallery.page.keyboard.press("Escape")
    gallery.wait_until_done(gallery.visible())
    gallery.page.get_by_role("slider", name="Intensity").fill("100")
    others = [each for each in gallery.visible() if each != index]
    other = next(each for each in others if gallery.photo(each)["state"] == "filtered")
    gallery.cell(other, "[data-look]").wait_for()
    assert gallery.page.locator(f".cell[data-index='{index}'][data-look]").count() == 0
    gallery.wait_until_done(gallery.visible())
    assert own(gallery, index) == ["sepia"]
    gallery.cell(index).click()
    until(lambda: toggle.get_attribute("aria-pressed") == "true", "the photo's own filters")
    toggle.click()
    until(lambda: own(gallery, index) is None, "the filters of all")
