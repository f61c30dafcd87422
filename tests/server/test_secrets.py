"""Everything ever sent to a seat, held against what that seat may know.

After the match the log is read from the database and replayed. Then each message a viewer got must consist of nothing
but events as `tables/views.py` tells them to that viewer, and fields that are in that viewer's view of that moment, as
they are. (That redaction keeps secrets is shown in tests/tables and tests/properties, by drawing what is hidden again.)
"""

from __future__ import annotations

import asyncio
import json
import random
from typing import Any

import msgspec
import pytest

from atout.store import open_store
from atout.tables import AnyEvent, Table, TableView, decode
from atout.tables import events as e
from tests.server.background import Background
from tests.server.client import Json, Party, Socket


@pytest.mark.parametrize("edition", ["niet-2015", "nichtig"])
def test_nothing_outside_the_view_is_ever_sent(lone: Background, edition: str) -> None:
    heard, table = asyncio.run(play_a_match(lone, edition))
    log = asyncio.run(read_log(lone, table))
    guests: dict[int | None, str] = {event.seat: event.guest for event in log if isinstance(event, e.Sat)}
    viewers: dict[int | None, str | None] = {**guests, None: None}
    moments = Moments(log, list(viewers.values()))
    assert len(heard) == 5
    for seat, messages in heard.items():
        for message in messages:
            moments.check(viewers[seat], message)
    secret = next(event.secret for event in log if isinstance(event, e.Opened))
    for seat, messages in heard.items():
        before = [message for message in messages if message["view"].get("status") != "over"]
        text = "".join(json.dumps(message) for message in before)
        assert secret not in text
        assert not any(guest in text for guest in guests.values())
        assert seat is None or '"hand"' in text


async def play_a_match(server: Background, edition: str) -> tuple[dict[int | None, list[Json]], str]:
    """What every seat and a spectator heard. Some lines break on the way, some talk."""
    async with Party(server.url) as party:
        table, people, sockets = await party.table(edition=edition, spectators="public")
        watcher = await (await party.guest("Watcher")).connect(table)
        everybody: dict[int | None, list[Socket]] = {seat: [socket] for seat, socket in enumerate(sockets)}
        everybody[None] = [watcher]
        await sockets[1].do("say", text="hello")
        rounds = iter(range(2, 100))
        while sockets[0].view["status"] == "playing":
            number = next(rounds)
            rng = random.Random(number)
            await asyncio.gather(
                *(socket.play_on(rng, lambda view, n=number: view["game"]["round"] >= n) for socket in sockets)
            )
            seat = number % 4
            again = await people[seat].connect(table, seen=sockets[seat].view["number"] - 3)
            await sockets[seat].close()
            sockets[seat] = again
            everybody[seat].append(again)
        while watcher.view["status"] == "playing":
            await watcher.receive()
        return {
            seat: [json.loads(text) for one in lines for text in one.raw] for seat, lines in everybody.items()
        }, table


async def read_log(server: Background, table: str) -> list[AnyEvent]:
    store = await open_store(f"sqlite:///{server.log.parent}/atout.db")
    try:
        return [decode(line) for line in await store.events(table)]
    finally:
        await store.close()


class Moments:
    """The table after every event, as each viewer may see it; and how they are told of each."""

    def __init__(self, log: list[AnyEvent], viewers: list[str | None]) -> None:
        self.views: dict[tuple[int, str | None], Json] = {}
        table = Table()
        for event in log:
            table.apply(event)
            views = table.views(table.last_at)
            for viewer in viewers:
                self.views[event.number, viewer] = whole(views.of(viewer, is_new=False))
        visible = [(event.number, viewer, table.visible_event(event, viewer)) for event in log for viewer in viewers]
        self.visible = {(number, viewer): as_data(event) for number, viewer, event in visible if event is not None}

    def check(self, viewer: str | None, message: Json) -> None:
        assert message["type"] in ("welcome", "told")
        assert set(message) <= {"type", "time", "resumed", "events", "view", "game", "more", "done"}
        for event in message.get("events", ()):
            assert event == self.visible[event["number"], viewer]
        if message["type"] == "told" and not message["events"] and not message["view"]:
            return
        number = message["view"].get("number") or message["events"][-1]["number"]
        view = self.views[number, viewer]
        for name, value in message["view"].items():
            if name != "is_host":
                assert value == view[name], (name, number)
        for name, value in message.get("game", {}).items():
            assert value == view["game"][name], (name, number)
        for name, value in message.get("more", {}).items():
            assert value == view["game"][name][-len(value) :]


def whole(view: TableView) -> Json:
    """With the fields that have their defaults, too."""
    return {name: as_data(getattr(view, name)) for name in TableView.__struct_fields__}


def as_data(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))
