"""Looks are chosen from a list with previews, kept, and opened from recipes."""

from __future__ import annotations

import json
import re

from axe_playwright_python.sync_playwright import Axe
from choosing import looks
from filters import chain
from gallery import Gallery, remains, until
from playwright.sync_api import Locator

FLAGS = []
PHOTO_COUNT = 200


def open_list(gallery: Gallery) -> None:
    gallery.show_filters()
    gallery.page.locator("#choose-look").click()


def shelf(gallery: Gallery, name: str) -> Locator:
    """The looks of one kind."""
    return (
        gallery.page.locator("#looks").get_by_role("group", name=name).locator(".look > button:first-child")
    )


def names(gallery: Gallery, kind: str) -> list[str]:
    return [name.strip() for name in shelf(gallery, kind).all_inner_texts()]


def look(gallery: Gallery, name: str) -> Locator:
    return gallery.page.locator(
        "#looks .look > button:first-child", has=gallery.page.get_by_text(name, exact=True)
    )


def pixels(entry: Locator) -> str:
    """Waits for the preview of a look."""
    entry.scroll_into_view_if_needed()
    entry.locator("img").wait_for()
    return entry.locator("img").evaluate("""(image) => {
        const canvas = Object.assign(document.createElement("canvas"), { width: 64, height: 64 });
        canvas.getContext("2d").drawImage(image, 0, 0, 64, 64);
        return canvas.toDataURL();
    }""")


def keep(gallery: Gallery, name: str) -> None:
    """Keeps the present chain, in the list that is open."""
    gallery.page.get_by_role("button", name="Keep this look").click()
    gallery.page.get_by_role("textbox", name="Name of the look").fill(name)
    gallery.page.keyboard.press("Enter")


def focused(gallery: Gallery) -> str:
    return gallery.page.evaluate("document.activeElement.innerText").strip()


def text(gallery: Gallery) -> str:
    """The chain as the server knows it, with all its settings."""
    return gallery.get("/api/gallery")["recipe"]["chain"]


def is_closed(gallery: Gallery) -> bool:
    return gallery.page.locator("#choosing").is_hidden()


def open_file(gallery: Gallery, name: str, content: str) -> None:
    with gallery.page.expect_file_chooser() as chooser:
        gallery.page.get_by_role("button", name="Open recipe").click()
    file = {"name": name, "mimeType": "application/json", "buffer": content.encode()}
    chooser.value.set_files(files=[file])


def test_a_look_replaces_the_chain_in_one_change(gallery: Gallery) -> None:
    gallery.set_chain("Sepia", "Tilt shift")
    until(lambda: chain(gallery) == ["sepia", "tilt-shift"], "the chain")
    open_list(gallery)
    look(gallery, "Cold morning").click()
    assert is_closed(gallery) and gallery.page.evaluate("document.activeElement.id") == "choose-look"
    until(lambda: chain(gallery) == ["white-balance", "fade", "vibrance"], "the look")
    assert "white-balance:temperature=-32," in text(gallery)
    gallery.page.keyboard.press("Control+z")
    until(lambda: chain(gallery) == ["sepia", "tilt-shift"], "the chain before")
    gallery.page.keyboard.press("Control+Shift+z")
    until(lambda: chain(gallery) == ["white-balance", "fade", "vibrance"], "the look again")


def test_each_look_is_what_its_preview_shows(gallery: Gallery) -> None:
    open_list(gallery)
    for name in names(gallery, "House"):
        if is_closed(gallery):
            open_list(gallery)
        previewed = look(gallery, name).get_attribute("title")
        look(gallery, name).click()
        # The list knows it again: no setting was lost, or written in another way.
        open_list(gallery)
        assert look(gallery, name).get_attribute("aria-current") == "true", name
        assert gallery.page.locator("#looks [aria-current]").count() == 1
        # Without a mistake that the server would name.
        until(lambda: re.findall(r"(?:^|\+)([a-z-]+)", previewed) == chain(gallery), name)  # noqa: B023


def test_a_curve_that_is_left_out_is_straight(gallery: Gallery) -> None:
    open_list(gallery)
    look(gallery, "Matte").click()
    until(lambda: chain(gallery) == ["curves", "vibrance"], "the look")
    assert text(gallery).startswith("curves:master=0/0.08_0.25/0.26_0.75/0.76_1/0.95,red=0/0_1/1,")
    open_list(gallery)
    open_file(gallery, "red.json", '{"filters": "curves:red=0/0.1_1/1"}')
    until(lambda: text(gallery).startswith("curves:master=0/0_1/1,red=0/0.1_1/1,"), "the recipe")


