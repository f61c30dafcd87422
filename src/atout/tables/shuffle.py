r"""Fair shuffles: deals that anybody can compute again after the match (docs/fair-shuffles.md).

    commitment = SHA-256("atout-fair-1 commitment\n" table "\n" secret)      published before anybody sits down
    key        = HMAC-SHA-256(secret, "atout-fair-1 key\n" table "\n" then each seat: length in one byte, entropy)
    stream     = HMAC-SHA-256(key, label "\n" 0) HMAC-SHA-256(key, label "\n" 1) …   counters of four bytes
    draw(n)    = the next four bytes that are below the largest multiple of n, modulo n
    deal r     = Fisher–Yates over the deck with the stream "deal r", hand after hand from seat 0
    dealer     = draw(players) from the stream "dealer"

All numbers are big-endian. The deck's order: colours as the edition lists them, low to high, copies side by side.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from atout.editions import Edition
from atout.errors import RecordError
from atout.game import Setup
from atout.game.notation import notation_of
from atout.game.record import Recorded, read, setup_of, type_problem
from atout.records import Verifier

SCHEME = "atout-fair-1"
SECRET_BYTES = 32
MAX_ENTROPY = 64
"""Bytes of entropy that a seat may contribute."""

Hex = Annotated[str, Meta(pattern="^([0-9a-f]{2})*$", max_length=2 * MAX_ENTROPY)]
Secret = Annotated[str, Meta(pattern=f"^[0-9a-f]{{{2 * SECRET_BYTES}}}$")]


class Fair(Struct, frozen=True, forbid_unknown_fields=True):
    """What a record holds under `fair`: all that went into its deals."""

    scheme: str
    table: Annotated[str, Meta(min_length=1, max_length=64)]
    secret: Secret
    commitment: Secret
    entropy: Annotated[list[Hex], Meta(max_length=6)]
    """By seat; a bot contributes none."""


def commitment(table: str, secret: str) -> str:
    """What is published before the entropy is collected; nobody can find another secret that fits it.

    >>> commitment("demo", "00" * 32)
    'c467560ad03b0ab165b9ac9d53b3537cef7cbd2f9ffe35f14233ee742c6f75f5'
    """
    return hashlib.sha256(f"{SCHEME} commitment\n{table}\n".encode() + bytes.fromhex(secret)).hexdigest()


class Shuffler:
    """The first dealer and the deals of one match, computed from the secret and the seats' entropy."""

    def __init__(self, rules: Setup, table: str, secret: str, entropy: Sequence[str]) -> None:
        self.rules = rules
        brought = [bytes.fromhex(one) for one in entropy]
        mixed = b"".join(bytes([len(one)]) + one for one in brought)
        self.key = hmac.digest(bytes.fromhex(secret), f"{SCHEME} key\n{table}\n".encode() + mixed, "sha256")

    def first_dealer(self) -> int:
        return _draw(self.stream("dealer"), self.rules.players)

    def deck(self, number: int) -> list[str]:
        """The whole deck as shuffled for a round (from 1)."""
        record, words = self.rules.rules_record, notation_of(self.rules)
        deck = [words.cards[kind] for kind in record.deck[: record.cards]]
        stream = self.stream(f"deal {number}")
        for i in range(len(deck) - 1):
            j = i + _draw(stream, len(deck) - i)
            deck[i], deck[j] = deck[j], deck[i]
        return deck

    def hands(self, number: int) -> list[str]:
        """The dealt hands of a round (from 1), as a record writes them but in the order of the deal."""
        deck, size = self.deck(number), self.rules.hand_size
        return [" ".join(deck[seat * size : (seat + 1) * size]) for seat in range(self.rules.players)]

    def seed(self, label: str) -> int:
        """A seed of 62 bits for something else at the table, such as a bot; it tells nothing about the deals."""
        return int.from_bytes(hmac.digest(self.key, f"seed {label}".encode(), "sha256")[:8], "big") >> 2

    def stream(self, label: str) -> Iterator[int]:
        """An endless stream of numbers of four bytes."""
        counter = 0
        while True:
            block = hmac.digest(self.key, f"{label}\n".encode() + counter.to_bytes(4, "big"), "sha256")
            for i in range(0, len(block), 4):
                yield int.from_bytes(block[i : i + 4], "big")
            counter += 1


def _draw(stream: Iterator[int], below: int) -> int:
    """A uniform number below `below`, by rejection sampling."""
    limit = (1 << 32) // below * below
    return next(number for number in stream if number < limit) % below


def check_fair(record: Mapping[str, Any], recorded: Recorded | None = None) -> int:
    """Compute every deal of a record again; returns how many there were. Raises `RecordError` for the first mismatch.

    `recorded` is the same record as read, where house rules were put in that it does not carry itself.
    """
    fair = _read(record)
    recorded = recorded or read(record)
    rules = setup_of(recorded)
    if fair.commitment != commitment(fair.table, fair.secret):
        raise RecordError("fair: the secret does not fit the commitment")
    if len(fair.entropy) != rules.players:
        raise RecordError(f"fair.entropy: {len(fair.entropy)} entries; expected one for each of {rules.players}")
    shuffler = Shuffler(rules, fair.table, fair.secret, fair.entropy)
    if recorded.first_dealer != shuffler.first_dealer():
        raise RecordError(f"fair: first_dealer {recorded.first_dealer}; the secret gives {shuffler.first_dealer()}")
    for number, played in enumerate(recorded.rounds, 1):
        if len(played.hands) != rules.players:
            raise RecordError(f"hands: {len(played.hands)} hands; expected {rules.players}", number)
        for seat, (hand, right) in enumerate(zip(played.hands, shuffler.hands(number), strict=True)):
            if sorted(hand.split(" ")) != sorted(right.split(" ")):
                raise RecordError(f"fair: the hand of seat {seat} is not the one the secret gives", number)
    return len(recorded.rounds)


class FairVerifier(Verifier):
    """Checks records against the rules, and their deals against the secret they reveal."""

    def __init__(self, edition: Edition | None = None) -> None:
        super().__init__(edition)
        self.deals = 0
        """How many deals were computed again and matched."""

    def check(self, line: bytes) -> Recorded:
        recorded = super().check(line)
        self.deals += check_fair(msgspec.json.decode(line), recorded)
        return recorded


def _read(record: Mapping[str, Any]) -> Fair:
    data = record.get("fair")
    if data is None:
        raise RecordError("fair: missing; this record says nothing about its shuffles")
    try:
        fair = msgspec.convert(data, Fair)
    except msgspec.ValidationError as error:
        raise RecordError(f"fair: {type_problem(error)}") from None
    if fair.scheme != SCHEME:
        raise RecordError(f"fair.scheme: {fair.scheme[:40]!r} is not known; known: {SCHEME}")
    return fair
