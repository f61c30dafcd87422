"""The conformance kit: Atout's bots pass, and a bot that does one thing wrong fails that check and no other."""

from __future__ import annotations

import json
from typing import Any

import pytest
from typer.testing import CliRunner

from atout import BotError, Game, Setup, UsageError, View
from atout.bots import LEVELS
from atout.cli import app
from atout.exam import CHECKS, Report, examine
from atout.exam.questions import all_setups, phases_of, questions
from atout.exam.report import MAX_FAILURES, Timing
from atout.exam.timing import allowed, timings
from tests.depth import where
from tests.exam import misbehaving_bots
from tests.properties.matches import PLACES

NJET, NICHTIG = Setup.of("niet-2015", 5), Setup.of("nichtig", 3)
MODULE = "tests.exam.misbehaving_bots:"


def quickly(bot: Any, **more: Any) -> Report:
    return examine(bot, **{"nodes": 30, "seconds": None, "each": 2, "setups": [NJET, NICHTIG], **more})


# ------------------------------------------------------------------ questions


def test_every_table_is_examined() -> None:
    assert [(setup.edition.id, setup.players) for setup in all_setups()] == PLACES


@pytest.mark.parametrize(("edition", "players"), PLACES)
def test_every_phase_is_found_and_asked(edition: str, players: int) -> None:
    """As the rule pages have them: §4.2 no teams for two, §4.3 a choice of the ×2 card for five, §5 pass since 2007."""
    if edition == "nichtig":
        phases = ["lay", "play"]
    else:
        phases = ["veto", *(["team"] if players > 2 else []), *(["double"] if players == 5 else []), "discard"]
        phases += [*(["pass"] if edition != "njet-1997" else []), "play"]
    setup = Setup.of(edition, players)
    assert list(phases_of(setup)) == phases
    asked = questions(setup, 3, seed=0)
    assert [question.phase for question in asked] == [phase for phase in phases for _ in range(3)]
    for question in asked:
        game = question.game()
        assert game.phase == question.phase
        assert len(game.legal()) > 1
    assert {question.game().round for question in asked} == {1, 2}


def test_other_worlds_look_the_same_and_are_not() -> None:
    for question in questions(NJET, 3, seed=1):
        game, world = question.game(), question.world()
        assert world is not None
        assert world.state.hand != game.state.hand
        assert world.view(game.turn) == game.view(game.turn)


# ------------------------------------------------------------------ bots that pass


@pytest.mark.parametrize("name", where(LEVELS, lambda name: name == "learned"))
def test_our_bots_pass_at_every_table(name: str) -> None:
    report = examine(name, nodes=20, seconds=None, each=1)
    assert report.failures == []
    assert report.passed
    made = {it.check: it.made for it in report.checks}
    assert list(made) == list(CHECKS)
    assert made["budget"] == 0
    assert all(count >= len(PLACES) for check, count in made.items() if check != "budget")
    assert [(covered.edition, covered.players) for covered in report.coverage] == PLACES


@pytest.mark.slow
def test_a_bot_may_print() -> None:
    assert quickly(f"{MODULE}Chatty").failures == []


@pytest.mark.parametrize(
    "bot", [misbehaving_bots.Straight, misbehaving_bots.Straight(), lambda: misbehaving_bots.Straight()]
)
def test_a_class_a_maker_and_a_bot_itself_can_be_examined(bot: Any) -> None:
    report = quickly(bot)
    assert report.passed
    assert report.bot == "straight"
    notes = {it.check: it.note for it in report.checks if it.note}
    assert list(notes) == ["elsewhere", "budget"]


# ------------------------------------------------------------------ bots that fail


@pytest.mark.parametrize(
    ("bot", "check", "detail"),
    [
        ("Illegal", "legal", "'0 double 9' is not among the legal actions"),
        ("Crashing", "answers", "it failed with ZeroDivisionError: integer division or modulo by zero"),
        ("Exiting", "answers", "it failed with SystemExit: 0"),
        ("PlainText", "type", "it is of type str; expected a Choice"),
        ("Numbers", "type", "its action is of type int; expected text"),
        ("UnknownAction", "estimates", "there is one for '0 play Z9', which is not among the legal actions"),
        ("MissingSeat", "estimates", "expected a list of 5 numbers, one for each seat"),
        ("NoNumber", "estimates", "expected finite numbers"),
        ("SecretReasons", "reasons", "expected a code and parameters ready for JSON"),
        ("OwnChance", "repeatable", "asked again: it answered "),
        ("Counting", "repeatable", "asked again: the same action, but other reasons"),
        ("Moody", "repeatable", "by a second instance: it answered "),
        ("Hashing", "elsewhere", "in another process: it answered "),
        ("Homesick", "elsewhere", "ended in another process with LookupError: where am I?"),
        ("Homebody", "wire", "with the view sent through JSON: it answered "),
        ("Scribbling", "untouched", "it changed the view: hand"),
        ("PeekingAtCallers", "view only", "with other cards hidden: it answered "),
    ],
)
def test_a_misbehaving_bot_fails_the_right_check_and_no_other(bot: str, check: str, detail: str) -> None:
    report = quickly(MODULE + bot)
    assert report.failed_checks == [check]
    assert not report.passed
    assert {failure.check for failure in report.failures} == {check}
    assert len(report.failures) <= MAX_FAILURES
    assert detail in report.failures[0].detail


