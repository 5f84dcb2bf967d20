"""With a folder for outputs, photos are saved when they are filtered, as the command line would."""

import subprocess

from gallery import Gallery, until

PHOTO_COUNT = 40
FLAGS = ["-o", "{folder}/out"]


def test_what_is_shown_and_saved_is_what_apply_makes(gallery: Gallery) -> None:
    visible = [index for index in gallery.visible() if "error" not in gallery.photo(index)][:4]
    gallery.wait_until_done(visible)
    server = gallery.server
    addresses = [f"{server.photos}/{index:05}.jpg" for index in visible]
    command = [server.tintype, "apply", "-q", "-f", "sepia", "-d", "cpu", "-o", server.folder / "apply"]
    subprocess.run([*command, *addresses], check=True)
    for index in visible:
        made = (server.folder / f"apply/{index:05}.jpg").read_bytes()
        assert (server.folder / f"out/{index:05}.jpg").read_bytes() == made
        # The pixels that the browser shows in full size, compared with those of the file.
        run, version = gallery.status()["run"], gallery.photo(index)["version"]
        different = gallery.page.evaluate(
            """async ([shown, made]) => {
                const pixels = async (blob) => {
                    const bitmap = await createImageBitmap(blob);
                    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
                    canvas.drawImage(bitmap, 0, 0);
                    return canvas.getImageData(0, 0, bitmap.width, bitmap.height).data;
                };
                const one = await pixels(await (await fetch(shown)).blob());
                const other = await pixels(new Blob([Uint8Array.from(made)], { type: "image/jpeg" }));
                return one.length === other.length ? one.findIndex((value, at) => value !== other[at]) : -2;
            }""",
            [f"/api/photos/{index}/after?run={run}&version={version}", list(made)],
        )
        assert different == -1, f"Photo {index} differs at {different}."


def test_save_all_saves_the_rest(gallery: Gallery) -> None:
    assert gallery.button("start").is_hidden()
    gallery.button("saveAll").click()
    until(lambda: gallery.count("saved") == PHOTO_COUNT - 1, "all photos")
    assert len(list((gallery.server.folder / "out").glob("*.jpg"))) == PHOTO_COUNT - 1


def test_other_filters_are_not_mixed_into_the_folder(gallery: Gallery) -> None:
    gallery.set_chain("Noir")
    gallery.wait_until_done(gallery.visible())
    counter = gallery.page.locator("#counters [data-state=saved]")
    until(lambda: "another folder" in (counter.get_attribute("title") or ""), "the reason")
    assert "not saved" in gallery.page.locator("#message").inner_text()
    gallery.screenshot("not-saved")
    gallery.set_chain("Sepia")
    until(lambda: not counter.get_attribute("title"), "photos that are saved again")