def test_previews_arrive_and_differ(gallery: Gallery) -> None:
    gallery.set_chain("Invert")
    gallery.wait_until_done(gallery.visible())
    before = len(looks(gallery))
    open_list(gallery)
    entries = gallery.page.locator("#looks .look")
    boxes = [entry.bounding_box() for entry in entries.all()]
    shown = [pixels(look(gallery, name)) for name in ("Vivid", "Soft light", "Warm evening", "Cold morning")]
    assert len(set(shown)) == len(shown), "Previews are alike."
    assert [entry.bounding_box() for entry in entries.all()] == boxes, "Previews move what is there."
    asked = looks(gallery)[before:]
    # The look alone, not after the chain.
    assert asked[0]["chain"] == look(gallery, "Vivid").get_attribute("title")
    assert all(each["photos"] == [0] for each in asked)
    assert "tintype" not in [each["chain"] for each in asked], "Those out of view wait."
    pixels(look(gallery, "Wet plate"))
    gallery.screenshot("presets")
    gallery.page.keyboard.press("Escape")
    remains(lambda: len(looks(gallery)), 1, "The number of looks asked for")


def test_an_own_look_is_kept_and_removed(gallery: Gallery) -> None:
    gallery.set_chain("Sepia")
    gallery.page.get_by_label("Intensity, %").fill("35")
    open_list(gallery)
    assert gallery.page.get_by_text("Looks that you keep are here").is_visible()
    gallery.page.get_by_role("button", name="Keep this look").click()
    field = gallery.page.get_by_role("textbox", name="Name of the look")
    assert field.input_value() == "Sepia"
    gallery.page.keyboard.press("Escape")
    assert not is_closed(gallery) and focused(gallery) == "Keep this look"
    keep(gallery, "Old album")
    assert focused(gallery) == "Old album" and names(gallery, "Own") == ["Old album"]
    pixels(look(gallery, "Old album"))
    gallery.page.reload()
    gallery.cell(0).wait_for()
    gallery.set_chain("Invert")
    open_list(gallery)
    # One name is one look.
    keep(gallery, "Negative")
    keep(gallery, "Negative")
    assert names(gallery, "Own") == ["Old album", "Negative"]
    look(gallery, "Old album").click()
    until(lambda: text(gallery) == "sepia:intensity=0.35,keep=luminance", "the own look")
    open_list(gallery)
    keep(gallery, "Negative")
    assert look(gallery, "Negative").get_attribute("title") == "sepia:intensity=0.35"
    gallery.page.get_by_role("button", name="Remove Old album").click()
    assert names(gallery, "Own") == ["Negative"] and focused(gallery) == "Negative"
    gallery.page.keyboard.press("Delete")
    assert names(gallery, "Own") == [] and focused(gallery) == "Keep this look"
    assert json.loads(gallery.get("/api/gallery")["preferences"]["looks"]) == []


def test_nothing_is_no_look_to_keep(gallery: Gallery) -> None:
    gallery.set_chain()
    open_list(gallery)
    button = gallery.page.get_by_role("button", name="Keep this look")
    assert button.get_attribute("aria-disabled") == "true"
    button.click(force=True)
    assert gallery.page.locator("#naming").is_hidden()


def test_a_saved_recipe_is_opened(gallery: Gallery) -> None:
    gallery.set_chain(
        "Two colours instead of black and white", "Tilt shift", "Curves through points", "Border"
    )
    gallery.page.get_by_label("Shadows", exact=True).fill("#102030")
    until(lambda: "shadows=#102030" in text(gallery) and len(chain(gallery)) == 4, "the chain")
    saved = text(gallery)
    with gallery.page.expect_download() as download:
        gallery.page.locator("#filters [data-export=recipe]").click()
    content = download.value.path().read_text()
    gallery.set_chain("Sepia")
    until(lambda: chain(gallery) == ["sepia"], "another chain")
    open_list(gallery)
    open_file(gallery, "recipe.json", content)
    until(lambda: text(gallery) == saved, "the recipe's chain")
    assert is_closed(gallery)
    gallery.page.locator("#undo").click()
    until(lambda: chain(gallery) == ["sepia"], "the chain before")
    # A list of filters is one chain, too.
    open_list(gallery)
    open_file(gallery, "list.json", '{"filters": ["sepia:intensity=80%", "noir+invert"]}')
    until(lambda: chain(gallery) == ["sepia", "noir", "invert"], "the list's chain")