@pytest.mark.slow
def test_a_bot_that_searches_all_memory_is_caught() -> None:
    refused = Game.__new__(Game)  # what is left of one whose making was refused
    report = quickly(misbehaving_bots.PeekingAtMemory, setups=[NICHTIG], each=1)
    assert report.failed_checks == ["view only"], report.failures
    assert not hasattr(refused, "table")


def test_a_bot_with_a_line_to_the_game_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    look = Game.view

    def view(game: Game, seat: int | None) -> View:
        misbehaving_bots.PeekingByTrick.seen[:] = [game]
        return look(game, seat)

    monkeypatch.setattr(Game, "view", view)
    assert quickly(misbehaving_bots.PeekingByTrick).failed_checks == ["view only"]


def test_a_failure_says_all_that_is_needed_to_see_it_again() -> None:
    failure = quickly(misbehaving_bots.Illegal).failures[0]
    assert (failure.edition, failure.players, failure.phase) == ("niet-2015", 5, "double")
    assert failure.said == "0 double 9"
    assert failure.view is not None
    assert failure.view["phase"] == "double"
    assert failure.allowed == tuple(failure.view["legal"])
    assert failure.last == tuple(failure.view["actions"][-6:])
    assert failure.last[-1].split()[1] == "team"
    assert failure.moves == len(failure.view["actions"])


# ------------------------------------------------------------------ the clock


def test_a_bot_that_takes_too_long_fails_where_it_does() -> None:
    report = quickly(misbehaving_bots.Dawdling, seconds=0.1, clock=lambda: misbehaving_bots.Dawdling.now)
    assert report.failed_checks == ["budget"]
    [failure] = report.failures
    assert failure.detail == "njet: veto: a median of 1.000 s in 2 decisions; expected at most 0.130 s"
    assert {timing.what for timing in report.timings} >= {"niet-2015, 5 players", "nichtig: lay"}


def test_a_busy_moment_fails_nobody() -> None:
    asked = questions(NICHTIG, 3, seed=0)
    spent = [0.1, 5.0, 0.1, 0.1, 5.0, 0.1]
    found = timings(zip(asked, spent, strict=True), 0.1)
    assert [timing.what for timing in found] == ["nichtig, 3 players", "nichtig: lay", "nichtig: play"]
    assert all(timing.is_kept and timing.longest == 5.0 for timing in found)
    assert not Timing("x", 1, allowed(0.1) + 0.001, 1.0, allowed(0.1)).is_kept


# ------------------------------------------------------------------ wrong calls


@pytest.mark.parametrize("wrong", [{"nodes": 0}, {"seconds": 0.0}, {"each": 0}])
def test_a_wrong_call_is_told(wrong: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="expected"):
        quickly("novice", **wrong)


def test_what_is_no_bot_is_told() -> None:
    maker: Any = dict
    with pytest.raises(BotError, match="is no bot"):
        quickly(maker)
    with pytest.raises(BotError, match="cannot be made twice: ZeroDivisionError"):
        quickly(lambda: 1 // 0)


# ------------------------------------------------------------------ the command


@pytest.mark.slow
def test_the_command_prints_tables_and_passes() -> None:
    done = CliRunner().invoke(app, ["exam", "novice", "--edition", "nichtig", "--seconds", "0"])
    assert done.exit_code == 0, done.output
    assert "novice passes every check that was made." in done.output
    assert "nichtig, 6 players" in done.output
    assert "novice: conformance" in done.stderr


def test_the_command_names_failures_and_fails() -> None:
    done = CliRunner().invoke(app, ["exam", f"{MODULE}Illegal", "--edition", "njet-2007", "--seconds", "0"])
    assert done.exit_code == 1
    assert f"{MODULE}Illegal fails: legal." in done.stdout
    assert "where    njet-2007, 5 players, double; seed 0, after " in done.stdout


def test_ctrl_c_names_the_question_a_bot_hangs_at(monkeypatch: pytest.MonkeyPatch) -> None:
    def hang(self: object, *question: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(misbehaving_bots.Straight, "answer", hang)
    done = CliRunner().invoke(app, ["exam", f"{MODULE}Straight", "--edition", "nichtig"])
    assert done.exit_code == 130
    assert "the last question was nichtig, 3 players, lay; seed 0, after 0 actions" in done.stderr


def test_the_command_writes_json() -> None:
    arguments = ["exam", f"{MODULE}Scribbling", "--edition", "nichtig", "--seconds", "0", "--json", "--nodes", "5"]
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 1
    report = json.loads(done.stdout)
    assert (report["bot"], report["nodes"], report["seconds"]) == (f"{MODULE}Scribbling", 5, None)
    assert report["failures"][0]["check"] == "untouched"
    assert report["failures"][0]["view"]["edition"] == "nichtig"
