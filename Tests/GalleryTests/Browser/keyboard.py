"""Everything can be done with the keyboard alone."""

from gallery import Gallery, until


def focused(gallery: Gallery) -> int:
    return gallery.page.evaluate("Number(document.activeElement.dataset.index ?? -1)")


def press(gallery: Gallery, *keys: str) -> None:
    for key in keys:
        gallery.page.keyboard.press(key)


def tab_to(gallery: Gallery, selector: str) -> None:
    """Presses Tab until an element has the focus."""
    for _ in range(60):
        if gallery.page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
            return
        press(gallery, "Tab")
    raise AssertionError(f"Tab does not reach {selector}.")


def test_keys_move_the_focus_in_the_grid(gallery: Gallery) -> None:
    count = gallery.get("/api/gallery")["count"]
    columns = int(gallery.page.locator("#grid").get_attribute("aria-colcount"))
    tab_to(gallery, ".cell")
    assert focused(gallery) == 0
    for key, expected in [
        ("ArrowRight", 1),
        ("ArrowDown", 1 + columns),
        ("ArrowLeft", columns),
        ("ArrowUp", 0),
        ("ArrowUp", 0),
        ("ArrowLeft", 0),
        ("End", count - 1),
        ("ArrowRight", count - 1),
        ("Home", 0),
    ]:
        press(gallery, key)
        assert focused(gallery) == expected, f"{key} moved the focus to {focused(gallery)}."
        assert expected in gallery.visible()
    press(gallery, "PageDown")
    page = focused(gallery)
    assert page > columns and page % columns == 0
    press(gallery, "PageUp")
    assert focused(gallery) == 0


def test_the_grid_is_one_stop_of_tab(gallery: Gallery) -> None:
    gallery.reset()
    gallery.wait_until_done(gallery.visible())
    assert gallery.page.locator(".cell[tabindex='0']").count() == 1


def test_retry_is_reached_from_its_cell(gallery: Gallery) -> None:
    gallery.reset()
    index, _ = gallery.failed()
    gallery.cell(index).locator(".retry").wait_for()
    tab_to(gallery, ".cell")
    press(gallery, *["ArrowRight"] * index)
    assert focused(gallery) == index
    press(gallery, "Tab")
    assert gallery.page.evaluate("document.activeElement.matches('.retry')")
    press(gallery, "Enter")
    until(lambda: (f"photos/{index}/retry", {}) in gallery.posts, "the request")
    assert gallery.page.locator("#viewer").is_hidden()


def test_a_photo_is_opened_compared_and_closed(gallery: Gallery) -> None:
    gallery.set_chain("Sepia")
    gallery.wait_until_done(gallery.visible())
    gallery.cell(0).focus()
    viewer = gallery.page.locator("#viewer")
    press(gallery, "Enter")
    viewer.wait_for()
    place = gallery.page.locator("#viewer-place")
    until(lambda: place.inner_text().startswith("1 of "), "the first photo")
    press(gallery, "ArrowRight")
    until(lambda: place.inner_text().startswith("2 of "), "the second photo")
    divider = gallery.page.locator("#divider")
    divider.wait_for()
    tab_to(gallery, "#divider")
    press(gallery, "ArrowRight")
    assert divider.get_attribute("aria-valuenow") == "52"
    press(gallery, "Home")
    assert divider.get_attribute("aria-valuenow") == "0"
    assert place.inner_text().startswith("2 of ")
    press(gallery, "z")
    assert gallery.page.locator("#zoom-full").get_attribute("aria-pressed") == "true"
    press(gallery, "f")
    assert gallery.page.locator("#zoom-fit").get_attribute("aria-pressed") == "true"
    press(gallery, "Escape")
    viewer.wait_for(state="hidden")
    until(lambda: focused(gallery) == 1, "the focus on the photo that was open")
    press(gallery, "Space")
    viewer.wait_for()
    press(gallery, "Space")
    until(lambda: place.inner_text().startswith("3 of "), "the next photo")
    press(gallery, "Shift+Space")
    until(lambda: place.inner_text().startswith("2 of "), "the photo before")
    press(gallery, "Escape")
    viewer.wait_for(state="hidden")
    until(lambda: focused(gallery) == 1, "the focus again")


def test_photos_are_selected_by_keys(gallery: Gallery) -> None:
    gallery.cell(0).focus()
    press(gallery, "x", "ArrowRight", "Shift+ArrowRight")
    chosen = gallery.page.locator(".cell[aria-selected=true]")

    def indices() -> list[int]:
        return [int(each.get_attribute("data-index")) for each in chosen.all()]

    assert indices() == [0, 1, 2]
    assert gallery.count("selected") == 3
    press(gallery, "x")
    assert indices() == [0, 1]
    press(gallery, "Escape")
    gallery.cell(3).click(modifiers=["Shift"])
    assert indices() == [2, 3]
    press(gallery, "Control+a")
    assert gallery.count("selected") == 10_000
    press(gallery, "Escape")
    assert indices() == []


def test_the_chain_is_edited(gallery: Gallery) -> None:
    gallery.set_chain("Sepia")
    tab_to(gallery, "#add-filter")
    press(gallery, "Enter", "Escape")
    assert gallery.page.evaluate("document.activeElement.id") == "add-filter"
    press(gallery, "Enter", "ArrowDown", "Enter")
    names = gallery.page.locator("#chain h3")
    until(lambda: names.count() == 2, "the second filter")
    second = names.nth(1).inner_text()
    gallery.page.locator("#chain .up").nth(1).focus()
    press(gallery, "Enter")
    assert names.first.inner_text() == second
    assert gallery.page.evaluate("document.activeElement.matches('#chain li:first-child .up')")
    gallery.page.locator("#chain .remove").first.focus()
    press(gallery, "Enter")
    assert names.all_inner_texts() == ["Sepia"]
    assert gallery.page.evaluate("document.activeElement.matches('.remove')")
