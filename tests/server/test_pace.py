"""When bots' decisions are shown says nothing of their cards: the same moments, however long they think."""

from __future__ import annotations

import asyncio
import json
import random
from itertools import pairwise
from typing import Any

import pytest

from atout.bots import SEARCHING
from atout.server.live.pace import STEP_SECONDS, Pace
from atout.tables import BotTurn, TableSettings, decode
from atout.tables import commands as c
from atout.tables import events as e
from tests.server.fake_time import Agenda, FakeHub, Listener, MemoryStore, Think, person, settle, started
from tests.tables.players import Driver

BUDGET = 0.3
LATEST = 0.432
"""Seconds that a search bot with this budget was seen to take."""


def quick(_: BotTurn) -> float:
    return 0.002


def slow(_: BotTurn) -> float:
    return LATEST


def by_cards(turn: BotTurn) -> float:
    """As search bots do: with one legal card they answer at once."""
    return 0.002 if len(turn.legal) == 1 else LATEST - 0.01 * turn.seat


def begun(pace: Any = "calm", level: str = "expert", edition: str = "nichtig") -> Driver:
    """A table with one person and two bots; the match has begun."""
    return Driver(TableSettings(edition, 3, seats=["open", level, level], spectators="public", pace=pace)).fill()


async def play(driver: Driver, think: Think, cards: int, deals: Any = None, **settings: Any) -> Heard:
    """What the person and a spectator are sent, and when, while the bots think like that, until so many cards lie."""
    agenda, store = started(driver)
    hub = FakeHub(agenda, store, think, absent_seconds=3600, **settings)
    live = hub.load(deals)
    listeners = [Listener("g0", agenda), Listener("watcher", agenda)]
    for listener in listeners:
        await live.join(listener, None)
    await live.resume_bots()
    played, asked = 0, None
    while played < cards and not live.table.is_finished:
        decision = live.table.view_for("g0", agenda.now).decision
        if decision is not None and decision != asked:
            asked = decision
            person(live, "g0", 1.0)
        assert await agenda.step()
        played = sum(b" play " in body for body in store.log)
    return Heard(listeners, [len(question.turn.legal) for question in hub.bots.asked], store)


class Heard:
    def __init__(self, listeners: list[Listener], legal: list[int], store: MemoryStore) -> None:
        self.messages = [listener.heard for listener in listeners]
        self.legal = legal
        """How many actions each bot could choose from."""
        self.log = [decode(body) for body in store.log]

    @property
    def times(self) -> list[Any]:
        """Every time that is in the messages, and when each was sent."""
        return [[(sent, times_in(json.loads(text))) for sent, text in heard] for heard in self.messages]


def times_in(message: Any) -> list[tuple[str, Any]]:
    """The numbers in a message that could be times."""
    found: list[tuple[str, Any]] = []
    for name, value in message.items() if isinstance(message, dict) else enumerate(message):
        if isinstance(value, (dict, list)):
            found += times_in(value)
        elif isinstance(value, float) or name in ("at", "now", "time", "number", "clock"):
            found.append((str(name), value))
    return found


@pytest.mark.parametrize("pace", ["calm", "at-once"])
@pytest.mark.parametrize(("edition", "level"), [("nichtig", "expert"), ("niet-2015", "club"), ("niet-2015", "ismcts")])
def test_the_time_that_bots_think_shows_nowhere(pace: str, edition: str, level: str) -> None:
    """All messages are the same, byte by byte, and come at the same moments: more than a round, with secret choices."""
    heard = [asyncio.run(play(begun(pace, level, edition), think, 45)) for think in (quick, slow, by_cards)]
    assert heard[0].messages == heard[1].messages == heard[2].messages
    assert len(heard[0].messages[0]) > 45
    assert min(heard[2].legal) == 1 < max(heard[2].legal)


def test_without_the_delay_it_would_show() -> None:
    """The comparison above can fail: an operator who sets the pace to 0 is warned."""
    heard = [asyncio.run(play(begun(), think, 12, bot_pace=0.0)) for think in (quick, by_cards)]
    assert heard[0].messages != heard[1].messages
    assert heard[0].times != heard[1].times


def test_other_cards_other_legal_cards_same_moments() -> None:
    """Up to the end of the first trick, where the public course of the game does not depend on the hidden cards."""
    driver = begun("at-once", edition="niet-2015")
    known = driver.table._state.game.record()["rounds"][0]["hands"]  # type: ignore[union-attr]
    hidden = [card for hand in known[1:] for card in hand.split()]
    half, heard = len(hidden) // 2, []
    for seed in range(24):
        drawn = random.Random(seed).sample(hidden, len(hidden))
        hands = [known[0], " ".join(drawn[:half]), " ".join(drawn[half:])]
        heard.append(asyncio.run(play(driver, by_cards, 3, deals=lambda _, hands=hands: hands)))
    assert len({tuple(one.legal) for one in heard}) > 1
    assert {1 in one.legal for one in heard} == {True, False}, "one with a single legal card, one with many"
    assert all(one.times == heard[0].times for one in heard)


@pytest.mark.parametrize(("pace", "level", "delay"), [("calm", "expert", 0.7), ("at-once", "expert", 0.5),
                                                     ("calm", "novice", 0.7), ("at-once", "novice", 0.1)])  # fmt: skip
