"""The golden runs: which commands the tool is run with."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from command_lines import Case
from folders import names, reruns, shards
from looks import damages, looks
from texts import lists, texts


def cases(tool: Path) -> Iterator[Case]:
    """All runs."""
    yield from looks(tool)
    yield from damages()
    yield from reruns()
    yield from shards()
    yield from names()
    yield from lists()
    yield from texts()
