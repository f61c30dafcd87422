"""Nobody sees what they should not, and everybody sees what they may (rules §9; Null & nichtig §7).

Three ways: a view equals what the rule page says it is, computed independently; a view does not change when
only hidden things change; and no card word stands where it could give something away.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from atout import Game, IllegalAction, RecordError
from atout.editions import from_tree
from atout.game.view import read_view
from tests.depth import where
from tests.knowledge.worlds import house
from tests.properties.expected_views import Seat, disguised, expected_view, redacted, shown_by
from tests.properties.matches import (
    PLACES,
    SETTINGS,
    Setting,
    chance,
    hands_of,
    is_quick,
    lopsided,
    new_game,
    new_referee,
    play_both,
    play_on,
)
from tests.properties.referee import Book, Referee

PLACED = [Setting(edition, players, {}) for edition, players in PLACES]
every_setting = pytest.mark.parametrize("setting", where(SETTINGS, is_quick), ids=[setting.id for setting in SETTINGS])
every_place = pytest.mark.parametrize("place", where(PLACED, is_quick), ids=[place.id for place in PLACED])
CARD = re.compile(r"\b[RKBGYP]\d+\b")


def positions(setting: Setting, seed: int, often: float, rounds: int = 3) -> Iterator[tuple[Game, Referee]]:
    """Random positions of a match, each phase change among them; both objects go on afterwards."""
    rng = chance("positions", setting.id, seed)
    game = new_game(setting, seed, lopsided(setting, seed) if seed % 2 else None)
    referee = new_referee(game, setting)
    phase = ""
    while not game.is_over and game.round <= rounds:
        if game.phase != phase or rng.random() < often:
            phase = game.phase
            yield game, referee
        play_both(game, referee, rng.choice(referee.legal()))
    if game.is_over:
        yield game, referee


def seats_of(place: Setting) -> list[Seat]:
    return [None, *range(place.players)]


# ------------------------------------------------------------------ a view is what the rule page says


@every_setting
def test_a_view_is_what_the_seat_may_know(setting: Setting) -> None:
    """Field by field, for every seat and a spectator, in every phase; a new field must be thought of here too."""
    for seed in range(2):
        for game, referee in positions(setting, seed, often=0.1, rounds=99):
            for seat in seats_of(setting):
                expected = expected_view(referee, seat, setting.edition, setting.options)
                view = game.view(seat)
                assert set(view) == set(expected)
                for name, value in expected.items():
                    assert view[name] == value, f"{name}, seat {seat}"  # type: ignore[literal-required]


@every_place
def test_secrets_outlive_the_round(place: Setting) -> None:
    """While a game waits for its next deal, the round that is over is seen as it was."""
    rng = chance("waiting", place.id)
    finished = play_on(new_game(place, 6), rng).record()
    referee = Referee(place.book, finished["first_dealer"])
    referee.deal(finished["rounds"][0]["hands"])
    waited = 0
    for action, game in Game.steps(finished):
        if action is not None:
            referee.play(str(action))
        elif referee.phase == "deal":
            referee.deal(finished["rounds"][len(referee.rounds)]["hands"])
        if game.phase == "deal":
            waited += 1
            for seat in seats_of(place):
                expected = expected_view(referee, seat, place.edition, place.options)
                view = game.view(seat)
                assert set(view) == set(expected)
                for name, value in expected.items():
                    assert view[name] == value, f"{name}, seat {seat}"  # type: ignore[literal-required]
                assert view["round_points"] == view["past"][-1]["scores"]
    assert waited == len(finished["rounds"]) - 1
    assert game.view(None)["round_points"] == finished["rounds"][-1]["scores"]


def test_piles_without_a_lay_out() -> None:
    """House rules of Null & nichtig may have no laying out; the piles are public all the same."""
    book = Book("nichtig", 3, ("red", "blue"), (0, 0, 1, 2, 3), hand=3, rounds=3, lay=0)
    game = Game.new(from_tree(house(book), "test"), 3, seed=1)
    referee = Referee(book, game.first_dealer)
    referee.deal(game.record()["rounds"][0]["hands"])
    for _ in range(6):
        play_both(game, referee, referee.legal()[0])
        expected = expected_view(referee, None, "house", {})
        assert game.view(None)["piles"] == expected["piles"]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("edition", ["njet-2007", "niet-2015"])
def test_passed_cards_are_known_to_giver_and_receiver_alone(edition: str, players: int) -> None:
    """The receiver sees the card only once everybody has chosen."""
    cell = {"njet-2007": "pass-two", "niet-2015": "pass-one"}[edition]
    game = at_choice(edition, players, cell)
    count = 2 if cell == "pass-two" else 1
    rng = chance(edition, players)
    before = hands_of(game)
    for _ in range(players * count):
        for seat in range(players):
            assert game.view(seat)["received"] == []
        game.play(rng.choice(game.legal()))
    passes = [action for action in game.actions if action.verb == "pass"]
    given = [[action.words[0] for action in passes if action.seat == seat] for seat in range(players)]
    for seat in range(players):
        view, right = game.view(seat), (seat - 1) % players
        assert Counter(view["received"]) == Counter(given[right])
        assert Counter(view["chosen"]) == Counter(given[seat])
        assert Counter(view["hand"]) == Counter(before[seat]) - Counter(given[seat]) + Counter(given[right])
        passed = [words for words in view["actions"] if " pass " in words]
        for action, words in zip(passes, passed, strict=True):
            assert words == (str(action) if action.seat in (seat, right) else f"{action.seat} pass ?")
    assert [words for words in game.view(None)["actions"] if " pass " in words] == [
        f"{action.seat} pass ?" for action in passes
    ]


def at_choice(edition: str, players: int, cell: str, seed: int = 1) -> Game:
    """A game at the beginning of the discard or pass phase with this cell free."""
    game = Game.new(edition, players, seed=seed)
    rng = chance("choice", edition, players, cell, seed)
    while game.phase == "veto":
        game.play(rng.choice([action for action in game.legal() if action.words != ("discard", cell)]))
    while game.phase in ("team", "double"):
        game.play(rng.choice(game.legal()))
    assert game.phase == ("pass" if cell.startswith("pass") else "discard")
    return game


# ------------------------------------------------------------------ a view does not change with hidden things


def same_knowledge(game: Game, twin: Game, seat: Seat) -> None:
    """The numbers a bot gets, word for word."""
    one, two = game.knowledge(seat), twin.knowledge(seat)
    assert np.array_equal(one.redacted, two.redacted)
    assert np.array_equal(one.facts, two.facts)
    assert np.array_equal(one.log, two.log)
    assert one.length == two.length
    assert one.legal == two.legal


@every_place
def test_a_view_does_not_change_with_what_is_hidden(place: Setting) -> None:
    """Unseen cards exchanged in the record's deal and secret choices, by hand, then replayed."""
    tried, told_anew, different = 0, 0, 0
    for seed in range(4):
        rng = chance("disguise", place.id, seed)
        for game, referee in positions(place, seed, often=0.04):
            for seat in seats_of(place):
                record = game.record()
                now = record["rounds"][-1]
                before = now["hands"], now["actions"]
                now["hands"], now["actions"] = disguised(referee, seat, rng, swaps=rng.choice((1, 1, 2, 9)))
                tried += 1
                try:
                    twin = Game.from_record(record)
                except RecordError:
                    continue
                told_anew += 1
                different += (now["hands"], now["actions"]) != before
                assert twin.view(seat) == game.view(seat)
                same_knowledge(game, twin, seat)
    assert told_anew > tried // 4, "too few disguises are legal to prove anything"
    assert different > told_anew // 2


