#!/usr/bin/env python3
"""Computes what an H100 could reach with Tintype's kernels, and writes Benchmarks/roofline.md.

usage: Benchmarks/roofline/roofline.py TINTYPE

TINTYPE filters a made photo with PoCL, OpenCL on the CPU, while a layer writes down each launch (launches.c).
The programs of these launches are compiled for sm_90, and their instructions are counted.
"""

import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "gpu"))

from toolchain import PACKAGES, Kernel, Toolchain, fail, run  # noqa: E402

PAGE = ROOT / "Benchmarks" / "roofline.md"
SCRATCH = ROOT / ".build" / "roofline"
WIDTH, HEIGHT = 4000, 3000
ARCHITECTURE = "sm_90"
OPTIONS = "-cl-std=CL1.2"

CHAINS = {
    "sepia": ["sepia:keep=none"],
    "noir": ["noir"],
    "five point filters": [
        "exposure:stops=0.5",
        "white-balance:temperature=20",
        "contrast",
        "vibrance",
        "vignette",
    ],
    "tilt-shift, mix": ["tilt-shift:radius=8,band=0.2,falloff=0.2,transition=mix"],
    "tilt-shift, lens": ["tilt-shift"],
    "resize to 70 %": ["resize:scale=70%"],
    "median 3 x 3": ["median"],
}


@dataclass
class GPU:
    """A datasheet's peaks."""

    name: str
    # A fused multiply-add counts as two. A kernel that must not fuse gets one operation for an instruction.
    teraflops: float
    terabytes: float

    @property
    def instructions(self) -> float:
        return self.teraflops * 1e12 / 2


GPUS = (GPU("H100 SXM", 67, 3.35), GPU("H100 PCIe", 51, 2.0))
# Seconds of a launch, and gigapixels a second of one core's codecs; see the page.
LAUNCH_SECONDS = 5e-6
CORE_GIGAPIXELS = 0.3
# Bytes a second in each direction, of 16 lanes.
LINKS = {"PCIe 5": 64e9, "PCIe 4": 32e9}


@dataclass
class Tap:
    """How often a kernel's loop runs: a parameter's place in its struct, or pairs of a factor."""

    loads: int
    parameter: int | None = None
    # Loops of this kind in a work-item: of resize_x, one for each plane.
    loops: int = 1


# See kernels_params.h.
TAPS = {
    "blur_along_x": Tap(3, 4),
    "blur_along_y": Tap(3, 3),
    "resize_y": Tap(2, 4),
    "resize_x": Tap(2, 3, loops=3),
    "downsample_along_x": Tap(3),
    "downsample_along_y": Tap(3),
}


@dataclass
class Work:
    """What a chain does, for the whole photo."""

    instructions: float = 0
    # To and from the GPU's memory, if caches serve every value that is read again.
    memory_bytes: float = 0
    upload_bytes: float = 0
    download_bytes: float = 0
    launches: int = 0


def loop_cost(kernel: Kernel, tap: Tap) -> float:
    """Instructions of a turn of the loop that runs most: the one with fewest for each value loaded."""

    def cost(loop: list) -> float:
        loads = sum(each.operation.startswith("LDG") for each in loop)
        return len(loop) * tap.loads / loads if loads else float("inf")

    return min(cost(loop) for loop in kernel.loops)


def instructions(kernel: Kernel, text: str, parameters: list[int]) -> float:
    """Instructions of a work-item. All branches count, so it is an upper estimate but for rare edges."""
    if not kernel.loops:
        return kernel.size
    if kernel.name not in TAPS:
        fail(f"{kernel.name} has a loop, and the script does not know how often it runs")
    tap = TAPS[kernel.name]
    if tap.parameter is None:
        turns = (3 * int(re.search(r"#define FACTOR (\d+)", text)[1]) - 2) // 2
    else:
        turns = parameters[tap.parameter]
    outside = kernel.size - sum(len(loop) for loop in kernel.loops)
    return outside + turns * tap.loops * loop_cost(kernel, tap)


def stored_bytes(kernel: Kernel) -> int:
    """Bytes that a work-item stores."""
    total = 0
    for each in kernel.instructions:
        if each.operation.startswith("STG"):
            width = re.search(r"\.(64|128|U8|U16|S8|S16)\b", each.operation)
            total += {"64": 8, "128": 16, "U8": 1, "S8": 1, "U16": 2, "S16": 2}[width[1]] if width else 4
    return total


