"""Positions reached by legal actions alone: hands dealt on purpose, vetoes towards wanted conditions, sides, tricks.

A card is a word (`R7`), a hand or a trick a string of words. Tricks are written in order of play, from the
leader on; tables of tricks in order of seats, so that a column is what a seat plays in the round.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest

from atout import Card, Game, IllegalAction, Setup
from atout.editions import Edition, from_tree


@dataclass(frozen=True)
class Setting:
    """What the vetoes leave free, and what the start player decides."""

    start: int = 0
    discard: str = "none"
    trump: str = "blue"
    super: str = "none"
    points: int = 1
    side: tuple[int, ...] = ()
    double: int | None = None


# ---------------------------------------------------------------- editions


def house(base: str, **changes: Any) -> Edition:
    """A published edition with some of its fields changed, under an id of its own."""
    return from_tree({"id": "house", "base": base, **changes}, "house")


def played_out(game: Game, seed: int = 0, until_round: int | None = None) -> Game:
    """Random legal actions to the end of the match, or up to the deal of a round."""
    rng = Random(seed)
    while not game.is_over and (until_round is None or game.round < until_round):
        game.play(rng.choice(game.legal()))
    return game


# ---------------------------------------------------------------- hands


def deck_of(setup: Setup) -> Counter[str]:
    """Every card in play, in words."""
    return Counter({str(Card(*kind)): setup.copies[kind[1]] for kind in setup.kinds if setup.copies[kind[1]]})


def dealt(setup: Setup, known: Mapping[int, str], without: Mapping[int, str] | None = None) -> list[str]:
    """Whole hands: what is known of them, filled up from the deck; `without` names letters a seat gets no more of.

    Seats with a restriction choose first, then the others, always the first cards left.
    """
    barred = without or {}
    left = deck_of(setup)
    hands = [known.get(seat, "").split() for seat in range(setup.players)]
    for hand in hands:
        left.subtract(hand)
    assert min(left.values()) >= 0, f"the deck does not hold {known}"
    for seat in sorted(range(setup.players), key=lambda seat: seat not in barred):
        for card in left:
            while left[card] and len(hands[seat]) < setup.hand_size and card[0] not in barred.get(seat, ""):
                hands[seat].append(card)
                left[card] -= 1
        assert len(hands[seat]) == setup.hand_size, f"not enough cards without {barred.get(seat)} for seat {seat}"
    return [" ".join(hand) for hand in hands]


def columns(tricks: Sequence[str]) -> list[str]:
    """What each seat holds when the tricks, written in order of seats, are all it plays."""
    return [" ".join(cards) for cards in zip(*(trick.split() for trick in tricks), strict=True)]


def with_discards(hands: Sequence[str], discards: Sequence[str]) -> list[str]:
    return [f"{hand} {away}".strip() for hand, away in zip(hands, discards, strict=True)]


# ---------------------------------------------------------------- phases


def with_hands(edition: str | Edition, hands: Sequence[str], first_dealer: int = 0, options: Any = None) -> Game:
    """A game in which these hands are dealt, round after round."""
    return Game.new(edition, len(hands), options=options, first_dealer=first_dealer, deals=lambda _: hands)


def veto(game: Game, wanted: Setting) -> Game:
    """Markers on every cell but the wanted ones."""
    free = {
        "start": str(wanted.start),
        "discard": wanted.discard,
        "trump": wanted.trump,
        "super": wanted.super,
        "points": str(wanted.points),
    }
    while game.phase == "veto":
        game.play(next(action for action in game.legal() if free[action.words[0]] != action.words[1]))
    return game


def sit(game: Game, wanted: Setting) -> Game:
    """The start player's decisions, where there are any."""
    if game.phase == "team":
        game.play(f"{wanted.start} team {' '.join(map(str, wanted.side))}")
    if game.phase == "double":
        game.play(f"{wanted.start} double {wanted.double}")
    return game


def new(
    edition: str | Edition,
    hands: Sequence[str],
    wanted: Setting,
    options: Any = None,
    first_dealer: int = 0,
) -> Game:
    """A game of Njet! with its hands dealt, vetoed and seated: next come the discards, or the first trick."""
    return sit(veto(with_hands(edition, hands, first_dealer, options), wanted), wanted)


def give(game: Game, cards: Sequence[str]) -> Game:
    """Everyone's discards, passed or laid-out cards, by seat."""
    verb, first = game.phase, game.turn
    assert first is not None
    for step in range(game.setup.players):
        seat = (first + step) % game.setup.players
        for card in cards[seat].split():
            game.play(f"{seat} {verb} {card}")
    return game


def play(game: Game, cards: str) -> Game:
    """Cards in order of play, from the seat in turn on."""
    for card in cards.split():
        game.play(f"{game.turn} play {card}")
    return game


def play_table(game: Game, tricks: Sequence[str]) -> Game:
    """Whole tricks, written in order of seats; the leader's card is played first."""
    for trick in tricks:
        cards, leader = trick.split(), game.turn
        assert leader is not None
        play(game, " ".join(cards[leader:] + cards[:leader]))
    return game


# ---------------------------------------------------------------- the end of a round


