"""Making puzzles: what a round gives depends on its seed and number alone, and a file that was begun goes on."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from atout.errors import UsageError
from atout.puzzles import factory, shipped
from atout.puzzles.make import TABLES, Made, PuzzleTable, judged_again, make_round
from atout.puzzles.model import LEVELS
from atout.study.evaluator import DecisionEvaluator


def made(seed: int, number: int, tables: tuple[PuzzleTable, ...] = TABLES) -> Made:
    some = [one for i, one in enumerate(shipped()) if i % 3 == number % 3]
    return Made(number, tuple(some[number // 3 : number // 3 + 1]), 5)


def test_a_file_goes_on_where_it_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(factory, "make_round", made)
    whole, parts = tmp_path / "whole.jsonl", tmp_path / "parts.jsonl"
    progress: list[factory.Progress] = []
    assert factory.make(whole, 1, 6, 1, on_progress=progress.append) == 6
    assert [one.puzzles for one in progress] == [1, 2, 3, 4, 5, 6]
    factory.make(parts, 1, 3, 1)
    with parts.open("ab") as file:
        file.write(b'{"number": 3, "puzz')  # the process was ended here
    assert factory.make(parts, 1, 6, 1) == 6
    assert parts.read_bytes() == whole.read_bytes()
    assert factory.make(parts, 1, 9, 1, minutes=0.0) == 6, "no time is left"
    with pytest.raises(UsageError, match="another seed"):
        factory.make(parts, 2, 6, 1)
    with pytest.raises(UsageError, match="allowed: niet-2015"):
        factory.make(parts, 1, 6, 1, edition="chess")
    assert {one.id for one in factory.made_in([whole, parts])} == {one.id for one in factory.made_in([whole])}


def test_a_selection_is_varied() -> None:
    some = shipped()
    chosen = factory.picked(some, 10)
    assert len(chosen) == 10
    assert len({one.phase for one in chosen}) == len({one.phase for one in some})
    assert len({one.edition for one in chosen}) == 4
    assert sum(len(one.found) == len(LEVELS) for one in chosen) <= 1


def test_every_puzzle_is_judged_by_the_present_networks() -> None:
    """`atout puzzles check` judges them again when networks change."""
    present: dict[str, str] = {}
    for puzzle in shipped():
        if puzzle.edition not in present:
            present[puzzle.edition] = DecisionEvaluator.of(puzzle.game().knowledge(puzzle.seat)).id
        assert puzzle.evaluator == present[puzzle.edition], puzzle.id


def test_a_puzzle_is_judged_again_by_other_networks() -> None:
    puzzle = max((one for one in shipped() if one.phase == "tricks" and len(one.best) == 1), key=lambda one: one.lead)
    assert judged_again(puzzle) is puzzle
    stale = replace(puzzle, evaluator="000000000000", values={}, reason=(), lead=0.0)
    assert judged_again(stale) == puzzle
    wrong = next(action for action in puzzle.values if action not in puzzle.best)
    assert judged_again(replace(stale, best=(wrong,))) is None


@pytest.mark.slow
def test_a_round_gives_the_same_puzzles_again() -> None:
    for number in range(10):
        first = make_round(3, number)
        if first.puzzles:
            break
    assert first.puzzles
    assert msgspec.json.encode(make_round(3, number)) == msgspec.json.encode(first)
