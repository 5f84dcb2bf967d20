"""Filters that need a file have those below the folders that the gallery was started with."""

from pathlib import Path

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


def test_a_file_of_the_user_is_taken(gallery: Gallery) -> None:
    gallery.set_chain("Lut")
    table = gallery.server.folder / "my film.cube"
    table.write_text(Path("docs/guide/look.cube").read_text() + "# mine\n")
    with gallery.page.expect_file_chooser() as chooser:
        gallery.page.get_by_role("button", name="take a file of yours").click()
    chooser.value.set_files(table)
    wanted = "lut:file=uploaded/my_film.cube"
    until(lambda: gallery.get("/api/recipe")["chain"].startswith(wanted), "the file")
    field = gallery.page.locator("#chain select").first
    assert field.locator("option:checked").inner_text() == "my_film.cube"
    gallery.wait_until_done(gallery.visible())
    gallery.screenshot("upload")
    # What is no table is told, and changes nothing.
    table.write_text("no table")
    with gallery.page.expect_file_chooser() as chooser:
        gallery.page.get_by_role("button", name="take a file of yours").click()
    chooser.value.set_files(table)
    gallery.page.locator("#message.shown").wait_for()
    assert field.locator("option:checked").inner_text() == "my_film.cube"


def test_a_filter_without_files_asks_for_one(gallery: Gallery) -> None:
    offered = [each["path"] for each in gallery.get("/api/gallery")["files"] if not each["isTable"]]
    assert offered == [], "The test needs a folder without pictures."
    gallery.show_filters()
    while gallery.page.locator("#chain .remove").count() > 0:
        gallery.page.locator("#chain .remove").first.click()
    gallery.page.locator("#add-filter").click()
    with gallery.page.expect_file_chooser() as chooser:
        gallery.page.locator("#catalog button", has_text="Watermark").click()
    chooser.value.set_files("docs/images/noir-after.jpg")
    until(
        lambda: gallery.get("/api/recipe")["chain"].startswith("watermark:file=uploaded/noir-after.jpg"),
        "the watermark",
    )
