"""Line by line: narrow lines, prefixes, secret cards told once, other languages through a pipe."""

from __future__ import annotations

import asyncio
import io
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from atout.bots import Budget, make_bot
from atout.errors import ActionError
from atout.game import Game
from atout.i18n import LANGUAGES, Texts, catalogue
from atout.terminal.choices import understand
from atout.terminal.hint import Adviser
from atout.terminal.match import LocalMatch
from atout.terminal.plain import PlainTable
from atout.terminal.play import play
from atout.terminal.saves import Saves
from atout.terminal.seats import Seating


def test_unambiguous_prefixes_are_understood() -> None:
    game = Game.new("niet-2015", 4, seed=7)
    assert str(understand(game, "trump re")).endswith("veto trump red")
    assert str(understand(game, "tr b")).endswith("veto trump blue")
    assert str(understand(game, "veto disc pas")).endswith("veto discard pass-one")
    with pytest.raises(ActionError, match="can mean"):
        understand(game, "re")
    with pytest.raises(ActionError, match="is not understood"):
        understand(game, "trump pink")


def test_forty_columns(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    for edition, players in (("niet-2015", 4), ("nichtig", 3)):
        target = io.StringIO()
        bots = {seat: make_bot("random") for seat in range(1, players)}
        game = Game.new(edition, players, seed=7)
        source = io.StringIO("?\nview\nhelp\n" + "1\n" * 60)
        adviser = make_bot("novice")
        play(game, {0}, bots, source=source, target=target, save_path=tmp_path / "x.json", adviser=adviser)
        told = target.getvalue().replace(": '1'", ":\n'1'").replace("): ", "):\n")  # what is typed ends a line
        lines = [line for line in told.splitlines() if "x.json" not in line]  # a command is never folded
        assert max(map(len, lines)) <= 40, max(lines, key=len)


def test_secret_cards_of_a_bot_are_told_once(tmp_path: Path) -> None:
    target = io.StringIO()
    game = Game.new("nichtig", 3, seed=7)
    bots = {seat: make_bot("random") for seat in (1, 2)}
    play(game, {0}, bots, source=io.StringIO("1\n1\n1\n"), target=target, save_path=tmp_path / "x.json")
    told = target.getvalue()
    assert told.count("Seat 1 (random) chooses cards to lay out.") == 1
    assert told.count("Seat 2 (random) chooses cards to lay out.") == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_match_in_every_language(language: str, tmp_path: Path) -> None:
    target = io.StringIO()
    game = Game.new("nichtig", 3, 7, {"length": {"target": 1}})
    seating = Seating(3, {0}, {seat: make_bot("random") for seat in (1, 2)})
    saves, adviser = Saves(tmp_path / "x.json", is_own=False), Adviser(make_bot("novice"), Budget(nodes=5))
    texts = Texts(language)
    match = LocalMatch(game, seating, adviser, saves, texts, pace=0, rng=random.Random(1))
    assert asyncio.run(PlainTable(match, io.StringIO("hint\nview\nundo\nxyz\n" + "1\n" * 40), target).run())
    told = target.getvalue()
    for key in ("match-end.title", "hint.title", "terminal.undo.none"):
        assert texts.t(key) in told


def test_a_refusal_names_its_rule_in_the_readers_language(tmp_path: Path) -> None:
    game = Game.new("niet-2015", 4, seed=7)
    while game.turn != 0:
        game.play(game.legal()[0])
    [covered] = [str(action).split(" ", 2)[2] for action in game.actions[:1]]
    seating = Seating(4, {0}, {seat: make_bot("random") for seat in (1, 2, 3)})
    texts, target = Texts("de"), io.StringIO()
    adviser = Adviser(make_bot("novice"), Budget(nodes=5))
    match = LocalMatch(game, seating, adviser, Saves(tmp_path / "x.json", is_own=False), texts, pace=0)
    assert not asyncio.run(PlainTable(match, io.StringIO(f"{covered}\n?\nsave\nquit\n"), target).run())
    assert f"{texts.t('refusal.covered')} (niet-2015 §3" in target.getvalue()
    assert str(tmp_path / "x.json") in target.getvalue().replace("\n    ", "")


def test_a_pipe_is_plain(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "atout", "play", "-e", "nichtig", "-n", "3", "-b", "random", "--language", "fr"]
    environment = {**os.environ, "TERM": "xterm-256color"}
    done = subprocess.run(command, input="1\nquit\n", capture_output=True, text=True, cwd=tmp_path, env=environment)
    assert done.returncode == 0, done.stderr
    assert "Posez vos premières piles" in done.stdout or "piles" in done.stdout
    assert "\x1b" not in done.stdout
    assert "--resume" in done.stdout


def test_the_catalogues_have_the_same_keys_and_holes() -> None:
    from atout.i18n import HOLE

    english = catalogue("en")
    for language in LANGUAGES:
        texts = catalogue(language)
        assert set(texts) == set(english)
        for key, text in texts.items():
            if key.startswith(("terminal.", "paper.", "cli.")):
                assert set(HOLE.findall(text)) == set(HOLE.findall(english[key])), (language, key)
    for key, text in catalogue("fr").items():
        if key.startswith(("terminal.", "paper.")) and "=" not in text:
            assert " :" not in text, key
            assert " ;" not in text, key
