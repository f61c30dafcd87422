"""Showing a game: every round, card and trick of the record, in any terminal, up to any move."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest
from rich.console import Console

from atout import Game
from atout.errors import RecordError, UsageError
from atout.terminal import show_record
from atout.terminal.summary import summary_of

from .keyboard import CARD, until

TABLES: list[tuple[str, int, dict[str, Any]]] = [
    ("njet-1997", 4, {"length": "short"}),
    ("njet-2007", 5, {"length": {"target": 10}}),
    ("niet-2015", 2, {"length": {"target": 20}}),
    ("niet-2015", 3, {"length": {"target": 20}}),
    ("nichtig", 4, {"teams": True}),
    ("nichtig", 6, {}),
]


def finished(edition: str, players: int, options: dict[str, Any] | None = None, seed: int = 3) -> dict[str, Any]:
    game = until(Game.new(edition, players=players, seed=seed, options=options), lambda game: game.is_over)
    return {**game.record()}


def shown(record: dict[str, Any], move: int | None = None, width: int = 200, **console: Any) -> str:
    file = io.StringIO()
    show_record(record, Console(file=file, width=width, **console), move)
    return file.getvalue()


def section(text: str, title: str) -> list[str]:
    """The lines under a title, up to the next empty one."""
    lines = text.partition(f"\n{title}")[2].splitlines()[1:]
    return lines[: lines.index("")] if "" in lines else lines


def board_of(page: str) -> list[str]:
    return section(page.partition("\nConditions")[0], "Board")


# -------------------------------------------------------------------- a whole game


@pytest.mark.parametrize(("edition", "players", "options"), TABLES)
def test_the_whole_record_is_there(edition: str, players: int, options: dict[str, Any]) -> None:
    record = finished(edition, players, options)
    text = shown(record)
    pages = re.split(r"\nRound \d+: ", text)
    assert len(pages) == len(record["rounds"]) + 1
    assert all(f"{seat}" in pages[0].partition("Won by")[2].partition("\n")[0] for seat in record["winners"])
    for told, page in zip(record["rounds"], pages[1:], strict=True):
        opener = told.get("dealer", told.get("leader"))
        assert page.startswith(f"Seat {opener} {'deals' if 'dealer' in told else 'leads'}")
        dealt = page.partition("Dealt")[2].split("\n\n")[0]
        for seat, hand in enumerate(told["hands"]):
            line = next(line for line in dealt.splitlines() if line.startswith(f"Seat {seat} "))
            assert sorted(CARD.findall(line)) == sorted(hand.split())
        for action in told["actions"]:
            assert action.split()[1] not in ("play", "discard", "pass", "lay") or action.split()[2] in page
        for seat, score in enumerate(told["scores"]):
            line = next(line for line in section(page, "Result") if line.startswith(f"Seat {seat} "))
            assert str(score).replace("-", "−") in line.split()


@pytest.mark.parametrize(("edition", "players", "options"), TABLES)
def test_leads_winners_and_loot_of_every_trick_are_the_games_own(
    edition: str, players: int, options: dict[str, Any]
) -> None:
    record = finished(edition, players, options)
    rows = [row for page in shown(record).split("\nRound ")[1:] for row in section(page, "Tricks")[1:]]
    truth, loot = [], [0] * players
    for action, game in Game.steps(record):
        view = game.view(None)
        if action is not None and action.verb == "play" and not view["trick"]:
            truth.append((view["last_trick"], view["last_winner"], (view["loot"] or loot)[view["last_winner"] or 0]))
    assert len(rows) == len(truth)
    for row, (trick, winner, _) in zip(rows, truth, strict=True):
        assert re.findall(r"› \W?(\w+)", row) == [trick[0]["card"]]
        won = next(it["card"] for it in trick if it["seat"] == winner)
        assert re.findall(r"(\w+) ✓", row) == [won]
        assert re.search(rf"Seat {winner}\b", row)
    if record["rounds"][0].get("loot"):
        told = sum(int(count) for row in rows for count in re.findall(r"\+(\d)", row))
        assert told == sum(sum(told["loot"]) for told in record["rounds"])


def test_the_board_says_what_holds_and_who_covered_the_rest() -> None:
    record = finished("niet-2015", 4, {"length": {"target": 1}})
    board = {line.split("  ")[0]: line for line in board_of(shown(record))}
    covered = [action.split() for action in record["rounds"][0]["actions"] if " veto " in action]
    for seat, _, row, cell in covered:
        if row in ("trump", "points"):
            assert re.search(rf"{cell.replace('-', '−')} by {seat}\b", board[row])
    assert all(line.count("✓") == 1 for line in board.values())
    assert sum(line.count(" by ") for line in board.values()) == len(covered)


def test_names_bots_and_options_are_shown_and_made_harmless() -> None:
    record = finished("nichtig", 4, {"teams": True, "length": {"target": 30}})
    record["names"] = ["Anna", "\x1b[2JEve", "[bold]Ben[/bold]", "D"]
    text = shown(record)
    assert "Seat 0 (Anna)" in text
    assert "\x1b" not in text
    assert "[bold]Ben[/bold]" in text, "a name is no markup"
    assert "(nichtig, 4 players), to 30 points\nTwo teams, seated alternately\n" in text
    del record["names"]
    record["bots"] = ["novice", None, None, None]
    assert "Seat 0 (novice)" in shown(record)


# -------------------------------------------------------------------- any terminal


def test_colours_add_nothing_but_colour() -> None:
    record = finished("njet-1997", 3, {"length": "short"})
    plain, coloured = shown(record), shown(record, force_terminal=True, color_system="standard")
    assert "\x1b" not in plain
    assert "\x1b[31m" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain


def test_no_color_is_respected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    coloured = shown(finished("njet-1997", 3, {"length": "short"}), force_terminal=True)
    assert not re.search(r"\x1b\[[0-9;]*3[1-6]", coloured)


def test_a_console_without_unicode_gets_ascii() -> None:
    raw = io.BytesIO()
    file = io.TextIOWrapper(raw, encoding="ascii")
    show_record(finished("njet-2007", 3, {"length": {"target": 20}}), Console(file=file, width=120))
    file.flush()
    text = raw.getvalue().decode("ascii")
    assert "> leads   * wins, holds" in text
    assert "-2" in text


@pytest.mark.slow
def test_a_hundred_columns_are_enough() -> None:
    for edition, players in (("njet-2007", 5), ("niet-2015", 4)):
        text = shown(finished(edition, players), width=100)
        assert max(map(len, text.splitlines())) <= 100
        assert all(len(board_of(page)) == 5 for page in text.split("\nRound ")[1:]), "no cell is folded"


# -------------------------------------------------------------------- up to a move


@pytest.mark.parametrize("move", [0, 1, 17, 18, 25, 40, 60])
def test_a_position_shows_whose_turn_the_hands_and_what_is_legal(move: int) -> None:
    record = finished("niet-2015", 4)
    text = shown(record, move)
    game = next(game for _, game in Game.steps(record) if len(game.actions) == move)
    position = text.partition(f"Position after {move} action")[2]
    assert f"Seat {game.turn} is to act: {game.phase}" in position
    for seat in range(4):
        line = next(line for line in position.splitlines() if line.startswith(f"Seat {seat}  "))
        assert CARD.findall(line) == game.view(seat)["hand"]
    told = " ".join(position.partition("Legal (")[2].partition(")")[2].split())
    choices = told.split("; ") if game.phase == "veto" else told.split(", ")
    assert len(choices) == len(game.legal())
    if game.phase in ("discard", "pass", "play"):
        assert CARD.findall(told) == [action.words[0] for action in game.legal()]
    else:
        assert "start 1" not in told


def test_nothing_after_the_move_is_told() -> None:
    record = finished("nichtig", 3)
    first = len(record["rounds"][0]["actions"])
    before = shown(record, first - 1)
    assert "Result" not in before
    assert before.count("\nRound ") == 1
    after = shown(record, first)
    assert after.count("\nResult") == 1
    assert "The round is over; the next one is not dealt yet." in after
    assert shown(record, first + 1).count("\nRound ") == 2


def test_the_last_move_is_the_end() -> None:
    record = finished("nichtig", 3)
    total = sum(len(told["actions"]) for told in record["rounds"])
    text = shown(record, total)
    assert "Won by" in text
    assert text.rstrip().endswith("The match is over.")
    assert "Position" not in shown(record)


@pytest.mark.parametrize("move", [-1, 100_000])
def test_a_move_that_is_not_there(move: int) -> None:
    with pytest.raises(UsageError, match=rf"--move: {move} is not allowed; expected 0 to \d+"):
        shown(finished("nichtig", 3), move)


def test_an_unfinished_game_ends_with_its_position() -> None:
    game = until(Game.new("nichtig", players=3, seed=1), lambda game: game.round == 2)
    text = shown({**game.record()})
    assert "Points so far" in text
    assert text.count("\nRound ") == 2, "the round that is only dealt is there too"
    assert f"Seat {game.turn} is to act: lay" in text


def test_a_game_nobody_has_begun() -> None:
    summary = summary_of({**Game.new("niet-2015", players=2, seed=1).record()})
    assert summary.moves == 0
    assert [told.number for told in summary.rounds] == [1]


def test_a_foul_is_named() -> None:
    record = finished("nichtig", 3)
    record["rounds"][1]["actions"][4] = "0 play B99"
    with pytest.raises(RecordError, match="round 2, action 5"):
        shown(record)
