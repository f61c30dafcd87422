"""The solver of Njet! against plain minimax, and against itself where minimax would take too long."""

from __future__ import annotations

import random
from itertools import islice

import numpy as np
import pytest

from atout.editions import PUBLISHED, published
from atout.errors import UsageError
from atout.game import Setup
from atout.knowledge import entries as knowledge_entries
from atout.rules.arrays import Int64Array, plain
from atout.rules.layout import FACTS_WORDS, LOG, NOBODY, RULES, STATE, STATE_WORDS
from atout.search.solver import solver as face
from atout.search.solver.problem import MAX_CARDS, POOL
from atout.search.solver.solver import MIN_POOL, Solution, Solver
from tests.rules.positions import house
from tests.search.endings import (
    FAR,
    Known,
    after,
    alpha_beta,
    cards_in,
    dealt,
    endings,
    is_over,
    legal,
    minimax,
    side_points,
)

NJET = [published(edition) for edition in PUBLISHED if published(edition).is_njet]
TABLES = [(edition.id, players) for edition in NJET for players in edition.counts]
SIGNS = [
    (edition.id, players, sign)
    for edition in NJET
    for players in edition.counts
    for sign in (1, -1)
    if edition.board is not None and any(points * sign > 0 for points in edition.board.points)
]
counts = pytest.mark.parametrize("count", [20, pytest.param(60, marks=pytest.mark.slow)])
"""Endings of each kind."""
PLIES = 10
"""Cards left at most, so that plain minimax ends soon."""
LONGER = {2: 13, 3: 14, 4: 16, 5: 15}
"""Cards left at most, by players, where alpha-beta still ends soon."""
DEEP = {2: 22, 3: 27, 4: 32, 5: 35}
"""Cards left where the solver is held against itself."""
HOUSES = {
    "low cards in the middle": house("njet-1997", deck={"low": 5}),
    "equal ranks, first wins": house(
        "njet-1997", deck={"values": [1, 1, 2, 2, 2, 2, 4, 4, 4, 4]}, trick={"ties": "first"}
    ),
    "five colours, printed suit": house(
        "njet-1997",
        deck={"colours": ["red", "black", "blue", "green", "purple"]},
        trick={"supertrump_suit": "printed", "void": "any"},
    ),
    "worthless tricks, dear tricks": house("niet-2015", board={"points": [0, 5, -3]}),
}


@pytest.fixture(scope="module")
def solver() -> Solver:
    """One for all tests: what it remembers of one position must be right in the others."""
    return Solver()


def solve(solver: Solver, state: Int64Array, setup: Setup) -> Solution:
    solution = solver.solve(state, setup.rules)
    assert solution is not None
    return solution


def assert_right(solution: Solution, state: Int64Array, setup: Setup) -> None:
    """Every card's total is minimax's, and the line leads to the best of them; alpha-beta agrees."""
    worth = {kind: minimax(after(state, setup, kind), setup) for kind in legal(state, setup)}
    s = plain(state, STATE)
    best = max(worth.values()) if (s.side >> s.turn) & 1 else min(worth.values())
    assert solution.totals == worth, s
    assert solution.total == best == alpha_beta(state, setup, -FAR, FAR, {}), s
    assert worth[solution.best] == best, s
    assert_line(solution, state, setup)


def assert_line(solution: Solution, state: Int64Array, setup: Setup) -> None:
    end = after(state, setup, *solution.line)
    assert is_over(end)
    assert side_points(end, setup.players) == (solution.ours, solution.theirs)
    assert (solution.ours or 0) - (solution.theirs or 0) == solution.total


@counts
@pytest.mark.parametrize(("edition", "players", "sign"), SIGNS)
def test_small_endings_are_worth_what_minimax_says(
    solver: Solver, edition: str, players: int, sign: int, count: int
) -> None:
    setup = Setup.of(edition, players)
    states = list(islice(endings(setup, f"{edition}/{players}", players, PLIES, sign), count))
    for state in states:
        assert_right(solve(solver, state, setup), state, setup)
    assert {plain(state, STATE).played for state in states} == set(range(players)), "starts at every point of a trick"
    assert any(loot_at_stake(state, setup) for state in states)
    doubled = {plain(state, STATE).doubler != NOBODY for state in states}
    assert doubled == {players in (3, 5)}, "the ×2 card makes up for uneven sides"


def loot_at_stake(state: Int64Array, setup: Setup) -> bool:
    """Do both sides hold low cards?"""
    s, low = plain(state, STATE), int(setup.rules.view(RULES)[0].low)
    holders = [seat for seat in range(setup.players) if s.hand[seat] & low]
    return len({(s.side >> seat) & 1 for seat in holders}) == 2


@counts
@pytest.mark.parametrize("name", HOUSES)
def test_house_rules(solver: Solver, name: str, count: int) -> None:
    setup = Setup.of(HOUSES[name], 4)
    for state in islice(endings(setup, name, 4, PLIES), count):
        assert_right(solve(solver, state, setup), state, setup)


EVERY = [*TABLES, *((name, 4) for name in HOUSES)]


