"""Compile entries before their first use: in groups, on several cores, and know which groups are ready.

    python -m atout.warm                 everything
    python -m atout.warm table           what a table needs: rules, views, the network's single answer
    python -m atout.warm club expert     what these bots need

A group that is compiled leaves a file `GROUP.….ready` in the cache folder (`rules/jit.py`). Other processes look for
it: the server lets a quicker bot play for one whose groups are not ready yet (`server/live/bot_pool.py`). The file
holds the times of all compiled sources, because Numba compiles again when the time of a source has changed.
"""

from __future__ import annotations

import argparse
import hashlib
import math
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from atout.batch import episodes, host, match, starts
from atout.errors import UsageError
from atout.i18n import say
from atout.knowledge import entries as knowledge
from atout.knowledge.world_source import WorldSource
from atout.nets import forward
from atout.rules import entries as rules
from atout.rules import jit, scoring
from atout.search import belief, believed, flat_mc, guided_mcts, match_chance, maxn, mcts, net_rollout
from atout.search.solver import questions

GROUPS: dict[str, tuple[Any, ...]] = {
    "rules": (
        rules.refusal, rules.random_round, rules.replay, rules.apply, rules.deal_seeded, rules.score_round,
        rules.deal_pack, rules.winners, rules.begin, rules.legal, rules.seed,
    ),
    "views": (knowledge.rebuild, knowledge.redact),
    "network": (knowledge.encode, forward.ask_network, knowledge.action_at, scoring.compare_sides),
    "sampling": (knowledge.sample_draw, knowledge.sample_size, knowledge.sample_plan, knowledge.rewind),
    "search": (
        mcts.grow, guided_mcts.grow_guided, flat_mc.try_actions, belief.sample_worlds, flat_mc.act_by_playout_policy,
    ),
    "solver": (questions.begin_solving, questions.continue_solving),
    "lookahead": (
        net_rollout.fill_queries, net_rollout.replay_steps, net_rollout.begin_rollouts,
        net_rollout.step_rollouts, net_rollout.read_scores, match_chance.share_matches, match_chance.count_rounds_left,
        forward.enter_all, forward.normalise_all,
    ),
    "beliefs": (
        believed.draw_believed, believed.open_positions, believed.ask_unseen, believed.make_unseen, believed.turn_back,
    ),
    "records": (rules.replay_match,),
    "batch": (host.observe_some, host.step_some, host.policy_places_of_some, host.reset_some),
    "training": (starts.start_all,),
    "dataset": (forward.ask_network_many,),
    "envs": (
        match.match_observe, match.match_step, match.match_begin, match.match_deal, match.match_open,
        match.match_number,
        episodes.advance_some, episodes.observe_seats_some, episodes.renew_some,
    ),
    "study": (maxn.begin_maxn, maxn.continue_maxn),
    "checks": (
        rules.random_matches, rules.random_digests, rules.match_digests, rules.playout_rounds, rules.perft,
        rules.broken_invariant, rules.digest,
    ),
}  # fmt: skip
"""Every entry, by what it is used for; within a group those that take longest come first."""
SECONDS = {
    "rules": 17, "views": 7, "network": 15, "sampling": 28, "search": 51, "solver": 33, "lookahead": 13, "beliefs": 16,
    "records": 8, "batch": 13, "training": 4, "dataset": 3, "envs": 19, "study": 8, "checks": 14,
}  # fmt: skip
"""CPU seconds that compiling a group takes: measured on one core at 2.5 GHz (Cascade Lake), 2026-11-19."""
TABLE = ("rules", "views", "network")
SEARCH = (*TABLE, "sampling", "search", "solver")
USES: dict[str, tuple[str, ...]] = {
    "table": TABLE,
    "random": ("rules", "views"),
    "novice": ("rules", "views"),
    "ismcts": (*TABLE, "sampling", "search"),
    "mc": SEARCH,
    "club": SEARCH,
    "learned": SEARCH,  # it leaves a setup without a network to `club`
    "expert": (*SEARCH, "lookahead", "beliefs"),
    "review": (*SEARCH, "records", "lookahead", "beliefs", "study"),
    "bots": (*SEARCH, "lookahead", "beliefs"),
}
"""The groups a part of Atout or a level needs."""
SERVED = ("bots", "review")
"""What a server needs in the end."""
_VECTOR, _FLOATS = np.zeros(1, np.int64), np.zeros(1, np.float64)
KINDS: dict[str, Any] = {
    "states": np.zeros((1, 1), np.int64),
    "results": np.zeros((1, 1), np.int64),
    "source": WorldSource(_VECTOR, _VECTOR, _VECTOR, _VECTOR, _FLOATS, _FLOATS, _VECTOR),
    "tree": mcts.new_tree(1),
    "trials": flat_mc.new_trials(),
    "worlds": net_rollout.new_worlds(1),
    "rollouts": net_rollout.new_worlds(1),
    "queries": net_rollout.new_queries(1),
    "deals": np.zeros((1, 1), np.int64),
    "weights": _FLOATS,
    "ways": _FLOATS,
    "chances": _FLOATS,
    "shares": _FLOATS,
    "noise": np.zeros((1, 1), np.float64),
    "observation": np.zeros(1, np.int8),
    "observations": np.zeros((1, 1), np.int8),
    "logs": np.zeros((1, 1), np.int64),
    "scores": np.zeros((1, 1), np.float64),
    "means": np.zeros((1, 1), np.float64),
    "xs": np.zeros((1, 1), np.float32),
    "ys": np.zeros((1, 1), np.float32),
    "zs": np.zeros((1, 1), np.float32),
    "answers": np.zeros((1, 1), np.float32),
    "layers": np.zeros(1, np.float32),
    "room": np.zeros(1, np.float32),
    "answer": np.zeros(1, np.float32),
    "head": believed.uniform_head(),
    "inner": np.zeros(1, np.float32),
    "logits": _FLOATS,
    "positions": np.zeros((1, 1), np.int8),
    "beliefs.progress": np.zeros((1, 1), np.int64),
    "int": 0,
    "float": 0.0,
    "batch.rows": np.zeros((1, 1), np.int64),
    "batch.rngs": np.zeros((1, 1), np.int64),
    "batch.progress": np.zeros((1, 1), np.int64),
    "batch.observation": np.zeros((1, 1), np.int8),
    "batch.hidden": np.zeros((1, 1), np.int8),
    "batch.points": np.zeros((1, 1), np.float32),
    "batch.reward": np.zeros((1, 1), np.float32),
    "batch.won": np.zeros((1, 1), np.float32),
    "training.rows": np.zeros((1, 1), np.int64),
    "training.rngs": np.zeros((1, 1), np.int64),
    "training.progress": np.zeros((1, 1), np.int64),
    "bool": False,
    "envs.rows": np.zeros((1, 1), np.int64),
    "envs.rngs": np.zeros((1, 1), np.int64),
    "envs.progress": np.zeros((1, 1), np.int64),
    "envs.results": np.zeros((1, 1), np.float64),
    "envs.out": np.zeros(1, np.int8),
    "envs.observation": np.zeros((1, 1), np.int8),
    "envs.mask": np.zeros((1, 1), np.int8),
    "envs.terminated": np.zeros(1, np.int8),
    "envs.chosen": np.zeros(1, np.int8),
    "envs.points": np.zeros((1, 1), np.float32),
    "envs.reward": np.zeros((1, 1), np.float32),
    "envs.won": np.zeros((1, 1), np.float32),
}
"""An example of an argument: by `group.name`, by its name, or by its annotation. All others are int64 vectors."""
PACKAGE = Path(__file__).parent
BACKGROUND = "--background"
NICENESS = 10
"""The niceness of background compilation: it takes what the server and its bots leave of the processor."""

