"""Compile every entry ahead of time, with a line of progress: at set-up, never before a waiting player."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from atout.kernel import entries
from atout.kernel.jit import COMPILED, ENTRIES, MODE, cache_folder
from atout.kernel.layout import FACTS_WORDS, LOG, LUCK_WORDS, PLAN_WORDS, RULES_WORDS, STATE_WORDS

DONE = "complete"


def is_warm() -> bool:
    """Every entry is compiled on disk, or none needs to be."""
    return not COMPILED or (cache_folder() / DONE).exists()


def calls() -> Iterator[tuple[str, Any, tuple[Any, ...]]]:
    """Every entry with arguments of the types Python passes."""
    state, rules = np.zeros(STATE_WORDS, np.int64), np.zeros(RULES_WORDS, np.int64)
    luck, log = np.zeros(LUCK_WORDS, np.int64), np.zeros(LOG, np.int64)
    facts, plan = np.zeros(FACTS_WORDS, np.int64), np.zeros(PLAN_WORDS, np.int64)
    ways = np.zeros(1, np.float64)
    words: dict[str, Any] = dict.fromkeys(("state", "seen", "scratch", "world"), state)
    words |= dict.fromkeys(("log", "seen_log", "digests", "moves"), log)
    words |= dict.fromkeys(("ways", "chances"), ways)
    words |= {"states": np.zeros((2, STATE_WORDS), np.int64), "rules": rules, "luck": luck}
    words |= {"facts": facts, "plan": plan, "packs": log, "lengths": log, "results": np.zeros((1, 11), np.int64)}
    for compiled in ENTRIES:
        function = compiled.py_func
        names = function.__code__.co_varnames[: function.__code__.co_argcount]
        yield function.__name__, compiled, tuple(words.get(name, 0) for name in names)


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
    assert entries.__name__
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
