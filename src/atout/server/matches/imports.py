"""Records that a guest imports from a file, to have them reviewed: checked, and kept for that guest alone."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec
from msgspec import Struct

from atout.bots import LEVELS
from atout.errors import RecordError
from atout.game import Game
from atout.records.verify import Verifier
from atout.server.matches.summary import summary_of
from atout.store import StoredRecord

PREFIX = "import-"
"""What ids of imported records begin with; the page tells them from matches by it."""
KEPT_DAYS = 30
MAX_BYTES = 64_000
"""The largest record that is kept. Full matches of all editions, at random, have 15,000 bytes at most."""


class _Players(Struct):
    """What a record says of its players, beside what is checked."""

    bots: Any = None


def imported(text: str, guest: str, now: float, most: int) -> StoredRecord:
    """A record as it is kept; `RecordError` if it breaks the rules, or has more than `most` actions.

    It is written again from the verified match, so nothing stays that the format does not have. Names are left out:
    nobody here knows whose they are, and they would stay when one of those people asks to be forgotten. The id is made
    of the guest and the record: whoever imports it again finds the review.
    """
    line = text.strip().encode("utf-8", "surrogatepass")
    recorded = Verifier().check(line)
    moves = sum(len(one.actions) for one in recorded.rounds)
    if moves > most:
        raise RecordError(f"{moves} actions are too many to review; expected at most {most}")
    game = Game.from_record(recorded, auto_deal=False)
    players = game.setup.players
    record = {**game.record(), "names": [""] * players, "bots": _levels(line, players)}
    body = msgspec.json.encode(record)
    if len(body) > MAX_BYTES:
        raise RecordError(f"{len(body)} bytes are too many to keep; expected at most {MAX_BYTES}")
    summary = summary_of(record, game.totals, game.winners, game.past())
    id = PREFIX + hashlib.sha256(guest.encode() + b" " + body).hexdigest()[:32]
    return StoredRecord(id, "", game.setup.edition.id, now, summary, body, guest)


def _levels(line: bytes, players: int) -> list[str | None]:
    """The levels of the record's bots by seat; None for everybody else, whatever the record calls them."""
    bots = msgspec.json.decode(line, type=_Players).bots
    if not isinstance(bots, list) or len(bots) != players:
        return [None] * players
    return [bot if isinstance(bot, str) and bot in LEVELS else None for bot in bots]
