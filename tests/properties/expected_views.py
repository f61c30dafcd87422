"""What each viewer must be shown, by the last table of the rule page, on a referee's round: not by the code it tests.

`expected_view` says what a seat's view must be, field by field. `World` is the whole truth of the round in
play; `disguised` changes of it only what a seat may not know, and tells the round again.
"""

from __future__ import annotations

import random
from collections import Counter
from copy import copy
from dataclasses import dataclass
from typing import Any

from tests.properties.referee import LETTERS, TAKES, Book, Referee, Round

Seat = int | None
"""None is a spectator."""
LAST_ROUND = (
    *("phase", "turn", "round", "dealer", "leader", "board", "conditions", "sides", "double", "hand", "hand_sizes"),
    *("legal", "last_trick", "last_winner", "tricks", "loot", "round_points", "teams", "made_of", "piles"),
)
"""What a view says of the round before."""


def is_secret(referee: Referee, words: str, seat: Seat) -> bool:
    """Others' discards and passes, and lay-outs until all have chosen. The receiver knows passed cards."""
    chooser, verb = int(words.split()[0]), words.split()[1]
    if chooser == seat or verb not in ("discard", "pass", "lay"):
        return False
    if verb == "lay":
        return referee.phase == "lay"
    if verb == "pass":
        return referee.phase == "pass" or referee.left(chooser) != seat
    return True


def redacted(referee: Referee, seat: Seat) -> list[str]:
    """The round's actions as the seat may tell them."""
    return [
        " ".join([*words.split()[:2], "?"]) if is_secret(referee, words, seat) else words
        for words in referee.now.actions
    ]


def cannot_hold(referee: Referee) -> list[list[str]]:
    """What everybody has shown not to hold, by not following."""
    book, now = referee.book, referee.now
    missing: list[set[str]] = [set() for _ in range(referee.n)]
    if book.is_njet:
        for trick in [*now.finished, now.trick]:
            for seat, card in trick[1:]:
                led = referee._suit(trick[0][1])
                if referee._suit(card) != led:
                    missing[seat] |= {other for other in book.deck if referee._suit(other) == led}
                    strong = {other for other in book.deck if referee._is_trump(other) or referee._is_super(other)}
                    if book.must_trump and card not in strong:
                        missing[seat] |= strong
    return [book.sorted(cards) for cards in missing]


def expected_view(referee: Referee, seat: Seat, edition: str, options: dict[str, Any]) -> dict[str, Any]:
    """The view of a seat (None: a spectator) at a table of a published edition, made from the rules alone."""
    book, now, n = referee.book, referee.now, referee.n
    started = now.start is not None
    return {
        "edition": edition,
        "rules": None,
        "game": book.game,
        "players": n,
        "options": options,
        "seat": seat,
        "phase": referee.phase,
        "turn": referee.turn,
        "round": len(referee.rounds),
        "rounds": book.rounds if book.target is None else None,
        "target": book.target,
        "dealer": now.dealer if book.is_njet else ((now.leader or 0) - 1) % n,
        "leader": now.start if book.is_njet else now.leader,
        "totals": referee.totals,
        "past": [_past(book, one) for one in referee.rounds if one.scores],
        "board": _board(referee) if book.is_njet else None,
        "conditions": _conditions(now) if started else None,
        "sides": _sides(now, n) if now.side else None,
        "double": now.double,
        "hand": [] if seat is None else book.sorted(now.hands[seat]),
        "hand_sizes": [len(hand) for hand in now.hands],
        "owed": _owed(referee),
        "chosen": [] if seat is None else book.sorted(now.chosen[seat]),
        "chosen_counts": [len(cards) for cards in now.chosen],
        "received": [] if seat is None else book.sorted(now.received[seat]),
        "trick": [{"seat": by, "card": card} for by, card in now.trick],
        "last_trick": [{"seat": by, "card": card} for by, card in (now.finished or [[]])[-1]],
        "last_winner": now.won_by[-1] if now.won_by else None,
        "trick_winners": now.won_by,
        "winning": referee.holder() if now.trick else None,
        "tricks": now.tricks,
        "loot": now.loot if book.is_njet else None,
        "round_points": referee.round_points(),
        "teams": _teams(referee) if book.teams else None,
        "made_of": _made_of(book, now) if book.is_njet and now.side else None,
        "cannot_hold": cannot_hold(referee),
        "piles": None if book.is_njet else [_piles(referee, by) for by in range(n)],
        "actions": redacted(referee, seat),
        "legal": referee.legal() if seat is not None and seat == referee.turn else [],
        "must": _must(referee) if seat is not None and seat == referee.turn else None,
        "last_round": _last_round(referee),
    }


