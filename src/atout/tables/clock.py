"""What happens because time passes: clocks and graces run out, offers and vacations end."""

from __future__ import annotations

from atout.tables import commands as c
from atout.tables import events as e
from atout.tables import guards
from atout.tables.offers import offer_ends, without
from atout.tables.state import State


def tick(state: State, command: c.Tick, by: str | None, at: float) -> list[e.Event]:
    """The events that are due; often none."""
    guards.server(by)
    found: list[e.Event] = []
    gone: set[int] = set()
    for index, seat in enumerate(state.seats):
        runs_out, grace_ends = seat.runs_out, state.grace_ends(seat)
        if runs_out is not None and runs_out <= at:
            if state.settings.clock.kind == "game":
                found.append(e.StoodIn(seat=index, why="clock"))
                gone.add(index)
            else:
                found.append(e.TimedOut(seat=index))
        if grace_ends is not None and grace_ends <= at and index not in gone:
            found.append(e.StoodIn(seat=index, why="grace"))
            gone.add(index)
    if state.paused_until is not None and state.paused_until <= at:
        return [*found, e.Resumed()]
    ends = offer_ends(state)
    if ends is not None and ends <= at:
        return [*found, e.OfferEnded()]
    return found + without(state, gone)


def next_deadline(state: State) -> float | None:
    """When the next `Tick` is due. Usually None: no offer, clock or grace is running. Asked after every move."""
    times = [] if state.offer is None else [offer_ends(state)]
    if state.paused_until is not None:
        times.append(state.paused_until)
    for seat in state.seats:
        if seat.since is not None or seat.away is not None:
            times += [seat.runs_out, state.grace_ends(seat)]
    return min((time for time in times if time is not None), default=None) if times else None
