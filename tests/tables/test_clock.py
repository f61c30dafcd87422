"""Clocks and grace with a clock of the tests' own; time that jumps does no harm."""

from __future__ import annotations

import random

import pytest

from atout.tables import Clock, Refused, Table, TableSettings
from atout.tables import commands as c
from atout.tables import events as e
from tests.tables.players import Driver, people


def kinds(events: list[e.Event]) -> list[tuple[type[e.Event], int]]:
    return [(type(event), event.seat) for event in events if isinstance(event, e.SeatEvent)]


def tick(table: Driver, now: float) -> list[e.Event]:
    table.now = now
    return table.do(c.Tick(), None)


def turn(table: Driver) -> int:
    return table.asked()[0]


def test_without_a_clock_nothing_waits_for_time() -> None:
    table = people()
    assert table.table.next_deadline() is None
    assert tick(table, 1e9) == []
    assert table.view("g0").seats[0].clock is None


def test_seconds_for_each_decision() -> None:
    """The bot makes that decision, and only that."""
    table = people(clock=Clock("decision", 30), stand_in="random")
    start, seat = table.now, turn(table)
    assert table.table.next_deadline() == start + 30
    assert tick(table, start + 29) == []
    assert table.view("g0").seats[seat].clock == 1
    assert kinds(tick(table, start + 30)) == [(e.TimedOut, seat)]
    assert tick(table, start + 31) == []
    with pytest.raises(Refused) as found:
        table.act(f"g{seat}", table.legal(f"g{seat}")[0])
    assert found.value.code == "too-late"
    (due,) = table.table.bot_turns()
    assert (due.seat, due.level) == (seat, "random")
    table.do(c.Act(action=due.legal[0], decision=due.decision), None)
    assert turn(table) != seat
    assert table.table.bot_turns() == []
    assert table.table.next_deadline() == table.now + 30
    assert table.view("g0").seats[seat].clock == 30
    assert not table.view("g0").seats[seat].is_stood_in


def test_a_clock_for_the_whole_match() -> None:
    """Time is used up over decisions, the increment added; then a bot has the seat until the end."""
    table = people(clock=Clock("game", 60, 5))
    seat = turn(table)
    table.now += 20
    table.act(f"g{seat}", table.legal(f"g{seat}")[0])
    assert table.view("g0").seats[seat].clock == 45
    table.now += 3
    other = turn(table)
    assert table.view("g0").seats[other].clock == 57
    assert table.view("g0").seats[other].clock_runs
    assert kinds(tick(table, table.now + 57)) == [(e.StoodIn, other)]
    assert table.view("g0").seats[other].bot == "club"
    with pytest.raises(Refused) as found:
        table.do(c.Reclaim(), f"g{other}")
    assert found.value.code == "time-is-up"
    assert [due.seat for due in table.table.bot_turns()] == [other]


def test_days_for_a_move() -> None:
    """Nobody has to be there: only who leaves is replaced."""
    table = people(clock=Clock("days", 2), grace=60)
    assert table.table.next_deadline() == table.now + 2 * 86_400
    for seat in range(4):
        table.do(c.Away(seat=seat), None)
    assert tick(table, table.now + 86_400) == []
    seat = turn(table)
    other = (seat + 1) % 4
    table.do(c.Leave(), f"g{other}")
    assert kinds(tick(table, table.now + 60)) == [(e.StoodIn, other)]
    assert kinds(tick(table, table.now + 86_400)) == [(e.TimedOut, seat)]


def test_a_leaver_is_replaced_after_the_grace_and_may_come_back() -> None:
    table = people(grace=45, clock=Clock("decision", 3600))
    seat = turn(table)
    me = f"g{seat}"
    table.do(c.Leave(), me)
    assert table.table.bot_turns() == []
    assert table.view(me).seats[seat].has_left
    assert table.table.next_deadline() == table.now + 45
    with pytest.raises(Refused) as found:
        table.act(me, table.legal(me)[0])
    assert found.value.code == "stood-in"
    assert table.do(c.Back(seat=seat), None) == []
    assert kinds(tick(table, table.now + 45)) == [(e.StoodIn, seat)]
    (due,) = table.table.bot_turns()
    table.do(c.Reclaim(), me)
    with pytest.raises(Refused) as found:
        table.do(c.Act(action=due.legal[0], decision=due.decision), None)
    assert found.value.code == "not-a-bot"
    table.act(me, table.legal(me)[0])
    with pytest.raises(Refused) as found:
        table.do(c.Reclaim(), me)
    assert found.value.code == "not-stood-in"