@every_place
def test_a_view_does_not_change_in_a_drawn_world(place: Setting) -> None:
    """The same for worlds drawn by the program itself; their past is not told, as they hold only the round."""
    for seed in range(3):
        for game, _ in positions(place, seed, often=0.04):
            for seat in range(place.players):
                twin = game.sample(seat, rng=seed)
                view, real = twin.view(seat), game.view(seat)
                view["past"] = real["past"]
                assert view == real
                same_knowledge(game, twin, seat)


@every_place
def test_choices_made_at_the_same_time_stay_secret(place: Setting) -> None:
    """Whatever others have chosen before, a seat that has yet to choose sees the same."""
    cells = [cell for cell in place.book.discard if cell != "none"] if place.book.is_njet else ["lay"]
    for cell in cells:
        opening = new_game(place, 2) if cell == "lay" else at_choice(place.edition, place.players, cell)
        phase = opening.phase
        views: list[list[Any]] = []
        for attempt in range(5):
            game, rng, seen = opening.copy(), chance("secret", cell, attempt), []
            while game.phase == phase:
                chosen = game.view(None)["chosen_counts"]
                yet_to_choose = [seat for seat in range(place.players) if not chosen[seat]]
                seen += [game.view(seat) for seat in (None, *yet_to_choose)]
                game.play(rng.choice(game.legal()))
            views.append(seen)
        assert len(views[0]) > place.players
        assert all(seen == views[0] for seen in views)


