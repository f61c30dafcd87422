"""Null & nichtig in teams: who plays with whom, and one total for a team, wherever the page says who is ahead."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page

from atout import Game
from tests.browser.conftest import Visits
from tests.browser.player import Player
from tests.browser.test_phases import SCRIPTS
from tests.browser.visitor import DESKTOP, PHONE

pytestmark = pytest.mark.long
NAMES = ["You", "Jonas", "Ines", "Bruno", "Selma", "Otto"]
"""What the page calls the reader and the bots, by seat."""
END, MATCH_END = "section[data-phase='round-end']", "section[data-phase='match-end']"


def number(text: str) -> int:
    return int(text.replace("−", "-"))


def rows(table: Locator) -> dict[str, int | None]:
    """The first line of each row's heading, and the figure in its last column; None where there is none."""
    found: dict[str, int | None] = {}
    for row in table.locator("tbody tr").all():
        last = row.locator("td").last.inner_text().strip()
        found[row.locator("th").inner_text().strip().split("\n")[0]] = number(last) if last else None
    return found


def points_on(page: Page, plates: str, figure: str) -> list[int]:
    """By seat: the points on everybody's plate, which are the server's."""
    return [number(page.locator(plates.format(name)).locator(figure).inner_text()) for name in names_at(page, plates)]


def names_at(page: Page, plates: str) -> list[str]:
    return [name for name in NAMES if page.locator(plates.format(name)).count() > 0]


def by_team(points: list[int]) -> dict[str, int]:
    """Rules §6.4: every second seat."""
    return {"Us": sum(points[0::2]), "Them": sum(points[1::2])}


@pytest.mark.parametrize(
    ("players", "size", "by"),
    [(4, DESKTOP, "mouse"), pytest.param(6, PHONE, "touch", marks=pytest.mark.slow)],
)
def test_a_team_is_one_in_a_match_to_its_end(visits: Visits, players: int, size: tuple[int, int], by: str) -> None:
    """One round, because the first point ends the match. All sums are compared with single figures and the record."""
    ann = visits(size=size)
    ann.go("/")
    short = {"seats": ["open", *["random"] * (players - 1)], "options": {"teams": True, "length": {"target": 1}}}
    settings: list[Any] = ["nichtig", players, short]
    table: str = ann.page.evaluate((SCRIPTS / "table.js").read_text(encoding="utf-8"), settings)
    page = ann.go(f"/table/{table}")
    page.locator("form.name .btn.primary").click()
    player = Player(page, by=by)
    ours, theirs = NAMES[0:players:2], NAMES[1:players:2]

    # on the plates: in words, for everybody
    player.play_until(lambda phase: phase == "play")
    plates = "section[aria-label='{}']:visible"
    words = dict.fromkeys(theirs, "Them") | dict.fromkeys(ours, "Partner") | {"You": "Us"}
    for name, word in words.items():
        plate = page.locator(plates.format(name))
        assert plate.get_by_text(word, exact=True).is_visible(), f"{name}: {word}"
    for theme in ("light", "dark"):
        ann.look_at(size, theme)
        ann.fits()
        ann.axe()

    # in the panel, once some tricks were won: the teams alone have totals
    for _ in range(4):
        player.decide(player.look())
    player.look()
    so_far = by_team(points_on(page, plates, ".sum"))
    assert any(so_far.values())
    page.get_by_role("button", name="Scores").locator("visible=true").click()
    shown = rows(page.get_by_role("dialog").locator("table").first)
    assert {name: total for name, total in shown.items() if total is not None} == so_far
    assert set(NAMES[:players]) <= set(shown), "and what each has added is below"
    ann.axe()
    page.keyboard.press("Escape")
    bar = dict(
        zip(page.locator("header dt").all_inner_texts(), page.locator("header dd").all_inner_texts(), strict=True)
    )
    assert {name.capitalize(): number(text) for name, text in bar.items()} == so_far

    # at the end of the round: the stamp, the standings, all rounds
    assert player.play_until(lambda phase: phase == "round-end") == "round-end"
    scores = points_on(page, f"{END} .one:has(b:text-is('{{}}'))", "header .d")
    sums = by_team(scores)
    winners = ours if sums["Us"] > sums["Them"] else theirs
    stamp = "A tie" if sums["Us"] == sums["Them"] else f"Round won: {listed(winners)}"
    assert page.locator("#end-title").inner_text() == stamp
    standings = {one.locator("b").inner_text(): number(one.locator(".d").inner_text()) for one in places(page)}
    assert standings == {listed(ours): sums["Us"], listed(theirs): sums["Them"]}
    page.get_by_role("button", name="All rounds").click()
    shown = rows(page.get_by_role("dialog").locator("table").first)
    assert {name: total for name, total in shown.items() if total is not None} == sums
    page.keyboard.press("Escape")
    ann.fits()
    ann.axe()
    player.decide(player.look())

    # at the end of the match: as the record has it, by the rules
    player.play_until(lambda phase: phase == "match-end")
    record = page.evaluate("(id) => fetch(`/api/records/${id}.jsonl`).then((answer) => answer.text())", table)
    game = Game.from_record(json.loads(record))
    assert game.totals == scores
    assert {NAMES[seat] for seat in game.winners} == set(winners) or stamp == "A tie"
    bars = {one.locator(".name").inner_text().strip(): number(one.locator(".d").inner_text()) for one in totals(page)}
    assert bars == standings
    shown = rows(page.locator(".course table"))
    assert {name: total for name, total in shown.items() if total is not None} == sums
    ahead = abs(sums["Us"] - sums["Them"])
    title = page.locator(f"{MATCH_END} h2").first.inner_text()
    if 0 not in game.winners:
        assert re.fullmatch(rf"Won by {ahead} points?: {listed(theirs)}", title), title
        assert f"Your rank: 2 of 2, with {sums['Us']} point" in page.locator(".place").inner_text()
    elif ahead:
        assert re.fullmatch(rf"Your team wins by {ahead} points?", title), title
    ann.fits()
    ann.axe()

    # in the list of my games: the points and the lead are those of the team
    ann.go("/games")
    mine = page.locator(".list li").first
    assert number(mine.locator(".points .d").inner_text()) == sums["Us"]
    assert str(ahead) in mine.locator(".points small").inner_text() or ahead == 0


def listed(names: list[str]) -> str:
    """As browsers list names in English."""
    return " and ".join(names) if len(names) == 2 else f"{', '.join(names[:-1])}, and {names[-1]}"


def places(page: Page) -> list[Locator]:
    return page.locator(f"{END} .lower ol > li").all()


def totals(page: Page) -> list[Locator]:
    return page.locator(f"{MATCH_END} .lower .side ol > li").all()
