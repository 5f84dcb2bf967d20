#!/usr/bin/env python3
"""Tests the gallery's page in Chromium, against a server that runs.

usage: run.py ADDRESS [THEME...] [--artefacts FOLDER] [--chromium PATH]

ADDRESS is what `tintype gallery --slow` prints, with its token. Its list must have 1000 photos or more, of
which one among the first ten has a broken address, and the gallery must start with a filter. THEME is the
name of a file beside this one.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import time
import traceback
from pathlib import Path

from gallery import gallery
from playwright.sync_api import Browser, sync_playwright

THEMES = [
    "states",
    "scrolling",
    "smoothness",
    "session",
    "broken",
    "filters",
    "viewer",
    "keyboard",
    "reloading",
    "accessibility",
]


def main() -> int:
    parser = argparse.ArgumentParser(description="Tests the gallery's page in Chromium.")
    parser.add_argument("address")
    parser.add_argument("themes", nargs="*", metavar="theme", help=f"of {', '.join(THEMES)}; all by default")
    parser.add_argument("--artefacts", type=Path, default=Path(".build/gallery-screenshots"))
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    arguments = parser.parse_args()
    failures = 0
    with sync_playwright() as playwright:
        # Chromium does not run as root, as in containers, with its sandbox.
        browser = playwright.chromium.launch(executable_path=arguments.chromium, args=["--no-sandbox"])
        for theme in arguments.themes or THEMES:
            module = importlib.import_module(theme)
            for name in [name for name in vars(module) if name.startswith("test_")]:
                failures += not passes(browser, arguments, theme, getattr(module, name))
        browser.close()
    print("All passed." if failures == 0 else f"{failures} failed.")
    return min(failures, 1)


def passes(browser: Browser, arguments: argparse.Namespace, theme: str, test: object) -> bool:
    start = time.monotonic()
    name = f"{theme}.{test.__name__.removeprefix('test_')}"
    try:
        with gallery(
            browser, arguments.address, arguments.artefacts, **getattr(test, "options", {})
        ) as opened:
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
