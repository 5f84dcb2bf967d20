"""Several pages of one gallery: a view and an undo of each, and one look for all."""

from gallery import Gallery, until

FLAGS: list[str] = []
PHOTO_COUNT = 200


def names(page: object) -> list[str]:
    return page.locator("#chain h3").all_inner_texts()


def test_a_look_is_shared_and_its_change_is_told(gallery: Gallery) -> None:
    gallery.set_chain("Sepia")
    until(lambda: gallery.get("/api/recipe")["chain"].startswith("sepia"), "the first look")
    other = gallery.context.new_page()
    other.goto(gallery.page.url)
    other.locator("#chain h3").wait_for()
    assert names(other) == ["Sepia"]
    gallery.page.locator("#add-filter").click()
    gallery.page.locator("#catalog button", has_text="Noir").click()
    other.locator("#chain h3", has_text="Noir").wait_for()
    assert "another page" in other.locator("#message").inner_text()
    # The one that has changed it hears nothing.
    until(lambda: gallery.status()["recipeVersion"] == gallery.get("/api/recipe")["version"], "the status")
    assert "another page" not in gallery.page.locator("#message").inner_text()
    # Each page has its own undo: here, what came from the other.
    other.locator("#undo").click()
    until(lambda: names(gallery.page) == ["Sepia"], "the look before")
    assert names(other) == ["Sepia"]
    other.close()


def test_a_change_on_the_way_is_not_lost(gallery: Gallery) -> None:
    gallery.set_chain("Sepia")
    other = gallery.context.new_page()
    other.goto(gallery.page.url)
    other.locator("#chain h3").wait_for()
    slider = gallery.page.get_by_role("slider", name="Intensity")
    for value in range(20, 200, 20):
        slider.fill(str(value))
    other.get_by_role("slider", name="Intensity").fill("40")
    # Whichever came last, both pages agree with the server in the end.
    fields = [page.get_by_role("spinbutton", name="Intensity") for page in (gallery.page, other)]

    def agrees() -> bool:
        values = [field.input_value() for field in fields]
        recipe = gallery.get("/api/recipe")["filters"][0]["values"]["intensity"]
        return values[0] == values[1] == f"{round(100 * float(recipe))}"

    until(agrees, "the same value on both pages")
    other.close()
