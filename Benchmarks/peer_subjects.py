"""The peers' recipes as subjects, and how their photos are compared with the tool's."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageChops, ImageStat

from measuring import Subject
from subjects import HERE, OUTPUT

# The largest mean difference of samples (0 to 255) from the tool's photo. Other luma weights, a blur in gamma
# and another encoder stay below it; an unfiltered photo does not.
TOLERANCE = 3.0

_python = ".build/peers/venv/bin/python"
# For each peer, the Python that has its packages, and its module in peers/.
PEERS = {
    "OpenCV": (_python, "opencv"),
    "libvips": (_python, "vips"),
    "Pillow": (_python, "pillow"),
    "Pillow-SIMD": (".build/peers/venv-simd/bin/python", "pillow"),
    "GraphicsMagick": ("/usr/bin/python3", "graphicsmagick"),
    "ImageMagick": ("/usr/bin/python3", "imagemagick"),
    "GEGL": ("/usr/bin/python3", "gegl"),
}


@dataclass(frozen=True)
class Peer:
    name: str
    command: list
    version: str
    recipes: list[dict]
    # Why it does not do a filter, by the filter's name.
    lacks: dict[str, str]

    def subject(self, recipe: dict, photos: list[Path], jobs: int, suffix: str = ".jpg") -> Subject:
        taken = photos[: recipe["photo_limit"]]
        return Subject(
            ", ".join(filter(None, [self.name, recipe["filter"], recipe["note"]])),
            [*self.command, recipe["name"], str(jobs), OUTPUT, suffix, *taken],
            len(taken),
            recipe["filter"],
            recipe["how"],
            prints_seconds=True,
            suffix=suffix,
        )


def installed(names: Iterable[str]) -> tuple[list[Peer], list[str]]:
    """The peers that are installed, and a sentence about each other one."""
    peers, missing = [], []
    for name in names:
        python, module = PEERS[name]
        command = [python, HERE / "peers" / "pool.py", module]
        description = describe(command)
        if description is None:
            missing.append(f"{name} is not installed here")
        else:
            peers.append(Peer(name, command, **description))
    return peers, missing


def describe(command: list) -> dict | None:
    """A peer's version and recipes; None if it is not installed."""
    try:
        result = subprocess.run([*command, "describe"], capture_output=True, text=True)
    except OSError:
        return None
    return json.loads(result.stdout) if result.returncode == 0 else None


class Comparison:
    """Compares a photo of each subject with the tool's, so that nothing broken is measured."""

    def __init__(self, photo: Path) -> None:
        self.photo = photo
        # The tool's photo, by the filter's name.
        self.own: dict[str, Image.Image] = {}
        # Mean difference from the tool's photo, by the subject's name.
        self.differences: dict[str, float] = {}

    def check(self, subject: Subject) -> None:
        if subject.filter is None:
            return
        with Image.open(OUTPUT / self.photo.with_suffix(subject.suffix).name) as image:
            pixels = image.convert("RGB")
        # In the warm-up round, the tool comes before the peers.
        own = self.own.setdefault(subject.filter, pixels)
        difference = sum(ImageStat.Stat(ImageChops.difference(own, pixels)).mean) / 3
        if difference > TOLERANCE:
            sys.exit(f"error: '{subject.name}' differs from the tool's photo by {difference:.1f} on average.")
        self.differences[subject.name] = difference
