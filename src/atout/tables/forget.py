"""Forgetting a guest: an event log in which nothing of them is left but what they played.

Their id becomes an alias that no cookie has, a new one in each log. Their name becomes `SOMEBODY`, what they said is
gone. The match, the shuffles and their proof stay as they are, so the table goes on for the others.
"""

from __future__ import annotations

import secrets
from typing import Any

from msgspec.structs import replace

from atout.tables import commands as c
from atout.tables import events as e
from atout.tables import guards
from atout.tables.devices import owner
from atout.tables.offers import without
from atout.tables.state import State

SOMEBODY = "Somebody"
UNSAID = "…"
SIGN = "~"
"""Aliases begin with it; ids of guests do not contain it."""


def new_alias() -> str:
    return SIGN + secrets.token_urlsafe(16)


def is_alias(guest: str) -> bool:
    return guest.startswith(SIGN)


def named_guests(event: e.Event) -> list[str]:
    """The guests whom an event may name for the first time in its log, by the owners of their devices."""
    named: list[str | None] = []
    if isinstance(event, e.Opened):
        named = [event.by, *(who for kept in event.kept if kept is not None for who in (kept.guest, kept.named_by))]
    elif isinstance(event, e.Sat | e.SeatMoved | e.WatchAsked | e.Admitted):
        named = [event.by, event.guest]
    owners = [owner(guest) for guest in named if guest is not None]
    return [guest for guest in dict.fromkeys(owners) if guest and not is_alias(guest)]


def without_guest(event: e.Event, guest: str, alias: str) -> e.Event:
    """The event without the guest and the others at their device; the same object if it does not name them."""
    changes: dict[str, Any] = {}
    if _is(event.by, guest):
        changes = {"by": _alias_of(event.by, alias), "command": ""}
        if isinstance(event, e.Renamed):
            changes["name"] = SOMEBODY
        elif isinstance(event, e.Said):
            changes["text"] = UNSAID
    if isinstance(event, e.Sat | e.SeatMoved | e.WatchAsked | e.Admitted) and _is(event.guest, guest):
        changes["guest"] = _alias_of(event.guest, alias)
        if isinstance(event, e.Sat | e.WatchAsked):
            changes["name"] = SOMEBODY
    if isinstance(event, e.Opened):
        kept = [None if one is None else _kept_without(one, guest, alias) for one in event.kept]
        if kept != event.kept:
            changes["kept"] = kept
    return replace(event, **changes) if changes else event


def _kept_without(kept: c.Kept, guest: str, alias: str) -> c.Kept:
    """A seat that is kept, without the guest: they may be the one it is kept for, or the one whose name it has."""
    if _is(kept.guest, guest):
        return c.Kept(_alias_of(kept.guest, alias), SOMEBODY)
    return c.Kept(kept.guest, SOMEBODY) if _is(kept.named_by, guest) else kept


def _is(who: str | None, guest: str) -> bool:
    return who is not None and owner(who) == guest


def _alias_of(who: str | None, alias: str) -> str:
    """The alias, and the number of the player at the device as it was."""
    assert who is not None
    return alias + who[len(owner(who)) :]


def forget(state: State, command: c.Forget, by: str | None, at: float) -> list[e.Event]:
    """The guest behind an alias is gone: as if they had left. A table where only its host waited is closed."""
    guards.server(by)
    forgotten = e.Forgotten(guest=command.guest)
    if state.is_finished:
        return [forgotten]
    seats = {i for i, seat in enumerate(state.seats) if _is(seat.guest, command.guest)}
    others = any(seat.guest is not None for i, seat in enumerate(state.seats) if i not in seats)
    if state.status == "waiting" and _is(state.host, command.guest) and not others:
        return [forgotten, e.Closed(why="server")]
    return [forgotten, *without(state, seats)]


def apply_forgotten(state: State, event: e.Forgotten) -> None:
    for number, seat in enumerate(state.seats):
        if state.game is None and (_is(seat.guest, event.guest) or _is(seat.kept, event.guest)):
            seat.open()
            state.end_requests(number)
        elif _is(seat.guest, event.guest) and not state.is_finished:
            seat.has_left = True
            seat.away = event.at if seat.away is None else seat.away
