"""Joining a guest to an account: an event log in which the account's guest stands wherever the other one stood."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from atout.tables import commands as c
from atout.tables import events as e
from atout.tables import guards
from atout.tables.devices import owner
from atout.tables.state import State


def with_account(event: e.Event, guest: str, account: str) -> e.Event:
    """The event with the account in place of the guest; the same object if it does not name them."""
    changes: dict[str, Any] = {}
    if _is(event.by, guest):
        changes["by"] = _renamed(event.by, guest, account)
    if isinstance(event, e.Sat | e.SeatMoved | e.WatchAsked | e.Admitted) and _is(event.guest, guest):
        changes["guest"] = _renamed(event.guest, guest, account)
    if isinstance(event, e.Opened):
        kept = [None if one is None else _kept(one, guest, account) for one in event.kept]
        if kept != event.kept:
            changes["kept"] = kept
    return replace(event, **changes) if changes else event


def _kept(kept: c.Kept, guest: str, account: str) -> c.Kept:
    return c.Kept(_renamed(kept.guest, guest, account) or "", kept.name, _renamed(kept.named_by, guest, account) or "")


def _is(who: str | None, guest: str) -> bool:
    return who is not None and owner(who) == guest


def _renamed(who: str | None, guest: str, account: str) -> str | None:
    """The account, and the number of the player at the device as it was; anybody else as they were."""
    return account + who[len(guest) :] if who is not None and _is(who, guest) else who


def join(state: State, command: c.Join, by: str | None, at: float) -> list[e.Event]:
    """The log was rewritten; nothing at the table changes."""
    guards.server(by)
    return [e.Joined()]
