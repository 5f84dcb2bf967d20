"""Stars are given by keys and buttons, shown, found and written to XMP."""

from pathlib import Path
from urllib.request import urlopen

from gallery import Gallery, until

PHOTO_COUNT = 0
FLAGS = ["{folder}/photos"]

RATED = """<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="5"/></rdf:RDF>
</x:xmpmeta>"""


def prepare(folder: Path, server: str) -> None:
    photos = folder / "photos"
    photos.mkdir()
    with urlopen(f"{server}/00000.jpg") as answer:
        photo = answer.read()
    for number in range(12):
        (photos / f"{number:02}.jpg").write_bytes(photo)
    (photos / "11.jpg.xmp").write_text(RATED)


def stars(gallery: Gallery, *indices: int) -> list[int]:
    return [len(gallery.cell(index).locator(".stars").inner_text()) for index in indices]


def give(gallery: Gallery, index: int, key: str) -> None:
    gallery.cell(index).focus()
    gallery.page.keyboard.press(key)
    until(lambda: stars(gallery, index) == [int(key)], "the stars")


def pressed(gallery: Gallery) -> list[str]:
    buttons = gallery.page.locator(".star[aria-pressed=true]").all()
    return [each.get_attribute("aria-label") for each in buttons]


def test_keys_give_stars_in_the_grid(gallery: Gallery) -> None:
    until(lambda: stars(gallery, 11) == [5], "the stars of the XMP")
    give(gallery, 2, "3")
    assert "02.jpg, photo 3 of 12" in gallery.cell(2).get_attribute("aria-label")
    assert gallery.cell(2).get_attribute("aria-label").endswith("3 stars")
    assert gallery.page.locator("#live").inner_text() == "3 stars."
    give(gallery, 2, "0")
    assert "star" not in gallery.cell(2).get_attribute("aria-label")
    # All that are selected, if the current one is.
    for index in (4, 6):
        gallery.cell(index).click(modifiers=["Control"])
    gallery.page.keyboard.press("2")
    until(lambda: stars(gallery, 4, 5, 6) == [2, 0, 2], "those of the selected ones")
    message = gallery.page.locator("#message.shown")
    until(lambda: message.inner_text() == "2 stars for 2 photos.", "the number of photos")
    give(gallery, 5, "1")
    assert stars(gallery, 4, 6) == [2, 2]
    gallery.cell(4).focus()
    gallery.page.keyboard.press("Control+3")
    gallery.page.keyboard.press("0")
    until(lambda: stars(gallery, 4, 5, 6) == [0, 1, 0], "no stars again")
    give(gallery, 5, "0")


def test_the_large_view_gives_stars(gallery: Gallery) -> None:
    gallery.wait_until_done(gallery.visible())
    gallery.cell(0).click()
    gallery.page.locator("#divider").wait_for()
    fitted = gallery.page.locator("#zoom-level").inner_text()
    gallery.page.keyboard.press("4")
    until(lambda: pressed(gallery) == ["4 stars"], "the key's stars")
    assert gallery.page.locator(".star.given").count() == 4
    assert gallery.page.locator("#viewer-place").inner_text().endswith("4 stars")
    gallery.page.keyboard.press("1")
    until(lambda: pressed(gallery) == ["1 star"], "another key's stars")
    assert gallery.page.locator("#zoom-level").inner_text() == fitted
    gallery.screenshot("stars-viewer")
    gallery.page.get_by_role("button", name="3 stars").click()
    until(lambda: pressed(gallery) == ["3 stars"], "the button's stars")
    gallery.page.keyboard.press("ArrowRight")
    assert pressed(gallery) == []
    gallery.page.keyboard.press("ArrowLeft")
    until(lambda: pressed(gallery) == ["3 stars"], "the stars again")
    gallery.page.get_by_role("button", name="3 stars").click()
    until(lambda: pressed(gallery) == [], "no stars")
    # Fields have digits of their own.
    gallery.page.get_by_role("spinbutton", name="Intensity").fill("5")
    gallery.page.keyboard.press("2")
    assert pressed(gallery) == []


