"""Line by line: narrow lines, prefixes, secret cards told once, other languages through a pipe."""

from __future__ import annotations

import io
import os
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest

from atout.bots import Budget, make_bot
from atout.errors import ActionError
from atout.game import Game
from atout.i18n import LANGUAGES, Texts, catalogue
from atout.terminal.choices import understand
from atout.terminal.describe import Scene
from atout.terminal.play import play
from atout.terminal.seats import Seating

from .keyboard import until


def sit_down(game: Game, typed: str, target: io.StringIO, path: Path, texts: Texts) -> bool:
    """Play at seat 0 against random bots, line by line; whether the match is over."""
    return play(
        game,
        {0},
        {seat: make_bot("random") for seat in range(1, game.setup.players)},
        source=io.StringIO(typed),
        target=target,
        save_path=path,
        rng=random.Random(1),
        adviser=make_bot("novice"),
        advice=Budget(nodes=5),
        texts=texts,
    )


def meaning(game: Game, line: str, language: str = "en") -> str:
    """The words of the action that a line means."""
    players = game.setup.players
    seating = Seating(players, {game.turn or 0}, {n: make_bot("random") for n in range(players) if n != game.turn})
    scene = Scene.of(game, game.turn, seating, Texts(language))
    return " ".join(understand(scene, game.legal(), line).words)


def test_unambiguous_prefixes_are_understood() -> None:
    game = Game.new("niet-2015", 4, seed=7, first_dealer=0)
    assert meaning(game, "trump re") == "trump red"
    assert meaning(game, "tr b") == "trump blue"
    assert meaning(game, "veto disc pas") == "discard pass-one"
    assert meaning(game, "Jonas as start player") == meaning(game, "jon") == "start 1"
    with pytest.raises(ActionError, match="can mean"):
        meaning(game, "re")
    with pytest.raises(ActionError, match="is not understood"):
        meaning(game, "trump pink")


@pytest.mark.parametrize(
    ("language", "typed"),
    [
        ("de", {"trumpf ro": "trump red", "trump b": "trump blue", "Supertrumpf Grün": "super green", "jo": "start 1"}),
        ("de", {"supert gru": "super green", "2 karten": "discard two", "Punkte −2": "points -2", "du": "start 0"}),
        ("fr", {"atout rouge": "trump red", "superatout vert": "super green", "defausse 2 c": "discard two"}),
        ("fr", {"atout j": "trump yellow", "ines": "start 2", "trump red": "trump red", "−2 points": "points -2"}),
    ],
)
def test_words_of_the_language_are_understood(language: str, typed: dict[str, str]) -> None:
    game = Game.new("niet-2015", 4, seed=7, first_dealer=0)
    assert {line: meaning(game, line, language) for line in typed} == typed


@pytest.mark.parametrize(
    ("language", "row", "said"),
    [
        ("en", "trump", "ambiguous: it can mean 10.\xa0trump red, 11.\xa0trump yellow"),
        ("de", "trumpf", "mehrdeutig: Es kann 10.\xa0Trumpf Rot, 11.\xa0Trumpf Gelb"),
        ("fr", "atout", "ambigu\xa0: cela peut vouloir dire 10.\xa0atout rouge, 11.\xa0atout jaune"),
    ],
)
def test_an_incomplete_line_is_ambiguous(language: str, row: str, said: str) -> None:
    game = Game.new("niet-2015", 4, seed=7, first_dealer=0)
    with pytest.raises(ActionError) as error:
        meaning(game, row, language)
    assert said in str(error.value)


