"""Compilation ahead of use: every entry has a group, and a bot needs the groups that `USES` gives it, nothing else."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from atout import warm
from atout.bots import LEVELS, Budget, Choice
from atout.bots.fallback import fallback_choice, is_fallback
from atout.errors import UsageError
from atout.game import Game, new_rng
from atout.rules import jit
from atout.rules.log import seat_of
from atout.server.live import bot_pool

PLAYED = """
import json, random, sys
from atout.bots import Budget, ask, make_bot
from atout.game import Game
from atout.rules.jit import ENTRIES

for edition in ("niet-2015", "nichtig"):
    game = Game.new(edition, players=4, seed=3)
    bot, rng = make_bot(sys.argv[1]), random.Random(1)
    while game.turn is not None and game.round == 1:
        game.play(ask(bot, game.view(game.turn), rng, Budget(nodes=60)).action)
print(json.dumps({entry.py_func.__qualname__: len(entry.signatures) for entry in ENTRIES if entry.signatures}))
"""
BATCHED = """
import json
from atout.batch import Batch
from atout.game import Setup
from atout.rules.jit import ENTRIES

batch = Batch([Setup.of("nichtig", 3), Setup.of("niet-2015", 4)], which=[0, 1])
batch.reset(seed=1)
batch.observe()
batch.step(batch.policy_places().copy())
print(json.dumps({entry.py_func.__qualname__: len(entry.signatures) for entry in ENTRIES if entry.signatures}))
"""

EPISODES = """
import json
import numpy as np
from atout.batch.match import Match
from atout.envs.batched import BatchedEnv
from atout.game import Setup
from atout.rules.jit import ENTRIES