def endgame(edition: str, wanted: Setting, last: Sequence[str]) -> Game:
    """The last tricks of a round in which everyone puts two cards away: each seat holds these cards and no others.

    Before, every trick was of one suit from all hands, the last of them won by the start player; what does not
    make up such tricks was discarded.
    """
    assert wanted.discard == "two"
    setup = Setup.of(edition, len(last))
    away, tricks = _used_up(setup, wanted, last)
    hands = [" ".join((own, *(trick[seat] for trick in tricks), away[seat])) for seat, own in enumerate(last)]
    game = give(new(edition, hands, wanted), away)
    play_table(game, [" ".join(trick) for trick in tricks])
    assert game.turn == wanted.start, f"the trick {tricks[-1]} was meant for the start player"
    assert [sorted(hand_of(game, seat)) for seat in range(setup.players)] == [sorted(own.split()) for own in last]
    return game


def _used_up(setup: Setup, wanted: Setting, last: Sequence[str]) -> tuple[list[str], list[list[str]]]:
    """All cards but the last ones, as discards by seat and as tricks of one suit in order of seats."""
    n, left = setup.players, deck_of(setup)
    for own in last:
        left.subtract(own.split())
    suits: dict[str, list[str]] = {}
    for card in sorted(left.elements(), key=lambda card: (_is_super(setup, wanted, card), Card.parse(card).value)):
        suits.setdefault(_suit(setup, wanted, card), []).append(card)
    loose = [suit.pop(len(suit) // 2) for suit in suits.values() for _ in range(len(suit) % n)]
    while len(loose) < 2 * n:
        longest = max(suits.values(), key=len)
        loose += [longest.pop(len(longest) // 2) for _ in range(n)]
    assert len(loose) == 2 * n, "these last cards leave no tricks of one suit"
    away = [" ".join(loose[2 * seat : 2 * seat + 2]) for seat in range(n)]
    tricks = [trick for suit in suits.values() for trick in _one_suit(suit, n, wanted.start)]
    return away, sorted(tricks, key=lambda trick: trick.count(trick[wanted.start]) == 1)


def _one_suit(suit: list[str], players: int, winner: int) -> Iterator[list[str]]:
    """A suit, weak to strong, as tricks in order of seats: the strongest card left with the weakest."""
    while suit:
        trick = [suit.pop(0) for _ in range(players - 1)]
        trick.insert(winner, suit.pop())
        yield trick


def _is_super(setup: Setup, wanted: Setting, word: str) -> bool:
    return Card.parse(word) == (wanted.super, setup.edition.deck.low)


def _suit(setup: Setup, wanted: Setting, word: str) -> str:
    joins = setup.edition.trick.supertrump_suit == "trump"
    return wanted.trump if joins and _is_super(setup, wanted, word) else Card.parse(word).colour


# ---------------------------------------------------------------- Null & nichtig


ZEROES = ("R0 Y0 B0", "B0 G0 P0")


def taken_by(
    setup: Setup, taker: int, laid: Mapping[int, str], last: tuple[str, str] = ZEROES
) -> tuple[list[str], ...]:
    """A round for four in which one seat takes every trick: its hands, what is laid out, the ten tricks by seat.

    The taker has all the 11s and 10s. The others score what they lay out; the taker what the `last` two tricks,
    written from its left neighbour on, leave on top of its piles: with zeroes in all colours, nothing.
    """
    others = [(taker + step) % 4 for step in (1, 2, 3)]
    tens = ["B11", "G11", "P11", "R11", "Y11", "G10", "P10", "Y10", "R10", "B10"]
    known = {seat: f"{laid[seat]} {' '.join(trick.split()[i] for trick in last)}" for i, seat in enumerate(others)}
    known[taker] = " ".join(tens)
    hands = [hand.split() for hand in dealt(setup, known)]
    first = [laid.get(seat, "").split() or hands[seat][-3:] for seat in range(4)]
    order: list[list[str]] = []
    for seat in range(4):
        rest = Counter(hands[seat]) - Counter(first[seat])
        end = tens if seat == taker else [trick.split()[others.index(seat)] for trick in last]
        order.append([*(rest - Counter(end)).elements(), *end])
    tricks = [" ".join(cards) for cards in zip(*order, strict=True)]
    return [" ".join(hand) for hand in hands], [" ".join(cards) for cards in first], tricks


# ---------------------------------------------------------------- questions


def hand_of(game: Game, seat: int) -> list[str]:
    return game.view(seat)["hand"]


def loot(game: Game) -> list[int]:
    """Low cards captured so far this round, by seat."""
    captured = game.view(None)["loot"]
    assert captured is not None
    return captured


def tops(game: Game, seat: int) -> dict[str, int]:
    """The top card of each of the seat's piles: colour and value."""
    piles = game.view(None)["piles"]
    assert piles is not None
    cards = [Card.parse(pile[-1]) for pile in piles[seat]]
    return {card.colour: card.value for card in cards}


def may_play(game: Game) -> list[str]:
    """The cards the seat in turn may play."""
    assert game.phase == "play"
    return [action.words[0] for action in game.legal()]


def refused(game: Game, action: str) -> str:
    """The code with which an action is refused; the game must be as it was before."""
    before = game.record()
    with pytest.raises(IllegalAction) as caught:
        game.play(action)
    assert game.record() == before
    error, legal = caught.value, [one for one in game.legal() if str(one.seat) == action.split(" ")[0]]
    assert error.allowed == (f"{legal[0].verb} {', '.join(' '.join(one.words) for one in legal)}" if legal else "")
    allowed = f"; allowed: {error.allowed}" if legal else ""
    assert str(error) == f"{action}: {error.reason} ({error.paragraph}){allowed}"
    return error.code
