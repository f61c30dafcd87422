"""`hint`: the move, the reason in words, the alternatives; and words for every code a bot of ours gives."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from atout import Game, View
from atout.bots import LEVELS, STRONGEST, Bot, Budget, Choice, Reason, ask, make_bot
from atout.errors import UsageError
from atout.i18n import Texts
from atout.terminal.reasons import OTHERS, RULES_OF_THUMB, WORDS, in_words
from atout.terminal.words import PlainWords
from tests.depth import where
from tests.properties.matches import PLACES

from .keyboard import Table, script, sit_down, until

PHASES = [
    ("niet-2015", 4, "veto"),
    ("niet-2015", 5, "team"),
    ("njet-2007", 5, "double"),
    ("njet-1997", 3, "discard"),
    ("niet-2015", 4, "pass"),
    ("nichtig", 3, "lay"),
    ("niet-2015", 2, "play"),
    ("nichtig", 6, "play"),
]


@pytest.fixture
def save(tmp_path: Path) -> Path:
    return tmp_path / "game.json"


def my_turn(edition: str, players: int, phase: str) -> Game:
    game = Game.new(edition, players=players, seed=5)
    return until(game, lambda game: game.turn == 0 and game.phase == phase and len(game.legal()) > 1, seed=3)


def asked(game: Game, save: Path, adviser: Bot | None = None) -> Table:
    return sit_down(game, script(["hint"]), save, adviser=adviser)


class Saying:
    """Takes the second choice, for reasons of its own."""

    name = "saying"

    def __init__(self, *reasons: Reason, estimates: bool = False) -> None:
        self.reasons, self.estimates = reasons, estimates
        self.views: list[View] = []

    def choose(self, view: View, legal: Sequence[str], budget: Budget, rng: random.Random) -> Choice:
        self.views.append(view)
        points = {action: [float(place), *[1.0] * (view["players"] - 1)] for place, action in enumerate(legal)}
        return Choice(legal[1], points if self.estimates else {}, self.reasons)


# -------------------------------------------------------------------- at the keyboard


@pytest.mark.parametrize(("edition", "players", "phase"), PHASES)
def test_a_hint_in_every_phase_names_the_move_and_a_reason(edition: str, players: int, phase: str, save: Path) -> None:
    game = my_turn(edition, players, phase)
    before = game.actions
    text = asked(game, save, make_bot("club")).flat
    found = re.search(r"Hint: (.*) \(choice (\d+)\)\.\n(.*)\n", text)
    assert found
    action = game.legal()[int(found[2]) - 1]
    if phase in ("discard", "pass", "lay", "play"):
        assert action.words[0] in found[1]
    if phase == "veto":
        assert found[3] == "Left free, this cell would hurt your hand most."
    else:
        assert re.match(r"You can expect to end the round ", found[3])
        assert re.search(r"The best result over \d+ deals that fit what you know", text)
    assert ("Points to expect in this round" in text) == (phase != "veto")
    assert game.actions == before


def test_without_another_adviser_a_study_explains(save: Path) -> None:
    game = my_turn("nichtig", 3, "play")
    text = asked(game, save).flat
    found = re.search(r"Hint: play (\S+) \(choice (\d+)\)\.\n", text)
    assert found
    rows = re.findall(r"(\d+)\. (\S+) +(−?[\d.]+) ± [\d.]+", text.partition("Points ahead of the others")[2])
    values = [float(value.replace("−", "-")) for _, _, value in rows]
    assert rows[0][:2] == (found[2], found[1])
    assert values == sorted(values, reverse=True)


def test_where_a_study_cannot_tell_the_strongest_is_asked(save: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise UsageError("no network has learned this")

    monkeypatch.setattr(import_module("atout.terminal.play"), "explain", refuse)
    assert list(LEVELS)[-1] == STRONGEST
    spy = Saying(Reason("a-spy"))
    monkeypatch.setitem(LEVELS, STRONGEST, lambda: spy)
    assert "A spy." in asked(my_turn("nichtig", 3, "play"), save).text


def test_with_two_players_there_is_one_opponent(save: Path) -> None:
    text = asked(my_turn("niet-2015", 2, "play"), save, make_bot("club")).flat
    assert re.search(r"You can expect to end the round (even with|[\d.]+ points \w+( of)?) your opponent\.", text)
    assert "Points to expect in this round, for you and your opponent:" in text


def test_the_adviser_knows_what_the_player_knows(save: Path) -> None:
    game, spy = my_turn("niet-2015", 4, "pass"), Saying()
    asked(game, save, spy)
    assert spy.views == [game.view(0)]


@pytest.mark.slow
def test_a_hint_changes_nothing_in_the_match(save: Path, tmp_path: Path) -> None:
    one, two = (Game.new("nichtig", players=3, seed=4) for _ in range(2))
    sit_down(one, script(["1"] * 4), save)
    sit_down(two, script(["hint", "1", "HINT", "hint", "1", "1", "hint", "1"]), tmp_path / "two.json")
    assert one.actions == two.actions


def test_the_table_has_the_hint_first_then_the_best(save: Path) -> None:
    game = my_turn("nichtig", 3, "play")
    text = asked(game, save, Saying(estimates=True)).text.partition("Points to expect")[2]
    rows = re.findall(r"^ +(\d+)\. (\S+) +you +([\d.]+), others 1\.0$", text, re.MULTILINE)
    count = len(game.legal())
    numbers = [2, *range(count, 0, -1)][: 5 if count > 4 else count]
    assert [int(number) for number, _, _ in rows] == numbers
    assert [card for _, card, _ in rows] == [game.legal()[number - 1].words[0] for number in numbers]
    assert [float(points) for _, _, points in rows] == [number - 1.0 for number in numbers]


def test_in_teams_the_partners_points_are_the_teams(save: Path) -> None:
    """The more the partner gets, the better the choice; both numbers are means of a team."""

    class Generous(Saying):
        def choose(self, view: View, legal: Sequence[str], budget: Budget, rng: random.Random) -> Choice:
            return Choice(legal[1], {action: [0.0, 1.0, 2.0 * place, 3.0] for place, action in enumerate(legal)})

    game = Game.new("nichtig", players=4, seed=5, options={"teams": True})
    until(game, lambda game: game.turn == 0 and game.phase == "play" and len(game.legal()) > 4, seed=3)
    text = asked(game, save, Generous()).text
    assert "for your team and the other team on average:" in text
    rows = re.findall(r"^ +(\d+)\. \S+ +your team +([\d.]+), other team 2\.0$", text, re.MULTILINE)
    count = len(game.legal())
    assert [int(number) for number, _ in rows] == [2, count, count - 1, count - 2, count - 3]
    assert [float(points) for _, points in rows] == [int(number) - 1.0 for number, _ in rows]


def test_estimates_of_a_stranger_that_make_no_sense_are_left_out(save: Path) -> None:
    class Sloppy(Saying):
        def choose(self, view: View, legal: Sequence[str], budget: Budget, rng: random.Random) -> Choice:
            return Choice(legal[0], {"0 play Z9": [1.0, 2.0, 3.0], legal[0]: [1.0], legal[1]: [1.0, 2.0, 3.0]})

    text = asked(my_turn("nichtig", 3, "play"), save, Sloppy()).text
    assert "Hint: play" in text
    assert "Points to expect" not in text


def test_an_adviser_that_fails_costs_nothing_but_the_hint(save: Path) -> None:
    class Broken(Saying):
        def choose(self, view: View, legal: Sequence[str], budget: Budget, rng: random.Random) -> Choice:
            raise ZeroDivisionError("oh")

    game = my_turn("nichtig", 3, "play")
    table = sit_down(game, script(["hint", "1"]), save, adviser=Broken())
    assert "There is no hint: bot saying: failed with ZeroDivisionError: oh." in table.text
    assert "You play" in table.text


@pytest.mark.parametrize("typed", ["?", "help"])
def test_hint_can_be_found(typed: str, save: Path) -> None:
    text = sit_down(my_turn("nichtig", 3, "play"), script([typed]), save).text
    assert re.search(r"\bhint\b", text.rpartition("Your choice, 1 to")[0].rpartition("Your choice, 1 to")[2])


# -------------------------------------------------------------------- words for reasons


@pytest.mark.parametrize("name", where(LEVELS, lambda name: name in ("novice", "learned")))
def test_every_reason_of_ours_has_words(name: str) -> None:
    bot, rng, seen = make_bot(name), random.Random(2), set()
    for edition, players in PLACES:
        game = Game.new(edition, players, seed=6)
        while game.turn is not None and game.round == 1:
            choice = ask(bot, game.view(game.turn), rng, Budget(nodes=30))
            for reason in choice.reasons:
                seen.add(reason.code)
                assert reason.code in WORDS, f"{reason.code} needs words in terminal/reasons.py"
                WORDS[reason.code](reason.parameters, OTHERS)
            game.play(choice.action)
    assert seen


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        (
            Reason("best-over-worlds", {"worlds": 3000, "gain": 2.25, "better_by": 0.81}),
            "Best result over 3,000 deals that fit what you know. You can expect to end the round 2.3 points "
            "ahead of the others on average; 0.8 points better than with the next choice.",
        ),
        (
            Reason("exact", {"worlds": 12, "gain": -4.0, "better_by": 0.0}),
            "Best result over 12 deals that fit what you know, calculated to the end of the round. You can expect to "
            "end the round 4.0 points behind the others on average; the next choice is as good.",
        ),
        (
            Reason("exact", {"gain": 0.01, "better_by": 1}),
            "Best result found, calculated to the end of the round. You can expect to end the round even with the "
            "others on average; 1.0 points better than with the next choice.",
        ),
        (Reason("rule-of-thumb", {"phase": "pass"}), "By rule of thumb: it is the card you will miss least."),
        (
            Reason("learned", {"chance": 0.874, "gain": 1.5}),
            "The trained network picks this 87% of the time, and expects to end the round 1.5 points ahead "
            "of the others on average.",
        ),
        (
            Reason("no-weights", {"table": "house, 4 players", "instead": "club"}),
            "No network is trained for house, 4 players; club was used instead.",
        ),
        (Reason("only-choice"), "Nothing else is allowed."),
        (Reason("chance", {"among": 7}), "It was picked at random from 7 choices."),
        (Reason("draws-trumps"), "Draws trumps."),
        (Reason("safe_lead", {"cards-out": ["G9", "G10"], "odds": -0.5}), "Safe lead (cards out: G9 G10, odds: -0.5)."),
        (Reason("rule-of-thumb", {"phase": "siesta"}), "Rule of thumb (phase: siesta)."),
        (Reason("best-over-worlds"), "Best over worlds."),
        (Reason("bad\x1b[31m\nnews", {"x": "\x07"}), "Bad [31m news (x: )."),
    ],
)  # fmt: skip
def test_reasons_in_words(reason: Any, words: str) -> None:
    assert in_words(reason) == words


def test_every_phase_has_a_rule_of_thumb() -> None:
    assert set(RULES_OF_THUMB) == {phase for _, _, phase in PHASES}


@pytest.mark.parametrize(
    ("language", "apart", "said"),
    [
        ("en", 0.0, "All your choices are worth about the same here."),
        ("en", 0.04, "All your choices are worth about the same here."),
        ("en", 0.1, "All your choices are worth about the same here: the estimates are at most 0.1 points apart."),
        ("fr", 0.0, "Tous vos choix se valent à peu près ici."),
        ("de", -0.0, "Hier ist alles, was du wählen kannst, etwa gleich viel wert."),
    ],
)
def test_choices_that_are_no_points_apart_are_worth_the_same(language: str, apart: float, said: str) -> None:
    words = PlainWords(Texts(language), ["Ann", "Bo", "Cy"], 0, None)
    parameters = {"best": "play R4", "other": "play R5", "apart_n": apart}
    assert words.reason("all-same", parameters) == [said]
