"""Every worked example of the rule books and of docs/rules, played with the cards it names."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from atout import Game, Setup
from tests.rules.positions import (
    Setting,
    columns,
    dealt,
    endgame,
    give,
    hand_of,
    loot,
    may_play,
    new,
    play,
    play_table,
    played_out,
    refused,
    taken_by,
    tops,
    veto,
    with_discards,
    with_hands,
)

PAGES = Path(__file__).parents[2] / "docs" / "rules"
Example = Callable[..., None]
COVERED: set[tuple[str, str]] = set()
"""Page and number of every example below."""


def example(page: str, number: str) -> Callable[[Example], Example]:
    """Marks the test of a worked example on a page of docs/rules."""

    def note(test: Example) -> Example:
        COVERED.add((page, number))
        return test

    return note


def test_every_example_of_the_pages_is_told() -> None:
    written = set()
    for page in ("njet-1997", "njet-2007", "niet-2015", "nichtig"):
        text = (PAGES / f"{page}.md").read_text(encoding="utf-8")
        section = text[text.index("Worked examples") :]
        written |= {(page, line[2:].partition("**")[0]) for line in section.splitlines() if line.startswith("**")}
    assert len(written) >= 22
    assert written == COVERED


# ---------------------------------------------------------------- a trick with five players


@example("niet-2015", "10.1")
def test_five_players_loot_only_from_opponents_2015() -> None:
    setup = Setup.of("niet-2015", 5)
    hands = dealt(setup, {0: "G9", 1: "G1", 2: "G4", 3: "Y1", 4: "Y7"}, without={3: "G", 4: "G"})
    wanted = Setting(start=0, trump="yellow", super="blue", side=(0, 1, 4), double=2)
    game = play(new("niet-2015", hands, wanted), "G9 G1 G4 Y1 Y7")
    assert game.view(None)["last_winner"] == 4
    assert game.turn == 4
    assert loot(game) == [0, 0, 0, 0, 1]


@example("njet-2007", "10.1")
def test_five_players_loot_only_from_opponents_2007() -> None:
    setup = Setup.of("njet-2007", 5)
    hands = dealt(setup, {0: "B9", 1: "B0", 2: "B4", 3: "K0", 4: "K7"}, without={3: "B", 4: "B"})
    wanted = Setting(start=0, trump="black", super="red", side=(0, 1, 4), double=3)
    game = play(new("njet-2007", hands, wanted), "B9 B0 B4 K0 K7")
    assert game.view(None)["last_winner"] == 4
    assert loot(game) == [0, 0, 0, 0, 1]


def test_the_same_trick_loots_the_partners_low_card_when_sides_differ() -> None:
    """Seat 1 is now an opponent: both low cards are loot, which shows that sides decide, not seats."""
    setup = Setup.of("niet-2015", 5)
    hands = dealt(setup, {0: "G9", 1: "G1", 2: "G4", 3: "Y1", 4: "Y7"}, without={3: "G", 4: "G"})
    wanted = Setting(start=0, trump="yellow", super="blue", side=(0, 4), double=0)
    game = play(new("niet-2015", hands, wanted), "G9 G1 G4 Y1 Y7")
    assert loot(game) == [0, 0, 0, 0, 2]


# ---------------------------------------------------------------- following


@example("njet-1997", "10.2")
def test_a_supertrump_does_not_follow_its_colour_1997() -> None:
    wanted = Setting(start=0, discard="two", trump="blue", super="red", side=(0, 2))
    game = play(endgame("njet-1997", wanted, ["R7 G2", "R5 R1", "G3 G4", "K2 K3"]), "R7")
    assert hand_of(game, 1) == ["R1", "R5"]
    assert may_play(game) == ["R5"]
    assert refused(game, "1 play R1") == "must-follow"


@example("niet-2015", "10.3")
def test_a_supertrump_does_not_follow_its_colour_2015() -> None:
    wanted = Setting(start=0, discard="two", trump="blue", super="red", side=(0, 2))
    game = play(endgame("niet-2015", wanted, ["R7 G2", "R5 R1", "G3 G4", "Y2 Y3"]), "R7")
    assert hand_of(game, 1) == ["R1", "R5"]
    assert may_play(game) == ["R5"]
    assert refused(game, "1 play R1") == "must-follow"


@example("njet-2007", "10.3")
def test_a_supertrump_follows_its_colour_2007() -> None:
    wanted = Setting(start=0, discard="two", trump="blue", super="red", side=(0, 2))
    game = play(endgame("njet-2007", wanted, ["R7 Y1 Y2", "R5 R0 B9", "Y3 Y4 Y5", "K2 K3 K4"]), "R7")
    assert hand_of(game, 1) == ["R0", "R5", "B9"]
    assert may_play(game) == ["R0", "R5"]
    assert refused(game, "1 play B9") == "must-follow"
    game.play("1 play R0")
    assert game.view(None)["winning"] == 1


@example("njet-2007", "10.4")
def test_no_supertrump_has_to_follow_trump_2007() -> None:
    wanted = Setting(start=0, discard="two", trump="blue", super="red", side=(0, 2))
    game = play(endgame("njet-2007", wanted, ["B3 Y1 Y2", "R0 R8 K2", "R0 Y4 Y5", "K3 K4 K5"]), "B3")
    assert hand_of(game, 1) == ["R0", "R8", "K2"]
    assert may_play(game) == ["R0", "R8", "K2"]
    game.play("1 play R0")
    assert game.view(None)["winning"] == 1
    game.play("2 play R0")
    assert game.view(None)["winning"] == 2, "another red 0 falls on it"


@example("niet-2015", "10.4")
def test_a_supertrump_is_led_2015() -> None:
    wanted = Setting(start=0, discard="two", trump="blue", super="red", side=(0, 2))
    game = play(endgame("niet-2015", wanted, ["R1 G2 G3", "R13 B2 R1", "Y2 Y3 Y4", "G4 G5 G6"]), "R1")
    assert hand_of(game, 1) == ["R1", "R13", "B2"]
    assert may_play(game) == ["R1", "B2"]
    assert refused(game, "1 play R13") == "must-follow"
    game.play("1 play R1")
    assert game.view(None)["winning"] == 1, "played later"


@example("njet-1997", "10.3")
def test_having_to_trump() -> None:
    wanted = Setting(start=0, discard="two", trump="blue", super="red", side=(0, 2))
    game = play(endgame("njet-1997", wanted, ["G8 G2 G3", "K9 B2 R1", "R2 R3 R4", "K2 K3 K4"]), "G8")
    assert may_play(game) == ["R1", "B2"]
    assert refused(game, "1 play K9") == "must-trump"


@example("njet-1997", "10.3")
def test_nothing_to_trump_with() -> None:
    wanted = Setting(start=0, discard="two", trump="blue", super="red", side=(0, 2))
    game = play(endgame("njet-1997", wanted, ["G8 G2", "K9 R6", "R2 R3", "K2 K3"]), "G8")
    assert may_play(game) == ["R6", "K9"]


# ---------------------------------------------------------------- who wins


@example("njet-2007", "10.5")
def test_no_trump_and_several_sevens() -> None:
    wanted = Setting(start=0, discard="two", trump="none", super="none", side=(0, 2))
    game = endgame("njet-2007", wanted, ["Y7 R2", "Y7 R3", "K9 R4", "Y4 R5"])
    play(game, "Y7")
    assert game.view(None)["winning"] == 0
    play(game, "Y7")
    assert game.view(None)["winning"] == 1
    play(game, "K9 Y4")
    assert game.view(None)["last_winner"] == 1


# ---------------------------------------------------------------- scores of whole rounds

FIVE_2015 = [
    "R10 R9 R1 R1 R8",
    "R3 R1 R7 R5 R12",
    "R11 R2 R13 R6 R4",
    "Y7 Y2 Y3 Y8 Y4",
    "Y13 Y12 Y11 Y9 Y1",
    "Y1 Y1 Y5 Y6 Y10",
    "B1 B5 B1 B6 B9",
    "B7 B1 B4 B2 B8",
    "B11 B3 B13 B10 B12",
    "G4 G1 G1 G9 G6",
    "G2 G3 G11 G7 G8",
    "G13 G1 G5 G10 G12",
]
FIVE_2007 = [
    "R7 R7 R0 R0 R7",
    "R2 R0 R6 R4 R8",
    "R7 R1 R9 R5 R3",
    "K6 K1 K2 K7 K3",
    "K9 K8 K7 K7 K0",
    "K0 K0 K4 K5 K7",
    "B0 B4 B0 B5 B7",
    "B6 B0 B3 B1 B7",
    "B7 B2 B9 B7 B8",
    "Y3 Y0 Y0 Y7 Y5",
    "Y1 Y2 Y7 Y6 Y7",
    "Y9 Y0 Y4 Y7 Y8",
]
"""Twelve tricks by seat: the side 0, 1, 4 takes 7 and 3 low cards, seat 2 takes 3, seat 3 takes 2 and 1 low card."""


@example("niet-2015", "10.2")
@example("njet-2007", "10.2")
@pytest.mark.parametrize(
    ("edition", "tricks", "scoring", "scores"),
    [
        ("niet-2015", FIVE_2015, "total", [20, 20, 18, 18, 20]),
        ("niet-2015", FIVE_2015, "difference", [2, 2, 0, 0, 2]),
        ("njet-2007", FIVE_2007, "total", [20, 20, 18, 18, 20]),
        ("njet-2007", FIVE_2007, "difference", [2, 2, 0, 0, 2]),
    ],
)
def test_three_against_two_at_two_points(edition: str, tricks: list[str], scoring: str, scores: list[int]) -> None:
    wanted = Setting(start=0, trump="red", points=2, side=(0, 1, 4), double=3)
    game = play_table(new(edition, columns(tricks), wanted, {"scoring": scoring}), tricks)
    [result] = game.past()
    assert sum(result["tricks"][seat] for seat in (0, 1, 4)) == 7
    assert sum(result["loot"][seat] for seat in (0, 1, 4)) == 3
    assert (result["tricks"][2], result["loot"][2]) == (3, 0)
    assert (result["tricks"][3], result["loot"][3]) == (2, 1)
    assert result["scores"] == scores
    assert game.totals == scores


@pytest.mark.parametrize(("edition", "scores"), [("niet-2015", [20, 20, 18, 18, 20]), ("njet-2007", [2, 2, 0, 0, 2])])
def test_three_against_two_as_each_edition_scores_by_default(edition: str, scores: list[int]) -> None:
    tricks = FIVE_2015 if edition == "niet-2015" else FIVE_2007
    wanted = Setting(start=0, trump="red", points=2, side=(0, 1, 4), double=3)
    assert play_table(new(edition, columns(tricks), wanted), tricks).past()[0]["scores"] == scores


@example("njet-1997", "10.1")
def test_three_tricks_and_one_low_card_at_three_points() -> None:
    tricks = [
        "R6 R4 R3 R9",
        "R2 R8 R1 R5",
        "K4 K1 K5 K9",
        "K8 K6 K1 K7",
        "B1 B3 B5 B7",
        "B6 B2 B9 B1",
        "G5 G3 G1 G9",
        "G8 G4 G2 G6",
    ]
    away = ["R1 B8", "G1 K3", "G7 B4", "R7 K2"]
    wanted = Setting(start=0, discard="two", points=3, side=(0, 2))
    game = play_table(give(new("njet-1997", with_discards(columns(tricks), away), wanted), away), tricks)
    [result] = game.past()
    assert result["tricks"][0] + result["tricks"][2] == 3
    assert result["loot"][0] + result["loot"][2] == 1
    assert (result["scores"][0], result["scores"][2]) == (12, 12)
    assert (result["scores"][1], result["scores"][3]) == (24, 24), "5 tricks and 3 low cards"


@example("njet-1997", "10.5")
@pytest.mark.parametrize(("scoring", "scores"), [("total", [28, 16, 16]), ("difference", [12, 0, 0])])
def test_alone_against_two(scoring: str, scores: list[int]) -> None:
    tricks = [
        "R9 R4 R1",
        "R5 R6 R1",
        "R8 R3 R7",
        "K4 K7 K1",
        "K9 K5 K6",
        "K8 K3 K1",
        "B1 B3 B1",
        "B6 B7 B4",
        "B5 B8 B9",
        "G6 G5 G4",
        "G3 G1 G8",
        "G7 G1 G9",
    ]
    wanted = Setting(start=0, points=2, side=(0,))
    game = play_table(new("njet-1997", columns(tricks), wanted, {"scoring": scoring}), tricks)
    [result] = game.past()
    assert (result["tricks"], result["loot"]) == ([5, 4, 3], [2, 1, 0])
    assert result["scores"] == scores


@example("niet-2015", "10.5")
@pytest.mark.parametrize(("scoring", "scores"), [("total", [-28, -20, -28]), ("difference", [0, 8, 0])])
@pytest.mark.parametrize(("start", "side"), [(1, (1,)), (0, (0, 2))], ids=["chose it", "left alone"])
def test_alone_at_minus_two(start: int, side: tuple[int, ...], scoring: str, scores: list[int]) -> None:
    tricks = [
        "R8 R10 R9",
        "R7 R2 R1",
        "R1 R3 R6",
        "R5 R4 R1",
        "Y8 Y10 Y9",
        "Y7 Y1 Y2",
        "Y6 Y1 Y3",
        "Y1 Y4 Y5",
        "B1 B10 B9",
        "B8 B2 B1",
        "B1 B3 B7",
        "B4 B5 B6",
        "G8 G10 G9",
        "G7 G2 G1",
        "G6 G3 G1",
        "G1 G4 G5",
    ]
    wanted = Setting(start=start, points=-2, side=side)
    game = play_table(new("niet-2015", columns(tricks), wanted, {"scoring": scoring}), tricks)
    [result] = game.past()
    assert result["double"] == 1
    assert (result["tricks"], result["loot"]) == ([7, 4, 5], [2, 1, 0])
    assert result["scores"] == scores


@example("njet-2007", "10.6")
def test_losing_less() -> None:
    tricks = [
        "R7 R4 R7 R0",
        "R6 R9 R7 R8",
        "R5 R0 R0 R2",
        "K7 K0 K4 K9",
        "K5 K3 K7 K1",
        "K7 K6 K8 K7",
        "B2 B4 B8 B3",
        "B7 B7 B7 B0",
        "B6 B1 B0 B5",
        "Y3 Y5 Y7 Y7",
        "Y8 Y9 Y7 Y4",
        "Y1 Y7 Y6 Y2",
        "R1 K2 B7 Y0",
    ]
    away = ["B9 K0", "K0 R3", "Y0 B0", "R7 Y0"]
    wanted = Setting(start=0, discard="two", trump="black", points=-2, side=(0, 2))
    game = play_table(give(new("njet-2007", with_discards(columns(tricks), away), wanted), away), tricks)
    [result] = game.past()
    assert result["tricks"][0] + result["tricks"][2] == 6
    assert result["loot"][0] + result["loot"][2] == 2
    assert result["tricks"][1] + result["tricks"][3] == 7
    assert result["loot"][1] + result["loot"][3] == 0
    assert result["scores"] == [0, 2, 0, 2]


# ---------------------------------------------------------------- the board and the deal


@example("njet-1997", "10.4")
def test_reading_the_board() -> None:
    hands = dealt(Setup.of("njet-1997", 4), {})
    wanted = Setting(start=2, discard="one", trump="blue", super="black", points=3, side=(1, 2))
    game = with_hands("njet-1997", hands, first_dealer=0)
    veto(game, wanted)
    view = game.view(None)
    assert view["conditions"] == {"start": 2, "discard": "one", "trump": "blue", "super": "black", "points": 3}
    assert (game.phase, game.turn) == ("team", 2)
    game.play("2 team 1 2")
    assert (game.phase, game.turn) == ("discard", 2)
    give(game, [hand.split()[0] for hand in hands])
    assert (game.phase, game.turn) == ("play", 2)
    assert game.view(None)["hand_sizes"] == [9, 9, 9, 9]
    played_out(game, until_round=2)
    [result] = game.past()
    assert sum(result["tricks"]) == 9
    for seat in range(4):
        own = [member for member in range(4) if (member in (1, 2)) == (seat in (1, 2))]
        assert result["scores"][seat] == 3 * sum(result["tricks"][member] + result["loot"][member] for member in own)


@example("njet-1997", "10.6")
def test_the_deal_moves_on() -> None:
    game = Game.new("njet-1997", 4, seed=1, first_dealer=1)
    assert game.turn == 2
    veto(game, Setting(start=3))
    assert game.turn == 3
    played_out(game, until_round=2)
    assert game.record()["rounds"][1]["dealer"] == 0
    assert game.turn == 1, "left of the new dealer"


# ---------------------------------------------------------------- Null & nichtig


@example("nichtig", "8.1")
def test_jeans_trick() -> None:
    anne, jean, laura, luc = range(4)
    setup = Setup.of("nichtig", 4)
    hands = dealt(setup, {jean: "R3 B4 G5 Y9", laura: "P2 P3 P4 P5", luc: "Y0 B7 B8 B9", anne: "R6 G7 G8 G9"})
    game = with_hands("nichtig", hands, first_dealer=anne)
    assert (game.phase, game.turn) == ("lay", jean)
    give(game, ["G7 G8 G9", "R3 B4 G5", "P3 P4 P5", "B7 B8 B9"])
    assert tops(game, jean) == {"blue": 4, "green": 5, "red": 3}
    play(game, "Y9 P2 Y0 R6")
    assert game.view(None)["last_winner"] == jean
    assert game.turn == jean
    piles = game.view(None)["piles"]
    assert piles is not None
    assert piles[jean] == [["B4"], ["G5"], ["P2"], ["R3", "R6"], ["Y9", "Y0"]]
    assert tops(game, jean) == {"blue": 4, "green": 5, "purple": 2, "red": 6, "yellow": 0}


@example("nichtig", "8.2")
def test_collecting_starts_with_the_winner() -> None:
    setup = Setup.of("nichtig", 4)
    known = {0: "B5 P1 P2 P3", 1: "G11 R1 R2 R3", 2: "B8 Y1 Y2 Y3", 3: "G0 P4 P5 P6"}
    hands = dealt(setup, known)
    game = with_hands("nichtig", hands, first_dealer=3)
    give(game, ["P1 P2 P3", "R1 R2 R3", "Y1 Y2 Y3", "P4 P5 P6"])
    play(game, "B5 G11 B8 G0")
    piles = game.view(None)["piles"]
    assert piles is not None
    assert piles[1] == [["B8", "B5"], ["G11", "G0"], ["R1", "R2", "R3"]]
    assert tops(game, 1) == {"blue": 5, "green": 0, "red": 3}


@example("nichtig", "8.3")
def test_equal_numbers() -> None:
    setup = Setup.of("nichtig", 3)
    hands = dealt(setup, {0: "Y7 B1 B2 B3", 1: "R3 G1 G2 G3", 2: "P7 B4 B5 B6"})
    game = with_hands("nichtig", hands, first_dealer=1)
    give(game, ["B1 B2 B3", "G1 G2 G3", "B4 B5 B6"])
    play(game, "P7 Y7 R3")
    assert game.view(None)["last_winner"] == 2
    piles = game.view(None)["piles"]
    assert piles is not None
    assert piles[2] == [["B4", "B5", "B6"], ["P7"], ["R3"], ["Y7"]]


def nichtig_match(options: Any, rounds: list[tuple[int, dict[int, str]]], last: tuple[str, str] | None = None) -> Game:
    """A match for four, seat 1 leading first, of rounds in which one seat takes every trick (see `taken_by`)."""
    setup = Setup.of("nichtig", 4, options)
    dealt = [taken_by(setup, taker, laid, last) if last else taken_by(setup, taker, laid) for taker, laid in rounds]
    game = Game.new("nichtig", 4, options=options, first_dealer=0, deals=lambda number: dealt[number % len(dealt)][0])
    for _, laid, tricks in dealt:
        assert not game.is_over
        play_table(give(game, laid), tricks)
    return game


@example("nichtig", "8.4")
def test_the_next_leader_is_the_first_lowest_after_the_last_leader() -> None:
    laid = {1: "B3 G4 P5", 2: "B8 R9 P8", 3: "Y5 G5 B2"}
    game = nichtig_match({}, [(0, laid)], last=("G9 R0 Y0", "B9 P0 P0"))
    assert game.past()[0]["scores"] == [18, 12, 25, 12]
    assert game.turn == 3


MATCH = [
    (0, {1: "B8 G8 P6", 2: "B9 G9 P9", 3: "R9 Y8 P8"}),
    (1, {0: "B9 G9 P8", 2: "R9 Y9 P9", 3: "B8 G8 R7"}),
    (2, {0: "B9 G9 P8", 1: "R8 Y8 P6", 3: "R9 Y9 P9"}),
    (3, {0: "B9 G9 P8", 1: "R8 Y8 P6", 2: "R9 Y9 B8"}),
]
"""After these four rounds the totals are 78, 66, 80 and 75."""


@example("nichtig", "8.5")
def test_a_target_is_exceeded_not_reached() -> None:
    fifth = (2, {0: "B9 G9 P4", 1: "R8 Y8 P6", 3: "B7 G7 R6"})
    reached = nichtig_match({"length": {"target": 100}}, [*MATCH, fifth])
    assert reached.totals == [100, 88, 80, 95]
    assert not reached.is_over
    assert reached.round == 6
    exceeded = nichtig_match({"length": {"target": 100}}, [*MATCH, (2, fifth[1] | {0: "B9 G9 P5"})])
    assert exceeded.totals == [101, 88, 80, 95]
    assert exceeded.is_over
    assert exceeded.winners == [0]


@example("nichtig", "8.5")
def test_teams_add_up() -> None:
    fifth = (2, {0: "B9 G9 P5", 1: "R8 Y8 P6", 3: "B7 G7 R6"})
    game = nichtig_match({"length": {"target": 100}, "teams": True}, [*MATCH, fifth])
    assert game.totals == [101, 88, 80, 95]
    assert game.winners == [1, 3]