def test_a_lost_connection() -> None:
    table = people(grace=45, clock=Clock("decision", 3600))
    assert kinds(table.do(c.Away(seat=1), None)) == [(e.WentAway, 1)]
    assert table.do(c.Away(seat=1), None) == []
    assert not table.view("g0").seats[1].is_here
    table.now += 44
    assert kinds(table.do(c.Back(seat=1), None)) == [(e.CameBack, 1)]
    assert table.do(c.Back(seat=1), None) == []
    assert tick(table, table.now + 100) == []
    with pytest.raises(Refused) as found:
        table.do(c.Away(seat=1), "g1")
    assert found.value.code == "server-only"


def test_a_bot_on_request() -> None:
    table = people()
    seat = turn(table)
    table.do(c.StandIn(), f"g{seat}")
    assert [due.seat for due in table.table.bot_turns()] == [seat]
    with pytest.raises(Refused) as found:
        table.do(c.StandIn(), f"g{seat}")
    assert found.value.code == "stood-in"
    table.do(c.Reclaim(), f"g{seat}")
    assert table.table.bot_turns() == []


def test_with_a_clock_the_bots_finish_the_match_when_everybody_is_gone() -> None:
    table = people("nichtig", 3, grace=10, stand_in="random", clock=Clock("decision", 3600))
    for seat in range(3):
        table.do(c.Leave(), f"g{seat}")
    tick(table, table.now + 10)
    table.playout(random.Random(1))
    assert table.status == "over"


def test_a_pause_stops_clocks_and_grace() -> None:
    table = people("nichtig", 3, clock=Clock("decision", 30), grace=20, seats=["open", "random", "random"])
    table.now += 10
    table.do(c.Offer(what="pause"), "g0")
    assert table.status == "paused"
    assert table.table.next_deadline() is None
    assert table.table.bot_turns() == []
    table.do(c.Away(seat=0), None)
    assert tick(table, table.now + 1000) == []
    table.do(c.Back(seat=0), None)
    table.do(c.Offer(what="resume"), "g0")
    assert table.view("g0").seats[0].clock == 20
    assert table.table.next_deadline() == table.now + 20


def test_a_clock_that_jumps_back_does_no_harm() -> None:
    table = people(clock=Clock("game", 600))
    rng = random.Random(1)
    for _ in range(30):
        table.step(rng)
    latest = table.events[-1].at
    table.now -= 500
    before = [seat.clock for seat in table.view("g0").seats]
    for _ in range(30):
        seat = turn(table)
        table.act(f"g{seat}", table.legal(f"g{seat}")[0])
        assert table.do(c.Tick(), None) == []
    assert {event.at for event in table.events[-30:]} == {latest}
    assert [seat.clock for seat in table.view("g0").seats] == before
    Table.from_events(table.events)


def test_all_clocks_run_where_all_choose() -> None:
    """Each stops when its own choice is complete; withdrawing does not wind it up."""
    table = people("nichtig", 3, clock=Clock("decision", 30))
    start = table.now
    assert [seat.clock_runs for seat in table.view("g0").seats] == [True] * 3
    table.now += 10
    for _ in range(3):
        table.act("g1", table.legal("g1")[0])
    assert [seat.clock_runs for seat in table.view("g0").seats] == [True, False, True]
    table.now += 10
    table.do(c.Withdraw(), "g1")
    assert table.view("g0").seats[1].clock == 20
    assert kinds(tick(table, start + 30)) == [(e.TimedOut, 0), (e.TimedOut, 2)]
    assert [due.seat for due in table.table.bot_turns()] == [0, 2]
    while due := table.table.bot_turns():
        table.do(c.Act(action=due[0].legal[0], decision=due[0].decision), None)
    with pytest.raises(Refused) as found:
        table.do(c.Withdraw(), "g0")
    assert found.value.code == "too-late"
    while table.phase == "lay":
        table.act("g1", table.legal("g1")[0])
    assert {seat.clock for seat in table.view("g0").seats} == {30}
    assert not any(seat.bot for seat in table.view("g0").seats)


def test_a_table_that_waits_knows_no_time() -> None:
    table = Driver(TableSettings("niet-2015", 4, clock=Clock("decision", 5)))
    table.do(c.Sit(name="Ann"), "ann")
    table.do(c.Away(seat=0), None)
    assert table.table.next_deadline() is None
    assert tick(table, 1e9) == []


def test_a_takeback_gives_everybody_their_time_for_the_decision_back() -> None:
    table = people(clock=Clock("decision", 30))
    seat = turn(table)
    table.act(f"g{seat}", table.legal(f"g{seat}")[0])
    table.now += 10
    table.do(c.Offer(what="takeback"), f"g{seat}")
    for other in range(4):
        if other != seat:
            table.do(c.Answer(yes=True), f"g{other}")
    assert turn(table) == seat
    assert {view.clock for view in table.view("g0").seats} == {30}
    assert table.table.next_deadline() == table.now + 30
