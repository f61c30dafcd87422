"""A guest is taken out of an event log: nothing names them any more, and nothing else changes."""

from __future__ import annotations

import random

import msgspec
import pytest
from msgspec.structs import replace

from atout.records import Verifier
from atout.tables import Table, TableSettings, check_fair, decode, encode
from atout.tables import commands as c
from atout.tables.forget import SOMEBODY, is_alias, named_guests, new_alias, without_guest
from atout.tables.join import with_account
from tests.tables.players import Driver, people

ANN, NAME, WORDS, COMMAND = "ann-7c1", "Zyx Quillfeather", "Xanadu Crescent", "cmd-81f3"


def forgotten(table: Driver, guest: str) -> Driver:
    """The table as its event log without the guest makes it."""
    alias = new_alias()
    for number, event in enumerate(table.events):
        table.log[number] = encode(without_guest(event, guest, alias))
    table.table = Table.from_events(table.events)
    table.do(c.Forget(guest=alias), None)
    return table


def seated(**settings: object) -> Driver:
    """Ann, Bob and a bot play; Ann has said something."""
    seats = ["open", "open", "random"]
    table = Driver(TableSettings("nichtig", 3, seats=seats, **settings), host=ANN)  # type: ignore[arg-type]
    table.do(c.Sit(name="Ann", entropy="ab"), ANN)
    table.do(c.Rename(name=NAME, id=COMMAND), ANN)
    table.do(c.Say(text=WORDS), ANN)
    return table


def is_named(table: Driver) -> bool:
    log = b"\n".join(table.log)
    return any(word.encode() in log for word in (ANN, NAME, "Ann", WORDS, COMMAND))


def test_the_match_goes_on_and_can_be_verified() -> None:
    table = seated()
    table.do(c.Sit(name="Bob", entropy="cd"), "bob")
    for _ in range(7):
        table.step(random.Random(1))
    before = table.view("bob")
    assert is_named(table)
    forgotten(table, ANN)
    after = table.view("bob")
    assert not is_named(table)
    assert (after.game, after.asked, after.entropy) == (before.game, before.asked, before.entropy)
    assert (after.seats[0].name, after.seats[0].has_left, after.seats[1].name) == (SOMEBODY, True, "Bob")
    assert [message.text for message in after.chat] == ["…"]
    table.do(c.Offer(what="stand-in", whom=0), "bob")
    assert table.view("bob").seats[0].is_stood_in
    table.playout(random.Random(2))
    record = table.table.record()
    assert record is not None
    assert record["names"] == [SOMEBODY, "Bob", "random"]
    Verifier().check(msgspec.json.encode(record))
    check_fair(record)


def test_before_the_match_the_seat_is_open_again() -> None:
    table = forgotten(seated(), ANN)
    assert table.status == "closed", "nobody else was there"
    table = seated(autostart=False)
    table.do(c.Sit(name="Bob"), "bob")
    forgotten(table, ANN)
    assert [(seat.kind, seat.name) for seat in table.view("bob").seats[:2]] == [("open", ""), ("person", "Bob")]
    assert not is_named(table)


def test_a_rematch_keeps_no_seat_for_them() -> None:
    table = people("nichtig", 3).playout(random.Random(1))
    table.do(c.Rematch(table="t2", secret="77" * 32), "g1")
    opening = table.table.rematch()
    assert opening is not None
    again = Table()
    (opened,) = again.decide(opening[0], opening[1], table.now)
    assert named_guests(opened) == ["g0", "g1", "g2"]
    assert b'"g1"' not in encode(without_guest(opened, "g1", new_alias()))
    forgotten(table, "g1")
    opening = table.table.rematch()
    assert opening is not None
    assert [kept and kept.guest for kept in opening[0].kept] == ["g0", None, "g2"]


@pytest.mark.parametrize("player", ["eve", "eve+2"])
def test_who_only_asked_to_watch(player: str) -> None:
    table = people("nichtig", 3, spectators="leave", shared=True)
    (asked,) = table.do(c.Watch(seat=1, name=NAME), player)
    assert named_guests(asked) == ["eve"]
    forgotten(table, "eve")
    assert not any(b"eve" in body or NAME.encode() in body for body in table.log)
    assert table.view("g1").watchers[0].name == SOMEBODY


def test_who_only_looked() -> None:
    table = people("nichtig", 3, spectators="public")
    (admitted,) = table.do(c.Admit(guest="eve"), None)
    assert named_guests(admitted) == ["eve"]
    assert decode(encode(with_account(admitted, "eve", "ann"))) == replace(admitted, guest="ann")
    forgotten(table, "eve")
    assert not any(b"eve" in body for body in table.log)


def test_an_alias_is_nobody() -> None:
    assert is_alias(new_alias())
    assert new_alias() != new_alias()
