#!/usr/bin/env python3
"""Makes the guide's pictures of the gallery: docs/images/gallery-light.jpg, -dark.jpg and -viewer.jpg.

usage, after `make demo` and `make test-gallery`:
.build/browser-tests/bin/python scripts/demo/gallery_images.py
"""

import subprocess
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).parent.parent.parent
VIEW = {"width": 1280, "height": 800}
NONE_LOADS = "() => document.querySelector('.cell[data-loading]') === null"


def save(page: Page, name: str) -> None:
    page.screenshot(path=ROOT / f"docs/images/gallery-{name}.jpg", type="jpeg", quality=82)


def main() -> None:
    command = [".build/release/tintype", "gallery", "-f", "sepia:intensity=90%", "-d", "cpu", "demo/original"]
    with (
        subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as gallery,
        sync_playwright() as playwright,
    ):
        address = gallery.stdout.readline().strip()
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        for scheme in ("light", "dark"):
            page = browser.new_page(viewport=VIEW, color_scheme=scheme)
            page.goto(address)
            if page.locator("#filters").is_hidden():
                page.locator("#toggle-filters").click()
            page.locator(".cell[data-state=filtered]").first.wait_for()
            page.locator("body[data-session=idle]").wait_for()
            page.wait_for_function(NONE_LOADS)
            page.wait_for_timeout(1000)  # The last fade.
            save(page, scheme)
        page.locator(".cell[data-state=filtered]").nth(1).click()
        page.locator("#picture img[src*='/after?']").wait_for()
        page.wait_for_timeout(500)
        save(page, "viewer")
        browser.close()
        gallery.terminate()


if __name__ == "__main__":
    main()
