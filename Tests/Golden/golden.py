#!/usr/bin/env python3
"""Runs the tool in hundreds of ways, and compares all that it writes and prints with what is recorded.

usage: golden.py TINTYPE                 fails if a run differs from manifest.txt beside this file
       golden.py TINTYPE --renew         records what this tool does
       golden.py TINTYPE --against OLD   runs two tools, and tells which files and texts differ

$GOLDEN, a regular expression, chooses runs by their names.

A line of the manifest has a hash of the photos that a run left, one of its texts (journals, messages, exit
codes), and the run's name. Times, and what depends on the machine, are left out (masks.py). The hashes hold
for Debian 12's libraries (libjpeg-turbo, libpng, zlib, LittleCMS). Runs that this machine cannot do are left
out: its processor may lack a level, or it may have no OpenCL.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from cases import cases
from command_lines import Case
from fixtures import make_sources
from looks import LEVELS
from running import Found, environment, run_case

MANIFEST = Path(__file__).with_name("manifest.txt")
MEMORY = Path("/dev/shm")
# Lines that are shown of a run that differs.
SHOWN = 30
# What the photos, and the outputs of the runs at work, need at most.
NEEDED_BYTES = 2 << 30


def missing(tool: Path, sources: Path) -> set[str]:
    """What runs may need and this machine does not have."""
    lacking = set()
    for level, flags in LEVELS.items():
        trial = [tool, "apply", *flags, "-f", "sepia", "--dry-run", sources / "few"]
        if subprocess.run(trial, env=environment(sources), capture_output=True).returncode:
            lacking.add(level)
    devices = subprocess.run([tool, "devices", "--json"], env=environment(sources), stdout=subprocess.PIPE)
    kinds = [device["kind"] for device in json.loads(devices.stdout)]
    return lacking if kinds == ["opencl-cpu", "opencl-cpu", "cpu"] else lacking | {"opencl"}


def describe(name: str, old: Found, new: Found) -> str | None:
    """The files and lines in which two runs differ."""
    lines = []
    for path in sorted(old.files.keys() | new.files.keys()):
        before, after = old.files.get(path, "-"), new.files.get(path, "-")
        if before != after:
            lines.append(f"  {path}: {before[:16]} is now {after[:16]}")
    for text in sorted(old.texts.keys() | new.texts.keys()):
        before, after = (found.texts.get(text, "").splitlines() for found in (old, new))
        lines += [f"  {text} - {line}" for line in before if line not in after]
        lines += [f"  {text} + {line}" for line in after if line not in before]
    if not lines and old.digests() != new.digests():
        lines.append("  lines are there more or less often")
    if len(lines) > SHOWN:
        lines[SHOWN:] = [f"  and {len(lines) - SHOWN} lines more"]
    return "\n".join([name, *lines]) if lines else None


def compare_tools(
    run: Callable[[Callable[[Case], str | None]], list[str | None]], tools: list[Path], sources: Path
) -> int:
    """Says in which runs two tools differ."""

    def difference(case: Case) -> str | None:
        new, old = (run_case(tool, case, sources) for tool in tools)
        return describe(case.name, old, new)

    results = run(difference)
    different = [text for text in results if text]
    print("\n".join([*different, f"{len(different)} of {len(results)} runs differ."]))
    return 1 if different else 0


def read_manifest() -> dict[str, str]:
    """The recorded hashes, by the runs' names."""
    if not MANIFEST.exists():
        return {}
    return {line[34:]: line[:33] for line in MANIFEST.read_text().splitlines()}


def compare(found: dict[str, str], recorded: dict[str, str]) -> int:
    """Says which runs differ from the record."""
    different = []
    for name in sorted(found.keys() | recorded.keys()):
        now, before = found.get(name), recorded.get(name)
        if now == before:
            continue
        if not now or not before:
            different.append(f"{name}: is {'not recorded' if now else 'recorded, but there is no such run'}")
            continue
        parts = zip(("photos", "texts"), now.split(), before.split(), strict=True)
        different.append(f"{name}: other {' and '.join(part for part, new, old in parts if new != old)}")
    print("\n".join([*different, f"{len(found)} runs, {len(different)} differ from {MANIFEST.name}."]))
    if different:
        print("`golden.py TINTYPE --against OLD` says in what, with the tool of an older commit.")
    return 1 if different else 0


def main() -> int:
    """Runs the cases, and returns the exit code."""
    tools = [Path(argument).resolve() for argument in sys.argv[1:] if not argument.startswith("--")]
    if MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > NEEDED_BYTES:
        tempfile.tempdir = str(MEMORY)
    processors = len(os.sched_getaffinity(0))
    with (
        tempfile.TemporaryDirectory(prefix="golden-sources-") as name,
        ThreadPoolExecutor(processors) as pool,
    ):
        sources = Path(name).resolve()
        make_sources(sources)
        every = list(cases(tools[-1]))
        wanted = re.compile(os.environ.get("GOLDEN", ""))
        lacking = missing(tools[-1], sources)
        able = [case for case in every if case.needs not in lacking]
        chosen = [case for case in able if wanted.search(case.name)]
        print(
            f"{len(chosen)} of {len(every)} runs; {len(every) - len(able)} cannot be done here.", flush=True
        )
        if "--against" in sys.argv:
            return compare_tools(lambda work: list(pool.map(work, chosen)), tools, sources)
        found = dict(
            zip(
                (case.name for case in chosen),
                pool.map(lambda case: run_case(tools[0], case, sources).digests(), chosen),
                strict=True,
            )
        )
    left_out = {case.name for case in every} - found.keys()
    recorded = read_manifest()
    if "--renew" in sys.argv:
        kept = {name: digests for name, digests in recorded.items() if name in left_out}
        lines = [f"{digests} {name}\n" for name, digests in sorted((kept | found).items())]
        MANIFEST.write_text("".join(lines))
        return 0
    return compare(found, {name: digests for name, digests in recorded.items() if name not in left_out})


if __name__ == "__main__":
    sys.exit(main())
