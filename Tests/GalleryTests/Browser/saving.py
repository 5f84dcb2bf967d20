"""Photos are saved when the user asks for it, as the command line would."""

import json
import subprocess

from gallery import Gallery, until

PHOTO_COUNT = 40
FLAGS = ["-o", "{folder}/out"]


def open_dialog(gallery: Gallery) -> None:
    gallery.page.locator(".toolbar [data-save]").click()
    gallery.page.locator("#save-dialog").wait_for()
    # The folders are known.
    gallery.page.locator("#save-form [name=folder] option").first.wait_for(state="attached")


def choose(gallery: Gallery, name: str, value: str) -> None:
    gallery.page.locator(f"#save-form [name={name}][value={value}]").check()


def wait_until_saved(gallery: Gallery, part: str) -> str:
    """Waits for the end of a saving that a text names. Returns what is told of it."""
    text = gallery.page.locator("#saving[data-state=ended] #save-text", has_text=part)
    text.wait_for()
    return text.inner_text()


def saved(gallery: Gallery, name: str = "out") -> list[str]:
    folder = gallery.server.folder / name
    return sorted(path.name for path in folder.iterdir() if path.is_file()) if folder.exists() else []


def test_selected_photos_are_saved_as_apply_saves_them(gallery: Gallery) -> None:
    visible = [index for index in gallery.visible() if "error" not in gallery.photo(index)][:4]
    gallery.wait_until_done(visible)
    assert saved(gallery) == []
    gallery.cell(visible[0]).click(modifiers=["Control"])
    gallery.cell(visible[2]).click(modifiers=["Shift"])
    assert gallery.page.locator(".cell[aria-selected=true]").count() == visible[2] - visible[0] + 1
    gallery.screenshot("selected")
    open_dialog(gallery)
    assert gallery.page.locator("#save-form [name=photos][value=selected]").is_checked()
    gallery.screenshot("save-dialog")
    gallery.page.locator("#save-start").click()
    wait_until_saved(gallery, "saved in")
    server = gallery.server
    names = [f"{index:05}.jpg" for index in range(visible[0], visible[2] + 1) if index != 5]
    assert saved(gallery) == names
    addresses = [f"{server.photos}/{name}" for name in names]
    command = [server.tintype, "apply", "-q", "-f", "sepia", "-d", "cpu", "-o", server.folder / "apply"]
    subprocess.run([*command, *addresses], check=True)
    for name in names:
        made = (server.folder / "apply" / name).read_bytes()
        assert (server.folder / "out" / name).read_bytes() == made
    # The same command finds all of them done.
    again = [
        server.tintype,
        "apply",
        "-f",
        "sepia",
        "-d",
        "cpu",
        "-o",
        server.folder / "out",
        "--json",
        *addresses,
    ]
    lines = subprocess.run(again, check=True, capture_output=True, text=True).stdout.splitlines()
    assert json.loads(lines[-1])["upToDate"] == len(names), lines[-1]


def test_all_photos_are_saved_and_those_that_fail_are_named(gallery: Gallery) -> None:
    open_dialog(gallery)
    choose(gallery, "photos", "all")
    gallery.page.locator("#save-start").click()
    assert "1 failed" in wait_until_saved(gallery, f"of {PHOTO_COUNT} photos saved")
    assert len(saved(gallery)) == PHOTO_COUNT - 1
    gallery.page.locator("#save-problems summary").click()
    assert "00005.jpg" in gallery.page.locator("#save-problems li").inner_text()
    gallery.screenshot("saved")
    gallery.page.locator("#save-close").click()
    assert gallery.page.locator("#saving").is_hidden()


def test_another_look_is_saved_beside_or_replaces(gallery: Gallery) -> None:
    gallery.set_chain("Noir")
    first = gallery.visible()[0]
    gallery.cell(first).click(modifiers=["Control"])
    gallery.page.keyboard.press("Control+s")
    gallery.page.locator("#save-existing").wait_for()
    assert gallery.page.locator("#save-replace").inner_text() == (
        f"Replace those of the same names ({PHOTO_COUNT - 1} photos saved there)"
    )
    assert gallery.page.locator("#save-beside").inner_text().endswith("/out-noir")
    gallery.screenshot("save-beside")
    gallery.page.locator("#save-start").click()
    wait_until_saved(gallery, "out-noir")
    assert saved(gallery, "out-noir") == [f"{first:05}.jpg"]
    before = (gallery.server.folder / f"out/{first:05}.jpg").read_bytes()
    open_dialog(gallery)
    choose(gallery, "existing", "replace")
    gallery.page.locator("#save-start").click()
    until(
        lambda: (gallery.server.folder / f"out/{first:05}.jpg").read_bytes() != before, "the replaced photo"
    )


def test_the_open_photo_is_downloaded_in_another_format_and_size(gallery: Gallery) -> None:
    gallery.wait_until_done(gallery.visible())
    index = gallery.visible()[0]
    gallery.cell(index).click()
    gallery.page.locator("#picture img").first.wait_for()
    gallery.page.locator("#viewer [data-save]").click()
    gallery.page.locator("#save-dialog").wait_for()
    assert gallery.page.locator("#save-form [name=photos][value=current]").is_checked()
    form = gallery.page.locator("#save-form")
    form.locator("[name=format]").select_option("png")
    assert form.locator("[name=quality]").is_disabled()
    form.locator("[name=longSide]").fill("320")
    form.locator("[name=longSide]").press("Tab")
    with gallery.page.expect_download() as download:
        gallery.page.locator("#save-download").click()
    assert download.value.suggested_filename == f"{index:05}.png"
    head = download.value.path().read_bytes()[:24]
    assert head[:4] == b"\x89PNG" and int.from_bytes(head[16:20], "big") == 320


def test_saving_is_paused_and_stopped(gallery: Gallery) -> None:
    # By requests, before all photos are done.
    gallery.page.evaluate("""async () => {
        const post = (path, body) => fetch(path, {
            method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
        });
        await post("/api/save", { recipe: { chain: "tilt-shift+median:size=5" }, folder: 0, replaces: true });
        await post("/api/save/action", { action: "pause" });
    }""")
    gallery.page.locator("#saving[data-state=paused]").wait_for()
    assert gallery.page.locator("#save-pause").inner_text() == "Continue"
    gallery.page.locator("#save-stop").click()
    gallery.page.locator("#saving[data-state=stopped]").wait_for()
    assert "stopped" in gallery.page.locator("#save-text").inner_text()


def test_what_cannot_be_saved_is_said_in_the_dialog(gallery: Gallery) -> None:
    open_dialog(gallery)
    field = gallery.page.locator("#save-form [name=longSide]")
    field.fill("0")
    gallery.page.locator("#save-start").click()
    assert field.evaluate("(field) => field.matches(':invalid')")
    assert gallery.page.locator("#save-dialog").is_visible()
    # Keys of the filters do nothing behind the dialog.
    before = gallery.page.locator("#chain h3").all_inner_texts()
    gallery.page.locator("#save-form [name=format]").press("Control+z")
    assert gallery.page.locator("#chain h3").all_inner_texts() == before
    gallery.page.locator("#save-cancel").click()
