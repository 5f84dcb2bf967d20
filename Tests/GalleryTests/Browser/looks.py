"""Filters are seen while they are set, before photos are filtered."""

from gallery import Gallery, until

FLAGS = []
PHOTO_COUNT = 200


def drag(gallery: Gallery, name: str, share: float, steps: int = 20) -> None:
    """Moves a slider with the mouse, and keeps the button pressed."""
    slider = gallery.page.get_by_role("slider", name=name)
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    middle = box["y"] + box["height"] / 2
    gallery.page.mouse.move(box["x"] + box["width"] / 2, middle)
    gallery.page.mouse.down()
    gallery.page.mouse.move(box["x"] + 4 + (box["width"] - 8) * share, middle, steps=steps)


def test_the_grid_follows_a_slider(gallery: Gallery) -> None:
    gallery.set_chain("Sepia")
    gallery.wait_until_done(gallery.visible())
    filtered = [index for index in gallery.visible() if gallery.photo(index)["state"] == "filtered"]
    before = len([path for path, _ in gallery.posts if path == "recipe"])
    drag(gallery, "Intensity", 0.1)
    for index in filtered:
        gallery.cell(index, "[data-look]").wait_for()
    gallery.screenshot("looks")
    gallery.page.mouse.up()
    until(lambda: len([path for path, _ in gallery.posts if path == "recipe"]) > before, "the recipe")
    # Then photos are filtered, and looks make way.
    for index in filtered:
        gallery.cell(index, ":not([data-look])[data-shown]").wait_for()


def test_the_large_view_follows_a_slider(gallery: Gallery) -> None:
    gallery.set_chain("Sepia")
    gallery.wait_until_done(gallery.visible())
    index = next(index for index in gallery.visible() if gallery.photo(index)["state"] == "filtered")
    gallery.cell(index).click()
    gallery.page.locator("#picture img[src*='/after?']").wait_for()
    box = gallery.page.locator("#picture").bounding_box()
    drag(gallery, "Intensity", 0.1)
    gallery.page.locator("#picture img[src^='blob:']").wait_for()
    assert gallery.page.locator("#picture").bounding_box() == box
    gallery.screenshot("looks-viewer")
    gallery.page.mouse.up()
    gallery.page.locator("#picture img[src*='/after?']").wait_for()


def test_a_held_key_shows_the_photo_before(gallery: Gallery) -> None:
    gallery.set_chain("Noir")
    gallery.wait_until_done(gallery.visible())
    index = next(index for index in gallery.visible() if gallery.photo(index)["state"] == "filtered")
    gallery.cell(index).click()
    after = gallery.page.locator("#picture img[src*='/after?']")
    after.wait_for()
    gallery.page.keyboard.down("b")
    assert after.is_hidden() and gallery.page.locator("#divider").is_hidden()
    gallery.page.keyboard.up("b")
    assert after.is_visible()


def test_changes_are_undone_and_done_again(gallery: Gallery) -> None:
    gallery.set_chain("Sepia", "Noir")
    names = gallery.page.locator("#chain h3")
    drag(gallery, "Intensity", 0.25)
    gallery.page.mouse.up()
    field = gallery.page.get_by_role("spinbutton", name="Intensity")
    moved = field.input_value()
    assert moved != "80"
    gallery.page.keyboard.press("Control+z")
    assert field.input_value() == "80"
    gallery.page.keyboard.press("Control+z")
    assert names.all_inner_texts() == ["Sepia"]
    gallery.page.keyboard.press("Control+Shift+z")
    gallery.page.keyboard.press("Control+y")
    assert names.all_inner_texts() == ["Sepia", "Noir"] and field.input_value() == moved
    assert gallery.page.locator("#redo").get_attribute("aria-disabled") == "true"
    gallery.page.locator("#undo").click()
    assert field.input_value() == "80"
