"""The puzzles that ship: every position can be reached, every answer is legal and clear, and no two are alike."""

from __future__ import annotations

import gzip
from collections import Counter
from copy import deepcopy
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from atout.bots.bot import Reason
from atout.editions import PUBLISHED
from atout.errors import UsageError
from atout.game import Card
from atout.i18n import Texts
from atout.nets.spreads import spread_of
from atout.puzzles import THEMES, Puzzle, find, of_day, shipped
from atout.puzzles.factory import agreeing
from atout.puzzles.library import FILE, as_lines, pack, read
from atout.puzzles.model import LEVELS, digest_of, theme_of
from atout.study.labels import INACCURACY, mistake_of, trick_worth
from atout.study.model import CELL_CODES, PHASES
from atout.terminal.words import Words

ROUNDING = 0.02
"""Values are kept with two digits."""


def test_every_position_replays_and_its_answer_is_legal_and_clear() -> None:
    for puzzle in shipped():
        game = puzzle.game()
        assert game.turn == puzzle.seat, puzzle.id
        legal = [str(action) for action in game.legal()]
        assert list(puzzle.values) == legal, puzzle.id
        assert set(puzzle.best) < set(legal), puzzle.id
        knowledge, spread = game.knowledge(puzzle.seat), spread_of(game.setup)
        enough = mistake_of(spread, trick_worth(knowledge)) if puzzle.phase != "piles" else INACCURACY * spread
        best = puzzle.values[puzzle.best[0]].known
        wrong = max(value.known for action, value in puzzle.values.items() if action not in puzzle.best)
        assert best - wrong >= enough - ROUNDING, puzzle.id
        assert puzzle.lead >= 3 * puzzle.se - 3 * ROUNDING, puzzle.id
        assert theme_of(puzzle.phase, puzzle.best[0], puzzle.reason) == puzzle.theme
        assert len(puzzle.reason) in (1, 2)
        assert set(puzzle.found) <= set(LEVELS)


def test_reasons_tell_the_numbers_of_the_values() -> None:
    """What an action gains in the sentence is what its bar shows; a veto is told without gains."""
    compared = 0
    for puzzle in shipped():
        assert agreeing(puzzle) == puzzle, puzzle.id
        for reason in puzzle.reason:
            gains = {name: gain for name, gain in reason.parameters.items() if "gain" in name}
            for name, gain in gains.items():
                action = reason.parameters[name.removesuffix("_gain")]
                assert gain == puzzle.values[f"{puzzle.seat} {action}"].known, puzzle.id
            compared += len(gains)
            assert not (gains and reason.code in CELL_CODES), puzzle.id
    assert compared > 0


def test_reasons_have_words_of_today() -> None:
    """Every sentence can be told, and a player without partners is never told of a side."""
    for puzzle in shipped():
        words = Words(Texts("en"), ["A"] * puzzle.players, puzzle.seat, 1)
        for reason in puzzle.reason:
            text = words.contrast(reason.code, reason.parameters)
            assert not text.startswith("Reason."), (puzzle.id, text)
            if puzzle.players == 2 or (puzzle.edition == "nichtig" and not puzzle.has_teams):
                assert "side" not in text, (puzzle.id, text)


def test_a_reason_that_contradicts_its_values_is_mended() -> None:
    puzzle = next(one for one in shipped() if one.reason[0].code == "side")
    first, *more = puzzle.reason
    wrong = Reason("side", {**first.parameters, "best_gain": 99.0})
    assert agreeing(replace(puzzle, reason=(wrong, *more))) == puzzle