def _must(referee: Referee) -> str | None:
    """What the player in turn must do with the card, said of the suit that was led."""
    now, hand = referee.now, referee.now.hands[referee.turn or 0]
    if referee.phase != "play" or not now.trick or not referee.book.is_njet:
        return None
    led = referee._suit(now.trick[0][1])
    if any(referee._suit(card) == led for card in hand):
        names = {letter: colour for colour, letter in LETTERS.items()}
        return f"follow {names.get(led, led)}"
    return None if len(referee.legal()) == len(set(hand)) else "trump"


def _last_round(referee: Referee) -> dict[str, Any] | None:
    """How the round before ended, for everybody to see, until somebody acts."""
    if len(referee.rounds) < 2 or referee.now.actions:
        return None
    then = copy(referee)
    then.rounds, then.phase, then.turn = referee.rounds[:-1], "deal", None
    view = expected_view(then, None, "", {})
    return {key: view[key] for key in LAST_ROUND}


def _past(book: Book, one: Round) -> dict[str, Any]:
    past: dict[str, Any] = {"scores": one.scores, "tricks": one.tricks}
    if book.is_njet:
        past |= {"loot": one.loot, "conditions": _conditions(one)}
        past |= {"sides": _sides(one, book.players), "double": one.double, "made_of": _made_of(book, one)}
    else:
        letters = [colour[0].upper() for colour in book.colours]
        past["tops"] = [[piles[letter][-1] for letter in letters if letter in piles] for piles in one.piles]
    if book.teams:
        past["team_scores"] = [sum(one.scores[first::2]) for first in (0, 1)]
    return past


def _teams(referee: Referee) -> list[dict[str, Any]]:
    """Every second seat, with the sums by §6.4."""
    totals, points = referee.totals, referee.round_points()
    return [
        {"seats": [*range(first, referee.n, 2)], "total": sum(totals[first::2]), "round_points": sum(points[first::2])}
        for first in (0, 1)
    ]


def _made_of(book: Book, one: Round) -> dict[str, Any]:
    """The terms of the scores, by §7.1 to §7.4."""
    single = [(tricks + loot) * one.points for tricks, loot in zip(one.tricks, one.loot, strict=True)]
    own = [points * (2 if seat == one.double else 1) for seat, points in enumerate(single)]
    sums = [sum(own[seat] for seat in side) for side in _sides(one, book.players)]
    return {"single": single, "own": own, "sums": sums, "scoring": "difference" if book.difference else "total"}


def _conditions(one: Round) -> dict[str, Any]:
    return {
        "start": one.start,
        "discard": one.discard,
        "trump": one.trump,
        "super": one.super,
        "points": one.points,
    }


def _sides(one: Round, n: int) -> list[list[int]]:
    return [one.side, [seat for seat in range(n) if seat not in one.side]]


def _board(referee: Referee) -> list[dict[str, Any]]:
    by = {(row, cell): seat for seat, row, cell in referee.now.vetoes}
    return [
        {
            "row": row,
            "cells": [{"word": cell, "free": (row, cell) not in by, "by": by.get((row, cell))} for cell in cells],
        }
        for row, cells in referee._rows()
    ]


def _owed(referee: Referee) -> int:
    if referee.turn is None or referee.phase not in ("discard", "pass", "lay"):
        return 0
    count = referee.book.lay if referee.phase == "lay" else TAKES[referee.now.discard]
    return count - len(referee.now.chosen[referee.turn])


