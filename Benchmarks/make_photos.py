#!/usr/bin/python3
"""Makes the photos of the benchmarks, unless they exist already.

usage: make_photos.py SOURCE_FOLDER OUTPUT_FOLDER

- set/: 24 photos of 12 megapixels (4000 x 3000), baseline 4:2:0 JPEGs of quality 90, from the sample photos.
  Wallpapers have no sensor noise, so each gets grain until its file has about 4 MB, as a camera's has.
- png/, png16/, webp/: some of them in these formats, for `make_formats`.
- large.jpg: one photo of 100 megapixels (12000 x 8400), coded alike, for the peak memory.
"""

from __future__ import annotations

import io
import os
import random
import struct
import sys
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from PIL import Image, ImageChops, ImageOps

COUNT = 24
SIZE = (4000, 3000)
LARGE_SIZE = (12000, 8400)
LEAST_BYTES = 3_600_000
# Levels of the noise in synthetic photos.
GRAIN = 32


def make_photos(source: Path, output: Path) -> tuple[list[Path], Path]:
    """Returns the paths of the set, and of the large photo."""
    folder, large = output / "set", output / "large.jpg"
    folder.mkdir(parents=True, exist_ok=True)
    originals = sorted(source.glob("*.jpg"))
    jobs = [(original, crop) for crop in (0.0, 1.0) for original in originals][:COUNT]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(
            pool.map(
                lambda numbered: make_photo(*numbered[1], folder / f"{numbered[0]:02}.jpg"), enumerate(jobs)
            )
        )
    photos = sorted(folder.glob("*.jpg"))
    make_large(photos, large)
    return photos, large


def make_photo(original: Path, crop: float, target: Path) -> None:
    """Cuts the left or upper part (`crop` 0), or the right or lower one (1), which is mirrored too."""
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


def make_formats(photos: list[Path], output: Path) -> dict[str, list[Path]]:
    """PNGs of 8 and 16 bits and WebPs of some photos, by the names of their folders."""
    formats = {
        "png": (".png", lambda photo: encoded(photo, "PNG")),
        "png16": (".png", png_of_16_bits),
        "webp": (".webp", lambda photo: encoded(photo, "WebP", quality=90)),
    }
    made = {}
    for name, (suffix, encode) in formats.items():
        folder = output / name
        folder.mkdir(exist_ok=True)
        made[name] = [folder / path.with_suffix(suffix).name for path in photos]
        for path, target in zip(photos, made[name], strict=True):
            if not target.exists():
                with Image.open(path) as photo:
                    write_whole(encode(photo), target)
    return made


def png_of_16_bits(photo: Image.Image) -> bytes:
    """The photo with noise in four further bits, as of a sensor of 12 bits. Pillow writes no such PNG."""
    width, height = photo.size
    noise = (
        random.Random(7).randbytes(3 * width * height).translate(bytes(value & 0xF0 for value in range(256)))
    )
    rows = bytearray(6 * width * height)
    for byte, plane in enumerate((photo, Image.frombytes("RGB", photo.size, noise))):
        # PNG's filter "Sub": each byte is the difference from that of the pixel before.
        before = Image.new("RGB", photo.size)
        before.paste(plane, (1, 0))
        rows[byte::2] = ImageChops.subtract_modulo(plane, before).tobytes()
    stride = 6 * width
    filtered = b"".join(b"\x01" + rows[start : start + stride] for start in range(0, len(rows), stride))

    def chunk(name: bytes, content: bytes) -> bytes:
        return (
            struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))
        )

    head = struct.pack(">IIBBBBB", width, height, 16, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(filtered))
        + chunk(b"IEND", b"")
    )


def synthetic(size: tuple[int, int], seed: int) -> bytes:
    """A JPEG of a horizontal gradient with grain, about 0.3 bytes a pixel. Each seed gives another photo."""
    dice = random.Random(seed)
    ramp = Image.linear_gradient("L").transpose(Image.Transpose.ROTATE_90).resize(size)
    channels = []
    for _ in range(3):
        shade = dice.randrange(20, 110)
        lit = ramp.point([shade + 100 * value // 256 for value in range(256)])
        noise = Image.frombytes("L", size, dice.randbytes(size[0] * size[1]))
        channels.append(ImageChops.add(lit, noise.point([GRAIN * value // 256 for value in range(256)])))
    return jpeg(Image.merge("RGB", channels))


def jpeg(photo: Image.Image) -> bytes:
    return encoded(photo, "JPEG", quality=90, subsampling="4:2:0")


def encoded(photo: Image.Image, format: str, **options: object) -> bytes:
    data = io.BytesIO()
    photo.save(data, format, **options)
    return data.getvalue()


def write_whole(data: bytes, target: Path) -> None:
    part = target.with_suffix(".part")
    part.write_bytes(data)
    part.rename(target)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    make_photos(Path(sys.argv[1]), Path(sys.argv[2]))
