"""The peer of the solver: Bo Haglund's double-dummy solver of bridge, through the package endplay."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from typing import Any

from endplay.dds import solve_board
from endplay.dds.solve import SolveMode
from endplay.types import Deal, Denom, Player

RANKS = "AKQJT98765432"


def name() -> str:
    return f"DDS (endplay {version('endplay')})"


def deal(rng: random.Random, tricks: int) -> Any:
    """A deal with this many random cards per hand, a random trump suit or none, and a random leader."""
    cards = [(suit, rank) for suit in range(4) for rank in range(13)]
    rng.shuffle(cards)
    hands = []
    for seat in range(4):
        hand = sorted(cards[seat * tricks : (seat + 1) * tricks])
        hands.append(".".join("".join(RANKS[rank] for held, rank in hand if held == suit) for suit in range(4)))
    board = Deal("N:" + " ".join(hands))
    board.trump = rng.choice([Denom.spades, Denom.hearts, Denom.diamonds, Denom.clubs, Denom.nt])
    board.first = rng.choice(list(Player))
    return board


def solves(tricks: int, count: int, each: bool) -> list[Callable[[], object]]:
    """Calls to be timed: the value of every card, or of one best card."""
    rng = random.Random(11)
    mode = SolveMode.Default if each else SolveMode.OptimalOne
    return [partial(solve_board, deal(rng, tricks), mode) for _ in range(count)]
