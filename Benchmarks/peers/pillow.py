"""Pillow's recipes, and those of Pillow-SIMD, which has the same interface."""

from __future__ import annotations

from pathlib import Path

import PIL
import recipes
from PIL import Image, ImageFilter, features

MATRIX = [value for row in recipes.sepia() for value in (*row, 0)]
CURVE = recipes.noir_curve()


LACKS = {recipes.SIXTEEN: "it has no colour of 16 bits"}
OPTIONS = {
    ".jpg": {"quality": recipes.QUALITY, "subsampling": "4:2:0"},
    ".png": {"compress_level": 1},
    ".webp": {"quality": recipes.QUALITY},
}


def write(image: Image.Image, output: str) -> None:
    image.save(output, **OPTIONS[Path(output).suffix])


@recipes.recipe("sepia", '`convert("RGB", matrix)`, `save`; a PNG with `compress_level=1`')
def sepia(photo: str, output: str) -> None:
    with Image.open(photo) as image:
        write(image.convert("RGB", MATRIX), output)


@recipes.recipe("noir", '`convert("L", matrix)`, `point`, `save`')
def noir(photo: str, output: str) -> None:
    with Image.open(photo) as image:
        write(image.convert("L", (*recipes.LUMA, 0)).point(CURVE), output)


@recipes.recipe("noir", '`draft("L")`, `point`, `save`', note="luma of BT.601, as decoded")
def noir_of_grey(photo: str, output: str) -> None:
    with Image.open(photo) as image:
        # libjpeg then decodes luma alone.
        image.draft("L", image.size)
        write(image.point(CURVE), output)


@recipes.recipe(
    "tilt-shift",
    "of the rows outside the band: `GaussianBlur` (three box blurs), `composite` with a mask; `save`",
    note="gamma",
)
def tilt_shift(photo: str, output: str) -> None:
    with Image.open(photo) as image:
        image.load()
    parts = [(part, blurred(image, part)) for part in recipes.BlurredPart.both(image.height)]
    for part, pixels in parts:
        image.paste(pixels, (0, part.first))
    write(image, output)


def blurred(image: Image.Image, part: recipes.BlurredPart) -> Image.Image:
    source = image.crop((0, part.source_first, image.width, part.source_end))
    rows = (0, part.offset, image.width, part.offset + len(part.shares))
    blur = source.filter(ImageFilter.GaussianBlur(recipes.SIGMA)).crop(rows)
    column = Image.frombytes("L", (1, len(part.shares)), bytes(round(255 * share) for share in part.shares))
    return Image.composite(blur, source.crop(rows), column.resize((image.width, len(part.shares))))


def version() -> str:
    return f"{PIL.__version__}, libjpeg-turbo {features.version_feature('libjpeg_turbo')}"