env = BatchedEnv([Setup.of("nichtig", 3), Setup.of("niet-2015", 4)], size=2, auto_reset="manual")
env.init(seed=1)
env.step(env.state.legal_action_mask.argmax(1))
env.reset(np.ones(2, bool))
env.observe(np.zeros(2, np.int64))
match = Match(Setup.of("nichtig", 3))
match.reset(1)
pack, _ = match.round()
match.number(str(match.action(match.legal()[0])))
match.step(match.legal()[0])
match.open(0)
match.deal(pack)
match.observe(1)
print(json.dumps({entry.py_func.__qualname__: len(entry.signatures) for entry in ENTRIES if entry.signatures}))
"""


def python(code: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, check=True)


def names_in(*groups: str) -> set[str]:
    return {entry.py_func.__qualname__ for group in groups for entry in warm.GROUPS[group]}


def test_every_entry_is_in_one_group() -> None:
    grouped = [id(entry) for group in warm.GROUPS.values() for entry in group]
    assert sorted(grouped) == sorted(map(id, jit.ENTRIES))


def test_every_level_names_the_groups_it_needs() -> None:
    assert set(LEVELS) <= set(warm.USES)
    assert set(warm.groups_of(*LEVELS)) == set(warm.groups_of("bots"))


@pytest.mark.slow
@pytest.mark.parametrize("level", [*LEVELS][1:])
def test_a_level_uses_what_was_compiled_for_it(level: str) -> None:
    """Other entries, or other types of arguments, would be compiled while a person waits for the bot."""
    used: dict[str, int] = json.loads(python(PLAYED, level).stdout)
    assert set(used) <= names_in(*warm.groups_of(level))
    assert set(used.values()) == {1}


@pytest.mark.slow
def test_environments_use_what_was_compiled_for_them() -> None:
    used: dict[str, int] = json.loads(python(EPISODES).stdout)
    assert names_in("envs") <= set(used)
    assert set(used.values()) == {1}


@pytest.mark.slow
def test_a_batch_uses_what_was_compiled_for_it() -> None:
    used: dict[str, int] = json.loads(python(BATCHED).stdout)
    assert names_in("batch") <= set(used)
    assert set(used.values()) == {1}


def test_the_first_use_says_what_is_compiled_and_is_kept(tmp_path: Path) -> None:
    """At the door of somebody who imports the library: no promise of how often, and none of some seconds."""
    code = "from atout.game import new_rng; new_rng(1); print(new_rng(1)[0])"
    first = python(code, ATOUT_CACHE=str(tmp_path))
    again = python(code, ATOUT_CACHE=str(tmp_path))
    (line,) = first.stderr.splitlines()
    assert line.startswith(
        "atout: compiling seed, and what else this program calls for the first time: on one core about"
    )
    assert str(tmp_path) in line
    assert "once" not in line
    assert again.stderr == ""
    assert first.stdout == again.stdout == f"{new_rng(1)[0]}\n"


def test_the_estimate_covers_every_group_and_follows_the_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    assert set(warm.SECONDS) == set(warm.GROUPS)
    monkeypatch.setattr(warm, "cores", lambda: 1)
    assert [warm.rough_time(groups) for groups in (("records",), ("rules",), ("rules", "views", "network"))] == [
        "10 s",
        "20 s",
        "40 s",
    ]
    assert warm.rough_time(warm.GROUPS) == "5 min"
    monkeypatch.setattr(warm, "cores", lambda: 4)
    assert warm.rough_time(warm.GROUPS) == "2 min"
    assert warm.rough_time(["records"]) == "10 s"  # one function keeps one core busy


def test_a_group_is_ready_when_all_of_it_is_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm, "_folder", lambda: tmp_path)
    monkeypatch.setattr(warm, "compile_entry", lambda group, place: f"{group}{place}")
    assert not warm.is_ready("rules")
    assert warm.missing("novice") == ("rules", "views")
    seen = []
    warm.compile_groups(["rules"], 1, lambda name, done, total: seen.append((name, done, total)))
    assert warm.is_ready("rules")
    assert warm.missing("novice") == ("views",)
    count = len(warm.GROUPS["rules"])
    assert seen == [("", 0, count), *((f"rules{i}", i + 1, count) for i in range(count))]


def test_a_source_that_was_touched_makes_its_groups_unready(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Numba would compile again, and a bot would be asked while it does."""
    monkeypatch.setattr(warm, "_folder", lambda: tmp_path)
    monkeypatch.setattr(warm, "compile_entry", lambda group, place: f"{group}{place}")
    warm.compile_groups(["rules"], 1, lambda *_: None)
    assert warm.is_ready("rules")
    monkeypatch.setattr(warm, "_source_times", lambda: "1 rules/step.py")
    assert not warm.is_ready("rules")


def test_a_group_that_fails_is_not_ready(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(group: str, place: int) -> str:
        raise MemoryError

    monkeypatch.setattr(warm, "_folder", lambda: tmp_path)
    monkeypatch.setattr(warm, "compile_entry", fail)
    with pytest.raises(MemoryError):
        warm.compile_groups(["views"], 1, lambda *_: None)
    assert not warm.is_ready("views")


def test_one_cache_for_a_virtual_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ATOUT_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "user"))
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setattr(sys, "base_prefix", "/usr")
    assert jit.cache_base() == tmp_path / "cache" / "atout"
    monkeypatch.setattr(sys, "base_prefix", str(tmp_path))
    assert jit.cache_base() == tmp_path / "user" / "atout"
    monkeypatch.setenv("ATOUT_CACHE", str(tmp_path / "chosen"))
    assert jit.cache_base() == tmp_path / "chosen"


def test_python_may_call_a_rule() -> None:
    """A rule has no compiled form that Python could call; the plain function runs."""
    assert seat_of(3 << 10 | 5 << 6 | 7) == 3


@pytest.fixture
def choose_unprepared(monkeypatch: pytest.MonkeyPatch) -> Callable[[Game, str], Choice]:
    """What the pool's process answers while nothing but the table is compiled."""
    monkeypatch.setattr(warm, "missing", lambda *names: tuple(set(warm.groups_of(*names)) - set(warm.TABLE)))

    def choose(game: Game, level: str) -> Choice:
        assert game.turn is not None
        return bot_pool._choose(level, game.view(game.turn), seed=5, seconds=0.1)

    return choose