def test_the_stars_fit_into_a_narrow_view(gallery: Gallery) -> None:
    gallery.cell(0).click()
    gallery.page.locator(".star").last.wait_for()
    box = gallery.page.locator(".star").last.bounding_box()
    assert box["x"] + box["width"] <= 360
    assert min(box["width"], box["height"]) >= 24
    assert gallery.page.evaluate("document.querySelector('#viewer').scrollWidth") <= 360


test_the_stars_fit_into_a_narrow_view.options = {"viewport": {"width": 360, "height": 640}}


def test_other_pages_hear_of_stars(gallery: Gallery) -> None:
    other = gallery.context.new_page()
    other.goto(gallery.page.url)
    other.locator(".cell[data-index='3']").wait_for()
    give(gallery, 3, "2")
    other.locator(".cell[data-index='3'] .stars", has_text="★★").wait_for()
    other.close()
    gallery.page.reload()
    until(lambda: stars(gallery, 3) == [2], "the stars of the page that was loaded again")
    give(gallery, 3, "0")


def test_photos_are_found_by_stars(gallery: Gallery) -> None:
    give(gallery, 7, "3")
    gallery.page.locator("#toggle-find").click()
    form = gallery.page.locator("#find-form")
    names = gallery.page.locator(".cell:not([hidden]) .name")

    def found() -> list[str]:
        return [name for name in names.all_inner_texts() if name]

    form.locator("[name=stars]").select_option("1")
    until(lambda: found() == ["07.jpg", "11.jpg"], "those with stars")
    assert gallery.page.locator("#count").inner_text() == "2 of 12 photos"
    gallery.screenshot("stars")
    # Keys give stars to what is shown there.
    give(gallery, 0, "4")
    form.locator("[name=sort]").select_option("stars")
    form.locator("[name=descending]").check()
    until(lambda: found() == ["11.jpg", "07.jpg"], "those with most stars first")
    form.locator("[name=stars]").select_option("0")
    until(lambda: len(found()) == 10, "those without")
    form.get_by_role("button", name="Show all").click()
    until(lambda: len(found()) == 12, "all photos")
    give(gallery, 7, "0")


def test_stars_are_written_to_xmp(gallery: Gallery) -> None:
    folder = gallery.server.folder / "photos"
    before = sorted(each.name for each in folder.iterdir() if each.is_file())
    give(gallery, 1, "4")
    give(gallery, 11, "2")
    gallery.page.locator("#toggle-find").click()
    gallery.page.locator("#write-stars").click()
    text = gallery.page.locator("#xmp-text")
    until(lambda: "2 photos" in text.inner_text(), "the number")
    assert str(folder) in text.inner_text()
    gallery.screenshot("stars-xmp")
    gallery.page.locator("#xmp-close").click()
    # Nothing is written before.
    assert sorted(each.name for each in folder.iterdir() if each.is_file()) == before
    gallery.page.locator("#write-stars").click()
    gallery.page.get_by_role("button", name="Write 2 photos").click()
    until(lambda: text.inner_text() == "2 photos written.", "the end")
    assert gallery.page.evaluate("document.activeElement.id") == "xmp-close"
    assert 'xmp:Rating="4"' in (folder / "01.jpg.xmp").read_text()
    assert (folder / "11.jpg.xmp").read_text() == RATED.replace('"5"', '"2"')
    gallery.page.keyboard.press("Escape")
    # One that is no XMP stays, and is named.
    (folder / "01.jpg.xmp").write_text("none")
    give(gallery, 1, "3")
    gallery.page.locator("#write-stars").click()
    gallery.page.get_by_role("button", name="Write 1 photo").click()
    until(lambda: text.inner_text() == "0 photos written, 1 failed.", "the failure")
    gallery.page.locator("#xmp-problems summary").click()
    assert "01.jpg.xmp is no XMP" in gallery.page.locator("#xmp-problems li").inner_text()
    assert (folder / "01.jpg.xmp").read_text() == "none"
