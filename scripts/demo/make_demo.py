#!/usr/bin/python3
"""Filters sample photos with every filter and makes a page that shows them before and after.

usage: make_demo.py TINTYPE OUTPUT_FOLDER

PHOTOS=FOLDER takes the JPEGs of that folder instead of the sample photos.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from page import Look, Sample, render_page
from photos import NOTICE, Photo, make_preview, photos_in

# Settings chosen by eye on the sample photos.
LOOKS = [
    Look(
        "tintype",
        "Tintype",
        "A wet plate of the 1860s: blind to red, soft at the edges, on dark iron.",
        ["tintype"],
    ),
    Look("sepia", "Sepia", "Warm brown toning.", ["sepia:intensity=0.9"]),
    Look("noir", "Noir", "Black and white with strong contrast.", ["noir"]),
    Look(
        "tilt-shift",
        "Tilt-shift",
        "A sharp band, and a blur that grows away from it.",
        ["tilt-shift:focus=0.55,band=0.15,falloff=0.3"],
    ),
    Look(
        "keepsake",
        "Keepsake",
        "Sepia, then tilt-shift: a chain of filters runs in one go.",
        ["sepia", "tilt-shift:band=0.25,falloff=0.3"],
    ),
]


def main(tintype: Path, output: Path) -> None:
    source = sample_photos()
    photos = photos_in(source)
    if not photos:
        sys.exit(f"error: there are no JPEG files in {source}.")
    if output.resolve() in (source.resolve(), *source.resolve().parents):
        sys.exit(
            f"error: {source} lies in {output}, which the demo empties. Copy the photos elsewhere first."
        )
    shutil.rmtree(output, ignore_errors=True)
    originals = output / "original"
    originals.mkdir(parents=True)
    for photo in photos:
        shutil.copyfile(source / photo.file_name, originals / photo.file_name)
    # Not among the photos: each run would tell that it skipped a file there.
    if (notice := source / NOTICE).exists():
        shutil.copyfile(notice, output / NOTICE)

    names = device_names(tintype)
    for look in LOOKS:
        print(f"{look.title}: {look.command}", flush=True)
        apply(tintype, look, originals, output / look.name, photos)
        look.devices = [names[device] for device in look.devices]
    make_previews(output, ["original"] + [look.name for look in LOOKS], photos)
    page = output / "index.html"
    sheet = make_sheet(tintype, output, photos[0])
    page.write_text(render_page(photos, LOOKS, sheet), encoding="utf-8")
    print(f"\nThe page is ready. Open {page.resolve()}")
    print(f"To change filters as you look: {tintype} gallery -f sepia {originals}")


def sample_photos() -> Path:
    """The folder that `PHOTOS` names, or the downloaded sample photos."""
    if folder := os.environ.get("PHOTOS"):
        if not Path(folder).is_dir():
            sys.exit(f"error: PHOTOS={folder} is not a folder.")
        return Path(folder)
    fetch = Path(__file__).parent.parent / "fetch-photos"
    result = subprocess.run([fetch], stdout=subprocess.PIPE, text=True)
    if result.returncode != 0:
        sys.exit(result.returncode)
    return Path(result.stdout.strip())


def apply(tintype: Path, look: Look, source: Path, output: Path, photos: list[Photo]) -> None:
    """Filters every photo with the tool itself, which prints its summary, and notes in `look` how it went."""
    options = ["-d", "auto", "-o", output, "--progress", "plain", "--json"]
    records = [
        json.loads(line) for line in report(tintype, "apply", *look.flags, *options, source).splitlines()
    ]
    missing = [photo.file_name for photo in photos if not (output / photo.file_name).exists()]
    if missing:
        sys.exit(f"error: tintype wrote no {look.name} of {', '.join(missing)}.")
    summary = next(record for record in records if record["type"] == "summary")
    look.seconds = summary["seconds"]
    look.speed = summary["megapixelsPerSecond"]
    look.devices = sorted(summary["devices"])


def make_sheet(tintype: Path, output: Path, photo: Photo) -> list[Sample]:
    """Filters a small version of one photo with every filter's defaults, if it has some for all settings."""
    samples = []
    source = output / "preview" / "original" / photo.file_name
    for entry in json.loads(report(tintype, "filters", "--json")):
        if any(setting["kind"] == "file" for setting in entry["parameters"]):
            continue
        sample = Sample(entry["name"], entry["summary"], photo)
        report(tintype, "apply", "-f", sample.filter, "-q", "-o", output / sample.file, source)
        samples.append(sample)
    print(f"Contact sheet: {len(samples)} filters", flush=True)
    return samples


def device_names(tintype: Path) -> dict[str, str]:
    """What to call each device, by the tool's identifier for it."""
    devices = json.loads(report(tintype, "devices", "--json"))
    return {device["device"]: f"{device['device']} ({device['name']})" for device in devices}


def report(tintype: Path, *arguments: str | Path) -> str:
    """What the tool prints on standard output; its messages pass through. Ends everything where it fails."""
    result = subprocess.run(
        [tintype, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True
    )
    if result.returncode != 0:
        sys.exit(f"error: tintype ended with exit code {result.returncode}; its messages are above.")
    return result.stdout


def make_previews(output: Path, folders: list[str], photos: list[Photo]) -> None:
    names = [Path(folder) / photo.file_name for folder in folders for photo in photos]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda name: make_preview(output / name, output / "preview" / name), names))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), Path(sys.argv[2]))
