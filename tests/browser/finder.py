"""Find a browser to test with: an installed one, else Playwright's, else Debian's; else say what to install.

`python -m tests.browser.finder` does it before the tests, so that several of them do not download at once.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

NAMES = ("chromium-headless-shell", "google-chrome", "google-chrome-stable", "chromium", "chromium-browser", "chrome")
PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
HELP = (
    "the browser tests need Chrome or Chromium, and none was found or could be fetched.\n"
    "Install one of these: your system's package `chromium` or Google Chrome;\n"
    "or `.venv/bin/python -m playwright install --with-deps chromium`."
)


class NoBrowser(Exception):
    """What to do about it is in the message."""


def installed() -> str | None:
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    return found or next((place for place in PLACES if Path(place).exists()), None)


def playwrights() -> str | None:
    """The one Playwright has downloaded before."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


def downloaded() -> str | None:
    return playwrights() if _runs([sys.executable, "-m", "playwright", "install", "chromium"]) else None


def from_debian() -> str | None:
    """The headless shell, which loads pages at half the cost of the whole browser; only where root runs the tests."""
    apt = shutil.which("apt-get")
    if apt is None or not hasattr(os, "geteuid") or os.geteuid() != 0:
        return None
    _runs([apt, "update"])
    for package in ("chromium-headless-shell", "chromium"):
        if _runs([apt, "install", "--yes", "--no-install-recommends", package]):
            return installed()
    return None


def _runs(command: list[str]) -> bool:
    try:
        return subprocess.run(command, stdout=subprocess.DEVNULL, timeout=600).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


WAYS: tuple[Callable[[], str | None], ...] = (installed, playwrights, downloaded, from_debian)


def find(ways: tuple[Callable[[], str | None], ...] = WAYS) -> str:
    """The path of a browser, by the first way that leads to one."""
    for way in ways:
        path = way()
        if path is not None:
            return path
    raise NoBrowser(HELP)


if __name__ == "__main__":
    try:
        print(f"browser tests use {find()}")
    except NoBrowser as error:
        sys.exit(str(error))
