"""What of a run differs from time to time, or from machine to machine, and is left out of the comparison."""

from __future__ import annotations

import re
import socket
from pathlib import Path

# Times, speeds, memory, and the names of temporary files, in JSON.
VALUES = [
    "seconds",
    "megapixelsPerSecond",
    "outputsPerSecond",
    "secondsLeft",
    "peakMemoryBytes",
    "memoryBytes",
]
VALUES += ["modified", "inputModified", "time", "lastTime", "temporary", "host"]
VALUE = re.compile(rf'"({"|".join(VALUES)})" ?: ?("[^"]*"|[-0-9.e+]+)')
TEXTS = [
    (re.compile(r"\d+\.\d+ s\b"), "N s"),
    (re.compile(r"\d+(\.\d+)? (MP/s|a second)"), r"N \2"),
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"), "TIME"),
    (re.compile(r"\.tintype-\d+-\w+\.tmp"), "TEMPORARY"),
    (re.compile(r" +(\d+\.\d GiB|MEMORY) +"), " MEMORY "),
    # An Intel processor's name has (R) in it. The table of devices continues names on further lines.
    (re.compile(r'pthread-(\(R\)|[^)"\n])*(\n {40,}\S.*)*'), "DEVICE"),
    (re.compile(r'Portable Computing Language [^"\n]*'), "DRIVER"),
    (re.compile(r"^\d+\.\d+\.\d+( \(commit [^)]*\))?$", re.MULTILINE), "VERSION"),
    # The `{id}` of an output's template: a hash of the photo's path.
    (re.compile(r"\b[0-9a-f]{16}(?=-)"), "ID"),
    # A manifest has the paths of its folders, so its hash differs.
    (re.compile(r'("photos":\d+,"sha256":)"\w+"(,"type":"end")'), r'\1"HASH"\2'),
    (re.compile(r"\b[0-9a-f]{12}(-\d+-of-\d+)"), r"HASH\1"),
]
# PoCL's compiler says so of some programs, the first time.
COMPILER_NOTE = re.compile(r"^\d+ warnings? generated\.\n", re.MULTILINE)
LEVEL = re.compile(r"SIMD (baseline|x86-64-v\d)")
# The table of `status` is as wide as this machine's name.
STATUS_ROW = re.compile(r"^(shard|\d+/\d+) .*$", re.MULTILINE)
HOST = re.compile(rf"\b{re.escape(socket.gethostname().split('.')[0])}[\w.]*\b")
# The journal of a shard's run.
SHARD_JOURNAL = re.compile(r"[^/]+-\d+\.\d+-\d+-\w+\.jsonl$")


def steady(text: str, folder: Path, sources: Path, keeps_level: bool) -> str:
    """A text without times and paths of this run; its lines in order, since photos end in any order."""
    text = VALUE.sub(r'"\1":0', text.replace(str(folder), "FOLDER").replace(str(sources), "SOURCES"))
    text = COMPILER_NOTE.sub("", text)
    for pattern, replacement in TEXTS:
        text = pattern.sub(replacement, text)
    if not keeps_level:
        text = LEVEL.sub("SIMD LEVEL", text)
    text = STATUS_ROW.sub(lambda row: re.sub(" +", " ", HOST.sub("HOST", row[0])), text)
    return "\n".join(sorted(text.splitlines()))


def steady_name(name: str) -> str:
    """A file's name without the time and the process that are in it."""
    name = SHARD_JOURNAL.sub("RUN.jsonl", name)
    for pattern, replacement in TEXTS:
        name = pattern.sub(replacement, name)
    return name
