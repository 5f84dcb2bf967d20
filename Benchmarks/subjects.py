"""The photos, the codec floor and the tool's commands, which several benchmarks use."""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from make_photos import make_photos
from measuring import Subject

HERE = Path(__file__).parent
WORK = Path(".build/benchmark")
OUTPUT = WORK / "output"
CHAINS = {
    "nothing": "sepia:intensity=0",
    # As in CSS, which the peers have too.
    "sepia": "sepia:keep=none",
    "noir": "noir",
    "tilt-shift": "tilt-shift:radius=8,band=0.2,falloff=0.2,transition=mix",
    "tilt-shift lens": "tilt-shift:radius=8,band=0.2,falloff=0.2,transition=lens",
}


def options_of(parser: argparse.ArgumentParser, rounds: int, photos: int = 24) -> argparse.Namespace:
    """Adds the options that all benchmarks have, and reads the command line.

    `rounds` and `photos` are the defaults.
    """
    parser.add_argument("tintype", type=Path, help="the tool's release build")
    parser.add_argument("--rounds", type=int, default=rounds)
    parser.add_argument("--jobs", type=int, default=2, help="the tool's workers, and the others' processes")
    parser.add_argument("--device", action="append", help="what the tool runs on; may repeat (default: cpu)")
    parser.add_argument(
        "--photos", type=int, default=photos, help="photos a run, at most 24 (default: %(default)s)"
    )
    parser.add_argument("--name", help="the machine's name in the results (default: from its CPU)")
    options = parser.parse_args()
    options.device = options.device or ["cpu"]
    return options


def prepare(count: int) -> tuple[list[Path], Path]:
    """Makes the photos and the floor's program. Returns `count` photos of the set, and the large one."""
    fetch = subprocess.run([HERE.parent / "scripts" / "fetch-photos"], stdout=subprocess.PIPE, text=True)
    if fetch.returncode != 0:
        sys.exit(fetch.returncode)
    WORK.mkdir(parents=True, exist_ok=True)
    subprocess.run([HERE / "floor" / "build", WORK / "jpeg_floor"], check=True)
    photos, large = make_photos(Path(fetch.stdout.strip()), WORK / "photos")
    return photos[:count], large


def floors(photos: list[Path], jobs: int) -> list[Subject]:
    return [
        Subject(f"floor, {mode}", [WORK / "jpeg_floor", mode, str(jobs), OUTPUT, *photos], len(photos))
        for mode in ("rgb", "planes")
    ]


def flags(device: str, jobs: int, keeps_journal: bool) -> list:
    """Those of each run of the tool."""
    journal = [] if keeps_journal else ["--no-journal"]
    return ["-d", device, "-j", str(jobs), "-o", OUTPUT, "--progress", "none", *journal]


def tool(
    tintype: Path, photos: list[Path], jobs: int, device: str, keeps_journal: bool = True
) -> dict[str, Subject]:
    """The tool with each chain, by the chain's name."""
    options = flags(device, jobs, keeps_journal)
    kind = "" if keeps_journal else ", no journal"
    return {
        name: Subject(
            f"{name}, {device}{kind}",
            [tintype, "apply", "-f", chain, *options, *photos],
            len(photos),
            how=f"`tintype apply -f {chain} -d {device}`",
        )
        for name, chain in CHAINS.items()
    }


def variants(tintype: Path, photos: list[Path], jobs: int, device: str) -> list[Subject]:
    """Half the size, and sepia with other codecs and codes; without a journal."""
    options = flags(device, jobs, keeps_journal=False)
    return [
        Subject(f"{name}, {device}, no journal", [tintype, "apply", *own, *options, *photos], len(photos))
        for name, own in {
            "half size": ["--scale", "0.5"],
            "sepia, optimal codes": ["-f", "sepia", "--optimize"],
            "sepia, libjpeg's codec": ["-f", "sepia", "--jpeg-codec", "libjpeg"],
            "sepia, AVX2 codec": ["-f", "sepia", "--simd-level", "v3"],
        }.items()
    ]
