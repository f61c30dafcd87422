"""The command line in three languages: help, errors, what is shown of a match."""

from __future__ import annotations

import io
from collections.abc import Iterator

import pytest
from rich.console import Console
from typer.testing import CliRunner

from atout.cli import app, main
from atout.game import Game, new_rng
from atout.i18n import LANGUAGES, Texts, speak
from atout.terminal import show_record
from atout.terminal.words import Words


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    yield
    speak("en")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("command", ["play", "score", "show", "review", "print booklet", "print puzzles"])
def test_the_help_of_a_players_command(command: str, language: str) -> None:
    texts = Texts(language)
    told = CliRunner().invoke(app, [*command.split(), "--language", language, "--help"], terminal_width=200).stdout
    assert texts.t("cli.word.options") in told
    assert texts.t("cli.word.examples") in told
    assert " ".join(texts.t(f"cli.{command.replace(' ', '.')}").split())[:60] in " ".join(told.split())
    assert texts.t("cli.language")[:20] in told


def test_an_error_in_the_readers_language() -> None:
    result = CliRunner().invoke(app, ["play", "--me", "9", "--language", "de"])
    assert "erwartet: Plätze von 0 bis 3" in str(result.exception)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_match_is_shown_in_every_language(language: str) -> None:
    game, rng = Game.new("niet-2015", 4, 5), new_rng(5, 4)
    while len(game.past()) < 1:
        game.play_randomly(rng)
    file, texts = io.StringIO(), Texts(language)
    show_record({**game.record()}, Console(file=file, width=200), texts=texts)
    for key in ("dealt", "board", "conditions", "tricks", "result"):
        assert texts.t(f"terminal.show.{key}") in file.getvalue()
    assert texts.t("colour.red") in file.getvalue()
    assert f"(niet-2015, {texts.t('sheet.players', n=4)})" in file.getvalue()
    file.truncate(0)
    show_record({**game.record()}, Console(file=file, width=2000), 1, texts)
    legal = file.getvalue().splitlines()[-1]
    assert texts.t("terminal.show.legal", n=22)[:5] in legal
    assert texts.t("cell.in-row", row=texts.t("row.trump"), cell=texts.t("colour.blue")) in legal
    assert "discard none" not in legal


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_reason_of_a_study_has_no_holes(language: str) -> None:
    words = Words(Texts(language), ["Ann", "Bo"], 0, 1)
    told = {"best": "play R4", "other": "play B2", "best_share": 60, "other_share": 20}
    [line] = words.reason("tricks-now", told)
    assert "{" not in line
    assert words.card("R4").lower() in line.lower()


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("play --players 9", "joueurs\u00a0: 9 n’est pas permis dans niet-2015"),
        ("editions nix", "édition\u00a0: 'nix' est inconnue"),
        ("editions none.toml", "none.toml\u00a0: illisible\u00a0: aucun fichier"),
        ("show none.jsonl", "none.jsonl\u00a0: illisible\u00a0: aucun fichier"),
        ("play --bots none", "robot\u00a0: 'none' est inconnu"),
        ('play --options {"teams":true}', "'teams' n’est pas une option de niet-2015 à 4 joueurs"),
        ('play --options {"length":"long"}', "options.length\u00a0: 'long' n’est pas permis"),
        ("show x --match 0", "'--match' / '-g'\u00a0: attendu\u00a0: un nombre d’au moins 1"),
        ("show x --match one", "attendu\u00a0: un nombre entier"),
        ("show", "il manque 'FILE'"),
        ("show x y", "en trop\u00a0: y"),
        ("show x --match", "'--match' demande une valeur"),
        ("show x --none", "il n’y a pas d’option --none"),
        ("sing", "il n’y a pas de commande 'sing'"),
    ],
)
def test_errors_in_french(
    command: str, said: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["atout", *command.split()])
    monkeypatch.setenv("ATOUT_LANGUAGE", "fr")
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert said in capfd.readouterr().err


def test_options_of_the_shell_are_translated_where_their_help_takes_several_lines() -> None:
    told = CliRunner().invoke(app, ["--help"], terminal_width=70, env={"ATOUT_LANGUAGE": "de"}).stdout
    assert "completion for" not in told
    assert "Vervollständigung" in told
