"""libvips' recipes, through pyvips. One thread a process: its JPEG decoder and encoder have no more."""

from __future__ import annotations

import os
from pathlib import Path

os.environ["VIPS_CONCURRENCY"] = "1"

import pyvips  # noqa: E402
import recipes  # noqa: E402

# A cache of results does nothing for photos that come once.
pyvips.cache_set_max(0)


def table(values: list[int], kind: str) -> pyvips.Image:
    return pyvips.Image.new_from_array([values]).cast(kind)


MATRIX = pyvips.Image.new_from_array(recipes.sepia())
LUMA = pyvips.Image.new_from_array([list(recipes.LUMA)])
CURVE = table(recipes.noir_curve(), "uchar")
LINEAR = table([round(65535 * recipes.to_linear(value / 255)) for value in range(256)], "ushort")
ENCODED = table([round(255 * recipes.from_linear(value / 65535)) for value in range(65536)], "uchar")


def read(photo: str) -> pyvips.Image:
    return pyvips.Image.new_from_file(photo, access="sequential")


OPTIONS = {
    # From quality 90 on, libvips would leave chroma whole.
    ".jpg": {"Q": recipes.QUALITY, "subsample_mode": "on"},
    ".png": {"compression": 1},
    ".webp": {"Q": recipes.QUALITY},
}


def write(image: pyvips.Image, output: str) -> None:
    image.write_to_file(output, **OPTIONS[Path(output).suffix])


@recipes.recipe("sepia", "sequential; `recomb`, `cast`, `write_to_file`; a PNG with `compression=1`")
def sepia(photo: str, output: str) -> None:
    write(read(photo).recomb(MATRIX).cast("uchar"), output)


@recipes.recipe(recipes.SIXTEEN, "sequential; `recomb`, `cast`, `write_to_file` with `compression=1`")
def sepia_16(photo: str, output: str) -> None:
    write(read(photo).recomb(MATRIX).cast("ushort"), output)


@recipes.recipe("noir", "sequential; `recomb` to one band, `cast`, `maplut`, `jpegsave`")
def noir(photo: str, output: str) -> None:
    write(read(photo).recomb(LUMA).cast("uchar").copy(interpretation="b-w").maplut(CURVE), output)


@recipes.recipe(
    "tilt-shift", "sequential; `gaussblur`, `ifthenelse(blend=True)` with a mask; `jpegsave`", note="gamma"
)
def tilt_shift(photo: str, output: str) -> None:
    write(blurred(read(photo)), output)


@recipes.recipe(
    "tilt-shift",
    "sequential; `maplut` to linear 16 bits, `gaussblur`, `ifthenelse(blend=True)` with a mask, "
    "`maplut` back; `jpegsave`",
    note="linear light",
    photo_limit=8,
)
def tilt_shift_linear(photo: str, output: str) -> None:
    write(blurred(read(photo).maplut(LINEAR)).maplut(ENCODED), output)


def blurred(image: pyvips.Image) -> pyvips.Image:
    # `ifthenelse` sees the mask: where it is 0 throughout, nothing is blurred.
    column = pyvips.Image.new_from_array([[round(255 * share)] for share in recipes.mask(image.height)])
    mask = column.cast("uchar").zoom(image.width, 1)
    return mask.ifthenelse(image.gaussblur(recipes.SIGMA), image, blend=True)


def version() -> str:
    return f"{pyvips.version(0)}.{pyvips.version(1)}.{pyvips.version(2)}, pyvips {pyvips.__version__}"
