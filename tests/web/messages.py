"""Messages as a server sends them, for the tests of the page: `python -m tests.web.messages` writes them."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import msgspec

from atout.protocol import Welcome
from atout.server.live.delta import Delta
from atout.tables import commands as c
from tests.tables.players import Driver, people

PATH = Path(__file__).parents[2] / "web" / "tests" / "generated" / "messages.json"
EVERY = 20
"""After so many messages the whole view is noted, to compare with."""
TABLES: tuple[tuple[str, int, str, int, dict[str, Any]], ...] = (
    ("niet-2015", 4, "g0", 110, {}),
    ("niet-2015", 5, "watcher", 40, {}),
    ("njet-2007", 3, "g1", 90, {}),
    ("nichtig", 3, "g2", 70, {}),
    ("nichtig", 4, "g0", 60, {"teams": True, "length": {"target": 1}}),
)
"""Edition, players, viewer, steps, options. The last match is over after one round."""


def course(edition: str, players: int, guest: str, steps: int, options: dict[str, Any]) -> dict[str, Any]:
    """What one viewer is told over a stretch of a match, with some talk and a takeback; and how the table stands."""
    setup = people(edition, players, options=options, spectators="leave", chat=True)
    rng, delta = random.Random(f"{edition} {guest}"), Delta()
    welcome = Welcome(time=setup.now, view=delta.snapshot(setup.table, guest))
    messages: list[Any] = []
    views: dict[str, Any] = {}
    is_due = False
    for step in range(steps):
        before = len(setup.log)
        if not setup.step(rng):
            break
        sent = len(messages)
        _send(delta, setup, guest, before, messages)
        if step == 5:
            before = len(setup.log)
            setup.do(c.Say(text="Hello"), "g1")
            _send(delta, setup, guest, before, messages)
        is_due = is_due or step % EVERY == EVERY - 1
        if is_due and len(messages) > sent:  # what concerns another seat alone does not show until something else does
            is_due = False
            views[str(len(messages))] = _plain(setup.table.view_for(guest, setup.table.last_at))
    return {"edition": edition, "players": players, "welcome": _plain(welcome), "messages": messages, "views": views}


def _send(delta: Delta, setup: Driver, guest: str, since: int, messages: list[Any]) -> None:
    change = delta.changes(setup.table, [*setup.events[since:]]).get(guest)
    if change is None:
        return  # it concerns another seat alone
    assert isinstance(change, dict)
    messages.append(_plain(change))


def _plain(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def text() -> str:
    """The generated file."""
    courses = [course(*setup) for setup in TABLES]
    lines = (json.dumps(one, ensure_ascii=False, separators=(",", ":"), sort_keys=True) for one in courses)
    return "[\n" + ",\n".join(lines) + "\n]\n"


if __name__ == "__main__":
    PATH.write_text(text(), encoding="utf-8")
