"""What is sent after a change: the events as each viewer may know them, and what they changed in their view.

A view has a part that is the same for everybody and a part of one's own. The common part is made, compared and encoded
once. A viewer's own part is looked at anew only where a change can have touched it: after an action within a round this
is the seat that acted, who was or is asked, and who could take back; after a part of a secret choice the seat that
chose; after anything else everybody. All others are sent the same bytes. That rule saves work and hides nothing: every
part comes through the gate of `atout.tables`, and a test holds the sum of all changes against the whole view.
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
_OWN = frozenset(OWN_KEYS)
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
        """The game as a spectator sees it; empty before the match."""
        self._own: dict[str, Own] = {}

    def welcome(self, sitting: Sitting, guest: str) -> TableView:
        """The whole view of who comes in; from here on they are told changes. `Refused` if they may not look."""
        views = sitting.views(sitting.last_at)
        if not self._own:
            self._common, self._public = views.common(), _public_of(views)
        own = self._own.get(guest)
        if own is None:
            fields = views.own(guest)
            own = self._own[guest] = Own(fields, _kept(views.own_game(fields["seat"])))
        game = {**self._public, **_kept(own.game.copy())} if own.game else None
        return TableView(**self._common, **own.fields, game=game)  # type: ignore[arg-type]

    def forget(self, guest: str) -> None:
        """Nobody is connected for this viewer any more."""
        self._own.pop(guest, None)

    def changes(self, sitting: Sitting, events: Sequence[Event]) -> dict[str, bytes | Refused]:
        """For each connected viewer what to send, less its opening; or why they may not look any longer."""
        if not self._own:
            return {}
        change = _Change(sitting, events, self._common, self._public)
        self._common, self._public = change.common, change.public
        result: dict[str, bytes | Refused] = {}
        for guest, own in list(self._own.items()):
            try:
                result[guest] = change.tell(guest, own)
            except Refused as refusal:
                del self._own[guest]
                result[guest] = refusal
        return result


class _Change:
    """From one moment to the next; what is the same for all viewers is found once."""

    def __init__(self, sitting: Sitting, events: Sequence[Event], common: Fields, public: Fields) -> None:
        self.views = views = sitting.views(sitting.last_at)
        self.common, self.public = common, _public_of(views)
        self._begins = not public and bool(self.public)
        self._events = _Told(sitting, events)
        self._touched = _touched(sitting, events, common, public, self.public)
        if self._touched is None:
            self.common = views.common()
            self._common_text = _entries(_changed(common, self.common))
        else:
            self._common_text = _entries(_updated(common, views.moved()))
        changed = views.news(public) if public else {}  # type: ignore[arg-type]
        self._public_text = _entries({key: value for key, value in changed.items() if key not in _OWN})
        self._shared = {key: changed[key] for key in _SHARED if key in changed}
        self._played = [event.action for event in events if isinstance(event, e.Acted)]
        self._more = _more(self._played)
        self._alike_text = self._public_text
        """Of the game what all are told whose part was not looked at as a whole."""
        if self._touched is not None:
            self._alike_text = _joined(self._public_text, _entries(self._shared))
        self._rest: bytes | None = None

    def tell(self, guest: str, own: Own) -> bytes:
        """The message for a viewer; `own` is brought up to date."""
        seat, touched = own.fields["seat"], self._touched
        if touched is None or (seat in touched and not self._played):
            return self._tell_all(guest, own)
        own.game.update(self._shared)
        own.game["actions"] += self._played
        if seat in touched or own.fields["may_take_back"]:
            view = _entries(_updated(own.fields, self.views.deciding(seat, own.fields["is_yours"])))
            game = _entries(_updated(own.game, self.views.cards(seat))) if seat in touched else b""
            return self._events.of(guest) + self._text(view, _joined(self._alike_text, game), self._more)
        if not self._events.are_alike:
            return self._events.of(guest) + self._text(b"", self._alike_text, self._more)
        if self._rest is None:
            self._rest = self._events.of(guest) + self._text(b"", self._alike_text, self._more)
        return self._rest

    def _tell_all(self, guest: str, own: Own) -> bytes:
        """Whatever has changed in a viewer's own part."""
        before, known = own.fields, own.game
        own.fields = self.views.own(guest)
        own.game = _kept(self.views.own_game(own.fields["seat"]))
        changed, changed_game = _changed(before, own.fields), _changed(known, own.game)
        more: list[str] = []
        if self._begins:
            changed["game"], changed_game = {**self.public, **own.game}, {}
        elif "actions" in changed_game:
            count, actions = len(known["actions"]), own.game["actions"]
            if actions[:count] == known["actions"]:
                del changed_game["actions"]
                more = actions[count:]
        game = _joined(self._public_text, _entries(changed_game))
        return self._events.of(guest) + self._text(_entries(changed), game, _more(more))

    def _text(self, view: bytes, game: bytes, more: bytes) -> bytes:
        """All of a message that follows its events."""
        return b',"view":{%b},"game":{%b}%b}' % (_joined(self._common_text, view), game, more)


