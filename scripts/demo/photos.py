"""The demo's photos: what the page says about one (size, photographer, licence), and the preview it shows."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageOps

# Longest side of a preview in pixels: sharp in a column of the page on a dense screen.
PREVIEW_SIDE = 1400

ORIENTATION_TAG = 0x0112

# The file that names the photographers and licences.
NOTICE = "copyright"

LICENCE_NAMES = {
    "CC-BY-4.0": "CC BY 4.0",
    "CC-BY-SA-4.0": "CC BY-SA 4.0",
    "CC0-1.0": "CC0 1.0",
}


@dataclass(frozen=True)
class Credit:
    photographer: str
    licence: str


@dataclass(frozen=True)
class Photo:
    file_name: str
    width: int
    height: int
    credit: Credit | None

    @property
    def title(self) -> str:
        """The file's name without its photographer: `Bridge_by_Sander_Klootwijk.jpg` is `Bridge`."""
        words = Path(self.file_name).stem.split("_by_")[0].replace("_", " ")
        return words[:1].upper() + words[1:]

    @property
    def megapixels(self) -> float:
        return self.width * self.height / 1e6


def photos_in(folder: Path) -> list[Photo]:
    """The folder's JPEGs by name, with the credits of the `copyright` file beside them, if there is one."""
    notice = folder / NOTICE
    credits = credits_in(notice.read_text(encoding="utf-8")) if notice.exists() else {}
    paths = sorted(
        (path for path in folder.iterdir() if path.suffix.lower() in (".jpg", ".jpeg")),
        key=lambda path: path.name.lower(),
    )
    return [Photo(path.name, *shown_size(path), credits.get(path.name)) for path in paths]


def credits_in(notice: str) -> dict[str, Credit]:
    """Photographer and licence by file name, from a Debian copyright file (format 1.0)."""
    credits = {}
    for paragraph in re.split(r"\n\s*\n", notice):
        fields = dict(re.findall(r"^(Files|Copyright|License): *(.+)$", paragraph, re.MULTILINE))
        if len(fields) < 3:
            continue
        # "Aitzol Berasategi, 2018" and "2018. Sander Klootwijk".
        photographer = re.sub(r"^\d{4}[.,] *|, *\d{4}$", "", fields["Copyright"]).strip()
        licence = LICENCE_NAMES.get(fields["License"], fields["License"])
        credits[Path(fields["Files"]).name] = Credit(photographer, licence)
    return credits


def shown_size(path: Path) -> tuple[int, int]:
    """Width and height in pixels as the photo is shown: its EXIF orientation may turn it."""
    with Image.open(path) as image:
        turned = image.getexif().get(ORIENTATION_TAG, 1) >= 5
        return image.size[::-1] if turned else image.size


def make_preview(path: Path, preview: Path) -> None:
    """Writes a small version of the photo, so that a page of many photos stays quick."""
    with Image.open(path) as image:
        profile = image.info.get("icc_profile")
        image.draft(None, (2 * PREVIEW_SIDE, 2 * PREVIEW_SIDE))
        small = ImageOps.exif_transpose(image)
        small.thumbnail((PREVIEW_SIDE, PREVIEW_SIDE), Image.Resampling.LANCZOS)
        preview.parent.mkdir(parents=True, exist_ok=True)
        small.save(preview, quality=88, icc_profile=profile)