def test_a_wrong_file_says_why(gallery: Gallery) -> None:
    gallery.set_chain("Sepia")
    until(lambda: chain(gallery) == ["sepia"], "the chain")
    open_list(gallery)
    error = gallery.page.locator("#look-error")
    for content, reason in (
        ("no JSON", "“a.json” is no recipe: it is not JSON."),
        ("null", "“a.json” is no recipe: it has no “filters”."),
        ('{"filters": [1]}', "“a.json” is no recipe: it has no “filters”."),
        ('{"outputs": {"web": {}}}', "“a.json” has several outputs. Open a recipe of one."),
        ('{"filters": "sepia+glow"}', "a.json: There is no filter “glow”."),
        ('{"filters": "noir:power=2"}', "a.json: The filter “noir” has no setting “power”."),
        (" " * 1_000_001, "“a.json” is no recipe: it is too large."),
    ):
        open_file(gallery, "a.json", content)
        error.filter(has_text=reason).wait_for()
    gallery.screenshot("wrong-recipe")
    gallery.page.keyboard.press("Escape")
    assert is_closed(gallery)
    assert chain(gallery) == ["sepia"]
    open_list(gallery)
    assert error.inner_text() == ""


def test_a_state_from_before_is_restored(gallery: Gallery) -> None:
    gallery.set_chain("Sepia")
    gallery.page.wait_for_timeout(1200)
    open_list(gallery)
    look(gallery, "Cyanotype").click()
    # What was there for a moment only is not worth a place.
    gallery.set_chain("Noir")
    gallery.page.wait_for_timeout(1200)
    open_list(gallery)
    assert names(gallery, "Before")[0] == "Sepia" and "Duotone" not in names(gallery, "Before")
    pixels(shelf(gallery, "Before").first)
    shelf(gallery, "Before").first.click()
    until(lambda: chain(gallery) == ["sepia"], "the state before")
    gallery.page.wait_for_timeout(1200)
    open_list(gallery)
    # Each once, without the one that is shown.
    assert names(gallery, "Before")[0] == "Noir" and "Sepia" not in names(gallery, "Before")
    gallery.page.keyboard.press("Escape")
    gallery.page.locator("#undo").click()
    until(lambda: chain(gallery) == ["noir"], "the undone change")


def test_looks_are_chosen_by_keys(gallery: Gallery) -> None:
    gallery.set_chain("Invert")
    gallery.wait_until_done([0])
    gallery.cell(0).click()
    gallery.page.locator("#choose-look").focus()
    gallery.page.keyboard.press("Enter")
    assert focused(gallery) == "Vivid"
    for key, name in (
        ("ArrowRight", "Soft light"),
        ("ArrowDown", "Cold morning"),
        ("ArrowLeft", "Warm evening"),
        ("ArrowUp", "Vivid"),
        ("ArrowUp", "Vivid"),
        ("ArrowLeft", "Vivid"),
    ):
        gallery.page.keyboard.press(key)
        assert focused(gallery) == name, key
    # The photo in the large view stays.
    assert gallery.page.locator("#viewer-place").inner_text().startswith("1 of ")
    assert gallery.page.locator("#looks button[tabindex='0']").count() == 1
    gallery.page.keyboard.press("Escape")
    assert is_closed(gallery) and gallery.page.locator("#viewer").is_visible()
    assert gallery.page.evaluate("document.activeElement.id") == "choose-look"
    gallery.page.keyboard.press("Enter")
    gallery.page.keyboard.press("ArrowRight")
    gallery.page.keyboard.press("Enter")
    until(lambda: chain(gallery) == ["bloom", "vibrance"], "the look")


def check(gallery: Gallery) -> None:
    """axe-core finds nothing to object to in the list."""
    gallery.set_chain("Sepia")
    open_list(gallery)
    pixels(look(gallery, "Vivid"))
    keep(gallery, "A long name of a look that does not fit")
    open_file(gallery, "a.json", "no JSON")
    gallery.page.locator("#look-error:not(:empty)").wait_for()
    for state in ("the list", "the name"):
        violations = Axe().run(gallery.page).response["violations"]
        found = [(each["id"], [node["target"] for node in each["nodes"]]) for each in violations]
        assert not found, f"{state}: {found}"
        overflow = gallery.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert overflow <= 0, f"{state}: the page is {overflow} pixels too wide."
        if state == "the list":
            gallery.screenshot(f"presets-{gallery.page.viewport_size['width']}")
            gallery.page.get_by_role("button", name="Keep this look").click()


def test_accessible_in_light(gallery: Gallery) -> None:
    check(gallery)


def test_accessible_in_dark(gallery: Gallery) -> None:
    check(gallery)


def test_accessible_on_a_narrow_screen(gallery: Gallery) -> None:
    check(gallery)


def test_accessible_on_a_narrow_screen_in_dark(gallery: Gallery) -> None:
    check(gallery)


test_accessible_in_dark.options = {"color_scheme": "dark"}
test_accessible_on_a_narrow_screen.options = {"viewport": {"width": 360, "height": 740}}
test_accessible_on_a_narrow_screen_in_dark.options = {
    "viewport": {"width": 360, "height": 740},
    "color_scheme": "dark",
}
