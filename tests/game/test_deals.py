"""The deal as a step of its own: the end of a round can be looked at, and automatic deals give the same match."""

from __future__ import annotations

import random

import pytest

from atout import Game, RecordError, UsageError
from tests.properties.matches import PLACES, chance, play_on

every_place = pytest.mark.parametrize(("edition", "players"), PLACES)


def play_round(game: Game, rng: random.Random) -> None:
    while not game.is_round_over:
        game.play(rng.choice(game.legal()))


@every_place
def test_a_match_dealt_by_hand_is_the_match_dealt_automatically(edition: str, players: int) -> None:
    options = {} if edition == "njet-1997" else {"length": {"target": 30}}
    game = Game.new(edition, players, seed=3, options=options, auto_deal=False)
    rng, rounds = chance(3), 0
    assert (game.phase, game.round, game.turn, game.legal(), game.past()) == ("deal", 0, None, [], [])
    while not game.is_over:
        game.deal()
        rounds += 1
        play_round(game, rng)
        view = game.view(0)
        assert (game.round, view["round"], len(view["past"])) == (rounds, rounds, rounds)
        assert (view["hand"], view["hand_sizes"], view["turn"], view["legal"]) == ([], [0] * players, None, [])
        assert view["round_points"] == view["past"][-1]["scores"]
        assert view["last_trick"]
        assert view["last_round"] is None
    automatic = play_on(Game.new(edition, players, seed=3, options=options), chance(3))
    assert game.record() == automatic.record()


@every_place
def test_the_last_round_is_shown_until_somebody_acts(edition: str, players: int) -> None:
    game, rng = Game.new(edition, players, seed=5, auto_deal=False), chance(5)
    game.deal()
    play_round(game, rng)
    ended = game.view(None)
    game.deal()
    for seat in (None, *range(players)):
        last = game.view(seat)["last_round"]
        assert last is not None
        assert last == {key: ended[key] for key in last}  # type: ignore[literal-required]
        assert game.copy().view(seat)["last_round"] == last
    game.play(game.legal()[0])
    assert game.view(None)["last_round"] is None
    assert game.undo().view(None)["last_round"] == last
    again = Game.from_record(game.record())
    assert again.view(None) == game.view(None)


def test_a_round_is_dealt_only_when_the_one_before_is_over() -> None:
    game = Game.new("niet-2015", 4, seed=1)
    with pytest.raises(UsageError, match="deal: round 1 is not over; the game is in phase veto"):
        game.deal()
    play_on(game, chance(1))
    with pytest.raises(UsageError, match="deal: the match is over"):
        game.deal()


def test_given_hands_are_dealt_and_checked() -> None:
    hands = Game.new("nichtig", 3, seed=8).record()["rounds"][0]["hands"]
    game = Game.new("nichtig", 3, seed=1, auto_deal=False)
    with pytest.raises(RecordError, match="hands: 1 hands; expected 3"):
        game.deal(hands[:1])
    assert game.phase == "deal"
    game.deal(hands)
    assert game.record()["rounds"][0]["hands"] == hands


def test_a_round_taken_back_is_dealt_again_as_it_was() -> None:
    game, rng = Game.new("nichtig", 4, seed=2, auto_deal=False), chance(2)
    game.deal()
    play_round(game, rng)
    hands = ["" for _ in range(4)]
    for number in range(2):
        game.deal()
        dealt = game.record()["rounds"][1]["hands"]
        assert number == 0 or dealt == hands
        hands = dealt
        last = game.actions[-1]
        game.undo()
        assert (game.phase, game.round) == ("play", 1)
        game.play(last)
        assert (game.phase, game.round, game.is_round_over) == ("deal", 1, True)


def test_a_record_that_ends_with_a_round_waits_for_the_deal_if_asked() -> None:
    game, rng = Game.new("nichtig", 3, seed=4, auto_deal=False), chance(4)
    game.deal()
    play_round(game, rng)
    waiting = Game.from_record(game.record(), auto_deal=False)
    assert (waiting.phase, waiting.round) == ("deal", 1)
    assert waiting.view(0) == game.view(0)
    assert Game.from_record(game.record()).round == 2


def test_steps_of_a_record_come_after_every_deal_and_every_action() -> None:
    record = play_on(Game.new("nichtig", 3, seed=6), chance(6)).record()
    steps = [(None if action is None else str(action), game.round) for action, game in Game.steps(record)]
    expected = [
        (text, number) for number, round in enumerate(record["rounds"], 1) for text in (None, *round["actions"])
    ]
    assert steps == expected