def test_cards_are_typed_as_the_language_writes_them() -> None:
    game = Game.new("nichtig", 3, seed=7, first_dealer=0)
    hand = game.view(game.turn)["hand"]
    green, others = [next(card for card in hand if (card[0] == "G") == wanted) for wanted in (True, False)]
    value = green[1:]
    for line in (f"grün {value}", f"gr{value}", f"Gr {value}", f"lay {green}"):
        assert meaning(game, line, "de" if "lay" not in line else "en") == green
    assert meaning(game, f"{value} vert", "fr") == meaning(game, f"ve{value}", "fr") == green
    assert meaning(game, others) == others


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_languages_tell_as_much(language: str, tmp_path: Path) -> None:
    """Introduction, legend, board, rows of choices, piles and help in every language, with one notation for cards."""
    texts = Texts(language)
    for edition, players in (("niet-2015", 4), ("nichtig", 3)):
        game, target = Game.new(edition, players, seed=7, first_dealer=0), io.StringIO()
        typed = f"view\n?\n{texts.t('terminal.plain.command.help')}\nblah\n" + "1\n" * 3 + "hint\nview\n"
        sit_down(game, typed, target, tmp_path / f"{edition}.json", texts)
        told = re.sub(r"\n +", " ", target.getvalue())
        game_key = "njet-sides" if edition == "niet-2015" else "nichtig"
        for key in (
            game_key,
            "most-wins",
            "allowed",
            "can-type",
            "help.undo.text",
            "board" if players == 4 else "piles",
        ):
            assert texts.t(f"terminal.plain.{key}").replace("\xa0", " ") in told, key
        assert f"Jonas ({texts.t('level.random')})" in told
        assert "Seat" not in told
        assert "seat 0" not in told
        if language != "en":
            assert not re.search(r"\b[RYBGKP]\d+\b", told), "cards have one notation"


def test_who_gets_a_passed_card_is_named(tmp_path: Path) -> None:
    game = until(Game.new("niet-2015", 4, seed=5), lambda game: game.turn == 0 and game.phase == "pass", seed=3)
    for language, said in (("en", "to Jonas, on your left?"), ("de", "nach links an Jonas?"), ("fr", "à Jonas, à")):
        target, bots = io.StringIO(), {seat: make_bot("random") for seat in (1, 2, 3)}
        source, path = io.StringIO(""), tmp_path / "x.json"
        play(game.copy(), {0}, bots, source=source, target=target, save_path=path, texts=Texts(language))
        assert said in target.getvalue()


@pytest.mark.parametrize("language", LANGUAGES)
def test_forty_columns(language: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    for edition, players in (("niet-2015", 4), ("nichtig", 3)):
        target = io.StringIO()
        bots = {seat: make_bot("random") for seat in range(1, players)}
        game = Game.new(edition, players, seed=7)
        source = io.StringIO("?\nview\nhelp\n" + "1\n" * 60)
        adviser = make_bot("novice")
        path, texts = tmp_path / f"x-{edition}.json", Texts(language)
        rng = random.Random(1)
        play(game, {0}, bots, source=source, target=target, save_path=path, adviser=adviser, texts=texts, rng=rng)
        told = re.sub(r"(:) (?=[“„«] ?1)|(?<=\)) ?: ", ":\n", target.getvalue())  # what is typed ends a line
        lines = [line for line in told.splitlines() if "x-ni" not in line]  # a command is never folded
        assert max(map(len, lines)) <= 40, max(lines, key=len)


def test_secret_cards_of_a_bot_are_told_once(tmp_path: Path) -> None:
    target = io.StringIO()
    game = Game.new("nichtig", 3, seed=7)
    bots = {seat: make_bot("random") for seat in (1, 2)}
    play(game, {0}, bots, source=io.StringIO("1\n1\n1\n"), target=target, save_path=tmp_path / "x.json")
    told = target.getvalue()
    assert told.count("Jonas chooses cards to lay out.") == 1
    assert told.count("Ines chooses cards to lay out.") == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_match_in_every_language(language: str, tmp_path: Path) -> None:
    target = io.StringIO()
    game = Game.new("nichtig", 3, 7, {"length": {"target": 1}})
    texts = Texts(language)
    assert sit_down(game, "hint\nview\nundo\nxyz\n" + "1\n" * 40, target, tmp_path / "x.json", texts)
    told = target.getvalue()
    for key in ("match-end.title", "hint.title", "terminal.undo.none"):
        assert texts.t(key) in told


def test_a_refusal_names_its_rule_in_the_readers_language(tmp_path: Path) -> None:
    game = Game.new("niet-2015", 4, seed=7)
    while game.turn != 0:
        game.play(game.legal()[0])
    [covered] = [str(action).split(" ", 2)[2] for action in game.actions[:1]]
    texts, target = Texts("de"), io.StringIO()
    assert not sit_down(game, f"{covered}\n?\nsave\nquit\n", target, tmp_path / "x.json", texts)
    told = " ".join(target.getvalue().split())  # a narrow window wraps
    assert f"{texts.t('refusal.covered')} (niet-2015 §3" in told
    assert str(tmp_path / "x.json") in target.getvalue().replace("\n    ", "")


@pytest.mark.slow
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
