"""Nobody sees two hands of one match: neither at once nor one after the other, by whatever way."""

from __future__ import annotations

import random

import pytest

from atout.tables import Refused, Table, TableSettings, decode
from atout.tables import commands as c
from tests.tables.players import Driver, people

ONE_HAND = "one-hand"


def code(table: Driver, command: c.Command, by: str | None) -> str:
    """The code with which a command is refused, here and by the table that its event log makes."""
    codes = []
    for one in (table.table, Table.from_events(map(decode, table.log))):
        with pytest.raises(Refused) as found:
            one.decide(command, by, table.now)
        codes.append(found.value.code)
    assert len(set(codes)) == 1
    return codes[0]


def watched(**settings: object) -> Driver:
    return people("nichtig", 3, spectators="leave", **settings)


def show(table: Driver, seat: int, guest: str) -> None:
    asked = table.do(c.Watch(seat=seat, name="Eve"), guest)
    table.do(c.Show(watcher=asked[0].watcher, yes=True), f"g{seat}")  # type: ignore[attr-defined]


def test_who_gave_a_seat_away_watches_no_other() -> None:
    table = watched()
    table.do(c.MoveSeat(seat=0, guest="friend"), None)
    assert code(table, c.Watch(seat=1, name="Ann"), "g0") == ONE_HAND
    assert table.view("g0").seat is None
    show_again = table.do(c.Watch(seat=0, name="Ann"), "g0")
    assert show_again, "the hand they had is no other hand"


def test_who_asked_before_is_not_shown_a_hand_after_having_had_another() -> None:
    table = Driver(TableSettings("nichtig", 3, spectators="leave"))
    table.do(c.Watch(seat=1, name="Ann"), "g0")
    table.fill()
    table.do(c.MoveSeat(seat=0, guest="friend"), None)
    assert code(table, c.Show(watcher=0, yes=True), "g1") == "has-watched"


def test_leave_given_before_the_match_ends_when_its_guest_sits_down() -> None:
    """Otherwise it would come back when they give their seat away."""
    table = Driver(TableSettings("nichtig", 3, spectators="leave"))
    table.do(c.Sit(name="Bob", seat=1), "g1")
    table.do(c.Watch(seat=1, name="Ann"), "g0")
    table.do(c.Show(watcher=0, yes=True), "g1")
    table.do(c.Sit(name="Ann", seat=0), "g0")
    table.do(c.Sit(name="Cid", seat=2), "g2")
    assert table.view("g0").seat == 0
    table.do(c.MoveSeat(seat=0, guest="friend"), None)
    view = table.view("g0")
    assert view.game is not None
    assert (view.seat, view.game["hand"]) == (None, [])


def test_who_gave_a_seat_away_gets_no_other_seat() -> None:
    table = watched()
    table.do(c.MoveSeat(seat=0, guest="friend"), None)
    assert code(table, c.MoveSeat(seat=2, guest="g0"), None) == ONE_HAND
    table.do(c.MoveSeat(seat=0, guest="g0"), None)
    assert table.view("g0").seat == 0, "but their own again"
    assert code(table, c.MoveSeat(seat=1, guest="friend"), None) == ONE_HAND, "who held it in between has seen it too"


def test_who_watched_a_seat_gets_no_other_and_watches_no_other() -> None:
    table = watched()
    show(table, 1, "eve")
    assert code(table, c.Watch(seat=2, name="Eve"), "eve") == ONE_HAND
    assert code(table, c.MoveSeat(seat=2, guest="eve"), None) == ONE_HAND
    table.do(c.MoveSeat(seat=1, guest="eve"), None)
    assert table.view("eve").is_yours


def test_others_at_a_device_are_its_owner() -> None:
    """Ids such as `eve+2` are given out at shared tables alone. Should one come otherwise, it sees no second hand."""
    table = watched()
    show(table, 1, "eve")
    assert code(table, c.Watch(seat=2, name="Eve"), "eve+2") == ONE_HAND
    assert code(table, c.MoveSeat(seat=2, guest="eve+2"), None) == ONE_HAND
    assert code(table, c.Watch(seat=1, name="Ann"), "g0+1") == "is-seated"


def test_a_shared_device_holds_several_hands_but_watches_none_besides() -> None:
    table = Driver(TableSettings("nichtig", 3, spectators="leave", shared=True), host="ann")
    for player, guest in enumerate(["ann", "ann+1", "bob"]):
        table.do(c.Sit(name=f"Person {player}", seat=player), guest)
    assert [table.view(guest).seat for guest in ("ann", "ann+1", "bob")] == [0, 1, 2]
    assert code(table, c.Watch(seat=2, name="Ann"), "ann+2") == "is-seated"
    table.do(c.MoveSeat(seat=1, guest="ann+3"), None)
    table.do(c.MoveSeat(seat=0, guest="cid"), None)
    table.do(c.MoveSeat(seat=1, guest="dan"), None)
    assert code(table, c.Watch(seat=2, name="Ann"), "ann+2") == ONE_HAND


def test_a_new_match_begins_anew() -> None:
    table = watched()
    table.do(c.MoveSeat(seat=0, guest="friend"), None)
    table.playout(random.Random(1))
    table.do(c.Rematch(table="t2", secret="77" * 32), "friend")
    opening = table.table.rematch()
    assert opening is not None
    again = Driver(opening[0].settings, table="t2")
    for seat, guest in enumerate(["friend", "g1", "g2"]):
        again.do(c.Sit(name="Somebody", seat=seat), guest)
    show(again, 1, "g0")
    assert again.view("g0").seat == 1
