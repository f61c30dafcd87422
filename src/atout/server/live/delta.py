"""What is sent after a change: the events as each viewer may know them, and what they changed in their view.

A view has a part that is the same for everybody and a part of one's own. The common part is made, compared and encoded
once. A viewer's own part is looked at anew only where a change can have touched it: after an action within a round this
is the seat that acted, who was or is asked, and who could take back (`moving.py`); after a part of a secret choice the
seat that chose; after anything else everybody. All others are sent the same bytes. That rule saves work and hides
nothing: every part comes through the gate of `atout.tables`, and a test holds the sum of all changes against the whole
view.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from atout.errors import Refused
from atout.game.news import Sight
from atout.game.view import OWN_KEYS
from atout.server.live.moving import Fields, News, Own, entries, joined, tell_choice, tell_move
from atout.tables import Event, Table, TableView
from atout.tables import events as e
from atout.tables.views import Views

_encode = msgspec.json.Encoder().encode
_SAME_FOR_ALL = (e.Acted, e.Said, e.WentAway, e.CameBack, e.Sat, e.Left, e.Started, e.TimedOut, e.StoodIn, e.Reclaimed)
"""Events that are told to all viewers in the same words, but for the command they came from."""
_OWN = frozenset(OWN_KEYS)


class Teller:
    """Remembers what was told last, for the viewers who are connected."""

    def __init__(self) -> None:
        self._common: Fields = {}
        self._sight: Sight | None = None
        """Of the game, as everybody sees it; None before the match."""
        self._own: dict[str, Own] = {}

    def welcome(self, table: Table, guest: str) -> TableView:
        """The whole view of who comes in; from here on they are told changes. `Refused` if they may not look."""
        views = table.views(table.last_at)
        if not self._own:
            self._common, self._sight = views.common(), views.sight()
        own = self._own.get(guest)
        if own is None:
            own = self._own[guest] = Own(views.own(guest), {})
        own.game = views.own_game(own.fields["seat"])
        return TableView(**self._common, **own.fields, game=views.whole_game(own.game))

    def forget(self, guest: str) -> None:
        """Nobody is connected for this viewer any more."""
        self._own.pop(guest, None)

    def changes(self, table: Table, events: Sequence[Event]) -> Mapping[str, bytes | Refused]:
        """For each connected viewer what to send, less its opening; or why they may not look any longer."""
        if not self._own:
            return {}
        views = table.views(table.last_at)
        if self._sight is not None and len(events) == 1 and isinstance(events[0], e.Acted):
            found = views.news(self._sight)
            if found is not None:
                news = News(found[0], self._sight, found[1])
                self._sight = news.now
                return tell_move(table, views, events[0], news, self._common, self._own)
        if self._sight is not None and len(events) == 1 and isinstance(events[0], e.Chosen):
            return tell_choice(table, views, events[0], self._common, self._own)
        change = _Change(table, views, events, self._common, self._sight)
        self._common, self._sight = change.common, change.sight
        result: dict[str, bytes | Refused] = {}
        for guest, own in list(self._own.items()):
            try:
                result[guest] = change.tell(guest, own)
            except Refused as refusal:
                del self._own[guest]
                result[guest] = refusal
        return result


class _Change:
    """From one moment to the next; what is the same for all viewers is found once.

    Where it is not known what a viewer was told of their own part of the game, because moves were told since, all of it
    is told.
    """

    def __init__(
        self, table: Table, views: Views, events: Sequence[Event], common: Fields, before: Sight | None
    ) -> None:
        self.views, self.common = views, views.common()
        self._events = _Told(table, events)
        self._common_text = entries(_changed(common, self.common))
        self._public_text, self.sight = _public_news(views, before, e.TakenBack in map(type, events))
        self._begins = before is None and self.sight is not None

    def tell(self, guest: str, own: Own) -> bytes:
        """The message for a viewer; `own` is brought up to date."""
        before, known = own.fields, own.game
        own.fields = self.views.own(guest)
        own.game = self.views.own_game(own.fields["seat"])
        changed, changed_game = _changed(before, own.fields), _changed(known, own.game)
        more: list[str] = []
        if self._begins:
            changed["game"], changed_game = self.views.whole_game(own.game), {}
        elif "actions" in changed_game:
            count, actions = len(known.get("actions", ())), own.game["actions"]
            if count and actions[:count] == known["actions"]:
                del changed_game["actions"]
                more = actions[count:]
        return self._events.of(guest) + self._text(entries(changed), entries(changed_game), _more(more))

    def _text(self, view: bytes, game: bytes, more: bytes) -> bytes:
        """All of a message that follows its events."""
        return b',"view":{%b},"game":{%b}%b}' % (
            joined(self._common_text, view),
            joined(self._public_text, game),
            more,
        )


class _Told:
    """Events as JSON, for one viewer after another."""

    def __init__(self, table: Table, events: Sequence[Event]) -> None:
        self._table, self._events = table, events
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
        heard = [self._table.tell(event, guest) for event in self._events]
        return [event for event in heard if event is not None]

    def _as_if(self, command: str) -> bytes:
        """Who caused them knows them by the command's id besides."""
        for event in self._heard:
            event.command = command
        return _told(self._heard)


def _public_news(views: Views, before: Sight | None, is_undone: bool) -> tuple[bytes, Sight | None]:
    """What has changed of the game for everybody, and how they see it now; nothing if they are told of all of it."""
    if before is None:
        return b"", views.sight()
    found = views.common_news(before, is_undone)
    if found is not None:
        return found
    game: Any = views.public_game()
    return entries({key: value for key, value in game.items() if key not in _OWN}), views.sight()


def _changed(old: Fields, new: Fields) -> Fields:
    return {
        name: value for name, value in new.items() if name not in old or (old[name] is not value and old[name] != value)
    }


def _told(heard: Sequence[Event]) -> bytes:
    return b'"events":' + _encode(heard)


def _more(actions: list[str]) -> bytes:
    return b',"more":{"actions":' + _encode(actions) + b"}" if actions else b""