def test_no_two_are_alike_and_all_kinds_are_there() -> None:
    some = shipped()
    assert len({puzzle.id for puzzle in some}) == len(some)
    assert all(digest_of(puzzle.record, puzzle.seat) == puzzle.id for puzzle in some[::10])
    assert {puzzle.edition for puzzle in some} == set(PUBLISHED)
    assert {puzzle.phase for puzzle in some} == set(PHASES)
    assert any(puzzle.has_teams for puzzle in some)
    assert len({puzzle.theme for puzzle in some}) >= 12
    assert {puzzle.theme for puzzle in some} <= set(THEMES)
    easy = sum(len(puzzle.found) == len(LEVELS) for puzzle in some)
    assert easy <= 0.12 * len(some), "few that every level finds"
    assert Counter(puzzle.rating // 100 for puzzle in some).most_common(1)[0][1] <= len(some) / 2


@pytest.mark.skipif(len(shipped()) < 100, reason="the set is being made")
def test_there_are_enough_in_a_small_file() -> None:
    assert len(shipped()) >= 300
    assert FILE.stat().st_size <= 1_500_000
    # what compresses it, and a byte of its header, differ between versions of Python
    again, file = map(gzip.decompress, (pack(shipped()), FILE.read_bytes()))
    assert again == file, "packed again, it is the same"


def test_a_day_has_its_puzzle_and_the_next_another() -> None:
    days = [date(2026, 11, 1) + timedelta(number) for number in range(len(shipped()))]
    assert {of_day(day).id for day in days} == {puzzle.id for puzzle in shipped()}
    assert all(of_day(one) != of_day(other) for one, other in pairwise(days))


def line_of(puzzle: Puzzle, **changes: object) -> bytes:
    return msgspec.json.encode(msgspec.to_builtins(puzzle) | changes)


SOUND = line_of(shipped()[0])
ROUNDS = shipped()[0].record["rounds"]
GZIP_HEADER, NO_BLOCK = gzip.compress(SOUND)[:10], b"\xff" * 20
BROKEN = {
    "damaged.jsonl.gz": (GZIP_HEADER + NO_BLOCK, "cannot be read: Error -3 while decompressing"),
    "cut-off.jsonl.gz": (gzip.compress(SOUND)[:-20], "cannot be read: Compressed file ended"),
    "not-packed.jsonl.gz": (SOUND, "cannot be read: Not a gzipped file"),
    "not-json.jsonl": (SOUND + b"\nhello\n", "2: JSON is malformed"),
    "nested.jsonl": (b'{"record": {"options": ' + b'{"a":' * 100_000, "1: maximum recursion depth exceeded"),
    "no-rounds.jsonl": (line_of(shipped()[0], record={}), "1: expected a record with one round"),
    "two-rounds.jsonl": (line_of(shipped()[0], record={"rounds": ROUNDS * 2}), "1: expected a record with one round"),
    "no-answer.jsonl": (
        SOUND + b"\n" + line_of(shipped()[0], best=[]),
        "2: expected a record with one round, and a best",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_is_named_with_its_line(name: str, tmp_path: Path) -> None:
    body, said = BROKEN[name]
    path = tmp_path / name
    path.write_bytes(body)
    with pytest.raises(UsageError) as caught:
        read(path)
    assert str(caught.value).startswith(f"puzzles: {path}:")
    assert said in str(caught.value)


def test_a_file_is_read_packed_or_not(tmp_path: Path) -> None:
    some = sorted(shipped()[:2], key=lambda one: one.id)
    packed, plain = tmp_path / "some.jsonl.gz", tmp_path / "some.jsonl"
    packed.write_bytes(pack(some))
    plain.write_bytes(as_lines(some))
    assert read(packed) == read(plain) == some


def turned(puzzle: Puzzle) -> tuple[dict[str, object], int]:
    """The same question with other names: two colours swapped, every seat one further."""
    players = puzzle.players
    first, second = puzzle.game().setup.edition.deck.colours[:2]
    letters = {str(Card(first, 1))[0]: str(Card(second, 1))[0], str(Card(second, 1))[0]: str(Card(first, 1))[0]}

    def seat(word: str) -> str:
        return str((int(word) + 1) % players)

    def card(word: str) -> str:
        return letters.get(word[0], word[0]) + word[1:]

    def action(text: str) -> str:
        who, verb, *words = text.split(" ")
        if verb in ("team", "double"):
            words = sorted(map(seat, words))
        elif verb == "veto":
            swapped = {str(first): str(second), str(second): str(first)}
            cell = seat(words[1]) if words[0] == "start" else swapped.get(words[1], words[1])
            words = [words[0], cell]
        else:
            words = [card(word) for word in words]
        return " ".join([seat(who), verb, *words])

    record = deepcopy(puzzle.record)
    (round,) = record["rounds"]
    hands = [" ".join(map(card, hand.split(" "))) for hand in round["hands"]]
    round["hands"] = [hands[(place - 1) % players] for place in range(players)]
    round["actions"] = [action(one) for one in round["actions"]]
    for key in ("dealer", "leader"):
        if key in round:
            round[key] = (round[key] + 1) % players
    record["first_dealer"] = (record["first_dealer"] + 1) % players
    return dict(record), (puzzle.seat + 1) % players


def test_other_names_of_colours_and_seats_make_no_new_puzzle() -> None:
    checked = 0
    for puzzle in shipped()[:40]:
        record, seat = turned(puzzle)
        assert digest_of(record, seat) == puzzle.id
        checked += 1
    assert checked
    assert find("no such id") is None
