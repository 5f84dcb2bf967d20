"""Photos are found by name and state, and sorted."""

from gallery import Gallery, until

FLAGS: list[str] = []
PHOTO_COUNT = 1200


def names(gallery: Gallery) -> list[str]:
    cells = gallery.page.locator(".cell:not([hidden]) .name")
    return sorted(name for name in cells.all_inner_texts() if name)


def find(gallery: Gallery, text: str) -> None:
    gallery.page.keyboard.press("/")
    gallery.page.keyboard.type(text)


def test_photos_are_found_by_name(gallery: Gallery) -> None:
    find(gallery, "0117")
    until(
        lambda: names(gallery) == ["00117.jpg"] + [f"0117{digit}.jpg" for digit in range(10)], "those found"
    )
    assert gallery.page.locator("#count").inner_text() == "11 of 1,200 photos"
    gallery.wait_until_done(gallery.visible())
    gallery.screenshot("finding")
    # What is opened, and saved, is what is shown.
    place = names(gallery).index("01175.jpg")
    gallery.cell(place).click()
    gallery.page.locator("#picture img[src*='/after?']").wait_for()
    assert gallery.page.locator("#viewer-name").inner_text() == "01175.jpg"
    assert "/photos/1175/after" in gallery.page.locator("#picture img").last.get_attribute("src")
    gallery.page.keyboard.press("Control+s")
    assert "01175.jpg" in gallery.page.locator("#save-form [name=photos][value=current] + span").inner_text()
    assert (
        "All shown: 11 photos"
        in gallery.page.locator("#save-form [name=photos][value=all] + span").inner_text()
    )
    until(lambda: any(path == "save/folders" for path, _ in gallery.posts), "the folders")
    assert [body for path, body in gallery.posts if path == "save/folders"][-1]["photos"] == [[1175, 1]]


def test_nothing_fits(gallery: Gallery) -> None:
    find(gallery, "nothing")
    gallery.page.locator("#nothing-found").wait_for()
    gallery.page.get_by_role("button", name="Show all").click()
    gallery.cell(0).wait_for()
    assert gallery.page.locator("#count").inner_text() == "1,200 photos"


def test_photos_are_sorted_and_stay_selected(gallery: Gallery) -> None:
    gallery.wait_until_done(gallery.visible())
    gallery.cell(1).click(modifiers=["Control"])
    gallery.page.locator("#toggle-find").click()
    form = gallery.page.locator("#find-form")
    form.locator("[name=sort]").select_option("name")
    form.locator("[name=descending]").check()
    gallery.page.locator(".cell[data-index='0'] .name", has_text="01199.jpg").wait_for()
    assert gallery.page.locator(".cell[aria-selected=true]").count() == 0
    gallery.wait_until_done(gallery.visible())
    form.locator("[name=state]").select_option("selected")
    until(lambda: names(gallery) == ["00001.jpg"], "the selected photo")
    assert gallery.cell(0).get_attribute("aria-selected") == "true"
    # Sliders show the photos that are in view.
    slider = gallery.page.get_by_role("slider", name="Intensity")
    gallery.wait_until_done([0])
    slider.fill("30")
    until(lambda: [1] in [body["photos"] for path, body in gallery.posts if path == "looks"], "its look")
    gallery.page.locator("#toggle-find").click()
    until(lambda: gallery.page.locator("#count").inner_text() == "1,200 photos", "all photos")
    assert gallery.cell(1).get_attribute("aria-selected") == "true"


def test_failed_photos_are_found(gallery: Gallery) -> None:
    gallery.page.locator(".cell[data-state=failed]").first.wait_for()
    gallery.page.locator("#toggle-find").click()
    gallery.page.locator("#find-form [name=state]").select_option("failed")
    until(lambda: names(gallery) == ["00005.jpg"], "the failed photo")
