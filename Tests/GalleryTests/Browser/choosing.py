"""Filters are found in a list with previews, and set by curves and in plain words."""

from filters import chain, setting
from gallery import Gallery, remains, until
from playwright.sync_api import Locator

FLAGS = []
PHOTO_COUNT = 200

# The default of the master curve.
GENTLE = "0/0_0.25/0.2_0.75/0.82_1/1"

# What SciPy 1.17.1 has for PchipInterpolator([0, 0.25, 0.75, 1], [0, 0.2, 0.82, 1]).
PCHIP = {0.125: 0.09074, 0.5: 0.51405, 0.875: 0.92057}


def open_list(gallery: Gallery) -> Locator:
    """Opens the list of filters. Returns its field."""
    gallery.page.locator("#add-filter").click()
    return gallery.page.locator("#search-filters")


def wait_for_previews(gallery: Gallery, names: list[str]) -> list[str]:
    """Waits for the previews of filters. Returns their pixels."""
    entries = [
        gallery.page.locator("#catalog button", has=gallery.page.get_by_text(name, exact=True))
        for name in names
    ]
    for entry in entries:
        entry.locator(".preview img").wait_for()
    return [
        entry.locator("img").evaluate("""(image) => {
            const canvas = Object.assign(document.createElement("canvas"), { width: 64, height: 64 });
            canvas.getContext("2d").drawImage(image, 0, 0, 64, 64);
            return canvas.toDataURL();
        }""")
        for entry in entries
    ]


def looks(gallery: Gallery) -> list[dict]:
    return [body for path, body in gallery.posts if path == "looks"]


def points(gallery: Gallery, name: str) -> Locator:
    return gallery.page.get_by_role("group", name=f"{name}: points").get_by_role("slider")


def place(gallery: Gallery, name: str, value: float, result: float) -> tuple[float, float]:
    """Where a point of a curve is on the screen."""
    plot = gallery.page.get_by_role("group", name=f"{name}: points").locator("svg")
    plot.scroll_into_view_if_needed()
    box = plot.bounding_box()
    return box["x"] + value * box["width"], box["y"] + (1 - result) * box["height"]


def edit_curves(gallery: Gallery) -> None:
    gallery.set_chain("Curves through points")
    until(lambda: setting(gallery, "master") == GENTLE, "the chain")


def test_a_filter_is_found_by_typing(gallery: Gallery) -> None:
    gallery.set_chain("Sepia")
    gallery.page.locator("#add-filter").focus()
    gallery.page.keyboard.press("Enter")
    field = gallery.page.get_by_role("combobox", name="Search filters")
    assert field.evaluate("(field) => field === document.activeElement")
    count = gallery.page.locator("#matches[role=status]")
    assert count.inner_text() == f"{gallery.page.locator('#catalog button').count()} filters"
    # Nothing is added by Enter before there is something to add.
    gallery.page.keyboard.press("Enter")
    # By summary: the words may stand anywhere.
    gallery.page.keyboard.type("white strong")
    shown = gallery.page.locator("#catalog button:visible b")
    assert shown.all_inner_texts() == ["Noir"] and count.inner_text() == "1 filter"
    field.fill("no filter is like this")
    assert gallery.page.get_by_text("No filter has these words.").is_visible()
    assert field.get_attribute("aria-expanded") == "false"
    # By group. By name, the best match comes first to Enter; arrows go on from there.
    field.fill("detail")
    assert "Blur" in shown.all_inner_texts() and "Sepia" not in shown.all_inner_texts()
    field.fill("t")
    active = gallery.page.locator("#catalog button[aria-selected=true] b")
    first = active.inner_text()
    assert first.startswith("T")
    gallery.page.keyboard.press("ArrowDown")
    second = active.inner_text()
    assert second != first
    chosen = gallery.page.locator("#catalog button[aria-selected=true]").get_attribute("id")
    assert field.get_attribute("aria-activedescendant") == chosen
    gallery.page.keyboard.press("ArrowUp")
    assert active.inner_text() == first
    field.fill("tilt-shift")
    gallery.page.keyboard.press("Enter")
    until(lambda: chain(gallery) == ["sepia", "tilt-shift"], "the chain")
    assert gallery.page.locator("#chain li:nth-child(2) :focus").count() == 1


def test_escape_closes_only_the_list(gallery: Gallery) -> None:
    gallery.set_chain("Sepia")
    gallery.wait_until_done([0])
    gallery.cell(0).click()
    open_list(gallery)
    gallery.page.keyboard.press("Escape")
    assert gallery.page.locator("#adding").is_hidden() and gallery.page.locator("#viewer").is_visible()
    assert gallery.page.evaluate("document.activeElement.id") == "add-filter"
    open_list(gallery)
    gallery.page.get_by_role("button", name="Add no filter").click()
    assert gallery.page.locator("#adding").is_hidden()