def _piles(referee: Referee, seat: int) -> list[list[str]]:
    if referee.phase == "lay":
        return []
    piles = referee.now.piles[seat]
    return [piles[colour[0].upper()] for colour in referee.book.colours if colour[0].upper() in piles]


# ------------------------------------------------------------------ the whole truth, and its disguises


@dataclass
class World:
    """Where every card of the round is now, and what everybody chose."""

    hands: list[list[str]]
    chosen: list[list[str]]
    undealt: list[str]

    @classmethod
    def of(cls, referee: Referee) -> World:
        now = referee.now
        dealt = Counter(card for hand in now.dealt for card in hand)
        return cls(
            hands=[list(hand) for hand in now.hands],
            chosen=[list(cards) for cards in now.chosen],
            undealt=list((referee.book.deck - dealt).elements()),
        )


def has_arrived(referee: Referee) -> bool:
    """Cards were passed this round and taken up."""
    return referee.now.discard.startswith("pass") and referee.phase in ("play", "deal", "over")


def secretly_chosen(referee: Referee) -> bool:
    """What was chosen lies apart from the hands, unseen by others."""
    return referee.phase in ("discard", "pass", "lay") or (bool(referee.now.discard) and not has_arrived(referee))


def shown_by(referee: Referee, seat: int) -> list[str]:
    """Cards the seat has played, and laid out for all to see."""
    played = [card for trick in [*referee.now.finished, referee.now.trick] for by, card in trick if by == seat]
    return played if referee.book.is_njet or referee.phase == "lay" else played + referee.now.chosen[seat]


def hands_and_actions(referee: Referee, world: World) -> tuple[list[str], list[str]]:
    """The deal and the actions that lead to a world which differs from the referee's only in secrets."""
    hands: list[str] = []
    for seat in range(referee.n):
        cards = Counter(world.hands[seat] + shown_by(referee, seat))
        if secretly_chosen(referee):
            cards.update(world.chosen[seat])
        elif has_arrived(referee):
            cards.subtract(world.chosen[referee.left(seat, -1)])
            cards.update(world.chosen[seat])
        assert min(cards.values()) >= 0
        hands.append(" ".join(referee.book.sorted(cards.elements())))
    actions: list[str] = []
    used = [0] * referee.n
    for words in referee.now.actions:
        seat, verb = int(words.split()[0]), words.split()[1]
        if verb in ("discard", "pass", "lay"):
            actions.append(f"{seat} {verb} {world.chosen[seat][used[seat]]}")
            used[seat] += 1
        else:
            actions.append(words)
    return hands, actions


def disguised(referee: Referee, seat: Seat, rng: random.Random, swaps: int) -> tuple[list[str], list[str]]:
    """The round with some unseen cards exchanged: legal or not, but the same as far as the seat can tell."""
    world = World.of(referee)
    others = [other for other in range(referee.n) if other != seat]
    places = [world.hands[other] for other in others] + [world.undealt]
    if secretly_chosen(referee):
        places += [world.chosen[other] for other in others]
    kept: list[str] = []
    if has_arrived(referee) and seat is not None:
        # what the seat passed lies in its neighbour's hand until it is played
        left = referee.left(seat)
        kept = list((Counter(world.chosen[seat]) - Counter(shown_by(referee, left))).elements())
        for card in kept:
            world.hands[left].remove(card)
    slots = [(place, i) for place in places for i in range(len(place))]
    for _ in range(swaps):
        if len(slots) > 1:
            (one, i), (two, j) = rng.sample(slots, 2)
            one[i], two[j] = two[j], one[i]
    if seat is not None and kept:
        world.hands[referee.left(seat)] += kept
    if has_arrived(referee):
        for giver in others:
            taker = referee.left(giver)
            if taker != seat:
                could = world.hands[taker] + shown_by(referee, taker)
                world.chosen[giver] = rng.sample(could, len(world.chosen[giver]))
    return hands_and_actions(referee, world)
