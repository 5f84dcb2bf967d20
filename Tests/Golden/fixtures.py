"""The photos of the golden runs: every layout, orientations, profiles, damage, and real photos."""

from __future__ import annotations

import json
import os
import shutil
import struct
import subprocess
import zlib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LAYOUTS = ROOT / "Tests/CodecsTests/Fixtures"
# The photos that are enough where the layout is not the point.
FEW = ["ycbcr-2x2.jpg", "grey.jpg", "metadata.jpg", "rgb-8.png", "rgba-16.png"]
# The time of all photos, so that outputs that kept it can be told from others.
PHOTO_TIME = 1_000_000_000
RECIPE = {
    "outputs": {
        "large": {"filters": "resize:long=30+sharpen", "quality": 80},
        "small": {"filters": "resize:long=10", "metadata": "strip", "format": "png"},
        "toned": {"filters": ["sepia", "noir"], "auto-orient": True, "optimize": True},
        "half": {"scale": 0.5, "to-srgb": True},
        "copy": {},
    }
}


def segment(marker: int, body: bytes) -> bytes:
    """A JPEG's segment."""
    return struct.pack(">BBH", 0xFF, marker, len(body) + 2) + body


def turned(photo: bytes, orientation: int) -> bytes:
    """A JPEG with EXIF that has this orientation and nothing else."""
    entry = struct.pack(">HHIHH", 0x0112, 3, 1, orientation, 0)
    exif = b"Exif\0\0MM\0\x2a" + struct.pack(">IH", 8, 1) + entry + bytes(4)
    return photo[:2] + segment(0xE1, exif) + photo[2:]


def profiled(photo: bytes, profile: bytes) -> bytes:
    """A JPEG with this colour profile."""
    return photo[:2] + segment(0xE2, b"ICC_PROFILE\0\x01\x01" + profile) + photo[2:]


def matrix_profile(gamma: float, space: bytes = b"RGB ") -> bytes:
    """A display profile with primaries wider than sRGB's, or a grey one, and a power for its curve."""
    curve = b"curv" + bytes(4) + struct.pack(">IH", 1, round(gamma * 256)) + bytes(2)
    text = b"desc" + bytes(4) + struct.pack(">I", 5) + b"test\0" + bytes(67) + bytes(3)

    def place(*values: float) -> bytes:
        return b"XYZ " + bytes(4) + struct.pack(">3i", *(round(value * 65536) for value in values))

    tags = {b"desc": text, b"wtpt": place(0.9642, 1, 0.8249)}
    if space == b"GRAY":
        tags[b"kTRC"] = curve
    else:
        tags |= {b"rXYZ": place(0.6097, 0.3111, 0.0195), b"gXYZ": place(0.2053, 0.6257, 0.0609)}
        tags |= {b"bXYZ": place(0.1492, 0.0632, 0.7446), b"rTRC": curve, b"gTRC": curve, b"bTRC": curve}
    offset, table, data = 132 + 12 * len(tags), b"", b""
    for name, value in tags.items():
        table += name + struct.pack(">II", offset + len(data), len(value))
        data += value + bytes(-len(value) % 4)
    body = struct.pack(">I", len(tags)) + table + data
    header = struct.pack(">I4sI4s4s4s", 128 + len(body), bytes(4), 0x02400000, b"mntr", space, b"XYZ ")
    header += bytes(12) + b"acsp" + bytes(28) + struct.pack(">3i", 63190, 65536, 54061) + bytes(48)
    return header + body