def test_filters_stand_in_their_groups(gallery: Gallery) -> None:
    open_list(gallery)
    groups = gallery.page.locator("#catalog [role=group]")
    shown = {group.locator("p").inner_text(): group.locator("b").all_inner_texts() for group in groups.all()}
    assert list(shown) == ["As in CSS", "Light", "Size", "Detail", "Looks"]
    assert sum(len(names) for names in shown.values()) == len(gallery.get("/api/gallery")["filters"])
    assert "White balance" in shown["Light"] and "Tilt shift" in shown["Detail"] and "Noir" in shown["Looks"]


def test_each_filter_is_shown_on_the_photo(gallery: Gallery) -> None:
    gallery.set_chain("Vignette")
    gallery.wait_until_done(gallery.visible())
    before = len(looks(gallery))
    open_list(gallery)
    entries = gallery.page.locator("#catalog button")
    boxes = [entry.bounding_box() for entry in entries.all()]
    names = ["Brightness", "Contrast", "Grayscale", "Invert"]
    pictures = wait_for_previews(gallery, names)
    assert len(set(pictures)) == len(names), "Previews are alike."
    assert [entry.bounding_box() for entry in entries.all()] == boxes
    asked = looks(gallery)[before:]
    assert [each["chain"] for each in asked[:2]] == ["vignette+brightness", "vignette+contrast"]
    assert all(each["longSide"] == 160 and each["photos"] == [0] for each in asked)
    # Those out of view wait until they are looked for.
    assert "vignette+threshold" not in [each["chain"] for each in asked]
    gallery.page.locator("#search-filters").fill("threshold")
    wait_for_previews(gallery, ["Threshold"])
    gallery.screenshot("choosing")


def test_the_open_photo_is_the_one_in_previews(gallery: Gallery) -> None:
    gallery.set_chain("Sepia")
    gallery.wait_until_done(gallery.visible())
    gallery.cell(2).click()
    open_list(gallery)
    before = wait_for_previews(gallery, ["Invert"])
    gallery.page.locator("#next").click()
    until(lambda: wait_for_previews(gallery, ["Invert"]) != before, "the next photo's preview")
    assert looks(gallery)[-1]["photos"] == [3]


def test_previews_are_asked_for_one_at_a_time(gallery: Gallery) -> None:
    gallery.set_chain("Sepia")
    gallery.wait_until_done(gallery.visible())
    gallery.page.evaluate("""() => {
        const { fetch } = window;
        window.running = window.most = 0;
        window.fetch = async (address, options) => {
            if (address !== "/api/looks") return fetch(address, options);
            most = Math.max(most, running += 1);
            const response = await fetch(address, options);
            const reader = response.body.getReader();
            const read = async () => {
                const piece = await reader.read();
                if (piece.done) running -= 1;
                return piece;
            };
            return { ok: response.ok, body: { getReader: () => ({ read }) } };
        };
    }""")
    open_list(gallery)
    wait_for_previews(gallery, ["Brightness", "Saturate"])
    assert gallery.page.evaluate("most") == 1


def test_a_closed_list_asks_for_nothing(gallery: Gallery) -> None:
    gallery.set_chain("Sepia")
    gallery.wait_until_done(gallery.visible())
    open_list(gallery)
    gallery.page.locator(".preview img").first.wait_for()
    gallery.page.keyboard.press("Escape")
    remains(lambda: len(looks(gallery)), 1, "The number of looks asked for")


def test_a_curve_is_drawn_as_photos_are_filtered(gallery: Gallery) -> None:
    edit_curves(gallery)
    line = gallery.page.get_by_role("group", name="Master: points").locator("path").last.get_attribute("d")
    drawn = [tuple(map(float, point.split())) for point in line.removeprefix("M").split("L")]
    for value, result in PCHIP.items():
        assert any(x == value and abs(1 - y - result) < 0.0002 for x, y in drawn), (value, result)


def test_a_curve_is_bent_with_the_mouse(gallery: Gallery) -> None:
    edit_curves(gallery)
    before = len(looks(gallery))
    mouse = gallery.page.mouse
    mouse.move(*place(gallery, "Master", 0.25, 0.2))
    mouse.down()
    mouse.move(*place(gallery, "Master", 0.3, 0.1), steps=5)
    until(lambda: len(looks(gallery)) > before, "a look during the drag")
    mouse.up()
    field = gallery.page.get_by_label("Master", exact=True)
    assert field.input_value() == "0/0_0.3/0.1_0.75/0.82_1/1"
    until(lambda: setting(gallery, "master") == "0/0_0.3/0.1_0.75/0.82_1/1", "the recipe")
    # A point is added where the mouse is pressed, and stays between its neighbours.
    mouse.move(*place(gallery, "Master", 0.5, 0.5))
    mouse.down()
    mouse.move(*place(gallery, "Master", 0.9, 0.6), steps=5)
    mouse.up()
    until(lambda: setting(gallery, "master") == "0/0_0.3/0.1_0.745/0.6_0.75/0.82_1/1", "the added point")
    gallery.screenshot("curve")
    mouse.dblclick(*place(gallery, "Master", 0.3, 0.1))
    until(lambda: setting(gallery, "master") == "0/0_0.745/0.6_0.75/0.82_1/1", "the removal")
    # An end keeps its value while it is moved along the edge.
    mouse.move(*place(gallery, "Master", 0, 0))
    mouse.down()
    mouse.move(*place(gallery, "Master", 0.01, 0.25), steps=5)
    mouse.up()
    until(lambda: setting(gallery, "master") == "0/0.25_0.745/0.6_0.75/0.82_1/1", "the end")


