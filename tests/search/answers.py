"""What the solvers say about random endings, a line each: to compare the three ways the rules can run.

ATOUT_JIT=on|check|off python -m tests.search.answers small|large
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import islice

from atout.editions import PUBLISHED, published
from atout.game import Setup
from atout.rules.jit import MODE
from atout.search.maxn import MaxN
from atout.search.solver.solver import Solver
from tests.search.endings import endings

SIZES = {"small": (1, 8, 8), "large": (6, 12, 26)}
"""Endings of each table, and cards in them at most: for max-n and for the solver of Njet!."""


def answers(size: str) -> Iterator[str]:
    count, most, most_solved = SIZES[size]
    solver, minds = Solver(), MaxN()
    for edition in PUBLISHED:
        for players in published(edition).counts:
            setup = Setup.of(edition, players)
            cards = min(2 * players, most)
            for state in islice(endings(setup, f"modes {setup.name}", cards - 1, cards), count):
                yield f"{setup.name}: {minds.max_n(state, setup.rules)}"
                yield f"{setup.name}: {minds.best_response(state, setup.rules, players - 1)}"
            if published(edition).is_njet:
                cards = min(2 * players + 16, most_solved)
                for state in islice(endings(setup, f"modes {setup.name}", cards - 1, cards), count):
                    yield f"{setup.name}: {solver.solve(state, setup.rules)}"


if __name__ == "__main__":
    print(MODE)
    print("\n".join(answers(sys.argv[1])))
