"""The review of a record: JSON lines, text and a page; records that cannot be reviewed get a sentence."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from atout import Game
from atout.cli import app
from atout.editions import published
from atout.errors import RecordError, UsageError
from atout.study import Study, review
from atout.study.effort import EFFORTS
from atout.study.model import LABELS

from .rounds import round_record


def few_actions(record: dict[str, Any], count: int) -> dict[str, Any]:
    """The record, stopped after some actions."""
    first = record["rounds"][0]
    kept = {key: first[key] for key in ("dealer", "leader", "hands") if key in first}
    return {**record, "rounds": [{**kept, "actions": first["actions"][:count]}]}


def written(folder: Path, *records: dict[str, Any]) -> str:
    path = folder / "games.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return str(path)


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """One process."""
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0})


def test_json_lines_have_the_fields_that_were_promised(tmp_path: Path, alone: None) -> None:
    record = few_actions(round_record("nichtig", 3), 8)
    done = CliRunner().invoke(app, ["review", written(tmp_path, record), "--json", "--seat", "1", "--time", "0s"])
    assert done.exit_code == 0, done.output
    *decisions, ledger = map(json.loads, done.stdout.splitlines())
    assert decisions
    for one in decisions:
        assert record["rounds"][one["round"]]["actions"][one["index"]] == one["action"]
        assert one["seat"] == 1
        assert one["label"] in LABELS
        assert one["loss"] >= 0
        assert one["se"] >= 0
        assert one["action"] in one["values"]
        for value in one["values"].values():
            assert {"known", "se", "open", "exact", "found_by"} <= value.keys()
        assert isinstance(one["reason"], list)
    parts = ledger["deal"] + ledger["own"] + ledger["partners"] + ledger["opponents"]
    assert parts == pytest.approx(ledger["result"], abs=1e-9)
    assert ledger["evaluator"] == Study(record, 1).evaluator.id


def test_text_and_page_tell_the_same(tmp_path: Path, alone: None) -> None:
    record = few_actions(round_record("nichtig", 3), 8) | {
        "names": ["<b>Ann</b>", "Bo", "Cy"],
        "bots": [None, "x", "y"],
    }
    name = written(tmp_path, few_actions(round_record("nichtig", 3), 1), record)
    done = CliRunner().invoke(app, ["review", name, "--game", "2", "--time", "0s"])
    assert done.exit_code == 0, done.output
    assert "Review of <b>Ann</b>: Null & nichtig, 3 players." in done.stdout
    assert "The match was not finished: what was played is reviewed." in done.stdout
    assert re.search(r"^Match +(−?\d+\.\d +){5}−?\d+\.\d$", done.stdout, re.MULTILINE)
    page = tmp_path / "review.html"
    done = CliRunner().invoke(app, ["review", name, "--game", "2", "--time", "0s", "--html", str(page)])
    assert done.exit_code == 0, done.output
    text = page.read_text()
    assert "&lt;b&gt;Ann&lt;/b&gt;" in text
    assert "<b>Ann" not in text
    assert not re.search(r'(src|href)="[^#]', text), "all that it shows is in it"
    assert text.count("<details") == len(Study(record, 0).positions)


@pytest.mark.slow
def test_the_same_record_gets_the_same_review() -> None:
    record = few_actions(round_record("nichtig", 3), 8)
    found = review(record, 1, 0.0)
    assert found == review(record, 1, 0.0)
    assert found.decisions
    assert found.effort == EFFORTS[0].level


@pytest.mark.parametrize(
    ("record", "seat", "what"),
    [
        ({}, 0, "missing required field"),
        (few_actions(round_record("nichtig", 3), 0), 0, "nothing was played"),
        (round_record("nichtig", 3), 3, "allowed: 0 to 2"),
    ],
)
def test_what_cannot_be_reviewed_gets_a_sentence(record: Any, seat: int, what: str) -> None:
    with pytest.raises((RecordError, UsageError), match=what):
        Study(record, seat)


def test_house_rules_get_a_sentence(tmp_path: Path) -> None:
    game = Game.new(replace(published("nichtig"), id="our-nichtig"), 3, seed=1)
    game.play(game.legal()[0])
    done = CliRunner().invoke(app, ["review", written(tmp_path, game.record())])  # type: ignore[arg-type]
    assert done.exit_code
    assert "no network has learned our-nichtig, 3 players" in str(done.exception)


def test_a_match_that_was_given_up_counts_for_what_it_was_worth() -> None:
    """In its second round, after some actions of random players."""
    source = random.Random(5)
    game = Game.new("nichtig", 3, seed=5)
    while game.round == 1:
        game.play(source.choice(game.legal()))
    for _ in range(5):
        game.play(source.choice(game.legal()))
    study = Study(game.record(), 2)
    assert study.notes == ("unfinished",)
    assert {position.round for position in study.positions} == {0, 1}
    ledger = study.review([]).ledger
    assert [one.is_finished for one in ledger.rounds] == [True, False]
    for one in ledger.rounds:
        assert one.deal + one.own + one.partners + one.opponents == pytest.approx(one.result, abs=1e-9)
    assert ledger.result == pytest.approx(sum(one.result for one in ledger.rounds), abs=1e-9)


@pytest.mark.parametrize("time", ["soon", "-3s", "5h"])
def test_a_time_that_is_none_gets_a_sentence(time: str, tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["review", written(tmp_path), f"--time={time}"])
    assert "expected seconds or minutes: 60s, 2m" in str(done.exception)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("edition", "players", "level", "teams"),
    [
        ("niet-2015", 2, "random", False),
        ("niet-2015", 5, "random", False),
        ("njet-2007", 5, "novice", False),
        ("nichtig", 6, "random", True),
        ("nichtig", 4, "random", True),
    ],
)
def test_all_sorts_of_tables_and_players_can_be_reviewed(edition: str, players: int, level: str, teams: bool) -> None:
    record = round_record(edition, players, level, teams=teams)
    for seat in (0, players - 1):
        found = review(record, seat, 0.0)
        parts = found.ledger.deal + found.ledger.own + found.ledger.partners + found.ledger.opponents
        assert parts == pytest.approx(found.ledger.result, abs=1e-9)
        assert all(one.seat == seat for one in found.decisions)
