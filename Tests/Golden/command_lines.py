"""A golden run: commands of the tool."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Run:
    """A command of the tool, or of a script that takes the tool."""

    arguments: list[str]
    stdin: str | None = None
    script: str | None = None


@dataclass(frozen=True)
class Case:
    """Commands, and changes between them, in an empty folder that has links to `photos` and `files`.

    `needs` names a level of the processor, or OpenCL; where it is missing, the case is left out.
    """

    name: str
    steps: list[Run | Callable[[Path], None]]
    photos: str = "small"
    needs: str = ""


def apply(*arguments: str, photos: str = "photos", out: str = "out", stdin: str | None = None) -> Run:
    """Filters photos into a folder. Lines of progress depend on the time, and are left out."""
    common = ["apply", "--progress", "none"]
    jobs = [] if "-j" in arguments else ["-j", "2"]
    # A driver that compiles while the machine is busy is slow.
    device = ["--device-timeout", "300"] if "0.0" in arguments else [] if "-d" in arguments else ["-d", "cpu"]
    output = ["-o", out] if out else []
    return Run([*common, *jobs, *device, *output, *arguments, *photos.split()], stdin)


def applied(name: str, *arguments: str, photos: str = "small", needs: str = "") -> Case:
    """A case of one command."""
    return Case(name, [apply("--json", "-v", *arguments)], photos, needs)
