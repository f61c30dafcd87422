"""Checks that the schema cannot make: how the fields of an edition must fit together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from atout.editions.schema import Board, Edition, Seats

MAX_KINDS = 60
MAX_CARDS = 80
MAX_SPARES = 60
GIVEN = {"none": 0, "one": 1, "two": 2}


def given_count(cell: str) -> int:
    """How many cards a cell of the discard row takes from each hand."""
    return next((GIVEN[word] for word in cell.split("-") if word in GIVEN), 0)


def check(edition: Edition) -> Iterator[str]:
    """Every problem, as `field: value and what is expected`."""
    yield from _deck(edition)
    if not edition.players:
        yield "players: missing; give at least one table such as [players.4]"
    if edition.is_njet:
        if edition.board is None:
            yield "board: missing; Njet! needs the rows discard, trump, super and points"
        else:
            yield from _board(edition, edition.board)
    else:
        yield from _without_effect(edition)
    for count, seats in edition.players.items():
        yield from _seats(edition, int(count), seats)


def _deck(edition: Edition) -> Iterator[str]:
    deck = edition.deck
    yield from _distinct("deck.colours", deck.colours)
    kinds = len(set(deck.values)) * len(deck.colours)
    if kinds > MAX_KINDS:
        yield f"deck.values: {kinds} different cards in all; allowed: at most {MAX_KINDS}"
    cards = len(deck.values) * len(deck.colours)
    if cards > MAX_CARDS:
        yield f"deck.values: {cards} cards in all; allowed: at most {MAX_CARDS}"
    spares = cards - kinds
    if spares > MAX_SPARES:
        yield f"deck.values: {spares} cards equal to another; allowed: at most {MAX_SPARES}"
    if edition.is_njet and deck.low is None:
        yield f"deck.low: missing; allowed: one of the values {_listed(sorted(set(deck.values)))}"
    if not edition.is_njet and deck.low is not None:
        yield f"deck.low: {deck.low} is not allowed: Null & nichtig has no loot cards"
    if deck.low is not None and deck.low not in deck.values:
        yield f"deck.low: {deck.low} is not allowed; allowed: one of {_listed(sorted(set(deck.values)))}"


def _without_effect(edition: Edition) -> Iterator[str]:
    """Fields of Njet! that would change nothing in Null & nichtig."""
    if edition.board is not None:
        yield "board: not allowed; Null & nichtig has no veto board"
    for where, value, usual in (
        ("trick.supertrump_suit", edition.trick.supertrump_suit, "trump"),
        ("trick.void", edition.trick.void, "any"),
        ("match.next_dealer", edition.match.next_dealer, "left-of-dealer"),
        ("match.scoring", edition.match.scoring, "total"),
        ("match.double", edition.match.double, False),
    ):
        if value != usual:
            yield f"{where}: {value!r} is not allowed: Null & nichtig has no such rule; leave it out"


def _board(edition: Edition, board: Board) -> Iterator[str]:
    for name, cells in (("trump", board.trump), ("super", board.super)):
        yield from _distinct(f"board.{name}", cells)
        for i, cell in enumerate(cells):
            if cell != "none" and cell not in edition.deck.colours:
                allowed = _listed((*edition.deck.colours, "none"))
                yield f"board.{name}[{i}]: {cell!r} is not allowed; allowed: {allowed}"
    yield from _distinct("board.discard", board.discard)
    yield from _distinct("board.points", board.points)
    if edition.match.target is not None and max(board.points) <= 0:
        yield f"board.points: {list(board.points)} is not allowed: a target score needs a value above 0"
    for i, taken in enumerate(board.discard):
        if "-not-" in taken and taken.split("-")[-1] != str(edition.deck.low):
            yield (
                f"board.discard[{i}]: {taken!r} is not allowed: the low card of this deck is {edition.deck.low}; "
                f"allowed: one-not-{edition.deck.low}, two-not-{edition.deck.low}"
            )


def _seats(edition: Edition, count: int, seats: Seats) -> Iterator[str]:
    where = f"players.{count}"
    left = Counter(edition.deck.values)
    for value in seats.remove:
        left[value] -= 1
        if left[value] < 0:
            yield f"{where}.remove: {value} is not allowed: a colour has no such card left to remove"
    cards = max(left.total(), 0) * len(edition.deck.colours)
    if count * seats.hand > cards:
        yield f"{where}.hand: {seats.hand} is not allowed: {cards} cards give at most {cards // count} each"
    if seats.lay >= seats.hand:
        yield f"{where}.lay: {seats.lay} is not allowed; allowed: less than the hand of {seats.hand}"
    if edition.is_njet:
        yield from _njet_seats(edition, where, count, seats)
    else:
        if seats.sides:
            yield f"{where}.sides: not allowed; Null & nichtig has fixed teams, see teams"
        if seats.teams and count % 2:
            yield f"{where}.teams: true is not allowed; two equal teams need an even number of players"


def _njet_seats(edition: Edition, where: str, count: int, seats: Seats) -> Iterator[str]:
    if seats.lay:
        yield f"{where}.lay: {seats.lay} is not allowed; Njet! has no laying out"
    if seats.teams:
        yield f"{where}.teams: true is not allowed; in Njet! the start player chooses the sides"
    if edition.deck.low is not None and seats.remove.count(edition.deck.low) == edition.deck.values.count(
        edition.deck.low
    ):
        yield f"{where}.remove: {edition.deck.low} is not allowed so often: no low card would be left"
    if count > 2 and not seats.sides:
        yield f"{where}.sides: missing; allowed: sizes from 1 to {count - 1}"
    for size in seats.sides:
        if count == 2 or size >= count:
            allowed = "none with two players" if count == 2 else f"sizes from 1 to {count - 1}"
            yield f"{where}.sides: {size} is not allowed; allowed: {allowed}"
    most = max((given_count(cell) for cell in edition.board.discard), default=0) if edition.board else 0
    if seats.hand <= most:
        yield f"{where}.hand: {seats.hand} is not allowed: the board may take {most} of them; allowed: more"


def _distinct(where: str, values: tuple[object, ...]) -> Iterator[str]:
    for i, value in enumerate(values):
        if value in values[:i]:
            yield f"{where}[{i}]: {value!r} is not allowed: it is there already; expected every cell once"


def _listed(values: object) -> str:
    return ", ".join(str(value) for value in values)  # type: ignore[attr-defined]
