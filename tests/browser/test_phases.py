"""Every phase, reached and played on the page, and checked by axe; all editions in `make check-all`."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.browser.conftest import Visits
from tests.browser.friends import Friends, Keep, spare
from tests.browser.player import Player
from tests.browser.visitor import PHONE, Visitor

pytestmark = pytest.mark.long
SCRIPTS = Path(__file__).parent / "scripts"
NJET = ("veto", "play", "round-end")
Case = tuple[str, int, tuple[str, str] | None, set[str]]
"""Edition, players, the cell that stays, and the phases this leads to when the page's seat starts."""
EVERY_PHASE: list[Case] = [
    ("njet-2007", 5, ("discard", "two-not-0"), {*NJET, "team", "double", "discard"}),
    ("niet-2015", 4, ("discard", "pass-one"), {*NJET, "team", "pass"}),
    ("nichtig", 6, None, {"lay", "play", "round-end"}),
]
"""Together these show every screen of a table; the other cases show the same screens with other contents."""
EVERY_EDITION: list[Case] = [
    ("njet-1997", 3, ("discard", "one"), {*NJET, "team", "discard"}),
    ("njet-2007", 4, ("discard", "pass-two"), {*NJET, "team", "pass"}),
    ("niet-2015", 5, ("discard", "one-not-1"), {*NJET, "team", "double", "discard"}),
    ("niet-2015", 2, ("discard", "none"), {*NJET}),
]
CASES = [*EVERY_PHASE, *EVERY_EDITION]


def name(case: Case) -> str:
    edition, players, cell, _ = case
    return f"{edition}-{players}-{cell[1] if cell else 'piles'}"


class Look:
    """Axe on every phase when it is first seen."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor = visitor
        self.phases: set[str] = set()

    def at(self, phase: str) -> None:
        if phase not in self.phases:
            self.phases.add(phase)
            self.visitor.axe()
            self.visitor.fits()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("edition", "players", "cell", "phases"),
    [pytest.param(*case, id=name(case)) for case in CASES],
)
def test_every_phase_is_played(
    visits: Visits, edition: str, players: int, cell: tuple[str, str] | None, phases: set[str]
) -> None:
    ann = visits(size=PHONE if players == 4 else (1280, 860))
    keep: Keep = frozenset({"start 0", " ".join(cell)} if cell else ())
    rng = random.Random(players)

    def choose(_phase: str, options: list[str]) -> str:
        return rng.choice(spare(options, keep))

    ann.go("/")
    table: str = ann.page.evaluate((SCRIPTS / "table.js").read_text(encoding="utf-8"), [edition, players])
    url = ann.page.url.rstrip("/")
    ann.go(f"/table/{table}")
    look, player = Look(ann), Player(ann.page, choose=choose)
    look.at("waiting")
    ann.page.get_by_role("button", name="Sit here").first.click()
    with Friends(url, table, list(range(1, players)), keep):
        while True:
            found = player.look()
            look.at(found["phase"])
            if found["phase"] == "round-end":
                break
            player.decide(found)
    assert player.seen == phases
    ann.page.get_by_role("button", name="Next round").click()
    ann.page.wait_for_selector("[data-round='2']")
