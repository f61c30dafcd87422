"""Changes other than moves have a rate and a number: nobody makes an event log endless."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from atout.tables import Refused, Table, TableSettings, changes
from atout.tables import commands as c
from atout.tables.changes import MAX_QUICK, QUICK_SECONDS
from atout.tables.settings import MAX_TARGET
from tests.tables.players import SECRET, Driver, people


def times_until_refused(driver: Driver, code: str, *steps: Callable[[], tuple[c.Command, str]]) -> int:
    """How many commands are carried out, one after the other, before one is refused with this code."""
    done, refused = 0, ""
    while not refused:
        command, by = steps[done % len(steps)]()
        try:
            driver.do(command, by)
            done += 1
        except Refused as refusal:
            refused = refusal.code
        assert done < 1000, "nothing was refused"
    assert refused == code
    return done


def waiting() -> Driver:
    return Driver(TableSettings("nichtig", 3))


def chosen(driver: Driver) -> c.Command:
    return c.Act(action=driver.legal("g0")[0], decision=driver.view("g0").decision)


def test_names_change_so_fast_and_no_faster() -> None:
    driver = people("nichtig", 3)
    sat = 1
    assert times_until_refused(driver, "too-fast", lambda: (c.Rename(name="Ann"), "g0")) == MAX_QUICK - sat
    with pytest.raises(Refused) as refused:
        driver.do(c.Rename(name="Ann"), "g0")
    assert refused.value.parameters == {"most": MAX_QUICK, "seconds": int(QUICK_SECONDS)}
    driver.do(c.Rename(name="Bob"), "g1")
    driver.do(chosen(driver), "g0")
    driver.now += QUICK_SECONDS
    driver.do(c.Rename(name="Ann"), "g0")


@pytest.mark.parametrize("player", ["g0", "g0+1"])
def test_seats_are_taken_and_left_so_fast_and_no_faster(player: str) -> None:
    """Also by several players of one device: they have one budget."""
    driver = Driver(TableSettings("nichtig", 3, shared=True))
    steps = [lambda: (c.Sit(name="Ann"), "g0"), lambda: (c.Leave(), "g0")]
    steps += [lambda: (c.Sit(name="Eve"), player), lambda: (c.Leave(), player)]
    assert times_until_refused(driver, "too-fast", *steps) == MAX_QUICK


def test_seats_are_given_to_bots_so_fast_and_no_faster() -> None:
    driver = waiting()
    steps = [lambda: (c.SetSeat(seat=1, to="random"), "g0"), lambda: (c.SetSeat(seat=1, to="open"), "g0")]
    assert times_until_refused(driver, "too-fast", *steps) == MAX_QUICK


def test_choices_are_changed_and_offers_made_so_fast_and_no_faster() -> None:
    driver, sat = people("nichtig", 3), 1
    times = times_until_refused(driver, "too-fast", lambda: (chosen(driver), "g0"), lambda: (c.Withdraw(), "g0"))
    assert times == 2 * (MAX_QUICK - sat) + 1, "a card, and withdrawn so often"
    other = people("nichtig", 3)
    steps = [lambda: (c.Offer(what="pause"), "g0"), lambda: (c.Answer(yes=False), "g1")]
    assert times_until_refused(other, "too-fast", *steps) == 2 * (MAX_QUICK - sat)


def test_a_table_is_changed_so_often_and_then_only_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changes, "MAX_CHANGES", 20)
    driver = people("nichtig", 3)

    def slowly() -> tuple[c.Command, str]:
        driver.now += QUICK_SECONDS
        return c.Rename(name="Ann"), "g0"

    assert times_until_refused(driver, "too-many-changes", slowly) == 20 - 3
    for command in (c.Say(text="Hello"), c.Offer(what="pause"), c.Leave(), c.StandIn()):
        with pytest.raises(Refused, match="only moves are left"):
            driver.do(command, "g1")
    driver.do(chosen(driver), "g0")
    driver.do(c.Away(seat=0), None)
    assert Table.from_events(driver.events)._state.change_count == 20


def test_whoever_left_may_come_back_to_a_table_that_was_changed_too_often(monkeypatch: pytest.MonkeyPatch) -> None:
    driver = people("nichtig", 3)
    driver.do(c.Leave(), "g0")
    monkeypatch.setattr(changes, "MAX_CHANGES", 4)
    driver.do(c.Reclaim(), "g0")


def test_a_target_score_is_one_that_is_reached_some_day() -> None:
    def opening(target: int, previous: str = "") -> c.Open:
        settings = TableSettings("nichtig", 3, options={"length": {"target": target}})
        return c.Open(table="t", settings=settings, secret=SECRET, previous=previous)

    with pytest.raises(Refused, match=f"{MAX_TARGET} at most"):
        Table().decide(opening(MAX_TARGET + 1), "g0", 0.0)
    assert Table().decide(opening(MAX_TARGET), "g0", 0.0)
    assert Table().decide(opening(MAX_TARGET + 1, previous="s"), "g0", 0.0), "the rematch of an older table"
