"""Runs commands in rounds, and measures their time and memory."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median


@dataclass(frozen=True)
class Subject:
    """A command to measure, and the number of photos that it writes into the output folder."""

    name: str
    command: list
    photo_count: int
    # None for the floor, which has no filter.
    filter: str | None = None
    # The command or recipe, for people.
    how: str = ""
    # True if the command prints its seconds itself, to leave out the start of its interpreter.
    prints_seconds: bool = False
    # How the names of what it writes end.
    suffix: str = ".jpg"


@dataclass(frozen=True)
class Run:
    seconds: float
    cpu_seconds: float
    peak_mebibytes: float
    # The largest number of open descriptors; 0 if they were not counted.
    descriptors: int = 0
    # Of all that was written.
    output_bytes: int = 0


def run_rounds(
    subjects: list[Subject], output: Path, rounds: int, check: Callable[[Subject], None] = lambda _: None
) -> list[list[Run]]:
    """Runs everything once to warm up, then `rounds` times.

    `check` sees each subject's output of the warm-up. Returns each subject's runs.
    """
    print(f"{len(subjects)} subjects, {rounds} rounds; one to warm up", flush=True)
    runs: list[list[Run]] = [[] for _ in subjects]
    for round_ in range(rounds + 1):
        # Every round begins with another subject, so that none always follows the same one.
        for step in range(len(subjects)):
            index = (round_ + step) % len(subjects)
            run = measure(subjects[index], output)
            if round_ > 0:
                runs[index].append(run)
            else:
                check(subjects[index])
        print("." if round_ > 0 else "warm", end="", flush=True)
    print(flush=True)
    return runs


def measure(subject: Subject, output: Path, watches: bool = False) -> Run:
    """Runs a subject into an empty folder. A failure or a missing photo ends the benchmark.

    With `watches`, its open descriptors are counted all the time, which slows it down.
    """
    shutil.rmtree(output, ignore_errors=True)
    output.mkdir(parents=True)
    with tempfile.NamedTemporaryFile("r") as usage, tempfile.TemporaryFile() as messages:
        # A child's peak memory is at least its parent's, so GNU time starts the command: Python is larger.
        command = ["/usr/bin/time", "--format=%U %S %M", f"--output={usage.name}", *subject.command]
        began = time.perf_counter()
        with subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=messages
        ) as process:
            descriptors = most_descriptors(process) if watches else 0
            printed, _ = process.communicate()
        seconds = time.perf_counter() - began
        if process.returncode != 0:
            messages.seek(0)
            text = messages.read().decode()
            sys.exit(f"error: '{subject.name}' ended with {process.returncode}:\n{text}")
        user, system, kibibytes = usage.read().split()
    written = [path.stat().st_size for path in output.glob(f"*{subject.suffix}")]
    if len(written) != subject.photo_count:
        sys.exit(f"error: '{subject.name}' wrote {len(written)} photos instead of {subject.photo_count}.")
    if subject.prints_seconds:
        seconds = float(printed)
    return Run(seconds, float(user) + float(system), int(kibibytes) / 1024, descriptors, sum(written))


def most_descriptors(process: subprocess.Popen) -> int:
    most = 0
    while process.poll() is None:
        try:
            children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
            most = max([most, *(len(list(Path(f"/proc/{child}/fd").iterdir())) for child in children)])
        except OSError:
            pass  # The process has just ended.
        time.sleep(0.002)
    return most


def spread(values: list[float], style: str) -> str:
    return f"{median(values):{style}} ({min(values):{style}} to {max(values):{style}})"


def table(heads: list[str], rows: list[list[str]], words: int = 1) -> list[str]:
    """Lines of a Markdown table: the first columns flush left, figures flush right."""
    rule = "".join("|---" if column < words else "|---:" for column in range(len(heads)))
    lines = ["".join(f"| {cell} " if cell else "| " for cell in cells) + "|" for cells in (heads, *rows)]
    return [lines[0], rule + "|", *lines[1:]]
