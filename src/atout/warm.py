"""Compile every entry ahead of time, with a line of progress: at set-up, never before a waiting player."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from atout.knowledge import entries as knowledge_entries
from atout.knowledge.world_source import WorldSource
from atout.nets import forward
from atout.rules import entries
from atout.rules.jit import COMPILED, ENTRIES, MODE, cache_folder
from atout.search import belief, flat_mc, guided_mcts, maxn, mcts, net_rollout
from atout.search.solver import questions

ROOMS = (entries, knowledge_entries, mcts, belief, flat_mc, guided_mcts, questions, maxn, forward, net_rollout)
"""Modules with entries; importing them lists what is to be compiled."""
DONE = "complete"
_VECTOR, _FLOATS = np.zeros(1, np.int64), np.zeros(1, np.float64)
_SOURCE = WorldSource(_VECTOR, _VECTOR, _VECTOR, _VECTOR, _FLOATS, _FLOATS, _VECTOR)
KINDS: dict[str, Any] = {
    "states": np.zeros((1, 1), np.int64),
    "results": np.zeros((1, 1), np.int64),
    "source": _SOURCE,
    "tree": mcts.new_tree(1),
    "trials": flat_mc.new_trials(),
    "worlds": net_rollout.new_worlds(1),
    "rollouts": net_rollout.new_worlds(1),
    "queries": net_rollout.new_queries(1),
    "deals": np.zeros((1, 1), np.int64),
    "weights": np.zeros(1, np.float64),
    "ways": np.zeros(1, np.float64),
    "chances": np.zeros(1, np.float64),
    "observation": np.zeros(1, np.int8),
    "observations": np.zeros((1, 1), np.int8),
    "logs": np.zeros((1, 1), np.int64),
    "scores": np.zeros((1, 1), np.float64),
    "means": np.zeros((1, 1), np.float64),
    "xs": np.zeros((1, 1), np.float32),
    "ys": np.zeros((1, 1), np.float32),
    "layers": np.zeros(1, np.float32),
    "room": np.zeros(1, np.float32),
    "answer": np.zeros(1, np.float32),
    "int": 0,
    "float": 0.0,
}
"""An argument by its name or its annotation; everything else is a vector of words."""


def is_warm() -> bool:
    """Every entry is compiled on disk, or none needs to be."""
    return not COMPILED or (cache_folder() / DONE).exists()


def calls() -> Iterator[tuple[str, Any, tuple[Any, ...]]]:
    """Every entry with arguments of the types Python passes."""
    for compiled in ENTRIES:
        function = compiled.py_func
        names = {name: kind for name, kind in function.__annotations__.items() if name != "return"}
        arguments = (KINDS.get(name, KINDS.get(kind, _VECTOR)) for name, kind in names.items())
        yield function.__name__, compiled, tuple(arguments)


def warm(report: Callable[[str, int, int], None]) -> None:
    """Compile what is not on disk yet; `report` is told each name, how many are done, and of how many."""
    todo = list(calls())
    for done, (name, compiled, arguments) in enumerate(todo):
        report(name, done, len(todo))
        compiled.compile(tuple(compiled.typeof_pyval(argument) for argument in arguments))
    report("", len(todo), len(todo))
    if COMPILED:
        (cache_folder() / DONE).touch()


def main() -> None:
    started = time.perf_counter()
    live = sys.stderr.isatty()

    def report(name: str, done: int, total: int) -> None:
        line = f"compiling the rules ({MODE}): {done}/{total} {name}"
        if live:
            print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)
        elif done % 6 == 0 or done == total:
            print(line, file=sys.stderr, flush=True)

    warm(report)
    end = "\n" if live else ""
    print(f"{end}rules compiled in {time.perf_counter() - started:.1f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