class _Told:
    """Events as JSON, for one viewer after another."""

    def __init__(self, sitting: Sitting, events: Sequence[Event]) -> None:
        self._sitting, self._events = sitting, events
        self._by, self._command = (events[0].by, events[0].command) if events else (None, "")
        self.are_alike = True
        """All who did not cause them are told of them in the same words."""
        for event in events:
            if not isinstance(event, _SAME_FOR_ALL) or event.by != self._by or event.command != self._command:
                self.are_alike = False
        self._heard: list[Event] = []
        self._others: bytes | None = None

    def of(self, guest: str) -> bytes:
        """The beginning of a message."""
        if not self.are_alike:
            return _told(self._hear(guest))
        if self._others is None:
            self._heard = self._hear(guest)
            self._others = self._as_if("")
        return self._others if guest != self._by else self._as_if(self._command)

    def _hear(self, guest: str) -> list[Event]:
        heard = [self._sitting.tell(event, guest) for event in self._events]
        return [event for event in heard if event is not None]

    def _as_if(self, command: str) -> bytes:
        """Who caused them knows them by the command's id besides."""
        for event in self._heard:
            event.command = command
        return _told(self._heard)


def _touched(
    sitting: Sitting, events: Sequence[Event], common: Fields, before: Fields, public: Fields
) -> set[int] | None:
    """The seats whose own part of the view can have changed; None: everybody's, and anything that is common."""
    if not before or sitting.status != "playing" or common["status"] != "playing":
        return None
    chosen = [event.seat for event in events if isinstance(event, e.Chosen)]
    if chosen and len(chosen) == len(events):
        return set(chosen)
    acted = [event.seat for event in events if isinstance(event, e.Acted)]
    if len(acted) != len(events) or public["round"] != before["round"]:
        return None
    if public["phase"] in SECRET_NAMES or before["phase"] in SECRET_NAMES:
        return None
    return {*acted, *common["asked"], *sitting.asked}


def _public_of(views: Views) -> Fields:
    game: Any = views.public_game()
    return game or {}


def _changed(old: Fields, new: Fields) -> Fields:
    return {
        name: value for name, value in new.items() if name not in old or (old[name] is not value and old[name] != value)
    }


def _updated(known: Fields, now: Fields) -> Fields:
    """What has changed of these fields; `known` is brought up to date."""
    changed: Fields = {}
    for name, value in now.items():
        if known[name] != value:
            known[name] = changed[name] = value
    return changed


def _told(heard: Sequence[Event]) -> bytes:
    return b'"events":' + _encode(heard)


def _kept(game: Fields) -> Fields:
    """A viewer's part of the game with actions of its own: they grow in place where it is kept up to date."""
    if game:
        game["actions"] = game["actions"].copy()
    return game


def _entries(fields: Fields) -> bytes:
    """A JSON object without its braces."""
    return _encode(fields)[1:-1] if fields else b""


def _more(actions: list[str]) -> bytes:
    return b',"more":{"actions":' + _encode(actions) + b"}" if actions else b""


def _joined(one: bytes, other: bytes) -> bytes:
    return one + b"," + other if one and other else one or other