def launches(tintype: str, layer: Path, filters: list[str], photo: Path) -> Path:
    """Filters the photo.

    Returns: the folder with the launches and their programs.
    """
    folder = Path(tempfile.mkdtemp(dir=SCRATCH))
    environment = {
        **os.environ,
        "OPENCL_LAYERS": str(layer),
        "OPENCL_LAUNCHES": str(folder),
        "OCL_ICD_VENDORS": "/etc/OpenCL/vendors/pocl.icd",
        "POCL_DEVICES": "pthread",
        "POCL_CACHE_DIR": str(ROOT / ".build" / "pocl-cache"),
        "TINTYPE_CONFIG": "/dev/null",
    }
    options = [option for each in filters for option in ("-f", each)]
    command = [
        tintype,
        "apply",
        "--no-journal",
        "--overwrite",
        "-d",
        "0",
        *options,
        "-o",
        folder / "out",
        photo,
    ]
    subprocess.run(command, env=environment, check=True, capture_output=True)
    return folder


def work(toolchain: Toolchain, folder: Path) -> Work:
    total = Work()
    kernels: dict[tuple[str, str], Kernel] = {}
    texts: dict[str, str] = {}
    for file in folder.glob("*.cl"):
        texts[file.stem] = file.read_text()
        for kernel in toolchain.compile(file, ARCHITECTURE, OPTIONS).kernels:
            kernels[file.stem, kernel.name] = kernel
    strips = 0.0
    for line in (folder / "launches").read_text().splitlines():
        program, name, *numbers = line.split()
        columns, rows, planes, *parameters = map(int, numbers)
        kernel, text, items = kernels[program, name], texts[program], columns * rows * planes
        total.launches += 1
        total.instructions += items * instructions(kernel, text, parameters)
        stored = items * stored_bytes(kernel)
        is_strip = "#define OUT_YCC" in text or "#define OUT_CHANNELS" in text
        # What a kernel stores for another one is read once.
        total.memory_bytes += stored if is_strip else 2 * stored
        total.download_bytes += stored if is_strip else 0
        if "#define IN_YCC" in text:
            strips += 1.5 * parameters[0] * parameters[1]
    total.memory_bytes += strips
    total.upload_bytes = 1.5 * WIDTH * HEIGHT
    return total


def speeds(work: Work, gpu: GPU) -> dict[str, float]:
    """Megapixels of the photo a second, by what limits them."""
    pixels = WIDTH * HEIGHT / 1e6
    copied = max(work.upload_bytes, work.download_bytes)
    return {
        "instructions": pixels * gpu.instructions / work.instructions,
        "memory": pixels * gpu.terabytes * 1e12 / work.memory_bytes,
        **{link: pixels * bandwidth / copied for link, bandwidth in LINKS.items()},
    }


def table(works: dict[str, Work]) -> list[str]:
    pixels = WIDTH * HEIGHT
    return [
        "| chain | instructions | bytes of GPU memory | instructions a byte | bytes up, down | launches |",
        "|---|--:|--:|--:|--:|--:|",
    ] + [
        f"| {chain} | {each.instructions / pixels:.0f} | {each.memory_bytes / pixels:.1f} "
        f"| {each.instructions / each.memory_bytes:.1f} "
        f"| {each.upload_bytes / pixels:.2f}, {each.download_bytes / pixels:.2f} | {each.launches} |"
        for chain, each in works.items()
    ]


def table_of_limits(works: dict[str, Work], gpu: GPU) -> list[str]:
    lines = [
        "| chain | instructions | memory | PCIe 5 x16 | PCIe 4 x16 | limit of kernels | limit of all |",
        "|---|--:|--:|--:|--:|---|---|",
    ]
    for chain, each in works.items():
        speed = speeds(each, gpu)
        kernels = min(("instructions", "memory"), key=speed.__getitem__)
        whole = min(("instructions", "memory", "PCIe 5"), key=speed.__getitem__)
        cells = " | ".join(f"{speed[name] / 1e3:.0f}" for name in ("instructions", "memory", *LINKS))
        lines.append(f"| {chain} | {cells} | {kernels} | {whole} |")
    return lines


