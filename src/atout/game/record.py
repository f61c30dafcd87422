"""The record of a game: the format other people's tools read and write, as types and checks on parts.

Writers produce plain dictionaries (`Record`); readers go through `Recorded`, which holds what is fixed
and ignores keys others may add.
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


class RoundRecord(TypedDict, total=False):
    dealer: int
    leader: int
    hands: list[str]
    actions: list[str]
    tricks: list[int]
    loot: list[int]
    scores: list[int]


class Record(TypedDict, total=False):
    """One game. Unfinished games lack `totals`, `winners`, and what their last round has not reached."""

    atout: int
    edition: str
    players: int
    options: dict[str, Any]
    first_dealer: int
    rounds: list[RoundRecord]
    totals: list[int]
    winners: list[int]
    rules: dict[str, Any]
    """House rules in full, so that the record replays anywhere; published editions need none."""
    bots: list[str | None]
    """Who played: a bot's name, or null for a person."""
    names: list[str]
    times: dict[str, float]
    """Seconds since 1970: when the table was opened, started, ended."""
    fair: dict[str, Any]
    """All that went into the deals of a table with fair shuffles."""


class RecordedRound(Struct, frozen=True):
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
    """Plain data with the right types, or what is wrong with it and where."""
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
    """The table a record was played at: a published edition, or house rules it carries itself."""
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


def parse_hands(words: Notation, hands: Hands) -> list[list[int]]:
    """Hands against the deck: as many cards as are dealt, none more often than it exists."""
    setup = words.setup
    if len(hands) != setup.players:
        raise RecordError(f"hands: {len(hands)} hands; right would be {setup.players}")
    dealt: list[list[int]] = []
    used: Counter[int] = Counter()
    for seat, hand in enumerate(hands):
        cards = hand.split(" ") if hand else []
        if len(cards) != setup.hand_size:
            raise RecordError(f"hands: seat {seat} has {len(cards)} cards; right would be {setup.hand_size}")
        for card in cards:
            if card not in words.kind_of:
                raise RecordError(f"hands: seat {seat}: {card[:20]!r} is no card of {setup.name}")
        kinds = [words.kind_of[card] for card in cards]
        used.update(kinds)
        dealt.append(kinds)
    for kind, count in used.items():
        copies = int(setup.rules_record.copies[kind])
        if count > copies:
            raise RecordError(f"hands: {words.cards[kind]} is dealt {count} times; the deck has {copies}")
    return dealt
