"""Open the page in a browser on this machine; without a screen, print its address."""

from __future__ import annotations

import http.client
import os
import sys
import time
import webbrowser
from threading import Thread

READY_SECONDS = 60.0
"""Enough for the first start on a slow machine."""
SCREENS = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
"""Environment variables: on Linux one of them is set where a browser can appear."""


def show_when_ready(address: str) -> None:
    """Show the page as soon as the server answers; a thread waits for that."""
    Thread(target=_wait_and_show, args=[address], daemon=True).start()


def _wait_and_show(address: str) -> None:
    ends = time.monotonic() + READY_SECONDS
    while time.monotonic() < ends:
        if is_atout(address):
            show(address, "Ready", "Ctrl+C ends the server. Games are kept: go on with them any time.")
            return
        time.sleep(0.1)


def show(address: str, status: str, more: str = "") -> None:
    """Open the page, and print its address with a line that says whether a browser was opened."""
    how = "your browser shows it" if open_page(address) else "open this address in a browser"
    sys.stdout.write("\n".join([f"{status}: {how}.", "", f"    {address}", "", *([more] if more else [])]) + "\n")
    sys.stdout.flush()


def open_page(address: str) -> bool:
    """Open a graphical browser; False if there is no screen. A browser in the terminal is not wanted."""
    if sys.platform.startswith("linux") and not any(os.environ.get(name) for name in SCREENS):
        return False
    try:
        return webbrowser.open(address)
    except webbrowser.Error:
        return False


def is_atout(address: str) -> bool:
    """Whether a healthy Atout server answers at this address."""
    connection = http.client.HTTPConnection(address.removeprefix("http://"), timeout=2)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().read(100) == b'{"status":"ok"}'
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
