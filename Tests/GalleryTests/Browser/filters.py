"""The filter chain is edited, and what is in view is filtered anew."""

import subprocess

from gallery import Gallery, remains, until


def setting(gallery: Gallery, name: str) -> str | None:
    """A setting of the first filter, as the server knows it; none while the chain is empty."""
    filters = gallery.get("/api/gallery")["recipe"]["filters"]
    return filters[0]["values"].get(name) if filters else None


def chain(gallery: Gallery) -> list[str]:
    return [each["name"] for each in gallery.get("/api/gallery")["recipe"]["filters"]]


def fileless(gallery: Gallery) -> list[dict]:
    """The filters that need no file."""
    filters = gallery.get("/api/gallery")["filters"]
    return [each for each in filters if all(setting["kind"] != "file" for setting in each["parameters"])]


def test_all_filters_of_the_catalogue_can_be_added(gallery: Gallery) -> None:
    catalog = fileless(gallery)
    gallery.set_chain(*[each["summary"] for each in catalog])
    until(lambda: chain(gallery) == [each["name"] for each in catalog], "the chain")
    cards = gallery.page.locator("#chain .filter")
    for number, each in enumerate(catalog):
        assert cards.nth(number).locator(".setting").count() == len(each["parameters"])
    gallery.screenshot("editor")
    gallery.set_chain("Sepia")
    until(lambda: chain(gallery) == ["sepia"], "the chain")


def is_filtered_anew(gallery: Gallery, index: int, before: int) -> bool:
    photo = gallery.photo(index)
    return photo["state"] == "filtered" and photo["version"] != before


def test_a_changed_setting_filters_what_is_in_view_anew(gallery: Gallery) -> None:
    gallery.set_chain("Sepia")
    visible = gallery.visible()
    gallery.wait_until_done(visible)
    filtered = [index for index in visible if gallery.photo(index)["state"] == "filtered"]
    before = {index: gallery.photo(index)["version"] for index in filtered}
    intensity = gallery.page.get_by_label("Intensity, %")
    intensity.fill("35")
    until(lambda: setting(gallery, "intensity") == "0.35", "the recipe")
    for index in filtered:
        until(lambda index=index: is_filtered_anew(gallery, index, before[index]), "the photo's new version")
        version = gallery.photo(index)["version"]
        gallery.cell(index, f"[data-shown='{version}']").wait_for()
    assert gallery.page.get_by_role("slider", name="Intensity").input_value() == "70"


def test_the_slider_sets_the_value(gallery: Gallery) -> None:
    gallery.set_chain("Sepia")
    slider = gallery.page.get_by_role("slider", name="Intensity")
    slider.focus()
    gallery.page.keyboard.press("Home")
    until(lambda: setting(gallery, "intensity") == "0", "the recipe")
    gallery.page.get_by_role("button", name="Intensity: back to the default").click()
    until(lambda: setting(gallery, "intensity") == "0.8", "the default")


def test_a_number_out_of_range_is_explained_at_its_field(gallery: Gallery) -> None:
    gallery.set_chain("Sepia")
    field = gallery.page.get_by_label("Intensity, %")
    field.fill("101")
    assert field.get_attribute("aria-invalid") == "true"
    error = gallery.page.locator(f"#{field.get_attribute('aria-describedby')}")
    assert error.inner_text() == "Enter a number from 0 to 100 %."
    gallery.screenshot("invalid")
    field.fill("100")
    assert field.get_attribute("aria-invalid") == "false"


def test_a_length_is_in_pixels_or_a_share(gallery: Gallery) -> None:
    gallery.set_chain("Tilt shift")

    until(lambda: chain(gallery) == ["tilt-shift"], "the chain")
    gallery.page.get_by_label("Radius: unit").select_option("px")
    gallery.page.get_by_label("Radius, px").fill("8")
    until(lambda: setting(gallery, "radius") == "8", "8 px")
    gallery.page.get_by_label("Radius: unit").select_option("%")
    gallery.page.get_by_label("Radius, %").fill("0.5")
    until(lambda: setting(gallery, "radius") == "0.5%", "0.5 %")


