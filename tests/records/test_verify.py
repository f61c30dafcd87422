"""What the verifier says about right and wrong records."""

from __future__ import annotations

import copy
import io
import json
from typing import Any

import pytest

from atout.editions import PUBLISHED, from_tree, published
from atout.errors import RecordError
from atout.game import Game, Setup, new_rng
from atout.records import MAX_LINE, Verifier, numbered_lines
from tests.records.samples import Record, whole


def line(record: Any) -> bytes:
    return json.dumps(record).encode()


def foul(record: Any) -> str:
    with pytest.raises(RecordError) as caught:
        Verifier().check(record if isinstance(record, bytes) else line(record))
    return str(caught.value)


@pytest.mark.parametrize(("edition", "players"), [(e, n) for e in PUBLISHED for n in published(e).counts])
def test_whole_matches_of_every_table_pass_both_ways(edition: str, players: int) -> None:
    record = whole(edition, players)
    verifier = Verifier()
    assert verifier._passes_quickly(verifier.decode(line(record)))
    assert Game.from_record(record).record() == record


@pytest.mark.parametrize(
    ("edition", "players", "options"),
    [
        ("njet-1997", 3, {"length": "short"}),
        ("niet-2015", 4, {"length": {"target": 60}}),
        ("niet-2015", 5, {"scoring": "difference"}),
        ("njet-2007", 3, {"scoring": "total", "length": {"target": 40}}),
        ("nichtig", 6, {"teams": True}),
        ("nichtig", 4, {"teams": True, "length": {"target": 50}}),
    ],
)
def test_options_are_written_and_read(edition: str, players: int, options: Any) -> None:
    record = whole(edition, players, options)
    assert record["options"] == options
    Verifier().check(line(record))


def test_defaults_are_not_written() -> None:
    assert whole("njet-2007", 2, {"scoring": "difference", "length": "full"})["options"] == {}


@pytest.fixture(scope="module")
def game() -> Record:
    return whole("niet-2015", 4)


def changed(game: Record, *path: Any, to: Any) -> Record:
    record = copy.deepcopy(game)
    inner: Any = record
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = to
    return record


def test_fouls_name_round_action_and_reason(game: Record) -> None:
    first = game["rounds"][0]
    twice = changed(game, "rounds", 0, "actions", 1, to=first["actions"][1][0] + first["actions"][0][1:])
    assert foul(twice).startswith("round 1, action 2: ")
    assert "that cell is covered already (niet-2015 §3.3)" in foul(twice)
    unheld = next(card for card in ("R9", "R10", "Y9", "Y10") if card not in first["hands"][0].split())
    wrong = changed(game, "rounds", 0, "actions", len(first["actions"]) - 1, to=f"0 play {unheld}")
    assert foul(wrong).startswith(f"round 1, action {len(first['actions'])}: 0 play {unheld}: ")


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        (("atout",), 2, "atout: version 2 is not known; known: 1"),
        (("edition",), "chess", "edition: 'chess' is not known, and the record carries no rules"),
        (("players",), 6, "players: 6 is not allowed in niet-2015; allowed: 2, 3, 4, 5"),
        (("players",), 3, "round 1: hands: 4 hands; expected 3"),
        (("players",), "4", "players: expected int, got str"),
        (("options",), {"length": "short"}, "options.length: 'short' is not allowed in niet-2015"),
        (("options",), {"teams": True}, "options: 'teams' is not an option of niet-2015 with 4 players"),
        (("options",), {"length": {"target": 10**30}}, "options.length"),
        (("first_dealer",), 4, "first_dealer: 4 is not a seat; expected 0 to 3"),
        (("first_dealer",), -1, "first_dealer: expected int >= 0"),
        (("rounds", 0, "hands"), ["R1"], "round 1: hands: 1 hands; expected 4"),
        (("rounds", 0, "hands", 0), "R1 R1", "round 1: hands: seat 0 has 2 cards; expected 15"),
        (("rounds", 0, "hands", 0), " ".join(["R1"] * 15), "round 1: hands: R1 is dealt"),
        (("rounds", 0, "hands", 0), " ".join(["K1"] * 15), "round 1: hands: seat 0: 'K1' is not a card of niet-2015"),
        (("rounds", 1, "actions"), [], "round 2, action 1: the round is not finished, yet another follows"),
        (("rounds", 0, "actions", 3), "rubbish", "round 1, action 4: 'rubbish' is not an action"),
        (("rounds", 7, "scores"), [0, 0, 0, 0], "round 8: scores: [0, 0, 0, 0] is wrong; expected"),
        (("rounds", 0, "tricks"), None, "round 1: tricks: missing; expected"),
        (("rounds", 0, "loot", 0), 99, "round 1: loot: "),
        (("totals",), None, "totals: missing; expected"),
        (("totals", 0), 10**30, "totals[0]: "),
        (("winners",), [0, 1, 2, 3], "winners: [0, 1, 2, 3] is wrong; expected"),
        (("rounds",), [], "totals: "),
    ],
)
def test_fouls(game: Record, path: tuple[Any, ...], value: Any, reason: str) -> None:
    assert foul(changed(game, *path, to=value)).startswith(reason)


