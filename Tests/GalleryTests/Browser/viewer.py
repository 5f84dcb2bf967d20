"""The full-size view."""

from gallery import Gallery, until


def click_first(gallery: Gallery) -> int:
    """Clicks the first photo in view that is filtered."""
    gallery.set_chain("Sepia")
    gallery.wait_until_done(gallery.visible())
    index = next(index for index in gallery.visible() if gallery.photo(index)["state"] == "filtered")
    gallery.cell(index).click()
    return index


def open_first(gallery: Gallery) -> int:
    """Opens the first photo in view that is filtered."""
    index = click_first(gallery)
    gallery.page.locator("#picture img").nth(1).wait_for()
    return index


def test_a_click_opens_the_photo_before_and_after(gallery: Gallery) -> None:
    index = open_first(gallery)
    assert gallery.page.locator("#viewer-name").inner_text() == gallery.photo(index)["name"]
    before, after = gallery.page.locator("#picture img").all()
    assert "/before?" in before.get_attribute("src") and "/after?" in after.get_attribute("src")
    assert before.evaluate("(image) => image.naturalWidth") > 0
    gallery.screenshot("viewer")


def test_the_divider_is_dragged(gallery: Gallery) -> None:
    open_first(gallery)
    box = gallery.page.locator("#picture").bounding_box()
    gallery.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    gallery.page.mouse.down()
    gallery.page.mouse.move(box["x"] + box["width"] / 4, box["y"] + box["height"] / 2, steps=4)
    gallery.page.mouse.up()
    assert gallery.page.locator("#divider").get_attribute("aria-valuenow") == "25"


def test_the_photo_is_zoomed_and_moved(gallery: Gallery) -> None:
    open_first(gallery)
    level = gallery.page.locator("#zoom-level")
    fitted = level.inner_text()
    gallery.page.locator("#zoom-full").click()
    assert level.inner_text() == "100%"
    picture = gallery.page.locator("#picture")
    natural = picture.locator("img").last.evaluate("(image) => image.naturalWidth")
    assert abs(picture.bounding_box()["width"] - natural) < 1
    stage = gallery.page.locator("#stage").bounding_box()
    gallery.page.mouse.move(stage["x"] + stage["width"] / 3, stage["y"] + stage["height"] / 3)
    gallery.page.mouse.wheel(0, -200)
    until(lambda: int(level.inner_text().rstrip("%")) > 100, "a larger photo")
    before = picture.bounding_box()
    gallery.page.mouse.down()
    gallery.page.mouse.move(stage["x"] + stage["width"] / 3 + 20, stage["y"] + stage["height"] / 3, steps=4)
    gallery.page.mouse.up()
    assert abs(picture.bounding_box()["x"] - before["x"] - 20) < 1
    gallery.page.locator("#zoom-fit").click()
    assert level.inner_text() == fitted


def test_a_photo_beyond_the_view_is_filtered_and_shown(gallery: Gallery) -> None:
    gallery.reset()
    index = open_first(gallery)
    beyond = gallery.visible()[-1] + 1
    for _ in range(beyond - index):
        gallery.page.keyboard.press("ArrowRight")
    gallery.page.locator("#picture img").nth(1).wait_for()
    assert gallery.page.locator("#viewer-name").inner_text() == gallery.photo(beyond)["name"]


def test_a_photo_whose_original_was_released_is_shown_as_filtered(gallery: Gallery) -> None:
    gallery.page.route("**/before?*", lambda route: route.fulfill(status=404))
    click_first(gallery)
    pictures = gallery.page.locator("#picture img")
    gallery.page.locator("#picture img[src*='/after?']").wait_for()
    assert pictures.count() == 1
    assert gallery.page.locator("#divider").is_hidden()
    gallery.page.locator("#zoom-full").click()
    natural = pictures.evaluate("(image) => image.naturalWidth")
    assert abs(gallery.page.locator("#picture").bounding_box()["width"] - natural) < 1


def test_a_failed_photo_says_why(gallery: Gallery) -> None:
    gallery.reset()
    index, reason = gallery.failed()
    gallery.cell(index).focus()
    gallery.page.keyboard.press("Enter")
    until(lambda: gallery.page.locator("#viewer-notice p").inner_text() == reason, "the reason")
    assert gallery.page.locator("#viewer-retry").is_visible()
