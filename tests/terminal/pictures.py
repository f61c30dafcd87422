"""Pictures of every phase of the terminal's table at two sizes: `make terminal-gallery`, then look at all of them.

Each table is played by keys; at every new phase the screen is kept as SVG, small and large. One page per table has them
side by side, and Chromium makes a PNG of it.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from textual.app import App
from textual.pilot import Pilot

from atout.game import Game, new_rng
from atout.i18n import Texts
from atout.sheet import Keeper, SheetEditor, new_sheet
from atout.terminal.match import LocalMatch, Notice
from atout.terminal.review import reviewed
from atout.terminal.screen.app import Message, TableApp
from atout.terminal.screen.sheet import SheetApp
from atout.terminal.screen.viewer import ViewerApp
from tests.terminal.test_screen import LARGE, SMALL, by_keys, match_of

OUT = Path("gallery/terminal")
TABLES: list[tuple[str, int, str, dict[str, Any]]] = [
    ("njet-1997", 3, "en", {}), ("njet-2007", 2, "en", {}), ("njet-2007", 4, "de", {}), ("niet-2015", 4, "en", {}),
    ("niet-2015", 5, "fr", {}), ("nichtig", 3, "en", {}), ("nichtig", 4, "en", {"teams": True}),
    ("nichtig", 6, "de", {}),
]  # fmt: skip
LATER = {("veto", 3): "veto-later", ("play", 6): "play-later"}
"""Phases that look different after a while: at which decision."""


class Proposed(LocalMatch):
    """A match in which somebody proposes something, as at a server's table."""

    @property
    def notice(self) -> Notice:  # type: ignore[override]
        t = self.texts.t
        what = self.texts.sentence("offer.stand-in", self.words.names[2])
        text = self.texts.sentence("offer.open", self.words.names[1], what=what)
        return Notice(f"{text}.", {"yes": t("offer.yes"), "no": t("offer.no")})


