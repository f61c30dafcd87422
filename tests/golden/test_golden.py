"""The golden games, played again and compared with their texts: nothing missing, nothing superfluous."""

from __future__ import annotations

import json
from difflib import unified_diff

import pytest

from atout import Game
from atout.editions import PUBLISHED, published
from tests.golden import picture
from tests.golden.games import FOLDER, OPTIONS, ROUNDS_IN_FULL, Match, matches, render, signature


def name(match: Match) -> str:
    return match.path.stem


def difference(match: Match, text: str) -> str:
    """What changed, line by line; empty when nothing did."""
    old = match.path.read_text(encoding="utf-8").splitlines()
    return "\n".join(
        unified_diff(old, text.splitlines(), f"{name(match)}.txt", "as it is played now", lineterm="", n=1)
    )


def test_one_game_for_every_edition_and_number_of_players() -> None:
    wanted = {f"{edition}-{players}.txt" for edition in PUBLISHED for players in published(edition).counts}
    assert len(wanted) == 14
    assert {path.name for path in FOLDER.iterdir()} == wanted, "`make golden` writes and removes them"
    assert set(OPTIONS) == set(matches())


@pytest.mark.parametrize("match", matches(), ids=name)
def test_the_game_is_played_as_it_is_told(match: Match) -> None:
    changed = difference(match, render(match.play().record()))
    assert not changed, f"`make golden` writes it again, if this is meant:\n{changed}"


@pytest.mark.parametrize("match", matches(), ids=name)
def test_the_record_alone_tells_the_same_game(match: Match) -> None:
    record = match.play().record()
    line = json.dumps(record)
    again = Game.from_record(json.loads(line)).record()
    assert again == record
    assert not difference(match, render(again))


@pytest.mark.parametrize("match", matches(), ids=name)
def test_the_text_holds_what_a_reader_needs(match: Match) -> None:
    """All actions of the rounds that are told, their results, and the signature."""
    record, text = match.play().record(), match.path.read_text(encoding="utf-8")
    rounds = record["rounds"][:ROUNDS_IN_FULL]
    lines = text.splitlines()
    for number, round in enumerate(rounds, 1):
        assert any(line.startswith(f"round {number}: ") for line in lines)
        for hand in round["hands"]:
            assert hand in text
    verbs = {action.split()[1] for round in rounds for action in round["actions"]}
    for verb in verbs - {"play", "double"}:
        assert any(line.split()[:1] == [verb] for line in lines)
    cards = match.players * sum(line.startswith("  trick ") for line in lines)
    assert cards == sum(action.split()[1] == "play" for round in rounds for action in round["actions"])
    assert lines[-1].endswith(signature(record))


def test_every_option_is_played_somewhere() -> None:
    options = [json.dumps(match.options) for match in matches()]
    assert any('"short"' in option for option in options)
    assert any('"target"' in option for option in options)
    assert any('"teams"' in option for option in options)
    assert any('"total"' in option for option in options)
    assert any('"difference"' in option for option in options)


def test_the_signature_changes_with_any_card() -> None:
    match = Match("njet-1997", 3)
    record = match.play().record()
    before = signature(record)
    record["rounds"][-1]["actions"].reverse()
    assert signature(record) != before


def test_the_picture_of_the_readme_is_what_the_program_draws() -> None:
    assert picture.PATH.read_text(encoding="utf-8") == picture.draw(), "`make golden` draws it again"
