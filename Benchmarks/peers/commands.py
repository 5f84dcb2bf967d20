"""Recipes that are shell commands, one process for each photo, and image files for their masks."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import recipes

WORK = Path(".build/benchmark/peers")
# Several processes with one thread each are faster than one process with several threads, for all peers.
ONE_THREAD = {"OMP_NUM_THREADS": "1", "MAGICK_THREAD_LIMIT": "1", "GEGL_THREADS": "1"}
SIZE = (4000, 3000)
MATRIX = " ".join(f"{value:.4f}" for row in recipes.sepia() for value in row)


def register(filter: str, command: str, note: str = "", photo_limit: int | None = None) -> None:
    """Makes a shell command with `{photo}` and `{output}` a recipe."""

    def run(photo: str, output: str) -> None:
        text = command.format(photo=shlex.quote(photo), output=shlex.quote(output))
        environment = os.environ | ONE_THREAD
        result = subprocess.run(["bash", "-o", "pipefail", "-c", text], capture_output=True, env=environment)
        if result.returncode != 0:
            raise OSError(f"{text} ended with {result.returncode}:\n{result.stderr.decode()}")

    run.__name__ = filter
    recipes.recipe(filter, f"`{command}`", note, photo_limit)(run)


def make_map(name: str, values: list[int], channels: int) -> Path:
    """A portable map whose rows have these values. Several processes may write it at once."""
    WORK.mkdir(parents=True, exist_ok=True)
    target, part = WORK / name, WORK / f"{name}.{os.getpid()}"
    header = f"P{5 if channels == 1 else 6}\n{SIZE[0]} {SIZE[1]}\n255\n".encode()
    part.write_bytes(header + b"".join(bytes([value]) * (SIZE[0] * channels) for value in values))
    part.rename(target)
    return target


def mask() -> Path:
    """The blur's share of each row, as a grey map."""
    return make_map("mask.pgm", [round(255 * share) for share in recipes.mask(SIZE[1])], channels=1)


def version_of(command: str) -> str:
    result = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    return result.stdout.strip() or sys.exit(f"not installed: {command}")