def png(width: int, height: int, pixels: bytes) -> bytes:
    """A PNG of 8-bit RGB pixels."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    rows = [b"\0" + pixels[3 * width * row : 3 * width * (row + 1)] for row in range(height)]
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    data = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"".join(rows))) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + data


def make_small(folder: Path) -> None:
    """Photos of every layout, orientation and kind of profile, and some that are none."""
    folder.mkdir()
    for photo in [*LAYOUTS.glob("*.jpg"), *LAYOUTS.glob("*.png")]:
        shutil.copy(photo, folder)
    for name in ("ycbcr-2x2", "grey"):
        photo = (LAYOUTS / f"{name}.jpg").read_bytes()
        for orientation in range(1, 9):
            (folder / f"{name}-turned-{orientation}.jpg").write_bytes(turned(photo, orientation))
        for space in (b"RGB ", b"GRAY"):
            path = folder / f"{name}-{space.decode().strip().lower()}-profile.jpg"
            path.write_bytes(profiled(photo, matrix_profile(2.2, space)))
    whole = (LAYOUTS / "ycbcr-2x2.jpg").read_bytes()
    (folder / "cut-off.jpg").write_bytes(whole[: len(whole) * 2 // 3])
    (folder / "empty.jpg").write_bytes(b"")
    (folder / "text.txt").write_text("no photo\n")


def make_few(folder: Path) -> None:
    """Some of these photos, in two folders."""
    (folder / "deeper").mkdir(parents=True)
    for name in FEW:
        shutil.copy(LAYOUTS / name, folder)
    shutil.copy(LAYOUTS / "ycbcr-4x1.jpg", folder / "deeper")


def make_damaged(folder: Path) -> None:
    """Photos that are cut off, that have wrong bytes, and those that fuzzing kept."""
    folder.mkdir()
    names = ["ycbcr-2x2.jpg", "progressive.jpg", "grey.jpg", "ycck.jpg", "metadata.jpg", "rgb-8.png"]
    for name in [*names, "rgba-16-interlaced.png", "palette-4.png"]:
        whole = (LAYOUTS / name).read_bytes()
        for part in range(1, 10):
            (folder / f"cut-{part}-{name}").write_bytes(whole[: len(whole) * part // 10])
        for part in range(24):
            damaged = bytearray(whole)
            damaged[len(whole) * part // 24] ^= 0x11 << part % 4
            (folder / f"flipped-{part}-{name}").write_bytes(damaged)
        (folder / f"longer-{name}").write_bytes(whole + b"more")
    for photo in LAYOUTS.iterdir():
        if photo.is_file() and not photo.suffix:
            shutil.copy(photo, folder / f"fuzzed-{photo.name}")


def make_files(folder: Path) -> None:
    """What filters and recipes read."""
    folder.mkdir()
    (folder / "five.json").write_text(json.dumps(RECIPE))
    (folder / "one.json").write_text('{"filters": "fade+grain", "quality": 70}')
    (folder / "no-json.json").write_text('{"filters": ')
    (folder / "unknown-key.json").write_text('{"filter": "sepia"}')
    (folder / "no-outputs.json").write_text('{"outputs": {}}')
    (folder / "bad-name.json").write_text('{"outputs": {"../a": {"filters": "sepia"}}}')
    steps = [(red, green, blue) for blue in (0, 1, 2) for green in (0, 1, 2) for red in (0, 1, 2)]
    rows = [f"{red / 2} {green / 3} {(blue + red) / 4}" for red, green, blue in steps]
    (folder / "colours.cube").write_text("LUT_3D_SIZE 3\n" + "\n".join(rows) + "\n")
    (folder / "curve.cube").write_text("LUT_1D_SIZE 3\n0 0 0.1\n0.4 0.5 0.6\n1 0.9 0.8\n")
    (folder / "broken.cube").write_text("LUT_3D_SIZE 3\n0 0 0\n")
    grey = [(row // 8 * 36, row % 8 * 36, step * 4) for row in range(64) for step in range(64)]
    hald = [min(255, 255 - red // 2 + blue // 9) for colour in grey for red, blue in [(colour[0], colour[2])]]
    (folder / "hald.png").write_bytes(png(64, 64, bytes(value for value in hald for _ in range(3))))
    (folder / "mark.png").write_bytes((LAYOUTS / "rgba-8.png").read_bytes())
    shutil.copy(ROOT / "Examples/Sources/GlowKernel/glow.cl", folder)


def make_sources(folder: Path) -> None:
    """Makes all photos and files."""
    make_small(folder / "small")
    make_few(folder / "few")
    make_damaged(folder / "damaged")
    make_files(folder / "files")
    real = subprocess.run(
        [ROOT / "scripts/fetch-photos"], check=True, stdout=subprocess.PIPE, text=True
    ).stdout
    (folder / "real").mkdir()
    for photo in sorted((ROOT / real.strip()).glob("*.jpg"))[:12]:
        shutil.copy(photo, folder / "real")
    for path in folder.rglob("*"):
        os.utime(path, (PHOTO_TIME, PHOTO_TIME))