def test_filters_change_their_order(gallery: Gallery) -> None:
    gallery.set_chain("Sepia", "Noir")
    until(lambda: chain(gallery) == ["sepia", "noir"], "the chain")
    gallery.page.get_by_role("button", name="Move up: Noir").click()
    until(lambda: chain(gallery) == ["noir", "sepia"], "the new order")
    grips = gallery.page.locator("#chain .grip")
    start, end = grips.nth(1).bounding_box(), grips.nth(0).bounding_box()
    gallery.page.mouse.move(start["x"] + 5, start["y"] + 5)
    gallery.page.mouse.down()
    gallery.page.mouse.move(end["x"] + 5, end["y"] - 5, steps=8)
    gallery.page.mouse.up()
    until(lambda: chain(gallery) == ["sepia", "noir"], "the order after a drag")


def test_a_screen_reader_hears_at_once_what_the_user_did(gallery: Gallery) -> None:
    gallery.set_chain("Sepia", "Noir")
    live = gallery.page.locator("#live")
    gallery.page.get_by_role("button", name="Move up: Noir").click()
    assert live.text_content() == "Noir is now number 1 of 2."
    gallery.page.get_by_role("button", name="Remove Noir").click()
    assert live.text_content() == "Noir removed."
    # Progress comes later.
    remains(live.text_content, 3, "What is read")
    until(lambda: "photos filtered" in live.text_content(), "the progress")


def test_a_changed_device_is_used(gallery: Gallery) -> None:
    devices = [each["identifier"] for each in gallery.get("/api/gallery")["devices"]]
    gallery.show_filters()
    gallery.page.locator("#device").select_option(devices[-1])
    until(lambda: gallery.get("/api/gallery")["recipe"]["device"] == devices[-1], "the device")
    gallery.page.locator("#device").select_option(devices[0])


def test_the_recipe_is_copied_and_saved(gallery: Gallery) -> None:
    gallery.set_chain("Sepia")
    until(lambda: chain(gallery) == ["sepia"], "the chain")
    gallery.context.grant_permissions(["clipboard-read", "clipboard-write"])
    gallery.page.locator("#filters [data-export=command]").click()
    gallery.page.locator("#message.shown").wait_for()
    command = gallery.page.evaluate("navigator.clipboard.readText()")
    recipe = gallery.get("/api/gallery")["recipe"]
    assert command == recipe["command"] and command.startswith("tintype apply")
    with gallery.page.expect_download() as download:
        gallery.page.locator("#filters [data-export=recipe]").click()
    assert download.value.suggested_filename == "recipe.json"
    server = gallery.server
    download.value.save_as(server.folder / "recipe.json")
    apply = [server.tintype, "apply", "-q", "-d", "cpu", f"{server.photos}/00000.jpg"]
    for name, flags in (("saved", ["--recipe", "recipe.json"]), ("chain", ["-f", recipe["chain"]])):
        subprocess.run([*apply, *flags, "-o", name], check=True, cwd=server.folder)
    made = [(server.folder / name / "00000.jpg").read_bytes() for name in ("saved", "chain")]
    assert made[0] == made[1]


def test_without_filters_there_is_nothing_to_copy_or_save(gallery: Gallery) -> None:
    exports = gallery.page.locator("#filters [data-export]")
    gallery.set_chain()
    until(lambda: chain(gallery) == [], "the empty chain")
    assert [each.get_attribute("aria-disabled") for each in exports.all()] == ["true", "true"]
    gallery.set_chain("Sepia")
    until(lambda: chain(gallery) == ["sepia"], "the chain")
    assert [each.get_attribute("aria-disabled") for each in exports.all()] == ["false", "false"]


def test_a_colour_is_chosen(gallery: Gallery) -> None:
    gallery.set_chain("Two colours instead of black and white")
    gallery.page.get_by_label("Shadows", exact=True).fill("#102030")
    until(lambda: setting(gallery, "shadows") == "#102030", "the recipe")
    gallery.page.get_by_role("button", name="Shadows: back to the default").click()
    until(lambda: setting(gallery, "shadows") == "#1f0f57", "the default")


def test_a_curve_is_typed_and_its_mistakes_are_explained(gallery: Gallery) -> None:
    gallery.set_chain("Curves through points")
    red = gallery.page.get_by_label("Red", exact=True)
    red.fill("0/0_0.5/0.6_1/1")
    red.press("Enter")
    until(lambda: setting(gallery, "red") == "0/0_0.5/0.6_1/1", "the recipe")
    red.fill("0/0_2/1")
    red.press("Enter")
    gallery.page.get_by_text("red expects 2 to 32 points").wait_for()
    assert red.get_attribute("aria-invalid") == "true"
