"""Runs a library's recipe over photos in several processes, and prints how many seconds that took.

usage: <library>.py FILTER PROCESSES OUTPUT_FOLDER PHOTO...      or: <library>.py versions

The time begins when every process has loaded its library: Python's start is not the library's.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import time
from typing import Callable

Recipe = Callable[[str, str], None]
recipes: dict[str, Recipe] = {}


def main(load: Callable[[], dict[str, Recipe]], versions: Callable[..., str]) -> None:
    """`load` imports the library and gives its recipes: functions from a photo's path to an output's."""
    if sys.argv[1] == "versions":
        print(versions(*sys.argv[2:]))
        return
    name, processes, folder, *photos = sys.argv[1:]
    jobs = [(name, photo, os.path.join(folder, os.path.basename(photo))) for photo in photos]
    context = multiprocessing.get_context("fork")
    everybody_is_ready = context.Barrier(int(processes) + 1)
    with context.Pool(int(processes), start, (load, everybody_is_ready)) as pool:
        everybody_is_ready.wait()
        began = time.perf_counter()
        for _ in pool.imap_unordered(work, jobs):
            pass
        print(time.perf_counter() - began)


def start(load: Callable[[], dict[str, Recipe]], everybody_is_ready) -> None:
    recipes.update(load())
    everybody_is_ready.wait()


def work(job: tuple[str, str, str]) -> None:
    name, photo, output = job
    recipes[name](photo, output)