def test_a_curve_is_bent_with_the_keyboard(gallery: Gallery) -> None:
    edit_curves(gallery)
    point = points(gallery, "Master").nth(1)
    assert point.get_attribute("aria-label") == "Point 2 of 4: 0.25 becomes 0.2"
    point.focus()
    for key in ("ArrowUp", "ArrowUp", "ArrowRight", "Shift+ArrowDown"):
        gallery.page.keyboard.press(key)
    assert point.get_attribute("aria-label") == "Point 2 of 4: 0.26 becomes 0.12"
    until(lambda: setting(gallery, "master") == "0/0_0.26/0.12_0.75/0.82_1/1", "the recipe")
    gallery.page.keyboard.press("Delete")
    until(lambda: setting(gallery, "master") == "0/0_0.75/0.82_1/1", "the removal")
    assert points(gallery, "Master").nth(1).evaluate("(point) => point === document.activeElement")
    points(gallery, "Master").first.focus()
    gallery.page.keyboard.press("Delete")
    assert points(gallery, "Master").count() == 3, "The ends stay."


def test_a_typed_curve_is_drawn(gallery: Gallery) -> None:
    edit_curves(gallery)
    field = gallery.page.get_by_label("Master", exact=True)
    field.fill("0/1 0.5/0.25 1/0")
    field.press("Enter")
    assert points(gallery, "Master").nth(1).get_attribute("aria-label") == "Point 2 of 3: 0.5 becomes 0.25"
    field.fill("0/0_2/1")
    field.press("Enter")
    gallery.page.get_by_text("master expects 2 to 32 points").wait_for()
    assert points(gallery, "Master").count() == 3


def test_other_curves_stay_while_one_is_bent(gallery: Gallery) -> None:
    edit_curves(gallery)
    gallery.page.get_by_role("button", name="Red: curve").click()
    points(gallery, "Red").first.focus()
    gallery.page.keyboard.press("PageUp")
    until(lambda: setting(gallery, "red") == "0/0.1_1/1", "the recipe")
    assert setting(gallery, "master") == GENTLE


def test_settings_are_said_in_plain_words(gallery: Gallery) -> None:
    gallery.set_chain("Warmer or cooler light")
    assert gallery.page.locator("#chain h3").inner_text() == "White balance"
    warmth = gallery.page.get_by_role("slider", name="Temperature")
    assert warmth.get_attribute("aria-valuetext") == "20 mired, warmer"
    assert gallery.page.get_by_text("warmer", exact=True).is_visible()
    gallery.page.get_by_label("Temperature, mired").fill("-20")
    assert warmth.get_attribute("aria-valuetext") == "-20 mired, cooler"
    tint = gallery.page.get_by_role("slider", name="Tint")
    assert tint.get_attribute("aria-valuetext") == "0"
    for number, text in (("10", "10, more magenta"), ("-10", "-10, more green")):
        gallery.page.get_by_role("spinbutton", name="Tint").fill(number)
        assert tint.get_attribute("aria-valuetext") == text
    gallery.set_chain("New black and white points")
    assert gallery.page.get_by_label("Output black, %").is_visible()


def test_a_choice_has_words_of_its_own(gallery: Gallery) -> None:
    gallery.set_chain("Sepia")
    choices = gallery.page.get_by_role("radiogroup", name="Brightness")
    assert choices.get_by_role("radio", name="As in the photo").is_checked()
    choices.get_by_role("radio", name="As it comes").check(force=True)
    until(lambda: setting(gallery, "keep") == "none", "the recipe")


def test_each_icon_has_one_meaning(gallery: Gallery) -> None:
    gallery.set_chain("Sepia")
    used = gallery.page.locator("button:has(use)").evaluate_all("""(buttons) => buttons.map((button) => {
        const { action, export: kind } = button.dataset;
        const restores = button.classList.contains("restore") && "restore";
        return [button.querySelector("use").getAttribute("href"), restores || action || kind || button.id];
    })""")
    for icon in ("#icon-reset", "#icon-begin", "#icon-save", "#icon-recipe"):
        assert len({meaning for each, meaning in used if each == icon}) == 1, (icon, used)