def test_the_delay_follows_from_pace_and_level(pace: str, level: str, delay: float) -> None:
    heard = asyncio.run(play(begun(pace, level), quick, 9))
    acted = [event for event in heard.log if isinstance(event, (e.Acted, e.Revealed))]
    for before, event in pairwise(acted):
        if isinstance(event, e.Acted) and event.bot:
            assert event.at - before.at == pytest.approx(delay + 0.01 * event.seat)


def test_a_budget_is_covered_whatever_it_is() -> None:
    for level in SEARCHING:
        assert Pace(2.0, 1.0).delay("calm", level) > 2.0 < Pace(2.0, 1.0).delay("at-once", level)


@pytest.mark.parametrize("late", [0.01, 0.3, 0.49])
def test_late_decisions_are_shown_at_the_next_step(late: float) -> None:
    """The machine is busy. How late the bot was shows only in steps, in the clock's time and in the stamps."""

    def think(_: BotTurn) -> float:
        return 0.7 + 0.02 + late

    heard = asyncio.run(play(begun(), think, 4))
    acted = [event for event in heard.log if isinstance(event, (e.Acted, e.Revealed))]
    for before, event in pairwise(acted):
        if isinstance(event, e.Acted) and event.bot:
            assert event.at - before.at == pytest.approx(0.7 + 0.01 * event.seat + STEP_SECONDS)
    by_number = {event.number: event.at for event in heard.log}
    for sent, text in heard.messages[1]:
        message = json.loads(text)
        if message["type"] == "told" and "number" in message["view"]:
            assert sent == pytest.approx(by_number[message["view"]["number"]])


def test_bots_that_choose_in_secret_are_heard_in_the_order_of_their_seats() -> None:
    def backwards(turn: BotTurn) -> float:
        return 0.3 - 0.1 * turn.seat

    heard = asyncio.run(play(begun(), backwards, 1))
    assert [event.seat for event in heard.log if isinstance(event, e.Chosen) and event.bot] == [1, 2] * 3


def test_a_clock_that_is_set_back_makes_nobody_wait() -> None:
    async def set_back() -> float:
        driver = begun()
        _, store = started(driver)
        agenda = Agenda(driver.now - 3600)
        live = FakeHub(agenda, store, quick).load()
        await live.resume_bots()
        while len(store.log) == driver.table.number:
            await agenda.step()
        return agenda.now - (driver.now - 3600)

    assert asyncio.run(set_back()) < 2.0


def test_a_takeback_can_be_offered_while_a_decision_is_held_back() -> None:
    """The bot has decided, but nobody has seen it: the offer stands, and the bot decides again when it has ended."""

    async def offer() -> list[Any]:
        driver = Driver(TableSettings("nichtig", 3, seats=["open", "open", "expert"])).fill()
        rng = random.Random(3)
        while driver.phase != "play" or driver.asked() != [1]:
            assert driver.step(rng)
        agenda, store = started(driver)
        live = FakeHub(agenda, store, quick, absent_seconds=3600).load()
        await live.do(c.Act(action=driver.legal("g1")[0], decision=driver.view("g1").decision), "g1")
        await agenda.run_until(driver.now + 0.5)
        await live.do(c.Offer(what="takeback"), "g1")
        await agenda.run_until(driver.now + 5.0)
        assert live.table.view_for("g0", agenda.now).offer is not None
        await live.do(c.Answer(yes=False), "g0")
        await agenda.run_until(driver.now + 10.0)
        return [decode(body) for body in store.log[driver.table.number :]]

    events = asyncio.run(offer())
    assert [type(event) for event in events][:4] == [e.Acted, e.Offered, e.Answered, e.Acted]
    assert events[3].at - events[2].at == pytest.approx(0.7 + 0.02)


def test_a_worker_that_ends_during_the_delay_loses_nothing() -> None:
    """Its bots have chosen and nothing is shown. Another worker asks them again; the answer of the first is refused."""

    async def end() -> tuple[list[Any], list[int]]:
        driver = begun()
        agenda, store = started(driver)
        first, second = (FakeHub(agenda, store, quick, absent_seconds=3600) for _ in range(2))
        held: list[Any] = []
        first.later = lambda seconds, work, *arguments: held.append((work, arguments))  # type: ignore[method-assign]
        live = first.load()
        await live.do(c.Say(text="hello"), "g0")
        await agenda.run_until(driver.now + 0.1)
        assert [work.__name__ for work, _ in held] == ["_show", "_show"]
        assert store.due is not None
        assert store.due > driver.now + 0.7, "not due before the decisions would be shown"
        await agenda.run_until(store.due)
        other = second.load()
        await other.wake()
        await agenda.run_until(store.due + 1.0)
        shown = [decode(body) for body in store.log[driver.table.number + 1 :]]
        for work, arguments in held:
            first.start(work(*arguments))
        await settle()
        return shown, [event.seat for body in store.log if isinstance(event := decode(body), e.Chosen)]

    shown, chosen = asyncio.run(end())
    assert [event.seat for event in shown[:2]] == [1, 2]
    assert len(chosen) == len(shown), "nothing was chosen twice"