class Shots:
    """The pictures of one page."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.kept: list[str] = []

    async def shoot(self, app: App[Any], pilot: Pilot[Any], what: str) -> None:
        """The screen as it is, small and large."""
        for width, height in (SMALL, LARGE):
            await pilot.resize_terminal(width, height)
            await pilot.pause()
            name = f"{self.name}-{what}-{width}"
            (OUT / f"{name}.svg").write_text(app.export_screenshot(title=name), encoding="utf-8")
            self.kept.append(name)
        await pilot.resize_terminal(*SMALL)
        await pilot.pause()

    def write_page(self) -> None:
        rows = "".join(
            f'<div><img src="{small}.svg" style="width:36%"> <img src="{large}.svg" style="width:62%"></div>'
            for small, large in zip(self.kept[::2], self.kept[1::2], strict=True)
        )
        (OUT / f"{self.name}.html").write_text(f"<body style='background:#777;margin:4px'>{rows}", encoding="utf-8")


async def _panels(app: TableApp, pilot: Pilot[bool], shots: Shots) -> None:
    """What a key shows over the table."""
    for key, what in (("h", "hint"), ("t", "last-trick"), ("p", "scores"), ("l", "log"), ("f1", "help")):
        await pilot.press(key)
        await pilot.pause(1.0 if key == "h" else 0)
        await shots.shoot(app, pilot, what)
        if isinstance(app.screen, Message):
            await pilot.press("enter")


async def _phases(match: LocalMatch, shots: Shots) -> None:
    """The first round, phase by phase, and its result."""
    app = TableApp(match)
    decisions: dict[str, int] = {}
    async with app.run_test(size=SMALL) as pilot:
        while not match.game.is_over:
            await pilot.pause()
            if isinstance(app.screen, Message):
                await shots.shoot(app, pilot, "round-end")
                break
            if not app.legal:
                continue
            phase = match.game.phase
            decisions[phase] = decisions.get(phase, 0) + 1
            what = phase if decisions[phase] == 1 else LATER.get((phase, decisions[phase]))
            if what is not None:
                await shots.shoot(app, pilot, what)
            if what == "play-later":
                await _panels(app, pilot, shots)
            await by_keys(app, pilot)
        await match.close()


async def _end(match: LocalMatch, shots: Shots) -> None:
    """The end of a match."""
    rng = new_rng(7, match.game.setup.players)
    match.game.auto_deal = True
    while not match.game.is_over:
        match.game.play_randomly(rng)
    app = TableApp(match)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.pause()
        await shots.shoot(app, pilot, "over")
        await match.close()


async def _others(folder: Path) -> None:
    """The viewer of records, score sheets, several people at one keyboard, no colours."""
    shots = Shots("others")
    game = Game.new("niet-2015", 4, 3)
    rng = new_rng(3, 4)
    while not game.is_over:
        game.play_randomly(rng)
    viewer = ViewerApp(game.record(), Texts(), move=40)
    async with viewer.run_test(size=SMALL) as pilot:
        await shots.shoot(viewer, pilot, "viewer")
        await pilot.press("v")
        await shots.shoot(viewer, pilot, "viewer-seat")
    editor = SheetEditor(new_sheet("niet-2015", ["Ann", "Bo", "Cy", "Di"]), Texts())
    for line in ("add scores=12,5,9,-3", "add points=3 side=1,3 tricks=5,4,3,3 loot=1,0,2,0"):
        editor.do(line)
    sheet = SheetApp(editor, Keeper(editor, lambda: None))
    async with sheet.run_test(size=SMALL) as pilot:
        sheet.draw_sheet(editor.do("edit 7 points=4"))
        await shots.shoot(sheet, pilot, "sheet")
        await pilot.press("up", "f1")
        await shots.shoot(sheet, pilot, "sheet-help")
        await pilot.press("escape")
        await shots.shoot(sheet, pilot, "sheet-details")
    shared = TableApp(match_of(folder, "nichtig", 3, frozenset({0, 1, 2})))
    async with shared.run_test(size=SMALL) as pilot:
        await pilot.pause()
        await shots.shoot(shared, pilot, "hand-over")
        await shared.match.close()
    for language in ("en", "de"):
        match = match_of(folder, language=language)
        match.__class__ = Proposed
        asked = TableApp(match)
        async with asked.run_test(size=SMALL) as pilot:
            while not asked.legal:
                await pilot.pause()
            await shots.shoot(asked, pilot, f"proposal-{language}")
            await asked.match.close()
    os.environ["NO_COLOR"] = "1"
    plain = TableApp(match_of(folder))
    async with plain.run_test(size=SMALL) as pilot:
        while not plain.legal:
            await pilot.pause()
        await shots.shoot(plain, pilot, "no-color")
        while plain.match.view and plain.match.view["phase"] != "play":
            await by_keys(plain, pilot)
            await pilot.pause()
        await shots.shoot(plain, pilot, "no-color-play")
        await plain.match.close()
    del os.environ["NO_COLOR"]
    shots.write_page()


async def _review(folder: Path) -> None:
    """What the key `r` shows after the end of a match."""
    shots = Shots("review")
    for edition, players, language in (("niet-2015", 4, "en"), ("nichtig", 3, "de")):
        match = match_of(folder, edition, players, language=language)
        rng = new_rng(7, players)
        match.game.auto_deal = True
        while not match.game.is_over:
            match.game.play_randomly(rng)
        lines = reviewed({**match.game.record(), "names": match.words.names}, 0, match.texts, seconds=8.0)
        app = TableApp(match, lambda lines=lines: lines)  # type: ignore[misc]
        async with app.run_test(size=SMALL) as pilot:
            await pilot.pause()
            await pilot.press("r")
            await pilot.pause(0.5)
            await shots.shoot(app, pilot, f"{edition}-{language}")
            await pilot.press("pagedown")
            await shots.shoot(app, pilot, f"{edition}-{language}-below")
            await match.close()
    shots.write_page()


def _make_png() -> None:
    from playwright.sync_api import sync_playwright

    from tests.browser import finder

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=finder.find(), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1800, "height": 900})
        for html in sorted(OUT.glob("*.html")):
            page.goto(html.resolve().as_uri())
            page.screenshot(path=html.with_suffix(".png"), full_page=True)
            print(html.with_suffix(".png"), flush=True)
        browser.close()


def main(wanted: list[str]) -> None:
    """All tables, or those that are named: `niet-2015-4`, `others`, `review`."""
    if not wanted:
        shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for edition, players, language, options in TABLES:
            shots = Shots(f"{edition}-{players}")
            if not wanted or shots.name in wanted:
                for play in (_phases, _end):
                    match = match_of(folder, edition, players, language=language, options=options)
                    asyncio.run(play(match, shots))
                shots.write_page()
        if not wanted or "others" in wanted:
            asyncio.run(_others(folder))
        if not wanted or "review" in wanted:
            asyncio.run(_review(folder))
    _make_png()


if __name__ == "__main__":
    main(sys.argv[1:])
