"""Bots: they answer legally, by their view alone, repeatably; and the novice is no fool."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from atout import Game, View
from atout.bots import LEVELS, Bot, Budget, Choice, ask, make_bot
from atout.bots.novice import NoviceBot
from atout.bots.novice_nichtig import Piles
from atout.bots.random import RandomBot
from atout.errors import BotError

TABLES = [("njet-1997", 3), ("njet-2007", 5), ("niet-2015", 2), ("niet-2015", 4), ("nichtig", 3), ("nichtig", 6)]


class Stubborn:
    """A bot from outside that never follows."""

    name = "stubborn"

    def choose(self, view: View, legal: Sequence[str], budget: Budget, rng: random.Random) -> Choice:
        return Choice("0 play Z9")


class Broken(Stubborn):
    def choose(self, view: View, legal: Sequence[str], budget: Budget, rng: random.Random) -> Choice:
        raise ZeroDivisionError("oh")


class Answering(Stubborn):
    """Answers with something that is no `Choice`."""

    name = "answering"

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def choose(self, view: View, legal: Sequence[str], budget: Budget, rng: random.Random) -> Choice:
        return self.answer  # type: ignore[no-any-return]


def finish(game: Game, bots: Sequence[Bot], seed: int) -> Game:
    rng = random.Random(seed)
    while game.turn is not None:
        game.play(ask(bots[game.turn], game.view(game.turn), rng).action)
    return game


def a_match(edition: str, players: int, names: Sequence[str], seed: int) -> Game:
    return finish(Game.new(edition, players=players, seed=seed), [make_bot(name) for name in names], seed)


# -------------------------------------------------------------------- every bot


@pytest.mark.parametrize(("edition", "players"), TABLES)
@pytest.mark.parametrize("name", LEVELS)
def test_a_bot_plays_a_round_of_every_edition_the_same_way_twice(name: str, edition: str, players: int) -> None:
    def opening() -> list[str]:
        game, rng, bot = Game.new(edition, players=players, seed=11), random.Random(4), make_bot(name)
        while game.round == 1 and game.turn is not None:
            game.play(ask(bot, game.view(game.turn), rng, Budget(nodes=60)).action)
        return [str(action) for action in game.actions]

    played = opening()
    assert len(played) > 20
    assert opening() == played


@pytest.mark.parametrize(("edition", "players"), [("niet-2015", 4), ("njet-2007", 5), ("nichtig", 4)])
def test_hidden_cards_do_not_change_a_choice(edition: str, players: int) -> None:
    game, rng, bot = Game.new(edition, players=players, seed=3), random.Random(1), NoviceBot()
    for step in range(60):
        seat = game.turn
        assert seat is not None
        choice = bot.choose(game.view(seat), game.view(seat)["legal"], Budget(), random.Random(step))
        other = game.sample(seat, rng=step).view(seat)
        assert bot.choose(other, other["legal"], Budget(), random.Random(step)) == choice
        game.play(rng.choice(game.legal()))


def test_random_is_uniform_over_the_legal_actions() -> None:
    view = Game.new("nichtig", players=3, seed=5).view(1)
    legal, rng = ["1 lay B0", "1 lay B1", "1 lay B2"], random.Random(0)
    chosen = [RandomBot().choose(view, legal, Budget(), rng).action for _ in range(3000)]
    assert all(900 < chosen.count(action) < 1100 for action in legal)


# -------------------------------------------------------------------- the novice


@pytest.mark.parametrize("edition", ["njet-1997", "njet-2007", "niet-2015", "nichtig"])
def test_the_novice_beats_random(edition: str) -> None:
    totals = [0, 0, 0, 0]
    for seed in range(4):
        game = a_match(edition, 4, ["novice", "random", "novice", "random"], seed)
        totals = [total + more for total, more in zip(totals, game.totals, strict=True)]
    assert totals[0] + totals[2] > 1.15 * (totals[1] + totals[3])


def in_play(**changes: object) -> View:
    """Seat 0 plays to a trick with seat 2 as its partner; red is trump, the blue 1s are supertrumps."""
    game = Game.new("niet-2015", players=4, seed=2, first_dealer=0)
    view = game.view(0)
    view["phase"], view["sides"] = "play", [[0, 2], [1, 3]]
    view["conditions"] = {"start": 1, "discard": "none", "trump": "red", "super": "blue", "points": 2}
    view.update(changes)  # type: ignore[typeddict-item]
    view["legal"] = [f"0 play {card}" for card in view["hand"]]
    return view


def novice_plays(view: View) -> str:
    return NoviceBot().choose(view, view["legal"], Budget(), random.Random(0)).action.split()[-1]


def trick(*plays: tuple[int, str], winning: int) -> dict[str, object]:
    return {"trick": [{"seat": seat, "card": card} for seat, card in plays], "winning": winning}


def test_the_novice_does_not_ruff_its_partners_winner_but_feeds_it() -> None:
    setup = trick((1, "G4"), (2, "G13"), (3, "G2"), winning=2)
    assert novice_plays(in_play(hand=["R9", "Y1", "Y8"], **setup)) == "Y1"
    assert novice_plays(in_play(hand=["R9", "Y8", "Y12"], **setup)) == "Y8"


def test_the_novice_wins_cheaply_as_the_last_to_play() -> None:
    setup = trick((1, "G4"), (2, "G2"), (3, "G6"), winning=3)
    assert novice_plays(in_play(hand=["G7", "G10", "G13"], **setup)) == "G7"


def test_the_novice_keeps_low_cards_from_the_other_side() -> None:
    setup = trick((1, "G4"), (2, "G2"), (3, "G12"), winning=3)
    assert novice_plays(in_play(hand=["G1", "G3", "G8"], **setup)) == "G3"


def test_the_novice_ducks_when_tricks_cost_points() -> None:
    setup = trick((1, "G9"), (2, "G2"), (3, "G6"), winning=1)
    costly = in_play(hand=["G7", "G8", "G13"], **setup)
    assert costly["conditions"] is not None
    costly["conditions"]["points"] = -2
    assert novice_plays(costly) == "G8"


def test_the_novice_protects_its_longest_colour_and_covers_its_shortest() -> None:
    view = Game.new("niet-2015", players=4, seed=2, first_dealer=0).view(0)
    view["hand"] = [f"R{value}" for value in range(3, 14)] + ["Y9", "Y10", "G9", "G10"]
    legal = [f"0 veto trump {colour}" for colour in ("red", "yellow", "blue", "green")]
    assert NoviceBot().choose(view, legal, Budget(), random.Random(0)).action == "0 veto trump blue"


def test_the_novice_lays_out_high_cards_of_different_colours() -> None:
    hands = ["B11 B10 B9 G8 G0 P3 P2 R1 R0 Y4 Y3 Y2 Y1", "B8 B7 B6 G11 G10 G9 P11 P10 R11 R10 Y11 Y10 Y9"]
    hands.append("B5 B4 B3 G7 G6 G5 P9 P8 R9 R8 Y8 Y7 Y6")
    game = Game.new("nichtig", players=3, seed=8, first_dealer=2, deals=lambda _: hands)
    laid = [game.play(ask(NoviceBot(), game.view(0), random.Random(0)).action).words[0] for _ in range(3)]
    assert laid == ["B11", "G8", "Y4"]


# -------------------------------------------------------------------- names and misbehaviour


def test_a_bot_of_ones_own_by_module_and_class() -> None:
    bot = make_bot(f"{__name__}:Stubborn")
    assert bot.name == "stubborn"
    assert isinstance(bot, Bot)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (
            "nobody",
            "'nobody' is not known; allowed: random, novice, mc, ismcts, club, learned, expert, or package",
        ),
        ("", "is not known"),
        ("no.such.module:Bot", "cannot be made: ModuleNotFoundError"),
        (f"{__name__}:Absent", "cannot be made: AttributeError"),
        ("collections:Counter", "is no bot; a bot has a name and choose(view, legal, budget, rng)"),
        ("os:path.join", "is not known"),
    ],
)
def test_a_wrong_name_says_what_would_be_right(name: str, said: str) -> None:
    with pytest.raises(BotError) as caught:
        make_bot(name)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("bot", "said"),
    [
        (Stubborn(), "bot stubborn: '0 play Z9' is not legal; allowed: "),
        (Broken(), "failed with ZeroDivisionError: oh"),
        (Answering("0 lay B1"), "bot answering: answered with str; expected an atout.bots.Choice"),
        (Answering(None), "bot answering: answered with None; expected an atout.bots.Choice"),
    ],
)
def test_a_misbehaving_bot_is_named(bot: Bot, said: str) -> None:
    game = Game.new("nichtig", players=3, seed=5)
    with pytest.raises(BotError) as caught:
        ask(bot, game.view(game.turn), random.Random(0))
    assert said in str(caught.value)


def test_the_novice_counts_the_deck_of_house_rules(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text(
        'id = "house"\nbase = "nichtig"\n[deck]\ncolours = ["blue", "green", "purple", "red"]\n'
        f"values = {[*range(15)]}\n[players.5]\nhand = 12\nlay = 3\nrounds = 5\n"
    )
    game = Game.new(str(path), players=3, seed=1)
    while game.phase == "lay":
        game.play(game.legal()[0])
    assert game.turn is not None
    piles = Piles(game.view(game.turn))
    assert (piles.colours, piles.highest) == (4, 14)
    assert finish(game, [make_bot("novice")] * 3, 1).is_over
