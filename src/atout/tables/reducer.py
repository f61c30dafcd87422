"""The reducer: how each event changes the state. `Table.decide` has made all checks; nothing is refused here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from atout.errors import UsageError
from atout.game import Game
from atout.tables import events as e
from atout.tables.changes import count_change
from atout.tables.daily import shuffle_name
from atout.tables.dedup import with_event
from atout.tables.devices import owner
from atout.tables.forget import apply_forgotten
from atout.tables.seats import MAX_SAID, Seat
from atout.tables.settings import DAY, rules_of
from atout.tables.shuffle import Shuffler
from atout.tables.state import CHAT_MESSAGES, ChatMessage, OpenOffer, Spectator, State


def apply(state: State, event: e.Event) -> None:
    """Apply the next event of the log to the state."""
    if event.number != state.number + 1:
        raise UsageError(f"event {event.number} does not follow event {state.number}; expected {state.number + 1}")
    state.number, state.at = event.number, event.at
    if event.command and event.by is not None:
        state.done[event.by] = with_event(state.done.get(event.by, b""), event.command, event.number)
    count_change(state, event)
    _APPLY[type(event)](state, event)
    state.refresh()
    _run_clocks(state)
    _ask_bots(state)


def _run_clocks(state: State) -> None:
    if state.game is None or state.settings.clock.kind == "none":
        return
    asked = state.asked if state.status == "playing" else []
    for i, seat in enumerate(state.seats):
        seat.run(i in asked and not seat.is_played_by_bot, state.at)


def _ask_bots(state: State) -> None:
    """Note since when each bot has been asked: its answer appears at a time that follows from this."""
    due = state.bots_asked
    for i, seat in enumerate(state.seats):
        if i not in due:
            seat.bot_asked = None
        elif seat.bot_asked is None or seat.bot_asked[0] != state.decision_of(i):
            seat.bot_asked = state.decision_of(i), state.at


def _opened(state: State, event: e.Opened) -> None:
    state.table, state.settings, state.host = event.table, event.settings, event.by
    state.rules = rules_of(event.settings)
    state.secret, state.commitment, state.previous = event.secret, event.commitment, event.previous
    state.opened_at, state.origin, state.daily = event.at, event.origin, event.daily
    state.seats = [Seat(level, event.settings.clock) for level in event.settings.levels()]
    for seat, kept in zip(state.seats, event.kept, strict=False):
        if kept is not None:
            seat.kept, seat.name, seat.named_by = kept.guest, kept.name, kept.named_by or kept.guest


def _sat(state: State, event: e.Sat) -> None:
    seat = state.seats[event.seat]
    seat.guest, seat.name, seat.entropy, seat.kept = event.guest, event.name, event.entropy, None
    seat.named_by = event.guest
    state.end_requests(event.seat)
    _watches_no_more(state, event.guest)


def _watches_no_more(state: State, guest: str) -> None:
    """A player sees only their own hand. Leave to see another one ends, even if they give up their seat later."""
    device = owner(guest)
    for spectator in state.spectators:
        if owner(spectator.guest) == device:
            spectator.allowed = spectator.is_open = False
    if state.game is None:
        state.watched.pop(device, None)  # no cards were dealt yet


def _left(state: State, event: e.Left) -> None:
    seat = state.seats[event.seat]
    if state.game is None:
        seat.open()
        state.end_requests(event.seat)
    else:
        seat.has_left = True
        seat.away = event.at if seat.away is None else seat.away


def _seat_set(state: State, event: e.SeatSet) -> None:
    state.seats[event.seat].open()
    state.end_requests(event.seat)
    state.seats[event.seat].level = event.to


def _renamed(state: State, event: e.Renamed) -> None:
    state.seats[event.seat].name, state.seats[event.seat].named_by = event.name, event.by


def _seat_moved(state: State, event: e.SeatMoved) -> None:
    seat = state.seats[event.seat]
    if seat.guest == state.host:
        state.host = event.guest
    seat.guest = event.guest
    state.end_requests(event.seat)
    _watches_no_more(state, event.guest)
    if state.game is not None:
        state.held.setdefault(event.guest, set()).add(event.seat)


def _started(state: State, event: e.Started) -> None:
    state.entropy, state.started_at = event.entropy, event.at
    for number, seat in enumerate(state.seats):
        if seat.guest is not None:
            state.held.setdefault(seat.guest, set()).add(number)
    shuffler = state.shuffler = Shuffler(
        state.rules, shuffle_name(state.table, state.daily), state.secret, event.entropy
    )
    deals = state.deals or (lambda number: shuffler.hands(number + 1))
    if state.origin is None:
        state.game = Game.at(state.rules, 0, event.first_dealer, deals)
    else:
        state.game = state.origin.start(state.rules, deals)
    _game_changed(state)


def _game_changed(state: State) -> None:
    """A new decision is due. An offered takeback of the last one is void."""
    state.decision = state.number
    if state.offer is not None and state.offer.what == "takeback":
        state.offer = None
    if state.game is not None and state.game.is_over:
        state.ended_at, state.offer, state.shuffler = state.at, None, None


def _acted(state: State, event: e.Acted) -> None:
    assert state.game is not None
    before = state.game.round
    _note_help(state, event)
    state.game.play(event.action)
    state.seats[event.seat].decided(event.at)
    state.last_actor = event.seat if state.game.round == before and not state.game.is_over else None
    _game_changed(state)


def _note_help(state: State, event: e.Acted | e.Chosen) -> None:
    if event.forfeit or (event.bot and not state.seats[event.seat].is_bot):
        state.is_regular = False


def _chosen(state: State, event: e.Chosen) -> None:
    assert state.game is not None
    _note_help(state, event)
    seat = state.seats[event.seat]
    seat.chosen = *seat.chosen, state.game.notation.action(state.game.notation.entry(event.action))
    seat.decision = event.number


def _withdrawn(state: State, event: e.Withdrawn) -> None:
    seat = state.seats[event.seat]
    seat.chosen, seat.decision = (), event.number


def _revealed(state: State, event: e.Revealed) -> None:
    assert state.game is not None
    for action in state.choices_in_order():
        state.game.play(action)
    for seat in state.seats:
        seat.chosen = ()
        seat.decided(event.at)
    state.last_actor = None
    _game_changed(state)


def _timed_out(state: State, event: e.TimedOut) -> None:
    state.seats[event.seat].is_overdue = True


def _went_away(state: State, event: e.WentAway) -> None:
    state.seats[event.seat].away = event.at


def _came_back(state: State, event: e.CameBack) -> None:
    state.seats[event.seat].away = None
    _needs_no_bot(state, event.seat)


def _needs_no_bot(state: State, seat: int) -> None:
    """An offer to let a bot play the seat is void."""
    if state.offer is not None and state.offer.whom == seat:
        state.offer = None


def _stood_in(state: State, event: e.StoodIn) -> None:
    seat = state.seats[event.seat]
    seat.why_stood_in, seat.flagged = event.why, event.why == "clock"
    _needs_no_bot(state, event.seat)


def _reclaimed(state: State, event: e.Reclaimed) -> None:
    seat = state.seats[event.seat]
    seat.why_stood_in, seat.has_left, seat.away = "", False, None
    _needs_no_bot(state, event.seat)


def _offered(state: State, event: e.Offered) -> None:
    state.offer = OpenOffer(event.what, event.seat, event.at, {event.seat}, event.whom, event.days)


def _answered(state: State, event: e.Answered) -> None:
    if event.yes and state.offer is not None:
        state.offer.yes.add(event.seat)
    else:
        _decline(state)


def _offer_ended(state: State, event: e.OfferEnded) -> None:
    _decline(state)


def _decline(state: State) -> None:
    if state.offer is not None and state.offer.what == "takeback":
        state.declined = state.decision
    state.offer = None


def _taken_back(state: State, event: e.TakenBack) -> None:
    assert state.game is not None
    state.game.undo()
    for seat in state.seats:
        seat.run(False, event.at)
        seat.renew()
    state.last_actor = None
    _game_changed(state)


def _paused(state: State, event: e.Paused) -> None:
    state.is_paused, state.offer = True, None
    state.paused_until = None if event.days is None else event.at + event.days * DAY


def _resumed(state: State, event: e.Resumed) -> None:
    state.is_paused, state.offer, state.resumed_at = False, None, event.at
    state.paused_until = None


def _said(state: State, event: e.Said) -> None:
    seat = state.seats[event.seat]
    seat.said = *seat.said[1 - MAX_SAID :], event.at
    state.chat = [*state.chat[1 - CHAT_MESSAGES :], ChatMessage(event.seat, seat.name, event.text, event.at)]


def _watch_asked(state: State, event: e.WatchAsked) -> None:
    """A guest who asks a seat again has the number of their first request."""
    state.spectators[event.watcher : event.watcher + 1] = [Spectator(event.guest, event.name, event.seat)]


def _shown(state: State, event: e.Shown) -> None:
    spectator = state.spectators[event.watcher]
    spectator.allowed, spectator.is_open, spectator.is_declined = event.yes, False, not event.yes
    if event.yes:
        state.watched.setdefault(owner(spectator.guest), set()).add(event.seat)


def _requests_taken(state: State, event: e.RequestsTaken) -> None:
    state.seats[event.seat].takes_requests = event.yes
    for spectator in state.spectators:
        if spectator.seat != event.seat:
            continue
        if event.yes:
            spectator.is_declined = False
        elif spectator.is_open:
            spectator.is_open, spectator.is_declined = False, True


def _admitted(state: State, event: e.Admitted) -> None:
    state.admitted.add(owner(event.guest))


def _closed(state: State, event: e.Closed) -> None:
    state.closed, state.ended_at, state.offer = event.why, event.at, None
    state.paused_until = None


def _rematched(state: State, event: e.Rematched) -> None:
    state.next_table = event.table, event.secret


def _joined(state: State, event: e.Joined) -> None:
    """Earlier events say all."""


_APPLY: dict[type[e.Event], Callable[[State, Any], None]] = {
    e.Opened: _opened,
    e.Sat: _sat,
    e.Left: _left,
    e.SeatSet: _seat_set,
    e.Renamed: _renamed,
    e.SeatMoved: _seat_moved,
    e.Started: _started,
    e.Acted: _acted,
    e.Chosen: _chosen,
    e.Withdrawn: _withdrawn,
    e.Revealed: _revealed,
    e.TimedOut: _timed_out,
    e.WentAway: _went_away,
    e.CameBack: _came_back,
    e.StoodIn: _stood_in,
    e.Reclaimed: _reclaimed,
    e.Offered: _offered,
    e.Answered: _answered,
    e.OfferEnded: _offer_ended,
    e.TakenBack: _taken_back,
    e.Paused: _paused,
    e.Resumed: _resumed,
    e.Said: _said,
    e.WatchAsked: _watch_asked,
    e.Shown: _shown,
    e.RequestsTaken: _requests_taken,
    e.Admitted: _admitted,
    e.Closed: _closed,
    e.Rematched: _rematched,
    e.Joined: _joined,
    e.Forgotten: apply_forgotten,
}
