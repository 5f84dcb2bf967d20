#!/usr/bin/env python3
"""Tests the gallery's page in Chromium.

usage: run.py TINTYPE PHOTOS [THEME...] [--artefacts FOLDER] [--chromium PATH]

TINTYPE is the tool. PHOTOS is the address of a server that has `/00000.jpg`, `/00001.jpg` and so on, of
which one among the first ten is missing; `/count/00000.jpg`, how often that one was asked for; `/late.txt`,
a list of twelve that takes seconds. THEME is the name of a file beside this one. Themes share a slow gallery
of 10,000 photos, or have one of their own: `PHOTO_COUNT` and `FLAGS` say which, and `prepare` fills its
folder.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import os
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

from gallery import Server, gallery
from playwright.sync_api import sync_playwright

THEMES = [
    "arriving",
    "states",
    "scrolling",
    "smoothness",
    "session",
    "broken",
    "filters",
    "choosing",
    "presets",
    "viewer",
    "looks",
    "files",
    "finding",
    "stars",
    "keyboard",
    "reloading",
    "connection",
    "own",
    "pages",
    "accessibility",
    "saving",
    "jumping",
    "live",
    "memory",
]


def main() -> int:
    parser = argparse.ArgumentParser(description="Tests the gallery's page in Chromium.")
    parser.add_argument("tintype")
    parser.add_argument("photos")
    parser.add_argument("themes", nargs="*", metavar="theme", help=f"of {', '.join(THEMES)}; all by default")
    parser.add_argument("--artefacts", type=Path, default=Path(".build/gallery-screenshots"))
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    arguments = parser.parse_args()
    failures = 0
    with sync_playwright() as playwright, contextlib.ExitStack() as stack:
        # Chromium does not run as root, as in containers, with its sandbox.
        browser = playwright.chromium.launch(executable_path=arguments.chromium, args=["--no-sandbox"])
        servers: dict[tuple, Server] = {}
        for theme in arguments.themes or THEMES:
            module = importlib.import_module(theme)
            settings = (getattr(module, "PHOTO_COUNT", 10_000), *getattr(module, "FLAGS", ["--slow"]))
            if settings not in servers:
                prepare = getattr(module, "prepare", None)
                servers[settings] = stack.enter_context(serve(arguments, *settings, prepare=prepare))
            for name in [name for name in vars(module) if name.startswith("test_")]:
                server = servers[settings]
                test = getattr(module, name)
                options = getattr(test, "options", {})
                page = gallery(browser, server, arguments.artefacts, **options)
                failures += not passes(theme, test, page)
        browser.close()
    print("All passed." if failures == 0 else f"{failures} failed.")
    return min(failures, 1)


@contextlib.contextmanager
def serve(
    arguments: argparse.Namespace,
    photo_count: int,
    *flags: str,
    prepare: Callable[[Path, str], None] | None = None,
) -> Iterator[Server]:
    """A gallery that runs.

    In flags, {folder} is a temporary folder, and {photos} the photos' server; `prepare` gets both.
    """
    with tempfile.TemporaryDirectory() as folder:
        if prepare:
            prepare(Path(folder), arguments.photos)
        own = [flag.replace("{folder}", folder).replace("{photos}", arguments.photos) for flag in flags]
        command = [arguments.tintype, "gallery", "-f", "sepia", "-d", "cpu", *own]
        if photo_count > 0:
            addresses = (f"{arguments.photos}/{number:05}.jpg\n" for number in range(photo_count))
            photos = Path(folder) / "photos.txt"
            photos.write_text("".join(addresses))
            command.append(str(photos))
        # What the page remembers does not belong to the user.
        environment = {**os.environ, "XDG_CONFIG_HOME": folder, "XDG_STATE_HOME": folder}
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
            try:
                address = process.stdout.readline().strip()
                yield Server(address, process.pid, Path(folder), arguments.tintype, arguments.photos)
            finally:
                process.terminate()


def passes(theme: str, test: Callable, page: AbstractContextManager) -> bool:
    """Runs a test on a page, and says whether it has passed."""
    start = time.monotonic()
    name = f"{theme}.{test.__name__.removeprefix('test_')}"
    try:
        with page as opened:
            try:
                test(opened)
            except BaseException:
                opened.screenshot(f"failed-{name}")
                raise
    except Exception:
        traceback.print_exc()
        print(f"FAILED {name}", flush=True)
        return False
    print(f"passed {name} ({time.monotonic() - start:.1f} s)", flush=True)
    return True


if __name__ == "__main__":
    sys.exit(main())
