"""For every field of an edition one test in which flipping it, and nothing else, changes an outcome.

`FLIPPED` collects them; a field of the schema without one fails `test_no_field_is_forgotten`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, get_args, get_origin, get_type_hints

import msgspec
import pytest

from atout import EditionError, Game, RecordError, Setup
from atout.editions import PUBLISHED, Edition, from_tree, published
from tests.rules.positions import (
    Setting,
    columns,
    dealt,
    give,
    house,
    loot,
    may_play,
    new,
    play,
    play_table,
    played_out,
    taken_by,
    tops,
    veto,
    with_hands,
)

LABELS = {"id", "name", "subtitle", "author"}
"""Fields that name an edition and change nothing in the play."""
Test = Callable[..., None]
FLIPPED: set[str] = set()


def flips(field: str) -> Callable[[Test], Test]:
    """Marks the test that flips a field."""

    def note(test: Test) -> Test:
        FLIPPED.add(field)
        return test

    return note


def fields_of(struct: type[msgspec.Struct], where: str = "") -> Iterator[str]:
    """The dotted names of all fields that hold a value; `players.N` stands for any number of players."""
    hints = get_type_hints(struct)
    for field in msgspec.structs.fields(struct):
        name, inner = f"{where}{field.name}", _struct_in(hints[field.name])
        if get_origin(hints[field.name]) is dict:
            yield name
            name += ".N"
        if inner is None:
            yield name
        else:
            yield from fields_of(inner, f"{name}.")


def _struct_in(hint: Any) -> type[msgspec.Struct] | None:
    """The structure a type consists of, looking into `X | None` and the values of a dictionary."""
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return hint
    return next((found for found in map(_struct_in, get_args(hint)) if found), None)


def test_the_fields_are_enumerated() -> None:
    fields = list(fields_of(Edition))
    assert len(fields) == len(set(fields))
    assert {"game", "deck.colours", "players", "players.N.hand", "board.points", "trick.void", "match.target"} < set(
        fields
    )


def test_no_field_is_forgotten() -> None:
    fields = set(fields_of(Edition))
    assert fields >= LABELS
    forgotten, unknown = fields - LABELS - FLIPPED, FLIPPED - fields
    assert not forgotten, f"no test flips {', '.join(sorted(forgotten))}"
    assert not unknown, f"the schema has no {', '.join(sorted(unknown))}"


@pytest.mark.parametrize("field", sorted(LABELS))
def test_labels_change_nothing(field: str) -> None:
    plain, flipped = house("niet-2015"), from_tree({"id": "house", "base": "niet-2015", field: "other"}, "house")
    assert plain != flipped
    same, other = (played_out(Game.new(edition, 4, seed=5)).record() for edition in (plain, flipped))
    for record in (same, other):
        del record["edition"], record["rules"]
    assert same == other


# ---------------------------------------------------------------- the game


@flips("game")
def test_game() -> None:
    """The smallest edition that both games accept, less what the checks demand: one has vetoes, one has none."""
    tree: dict[str, Any] = {
        "id": "house",
        "name": "House",
        "deck": {"colours": ["red", "blue"], "values": [1, 2, 3]},
        "players": {"2": {"hand": 3, "rounds": 1}},
        "trick": {"ties": "last"},
    }
    nichtig = from_tree(tree | {"game": "nichtig"}, "house")
    assert Game.new(nichtig, 2, seed=1).phase == "play"
    with pytest.raises(EditionError, match=r"deck\.low: missing"):
        from_tree(tree | {"game": "njet"}, "house")


# ---------------------------------------------------------------- deck


@flips("deck.colours")
def test_colours() -> None:
    flipped = house("nichtig", deck={"colours": ["blue", "green", "purple", "red", "black"]})
    hands = dealt(Setup.of(flipped, 3), {0: "K11"})
    assert "K11" in {action.words[0] for action in with_hands(flipped, hands, first_dealer=2).legal()}
    with pytest.raises(RecordError, match="'K11' is not a card of house, 3 players"):
        with_hands(house("nichtig"), hands, first_dealer=2)


@flips("deck.colours")
def test_the_order_of_colours_is_the_order_of_actions() -> None:
    colours = published("nichtig").deck.colours
    plain, flipped = house("nichtig"), house("nichtig", deck={"colours": colours[::-1]})
    hands = dealt(Setup.of(plain, 3), {0: "B1 G1 P1 R1 Y1", 1: "B2 B3", 2: "G2 G3"})
    legal = [
        [action.words[0] for action in with_hands(edition, hands, first_dealer=2).legal()]
        for edition in (plain, flipped)
    ]
    assert legal[0] != legal[1]
    assert sorted(legal[0]) == sorted(legal[1])


@flips("deck.values")
def test_values() -> None:
    """A 12 in place of the 11 is worth one more on top of a pile."""
    flipped = house("nichtig", deck={"values": [0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12]})
    tops_of_three = []
    for edition, best in ((house("nichtig"), 11), (flipped, 12)):
        hands = dealt(Setup.of(edition, 3), {0: f"B{best} G{best} P{best}"})
        game = with_hands(edition, hands, first_dealer=2)
        give(game, [" ".join(hand.split()[:3]) for hand in hands])
        tops_of_three.append(sum(tops(game, 0).values()))
    assert tops_of_three == [33, 36]


@flips("deck.values")
def test_a_value_written_twice_is_two_cards() -> None:
    flipped = house("nichtig", deck={"values": [0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]})
    hands = dealt(Setup.of(house("nichtig"), 3), {0: "B0 B0"})
    assert with_hands(house("nichtig"), hands).phase == "lay"
    with pytest.raises(RecordError, match="B0 is dealt 2 times; the deck has 1"):
        with_hands(flipped, hands)


@flips("deck.low")
def test_low() -> None:
    """With 5s as low cards a captured 1 is no loot, a captured 5 is, and the 5s are the supertrumps."""
    plain, flipped = house("njet-1997"), house("njet-1997", deck={"low": 5})
    hands = dealt(Setup.of("njet-1997", 4), {0: "R9", 1: "R1 R2 R5", 2: "R3", 3: "R4"})
    wanted = Setting(start=0, trump="blue", super="none", side=(0, 2))
    captured = [
        [loot(play(new(edition, hands, wanted), f"R9 {low} R3 R4"))[0] for low in ("R1", "R5")]
        for edition in (plain, flipped)
    ]
    assert captured == [[1, 0], [0, 1]]
    wanted = Setting(start=0, trump="blue", super="red", side=(0, 2))
    reds = [set(may_play(play(new(edition, hands, wanted), "R9"))) for edition in (plain, flipped)]
    assert reds == [{"R2", "R5"}, {"R1", "R2"}]


# ---------------------------------------------------------------- players


@flips("players")
def test_players() -> None:
    seats = {"5": {"hand": 8, "rounds": 5, "sides": [2, 3]}}
    assert Game.new(house("njet-1997", players=seats), 5, seed=1).view(None)["hand_sizes"] == [8] * 5
    with pytest.raises(EditionError, match="players: 5 is not allowed in house; allowed: 3, 4"):
        Game.new(house("njet-1997"), 5, seed=1)


@flips("players.N.hand")
def test_hand() -> None:
    flipped = house("niet-2015", players={"4": {"hand": 9}})
    sizes = [Game.new(edition, 4, seed=1).view(None)["hand_sizes"] for edition in (house("niet-2015"), flipped)]
    assert sizes == [[15] * 4, [9] * 4]
    assert sum(played_out(Game.new(flipped, 4, seed=1), until_round=2).past()[0]["tricks"]) <= 9


@flips("players.N.rounds")
def test_rounds() -> None:
    flipped = house("nichtig", players={"3": {"rounds": 2}})
    games = [played_out(Game.new(edition, 3, seed=1)) for edition in (house("nichtig"), flipped)]
    assert [game.round for game in games] == [3, 2]


@flips("players.N.short")
def test_short() -> None:
    flipped = house("nichtig", players={"3": {"short": 1}})
    assert played_out(Game.new(flipped, 3, seed=1, options={"length": "short"})).round == 1
    with pytest.raises(EditionError, match=r"options\.length: 'short' is not allowed in house with 3 players"):
        Game.new(house("nichtig"), 3, options={"length": "short"})


@flips("players.N.remove")
def test_remove() -> None:
    flipped = house("njet-1997", players={"3": {"remove": [3]}})
    plain, other = (set(Setup.of(edition, 3).kinds) - gone(edition) for edition in (house("njet-1997"), flipped))
    assert ("red", 3) in plain
    assert ("red", 3) not in other
    hands = dealt(Setup.of(flipped, 3), {0: "R2"})
    assert with_hands(flipped, hands).phase == "veto"
    with pytest.raises(RecordError, match="'R2' is not a card of house, 3 players"):
        with_hands(house("njet-1997"), hands)


def gone(edition: Edition) -> set[tuple[str, int]]:
    setup = Setup.of(edition, 3)
    return {(colour, value) for colour, value in setup.kinds if not setup.copies[value]}


@flips("players.N.sides")
def test_sides() -> None:
    flipped = house("niet-2015", players={"4": {"sides": [1, 2]}})
    sides = []
    for edition in (house("niet-2015"), flipped):
        game = veto(Game.new(edition, 4, seed=1), Setting(start=1))
        sides.append([" ".join(action.words) for action in game.legal()])
    assert sides[0] == ["0 1", "1 2", "1 3"]
    assert sides[1] == ["1", "0 1", "1 2", "1 3"]


@flips("players.N.lay")
def test_lay() -> None:
    flipped = house("nichtig", players={"3": {"lay": 0}})
    games = [Game.new(edition, 3, seed=1) for edition in (house("nichtig"), flipped)]
    assert [game.phase for game in games] == ["lay", "play"]
    assert [sum(played_out(game, until_round=2).past()[0]["tricks"]) for game in games] == [10, 13]


@flips("players.N.teams")
def test_teams() -> None:
    flipped = house("nichtig", players={"4": {"teams": False}})
    options = {"teams": True, "length": {"target": 1}}
    setup = Setup.of("nichtig", 4)
    hands, laid, tricks = taken_by(
        setup, 0, {1: "B9 G9 P9", 2: "R0 R1 R2", 3: "Y0 Y1 Y2"}, last=("R9 Y0 G0", "P0 B0 G7")
    )
    game = with_hands(house("nichtig"), hands, options=options)
    play_table(give(game, laid), tricks)
    assert game.totals == [16, 27, 2, 2]
    assert game.winners == [1, 3]
    with pytest.raises(
        EditionError, match="options: 'teams' is not an option of house with 4 players; allowed: length"
    ):
        Game.new(flipped, 4, options=options)


# ---------------------------------------------------------------- board


@flips("board.first")
def test_first() -> None:
    flipped = house("niet-2015", board={"first": "left-of-dealer"})
    assert [Game.new(edition, 4, seed=1, first_dealer=3).turn for edition in (house("niet-2015"), flipped)] == [3, 0]


@flips("board.discard")
@pytest.mark.parametrize(
    ("cell", "phase", "choices", "tricks"),
    [
        ("one", "discard", {"R1", "R5"}, 14),
        ("two", "discard", {"R1", "R5"}, 13),
        ("one-not-1", "discard", {"R5"}, 14),
        ("two-not-1", "discard", {"R5"}, 13),
        ("pass-one", "pass", {"R1", "R5"}, 15),
        ("pass-two", "pass", {"R1", "R5"}, 15),
        ("none", "play", {"R1", "R5"}, 15),
    ],
)
def test_discard(cell: str, phase: str, choices: set[str], tricks: int) -> None:
    """A row of a single cell decides the round; seat 0 holds a low card and others."""
    flipped = house("niet-2015", board={"discard": [cell]})
    hands = dealt(Setup.of("niet-2015", 4), {0: "R1 R5"})
    game = new(flipped, hands, Setting(start=0, discard=cell, side=(0, 2)))
    assert game.phase == phase
    assert {action.words[0] for action in game.legal()} & {"R1", "R5"} == choices
    played_out(game, until_round=2)
    assert sum(game.past()[0]["tricks"]) == tricks


@flips("board.discard")
@pytest.mark.parametrize("cell", ["one-not-0", "two-not-0"])
def test_discard_without_a_zero(cell: str) -> None:
    flipped = house("njet-2007", board={"discard": [cell]})
    hands = dealt(Setup.of("njet-2007", 4), {0: "R0 R5"})
    game = new(flipped, hands, Setting(start=0, discard=cell, side=(0, 2)))
    assert {action.words[0] for action in game.legal()} & {"R0", "R5"} == {"R5"}


@flips("board.discard")
def test_passed_cards_arrive_on_the_left() -> None:
    flipped = house("niet-2015", board={"discard": ["pass-two"]})
    hands = dealt(Setup.of("niet-2015", 4), {0: "R1 R1", 1: "R2 R3", 2: "R4 R5", 3: "R6 R7"})
    given = ["R1 R1", "R2 R3", "R4 R5", "R6 R7"]
    game = give(new(flipped, hands, Setting(start=2, discard="pass-two", side=(0, 2))), given)
    for seat in range(4):
        away, received = given[seat].split(), given[(seat - 1) % 4].split()
        view = game.view(seat)
        assert view["received"] == received
        assert Counter(view["hand"]) == Counter(hands[seat].split()) - Counter(away) + Counter(received)


@flips("board.trump")
def test_trump() -> None:
    """With no trump the highest card of the led suit wins, not the blue one."""
    flipped = house("niet-2015", board={"trump": ["red", "yellow", "blue", "green", "none"]})
    hands = dealt(Setup.of("niet-2015", 4), {0: "G9", 1: "B2", 2: "G3", 3: "G4"}, without={1: "G"})
    winners = []
    for edition, trump in ((house("niet-2015"), "blue"), (flipped, "none")):
        game = play(new(edition, hands, Setting(start=0, trump=trump, side=(0, 2))), "G9 B2 G3 G4")
        winners.append(game.view(None)["last_winner"])
    assert winners == [1, 0]
    assert len(Game.new(flipped, 4, seed=1).legal()) == 24
    assert len(Game.new(house("niet-2015"), 4, seed=1).legal()) == 23


@flips("board.super")
def test_super() -> None:
    """Without a cell for no supertrump there is always one; a row of one cell makes its colour the supertrump."""
    flipped = house("niet-2015", board={"super": ["green"]})
    hands = dealt(Setup.of("niet-2015", 4), {0: "G9", 1: "G1 G5", 2: "G3", 3: "G4"})
    plain = play(new(house("niet-2015"), hands, Setting(start=0, super="none", side=(0, 2))), "G9")
    other = play(new(flipped, hands, Setting(start=0, super="green", side=(0, 2))), "G9")
    assert "G1" in may_play(plain)
    assert "G1" not in may_play(other)


@flips("board.points")
def test_points() -> None:
    """The same tricks at 1 and at 7 points."""
    flipped = house("niet-2015", board={"points": [7, -20]})
    scores = []
    for edition, points in ((house("niet-2015"), 1), (flipped, 7), (flipped, -20)):
        hands = dealt(Setup.of("niet-2015", 4), {})
        game = played_out(new(edition, hands, Setting(start=0, points=points, side=(0, 2))), seed=1, until_round=2)
        scores.append(game.past()[0]["scores"])
    assert scores[1] == [7 * score for score in scores[0]]
    assert scores[2] == [-20 * score for score in scores[0]]
    assert any(scores[0])


# ---------------------------------------------------------------- trick


def winner_of(edition: Edition, cards: str, **wanted: Any) -> int | None:
    """Who wins a trick of one colour, led by seat 0 of four."""
    hands = dealt(Setup.of(edition, 4), dict(enumerate(cards.split())))
    return play(new(edition, hands, Setting(start=0, side=(0, 2), **wanted)), cards).view(None)["last_winner"]


@flips("trick.ties")
def test_ties() -> None:
    flipped = house("njet-2007", trick={"ties": "first"})
    wins = {
        "sevens of the led colour": ("Y7 Y7 Y3 Y7", {"trump": "red"}),
        "trumps": ("Y7 Y3 Y7 Y4", {"trump": "yellow"}),
        "supertrumps": ("Y0 Y3 Y0 Y9", {"trump": "red", "super": "yellow"}),
        "lowest cards": ("Y0 Y0 Y0 Y1", {"trump": "red"}),
    }
    winners = {
        what: [winner_of(edition, cards, **wanted) for edition in (house("njet-2007"), flipped)]
        for what, (cards, wanted) in wins.items()
    }
    assert winners == {
        "sevens of the led colour": [3, 0],
        "trumps": [2, 0],
        "supertrumps": [2, 0],
        "lowest cards": [3, 3],
    }


@flips("trick.ties")
def test_ties_in_null_and_nichtig() -> None:
    hands = dealt(Setup.of("nichtig", 3), {0: "B7", 1: "G7", 2: "P7"})
    winners = []
    for edition in (house("nichtig"), house("nichtig", trick={"ties": "last"})):
        game = with_hands(edition, hands, first_dealer=2)
        give(game, [" ".join([card for card in hand.split() if not card.endswith("7")][:3]) for hand in hands])
        winners.append(play(game, "B7 G7 P7").view(None)["last_winner"])
    assert winners == [0, 2]


@flips("trick.supertrump_suit")
def test_supertrump_suit() -> None:
    """Red is led: a red supertrump is a trump, or it follows. Blue is led: it must follow, or it need not."""
    flipped = house("niet-2015", trick={"supertrump_suit": "printed"})
    wanted = Setting(start=0, trump="blue", super="red", side=(0, 2))
    hands = dealt(Setup.of("niet-2015", 4), {0: "R7 B7", 1: "R5 R1 Y9 B1"}, without={1: "B"})
    red = [may_play(play(new(edition, hands, wanted), "R7")) for edition in (house("niet-2015"), flipped)]
    assert "R1" not in red[0]
    assert "R1" in red[1]
    hands = dealt(Setup.of("niet-2015", 4), {0: "R7 B7", 1: "R5 R1 Y9"}, without={1: "B"})
    blue = [may_play(play(new(edition, hands, wanted), "B7")) for edition in (house("niet-2015"), flipped)]
    assert blue[0] == ["R1"]
    assert "Y9" in blue[1]


@flips("trick.void")
def test_void() -> None:
    flipped = house("njet-1997", trick={"void": "any"})
    wanted = Setting(start=0, trump="blue", super="red", side=(0, 2))
    hands = dealt(Setup.of("njet-1997", 4), {0: "G8", 1: "K9 B2 R1 R3"}, without={1: "G"})
    plain, other = (may_play(play(new(edition, hands, wanted), "G8")) for edition in (house("njet-1997"), flipped))
    assert {"B2", "R1"} <= set(plain)
    assert not {"K9", "R3"} & set(plain)
    assert {"B2", "R1", "K9", "R3"} <= set(other)


# ---------------------------------------------------------------- match


@flips("match.next_dealer")
def test_next_dealer() -> None:
    flipped = house("njet-1997", match={"next_dealer": "left-of-dealer"})
    dealers = []
    for edition in (house("njet-1997"), flipped):
        game = veto(Game.new(edition, 4, seed=1, first_dealer=1), Setting(start=3))
        dealers.append(played_out(game, until_round=2).view(None)["dealer"])
    assert dealers == [0, 2]


ALONE = [
    "R9 R3 R4",
    "R8 R5 R6",
    "R7 R1 R1",
    "K9 K3 K4",
    "K8 K5 K6",
    "K7 K1 K1",
    "B3 B9 B4",
    "B5 B8 B6",
    "B1 B7 B1",
    "G3 G4 G9",
    "G5 G6 G8",
    "G1 G1 G7",
]
"""Twelve tricks by seat: seat 0 takes 6 and 4 low cards, seats 1 and 2 take 3 and 1 low card each."""


def alone(edition: Edition, options: Any = None) -> list[int]:
    """Seat 0 alone against two, at one point."""
    game = new(edition, columns(ALONE), Setting(start=0, side=(0,)), options)
    return play_table(game, ALONE).past()[0]["scores"]


@flips("match.scoring")
def test_scoring() -> None:
    flipped = house("njet-1997", match={"scoring": "difference"})
    assert alone(house("njet-1997")) == [20, 8, 8]
    assert alone(flipped) == [12, 0, 0]
    assert alone(flipped, {"scoring": "total"}) == [20, 8, 8]


@flips("match.double")
def test_double() -> None:
    flipped = house("njet-1997", match={"double": False})
    assert [alone(house("njet-1997")), alone(flipped)] == [[20, 8, 8], [10, 8, 8]]


@flips("match.double")
def test_without_doubling_nobody_is_asked() -> None:
    flipped = house("niet-2015", match={"double": False})
    phases = []
    for edition in (house("niet-2015"), flipped):
        game = veto(Game.new(edition, 5, seed=1), Setting(start=0))
        game.play("0 team 0 1")
        phases.append(game.phase)
    assert phases == ["double", "play"]


@flips("match.target")
def test_target() -> None:
    """The same round of 27 points for seat 1, with a target of 27: reached ends it, exceeded does not."""
    hands, laid, tricks = taken_by(Setup.of("nichtig", 4), 0, {1: "B9 G9 P9", 2: "R0 R1 R2", 3: "Y1 Y2 Y3"})
    over = []
    for edition in (house("nichtig"), house("nichtig", match={"target": "reached"})):
        game = with_hands(edition, hands, options={"length": {"target": 27}})
        play_table(give(game, laid), tricks)
        assert game.totals == [0, 27, 2, 3]
        over.append(game.is_over)
    assert over == [False, True]


@flips("match.target")
def test_a_target_where_the_edition_has_none() -> None:
    options = {"length": {"target": 10}}
    assert Game.new(house("njet-1997", match={"target": "reached"}), 4, seed=1, options=options).phase == "veto"
    with pytest.raises(EditionError, match=r'options\.length: .* allowed: "full", "short", \{"rounds": 1 to 7\}$'):
        Game.new(house("njet-1997"), 4, seed=1, options=options)


def test_flips_start_from_the_published_edition() -> None:
    """A house edition that changes nothing but its id plays exactly like its base."""
    for name in PUBLISHED:
        edition = published(name)
        plain = house(name)
        assert msgspec.structs.replace(plain, id=name) == edition
        players = edition.counts[0]
        same = played_out(Game.new(plain, players, seed=2)).record()
        base = played_out(Game.new(name, players, seed=2)).record()
        assert same["rounds"] == base["rounds"]
