"""Every reason to refuse an action: what triggers it, its code, and the paragraph of docs/rules it cites."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from atout import ActionError, Game, IllegalAction, Setup
from atout.editions import PUBLISHED, published
from atout.game.refusals import CODES, PARAGRAPHS, TEXTS, refuse
from atout.rules import entries, refusal
from atout.rules.layout import COLUMNS, VETO
from tests.rules.positions import (
    Setting,
    dealt,
    endgame,
    give,
    hand_of,
    house,
    may_play,
    new,
    play,
    played_out,
    refused,
    veto,
    with_hands,
)

PAGES = Path(__file__).parents[2] / "docs" / "rules"
PARAGRAPH = re.compile(r"^\*\*(\d+\.\d+)\*\* ", re.MULTILINE)


def paragraphs_of(page: str) -> list[str]:
    return PARAGRAPH.findall((PAGES / f"{page}.md").read_text(encoding="utf-8"))


# ---------------------------------------------------------------- positions in which something is refused


def in_veto() -> Game:
    return Game.new("niet-2015", 4, seed=1, first_dealer=0)


def choosing_a_side() -> Game:
    return veto(in_veto(), Setting(start=0))


def giving_the_double() -> Game:
    game = veto(Game.new("niet-2015", 5, seed=1, first_dealer=0), Setting(start=0))
    game.play("0 team 0 1 2")
    return game


def discarding(discard: str = "one") -> Game:
    hands = dealt(Setup.of("niet-2015", 4), {0: "R1 R2"})
    return new("niet-2015", hands, Setting(start=0, discard=discard, side=(0, 2)))


def leading() -> Game:
    return discarding("none")


def answering(edition: str) -> Game:
    """Blue is trump, green is led, and seat 1 holds these cards."""
    wanted = Setting(start=0, discard="two", trump="blue", super="red", side=(0, 2))
    held = "B2 K9" if edition == "njet-1997" else "G3 Y9"
    other = "K2 K3" if edition == "njet-1997" else "Y2 Y3"
    return play(endgame(edition, wanted, ["G8 G2", held, "R2 R3", other]), "G8")


def laying() -> Game:
    return with_hands("nichtig", dealt(Setup.of("nichtig", 3), {0: "B11", 1: "Y11"}), first_dealer=2)


def playing_nichtig() -> Game:
    game = laying()
    return give(game, [" ".join(hand_of(game, seat)[:3]) for seat in range(3)])


def short_match() -> Game:
    return played_out(Game.new("njet-1997", 3, seed=3, options={"length": "short"}))


def nichtig_match() -> Game:
    return played_out(Game.new("nichtig", 3, seed=1, options={"length": {"target": 1}}))


def undealt(edition: str) -> Game:
    return Game(Setup.of(edition, 4), first_dealer=0)


def with_vetoes(*actions: str) -> Game:
    game = in_veto()
    for action in actions:
        game.play(action)
    return game


CASES: dict[tuple[str, str], tuple[Callable[[], Game], str, str]] = {
    ("njet", "match-over"): (short_match, "0 veto trump red", "the match is over"),
    ("njet", "not-dealt"): (lambda: undealt("niet-2015"), "0 veto trump red", "the cards are not dealt"),
    ("njet", "wrong-phase"): (in_veto, "0 play R1", "the phase is veto"),
    ("njet", "covered"): (
        lambda: with_vetoes("0 veto trump red"),
        "1 veto trump red",
        "that cell is covered already",
    ),
    ("njet", "last-free"): (
        lambda: with_vetoes("0 veto start 0", "1 veto start 1", "2 veto start 2"),
        "3 veto start 3",
        "that is the last free cell of its row",
    ),
    ("njet", "bad-side"): (
        choosing_a_side,
        "0 team 1 2",
        "a side has 2 players here, and the start player is one of them",
    ),
    ("njet", "bad-double"): (giving_the_double, "0 double 1", "the ×2 card goes to a player of the smaller side"),
    ("njet", "low-barred"): (
        lambda: discarding("one-not-1"),
        "0 discard R1",
        "no 1 may be chosen while the hand has another card",
    ),
    ("njet", "must-follow"): (lambda: answering("niet-2015"), "1 play Y9", "the led suit must be followed"),
    ("njet", "must-trump"): (
        lambda: answering("njet-1997"),
        "1 play K9",
        "a player who cannot follow must play a trump",
    ),
    ("njet", "not-your-turn veto"): (in_veto, "1 veto trump red", "it is seat 0's turn"),
    ("njet", "not-your-turn team"): (choosing_a_side, "1 team 0 1", "it is seat 0's turn"),
    ("njet", "not-your-turn double"): (giving_the_double, "3 double 3", "it is seat 0's turn"),
    ("njet", "not-your-turn discard"): (discarding, "1 discard R3", "it is seat 0's turn"),
    ("njet", "not-your-turn pass"): (lambda: discarding("pass-one"), "1 pass R3", "it is seat 0's turn"),
    ("njet", "not-your-turn play"): (leading, "3 play G13", "it is seat 0's turn"),
    ("njet", "not-held discard"): (discarding, "0 discard G13", "seat 0 does not hold G13"),
    ("njet", "not-held pass"): (lambda: discarding("pass-one"), "0 pass G13", "seat 0 does not hold G13"),
    ("njet", "not-held play"): (leading, "0 play G13", "seat 0 does not hold G13"),
    ("nichtig", "match-over"): (nichtig_match, "0 lay B0", "the match is over"),
    ("nichtig", "not-dealt"): (lambda: undealt("nichtig"), "1 lay B0", "the cards are not dealt"),
    ("nichtig", "wrong-phase"): (laying, "0 play B0", "the phase is lay"),
    ("nichtig", "not-your-turn lay"): (laying, "1 lay Y11", "it is seat 0's turn"),
    ("nichtig", "not-your-turn play"): (playing_nichtig, "1 play Y11", "it is seat 0's turn"),
    ("nichtig", "not-held lay"): (laying, "0 lay Y11", "seat 0 does not hold Y11"),
    ("nichtig", "not-held play"): (playing_nichtig, "0 play Y11", "seat 0 does not hold Y11"),
}
OUT_OF_WORDS = {("njet", "no-such-cell")}
"""Refused by the kernel, but no words name such a cell: see `test_a_cell_that_is_not_on_the_board`."""


@pytest.mark.parametrize(("game", "key"), CASES)
def test_refusal(game: str, key: str) -> None:
    make, action, reason = CASES[game, key]
    position = make()
    assert refused(position, action) == key.split(" ")[0]
    with pytest.raises(IllegalAction) as caught:
        position.play(action)
    edition = position.setup.edition
    assert edition.game == game
    assert caught.value.paragraph == f"{edition.id} §{PARAGRAPHS[game][key]}"
    assert caught.value.reason == reason


def test_a_refusal_names_what_is_allowed() -> None:
    with pytest.raises(IllegalAction) as caught:
        answering("niet-2015").play("1 play Y9")
    assert caught.value.allowed == "play G3"
    assert str(caught.value).endswith("must be followed (niet-2015 §6.3); allowed: play G3")
    with pytest.raises(IllegalAction, match=r"row \(niet-2015 §3.4\); allowed: veto "):
        CASES["njet", "last-free"][0]().play(CASES["njet", "last-free"][1])


def test_every_reason_has_a_case() -> None:
    keys = {(game, key) for game, numbers in PARAGRAPHS.items() for key in numbers}
    assert keys == set(CASES) | OUT_OF_WORDS
    assert set(CODES.values()) == {key.split(" ")[0] for _, key in keys}
    assert set(CODES.values()) == set(TEXTS)
    assert set(CODES) == set(range(refusal.MATCH_OVER, refusal.MUST_TRUMP + 1))


@pytest.mark.parametrize("edition", PUBLISHED)
def test_cited_paragraphs_exist(edition: str) -> None:
    written = paragraphs_of(edition)
    assert len(written) == len(set(written)), "a number is given once"
    for key, number in PARAGRAPHS[published(edition).game].items():
        assert number in written, f"{edition} §{number}, cited for {key}, is not in docs/rules/{edition}.md"


def test_the_pages_of_njet_share_one_numbering() -> None:
    def rules(page: str) -> list[str]:
        return [number for number in paragraphs_of(page) if not number.startswith("10.")]

    assert rules("njet-1997") == rules("njet-2007") == rules("niet-2015")


def test_a_cell_that_is_not_on_the_board() -> None:
    """Four players have four start cells; the words of a fifth are no action, and its number is refused."""
    game = in_veto()
    with pytest.raises(
        ActionError, match="is not an action: expected after veto one of: start 0, start 1, start 2, start 3"
    ):
        game.play("0 veto start 4")
    number = entries.refusal(game._state, game.setup.rules, 0, VETO, 4)
    assert number == refusal.NO_SUCH_CELL
    for row, cells in enumerate((4, 5, 4, 5, 5)):
        for column in range(COLUMNS):
            number = entries.refusal(game._state, game.setup.rules, 0, VETO, row * COLUMNS + column)
            assert number == (refusal.ALLOWED if column < cells else refusal.NO_SUCH_CELL)
    error = refuse(game.notation, game._state, game.legal()[0], refusal.NO_SUCH_CELL)
    assert (error.code, error.paragraph) == ("no-such-cell", "niet-2015 §3.3")


def test_house_rules_cite_the_numbers_of_their_game() -> None:
    edition = house("niet-2015")
    with pytest.raises(IllegalAction) as caught:
        Game.new(edition, 4, seed=1, first_dealer=0).play("1 veto trump red")
    assert caught.value.paragraph == "njet §3.2"


# ---------------------------------------------------------------- §5.3: nothing but low cards left


def test_a_hand_of_low_cards_alone_may_put_one_away() -> None:
    low = "R1 R1 R1 Y1 Y1 Y1 B1 B1 B1 G1 G1 G1"
    hands = dealt(Setup.of("niet-2015", 5), {0: low})
    game = new("niet-2015", hands, Setting(start=0, discard="one-not-1", side=(0, 1), double=0))
    assert [action.words[0] for action in game.legal()] == ["R1", "Y1", "B1", "G1"]


def test_the_other_cards_go_first() -> None:
    low = "R0 R0 R0 K0 K0 K0 B0 B0 B0 Y0 Y0 K9"
    hands = dealt(Setup.of("njet-2007", 5), {0: low})
    game = new("njet-2007", hands, Setting(start=0, discard="two-not-0", side=(0, 1), double=0))
    assert [action.words[0] for action in game.legal()] == ["K9"]
    assert refused(game, "0 discard K0") == "low-barred"
    game.play("0 discard K9")
    assert [action.words[0] for action in game.legal()] == ["R0", "K0", "B0", "Y0"]


def test_a_low_card_may_be_passed() -> None:
    assert "R1" in {action.words[0] for action in discarding("pass-one").legal()}


@pytest.mark.parametrize("edition", ["njet-2007", "niet-2015"])
def test_only_1997_makes_one_trump(edition: str) -> None:
    wanted = Setting(start=0, discard="two", trump="blue", super="red", side=(0, 2))
    last = ["Y8 Y2", "B2 K9", "R2 R3", "K2 K3"] if edition == "njet-2007" else ["G8 G2", "B2 Y9", "R2 R3", "Y2 Y3"]
    game = play(endgame(edition, wanted, last), last[0].split()[0])
    assert sorted(may_play(game)) == sorted(last[1].split())
