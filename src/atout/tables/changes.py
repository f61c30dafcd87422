"""How fast, and how often, people may change a table other than by moves: its event log is kept, and read again whole.

Chat has a rate of its own (`seats.py`). An answer needs no limit, because it needs an offer first.
"""

from __future__ import annotations

from atout.tables import commands as c
from atout.tables import events as e
from atout.tables.devices import owner
from atout.tables.refusals import refuse
from atout.tables.state import State

MAX_QUICK, QUICK_SECONDS = 10, 10.0
"""Rate limit: at most so many changes by one guest in so many seconds."""
MAX_CHANGES = 5000
"""Changes at one table by all guests, chat included; moves are not counted."""
ASKING = (c.Watch, c.Show, c.TakeRequests)
PACED = (c.Sit, c.Leave, c.Rename, c.SetSeat, c.Offer, c.Withdraw, c.StandIn, c.Reclaim, *ASKING)
COUNTED = (c.Sit, c.Leave, c.Rename, c.SetSeat, c.Offer, c.Withdraw, c.StandIn, *ASKING, c.Say)
"""Without `Reclaim`: whoever left or was replaced may always come back."""
PACED_EVENTS = frozenset(
    {e.Sat, e.Left, e.Renamed, e.SeatSet, e.Offered, e.Withdrawn, e.StoodIn, e.Reclaimed}
    | {e.WatchAsked, e.Shown, e.RequestsTaken}
)


def check_pace(state: State, command: c.Command, by: str | None, at: float) -> None:
    """`Refused` if a guest changes the table too fast, or it was changed too often. The server has no limit."""
    if by is None:
        return
    if isinstance(command, PACED):
        latest = state.latest_changes.get(owner(by), ())
        if len(latest) == MAX_QUICK and at - latest[0] < QUICK_SECONDS:
            raise refuse("too-fast", most=MAX_QUICK, seconds=int(QUICK_SECONDS))
    if isinstance(command, COUNTED) and state.change_count >= MAX_CHANGES:
        raise refuse("too-many-changes", most=MAX_CHANGES)


def count_change(state: State, event: e.Event) -> None:
    """Called for every event of a log."""
    if event.by is None:
        return
    if type(event) in PACED_EVENTS:
        device = owner(event.by)
        state.latest_changes[device] = *state.latest_changes.get(device, ())[1 - MAX_QUICK :], event.at
        state.change_count += 1
    elif isinstance(event, e.Said):
        state.change_count += 1
