"""Everyone for itself: max-n and best reply against plain recursion over small endings."""

from __future__ import annotations

import random
from itertools import islice
from typing import Any

import numpy as np
import pytest

from atout.editions import PUBLISHED, published
from atout.engine import solver as face
from atout.engine.solver import Outcome, Selfish
from atout.errors import UsageError
from atout.game import Table
from atout.kernel.layout import KINDS, SEATS, STATE
from atout.kernel.records import Words, plain
from tests.engine.endings import after, dealt, endings, is_over, legal, selfish

TABLES = [(edition, players) for edition in PUBLISHED for players in published(edition).counts]
MOST = {2: 8, 3: 9, 4: 10, 5: 10, 6: 12}
"""Cards in hands, by players."""
COUNT = 6


@pytest.fixture(scope="module")
def minds() -> Selfish:
    """One for all tests: an answer must not leak into the next question."""
    return Selfish()


def states_of(table: Table, count: int = COUNT) -> list[Words]:
    return list(islice(endings(table, f"selfish {table.name}", table.players, MOST[table.players]), count))


def assert_same(outcome: Outcome | None, right: tuple[list[int], list[int]], state: Words, table: Table) -> None:
    assert outcome is not None
    assert (outcome.scores, outcome.line) == right, plain(state, STATE)
    end = after(state, table, *outcome.line)
    assert is_over(end)
    assert plain(end, STATE).scores[: table.players] == outcome.scores


@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_max_n(minds: Selfish, edition: str, players: int) -> None:
    table = Table.of(edition, players)
    for state in states_of(table):
        assert_same(minds.max_n(state, table.rules), selfish(state, table), state, table)


@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_best_reply(minds: Selfish, edition: str, players: int) -> None:
    table, rng = Table.of(edition, players), np.random.default_rng(players)
    for state in states_of(table):
        preference = rng.integers(0, 9, (SEATS, KINDS))
        for seat in range(players):
            outcome = minds.best_reply(state, table.rules, seat, preference)
            assert_same(outcome, selfish(state, table, seat, preference), state, table)


def test_a_reply_is_at_least_what_habit_brings(minds: Selfish) -> None:
    """Without preferences everyone plays the lowest legal kind; a longer ending than recursion could take."""
    table = Table.of("nichtig", 4)
    better = 0
    for state in islice(endings(table, "habit", 20, 24), 5):
        here = state.copy()
        while not is_over(here):
            here = after(here, table, legal(here, table)[0])
        for seat in range(4):
            outcome = minds.best_reply(state, table.rules, seat)
            assert outcome is not None
            habit = plain(here, STATE).scores[seat]
            assert outcome.scores[seat] >= habit
            better += outcome.scores[seat] > habit
    assert better > 0


def test_pauses_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even the number of nodes: both begin with a memory in which nothing is left that could be in the way."""
    table, steady, halting = Table.of("nichtig", 3), Selfish(), Selfish()
    states = states_of(table)
    right = [steady.max_n(state, table.rules) for state in states]
    monkeypatch.setattr(face, "NODES", 7)
    assert [halting.max_n(state, table.rules) for state in states] == right


def test_no_answer_in_no_time_and_then_the_right_one(minds: Selfish, monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table.of("nichtig", 4)
    monkeypatch.setattr(face, "NODES", 1000)
    assert minds.max_n(next(endings(table, "hurry", 44, 44)), table.rules, seconds=0) is None
    state = states_of(table)[0]
    assert_same(minds.max_n(state, table.rules), selfish(state, table), state, table)


@pytest.mark.parametrize("seat", [-1, 4])
def test_a_seat_nobody_has_is_refused(minds: Selfish, seat: int) -> None:
    table = Table.of("nichtig", 4)
    with pytest.raises(UsageError, match=f"^seat: {seat} is not allowed; allowed: 0 to 3$"):
        minds.best_reply(states_of(table)[0], table.rules, seat)


def test_other_bad_input_is_refused(minds: Selfish) -> None:
    table = Table.of("nichtig", 4)
    state = states_of(table)[0]
    with pytest.raises(UsageError, match=r"preference: .* right would be"):
        minds.best_reply(state, table.rules, 0, np.zeros((4, KINDS), np.int64))
    with pytest.raises(UsageError, match="phase PLAY"):
        minds.max_n(dealt(table, random.Random(1)), table.rules)
    hidden = next(endings(table, "hidden", 12, 12))
    view: Any = hidden.view(STATE)[0]
    view.hand[(view.turn + 1) % 4] = 0
    with pytest.raises(UsageError, match="hands are hidden"):
        minds.max_n(hidden, table.rules)
