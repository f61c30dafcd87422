"""Without a clock nobody is replaced against the players' will, and a table where only bots are left waits."""

from __future__ import annotations

import random

import pytest

from atout.tables import Clock, Refused, Table, TableSettings
from atout.tables import commands as c
from atout.tables import events as e
from tests.tables.players import Driver, people

LONG = 100 * 86_400.0


def alone(**more: object) -> Driver:
    """One person and bots."""
    return people("niet-2015", 4, seats=["open", "club", "club", "club"], **more)


def kinds(events: list[e.Event]) -> list[str]:
    return [type(event).__name__ for event in events]


def refusal(table: Driver, command: c.Command, by: str | None) -> str:
    with pytest.raises(Refused) as found:
        table.do(command, by)
    return found.value.code


def bots_turn(table: Driver) -> Driver:
    """Play until a bot is asked."""
    rng = random.Random(1)
    while not table.table.bot_turns():
        table.step(rng)
    return table


@pytest.mark.parametrize("goes", [c.Away(seat=0), c.Leave()])
def test_a_table_where_only_bots_are_left_waits_for_days(goes: c.Command) -> None:
    table = bots_turn(alone(grace=0.0))
    (due,) = table.table.bot_turns()
    table.do(goes, "g0" if isinstance(goes, c.Leave) else None)
    for _ in range(3):
        table.now += LONG
        assert table.do(c.Tick(), None) == []
        assert table.table.bot_turns() == []
        assert table.table.next_deadline() is None
    assert table.view("g0").is_deserted
    number = table.table.number
    assert refusal(table, c.Act(action=due.legal[0], decision=due.decision), None) == "nobody-there"
    assert table.table.number == number
    assert Table.from_events(table.events).bot_turns() == []

    back = c.Reclaim() if isinstance(goes, c.Leave) else c.Back(seat=0)
    table.do(back, "g0" if isinstance(goes, c.Leave) else None)
    assert not table.view("g0").is_deserted
    (again,) = table.table.bot_turns()
    assert (again.seat, again.decision, again.seed) == (due.seat, due.decision, due.seed)
    assert again.asked == table.now, "it takes its time from now on, not from when everybody left"
    table.do(c.Act(action=again.legal[0], decision=again.decision), None)


def test_a_bot_that_was_asked_to_play_does_so_while_its_player_looks_on() -> None:
    table = alone()
    table.do(c.StandIn(), "g0")
    rng = random.Random(1)
    for _ in range(20):
        assert table.step(rng)
    table.do(c.Away(seat=0), None)
    assert table.table.bot_turns() == []
    table.do(c.Back(seat=0), None)
    assert table.table.bot_turns() != []


def test_a_table_of_bots_needs_nobody() -> None:
    table = Driver(TableSettings("nichtig", 3, seats=["random"] * 3))
    assert table.status == "playing"
    assert table.table.bot_turns() != []


def test_with_a_clock_the_clock_decides() -> None:
    table = alone(clock=Clock("decision", 30), grace=20.0)
    table.do(c.Away(seat=0), None)
    assert not table.view("g0").is_deserted
    table.now += 20
    assert "StoodIn" in kinds(table.do(c.Tick(), None))
    table = people(clock=Clock("decision", 30))
    table.do(c.Away(seat=1), None)
    assert refusal(table, c.Offer(what="stand-in", whom=1), "g0") == "clock-decides"


def test_the_one_who_is_left_lets_a_bot_play_and_the_other_takes_the_seat_again() -> None:
    table = people("niet-2015", 2)
    table.do(c.Away(seat=1), None)
    table.now += LONG
    assert table.do(c.Tick(), None) == []
    assert table.table.next_deadline() is None
    assert not table.view("g0").seats[1].is_stood_in, "nobody is replaced unless they agree"
    assert kinds(table.do(c.Offer(what="stand-in", whom=1), "g0")) == ["Offered", "StoodIn"]
    assert table.view("g0").seats[1].bot == "club"
    assert table.view("g0").offer is None
    table.do(c.Back(seat=1), None)
    assert table.view("g1").seats[1].is_stood_in
    table.do(c.Reclaim(), "g1")
    assert not table.view("g1").seats[1].is_stood_in


