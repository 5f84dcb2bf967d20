#!/usr/bin/env python3
"""Tests Tintype under schedulers: run.py TINTYPE [TEST...]

Tests are the names below; without one, all that are not short. Each prints lines of figures, and ends all
that it has started.
"""

from __future__ import annotations

import argparse
import contextlib
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import kubernetes
import parallel
import processes
import s3
import slurm_runs
from batch import ROOT, Photos, Tool
from checks import TestFailedError

FOLDER = ROOT / ".build/cluster"
# Each gets the tool, the photos, an empty folder of its own, and whether network namespaces are to be used.
TESTS: dict[str, Callable[[Tool, Photos, Path, bool], None]] = {
    "slurm": slurm_runs.run,
    "slurm-short": slurm_runs.run_short,
    "parallel": parallel.run,
    "kubernetes": kubernetes.run,
    "s3": s3.run,
}


def main() -> int:
    parser = argparse.ArgumentParser(description="Tests Tintype under schedulers.")
    parser.add_argument("tintype", type=Path)
    parser.add_argument(
        "tests", nargs="*", metavar="test", help=f"of {', '.join(TESTS)}; all but short ones by default"
    )
    parser.add_argument("--without-namespaces", action="store_true", help="cut no node off from the network")
    options = parser.parse_args()
    names = options.tests or [name for name in TESTS if not name.endswith("-short")]
    if unknown := [name for name in names if name not in TESTS]:
        parser.error(f"there is no test {unknown[0]}; there are {', '.join(TESTS)}")
    # Ends the test in order, as Ctrl-C does.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    processes.adopt_orphans()
    failed = 0
    try:
        tool = Tool(options.tintype, empty(FOLDER / "tool"))
        photos = Photos(tool, FOLDER)
        for name in names:
            failed += not passes(name, tool, photos, not options.without_namespaces)
    except TestFailedError as failure:
        print(f"error: {failure}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    finally:
        processes.end_all()
    print(f"{len(names) - failed} passed, {failed} failed")
    return 1 if failed else 0


def passes(name: str, tool: Tool, photos: Photos, namespaces: bool) -> bool:
    folder = empty(FOLDER / name)
    try:
        TESTS[name](tool, photos, folder, namespaces)
    except TestFailedError as failure:
        print(f"{name} FAILED: {failure}\n  What it left is in {folder}.", flush=True)
        return False
    finally:
        with contextlib.suppress(TestFailedError):
            processes.end_all()
    shutil.rmtree(folder)
    return True


def empty(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


if __name__ == "__main__":
    sys.exit(main())
