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

SIZES = {"small": (1, 0), "large": (6, 16)}
"""Endings of each table, and cards in them above the small ones."""


def answers(size: str) -> Iterator[str]:
    count, more = SIZES[size]
    solver, minds = Solver(), MaxN()
    for edition in PUBLISHED:
        for players in published(edition).counts:
            setup = Setup.of(edition, players)
            for state in islice(endings(setup, f"modes {setup.name}", 2 * players - 1, 2 * players), count):
                yield f"{setup.name}: {minds.max_n(state, setup.rules)}"
                yield f"{setup.name}: {minds.best_response(state, setup.rules, players - 1)}"
            if published(edition).is_njet:
                most = 2 * players + more
                for state in islice(endings(setup, f"modes {setup.name}", most - 1, most), count):
                    yield f"{setup.name}: {solver.solve(state, setup.rules)}"


if __name__ == "__main__":
    print(MODE)
    print("\n".join(answers(sys.argv[1])))
