"""libvips' recipes, through pyvips. One thread a process: its JPEG decoder and encoder have no more."""

from __future__ import annotations

import os

import pool
import recipes

os.environ["VIPS_CONCURRENCY"] = "1"


def load() -> dict[str, pool.Recipe]:
    import pyvips

    # A cache of results does nothing for photos that come once.
    pyvips.cache_set_max(0)
    def table(values: list[int], kind: str) -> pyvips.Image:
        return pyvips.Image.new_from_array([values]).cast(kind)

    matrix = pyvips.Image.new_from_array(recipes.sepia())
    luma = pyvips.Image.new_from_array([list(recipes.LUMA)])
    curve = table(recipes.noir_curve(), "uchar")
    linear = table([round(65535 * recipes.to_linear(value / 255)) for value in range(256)], "ushort")
    encoded = table([round(255 * recipes.from_linear(value / 65535)) for value in range(65536)], "uchar")

    def read(photo: str) -> pyvips.Image:
        return pyvips.Image.new_from_file(photo, access="sequential")

    def write(image: pyvips.Image, output: str) -> None:
        # From quality 90 on, libvips would leave chroma whole.
        image.jpegsave(output, Q=recipes.QUALITY, subsample_mode="on")

    def sepia(photo: str, output: str) -> None:
        write(read(photo).recomb(matrix).cast("uchar"), output)

    def noir(photo: str, output: str) -> None:
        grey = read(photo).recomb(luma).cast("uchar").copy(interpretation="b-w")
        write(grey.maplut(curve), output)

    def tilt_shift(photo: str, output: str, in_linear_light: bool) -> None:
        image = read(photo)
        source = image.maplut(linear) if in_linear_light else image
        # Seen by `ifthenelse`: where the mask is 0 throughout, nothing is blurred.
        column = pyvips.Image.new_from_array([[round(255 * share)] for share in recipes.mask(image.height)])
        mask = column.cast("uchar").zoom(image.width, 1)
        mixed = mask.ifthenelse(source.gaussblur(recipes.SIGMA), source, blend=True)
        write(mixed.maplut(encoded) if in_linear_light else mixed, output)

    return {
        "sepia": sepia,
        "noir": noir,
        "tilt-shift": lambda photo, output: tilt_shift(photo, output, in_linear_light=False),
        "tilt-shift-linear": lambda photo, output: tilt_shift(photo, output, in_linear_light=True),
    }


def versions() -> str:
    import pyvips

    return f"{pyvips.version(0)}.{pyvips.version(1)}.{pyvips.version(2)}, pyvips {pyvips.__version__}"


if __name__ == "__main__":
    pool.main(load, versions)