def table_of_cores(works: dict[str, Work]) -> list[str]:
    lines = [
        "| chain | kernels and PCIe 5, GP/s | launches, GP/s | cores that decode and encode as much |",
        "|---|--:|--:|--:|",
    ]
    for chain, each in works.items():
        speed = speeds(each, GPUS[0])
        limit = min(speed[name] for name in ("instructions", "memory", "PCIe 5")) / 1e3
        launched = WIDTH * HEIGHT / 1e9 / (each.launches * LAUNCH_SECONDS)
        cores = min(limit, launched) / CORE_GIGAPIXELS
        lines.append(f"| {chain} | {limit:.0f} | {launched:.0f} | {cores:.0f} |")
    return lines


def page(works: dict[str, Work], version: str) -> str:
    assembler = PACKAGES[0].replace("==", " ")
    lines = [
        "# Roofline",
        "",
        "**Computed, not measured.** No GPU was used. `make roofline` writes this page, from machine",
        "code for sm_90 and the peaks of NVIDIA's datasheets. It tells what a GPU cannot exceed, not what it",
        "reaches.",
        "",
        f"A JPEG of {WIDTH} x {HEIGHT}, 4:2:0. Compiled by clang {version} and {assembler}.",
        "",
        "## Work for each pixel of the photo",
        "",
        *table(works),
    ]
    for gpu in GPUS:
        balance = gpu.instructions / (gpu.terabytes * 1e12)
        lines += [
            "",
            f"## {gpu.name}: gigapixels a second, at most",
            "",
            f"{gpu.teraflops} TFLOPS of FP32 count a fused multiply-add as two: "
            f"{gpu.instructions / 1e12:.1f} T instructions a second. Memory: {gpu.terabytes} TB/s.",
            f"Above {balance:.0f} instructions a byte, instructions limit the kernels; below, memory does.",
            "",
            *table_of_limits(works, gpu),
        ]
    return "\n".join(lines) + "\n" + READING + "\n".join(table_of_cores(works)) + "\n" + CONCLUSION


READING = """
## Why

- **PCIe.** A photo crosses it twice, in both directions at once, so the larger direction counts. 64 and
  32 GB/s are the peaks of one direction of 16 lanes. Point filters need so few instructions that the link
  limits them.
- **Instructions** count one issue slot each. Kernels must not fuse a multiplication and an addition, or
  bytes would differ from the CPU's, so half of the datasheet's peak is out of reach. All branches of a
  kernel count, and a loop's cheapest form as often as its parameters say.
- **Memory.** Caches serve every value that is read again, and what one kernel writes for another is read
  once, so these are the fewest bytes. Blurs, resamplings and windows pass planes of floats, 12 bytes a
  pixel, from kernel to kernel.
- Launches, latency, occupancy and the host's codecs are not part of it.

## What follows

A core decodes, filters in sepia and encodes a gigapixel in 4 s ([measured](results/amd-epyc-2-cores.md)), so
its codecs alone reach about 0.3 gigapixels a second. A launch is taken as 5 microseconds, one after the
other, which is assumed. The H100 SXM:

"""

CONCLUSION = """
So where the CPU decodes and encodes, codecs limit on machines with less than some 50 cores a GPU, whatever
the kernels do. What would only make kernels or copies faster (wider accesses, chroma by the cell, repairs at
edges only, fewer bytes up) cannot be seen there. Fewer launches can, with many cores and blurs:
`tintype devices --tune` measures higher strips.

JPEGs that the GPU decodes and encodes itself need no cores for that, cross the link compressed, and pass
the filters with more rows at once, so in fewer launches. The codec's kernels are not counted here: their
work is by the bits of a photo. [Measured](results/nvidia-h200-codec.md) on an H200.
"""


def main() -> int:
    SCRATCH.mkdir(parents=True, exist_ok=True)
    toolchain = Toolchain()
    layer = SCRATCH / "launches.so"
    run("gcc", "-shared", "-fPIC", "-O1", "-o", layer, Path(__file__).with_name("launches.c"))
    photo = SCRATCH / "photo.jpg"
    # Its content does not matter to the kernels' work.
    script = f"""from PIL import Image
image = Image.effect_mandelbrot(({WIDTH}, {HEIGHT}), (-2, -1.5, 1, 1.5), 60).convert("RGB")
image.save({str(photo)!r}, quality=90, subsampling=2)"""
    run("/usr/bin/python3", "-c", script)
    works = {}
    for chain, filters in CHAINS.items():
        print(chain, flush=True)
        works[chain] = work(toolchain, launches(sys.argv[1], layer, filters, photo))
    version = re.search(r"clang version (\S+)", run("clang-19", "--version").stdout)[1]
    PAGE.write_text(page(works, version))
    return 0


if __name__ == "__main__":
    sys.exit(main())
