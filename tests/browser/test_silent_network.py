"""A network that falls silent without telling anybody: the page says so soon, and what was decided counts once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Visits
from tests.browser.friends import Friends
from tests.browser.player import Player
from tests.browser.test_feedback import begin
from tests.browser.test_people import say
from tests.browser.test_phases import SCRIPTS
from tests.browser.visitor import DESKTOP, PHONE
from tests.server.background import Background
from tests.server.frozen_network import FrozenNetwork

SOON = 60_000.0
"""Milliseconds. The page has 10 seconds; before it listened for signs of life, it took longer than two minutes."""
NOTICE = ".notices [role='status']"
CARDS = ".hand [data-card]"


@pytest.fixture
def network(site: Background) -> Iterator[FrozenNetwork]:
    with FrozenNetwork(site.url) as network:
        yield network


def to_own_card(visits: Visits, network: FrozenNetwork, size: tuple[int, int] = DESKTOP) -> tuple[Page, Player]:
    """At a table that is reached through the network, when a card is to be played."""
    visitor = visits(network.url, size=size)
    page = begin(visitor, edition="nichtig", players=3)
    player = Player(page, by="touch" if size == PHONE else "mouse")
    player.play_until(lambda phase: phase == "play")
    return page, player


def choose_card(page: Page) -> None:
    page.locator(f"{CARDS}:not([aria-disabled='true'])").first.click(position={"x": 12, "y": 16})
    page.locator("button.act").click()


@pytest.mark.parametrize("only_answers", [False, True], ids=["nothing passes", "only the answers are lost"])
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_card_played_into_silence_counts_once(
    visits: Visits, network: FrozenNetwork, size: tuple[int, int], only_answers: bool
) -> None:
    page, player = to_own_card(visits, network, size)
    cards = page.locator(CARDS).count()
    network.freeze(only_answers=only_answers)
    choose_card(page)
    page.locator(".prompt").get_by_text("No connection").wait_for(timeout=SOON)
    page.locator(NOTICE).get_by_text("No connection").wait_for(timeout=SOON)
    assert "is sent when the connection is back" in page.locator(".prompt").inner_text()
    assert page.get_by_text("One moment").count() == 0
    network.thaw()
    page.locator(NOTICE).wait_for(state="detached")
    assert player.look()["phase"] == "play"
    assert page.locator(CARDS).count() == cards - 1


def test_a_silent_network_is_noticed_while_nothing_is_done(visits: Visits, network: FrozenNetwork) -> None:
    page, player = to_own_card(visits, network)
    cards = page.locator(CARDS).count()
    network.freeze()
    page.locator(NOTICE).get_by_text("No connection").wait_for(timeout=SOON)
    network.thaw()
    page.locator(NOTICE).wait_for(state="detached")
    choose_card(page)
    assert player.look()["phase"] == "play"
    assert page.locator(CARDS).count() == cards - 1


def test_a_page_that_is_opened_in_silence_says_so(visits: Visits, network: FrozenNetwork) -> None:
    page, _ = to_own_card(visits, network)
    table = page.url
    silent = page.context.new_page()
    silent.route_web_socket("**/ws/**", lambda _socket: None)  # it opens, and nothing ever comes
    silent.goto(table)
    silent.get_by_text("No connection").wait_for(timeout=SOON)
    silent.get_by_role("button", name="Try again now").wait_for()


def test_what_is_said_in_silence_is_shown_and_said_once(visits: Visits, network: FrozenNetwork) -> None:
    visitor = visits(network.url)
    visitor.go("/")
    settings: list[Any] = ["nichtig", 3, {"seats": ["open", "open", "random"], "chat": True}]
    table: str = visitor.page.evaluate((SCRIPTS / "table.js").read_text(encoding="utf-8"), settings)
    page = visitor.go(f"/table/{table}")
    page.get_by_role("button", name="Sit down").click()
    with Friends(network.url, table, [1]):
        Player(page).look()
        network.freeze()
        say(page, "Hello?")
        waiting = page.get_by_text("(sent when the connection is back)")
        waiting.wait_for(timeout=SOON)
        lines = page.get_by_role("dialog").get_by_role("listitem")
        assert lines.all_inner_texts() == ["Hello? (sent when the connection is back)"]
        network.thaw()
        waiting.wait_for(state="detached")
        lines.get_by_text("Hello?").wait_for()
        assert [" ".join(line.split()) for line in lines.all_inner_texts()] == ["Guest Hello?"]
