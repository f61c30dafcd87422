"""Pictures of every page and phase, small and large, light and dark: `make gallery`, then look at all of them.

Each table is played once; at every new phase it is shown in all sizes and colours before the next decision.
"""

from __future__ import annotations

import html
import random
import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from atout.puzzles import of_day, today
from tests.browser import finder
from tests.browser.friends import Friends, spare
from tests.browser.player import Player
from tests.browser.reviewed import place_of, reviewed, serve_review
from tests.browser.test_pages import PAGES
from tests.browser.test_phases import CASES, SCRIPTS
from tests.browser.test_review import CHOICES
from tests.browser.test_tables import remember
from tests.browser.test_today import TABLE, give
from tests.browser.visitor import Visitor
from tests.server.background import serve_in_background

OUT = Path("gallery")
SIZES = {360: 640, 390: 844, 820: 1180, 1366: 768, 1440: 900}
THEMES = ("light", "dark")
LATER = {("veto", 3): "veto-later", ("play", 6): "play-later"}
"""Phases that look different after a while: at which decision."""


class Gallery:
    def __init__(self, browser: Browser, url: str) -> None:
        self.browser, self.url = browser, url
        self.names: list[str] = []

    def shoot(self, visitor: Visitor, name: str, *, whole: bool = False) -> None:
        """What is shown now, in every size and colour."""
        page = visitor.page
        for width, height in SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            for theme in THEMES:
                page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
                page.wait_for_timeout(60)
                page.screenshot(path=OUT / f"{name}-{width}-{theme}.png", full_page=whole)
        self.names.append(name)
        print(name, flush=True)

    def pages(self) -> None:
        visitor = Visitor(self.browser, self.url)
        visitor.go("/")
        played = visitor.page.evaluate((SCRIPTS / "match.js").read_text(encoding="utf-8"))
        visitor.page.evaluate("localStorage.setItem('atout.name', 'Ann')")
        visitor.page.evaluate((SCRIPTS / "table.js").read_text(encoding="utf-8"), ["niet-2015", 4])
        for path in [*PAGES, f"/replay/{played}#20"]:
            visitor.go(path)
            visitor.page.wait_for_load_state("networkidle")
            self.shoot(visitor, "page" + (path.replace(played, "game").replace("#", "/").replace("/", "-")), whole=True)
        visitor.leave()

    def phases(self, edition: str, players: int, keep: frozenset[str]) -> None:
        visitor, rng = Visitor(self.browser, self.url), random.Random(players)
        asked: list[str] = []
        visitor.go("/")
        table = visitor.page.evaluate((SCRIPTS / "table.js").read_text(encoding="utf-8"), [edition, players])
        visitor.go(f"/table/{table}")
        name = f"{edition}-{players}"
        self.shoot(visitor, f"{name}-waiting", whole=True)
        player = Player(visitor.page, choose=lambda _, options: rng.choice(spare(options, keep)))
        visitor.page.get_by_role("button", name="Sit here").first.click()
        with Friends(self.url, table, list(range(1, players)), keep):
            phase = ""
            while phase != "round-end":
                found = player.look()
                phase = found["phase"]
                asked.append(phase)
                label = LATER.get((phase, asked.count(phase)), "" if phase in asked[:-1] else phase)
                if label:
                    self.shoot(visitor, f"{name}-{label}")
                if phase != "round-end":
                    player.decide(found)
        visitor.leave()

    def hint(self) -> None:
        """A hint at the first decision and in the first trick, short and opened."""
        visitor = Visitor(self.browser, self.url)
        remember(visitor, edition="niet-2015", players=4)
        visitor.go("/").get_by_role("button", name="Play now").click()
        player = Player(visitor.page)
        for phase in ("veto", "play"):
            player.play_until(lambda now, phase=phase: now == phase)  # type: ignore[misc]
            visitor.page.locator(".btn.hint").click()
            visitor.page.locator(".slip").wait_for()
            self.shoot(visitor, f"hint-{phase}")
            self._press_where_shown(visitor, ".slip .more")
            self.shoot(visitor, f"hint-{phase}-open")
            visitor.page.locator(".slip .icon-btn").click()
        visitor.leave()

    @staticmethod
    def _press_where_shown(visitor: Visitor, selector: str) -> None:
        """Some buttons are there on small screens alone."""
        visitor.page.set_viewport_size({"width": 390, "height": 844})
        visitor.page.locator(selector).click()

    def reviews(self) -> None:
        """A review, and a decision of every phase: by what was known, with open cards, and at a second try."""
        for edition in ("niet-2015", "nichtig"):
            record, review = reviewed(edition, 4)
            visitor = Visitor(self.browser, self.url)
            path = serve_review(visitor, record, review)
            visitor.go(path).locator("aside ol > li").first.wait_for()
            self.shoot(visitor, f"review-{edition}", whole=True)
            for phase in dict.fromkeys(one.phase for one in review.decisions):
                visitor.page.goto(f"{path}#{place_of(review, phase)}")
                visitor.page.locator(".alternatives > li").first.wait_for()
                self.shoot(visitor, f"review-{edition}-{phase}", whole=True)
                visitor.page.locator(".views fieldset input").nth(1).check()
                self.shoot(visitor, f"review-{edition}-{phase}-open", whole=True)
                visitor.page.locator(".do .btn").first.click()
                visitor.page.locator(CHOICES).first.click(position={"x": 8, "y": 20})
                self.shoot(visitor, f"review-{edition}-{phase}-again", whole=True)
            visitor.leave()

    def puzzle(self) -> None:
        """The puzzle of the day, before the answer and after it."""
        visitor = Visitor(self.browser, self.url)
        puzzle = of_day(today())
        visitor.go("/today").locator(TABLE).wait_for()
        self.shoot(visitor, "puzzle", whole=True)
        visitor.page.set_viewport_size({"width": 1280, "height": 860})
        give(visitor.page, puzzle, puzzle.best[0])
        self.shoot(visitor, "puzzle-solved", whole=True)
        visitor.leave()

    def end(self) -> None:
        """A match that bots play along to its end, which one round does not reach."""
        visitor = Visitor(self.browser, self.url)
        remember(visitor, edition="niet-2015", players=4)
        visitor.go("/").get_by_role("button", name="Play now").click()
        Player(visitor.page).play_until(lambda phase: phase == "match-end")
        self.shoot(visitor, "match-end", whole=True)
        visitor.leave()

    def index(self) -> None:
        """All pictures on a page, a row each."""
        heads = "".join(f"<th>{width} {theme}</th>" for width in SIZES for theme in THEMES)
        rows = "".join(
            f"<tr><th>{html.escape(name)}</th>"
            + "".join(
                f'<td><a href="{name}-{width}-{theme}.png"><img loading="lazy" width="{width // 4}" '
                f'src="{name}-{width}-{theme}.png" alt="{width} {theme}"></a></td>'
                for width in SIZES
                for theme in THEMES
            )
            + "</tr>"
            for name in self.names
        )
        text = (
            f'<!doctype html><meta charset="utf-8"><title>Gallery</title><table><tr><th></th>{heads}</tr>{rows}</table>'
        )
        (OUT / "index.html").write_text(text, encoding="utf-8")


def main() -> None:
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir()
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        with serve_in_background(f"sqlite:///{folder}/atout.db", folder) as server:
            browser = playwright.chromium.launch(executable_path=finder.find(), args=["--no-sandbox"])
            gallery = Gallery(browser, server.url)
            gallery.pages()
            for edition, players, cell, _ in CASES:
                gallery.phases(edition, players, frozenset({"start 0", " ".join(cell)} if cell else ()))
            gallery.hint()
            gallery.reviews()
            gallery.puzzle()
            gallery.end()
            gallery.index()
            browser.close()
    print(f"{len(gallery.names) * len(SIZES) * len(THEMES)} pictures: {OUT / 'index.html'}")


if __name__ == "__main__":
    try:
        main()
    except finder.NoBrowser as error:
        sys.exit(str(error))
