"""The short ways of telling: of one action in the open within a round, or of one part of a secret choice. Nearly all
that happens at a table is one or the other.

What it changed for all is written once; what is new for those it concerns is added to that.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from atout.game.news import Sight
from atout.tables import Table
from atout.tables import events as e
from atout.tables.views import Views, tell_all

Fields = dict[str, Any]
_encode = msgspec.json.Encoder().encode


class Own(Struct):
    """What a viewer was told last, beside what everybody sees."""

    fields: Fields
    game: Fields
    """Empty before the match, and after what was told in a short way: nobody is asked there what they knew."""


class News(NamedTuple):
    """What is new of the game for everybody: as text, and the sights before and after."""

    text: bytes
    before: Sight
    now: Sight


def tell_move(
    table: Table, views: Views, event: e.Acted, news: News, common: Fields, viewers: dict[str, Own]
) -> dict[str, bytes]:
    """For each viewer what to send, less its opening.

    `common` and the viewers' own fields are brought up to date, their part of the game is forgotten.
    """
    text, before, now = news
    touched: set[int | None] = {event.seat, *common["asked"], *table.asked}
    if views.all_choose:
        touched.add(None)  # of a secret choice that begins, spectators have their own part, too
    view = entries(updated(common, views.moved()))
    more = b'},"more":{"actions":["%b"]}}' % event.action.encode()
    told = tell_all(event)
    events = b'"events":[%b],"view":{' % _encode(told)
    rest = b'%b%b},"game":{%b%b' % (events, view, text, more)
    result: dict[str, bytes] = {}
    for guest, own in viewers.items():
        fields = own.fields
        seat = fields["seat"]
        if own.game:
            own.game = {}
        if seat not in touched and not fields["may_take_back"]:
            result[guest] = rest
            continue
        mine = joined(view, _deciding(fields, *views.deciding(seat, fields["is_yours"])))
        cards = joined(text, views.cards(seat, before, now)) if seat in touched else text
        opening = events
        if guest == event.by:
            told.command = event.command  # who caused it knows it by the command's id besides
            opening = b'"events":[%b],"view":{' % _encode(told)
        result[guest] = b'%b%b},"game":{%b%b' % (opening, mine, cards, more)
    return result


def tell_choice(
    table: Table, views: Views, event: e.Chosen, common: Fields, viewers: dict[str, Own]
) -> dict[str, bytes]:
    """The same for a part of a secret choice, of which nobody but its seat sees more than that it is complete."""
    view, seat = entries(updated(common, views.moved())), event.seat
    others = b""
    result: dict[str, bytes] = {}
    for guest, own in viewers.items():
        fields = own.fields
        if fields["seat"] != seat:
            others = others or b'"events":%b,"view":{%b},"game":{}}' % (_heard(table, event, guest), view)
            result[guest] = others
            continue
        own.game = {}
        fields["choice"], game = views.choice(seat)
        mine = joined(
            _deciding(fields, *views.deciding(seat, fields["is_yours"])), entries({"choice": fields["choice"]})
        )
        result[guest] = b'"events":%b,"view":{%b},"game":{%b},"more":{"actions":["%b"]}}' % (
            _heard(table, event, guest),
            joined(view, mine),
            game,
            event.action.encode(),
        )
    return result


def _heard(table: Table, event: e.Event, guest: str) -> bytes:
    heard = table.tell(event, guest)
    return b"[]" if heard is None else b"[%b]" % _encode(heard)


def _deciding(fields: Fields, decision: int | None, may_take_back: bool) -> bytes:
    """What has changed of these two fields; they are brought up to date."""
    text = b""
    if fields["decision"] != decision:
        fields["decision"] = decision
        text = b'"decision":null' if decision is None else b'"decision":%d' % decision
    if fields["may_take_back"] is not may_take_back:
        fields["may_take_back"] = may_take_back
        text = joined(text, b'"may_take_back":true' if may_take_back else b'"may_take_back":false')
    return text


def updated(known: Fields, now: Fields) -> Fields:
    """What has changed of these fields; `known` is brought up to date."""
    changed: Fields = {}
    for name, value in now.items():
        if known[name] != value:
            known[name] = changed[name] = value
    return changed


def entries(fields: Fields) -> bytes:
    """A JSON object without its braces."""
    return _encode(fields)[1:-1] if fields else b""


def joined(one: bytes, other: bytes) -> bytes:
    return one + b"," + other if one and other else one or other
