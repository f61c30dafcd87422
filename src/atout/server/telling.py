"""What is sent after a change: the events as each viewer may know them, and what they changed in their view.

A view has a part that is the same for everybody and a part of one's own. The common part is made, compared and encoded
once. Cards are looked at anew only for seats a change can have touched: after a public action within a round these are
the seat that acted and who was or is asked; after anything else all of them. That rule saves work and hides nothing:
every part comes through the gate of `atout.tables`, and a test holds the sum of all changes against the whole view.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from atout.errors import Refused
from atout.game.view import OWN_KEYS, SECRET_NAMES
from atout.tables import Event, Sitting, TableView
from atout.tables import events as e
from atout.tables.views import Views

_encode = msgspec.json.Encoder().encode
_SHARED = ("turn", "hand_sizes", "owed", "chosen_counts")
"""Of a view's own keys those that are everybody's while nobody chooses in secret."""
_SAME_FOR_ALL = (e.Acted, e.Said, e.WentAway, e.CameBack, e.Sat, e.Left, e.Started, e.TimedOut, e.StoodIn, e.Reclaimed)
"""Events that are told to all viewers in the same words, but for the command they came from."""
Fields = dict[str, Any]


class Own(Struct):
    """What a viewer was told last, beside what everybody sees."""

    fields: Fields
    game: Fields


class Teller:
    """Remembers what was told last, for the viewers who are connected."""

    def __init__(self) -> None:
        self._common: Fields = {}
        self._public: Fields = {}
        self._own: dict[str, Own] = {}

    def welcome(self, sitting: Sitting, guest: str) -> TableView:
        """The whole view of who comes in; from here on they are told changes. `Refused` if they may not look."""
        views = sitting.views(sitting.last_at)
        if not self._own:
            self._common, self._public = views.common(), _public_part(views)
        own = self._own.get(guest)
        if own is None:
            own = self._own[guest] = Own(views.own(guest), {})
            own.game = _own_part(views, own.fields["seat"])
        game = {**self._public, **own.game} if own.game else None
        return TableView(**self._common, **own.fields, game=game)  # type: ignore[arg-type]

    def forget(self, guest: str) -> None:
        """Nobody is connected for this viewer any more."""
        self._own.pop(guest, None)

    def changes(self, sitting: Sitting, events: Sequence[Event]) -> dict[str, bytes | Refused]:
        """For each connected viewer what to send, less its opening; or why they may not look any longer."""
        if not self._own:
            return {}
        views = sitting.views(sitting.last_at)
        change = _Change(views, events, self._common, self._public)
        self._common, self._public = change.common, change.public
        told = _Told(sitting, events)
        result: dict[str, bytes | Refused] = {}
        for guest, own in list(self._own.items()):
            try:
                self._own[guest], result[guest] = change.of(guest, own, told.of(guest))
            except Refused as refusal:
                del self._own[guest]
                result[guest] = refusal
        return result


class _Change:
    """From one moment to the next; what is the same for all viewers is found once."""

    def __init__(self, views: Views, events: Sequence[Event], common: Fields, public: Fields) -> None:
        self.views = views
        self.common, self.public = views.common(), _public_part(views)
        self.begins = not public and bool(self.public)
        self._common_text = _entries(_changed(common, self.common))
        self._public_text = b"" if self.begins else _entries(_changed(public, self.public))
        self._seats = _touched(events, common, public, self.common, self.public)
        self._played = [event.action for event in events if isinstance(event, e.Acted)]
        self._shared: Fields = {}
        if self._seats is not None:
            spectators: Any = views.game(None)
            self._shared = {key: spectators[key] for key in _SHARED}

    def of(self, guest: str, own: Own, events: bytes) -> tuple[Own, bytes]:
        """What the viewer has been told then, and the message that tells it."""
        fields = self.views.own(guest)
        seat = fields["seat"]
        if self._seats is None or seat in self._seats or seat != own.fields["seat"]:
            game = _own_part(self.views, seat)
        else:
            game = {**own.game, **self._shared, "actions": own.game["actions"] + self._played}
        changed, changed_game = _changed(own.fields, fields), _changed(own.game, game)
        more = b""
        if self.begins:
            changed["game"], changed_game = {**self.public, **game}, {}
        elif "actions" in changed_game:
            known, now = own.game["actions"], game["actions"]
            if now[: len(known)] == known:
                del changed_game["actions"]
                more = b',"more":{"actions":' + _encode(now[len(known) :]) + b"}"
        told = b'"events":[%b],"view":{%b},"game":{%b}%b}' % (
            events,
            _joined(self._common_text, _entries(changed)),
            _joined(self._public_text, _entries(changed_game)),
            more,
        )
        return Own(fields, game), told


class _Told:
    """Events as JSON, for one viewer after another."""

    def __init__(self, sitting: Sitting, events: Sequence[Event]) -> None:
        self._sitting, self._events = sitting, events
        self._alike = all(isinstance(event, _SAME_FOR_ALL) for event in events)
        self._others: bytes | None = None
        self._by = {event.by for event in events}

    def of(self, guest: str) -> bytes:
        if not self._alike or guest in self._by:
            return self._tell(guest)
        if self._others is None:
            self._others = self._tell(guest)
        return self._others

    def _tell(self, guest: str) -> bytes:
        heard = [self._sitting.tell(event, guest) for event in self._events]
        return b",".join(_encode(event) for event in heard if event is not None)


def _touched(
    events: Sequence[Event], before: Fields, before_public: Fields, after: Fields, public: Fields
) -> set[int] | None:
    """The seats whose cards, or what they may do with them, can have changed; None: all."""
    if not all(isinstance(event, e.Acted) for event in events) or not before_public:
        return None
    if public["round"] != before_public["round"] or after["status"] != "playing":
        return None
    if public["phase"] in SECRET_NAMES or before_public["phase"] in SECRET_NAMES:
        return None
    return {event.seat for event in events if isinstance(event, e.Acted)}.union(before["asked"], after["asked"])


def _public_part(views: Views) -> Fields:
    game: Any = views.game(None)
    return {} if game is None else {key: value for key, value in game.items() if key not in OWN_KEYS}


def _own_part(views: Views, seat: int | None) -> Fields:
    game: Any = views.game(seat)
    return {} if game is None else {key: game[key] for key in OWN_KEYS}


def _changed(old: Fields, new: Fields) -> Fields:
    return {name: value for name, value in new.items() if name not in old or old[name] != value}


def _entries(fields: Fields) -> bytes:
    """A JSON object without its braces."""
    return _encode(fields)[1:-1] if fields else b""


def _joined(one: bytes, other: bytes) -> bytes:
    return one + b"," + other if one and other else one or other
