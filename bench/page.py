"""The speed of the page in a browser, with a local server: first load, time to interactive, frames during animations.

    make bench-page

Frames are counted by the page itself (`requestAnimationFrame`) while four players' cards are dealt, played and swept in
at the usual speed. Without a graphics card the browser draws on the CPU, which it shares with the server here.
"""

from __future__ import annotations

import os
import statistics
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright
from tests.browser import finder
from tests.browser.player import Player
from tests.server.background import serve_in_background

from bench.report import markdown_table, write_section

LOADS = 7
FRAMES_OF_ONE = 1000 / 60
LATE = 1.5
"""A frame counts as missed from this many frame lengths on."""
BUTTON = "main button:not([disabled])"
WEIGH = """() => {
  const all = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
  const own = all.filter((one) => !/\\.woff2?$/.test(one.name));
  return [own.reduce((sum, one) => sum + one.transferSize, 0), own.length];
}"""
COUNT = """(seconds) => new Promise((done) => {
  const frames = [];
  const began = performance.now();
  let last = began;
  const next = (now) => {
    const moving = document.getAnimations().some((one) => one.playState === 'running');
    if (moving) frames.push(now - last);
    last = now;
    if (now - began < 1000 * seconds) requestAnimationFrame(next); else done(frames);
  };
  requestAnimationFrame(next);
})"""


def first_load(browser: Browser, url: str) -> tuple[float, float, int]:
    """Kilobytes without fonts, milliseconds until a button can be pressed, and requests, for a new visitor."""
    context = browser.new_context(base_url=url)
    page = context.new_page()
    page.goto("/", wait_until="commit")
    page.wait_for_selector(BUTTON)
    ready: float = page.evaluate("performance.now()")
    page.wait_for_load_state("networkidle")
    weight, requests = page.evaluate(WEIGH)
    context.close()
    return weight / 1000, ready, requests


def frames(browser: Browser, url: str) -> list[float]:
    """Milliseconds between frames during animations, over some tricks at a table of four."""
    context = browser.new_context(base_url=url, viewport={"width": 1280, "height": 860})
    page: Page = context.new_page()
    page.goto("/")
    page.get_by_role("button", name="Play now").click()
    player, found = Player(page), []
    player.play_until(lambda phase: phase == "play")
    for _ in range(6):
        player.decide(player.look())
        found += page.evaluate(COUNT, 4)
    context.close()
    return found


def main() -> None:
    alone: list[str] = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        with serve_in_background(f"sqlite:///{folder}/atout.db", folder) as server:
            browser = playwright.chromium.launch(executable_path=finder.find(), args=alone)
            loads = [first_load(browser, server.url) for _ in range(LOADS)]
            moving = frames(browser, server.url)
            version = browser.version
            browser.close()
    write(loads, moving, version)


def write(loads: list[tuple[float, float, int]], moving: list[float], version: str) -> None:
    weights, waits, requests = ([one[i] for one in loads] for i in range(3))
    late = sum(one > LATE * FRAMES_OF_ONE for one in moving)
    rows: list[list[Any]] = [
        ["first load without fonts, compressed", f"{max(weights):.1f} KB in {max(requests):.0f} requests"],
        ["time until a button can be pressed, median", f"{statistics.median(waits):.0f} ms"],
        [f"… slowest of {LOADS}", f"{max(waits):.0f} ms"],
        ["frames during animations", f"{len(moving):,}"],
        ["time between two frames, median", f"{statistics.median(moving):.1f} ms"],
        ["late frames (a frame was missed)", f"{100 * late / len(moving):.1f} %"],
    ]
    load = f"Load average of the last minute: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores."
    body = f"Chromium {version}, headless, without a GPU; the server runs on the same machine. {load}\n\n"
    write_section("page", "The page", "make bench-page", body + markdown_table(["", "measured"], rows))
    for row in rows:
        print(f"{row[0]}: {row[1]}")


if __name__ == "__main__":
    main()
