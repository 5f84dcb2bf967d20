"""Filters that need a file have those below the folders that the gallery was started with."""

from gallery import Gallery, until

PHOTO_COUNT = 0
FLAGS = ["docs"]


def test_a_table_of_colours_is_chosen(gallery: Gallery) -> None:
    gallery.wait_until_done(gallery.visible())
    gallery.set_chain("Lut")
    field = gallery.page.locator("#chain select").first
    assert field.locator("option").first.inner_text() == "look.cube"
    until(
        lambda: gallery.get("/api/recipe")["chain"].startswith("lut:file=docs/guide/look.cube"), "the table"
    )
    assert gallery.page.locator(".error:not(:empty)").count() == 0
    gallery.wait_until_done(gallery.visible())
    # What the server has made of it is shown again.
    gallery.page.reload()
    gallery.page.locator("#chain h3").wait_for()
    assert field.locator("option:checked").inner_text() == "look.cube"


def test_without_pictures_there_is_no_watermark(gallery: Gallery) -> None:
    offered = [each["path"] for each in gallery.get("/api/gallery")["files"] if not each["isTable"]]
    gallery.show_filters()
    gallery.page.locator("#add-filter").click()
    names = gallery.page.locator("#catalog button b").all_inner_texts()
    assert ("Watermark" in names) == (len(offered) > 0)