@pytest.mark.parametrize("level", ["ismcts", "club", "expert"])
def test_a_quicker_bot_answers_for_one_that_is_not_compiled(
    level: str, choose_unprepared: Callable[[Game, str], Choice]
) -> None:
    game = Game.new("niet-2015", players=4, seed=7)
    choice = choose_unprepared(game, level)
    assert choice == fallback_choice(level, choose_unprepared(game, "learned"))
    assert [reason.code for reason in choice.reasons] == ["preparing"]  # no shares of a network
    assert is_fallback(choice)


@pytest.mark.parametrize("level", ["learned", "expert"])
def test_where_no_network_is_trained_the_novice_answers(
    level: str, tmp_path: Path, choose_unprepared: Callable[[Game, str], Choice]
) -> None:
    path = tmp_path / "house.toml"
    path.write_text('id = "house"\nbase = "niet-2015"\n[board]\ntrump = ["red", "yellow", "blue", "none"]\n')
    choice = choose_unprepared(Game.new(str(path), players=4, seed=7), level)
    assert [(reason.code, reason.parameters) for reason in choice.reasons] == [
        ("preparing", {"instead": "novice"}),
        ("rule-of-thumb", {"phase": "veto"}),
    ]


def test_novice_and_learned_play_for_themselves(choose_unprepared: Callable[[Game, str], Choice]) -> None:
    game = Game.new("nichtig", players=3, seed=7)
    assert game.turn is not None
    for level in ("novice", "learned"):
        choice = choose_unprepared(game, level)
        assert not is_fallback(choice)
        assert choice == LEVELS[level]().choose(
            game.view(game.turn), game.view(game.turn)["legal"], Budget(seconds=0.1), random.Random(5)
        )


def test_nothing_to_compile_is_done_at_once() -> None:
    said: list[tuple[str, int, int]] = []
    warm.compile_groups([], 2, lambda *progress: said.append(progress))
    assert said == [("", 0, 0)]


def prepare_by(monkeypatch: pytest.MonkeyPatch, code: str, is_ready: Callable[[], bool]) -> warm.Preparation:
    """A preparation whose process runs other code."""
    monkeypatch.setattr(warm, "_background_command", lambda *names: [sys.executable, "-c", code, *names])
    monkeypatch.setattr(warm, "is_ready", lambda *_: is_ready())
    return warm.Preparation("club")


def test_a_preparation_tells_how_far_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It runs beside the program, which goes on and looks at it now and then."""
    may_end, done = tmp_path / "may-end", tmp_path / "done"
    code = f"""
import pathlib, sys, time
print(3, 47, flush=True)
while not pathlib.Path({str(may_end)!r}).exists():
    time.sleep(0.01)
pathlib.Path({str(done)!r}).write_text(" ".join(sys.argv[1:]))
"""
    preparation = prepare_by(monkeypatch, code, done.exists)
    before = preparation.progress
    assert before is None
    preparation.start()
    while (found := preparation.progress) != (3, 47):
        assert found == (0, 0), "it ended before it was allowed to"
    preparation.start()  # it has begun already
    may_end.touch()
    preparation.wait()
    assert preparation.progress is None
    assert done.read_text() == "club"


def test_a_preparation_that_fails_says_how_to_see_why(monkeypatch: pytest.MonkeyPatch) -> None:
    preparation = prepare_by(monkeypatch, "raise SystemExit(1)", lambda: False)
    with pytest.raises(UsageError, match=r"python -m atout\.warm club"):
        preparation.wait()


def test_a_preparation_can_be_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    preparation = prepare_by(monkeypatch, "import time; time.sleep(600)", lambda: False)
    preparation.start()
    preparation.end()
    assert preparation.progress is None


def test_what_is_compiled_already_needs_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    preparation = prepare_by(monkeypatch, "raise SystemExit(1)", lambda: True)
    preparation.start()
    preparation.wait()
    assert preparation.progress is None
