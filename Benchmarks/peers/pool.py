"""Runs a peer's recipe over photos in several processes, and prints how many seconds that took.

usage: pool.py PEER RECIPE PROCESSES OUTPUT_FOLDER SUFFIX PHOTO...      or: pool.py PEER describe

PEER is a module of this folder. SUFFIX, such as .jpg, tells the format of the outputs. The time begins when
every process has imported the module: Python's start is not the library's.
"""

from __future__ import annotations

import importlib
import json
import multiprocessing
import sys
import time
from pathlib import Path

import recipes


def describe(peer: str) -> dict:
    module = importlib.import_module(peer)
    lacks = getattr(module, "LACKS", {})
    return {"version": module.version(), "recipes": recipes.descriptions, "lacks": lacks}


def run(peer: str, recipe: str, processes: int, folder: Path, suffix: str, photos: list[str]) -> float:
    jobs = [(recipe, photo, str(folder / Path(photo).with_suffix(suffix).name)) for photo in photos]
    # Libraries are imported after the fork, because those with threads of their own do not survive a fork.
    context = multiprocessing.get_context("fork")
    all_are_ready = context.Barrier(processes + 1)
    with context.Pool(processes, start, (peer, all_are_ready)) as pool:
        all_are_ready.wait()
        began = time.perf_counter()
        for _ in pool.imap_unordered(work, jobs):
            pass
        return time.perf_counter() - began


def start(peer: str, all_are_ready) -> None:
    importlib.import_module(peer)
    all_are_ready.wait()


def work(job: tuple[str, str, str]) -> None:
    recipe, photo, output = job
    recipes.runs[recipe](photo, output)


if __name__ == "__main__":
    peer, what, *rest = sys.argv[1:]
    if what == "describe":
        print(json.dumps(describe(peer)))
    else:
        processes, folder, suffix, *photos = rest
        print(run(peer, what, int(processes), Path(folder), suffix, photos))