@every_place
def test_a_view_is_all_a_bot_needs(place: Setting) -> None:
    """Over a wire and back, the view of the seat in turn is the same knowledge, number for number."""
    for seed in range(3):
        for game, _ in positions(place, seed, often=0.1):
            if game.turn is not None:
                knowledge, read = game.knowledge(game.turn), read_view(json.loads(json.dumps(game.view(game.turn))))
                assert read.seat == game.turn
                assert read.setup is game.setup
                assert np.array_equal(read.log, knowledge.log)
                assert vars(read.state) == vars(knowledge.state)
                assert vars(read.fact) == vars(knowledge.fact)
                assert read.legal == knowledge.legal
                assert read.sampler.placements == knowledge.sampler.placements


# ------------------------------------------------------------------ no card word where it could give something away


def strings(value: Any) -> Iterator[str]:
    """Every string in nested plain data, keys too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from strings(key)
            yield from strings(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from strings(inner)
    else:
        assert value is None or isinstance(value, int | bool)


def shown_before(game: Game) -> list[set[str]]:
    """The cards that were played or laid out in each round: everybody has seen them."""
    return [
        {action.split(" ")[2] for action in one["actions"] if action.split(" ")[1] in ("play", "lay")}
        for one in game.record()["rounds"]
    ]


def cards_in(value: Any) -> set[str]:
    return {card for text in strings(value) for card in CARD.findall(text)}


@every_place
def test_no_hidden_card_is_named(place: Setting) -> None:
    """All words of a view: cards of one's own, cards shown openly, and nothing else."""
    for seed in range(3):
        for game, referee in positions(place, seed, often=0.1):
            public = {card for seat in range(place.players) for card in shown_by(referee, seat)}
            now = referee.now
            for seat in seats_of(place):
                own = set() if seat is None else {*now.hands[seat], *now.chosen[seat], *now.received[seat]}
                view: dict[str, Any] = {**game.view(seat)}
                could_not, last, past = view.pop("cannot_hold"), view.pop("last_round"), view.pop("past")
                before = shown_before(game)
                assert cards_in(last) <= (before[-2] if last else set())
                assert all(cards_in(one) <= before[i] for i, one in enumerate(past))
                assert cards_in(view) <= own | public
                assert cards_in(view["hand"]) <= own
                assert view["actions"] == redacted(referee, seat)
                for other, cards in enumerate(could_not):
                    assert not set(cards) & set(now.hands[other])


@every_place
def test_a_refusal_tells_nothing(place: Setting) -> None:
    """Out of turn every card is refused with the same words, held or not."""
    for game, _ in positions(place, 5, often=0.03):
        verbs = {action.verb for action in game.legal()} & {"discard", "pass", "lay", "play"}
        for verb in verbs:
            for seat in range(place.players):
                if seat != game.turn:
                    reasons = set()
                    for card in place.book.deck:
                        with pytest.raises(IllegalAction) as refused:
                            game.play(f"{seat} {verb} {card}")
                        reasons.add((refused.value.code, refused.value.reason, refused.value.allowed))
                    assert reasons == {("not-your-turn", f"it is seat {game.turn}'s turn", "")}


@every_place
def test_a_spectator_sees_no_hand(place: Setting) -> None:
    game = play_on(new_game(place, 4), chance(4), 45)
    view = game.view(None)
    assert (view["hand"], view["chosen"], view["received"], view["legal"]) == ([], [], [], [])
    state = game.knowledge(None).state
    assert not any(state.hand)
    assert not any(state.spare)
    with pytest.raises(ValueError, match="spectator"):
        assert game.knowledge(None).sampler
