"""A whole match of friends on two devices and a leaver, with reloads and a network that is lost for 90 seconds."""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import Page, WebSocketRoute

from tests.browser.conftest import Visits
from tests.browser.player import HAS_NEWS, Player
from tests.browser.test_absence import my_tables, watchful
from tests.browser.test_multiplayer import open_table, sit_down
from tests.browser.visitor import PHONE, Visitor
from tests.server.background import Background

__all__ = ["watchful"]

LOST_SECONDS = 90.0
RELOAD_EVERY = 15
RECORDS = "() => fetch('/api/records').then((answer) => answer.json()).then((answer) => answer.records)"
STATISTICS = "() => fetch('/api/statistics').then((answer) => answer.json()).then((answer) => answer.statistics)"
SHORT = {"options": {"length": {"target": 25}}, "seats": ["open", "open", "open", "random"], "stand_in": "random"}


class Network:
    """The network of one device: it can be lost, with every connection that goes through it."""

    def __init__(self, visitor: Visitor) -> None:
        self._context, self._is_lost, self._lines = visitor.context, False, list[WebSocketRoute]()
        self._context.route_web_socket("**/ws/**", self._connect)

    def _connect(self, line: WebSocketRoute) -> None:
        if self._is_lost:
            line.close()
            return
        line.connect_to_server()
        self._lines.append(line)

    def lose(self) -> None:
        self._is_lost = True
        self._context.set_offline(True)
        for line in self._lines:
            line.close()
        self._lines.clear()

    def find(self) -> None:
        self._is_lost = False
        self._context.set_offline(False)


def play(players: dict[str, Player], most: int) -> tuple[int, bool]:
    """Whoever is asked decides, at most so many decisions in all; how many there were, and whether it is the end."""
    made = 0
    while made < most:
        phases = [_step(player) for player in players.values()]
        if all(phase == "match-end" for phase in phases):
            return made, True
        made += sum(phase not in ("", "match-end") for phase in phases)
        if not any(phases):
            next(iter(players.values())).page.wait_for_timeout(20)
    return made, False


def _step(player: Player) -> str:
    found = player.page.evaluate(f"({HAS_NEWS})()")
    if found is None:
        return ""
    if found["phase"] != "match-end":
        player.decide(found)
    return str(found["phase"])


@pytest.mark.slow
def test_two_devices_play_to_the_end(visits: Visits, watchful: Background) -> None:
    ann, bob, cleo = visits(watchful.url), visits(watchful.url, size=PHONE), visits(watchful.url)
    network = Network(bob)
    path = open_table(ann, players=4, **SHORT)
    sit_down(bob, path)
    sit_down(cleo, path)
    players = {"ann": Player(ann.page, 1), "bob": Player(bob.page, 2, by="touch"), "cleo": Player(cleo.page, 3)}

    play(players, 8)
    _reload(ann.page)
    _reload(bob.page)
    play(players, 6)

    _lose_the_network(ann, bob, network, players)
    play(players, 6)

    cleo.page.get_by_role("button", name="Menu").click()
    cleo.page.get_by_role("button", name="Leave the table").click()
    del players["cleo"]
    ann.page.locator(".slip").get_by_role("button", name="Let a bot play").click()
    bob.page.get_by_role("button", name="Agree").click()
    ann.page.get_by_text("A bot now plays for").first.wait_for(state="attached")

    is_over, turns = False, 0
    while not is_over:
        made, is_over = play(players, RELOAD_EVERY)
        turns += made
        if not is_over:
            _reload((ann.page, bob.page)[turns % 2])
    for visitor, counts in ((ann, 1), (bob, 1), (cleo, 0)):
        (record,) = visitor.page.evaluate(RECORDS)
        assert record["summary"]["stand_ins"] == [2]
        assert len(visitor.page.evaluate(STATISTICS)) == counts, "a match that a bot finished is nobody's result"
    cleo.go("/")
    cleo.page.get_by_text("finished by a bot").first.wait_for()
    for visitor in (ann, bob, cleo):
        assert [card["state"] for card in my_tables(visitor.page)] == ["over"]
        for part in ("ERR_INTERNET_DISCONNECTED", "Failed to fetch", "WebSocket"):
            visitor.forgive(part)


def _reload(page: Page) -> None:
    page.reload()
    page.wait_for_selector("[data-phase]")


def _lose_the_network(ann: Visitor, bob: Visitor, network: Network, players: dict[str, Player]) -> None:
    """The others play until they wait for Bob; they wait on, and he goes on where he was."""
    network.lose()
    lost = time.monotonic()
    others = {name: player for name, player in players.items() if name != "bob"}
    slip = ann.page.locator(".slip")
    while slip.count() == 0:
        for player in others.values():
            _step(player)
        ann.page.wait_for_timeout(50)
    slip.get_by_role("button", name="Wait", exact=True).click()
    (before,) = my_tables(ann.page)
    while time.monotonic() < lost + LOST_SECONDS:
        ann.page.wait_for_timeout(500)
    (after,) = my_tables(ann.page)
    assert after["mine"] == before["mine"], "nothing is played for somebody who is away"
    assert after["detail"]["seats"][1]["kind"] == "person"
    network.find()
    bob.page.wait_for_function(f"() => ({HAS_NEWS})()")
    _step(players["bob"])
