"""axe-core finds nothing to object to, in light and dark, on narrow and wide screens."""

from axe_playwright_python.sync_playwright import Axe
from gallery import Gallery


def check(gallery: Gallery, state: str) -> None:
    violations = Axe().run(gallery.page).response["violations"]
    found = [(each["id"], each["help"], [node["target"] for node in each["nodes"]]) for each in violations]
    assert not found, f"{state}: {found}"


def check_all_states(gallery: Gallery) -> None:
    gallery.reset()
    check(gallery, "loading")
    gallery.page.locator(".cell[data-state=failed]").first.wait_for()
    check(gallery, "a failed photo")
    gallery.set_chain("Sepia", "Noir", "Tilt shift", "Curves through points")
    gallery.page.locator("#add-filter").click()
    check(gallery, "adding a filter")
    gallery.page.keyboard.press("Escape")
    gallery.page.get_by_label("Intensity, %").fill("101")
    check(gallery, "a wrong number")
    gallery.set_chain("Sepia")
    gallery.page.locator("#close-filters").click()
    gallery.wait_until_done(gallery.visible())
    check(gallery, "filtered")
    gallery.page.locator("#toggle-find").click()
    check(gallery, "finding")
    gallery.page.locator("#write-stars").click()
    gallery.page.locator("#xmp-text", has_text="All stars").wait_for()
    check(gallery, "writing stars")
    gallery.page.keyboard.press("Escape")
    gallery.page.locator("#find-form [name=name]").focus()
    gallery.page.keyboard.press("Escape")
    gallery.cell(0).focus()
    gallery.page.keyboard.press("3")
    gallery.cell(0).locator(".stars", has_text="★").wait_for()
    check(gallery, "a photo with stars")
    gallery.page.keyboard.press("Enter")
    gallery.page.locator("#divider").wait_for()
    check(gallery, "the full-size view")
    gallery.page.keyboard.press("0")
    gallery.page.keyboard.press("Control+s")
    gallery.page.locator("#save-form [name=folder] option").first.wait_for(state="attached")
    check(gallery, "the dialog that saves")
    gallery.page.keyboard.press("Escape")


def test_light(gallery: Gallery) -> None:
    check_all_states(gallery)
    gallery.page.keyboard.press("Escape")
    gallery.screenshot("light")


def test_dark(gallery: Gallery) -> None:
    check_all_states(gallery)
    gallery.page.keyboard.press("Escape")
    gallery.screenshot("dark")


def test_narrow(gallery: Gallery) -> None:
    check_all_states(gallery)
    gallery.page.keyboard.press("Escape")
    gallery.screenshot("narrow")
    overflow = gallery.page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert overflow <= 0, f"The page is {overflow} pixels too wide."


def test_without_motion(gallery: Gallery) -> None:
    gallery.reset()
    gallery.wait_until_done(gallery.visible())
    moving = gallery.page.evaluate(
        "document.getAnimations().filter((each) => each.effect.getComputedTiming().duration > 0 "
        "&& each.animationName !== 'wait').length"
    )
    assert moving == 0


test_dark.options = {"color_scheme": "dark"}
test_narrow.options = {"viewport": {"width": 320, "height": 640}}
test_without_motion.options = {"reduced_motion": "reduce"}