def test_wrong_dealer_and_leader(game: Record) -> None:
    right = game["rounds"][1]["dealer"]
    assert foul(changed(game, "rounds", 1, "dealer", to=(right + 1) % 4)).startswith("round 2: dealer: ")
    nichtig = whole("nichtig", 3)
    right = nichtig["rounds"][1]["leader"]
    assert foul(changed(nichtig, "rounds", 1, "leader", to=(right + 1) % 3)).startswith("round 2: leader: ")


def test_actions_after_the_end_and_rounds_after_the_match(game: Record) -> None:
    longer = copy.deepcopy(game)
    longer["rounds"][0]["actions"].append("0 play R1")
    assert "the round was over before this action" in foul(longer)
    longer = copy.deepcopy(game)
    longer["rounds"].append(copy.deepcopy(game["rounds"][0]))
    assert foul(longer) == "round 9: the match was over before this round"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"", "not JSON: "),
        (b'{"atout": 1, ', "not JSON: "),
        (b"\xff\xfe\x00rubbish", "not UTF-8: byte 0 of the line is 0xff"),
        (b'{"options": {"length": ' + b"[" * 100_000, "nested too deeply"),
        (b"[]", "expected object, got array"),
        (b"7", "expected object, got int"),
        (b"1" * 5_000, "number out of range"),
        (b'{"atout": 1}', "object missing required field edition"),
    ],
)
def test_what_is_no_record(text: bytes, reason: str) -> None:
    assert foul(text).startswith(reason)


def test_unfinished_records_pass_at_every_point() -> None:
    game = Game.at(Setup.of("njet-2007", 5), seed=3)
    game.play_randomly(new_rng(3))
    verifier = Verifier()
    for count in range(len(game.actions), -1, -1):
        record = game.undo(to=count).record()
        recorded = verifier.decode(line(record))
        assert verifier._passes_quickly(recorded), count
        assert Game.from_record(record).actions == game.actions


def test_an_unfinished_record_must_not_tell_the_end(game: Record) -> None:
    record = copy.deepcopy(game)
    record["rounds"] = record["rounds"][:2]
    assert "that is not decided yet" in foul(record)


def test_other_keys_are_ignored(game: Record) -> None:
    Verifier().check(line(game | {"names": ["Ann", "Bo", "Cy", "Di"], "comment": {"any": ["thing"]}}))


def test_house_rules_travel_in_the_record() -> None:
    tree = {"id": "niet-grand", "base": "niet-2015", "board": {"points": [5, 10]}}
    house = from_tree(tree, "test")
    game = Game.new(house, players=4, seed=5)
    game.play_randomly(new_rng(5))
    record = json.loads(json.dumps(game.record()))
    Verifier().check(line(record))
    del record["rules"]
    assert foul(record).startswith("edition: 'niet-grand' is not known, and the record carries no rules")
    Verifier(house).check(line(record))


def test_lines_are_numbered_blank_ones_skipped_and_long_ones_not_kept() -> None:
    text = b"a\n\n  \nb\n" + b"x" * (MAX_LINE + 5) + b"\nc"
    assert list(numbered_lines(io.BytesIO(text))) == [(1, b"a\n"), (4, b"b\n"), (5, None), (6, b"c")]