Report = Callable[[str, int, int], None]
"""Called with the name of the function compiled last, how many are done, and how many there are."""


def groups_of(*names: str) -> tuple[str, ...]:
    """The groups behind names of groups, levels and parts, in order. A bot of your own needs at least a table.

    >>> groups_of("novice", "network"), groups_of("my.module:Bot")
    (('rules', 'views', 'network'), ('rules', 'views', 'network'))
    """
    wanted = {group for name in names for group in ([name] if name in GROUPS else USES.get(name, TABLE))}
    return tuple(group for group in GROUPS if group in wanted)


def missing(*names: str) -> tuple[str, ...]:
    """Groups behind these names that are not compiled yet."""
    if not jit.COMPILED:
        return ()
    return tuple(group for group in groups_of(*names) if not _is_marked(group))


def is_ready(*names: str) -> bool:
    """Whether everything behind these names is compiled, or nothing has to be."""
    return not missing(*names)


def rough_time(groups: Iterable[str]) -> str:
    """About how long compiling these groups takes on all cores of a quiet machine, in words for a person.

    >>> rough_time(())
    '5 s'
    """
    groups = tuple(groups)
    seconds = sum(SECONDS[group] for group in groups) / max(
        1, min(cores(), sum(len(GROUPS[group]) for group in groups))
    )
    return f"{max(5, 5 * math.ceil(seconds / 5))} s" if seconds <= 55 else f"{math.ceil(seconds / 60)} min"


