"""What subscribers are sent after a change: the events as each may know them, and the difference of two views.

    before ─┐
            ├─ changed fields ─► told message          common fields: compared and encoded once for everybody
    now ────┘                                          own fields: compared for each viewer

Every part of a view comes through the gate for secrets (`atout.tables.views`); here views are only compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Raw, Struct

from atout.errors import Refused
from atout.tables import Event, Table, TableView
from atout.tables.views import Views

Fields = dict[str, Any]
Message = dict[str, Any]
"""A `told` message (`atout.protocol`), ready to be encoded."""
_encode = msgspec.json.Encoder().encode


class Own(Struct):
    """A viewer's own part of a view."""

    fields: Fields
    game: Fields
    """Empty before the match."""

    @classmethod
    def of(cls, views: Views, guest: str) -> Own:
        """`Refused` if the guest may not look."""
        fields = views.own(guest)
        return cls(fields, views.own_game(fields["seat"]))


class Delta:
    """Remembers the view of each subscriber of a table as it was sent last, and finds what has changed since."""

    __slots__ = ("_common", "_game", "_own")

    def __init__(self) -> None:
        self._common: Fields = {}
        self._game: Fields | None = None
        """The common fields of the game; None before the match."""
        self._own: dict[str, Own] = {}

    def snapshot(self, table: Table, guest: str) -> TableView:
        """The whole view of a guest, who is sent changes from here on. `Refused` if they may not look."""
        views = table.views(table.last_at)
        own = Own.of(views, guest)
        if not self._own:
            self._common, self._game = views.common(), views.common_game()
        self._own[guest] = own
        return TableView(**self._common, **own.fields, game=_whole_game(self._game, own))

    def forget(self, guest: str) -> None:
        """No connection of this guest is left."""
        self._own.pop(guest, None)

    def changes(self, table: Table, events: Sequence[Event]) -> dict[str, Message | Refused]:
        """For each guest the message to send after these events, or why they may not look any longer."""
        if not self._own:
            return {}
        views = table.views(table.last_at)
        common, game = views.common(), views.common_game()
        view_changes = _encoded(_changed(self._common, common))
        begins = self._game is None
        game_changes = {} if self._game is None or game is None else _encoded(_changed(self._game, game))
        self._common, self._game = common, game
        messages: dict[str, Message | Refused] = {}
        for guest, before in list(self._own.items()):
            try:
                own = Own.of(views, guest)
            except Refused as refusal:
                del self._own[guest]
                messages[guest] = refusal
                continue
            self._own[guest] = own
            message: Message = {
                "type": "told",
                "events": _told(table, events, guest),
                "view": {**view_changes, **_changed(before.fields, own.fields)},
                "game": game_changes,
            }
            if not begins:
                own_changes = _changed(before.game, own.game)
                more = _continued(before.game, own_changes)
                message["game"] = {**game_changes, **own_changes}
                if more:
                    message["more"] = more
            elif game is not None:
                message["view"]["game"] = _whole_game(game, own)
            messages[guest] = message
        return messages


def _whole_game(common: Fields | None, own: Own) -> Any:
    return None if common is None else {**common, **own.game}


def _changed(before: Fields, now: Fields) -> Fields:
    return {name: value for name, value in now.items() if name not in before or before[name] != value}


def _encoded(fields: Fields) -> Fields:
    """The same fields, encoded, to be put into several messages."""
    return {name: Raw(_encode(value)) for name, value in fields.items()}


def _continued(before: Fields, changes: Fields) -> Fields:
    """The actions of a round only grow, as a rule: then what was added is sent, not all of them."""
    known, actions = before["actions"], changes.get("actions", [])
    if len(actions) <= len(known) or actions[: len(known)] != known:
        return {}
    del changes["actions"]
    return {"actions": actions[len(known) :]}


def _told(table: Table, events: Sequence[Event], guest: str) -> list[Event]:
    told = [table.tell(event, guest) for event in events]
    return [event for event in told if event is not None]
