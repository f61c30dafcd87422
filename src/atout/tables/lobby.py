"""Opening a table, taking and leaving seats, starting, closing, rematch."""

from __future__ import annotations

from msgspec.structs import replace

from atout.bots import LEVELS
from atout.tables import commands as c
from atout.tables import events as e
from atout.tables import guards
from atout.tables.daily import shuffle_name
from atout.tables.offers import without
from atout.tables.origin import Origin
from atout.tables.refusals import refuse
from atout.tables.settings import OPEN, TableSettings, check_devices, check_length, check_settings
from atout.tables.shuffle import SECRET_BYTES, Shuffler, commitment
from atout.tables.state import State

TEXTS = ("name", "subtitle", "author")
"""The texts in house rules: whoever writes the rules chooses them freely."""


def open_table(state: State, command: c.Open, by: str | None, at: float) -> list[e.Event]:
    """The first event of a log. It publishes the commitment before anybody can contribute entropy."""
    settings = tidied_settings(command.settings)
    rules = check_settings(settings)
    if not command.previous:
        check_length(rules)
        check_devices(settings)
    _check_secret(command.secret)
    opened = e.Opened(
        table=command.table,
        settings=settings,
        commitment=commitment(shuffle_name(command.table, command.daily), command.secret),
        secret=command.secret,
        previous=command.previous,
        kept=command.kept,
        origin=command.origin,
        daily=command.daily,
    )
    if not settings.autostart or OPEN in settings.levels():
        return [opened]
    entropy = [""] * rules.players
    shuffler = Shuffler(rules, shuffle_name(command.table, command.daily), command.secret, entropy)
    return [opened, e.Started(entropy=entropy, first_dealer=_first_dealer(shuffler, command.origin))]


def _first_dealer(shuffler: Shuffler, origin: Origin | None) -> int:
    return shuffler.first_dealer() if origin is None else origin.first_dealer


def tidied_settings(settings: TableSettings) -> TableSettings:
    """The settings with the texts of house rules tidied like names: everybody at the table reads them."""
    edition = settings.edition
    if not isinstance(edition, dict):
        return settings
    texts = {key: guards.tidied(edition[key]) for key in TEXTS if isinstance(edition.get(key), str)}
    return replace(settings, edition={**edition, **texts})


def _check_secret(secret: str) -> None:
    try:
        fits = len(bytes.fromhex(secret)) == SECRET_BYTES and secret == secret.lower()
    except ValueError:
        fits = False
    if not fits:
        raise refuse("bad-secret")


def sit(state: State, command: c.Sit, by: str | None, at: float) -> list[e.Event]:
    guards.waiting(state)
    guest = guards.guest(by)
    has = state.seat_of(guest)
    if has is not None:
        raise refuse("already-seated", seat=has)
    name, entropy = guards.name(command.name), guards.entropy(command.entropy)
    seat = _free_seat(state, guest, command.seat)
    sat = e.Sat(seat=seat, name=name, guest=guest, entropy=entropy)
    return [sat, *_start_if_full(state, seat, entropy)]


def _free_seat(state: State, guest: str, wanted: int | None) -> int:
    if wanted is None:
        order = sorted(range(len(state.seats)), key=lambda i: state.seats[i].kept != guest)
        free = [i for i in order if not state.seats[i].is_filled and state.seats[i].kept in (None, guest)]
        if not free:
            raise refuse("no-free-seat")
        return free[0]
    seat = state.seats[guards.known_seat(state, wanted)]
    if seat.is_filled:
        raise refuse("seat-taken", seat=wanted)
    if seat.kept not in (None, guest):
        raise refuse("seat-kept", seat=wanted)
    return wanted


def _start_if_full(state: State, filled: int, entropy: str) -> list[e.Event]:
    """The start of the match, if this seat was the last open one and the table starts automatically."""
    full = all(seat.is_filled for i, seat in enumerate(state.seats) if i != filled)
    if not (full and state.settings.autostart):
        return []
    brought = [seat.entropy for seat in state.seats]
    brought[filled] = entropy
    return [_started(state, brought)]


def _started(state: State, entropy: list[str]) -> e.Started:
    if state.daily:
        entropy = [""] * len(entropy)  # the same cards for everybody
    shuffler = Shuffler(state.rules, shuffle_name(state.table, state.daily), state.secret, entropy)
    return e.Started(entropy=entropy, first_dealer=_first_dealer(shuffler, state.origin))


