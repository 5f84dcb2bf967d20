"""Golden runs of one command: every filter, option and device, recipes, damaged photos."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

from command_lines import Case, applied

# Chains with every kind of stage, for devices and options.
CHAINS = [
    "sepia",
    "noir",
    "tilt-shift",
    "tilt-shift:transition=mix,radius=6",
    "blur:radius=9",
    "median:size=5",
]
CHAINS += ["resize:long=16", "crop:aspect=1:1+border:size=2", "exposure+vignette+fade", "bloom+sharpen"]
OPTIONS = {
    "jpeg": ["--format", "jpeg"],
    "png": ["--format", "png"],
    "quality": ["--quality", "55"],
    "max-bytes": ["--max-bytes", "900"],
    "strip": ["--strip"],
    "to-srgb": ["--to-srgb"],
    "auto-orient": ["--auto-orient"],
    "scale": ["--scale", "0.5"],
    "optimize": ["--optimize"],
    "restart-rows": ["--restart-rows", "1"],
    "png-level": ["--png-level", "fast", "--format", "png"],
    "progressive": ["--progressive"],
    "lenient": ["--lenient"],
    "libjpeg": ["--jpeg-codec", "libjpeg"],
    "jpeg, all": [
        "--strip",
        "--to-srgb",
        "--auto-orient",
        "--scale",
        "0.5",
        "--optimize",
        "--format",
        "jpeg",
    ],
    "png, all": ["--to-srgb", "--auto-orient", "--format", "png"],
}
# Instruction sets of the CPU: of the codec, and of the kernels.
LEVELS = {
    "baseline": ["--simd-level", "baseline", "-d", "cpu.baseline"],
    "v3": ["--simd-level", "v3", "-d", "cpu.x86-64-v3"],
    "v4": ["--simd-level", "v4", "-d", "cpu.x86-64-v4"],
}
# Lengths are at most as many pixels: at the true maxima of `border` and `resize`, every photo would become
# one of 400 megapixels.
LONGEST = 64
VALUES = {"colour": ["#336699"], "curve": ["0/0.1_0.5/0.7_1/0.9"]}
FILES = {
    "lut": ["colours.cube", "curve.cube", "hald.png", "broken.cube"],
    "watermark": ["mark.png", "hald.png"],
}
TOGETHER = [
    "resize:width=40,height=20,fit=fill,enlarge=yes",
    "resize:width=40,height=20,fit=stretch,enlarge=yes",
    "resize:width=9,height=9,fit=stretch,kernel=box",
    "resize:long=64,enlarge=yes,kernel=catmull-rom",
    "resize:scale=50%,kernel=box+resize:scale=2,enlarge=yes",
    "crop:width=9,height=7,x=0,y=1",
    "crop:aspect=2:1,x=1+border:aspect=1:1,colour=#ff000080",
    "levels:black=0.2,white=0.7,gamma=2,output-black=0.1",
    "curves:master=0/1_1/0,red=0/0.2_1/1,blue=0/0_0.3/0.6_1/1",
    "tilt-shift:focus=0.1,band=0,falloff=1,transition=mix",
    "blur+blur:radius=3+sharpen:amount=2",
    "median+median:size=5+bloom",
    "exposure+contrast+saturate+hue-rotate+invert+gamma+vibrance+white-balance",
    "tintype+resize:long=20+grain+vignette",
    "auto-orient",
]


def settings(tool: Path) -> Iterator[str]:
    """Every filter with its defaults, and with each setting at its ends and between them."""
    described = subprocess.run([tool, "filters", "--json"], check=True, stdout=subprocess.PIPE)
    for described_filter in json.loads(described.stdout):
        name, parameters = described_filter["name"], described_filter["parameters"]
        file = f"file=files/{FILES[name][0]}" if name in FILES else ""
        yield f"{name}:{file}".rstrip(":")
        for other in FILES.get(name, [])[1:]:
            yield f"{name}:file=files/{other}"
        for parameter in parameters:
            for value in values(parameter):
                yield f"{name}:" + ",".join(filter(None, [file, f"{parameter['name']}={value}"]))
    yield from TOGETHER


def values(parameter: dict) -> list[str]:
    """The values that a setting is tried with."""
    if parameter["kind"] != "number":
        return parameter.get("choices") or VALUES.get(parameter["kind"], [])
    least, most = parameter["minimum"], parameter["maximum"]
    is_length = parameter["unit"].startswith("px")
    if is_length:
        most = min(most, LONGEST)
    between = least + (most - least) * 3 / 8
    if parameter["unit"] != "fraction":
        between = round(between)
    return [f"{value:g}" for value in (least, between, most)] + ["4%"] * parameter["unit"].endswith("%")


def looks(tool: Path) -> Iterator[Case]:
    """Filters, options, devices and recipes."""
    chains = list(settings(tool))
    for text in chains:
        yield applied(f"filter {text}", "-f", text)
    for text in [text for text in chains if ":" not in text or text in CHAINS or "file=" in text]:
        yield applied(f"opencl, few, {text}", "-f", text, "-d", "0.0", photos="few", needs="opencl")
    for option, flags in OPTIONS.items():
        yield applied(f"option {option}", *flags)
        for text in dict.fromkeys([*CHAINS, *(text for text in chains if ":" not in text)]):
            yield applied(f"option {option}, {text}", *flags, "-f", text)
    for text in CHAINS:
        for level, flags in LEVELS.items():
            yield applied(f"level {level}, {text}", *flags, "-f", text, needs=level)
        yield applied(f"real, {text}", "-f", text, photos="real")
    for text in CHAINS[:5]:
        yield applied(f"opencl, {text}", "-f", text, "-d", "0.0", needs="opencl")
    yield applied("opencl, checked", "-f", "noir", "-d", "0.0", "--device-check", "100", needs="opencl")
    yield applied("opencl, in this process", "-f", "noir", "-d", "0.0", "--no-driver-process", needs="opencl")
    for option in ("scale", "jpeg, all"):
        yield applied(f"real, option {option}", *OPTIONS[option], photos="real")
    for name in ("web", "print", "looks", "files/five.json", "files/one.json"):
        for photos in ("small", "few", "damaged"):
            yield applied(f"recipe {name}, {photos}", "--recipe", name, photos=photos)
    yield applied("recipe web, real", "--recipe", "web", photos="real")
    yield applied(
        "recipe with OpenCL", "--recipe", "files/five.json", "-d", "0.0", photos="few", needs="opencl"
    )
    yield applied("recipe without journal", "--recipe", "files/five.json", "--no-journal")
    yield applied("restart-rows, optimize", "--restart-rows", "2", "--optimize", "-f", "sepia")
    yield applied("restart-rows, libjpeg", "--restart-rows", "2", "--jpeg-codec", "libjpeg", "-f", "sepia")
    yield applied("kernel", "--kernel", "files/glow.cl", "-f", "glow:amount=0.7", photos="few")


def damages() -> Iterator[Case]:
    """Damaged photos, and limits."""
    yield applied("damaged", "-f", "sepia", photos="damaged")
    for option in ("lenient", "png", "jpeg, all", "libjpeg"):
        yield applied(f"damaged, {option}", *OPTIONS[option], "-f", "fade", photos="damaged")
    yield applied("damaged, libjpeg, lenient", "--jpeg-codec", "libjpeg", "--lenient", photos="damaged")
    yield applied("limit of pixels", "--max-pixels", "500", "-f", "blur")
    yield applied("limit of pixels, turned", "--max-pixels", "900", "--auto-orient")
    yield applied("limit of scans", "--max-scans", "1", "-f", "blur")
    for limit in ("--max-photo-memory", "--memory"):
        yield applied(f"limit {limit}", limit, "16M", "--auto-orient", "-f", "blur:radius=90", photos="real")
        yield applied(f"limit {limit} too low", limit, "1M", "-f", "blur", photos="few")
