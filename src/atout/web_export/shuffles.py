"""Records with the proof of their shuffles: test data for the page, which computes the deals again by itself.

Every edition and number of players, and house rules. The matches end right after a deal, which is enough for the check.
"""

from __future__ import annotations

import hashlib
from typing import Any

from atout.editions import PUBLISHED, Edition, from_tree, published, to_tree
from atout.game import Setup
from atout.game.record import VERSION
from atout.tables.shuffle import MAX_ENTROPY, SCHEME, Shuffler, commitment

ROUNDS = 3


def shuffled_matches() -> list[dict[str, Any]]:
    editions = [*map(published, PUBLISHED), _house_rules()]
    return [_match(edition, players) for edition in editions for players in edition.counts]


def _house_rules() -> Edition:
    """A deck that no published edition has: other colours first, values not in order."""
    tree = to_tree(published("nichtig"))
    tree["id"] = "nichtig-backwards"
    tree["deck"]["colours"].reverse()
    tree["deck"]["values"].reverse()
    return from_tree(tree, "house rules")


def _match(edition: Edition, players: int) -> dict[str, Any]:
    setup, table = Setup.of(edition, players), f"{edition.id}-{players}"
    secret = hashlib.sha256(f"secret of {table}".encode()).hexdigest()
    entropy = [_entropy(table, seat) for seat in range(players)]
    shuffler = Shuffler(setup, table, secret, entropy)
    record: dict[str, Any] = {
        "atout": VERSION,
        "edition": edition.id,
        "players": players,
        "options": {},
        "first_dealer": shuffler.first_dealer(),
        "rounds": [{"hands": shuffler.hands(number), "actions": []} for number in range(1, ROUNDS + 1)],
        "fair": {
            "scheme": SCHEME,
            "table": table,
            "secret": secret,
            "commitment": commitment(table, secret),
            "entropy": entropy,
        },
    }
    if edition.id not in PUBLISHED:
        record["rules"] = to_tree(edition)
    return record


def _entropy(table: str, seat: int) -> str:
    """Nothing for seat 0, as from a bot; as much as allowed for seat 1; 16 bytes for the others, as from the page."""
    size = (0, MAX_ENTROPY)[seat] if seat < 2 else 16
    return hashlib.shake_128(f"seat {seat} of {table}".encode()).hexdigest(size)
