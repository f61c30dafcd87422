"""The solver for open cards against plain minimax: what every legal card is worth, exactly."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from atout.editions import PUBLISHED, published
from atout.engine.problem import MEMORY_WORDS, PROBLEM
from atout.engine.questions import answer, ask_about
from atout.game import Game, Table
from atout.game.words import bits_of
from atout.kernel import entries
from atout.kernel.layout import DEAL, OVER, STATE
from atout.kernel.records import Words, plain

NJET = [published(edition) for edition in PUBLISHED if published(edition).is_njet]
TABLES = [(edition.id, players) for edition in NJET for players in edition.counts]
PLIES = 9
"""Cards left at most, so that plain minimax ends soon."""


def ahead(state: Words, players: int) -> int:
    """Points of the start player's side less those of the others, at the end of the round."""
    s = plain(state, STATE)
    total = 0
    for seat in range(players):
        won = ((s.tricks >> (8 * seat)) & 255) + ((s.loot >> (8 * seat)) & 255)
        points = won * s.points * (2 if seat == s.doubler else 1)
        total += points if (s.side >> seat) & 1 else -points
    return total


def minimax(state: Words, rules: Words, players: int) -> int:
    if state[0] in (DEAL, OVER):
        return ahead(state, players)
    return _pick(state, [minimax(_after(state, rules, kind), rules, players) for kind in _legal(state, rules)])


def _pick(state: Words, values: list[int]) -> int:
    s = plain(state, STATE)
    return max(values) if (s.side >> s.turn) & 1 else min(values)


def _legal(state: Words, rules: Words) -> list[int]:
    return list(bits_of(entries.legal(state, rules)))


def _after(state: Words, rules: Words, kind: int) -> Words:
    twin = state.copy()
    entries.apply(twin, rules, kind)
    return twin


def solved(state: Words, rules: Words, memory: Words) -> dict[int, int]:
    """What the solver says each legal card is worth."""
    assert ask_about(state, rules, memory, 1, 0) == 1
    while not answer(memory, 1_000_000):
        pass
    p: Any = memory[: PROBLEM.itemsize // 8].view(PROBLEM)[0]
    return {kind: int(p.answer[kind]) for kind in bits_of(int(p.answered))}


def positions(edition: str, players: int, count: int) -> list[Words]:
    """States near the end of random rounds, in the middle of tricks too."""
    rng, seed = random.Random(f"{edition}/{players}"), 0
    found: list[Words] = []
    while len(found) < count:
        seed += 1
        game = Game.at(Table.of(edition, players), seed=seed)
        while game.round == 1 and not game.is_over:
            s = game.state
            left = sum(int(s.hand[seat]).bit_count() + int(s.spare[seat]).bit_count() for seat in range(players))
            if game.phase == "play" and left <= rng.randint(players, PLIES):
                found.append(game._state.copy())
                break
            game.play(rng.choice(game.legal()))
    return found


@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_every_card_is_worth_what_minimax_says(edition: str, players: int) -> None:
    table, memory = Table.of(edition, players), np.zeros(MEMORY_WORDS, np.int64)
    for state in positions(edition, players, 40):
        right = {
            kind: minimax(_after(state, table.rules, kind), table.rules, players) for kind in _legal(state, table.rules)
        }
        assert solved(state, table.rules, memory) == right, plain(state, STATE)
