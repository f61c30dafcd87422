"""Messages nobody should send, made from those anybody may: seeded, so that a run can be had again."""

from __future__ import annotations

import json
import random
from typing import Any

VALID: list[dict[str, Any]] = [
    {"do": "hello", "version": 1, "seen": 3},
    {"do": "resync"},
    {"do": "sit", "name": "Eve", "seat": 2, "entropy": "c0ffee"},
    {"do": "leave"},
    {"do": "rename", "name": "Eve"},
    {"do": "set-seat", "seat": 1, "to": "novice"},
    {"do": "start"},
    {"do": "act", "action": "1 play G9", "decision": 12},
    {"do": "act", "action": "0 veto trump red"},
    {"do": "withdraw"},
    {"do": "offer", "what": "takeback"},
    {"do": "offer", "what": "pause"},
    {"do": "answer", "yes": False},
    {"do": "say", "text": "Good evening"},
    {"do": "watch", "seat": 0, "name": "Eve"},
    {"do": "show", "watcher": 0, "yes": True},
    {"do": "take-requests", "yes": True},
    {"do": "stand-in"},
    {"do": "reclaim"},
    {"do": "rematch"},
    {"do": "hint"},
]
"""One of each kind, but for `close` and the offer to abort: they would end the table, and there is much to send."""
FORBIDDEN: list[dict[str, Any]] = [
    {"do": "open", "table": "x", "settings": {"edition": "nichtig", "players": 3}, "secret": "00" * 32},
    {"do": "away", "seat": 1},
    {"do": "back", "seat": 1},
    {"do": "move-seat", "seat": 1, "guest": "me"},
    {"do": "tick"},
    {"do": "rematch", "table": "x", "secret": "00" * 32},
    {"do": "act", "action": "1 play G9", "forfeit": "failed"},
]
"""The server's own commands, and fields that only it may fill in."""
ODD: list[Any] = [
    *(None, True, -1, 0, 5, 6, 2**31, 2**63, -(2**63), 10**40, 1.5, 1e308, float("nan"), float("inf")),
    *("", " ", "\0", "\u202e", "\ud800", "é" * 2000, "x" * 1001, "<script>", "../../x", "'; --"),
    *("0 play", "0 play R1 R2", "5 team 5", [], [[]], {}, {"do": "act"}),
]
DEEP = 900


def message(rng: random.Random, sent: list[str | bytes]) -> str | bytes:
    """The next one; those already sent may come again."""
    way = rng.randrange(8)
    if way == 0:
        return rng.randbytes(rng.randrange(200))
    if way == 1 and sent:
        return rng.choice(sent)
    if way == 2:
        return json.dumps(rng.choice(FORBIDDEN) | {"id": _id(rng)})
    value = dict(rng.choice(VALID)) | {"id": _id(rng)}
    if way == 3:
        return json.dumps(value)
    if way in (4, 5):
        for _ in range(rng.randrange(1, 4)):
            _change(value, rng)
        return json.dumps(value)
    text = json.dumps(value)
    if way == 6:
        return _damage(text.encode(), rng)
    return text[: rng.randrange(len(text))] + rng.choice(["", "[" * DEEP, '{"a":' * DEEP, text, "\ufeff", ",,"])


def _id(rng: random.Random) -> str:
    """From a small set: the same id comes again with another command."""
    return f"c{rng.randrange(500)}"


def _change(value: dict[str, Any], rng: random.Random) -> None:
    name = rng.choice(list(value) or ["do"])
    way = rng.randrange(4)
    if way == 0:
        value.pop(name, None)
    elif way == 1:
        value[rng.choice(["by", "guest", "secret", "at", "number", "id", "do", "seat", "é"])] = rng.choice(ODD)
    else:
        value[name] = rng.choice(ODD)


def _damage(text: bytes, rng: random.Random) -> str | bytes:
    damaged = bytearray(text)
    for _ in range(rng.randrange(1, 6)):
        place = rng.randrange(len(damaged))
        damaged[place : place + rng.randrange(3)] = rng.choice(
            [rng.randbytes(1), b'"', b"\\u", b"{", b"}", b"\xff", b""]
        )
        damaged = damaged or bytearray(b"x")
    try:
        return damaged.decode() if rng.random() < 0.5 else bytes(damaged)
    except UnicodeDecodeError:
        return bytes(damaged)
