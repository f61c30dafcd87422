"""Rounds and matches in a real browser: by mouse, by keyboard, by touch, with friends, through a crash."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.conftest import Visits
from tests.browser.player import HAS_NEWS, Player
from tests.browser.visitor import PHONE, Visitor
from tests.server.background import start

pytestmark = pytest.mark.long
SHORT = {"level": "novice", "length": "target", "target": 1}
"""Bots that decide at once, until somebody has a point: a round or two."""


def remember(visitor: Visitor, **wish: Any) -> None:
    """As if somebody had chosen so the last time."""
    visitor.context.add_init_script(f"localStorage.setItem('atout.wish', {json.dumps(json.dumps(SHORT | wish))})")


def finish(player: Player, *phases: str) -> None:
    assert player.play_until(lambda phase: phase == "match-end") == "match-end"
    assert {"play", "round-end", *phases} <= player.seen
    assert player.page.get_by_role("button", name="Play again").is_visible()


def finish_round(player: Player, *phases: str) -> None:
    """To the result of the first round, and past it."""
    assert player.play_until(lambda phase: phase == "round-end") == "round-end"
    player.decide(player.look())
    assert {"play", "round-end", *phases} <= player.seen


def test_a_newcomer_plays_a_match_with_the_mouse(visits: Visits) -> None:
    """Everything is chosen on the page, and what was played is in the list afterwards."""
    ann = visits()
    page = ann.go("/")
    ann.pick("Players", "3")
    ann.pick("Bots", "Gentle")
    page.get_by_text("Edition, options, friends").click()
    ann.pick("Edition", "Niet! 2015")
    ann.pick("The match ends", "To a target score")
    page.get_by_role("spinbutton", name="Target score").fill("1")
    page.get_by_role("button", name="Play now").click()
    page.wait_for_selector("[data-phase]")
    ann.go("/games").get_by_role("link", name="Go on with this match").click()
    finish(Player(page), "veto")
    ann.go("/")
    page.get_by_role("heading", name="Finished matches").wait_for()
    assert page.get_by_role("link", name="Replay", exact=True).count() == 1

    ann.go("/settings").get_by_role("button", name="Forget me …").click()
    ann.axe()
    page.get_by_role("button", name="Delete everything").click()
    page.wait_for_url("**/")
    page.get_by_role("heading", name="Open tables").wait_for()
    assert page.get_by_role("heading", name="Finished matches").count() == 0
    kept = page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('atout.'))")
    assert set(kept) <= {"atout.settings", "atout.language"}, "only what a first visit writes"


@pytest.mark.slow
def test_another_plays_with_the_keyboard_alone(visits: Visits) -> None:
    bob = visits()
    remember(bob, edition="nichtig", players=3)
    page = bob.go("/")
    page.wait_for_selector("button.primary.big:not(:disabled)")
    player = Player(page, by="keyboard")
    player.reach("button.primary.big")
    page.keyboard.press("Enter")
    finish_round(player, "lay")


@pytest.mark.slow
def test_another_plays_on_a_phone(visits: Visits) -> None:
    cleo = visits(size=PHONE)
    remember(cleo, edition="njet-2007", players=2)
    page = cleo.go("/")
    page.get_by_role("button", name="Play now").tap()
    player = Player(page, by="touch")
    while (found := player.look())["phase"] != "round-end":
        cleo.fits()
        player.decide(found)
    cleo.fits()
    finish_round(player, "veto")


def test_two_browsers_and_two_bots_meet_through_a_link(visits: Visits) -> None:
    ann, bob = visits(), visits(size=PHONE)
    remember(ann, players=4, friends=1)
    ann.go("/").get_by_role("button", name="Invite friends").click()
    link = ann.page.get_by_label("Link for this computer").input_value()
    bob.go(link)
    bob.page.get_by_role("button", name="Sit down").click()
    together(Player(ann.page, seed=1), Player(bob.page, seed=2, by="touch"))


def together(*players: Player) -> None:
    """Everybody decides when asked, in whatever order that is, until each has played a card."""
    yet_to_play = set(players)
    while yet_to_play:
        for player in players:
            if player.page.evaluate(f"({HAS_NEWS})()"):
                found = player.look()
                player.decide(found)
                if found["phase"] == "play":
                    yet_to_play.discard(player)
        players[0].page.wait_for_timeout(50)


def hand_of(page: Page) -> list[str]:
    return sorted(
        page.locator(".hand [role=img]").evaluate_all("cards => cards.map((card) => card.getAttribute('aria-label'))")
    )


@pytest.mark.usefixtures("page_is_built")
@pytest.mark.slow
def test_a_killed_server_costs_a_moment_and_nothing_else(browser: Browser, tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/atout.db"
    server = start(database, tmp_path, absent_seconds=600)
    ann = Visitor(browser, server.url)
    remember(ann, players=3)
    ann.go("/").get_by_role("button", name="Play now").click()
    player = Player(ann.page)
    assert player.play_until(lambda phase: phase == "play") == "play"
    player.decide(player.look())
    player.look()
    before = hand_of(ann.page)
    server.kill()
    ann.page.get_by_text("Connection lost").wait_for()
    again = start(database, tmp_path, port=int(server.url.rpartition(":")[2]), absent_seconds=600)
    try:
        ann.page.get_by_text("Connection lost").wait_for(state="detached")
        assert hand_of(ann.page) == before
        finish_round(player)
    finally:
        again.stop()
    ann.forgive("WebSocket connection to")
    ann.forgive("ERR_CONNECTION_REFUSED")
    ann.leave()
