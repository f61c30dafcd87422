"""The record of a match, the JSON format that other tools read and write: its types, and checks of its parts.

Writers make plain dictionaries (`Record`). Readers decode into `Recorded`, which has the fixed fields and ignores
others that somebody may have added.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Any, TypedDict

import msgspec
from msgspec import Meta, Struct

from atout.editions import PUBLISHED, Edition, from_tree
from atout.errors import EditionError, RecordError
from atout.game.notation import Notation
from atout.game.setup import Setup

VERSION = 1

Hands = Sequence[str]
"""The dealt cards per seat: `"R1 R1 K9 …"`."""
Seat = Annotated[int, Meta(ge=0, le=5)]
Points = Annotated[int, Meta(ge=-(1 << 40), le=1 << 40)]
Word = Annotated[str, Meta(max_length=200)]
MAX_NAME = 30
"""Letters of a player's name: longer ones are refused at a table and cut where a record is shown."""


class RoundRecord(TypedDict, total=False):
    """One round: `dealer` in Njet!, `leader` in Null & nichtig; the last three once it is over."""

    dealer: int
    leader: int
    hands: list[str]
    actions: list[str]
    tricks: list[int]
    loot: list[int]
    scores: list[int]


class Record(TypedDict, total=False):
    """One match as plain data. An unfinished match lacks `totals`, `winners`, and the results of its last round.

    >>> from atout import Game
    >>> record = Game.new("nichtig", players=3, seed=1).record()
    >>> record["edition"], len(record["rounds"]), record["rounds"][0]["actions"]
    ('nichtig', 1, [])
    """

    atout: int
    edition: str
    players: int
    options: dict[str, Any]
    first_dealer: int
    rounds: list[RoundRecord]
    totals: list[int]
    winners: list[int]
    rules: dict[str, Any]
    """House rules in full, so that the record can be replayed anywhere; published editions need none."""
    bots: list[str | None]
    """By seat: the name of a bot, or null for a person."""
    names: list[str]
    stand_ins: list[int]
    """Seats of people for whom a bot finished the match; missing if there are none."""
    times: dict[str, float]
    """Seconds since 1970: when the table was opened, started, ended."""
    fair: dict[str, Any]
    """What is needed to verify the deals of a table with fair shuffles."""


class RecordedRound(Struct, frozen=True):
    """A round as read: right types, rules not yet checked."""

    hands: list[Word]
    actions: list[Word]
    dealer: Seat | None = None
    leader: Seat | None = None
    tricks: list[Points] | None = None
    loot: list[Points] | None = None
    scores: list[Points] | None = None


class Recorded(Struct, frozen=True):
    """A record as read: right types, rules not yet checked."""

    atout: int
    edition: Word
    players: Annotated[int, Meta(ge=0, le=99)]
    options: dict[str, Any]
    first_dealer: Seat
    rounds: list[RecordedRound]
    totals: list[Points] | None = None
    winners: list[Seat] | None = None
    rules: dict[str, Any] | None = None


def read(record: Any) -> Recorded:
    """Convert plain data; `RecordError` says what has the wrong type, and where."""
    if isinstance(record, Recorded):
        return record
    try:
        return msgspec.convert(record, Recorded)
    except (msgspec.ValidationError, RecursionError) as error:
        raise RecordError(type_problem(error)) from None


def type_problem(error: Exception) -> str:
    """Msgspec's message with its place first: `rounds[0].hands: expected array, got int`."""
    if isinstance(error, RecursionError):
        return "nested too deeply; a record is four levels deep at most"
    what, _, place = str(error).partition(" - at `")
    what = what[:1].lower() + what[1:].replace("`", "")
    place = place.rstrip("`").removeprefix("$").lstrip(".")
    return f"{place}: {what}" if place else what


def setup_of(record: Recorded) -> Setup:
    """The setup of a record: a published edition, or the house rules it carries."""
    if record.atout != VERSION:
        raise RecordError(f"atout: version {record.atout} is not known; known: {VERSION}")
    try:
        return Setup.of(_edition_of(record), record.players, record.options)
    except EditionError as error:
        raise RecordError(str(error)) from None


def _edition_of(record: Recorded) -> str | Edition:
    if record.edition in PUBLISHED:
        return record.edition
    if record.rules is None:
        known = ", ".join(PUBLISHED)
        raise RecordError(
            f"edition: {record.edition[:40]!r} is not known, and the record carries no rules; known: {known}"
        )
    edition = from_tree(record.rules, "rules")
    if edition.id != record.edition:
        raise RecordError(f"edition: {record.edition[:40]!r} is not the id of its rules, {edition.id!r}")
    return edition


def parse_hands(notation: Notation, hands: Hands) -> list[list[int]]:
    """Check hands against the deck: the right number of cards, and no card more often than the deck has it."""
    setup = notation.setup
    if len(hands) != setup.players:
        raise RecordError(f"hands: {len(hands)} hands; expected {setup.players}")
    dealt: list[list[int]] = []
    used: Counter[int] = Counter()
    for seat, hand in enumerate(hands):
        cards = hand.split(" ") if hand else []
        if len(cards) != setup.hand_size:
            raise RecordError(f"hands: seat {seat} has {len(cards)} cards; expected {setup.hand_size}")
        for card in cards:
            if card not in notation.kind_of:
                raise RecordError(f"hands: seat {seat}: {card[:20]!r} is not a card of {setup.name}")
        kinds = [notation.kind_of[card] for card in cards]
        used.update(kinds)
        dealt.append(kinds)
    for kind, count in used.items():
        copies = int(setup.rules_record.copies[kind])
        if count > copies:
            raise RecordError(f"hands: {notation.cards[kind]} is dealt {count} times; the deck has {copies}")
    return dealt
