"""Everyone for itself: max-n and best reply against plain recursion over small endings."""

from __future__ import annotations

import random
from itertools import islice
from typing import Any

import numpy as np
import pytest

from atout.editions import PUBLISHED, published
from atout.errors import UsageError
from atout.game import Setup
from atout.rules.arrays import Int64Array, plain
from atout.rules.layout import KINDS, SEATS, STATE
from atout.search import maxn
from atout.search.gain import gain
from atout.search.maxn import MaxN, Outcome
from tests.search.endings import after, dealt, endings, is_over, legal, selfish

TABLES = [(edition, players) for edition in PUBLISHED for players in published(edition).counts]
MAX_CARDS = {2: 8, 3: 9, 4: 10, 5: 10, 6: 12}
"""Cards in hands, by players."""
COUNT = 6


@pytest.fixture(scope="module")
def minds() -> MaxN:
    """One for all tests: an answer must not leak into the next question."""
    return MaxN()


def states_of(setup: Setup, count: int = COUNT) -> list[Int64Array]:
    return list(islice(endings(setup, f"selfish {setup.name}", setup.players, MAX_CARDS[setup.players]), count))


def assert_same(outcome: Outcome | None, right: tuple[list[int], list[int]], state: Int64Array, setup: Setup) -> None:
    assert outcome is not None
    assert (outcome.scores, outcome.line) == right, plain(state, STATE)
    end = after(state, setup, *outcome.line)
    assert is_over(end)
    assert plain(end, STATE).scores[: setup.players] == outcome.scores


@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_max_n(minds: MaxN, edition: str, players: int) -> None:
    setup = Setup.of(edition, players)
    for state in states_of(setup):
        assert_same(minds.max_n(state, setup.rules), selfish(state, setup), state, setup)


def test_teams_play_together(minds: MaxN) -> None:
    """In teams a seat gives up points of its own if its team gains by it (Null & nichtig §6.4)."""
    alone, teams = Setup.of("nichtig", 4), Setup.of("nichtig", 4, {"teams": True})
    differing = 0
    for state in states_of(teams):
        assert_same(minds.max_n(state, teams.rules), selfish(state, teams), state, teams)
        differing += selfish(state, teams) != selfish(state, alone)
    assert differing > 0


def test_who_can_hurt_opponents_at_no_cost_does(minds: MaxN) -> None:
    """Own points alone would leave such a choice to the order of the cards."""
    setup, decided = Setup.of("nichtig", 3), 0
    for state in states_of(setup, 30):
        seat, outcome = plain(state, STATE).turn, minds.max_n(state, setup.rules)
        assert outcome is not None
        ends = [selfish(after(state, setup, kind), setup)[0] for kind in legal(state, setup)]
        assert gain(outcome.scores, setup, seat) == pytest.approx(max(gain(end, setup, seat) for end in ends))
        decided += any(end[seat] >= outcome.scores[seat] and sum(end) > sum(outcome.scores) for end in ends)
    assert decided > 0


@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_best_response(minds: MaxN, edition: str, players: int) -> None:
    setup, rng = Setup.of(edition, players), np.random.default_rng(players)
    for state in states_of(setup):
        preference = rng.integers(0, 9, (SEATS, KINDS))
        for seat in range(players):
            outcome = minds.best_response(state, setup.rules, seat, preference)
            assert_same(outcome, selfish(state, setup, seat, preference), state, setup)


def test_a_reply_is_at_least_what_habit_brings(minds: MaxN) -> None:
    """Without preferences everyone plays the lowest legal kind; a longer ending than recursion could take."""
    setup = Setup.of("nichtig", 4)
    better = 0
    for state in islice(endings(setup, "habit", 20, 24), 5):
        here = state.copy()
        while not is_over(here):
            here = after(here, setup, legal(here, setup)[0])
        for seat in range(4):
            outcome = minds.best_response(state, setup.rules, seat)
            assert outcome is not None
            playout_policy = gain(plain(here, STATE).scores[:4], setup, seat)
            assert gain(outcome.scores, setup, seat) >= playout_policy - 1e-9
            better += gain(outcome.scores, setup, seat) > playout_policy
    assert better > 0


def test_pauses_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even the number of nodes: both begin with a memory in which nothing is left that could be in the way."""
    setup, steady, halting = Setup.of("nichtig", 3), MaxN(), MaxN()
    states = states_of(setup)
    right = [steady.max_n(state, setup.rules) for state in states]
    monkeypatch.setattr(maxn, "NODES", 7)
    assert [halting.max_n(state, setup.rules) for state in states] == right


def test_no_answer_in_no_time_and_then_the_right_one(minds: MaxN, monkeypatch: pytest.MonkeyPatch) -> None:
    setup = Setup.of("nichtig", 4)
    monkeypatch.setattr(maxn, "NODES", 1000)
    assert minds.max_n(next(endings(setup, "hurry", 44, 44)), setup.rules, seconds=0) is None
    assert minds.max_n(next(endings(setup, "hurry", 44, 44)), setup.rules, nodes=1) is None
    state = states_of(setup)[0]
    assert_same(minds.max_n(state, setup.rules), selfish(state, setup), state, setup)


@pytest.mark.parametrize("seat", [-1, 4])
def test_a_seat_nobody_has_is_refused(minds: MaxN, seat: int) -> None:
    setup = Setup.of("nichtig", 4)
    with pytest.raises(UsageError, match=f"^seat: {seat} is not allowed; allowed: 0 to 3$"):
        minds.best_response(states_of(setup)[0], setup.rules, seat)


def test_other_bad_input_is_refused(minds: MaxN) -> None:
    setup = Setup.of("nichtig", 4)
    state = states_of(setup)[0]
    with pytest.raises(UsageError, match=r"preference: .* expected"):
        minds.best_response(state, setup.rules, 0, np.zeros((4, KINDS), np.int64))
    with pytest.raises(UsageError, match="phase PLAY"):
        minds.max_n(dealt(setup, random.Random(1)), setup.rules)
    hidden = next(endings(setup, "hidden", 12, 12))
    view: Any = hidden.view(STATE)[0]
    view.hand[(view.turn + 1) % 4] = 0
    with pytest.raises(UsageError, match="hands are hidden"):
        minds.max_n(hidden, setup.rules)
