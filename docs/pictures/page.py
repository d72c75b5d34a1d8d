"""Makes page.png again: the first screen of the published page, by the system's Chromium."""

import os
import shutil
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

HERE = Path(__file__).parent
PUBLISHED = HERE.parents[1] / "published/paper/audit.html"


def draw(page: Path, picture: Path) -> None:
    """Draws what a person sees first of a page."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium") or shutil.which("google-chrome"),
            args=[] if os.geteuid() else ["--no-sandbox"],
        )
        tab = browser.new_page(viewport={"width": 1100, "height": 780})
        tab.goto(page.absolute().as_uri())
        tab.screenshot(path=picture)
        browser.close()


if __name__ == "__main__":
    draw(Path(sys.argv[1]) if len(sys.argv) > 1 else PUBLISHED, HERE / "page.png")
