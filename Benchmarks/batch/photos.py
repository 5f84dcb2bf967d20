"""Photos of any size from nothing but the standard library: PNGs, which the tool then makes JPEGs."""

from __future__ import annotations

import random
import shutil
import struct
import subprocess
import zlib
from pathlib import Path

DISTINCT = 8


def make_photos(tool: Path, folder: Path, width: int, height: int) -> list[Path]:
    """Some JPEGs of quality 90 with gradients and grain, no two alike."""
    pngs, jpegs = folder / "png", folder / "jpeg"
    pngs.mkdir(parents=True, exist_ok=True)
    for seed in range(DISTINCT):
        (pngs / f"{seed}.png").write_bytes(_png(width, height, random.Random(seed)))
    convert = [tool, "apply", "-q", "--format", "jpeg", "--quality", "90", "--no-journal", "--overwrite", "-d", "cpu"]
    subprocess.run([*convert, "-o", jpegs, pngs], check=True)
    return sorted(jpegs.glob("*.jpg"))


def copy_photos(originals: list[Path], folder: Path, count: int) -> Path:
    """A folder of `count` files, whatever was in it before."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for number in range(count):
        shutil.copyfile(originals[number % len(originals)], folder / f"IMG_{number:06}.jpg")
    return folder


def _png(width: int, height: int, dice: random.Random) -> bytes:
    # Rows of noise of 4 bits over a vertical and a horizontal gradient; adding them up byte by byte would take long.
    grain = [bytes(byte >> 4 for byte in dice.randbytes(3 * width)) for _ in range(16)]
    shades = [dice.randrange(20, 110) for _ in range(3)]
    ramp = [bytes(shade + 100 * x // width for x in range(width) for shade in shades)]
    lit = [bytes(map(sum, zip(ramp[0], row))) for row in grain]
    rows = []
    for y in range(height):
        shift = 3 * dice.randrange(width)
        row = lit[y % 16]
        rows.append(b"\0" + row[shift:] + row[:shift])
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = [(b"IHDR", header), (b"IDAT", zlib.compress(b"".join(rows), 1)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in parts)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