def _marker(group: str) -> Path:
    """The file that says that a group is compiled for the package at its place: Numba compiles for each place."""
    place = hashlib.sha256(str(PACKAGE).encode()).hexdigest()[:8]
    return _folder() / f"{group}.{place}.ready"


@cache
def _folder() -> Path:
    return jit.cache_folder()


@cache
def _source_times() -> str:
    sources = (path for part in jit.COMPILED_PACKAGES for path in sorted((PACKAGE / part).rglob("*.py")))
    return "\n".join(f"{path.stat().st_mtime_ns} {path.relative_to(PACKAGE)}" for path in sources)


def _is_marked(group: str) -> bool:
    try:
        return _marker(group).read_text(encoding="utf-8") == _source_times()
    except OSError:
        return False


def compile_entry(group: str, place: int) -> str:
    """Load an entry from the cache, or compile it into the cache, for the types Python passes; its name."""
    compiled = GROUPS[group][place]
    function = compiled.py_func
    names = {name: kind for name, kind in function.__annotations__.items() if name != "return"}
    arguments = (
        KINDS.get(f"{group}.{name}", KINDS.get(name, KINDS.get(kind, _VECTOR))) for name, kind in names.items()
    )
    compiled.compile(tuple(compiled.typeof_pyval(argument) for argument in arguments))
    return str(function.__name__)


def load(groups: Iterable[str]) -> None:
    """Have compiled groups at hand in this process."""
    for group in groups if jit.COMPILED else ():
        for place in range(len(GROUPS[group])):
            compile_entry(group, place)


def compile_groups(groups: Iterable[str], jobs: int, report: Report) -> None:
    """Compile what is not on disk yet, in `jobs` processes; mark each group that is complete."""
    jit.say_nothing()
    tasks = [(group, place) for group in groups for place in range(len(GROUPS[group]))]
    left = Counter(group for group, _ in tasks)
    report("", 0, len(tasks))
    for done, (group, name) in enumerate(_compiled(tasks, jobs), 1):
        left[group] -= 1
        if not left[group]:
            _marker(group).write_text(_source_times(), encoding="utf-8")
        report(name, done, len(tasks))


def _compiled(tasks: list[tuple[str, int]], jobs: int) -> Iterator[tuple[str, str]]:
    """The group and the name of each entry, once it is compiled."""
    if jobs == 1 or len(tasks) <= 1:
        for group, place in tasks:
            yield group, compile_entry(group, place)
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(jobs, len(tasks)), context, _begin, (os.getpid(),)) as pool:
        found = {pool.submit(compile_entry, *task): task[0] for task in tasks}
        try:
            for done in as_completed(found):
                yield found[done], done.result()
        except BaseException:  # Ctrl-C, or a function that cannot be compiled: the rest is not waited for
            for process in dict(getattr(pool, "_processes", None) or {}).values():
                process.kill()
            raise


def _begin(parent: int) -> None:
    """In a process that compiles: Ctrl-C is for the parent, and the process ends with it."""
    jit.say_nothing()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with(parent)


