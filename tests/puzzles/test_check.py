"""Judging packed puzzles again: which are kept, and which files are refused before the work begins."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from msgspec.structs import replace

from atout.bots.bot import Reason
from atout.errors import UsageError
from atout.puzzles import Puzzle, factory, shipped
from atout.puzzles.model import LEVELS


def judging(found: Mapping[str, Puzzle | None]) -> Callable[[Puzzle], Puzzle | None]:
    """What stands in for the networks: the puzzles that are named are judged like this, the others are unchanged."""
    return lambda puzzle: found.get(puzzle.id, puzzle)


def test_unchanged_puzzles_and_those_of_the_strongest_levels_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    side = next(one for one in shipped() if one.reason[0].code == "side")
    first, missed, wrong = [one for one in shipped() if one != side][:3]
    unsure = replace(first, found=())
    contradicting = Reason("side", {**side.reason[0].parameters, "best_gain": 99.0})
    judged = {
        side.id: replace(side, evaluator="new", found=LEVELS[-2:], reason=(contradicting, *side.reason[1:])),
        missed.id: replace(missed, evaluator="new", found=LEVELS[-1:]),
        wrong.id: None,
    }
    monkeypatch.setattr(factory, "ProcessPoolExecutor", lambda jobs, _: ThreadPoolExecutor(jobs))
    monkeypatch.setattr(factory, "judged_again", judging(judged))
    progress: list[tuple[int, int]] = []
    kept = factory.checked_again([unsure, side, missed, wrong], 1, lambda *numbers: progress.append(numbers))
    assert kept == [unsure, replace(side, evaluator="new", found=LEVELS[-2:])]
    assert progress == [(1, 4), (2, 4), (3, 4), (4, 4)]


def with_round(puzzle: Puzzle, **changes: Any) -> Puzzle:
    """The puzzle with other fields of its round; those that are None are left out."""
    record: Any = puzzle.record
    whole = {**record["rounds"][0], **changes}
    return replace(puzzle, record={**record, "rounds": [{k: value for k, value in whole.items() if value is not None}]})


PUZZLE = next(one for one in shipped() if one.phase == "tricks" and len(one.record["rounds"][0]["actions"]) > 1)
ACTIONS = PUZZLE.record["rounds"][0]["actions"]
BROKEN = {
    "no hands": (with_round(PUZZLE, hands=None), "object missing required field hands"),
    "no actions": (with_round(PUZZLE, actions=None), "object missing required field actions"),
    "an impossible action": (with_round(PUZZLE, actions=[*ACTIONS[:-1], "0 play X9"]), f"action {len(ACTIONS)}: "),
    "an action twice": (with_round(PUZZLE, actions=[*ACTIONS, ACTIONS[-1]]), f"action {len(ACTIONS) + 1}: "),
    "another seat": (replace(PUZZLE, seat=(PUZZLE.seat + 1) % PUZZLE.players), f"in turn; expected {PUZZLE.seat}"),
    "an impossible answer": (replace(PUZZLE, best=("0 play X9",)), f"action {len(ACTIONS) + 1}: "),
    "an impossible second answer": (replace(PUZZLE, best=(*PUZZLE.best, "0 play X9")), "'0 play X9' is not allowed"),
    "only right answers": (replace(PUZZLE, best=tuple(PUZZLE.values)), "best: every legal action is a right answer"),
    "a reason without values": (
        replace(PUZZLE, reason=(Reason("side", {"best": "play X9", "other": "play X8"}),)),
        f"its reason needs '{PUZZLE.seat} play X9', which is missing",
    ),
}  # fmt: skip


def no_pool(*_: object) -> None:
    pytest.fail("processes were started")


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_puzzle_is_named_before_the_work_begins(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(factory, "ProcessPoolExecutor", no_pool)
    puzzle, said = BROKEN[name]
    with pytest.raises(UsageError, match=re.escape(said)) as caught:
        factory.checked_again([shipped()[0], puzzle], 2)
    assert puzzle.id in str(caught.value)


def test_a_forced_decision_is_no_puzzle(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last card of a round cannot be asked about."""
    monkeypatch.setattr(factory, "ProcessPoolExecutor", no_pool)
    game = PUZZLE.game()
    while len(legal := game.legal()) > 1:
        game.play(legal[0])
    assert game.turn is not None
    forced = replace(PUZZLE, record=game.record(), seat=game.turn, best=(str(legal[0]),))
    with pytest.raises(UsageError, match="only one action is legal"):
        factory.checked_again([forced], 2)
