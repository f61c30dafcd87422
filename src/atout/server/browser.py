"""Showing the page to who sits at this machine: in a browser, or, where there is none, as a link."""

from __future__ import annotations

import http.client
import os
import sys
import time
import webbrowser
from threading import Thread

READY_SECONDS = 60.0
"""The first start on a slow machine."""
SCREENS = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
"""On Linux one of these says where a browser may appear."""


def show_when_ready(address: str) -> None:
    """In the background, as soon as the server answers."""
    Thread(target=_wait_and_show, args=[address], daemon=True).start()


def _wait_and_show(address: str) -> None:
    ends = time.monotonic() + READY_SECONDS
    while time.monotonic() < ends:
        if is_atout(address):
            show(address, "Ready", "Ctrl+C ends the server. Games are kept: go on with them any time.")
            return
        time.sleep(0.1)


def show(address: str, news: str, more: str = "") -> None:
    """Open the page; say where it is, and where no browser could be opened, that it is up to you."""
    how = "your browser shows it" if open_page(address) else "open this address in a browser"
    sys.stdout.write("\n".join([f"{news}: {how}.", "", f"    {address}", "", *([more] if more else [])]) + "\n")
    sys.stdout.flush()


def open_page(address: str) -> bool:
    """False where there is no screen: a browser in the terminal would only be in the way."""
    if sys.platform.startswith("linux") and not any(os.environ.get(name) for name in SCREENS):
        return False
    try:
        return webbrowser.open(address)
    except webbrowser.Error:
        return False


def is_atout(address: str) -> bool:
    """Whether a healthy Atout answers there."""
    connection = http.client.HTTPConnection(address.removeprefix("http://"), timeout=2)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().read(100) == b'{"status":"ok"}'
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
