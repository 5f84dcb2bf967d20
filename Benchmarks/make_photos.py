#!/usr/bin/python3
"""Makes the photos that the benchmark works on, from the sample photos; does nothing where they are there.

usage: make_photos.py SOURCE_FOLDER OUTPUT_FOLDER

- set/: 24 photos of 12 megapixels (4000 x 3000), baseline 4:2:0 JPEGs of quality 90. Wallpapers are smooth and a
  sensor is not: each gets just as much grain as makes its file as large as a camera's, some 4 MB.
- large.jpg: one photo of 100 megapixels (12000 x 8400), coded alike, for the peak memory.
"""

from __future__ import annotations

import io
import os
import random
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from PIL import Image, ImageChops, ImageOps

COUNT = 24
SIZE = (4000, 3000)
LARGE_SIZE = (12000, 8400)
LEAST_BYTES = 3_600_000


def main(source: Path, output: Path) -> None:
    photos = output / "set"
    photos.mkdir(parents=True, exist_ok=True)
    originals = sorted(source.glob("*.jpg"))
    jobs = [(original, crop) for crop in (0.0, 1.0) for original in originals][:COUNT]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda numbered: make_photo(*numbered[1], photos / f"{numbered[0]:02}.jpg"), enumerate(jobs)))
    make_large(sorted(photos.glob("*.jpg")), output / "large.jpg")


def make_photo(original: Path, crop: float, target: Path) -> None:
    """Cuts the left or upper (`crop` 0), or the right or lower (1) part, and mirrors the latter: no two are alike."""
    if target.exists():
        return
    with Image.open(original) as image:
        photo = ImageOps.fit(image.convert("RGB"), SIZE, Image.Resampling.LANCZOS, centering=(crop, crop))
    write_whole(with_grain(ImageOps.mirror(photo) if crop else photo), target)


def with_grain(photo: Image.Image) -> bytes:
    """The photo as a JPEG, with as much uniform noise in its luma as brings it to `LEAST_BYTES`."""
    noise = Image.frombytes("L", SIZE, random.Random(7).randbytes(SIZE[0] * SIZE[1]))
    luma, *chroma = photo.convert("YCbCr").split()
    for spread in range(0, 255, 4):
        grain = noise.point([value * spread // 255 for value in range(256)])
        noisy = ImageChops.add(luma, grain, scale=1, offset=-spread // 2)
        data = jpeg(Image.merge("YCbCr", (noisy, *chroma)))
        if len(data) >= LEAST_BYTES:
            break
    return data


def make_large(photos: list[Path], target: Path) -> None:
    """Lays photos side by side, three in a row."""
    if target.exists():
        return
    sheet = Image.new("RGB", LARGE_SIZE)
    for index, path in enumerate(photos[:9]):
        with Image.open(path) as photo:
            sheet.paste(photo, (index % 3 * SIZE[0], index // 3 * SIZE[1]))
    write_whole(jpeg(sheet), target)


def jpeg(photo: Image.Image) -> bytes:
    data = io.BytesIO()
    photo.save(data, "JPEG", quality=90, subsampling="4:2:0")
    return data.getvalue()


def write_whole(data: bytes, target: Path) -> None:
    part = target.with_suffix(".part")
    part.write_bytes(data)
    part.rename(target)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), Path(sys.argv[2]))
