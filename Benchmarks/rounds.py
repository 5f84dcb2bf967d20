"""Running what is measured: the floor, the tool and its peers, round by round, over the same photos."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Callable

from report import Run, Subject

HERE = Path(__file__).parent
WORK = Path(".build/benchmark")
CHAINS = {
    "nothing": "sepia:intensity=0",
    "sepia": "sepia",
    "noir": "noir",
    "tilt-shift": "tilt-shift:radius=8,band=0.2,falloff=0.2,transition=mix",
    "tilt-shift lens": "tilt-shift:radius=8,band=0.2,falloff=0.2,transition=lens",
}


def prepare() -> tuple[Path, list[Path], Path]:
    """Builds the floor's program and makes the photos, where they are not there yet."""
    WORK.mkdir(parents=True, exist_ok=True)
    floor, source = WORK / "jpeg_floor", HERE / "floor" / "jpeg_floor.c"
    if not floor.exists() or floor.stat().st_mtime < source.stat().st_mtime:
        subprocess.run(["gcc", "-std=gnu11", "-O2", "-Wall", source, "-ljpeg", "-o", floor], check=True)
    fetch = subprocess.run([HERE.parent / "scripts" / "fetch-photos"], stdout=subprocess.PIPE, text=True)
    if fetch.returncode != 0:
        sys.exit(fetch.returncode)
    photos = WORK / "photos"
    subprocess.run([HERE / "make_photos.py", fetch.stdout.strip(), photos], check=True)
    return floor, sorted((photos / "set").glob("*.jpg")), photos / "large.jpg"


def floors(program: Path, photos: list[Path], output: Path, jobs: int) -> list[Subject]:
    return [
        Subject(f"floor, {mode}", [program, mode, str(jobs), output, *photos], len(photos))
        for mode in ("rgb", "planes")
    ]


def tool(
    tintype: Path, photos: list[Path], output: Path, jobs: int, device: str, keeps_journal: bool = True
) -> list[Subject]:
    options = ["-d", device, "-j", str(jobs), "-o", output, "--progress", "none"]
    options += [] if keeps_journal else ["--no-journal"]
    kind = "" if keeps_journal else ", no journal"
    return [
        Subject(f"{name}, {device}{kind}", [tintype, "apply", "-f", chain, *options, *photos], len(photos))
        for name, chain in CHAINS.items()
    ]


def run_rounds(
    subjects: list[Subject], output: Path, rounds: int, check: Callable[[Subject], None] = lambda subject: None
) -> dict[str, list[Run]]:
    """Runs everything once to warm up, then `rounds` times. `check` sees each subject's output of the warm-up."""
    print(f"{len(subjects)} subjects, {rounds} rounds; one to warm up", flush=True)
    runs: dict[str, list[Run]] = {subject.name: [] for subject in subjects}
    for round_ in range(rounds + 1):
        # Every round begins with another subject, so that none always follows the same one.
        start = round_ % len(subjects)
        for subject in subjects[start:] + subjects[:start]:
            run = measure(subject, output)
            if round_ > 0:
                runs[subject.name].append(run)
            else:
                check(subject)
        print("." if round_ > 0 else "warm", end="", flush=True)
    print(flush=True)
    return runs


def measure(subject: Subject, output: Path) -> Run:
    """Runs a subject into an empty folder; ends everything where it fails or leaves out a photo."""
    shutil.rmtree(output, ignore_errors=True)
    output.mkdir(parents=True)
    usage = WORK / "usage"
    # GNU time is small: a child's peak memory begins with that of the process which starts it, here Python's.
    command = ["/usr/bin/time", "--format=%U %S %M", f"--output={usage}", *subject.command]
    began = time.perf_counter()
    result = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, env={**os.environ, **subject.environment}
    )
    seconds = time.perf_counter() - began
    if result.returncode != 0:
        sys.exit(f"error: '{subject.name}' ended with {result.returncode}:\n{result.stderr.decode()}")
    written = len(list(output.glob("*.jpg")))
    if written != subject.photo_count:
        sys.exit(f"error: '{subject.name}' wrote {written} photos instead of {subject.photo_count}.")
    if subject.tells_seconds:
        seconds = float(result.stdout)
    user, system, kilobytes = usage.read_text().split()
    return Run(seconds, float(user) + float(system), int(kilobytes) / 1024)