@counts
@pytest.mark.parametrize(("edition", "players"), EVERY)
def test_longer_endings_are_worth_what_alpha_beta_says(solver: Solver, edition: str, players: int, count: int) -> None:
    """Long enough for patterns to be met again by other cards."""
    setup = Setup.of(HOUSES.get(edition, edition), players)
    for state in islice(
        endings(setup, f"longer {edition}/{players}", LONGER[players] - 1, LONGER[players]), count // 2
    ):
        known: Known = {}
        worth = {kind: alpha_beta(after(state, setup, kind), setup, -FAR, FAR, known) for kind in legal(state, setup)}
        assert solve(solver, state, setup).totals == worth, plain(state, STATE)


@pytest.mark.parametrize(("edition", "players"), EVERY)
def test_a_card_is_worth_what_the_position_after_it_is_worth(solver: Solver, edition: str, players: int) -> None:
    """From long endings on, along random play to the last cards; with small endings right, so are these."""
    setup, rng = Setup.of(HOUSES.get(edition, edition), players), random.Random(f"walk {edition}/{players}")
    state = next(endings(setup, f"deep {edition}/{players}", DEEP[players], DEEP[players]))
    while cards_in(state, players) > PLIES:
        solution = solve(solver, state, setup)
        assert_line(solution, state, setup)
        alone = Solver()
        for kind in legal(state, setup):
            there = alone.solve(after(state, setup, kind), setup.rules, each=False, line=False)
            assert there is not None
            assert there.total == solution.totals[kind], plain(state, STATE)
            assert (there.totals, there.line, there.ours) == ({}, [], None)
        state = after(state, setup, rng.choice(legal(state, setup)))


def test_little_memory_and_pauses_change_nothing(solver: Solver, monkeypatch: pytest.MonkeyPatch) -> None:
    setup, little = Setup.of("niet-2015", 4), Solver(pool=MIN_POOL)
    states = list(islice(endings(setup, "little", 28, 32), 6))
    right = [solve(solver, state, setup)[:4] for state in states]
    assert [solve(little, state, setup)[:4] for state in states] == right
    monkeypatch.setattr(face, "NODES", 97)
    assert [solve(little, state, setup)[:4] for state in states] == right


def test_no_answer_in_no_time_and_then_the_right_one() -> None:
    setup, solver = Setup.of("niet-2015", 4), Solver()
    state = next(endings(setup, "hurry", 48, 60))
    assert solver.solve(state, setup.rules, seconds=0) is None
    assert solver.solve(state, setup.rules, nodes=1) is None
    small = next(endings(setup, "small", 6, 8))
    assert_right(solve(solver, small, setup), small, setup)


def test_the_state_is_left_alone(solver: Solver) -> None:
    setup = Setup.of("niet-2015", 4)
    state = next(endings(setup, "alone", 20, 24))
    before = state.copy()
    solve(solver, state, setup)
    assert np.array_equal(state, before)


@pytest.mark.parametrize("pool", [0, MIN_POOL - 1, POOL + 1])
def test_a_bad_pool_is_refused(pool: int) -> None:
    with pytest.raises(UsageError, match=f"^pool: {pool} is not allowed; allowed: {MIN_POOL} to {POOL}$"):
        Solver(pool=pool)


def test_wrong_states_are_refused(solver: Solver) -> None:
    setup = Setup.of("niet-2015", 4)
    with pytest.raises(UsageError, match="phase PLAY"):
        solver.solve(dealt(setup, random.Random(1)), setup.rules)
    state = next(endings(setup, "over", 4, 4))
    with pytest.raises(UsageError, match="phase PLAY"):
        solver.solve(after(state, setup, *solve(solver, state, setup).line), setup.rules)
    nichtig = Setup.of("nichtig", 4)
    with pytest.raises(UsageError, match="MaxN"):
        solver.solve(next(endings(nichtig, "wrong game", 8, 8)), nichtig.rules)


def test_a_view_is_no_state(solver: Solver) -> None:
    """What one seat may know has no other hands in it."""
    setup = Setup.of("niet-2015", 4)
    state = next(endings(setup, "view", 24, 24))
    seen, facts, log = np.zeros(STATE_WORDS, np.int64), np.zeros(FACTS_WORDS, np.int64), np.zeros(LOG, np.int64)
    knowledge_entries.redact(state, setup.rules, log, 0, 0, seen, facts, log.copy())
    with pytest.raises(UsageError, match="hands are hidden"):
        solver.solve(seen, setup.rules)


def test_more_cards_than_can_be_numbered_are_refused(solver: Solver) -> None:
    deck, seats = {"values": [1, 1, *range(2, 15), *range(2, 7)]}, {"4": {"hand": 20}}
    setup = Setup.of(house("njet-1997", deck=deck, players=seats), 4)
    with pytest.raises(UsageError, match=f"at most {MAX_CARDS} in play"):
        solver.solve(next(endings(setup, "many", 64, 72)), setup.rules)
    assert solver.solve(next(endings(setup, "few", 8, 8)), setup.rules) is not None
