"""What subscribers are sent after a change: the events as each may know them, and the difference of two views.

    before ─┐
            ├─ changed fields ─► `told` message        common fields: compared and encoded once for everybody
    now ────┘                                          own fields: compared for each viewer

Every part of a view is redacted (`atout.tables.views`); here views are only compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import msgspec
from msgspec import Raw, Struct

from atout.errors import Refused
from atout.tables import Event, Table, TableView
from atout.tables.views import SeatView, Views

Fields = dict[str, Any]
Message = dict[str, Any]
"""A `told` message (`atout.protocol`), ready to be encoded."""
_encode = msgspec.json.Encoder().encode
_MISSING = object()


class Own(Struct):
    """A viewer's own part of a view."""

    fields: Fields
    game: Fields
    """Empty before the match."""

    @classmethod
    def of(cls, views: Views, guest: str, *, is_new: bool) -> Own:
        """`Refused` if the guest may not look."""
        fields = views.own(guest, is_new=is_new)
        return cls(fields, views.own_game(fields["seat"]))


class Delta:
    """Remembers the view of each subscriber of a table as it was sent last, and finds what has changed since."""

    __slots__ = ("_common", "_game", "_own", "unwelcome")

    def __init__(self) -> None:
        self._common: Fields = {}
        self._game: Fields | None = None
        """The common fields of the game; None before the match."""
        self._own: dict[str, Own] = {}
        self.unwelcome: set[str] = set()
        """Guests who may not sit down, and are not told so: free seats are shown to them as kept for others."""

    def snapshot(self, table: Table, guest: str) -> TableView:
        """The whole view of a guest, who is sent changes from here on. `Refused` if they may not look."""
        views = table.views(table.last_at)
        own = Own.of(views, guest, is_new=guest not in self._own)
        if not self._own:
            self._common, self._game = views.common(), views.common_game()
        self._own[guest] = own
        common = {**self._common, "seats": self._seats(guest)} if guest in self.unwelcome else self._common
        return TableView(**common, **own.fields, game=_whole_game(self._game, own))

    def forget(self, guest: str) -> None:
        """No connection of this guest is left."""
        self._own.pop(guest, None)
        self.unwelcome.discard(guest)

    def _seats(self, guest: str) -> list[SeatView]:
        seats: list[SeatView] = self._common["seats"]
        if guest not in self.unwelcome:
            return seats
        return [msgspec.structs.replace(seat, kind="kept") if seat.kind == "open" else seat for seat in seats]

    def changes(self, table: Table, events: Sequence[Event]) -> dict[str, Message | Refused]:
        """For each guest the message to send after these events, or why they may not look any longer."""
        if not self._own:
            return {}
        views = table.views(table.last_at)
        change = _Change(self._common, views.common(), self._game, views.common_game())
        self._common, self._game = views.common(), views.common_game()
        messages: dict[str, Message | Refused] = {}
        for guest, before in list(self._own.items()):
            try:
                own = self._own[guest] = Own.of(views, guest, is_new=False)
            except Refused as refusal:
                del self._own[guest]
                messages[guest] = refusal
            else:
                messages[guest] = message = change.message(visible_events(table, events, guest), before, own)
                if guest in self.unwelcome and "seats" in message["view"]:
                    message["view"]["seats"] = self._seats(guest)
        return messages


class _Change:
    """The common part of a change, encoded once; completed for each viewer."""

    def __init__(self, before: Fields, now: Fields, game_before: Fields | None, game: Fields | None) -> None:
        self._view = _encoded(_changed(before, now))
        self._new_game = game if game_before is None else None
        """The match begins: its view is sent whole."""
        self._game = {} if game is None or game_before is None else _encoded(_changed(game_before, game))

    def message(self, events: list[Event], before: Own, own: Own) -> Message:
        view = {**self._view, **_changed(before.fields, own.fields)}
        if self._new_game is not None:
            view["game"] = _whole_game(self._new_game, own)
            return {"type": "told", "events": events, "view": view, "game": {}}
        own_game = _changed(before.game, own.game)
        more = _added_actions(before.game, own_game)
        message: Message = {"type": "told", "events": events, "view": view, "game": {**self._game, **own_game}}
        if more:
            message["more"] = {"actions": more}
        return message


def _whole_game(common: Fields | None, own: Own) -> Any:
    return None if common is None else {**common, **own.game}


def _changed(before: Fields, now: Fields) -> Fields:
    """The fields whose values differ."""
    return {name: value for name, value in now.items() if before.get(name, _MISSING) != value}


def _encoded(fields: Fields) -> Fields:
    """The same fields as JSON, to be put into several messages."""
    return {name: Raw(_encode(value)) for name, value in fields.items()}


def _added_actions(before: Fields, changes: Fields) -> list[str]:
    """The actions of a round usually only grow: then those that were added are sent, instead of all of them."""
    if "actions" not in changes:
        return []
    known, actions = before["actions"], changes["actions"]
    if len(actions) <= len(known) or actions[: len(known)] != known:
        return []
    del changes["actions"]
    return cast("list[str]", actions[len(known) :])


def visible_events(table: Table, events: Sequence[Event], guest: str) -> list[Event]:
    """The events as a guest may see them, without those that are not for them."""
    visible = [table.visible_event(event, guest) for event in events]
    return [event for event in visible if event is not None]
