"""Who is measured, with which filters, and how each does them."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

from commands import COMMANDS

HERE = Path(__file__).parent
FOLDER = Path(".build/peers")
FILTERS = ("sepia", "noir", "tilt-shift")


@dataclass(frozen=True)
class Form:
    """One way in which a peer does a filter."""

    # As the peer's script knows it.
    recipe: str
    filter: str
    how: str
    # Photos a run, where all of them would take too long; speeds are a megapixel's either way.
    photo_limit: int | None = None
    note: str = ""


@dataclass(frozen=True)
class Peer:
    name: str
    command: list
    version_command: list
    forms: list[Form]
    # Filters that it does not do, and why.
    lacks: dict[str, str]

    def version(self) -> str | None:
        """What the peer says of itself; None where it is not there."""
        try:
            result = subprocess.run(self.version_command, capture_output=True, text=True)
        except OSError:
            return None
        return result.stdout.strip() if result.returncode == 0 else None


def all_peers() -> list[Peer]:
    python, simd = FOLDER / "venv/bin/python", FOLDER / "venv-simd/bin/python"
    return [
        _library("OpenCV", python, "opencv.py", _opencv()),
        _library("libvips", python, "vips.py", _vips()),
        _library("Pillow", python, "pillow.py", _pillow()),
        _library("Pillow-SIMD", simd, "pillow.py", _pillow()),
        _command("GraphicsMagick", lacks={"noir": "it has no sigmoid curve"}),
        _command("ImageMagick"),
        _command("GEGL", lacks={"noir": "it has no sigmoid curve over sRGB-encoded values"}),
    ]


def _library(name: str, python: Path, script: str, forms: list[Form]) -> Peer:
    command = [python, HERE / script]
    return Peer(name, command, [*command, "versions"], forms, {})


def _command(name: str, lacks: dict[str, str] = {}) -> Peer:
    command = ["/usr/bin/python3", HERE / "commands.py"]
    stem = name.lower()
    forms = []
    for filter_ in FILTERS:
        text = COMMANDS.get(f"{stem}/{filter_}")
        if text:
            isSlow = name == "GEGL" or filter_ == "tilt-shift"
            light = "" if filter_ != "tilt-shift" else "linear light" if name == "GEGL" else "gamma"
            note = ", ".join(filter(None, [light, "4:4:4" if name == "GEGL" else ""]))
            forms.append(Form(f"{stem}/{filter_}", filter_, f"`{text}`", 4 if isSlow else None, note))
    return Peer(name, command, [*command, "versions", stem], forms, lacks)


def _opencv() -> list[Form]:
    blur = "`imread`; of the rows outside the band: {}; `imwrite`"
    return [
        Form("sepia", "sepia", "`imread`, `transform` with a 3 x 3 matrix, `imwrite`"),
        Form("noir", "noir", "`imread`, `transform` with a 1 x 3 matrix, `LUT`, `imwrite`"),
        Form("noir-grey", "noir", "`imread(IMREAD_GRAYSCALE)`, `LUT`, `imwrite`",
             note="luma of BT.601, as decoded"),
        Form("tilt-shift", "tilt-shift", blur.format("`GaussianBlur` of bytes, `blendLinear`"), note="gamma"),
        Form("tilt-shift-linear", "tilt-shift",
             blur.format("`LUT` to linear floats, `GaussianBlur`, `blendLinear`, a table of 65536 back"),
             8, "linear light"),
    ]


def _vips() -> list[Form]:
    blur = "sequential; {}`gaussblur`, `ifthenelse(blend=True)` with a mask{}; `jpegsave`"
    return [
        Form("sepia", "sepia", "sequential; `recomb`, `cast`, `jpegsave`"),
        Form("noir", "noir", "sequential; `recomb` to one band, `cast`, `maplut`, `jpegsave`"),
        Form("tilt-shift", "tilt-shift", blur.format("", ""), note="gamma"),
        Form("tilt-shift-linear", "tilt-shift",
             blur.format("`maplut` to linear 16 bits, ", ", `maplut` back"), 8, "linear light"),
    ]


def _pillow() -> list[Form]:
    blur = "of the rows outside the band: `GaussianBlur` (three box blurs), `composite` with a mask; `save`"
    return [
        Form("sepia", "sepia", "`convert(\"RGB\", matrix)`, `save`"),
        Form("noir", "noir", "`convert(\"L\", matrix)`, `point`, `save`"),
        Form("noir-grey", "noir", "`draft(\"L\")`, `point`, `save`", note="luma of BT.601, as decoded"),
        Form("tilt-shift", "tilt-shift", blur, note="gamma"),
    ]
