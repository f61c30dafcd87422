"""The solver of Njet! against plain minimax, and against itself where minimax would take too long."""

from __future__ import annotations

import random
from itertools import islice

import numpy as np
import pytest

from atout.editions import PUBLISHED, published
from atout.engine import solver as face
from atout.engine.problem import MOST_CARDS, POOL
from atout.engine.solver import MIN_POOL, Solution, Solver
from atout.errors import UsageError
from atout.game import Table
from atout.kernel import entries
from atout.kernel.layout import FACTS_WORDS, LOG, NOBODY, RULES, STATE, STATE_WORDS
from atout.kernel.records import Words, plain
from tests.engine.endings import (
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
from tests.rules.positions import house

NJET = [published(edition) for edition in PUBLISHED if published(edition).is_njet]
TABLES = [(edition.id, players) for edition in NJET for players in edition.counts]
SIGNS = [
    (edition.id, players, sign)
    for edition in NJET
    for players in edition.counts
    for sign in (1, -1)
    if edition.board is not None and any(points * sign > 0 for points in edition.board.points)
]
COUNT = 60
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


def solve(solver: Solver, state: Words, table: Table) -> Solution:
    solution = solver.solve(state, table.rules)
    assert solution is not None
    return solution


def assert_right(solution: Solution, state: Words, table: Table) -> None:
    """Every card's total is minimax's, and the line leads to the best of them; alpha-beta agrees."""
    worth = {kind: minimax(after(state, table, kind), table) for kind in legal(state, table)}
    s = plain(state, STATE)
    best = max(worth.values()) if (s.side >> s.turn) & 1 else min(worth.values())
    assert solution.totals == worth, s
    assert solution.total == best == alpha_beta(state, table, -FAR, FAR, {}), s
    assert worth[solution.best] == best, s
    assert_line(solution, state, table)


def assert_line(solution: Solution, state: Words, table: Table) -> None:
    end = after(state, table, *solution.line)
    assert is_over(end)
    assert side_points(end, table.players) == (solution.ours, solution.theirs)
    assert (solution.ours or 0) - (solution.theirs or 0) == solution.total


@pytest.mark.parametrize(("edition", "players", "sign"), SIGNS)
def test_small_endings_are_worth_what_minimax_says(solver: Solver, edition: str, players: int, sign: int) -> None:
    table = Table.of(edition, players)
    states = list(islice(endings(table, f"{edition}/{players}", players, PLIES, sign), COUNT))
    for state in states:
        assert_right(solve(solver, state, table), state, table)
    assert {plain(state, STATE).played for state in states} == set(range(players)), "starts at every point of a trick"
    assert any(loot_at_stake(state, table) for state in states)
    doubled = {plain(state, STATE).doubler != NOBODY for state in states}
    assert doubled == {players in (3, 5)}, "the ×2 card makes up for uneven sides"


def loot_at_stake(state: Words, table: Table) -> bool:
    """Do both sides hold low cards?"""
    s, low = plain(state, STATE), int(table.rules.view(RULES)[0].low)
    holders = [seat for seat in range(table.players) if s.hand[seat] & low]
    return len({(s.side >> seat) & 1 for seat in holders}) == 2


@pytest.mark.parametrize("name", HOUSES)
def test_house_rules(solver: Solver, name: str) -> None:
    table = Table.of(HOUSES[name], 4)
    for state in islice(endings(table, name, 4, PLIES), COUNT):
        assert_right(solve(solver, state, table), state, table)


EVERY = [*TABLES, *((name, 4) for name in HOUSES)]


@pytest.mark.parametrize(("edition", "players"), EVERY)
def test_longer_endings_are_worth_what_alpha_beta_says(solver: Solver, edition: str, players: int) -> None:
    """Long enough for patterns to be met again by other cards."""
    table = Table.of(HOUSES.get(edition, edition), players)
    for state in islice(
        endings(table, f"longer {edition}/{players}", LONGER[players] - 1, LONGER[players]), COUNT // 2
    ):
        known: Known = {}
        worth = {kind: alpha_beta(after(state, table, kind), table, -FAR, FAR, known) for kind in legal(state, table)}
        assert solve(solver, state, table).totals == worth, plain(state, STATE)


@pytest.mark.parametrize(("edition", "players"), EVERY)
def test_a_card_is_worth_what_the_position_after_it_is_worth(solver: Solver, edition: str, players: int) -> None:
    """From long endings on, along random play to the last cards; with small endings right, so are these."""
    table, rng = Table.of(HOUSES.get(edition, edition), players), random.Random(f"walk {edition}/{players}")
    state = next(endings(table, f"deep {edition}/{players}", DEEP[players], DEEP[players]))
    while cards_in(state, players) > PLIES:
        solution = solve(solver, state, table)
        assert_line(solution, state, table)
        alone = Solver()
        for kind in legal(state, table):
            there = alone.solve(after(state, table, kind), table.rules, each=False, line=False)
            assert there is not None
            assert there.total == solution.totals[kind], plain(state, STATE)
            assert (there.totals, there.line, there.ours) == ({}, [], None)
        state = after(state, table, rng.choice(legal(state, table)))


def test_little_memory_and_pauses_change_nothing(solver: Solver, monkeypatch: pytest.MonkeyPatch) -> None:
    table, little = Table.of("niet-2015", 4), Solver(pool=MIN_POOL)
    states = list(islice(endings(table, "little", 28, 32), 6))
    right = [solve(solver, state, table)[:4] for state in states]
    assert [solve(little, state, table)[:4] for state in states] == right
    monkeypatch.setattr(face, "NODES", 97)
    assert [solve(little, state, table)[:4] for state in states] == right


def test_no_answer_in_no_time_and_then_the_right_one() -> None:
    table, solver = Table.of("niet-2015", 4), Solver()
    state = next(endings(table, "hurry", 48, 60))
    assert solver.solve(state, table.rules, seconds=0) is None
    small = next(endings(table, "small", 6, 8))
    assert_right(solve(solver, small, table), small, table)


def test_the_state_is_left_alone(solver: Solver) -> None:
    table = Table.of("niet-2015", 4)
    state = next(endings(table, "alone", 20, 24))
    before = state.copy()
    solve(solver, state, table)
    assert np.array_equal(state, before)


@pytest.mark.parametrize("pool", [0, MIN_POOL - 1, POOL + 1])
def test_a_bad_pool_is_refused(pool: int) -> None:
    with pytest.raises(UsageError, match=f"^pool: {pool} is not allowed; allowed: {MIN_POOL} to {POOL}$"):
        Solver(pool=pool)


def test_wrong_states_are_refused(solver: Solver) -> None:
    table = Table.of("niet-2015", 4)
    with pytest.raises(UsageError, match="phase PLAY"):
        solver.solve(dealt(table, random.Random(1)), table.rules)
    state = next(endings(table, "over", 4, 4))
    with pytest.raises(UsageError, match="phase PLAY"):
        solver.solve(after(state, table, *solve(solver, state, table).line), table.rules)
    nichtig = Table.of("nichtig", 4)
    with pytest.raises(UsageError, match="Selfish"):
        solver.solve(next(endings(nichtig, "wrong game", 8, 8)), nichtig.rules)


def test_a_view_is_no_state(solver: Solver) -> None:
    """What one seat may know has no other hands in it."""
    table = Table.of("niet-2015", 4)
    state = next(endings(table, "view", 24, 24))
    seen, facts, log = np.zeros(STATE_WORDS, np.int64), np.zeros(FACTS_WORDS, np.int64), np.zeros(LOG, np.int64)
    entries.observe(state, table.rules, log, 0, 0, seen, facts, log.copy())
    with pytest.raises(UsageError, match="hands are hidden"):
        solver.solve(seen, table.rules)


def test_more_cards_than_can_be_numbered_are_refused(solver: Solver) -> None:
    deck, seats = {"values": [1, 1, *range(2, 15), *range(2, 7)]}, {"4": {"hand": 20}}
    table = Table.of(house("njet-1997", deck=deck, players=seats), 4)
    with pytest.raises(UsageError, match=f"at most {MOST_CARDS} in play"):
        solver.solve(next(endings(table, "many", 64, 72)), table.rules)
    assert solver.solve(next(endings(table, "few", 8, 8)), table.rules) is not None