def end_with(parent: int) -> None:
    """End this process when its parent has ended, however that happened."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1.0)
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run(groups: tuple[str, ...], jobs: int | None = None) -> None:
    """Compile groups with a line of progress, and say how long it took."""
    started, live = time.perf_counter(), sys.stderr.isatty()

    def report(name: str, done: int, total: int) -> None:
        line = f"compiling {done}/{total} {name}".rstrip()
        if live:
            print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)
        elif done % 5 == 0 or done == total:
            print(line, file=sys.stderr, flush=True)

    compile_groups(groups, jobs or cores(), report)
    end = "\r\x1b[K" if live else ""
    _say(f"{end}compiled in {time.perf_counter() - started:.0f} s: {', '.join(groups)}")


# ------------------------------------------------------------------------------------------- in the background


def start_in_background() -> subprocess.Popen[bytes] | None:
    """Start a process of low priority that compiles what a server still lacks. It ends with this process."""
    return None if is_ready(*SERVED) else subprocess.Popen(_background_command())  # noqa: S603


def _background_command(*names: str) -> list[str]:
    silent = "ignore::UserWarning:multiprocessing.resource_tracker"  # this process is ended without notice
    return [sys.executable, "-W", silent, "-m", "atout.warm", BACKGROUND, str(os.getpid()), *names]


class Preparation:
    """Compiles what a program in a terminal will need, in a process of low priority, and tells how far it is.

    The program goes on meanwhile, and nothing is written to its screen. The process ends with the program.
    """

    def __init__(self, *names: str) -> None:
        self.names = names
        self._told = (0, 0)
        """What the process has told last."""
        self._process: subprocess.Popen[str] | None = None

    @property
    def progress(self) -> tuple[int, int] | None:
        """How many functions are compiled, and how many there are (0: not known yet); None when it does not run."""
        is_running = self._process is not None and self._process.poll() is None
        return self._told if is_running else None

    def start(self) -> None:
        """Begin, unless it has begun or everything is compiled."""
        if self._process is None and not is_ready(*self.names):
            pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
            command = _background_command(*self.names)
            self._process = subprocess.Popen(command, stdin=nothing, stdout=pipe, stderr=nothing, text=True)  # noqa: S603
            threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self._process is not None
        assert self._process.stdout is not None
        with self._process.stdout as lines:
            for line in lines:
                done, total = line.split()
                self._told = int(done), int(total)

    def wait(self) -> None:
        """Wait until everything is compiled; `UsageError` if it could not be."""
        self.start()
        if self._process is not None:
            self._process.wait()
        if not is_ready(*self.names):
            self._process = None
            raise UsageError(say("cli.error.not-compiled", names=" ".join(self.names)))

    def end(self) -> None:
        """Stop it. What is compiled so far stays compiled."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()


def run_in_background(parent: int, names: Sequence[str]) -> None:
    """What that process does. Of several servers that share a cache one compiles, the others wait for it.

    With names it is a `Preparation` and prints how far it is; without, it is a server's and says when it begins and
    ends.
    """
    end_with(parent)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    with _alone():
        groups = missing(*(names or SERVED))
        if not groups:
            return
        if names:
            compile_groups(groups, cores(), lambda _, done, total: print(done, total, flush=True))
            return
        started = time.perf_counter()
        about = f"about {rough_time(groups)} on a quiet machine"
        _say(f"Stronger bots are being compiled in the background ({about}). Until then quicker ones play for them.")
        compile_groups(groups, cores(), lambda *_: None)
        _say(f"All bots are ready, after {time.perf_counter() - started:.0f} s.")


@contextmanager
def _alone() -> Iterator[None]:
    """One process at a time holds the cache folder, where the system has such locks."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    with (_folder() / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def main() -> None:
    if sys.argv[1:2] == [BACKGROUND]:
        run_in_background(int(sys.argv[2]), sys.argv[3:])
        return
    names = [*GROUPS, *USES]
    parser = argparse.ArgumentParser("python -m atout.warm", description="Compile ahead of first use.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"what to compile; all of it, or: {', '.join(names)}")
    parser.add_argument("--jobs", type=int, default=0, help="processes; 0: one per core")
    chosen = parser.parse_args()
    unknown = [name for name in chosen.names if name not in names]
    if unknown:
        parser.error(f"{unknown[0]!r} is not known; allowed: {', '.join(names)}")
    groups = missing(*(chosen.names or GROUPS))
    if groups:
        run(groups, chosen.jobs)
    else:
        _say("everything is compiled already" if jit.COMPILED else "ATOUT_JIT=off: nothing is compiled")


if __name__ == "__main__":
    main()