def start(state: State, command: c.Start, by: str | None, at: float) -> list[e.Event]:
    guards.waiting(state)
    guards.host(state, by)
    missing = [i for i, seat in enumerate(state.seats) if not seat.is_filled]
    if missing:
        raise refuse("seats-open", seats=", ".join(map(str, missing)))
    return [_started(state, [seat.entropy for seat in state.seats])]


def set_seat(state: State, command: c.SetSeat, by: str | None, at: float) -> list[e.Event]:
    guards.waiting(state)
    guards.host(state, by)
    seat = guards.known_seat(state, command.seat)
    if command.to != OPEN and command.to not in LEVELS:
        raise refuse("not-level", levels=", ".join(LEVELS))
    event = e.SeatSet(seat=seat, to=command.to)
    return [event] if command.to == OPEN else [event, *_start_if_full(state, seat, "")]


def leave(state: State, command: c.Leave, by: str | None, at: float) -> list[e.Event]:
    seat = guards.seat_of(state, by)
    if state.is_finished:
        raise refuse("not-playing", status=state.status)
    if state.seats[seat].has_left:
        raise refuse("no-seat")
    return [e.Left(seat=seat), *without(state, {seat})]


def rename(state: State, command: c.Rename, by: str | None, at: float) -> list[e.Event]:
    seat = guards.seat_of(state, by)
    if state.is_finished:
        raise refuse("is-over")
    return [e.Renamed(seat=seat, name=guards.name(command.name))]


def stand_in(state: State, command: c.StandIn, by: str | None, at: float) -> list[e.Event]:
    seat = guards.seat_of(state, by)
    guards.started(state)
    if state.seats[seat].is_stood_in:
        raise refuse("stood-in")
    return [e.StoodIn(seat=seat, why="asked"), *without(state, {seat})]


def reclaim(state: State, command: c.Reclaim, by: str | None, at: float) -> list[e.Event]:
    index = guards.seat_of(state, by)
    guards.started(state)
    seat = state.seats[index]
    if seat.flagged:
        raise refuse("time-is-up")
    if not (seat.is_stood_in or seat.has_left):
        raise refuse("not-stood-in")
    return [e.Reclaimed(seat=index)]


def away(state: State, command: c.Away, by: str | None, at: float) -> list[e.Event]:
    """No connection of a seat is left. Repeated, it changes nothing."""
    guards.server(by)
    seat = guards.known_seat(state, command.seat)
    if state.is_finished or state.seats[seat].guest is None or state.seats[seat].away is not None:
        return []
    hinders = state.offer is not None and state.offer.what in ("takeback", "abort")
    gone = set() if hinders or state.settings.clock.kind == "days" else {seat}
    return [e.WentAway(seat=seat), *without(state, gone)]


def back(state: State, command: c.Back, by: str | None, at: float) -> list[e.Event]:
    """A seat is connected again. A player who left, or for whom a bot plays, must reclaim the seat as well."""
    guards.server(by)
    seat = guards.known_seat(state, command.seat)
    if state.is_finished or state.seats[seat].away is None or state.seats[seat].has_left:
        return []
    return [e.CameBack(seat=seat)]


def move_seat(state: State, command: c.MoveSeat, by: str | None, at: float) -> list[e.Event]:
    guards.server(by)
    seat = guards.known_seat(state, command.seat)
    if state.seats[seat].guest is None:
        raise refuse("no-seat")
    has = state.seat_of(command.guest)
    if has is not None:
        raise refuse("already-seated", seat=has)
    other = state.other_hand(command.guest, seat, as_player=True)
    if other is not None and state.status in ("playing", "paused"):
        raise refuse("one-hand", seat=other)
    return [e.SeatMoved(seat=seat, guest=command.guest)]


def close(state: State, command: c.Close, by: str | None, at: float) -> list[e.Event]:
    """Close a table before its match. A match in progress is aborted by consent (`Offer`), or by the server."""
    if state.is_finished:
        raise refuse("is-over")
    guards.host(state, by)
    if by is not None:
        guards.waiting(state)
    return [e.Closed(why="server" if by is None else "host")]


def rematch(state: State, command: c.Rematch, by: str | None, at: float) -> list[e.Event]:
    """The first player who asks opens the rematch for all, also after a match that was given up."""
    guards.seat_of(state, by)
    if state.status != "over" and not (state.status == "closed" and state.game is not None):
        raise refuse("not-over")
    if state.next_table is not None:
        raise refuse("rematch-made", table=state.next_table[0])
    _check_secret(command.secret)
    return [e.Rematched(table=command.table, secret=command.secret)]
