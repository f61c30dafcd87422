"""Whole matches through commands: every edition and number of players, replayed event by event."""

from __future__ import annotations

import random

import msgspec
import pytest

from atout import Game, UsageError
from atout.errors import Refused
from atout.records import Verifier
from atout.tables import AnyEvent, Table, TableSettings, TableView, check_fair, decode, encode
from atout.tables import commands as c
from tests.properties.matches import PLACES
from tests.tables.players import Driver, as_json, people

every_place = pytest.mark.parametrize(("edition", "players"), PLACES)


@every_place
def test_a_whole_match_is_a_right_and_fair_record(edition: str, players: int) -> None:
    """People and bots mixed; whoever is asked acts in any order, also where all choose at once."""
    seats = ["open" if seat % 2 == 0 else "random" for seat in range(players)]
    driver = Driver(TableSettings(edition, players, seats=seats)).fill().playout(random.Random(players))
    table = driver.table
    assert table.status == "over"
    record = table.record()
    assert record is not None
    Verifier().check(as_json(record))
    assert table.view_for("g0", driver.now).winners == record["winners"]
    assert check_fair(record) == len(record["rounds"])
    assert record["bots"] == [None if seat == "open" else seat for seat in seats]
    assert Game.from_record(record).record()["rounds"] == record["rounds"]


@pytest.mark.parametrize(("edition", "players"), [("niet-2015", 4), ("njet-2007", 5), ("nichtig", 3)])
def test_the_state_is_the_replay_of_the_log(edition: str, players: int) -> None:
    """At every event: the same views for everybody, byte for byte, and the same things due."""
    seats = ["open"] * (players - 1) + ["random"]
    table = people(edition, players, spectators="public", visibility="public", seats=seats)
    twin = Table.from_events(table.events)
    rng = random.Random(1)
    viewers = [*table.table.guests, None]
    while table.table.number < 250 and table.step(rng):
        for event in table.events[twin.number :]:
            twin.apply(event)
        assert as_json(twin.views_for(viewers, table.now)) == as_json(table.table.views_for(viewers, table.now))
        assert twin.next_deadline() == table.table.next_deadline()
        assert twin.bot_turns() == table.table.bot_turns()
    fresh = Table.from_events(table.events)
    assert as_json(fresh.views_for(viewers, table.now)) == as_json(table.table.views_for(viewers, table.now))


def test_events_are_numbered_and_read_back() -> None:
    table = people().playout(random.Random(3))
    events = table.events
    assert [event.number for event in events] == list(range(1, len(events) + 1))
    assert [encode(event) for event in events] == table.log
    times = [event.at for event in events]
    assert times == sorted(times)


def test_texts_of_house_rules_are_tidied() -> None:
    house = {"id": "mine", "base": "nichtig", "name": "Mi\u202ene\0", "author": " A\u3164nn ", "subtitle": "\u2066x\ny"}
    table = Driver(TableSettings(house, 3))
    assert isinstance(table.table.settings.edition, dict)
    found = [table.table.settings.edition[key] for key in ("name", "author", "subtitle")]
    assert found == ["Mi ne", "A nn", "x y"]
    with pytest.raises(Refused):
        Driver(TableSettings({**house, "name": "\u202e"}, 3))


def test_house_rules_play_and_travel_with_the_record() -> None:
    house = {"id": "mine", "base": "nichtig", "name": "Mine", "players": {"3": {"hand": 5, "rounds": 2, "lay": 2}}}
    table = Driver(TableSettings(house, 3)).fill().playout(random.Random(1))
    record = table.table.record()
    assert record is not None
    assert record["rules"]["id"] == "mine"
    assert check_fair(record) == 2


def test_events_come_one_after_the_other() -> None:
    events = people().events
    with pytest.raises(UsageError, match="event 3 does not follow event 1; expected 2"):
        Table.from_events([events[0], events[2]])


def test_a_view_and_an_event_survive_the_wire() -> None:
    """They are types a schema can be made of, and read back as what they were."""
    table = people("nichtig", 3).play_until("play", random.Random(1))
    view = table.view("g1")
    assert msgspec.json.decode(as_json(view), type=TableView) == view
    for event in table.events:
        heard = table.table.visible_event(event, "g1")
        if heard is not None:
            assert decode(as_json(heard)) == heard
    for kind in (TableView, AnyEvent, c.GuestCommand):
        assert msgspec.json.schema(kind)["$defs"]


def test_deciding_changes_nothing() -> None:
    table = people(spectators="public")
    before = as_json(table.view(None))
    table.table.decide(c.Say(text="hello"), "g1", table.now)
    table.table.decide(c.Leave(), "g1", table.now)
    assert as_json(table.view(None)) == before
    assert table.table.number == len(table.log)