def test_all_who_are_there_are_asked() -> None:
    table = people()
    table.do(c.Leave(), "g3")
    table.do(c.Away(seat=2), None)
    table.do(c.Offer(what="stand-in", whom=3), "g0")
    offer = table.view("g1").offer
    assert offer is not None
    assert (offer.what, offer.seat, offer.whom, offer.agreed) == ("stand-in", 0, 3, [0])
    assert refusal(table, c.Offer(what="stand-in", whom=2), "g1") == "offer-open"
    table.do(c.Answer(yes=False), "g1")
    assert not table.view("g0").seats[3].is_stood_in
    table.do(c.Offer(what="stand-in", whom=3), "g1")
    assert kinds(table.do(c.Answer(yes=True), "g0")) == ["Answered", "StoodIn"]
    assert table.view("g0").seats[3].is_stood_in
    assert not table.view("g0").seats[2].is_stood_in


@pytest.mark.parametrize("returns", [c.Back(seat=2), c.Reclaim()])
def test_who_is_back_needs_no_bot(returns: c.Command) -> None:
    table = people()
    table.do(c.Leave() if isinstance(returns, c.Reclaim) else c.Away(seat=2), _by(returns))
    table.do(c.Offer(what="stand-in", whom=2), "g0")
    table.do(returns, _by(returns))
    assert table.view("g0").offer is None
    assert refusal(table, c.Answer(yes=True), "g1") == "no-offer"
    assert refusal(table, c.Offer(what="stand-in", whom=2), "g0") == "not-away"


def _by(command: c.Command) -> str | None:
    return "g2" if isinstance(command, c.Reclaim) else None


def test_whose_seat_a_bot_may_play() -> None:
    table = people("niet-2015", 4, seats=["open", "open", "open", "novice"])
    assert refusal(table, c.Offer(what="stand-in", whom=3), "g0") == "not-away"
    assert refusal(table, c.Offer(what="stand-in", whom=1), "g0") == "not-away"
    assert refusal(table, c.Offer(what="stand-in"), "g0") == "no-such-seat"
    assert refusal(table, c.Offer(what="stand-in", whom=5), "g0") == "no-such-seat"


def test_an_agreed_bot_waits_too_when_the_last_player_goes() -> None:
    """The first player who comes back finds the table unchanged: the seat can be taken again, nothing was played."""
    table = people("niet-2015", 2)
    table.do(c.Leave(), "g1")
    table.do(c.Offer(what="stand-in", whom=1), "g0")
    table.do(c.Away(seat=0), None)
    table.now += LONG
    assert table.table.bot_turns() == []
    table.do(c.Reclaim(), "g1")
    assert not table.view("g1").is_deserted
    assert not table.view("g1").seats[1].has_left


@pytest.mark.parametrize(
    ("bots", "level"),
    [
        (["open", "novice", "novice"], "club"),
        (["open", "random", "expert"], "expert"),
        (["open", "open", "learned"], "learned"),
        (["open", "open", "open"], "club"),
    ],
)
def test_the_stand_in_is_as_strong_as_the_bots_and_solid_at_least(bots: list[str], level: str) -> None:
    table = people("nichtig", 3, seats=bots)
    table.do(c.StandIn(), "g0")
    assert table.view("g0").seats[0].bot == level
    assert {turn.level for turn in table.table.bot_turns() if turn.seat == 0} == {level}


def test_the_host_may_seat_a_stronger_bot_later() -> None:
    table = Driver(TableSettings("nichtig", 3))
    table.do(c.Sit(name="Ann", seat=0), "g0")
    table.do(c.SetSeat(seat=1, to="expert"), "g0")
    table.do(c.SetSeat(seat=2, to="novice"), "g0")
    table.do(c.StandIn(), "g0")
    assert table.view("g0").seats[0].bot == "expert"


def test_the_record_says_for_whom_a_bot_finished() -> None:
    table = people("nichtig", 3, stand_in="random")
    table.do(c.Leave(), "g2")
    table.do(c.Offer(what="stand-in", whom=2), "g0")
    table.do(c.Answer(yes=True), "g1")
    table.playout(random.Random(1))
    assert table.status == "over"
    record = table.table.record()
    assert record is not None
    assert record["stand_ins"] == [2]
    assert record["bots"] == [None, None, None]

    table = people("nichtig", 3, stand_in="random")
    table.do(c.StandIn(), "g2")
    table.do(c.Reclaim(), "g2")
    table.playout(random.Random(1))
    record = table.table.record()
    assert record is not None
    assert "stand_ins" not in record
