"""A match with a day per move, in a test's own time: a week of moves, a vacation, and somebody who stays away."""

from __future__ import annotations

import random

from atout.tables import Clock, check_fair
from atout.tables import commands as c
from atout.tables import events as e
from tests.tables.players import people

DAY = 86_400.0


def test_a_match_over_many_days() -> None:
    table, rng = (
        people("nichtig", 3, clock=Clock("days", 1), seats=["open"] * 3, options={"length": {"target": 10}}),
        random.Random(3),
    )
    begun, vacation, late = table.now, False, 0
    while table.table.status in ("playing", "paused"):
        if table.now - begun > 3 * DAY and not vacation:
            vacation = True
            table.do(c.Offer(what="pause", days=7), "g0")
            table.do(c.Answer(yes=True), "g1")
            table.do(c.Answer(yes=True), "g2")
            deadline = table.table.next_deadline()
            assert deadline == table.now + 7 * DAY
            table.now = deadline
            assert [type(event) for event in table.do(c.Tick(), None)] == [e.Resumed]
        thoughts = table.table.bot_turns()
        if thoughts:  # for somebody whose day is over
            table.do(c.Act(action=rng.choice(thoughts[0].legal), decision=thoughts[0].decision), None)
            continue
        seat = table.asked()[0]
        if seat == 2 and late < 3:  # stays away: the clock decides
            table.now += DAY
            events = table.do(c.Tick(), None)
            late += 1
            assert [type(event) for event in events] == [e.TimedOut] * len(events)
            assert events
            continue
        table.now += DAY / 8
        table.act(f"g{seat}", rng.choice(table.legal(f"g{seat}")))
    assert table.table.status == "over"
    assert table.now - begun > 7 * DAY
    record = table.table.record()
    assert record is not None
    check_fair(dict(record))
