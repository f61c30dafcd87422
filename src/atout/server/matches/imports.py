"""Records that a guest imports from a file, to have them reviewed: checked, and kept for that guest alone."""

from __future__ import annotations

import hashlib

import msgspec

from atout.errors import RecordError
from atout.game import Game
from atout.records import Replay, make_replay
from atout.records.verify import Verifier
from atout.server.matches.summary import summary_of
from atout.store import StoredRecord

PREFIX = "import-"
"""What ids of imported records begin with; the page tells them from matches by it."""
MOST = 20
"""Imported records that are kept of a guest."""
KEPT_DAYS = 30
MAX_BYTES = 64_000
"""The largest record that is kept. Full matches of all editions, at random, have 15,000 bytes at most."""


def imported(text: str, guest: str, now: float, most: int) -> StoredRecord:
    """A record as it is kept; `RecordError` if it breaks the rules, or has more than `most` actions.

    Its names are left out: nobody here knows whose they are, and who asks to be forgotten would stay in it. The id is
    made of the guest and the record, so that who imports it again finds the review.
    """
    replay: Replay = make_replay(text, most=most)
    recorded = Verifier().decode(text.strip().encode())
    plain = {key: value for key, value in msgspec.to_builtins(recorded).items() if value is not None}
    plain["rounds"] = [{key: value for key, value in one.items() if value is not None} for one in plain["rounds"]]
    plain |= {"names": [""] * replay.players, "bots": [bot or None for bot in replay.bots]}
    body = msgspec.json.encode(plain)
    if len(body) > MAX_BYTES:
        raise RecordError(f"{len(body)} bytes are too many to keep; expected at most {MAX_BYTES}")
    game = Game.from_record(recorded, auto_deal=False)
    summary = summary_of(plain, game.totals, game.winners, game.past())
    id = PREFIX + hashlib.sha256(guest.encode() + b" " + body).hexdigest()[:32]
    return StoredRecord(id, "", replay.edition, now, summary, body, guest)
