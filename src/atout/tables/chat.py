"""Chat, and spectators' requests to see a seat's cards."""

from __future__ import annotations

from atout.tables import commands as c
from atout.tables import events as e
from atout.tables import guards
from atout.tables.devices import owner
from atout.tables.refusals import refuse
from atout.tables.seats import MAX_SAID, SAID_SECONDS
from atout.tables.state import State
from atout.tables.views import is_new_spectator

MAX_TEXT = 280
MAX_SPECTATORS = 20
"""Spectators who have leave or wait for an answer; those who were declined do not count."""
MAX_ASKED = 100
"""Requests that a table remembers, those that were declined too: one for each device and seat."""


def say(state: State, command: c.Say, by: str | None, at: float) -> list[e.Event]:
    """Only people with a seat may chat: a spectator may have seen cards."""
    index = guards.seat_of(state, by)
    if not state.settings.chat:
        raise refuse("no-chat")
    text = guards.tidied(command.text)
    if not 1 <= len(text) <= MAX_TEXT:
        raise refuse("bad-text", most=MAX_TEXT)
    said = state.seats[index].said
    if len(said) == MAX_SAID and at - said[0] < SAID_SECONDS:
        raise refuse("too-fast", most=MAX_SAID, seconds=int(SAID_SECONDS))
    return [e.Said(seat=index, text=text)]


def watch(state: State, command: c.Watch, by: str | None, at: float) -> list[e.Event]:
    """Ask a seat for leave to see its cards: one seat at a time, and not again who has said no.

    A guest with a seat may see only their own, so they cannot ask.
    """
    guest = guards.guest(by)
    if state.settings.spectators == "off":
        raise refuse("no-spectators")
    if state.settings.spectators != "leave":
        raise refuse("no-leave")
    if state.is_finished:
        raise refuse("is-over")
    if state.seat_at_device(guest) is not None:
        raise refuse("is-seated")
    seat = guards.known_seat(state, command.seat)
    other = state.other_hand(guest, seat, as_player=False)
    if other is not None:
        raise refuse("one-hand", seat=other)
    asked = [spectator for spectator in state.spectators if owner(spectator.guest) == owner(guest)]
    again = next((one.seat for one in asked if one.is_open or (one.allowed and one.seat == seat)), None)
    if again is not None:
        raise refuse("asks-already", seat=again)
    if any(one.is_declined and one.seat == seat for one in asked):
        raise refuse("watch-declined", seat=seat)
    if state.seats[seat].is_bot or not state.seats[seat].takes_requests:  # a bot never answers
        raise refuse("takes-no-requests", seat=seat)
    if sum(spectator.is_open or spectator.allowed for spectator in state.spectators) >= MAX_SPECTATORS:
        raise refuse("too-many-spectators", most=MAX_SPECTATORS)
    numbers = [i for i, one in enumerate(state.spectators) if one.seat == seat and owner(one.guest) == owner(guest)]
    watcher = numbers[0] if numbers else len(state.spectators)
    if watcher >= MAX_ASKED:
        raise refuse("too-many-spectators", most=MAX_ASKED)
    return [e.WatchAsked(seat=seat, watcher=watcher, name=guards.name(command.name), guest=guest)]


def admit(state: State, command: c.Admit, by: str | None, at: float) -> list[e.Event]:
    """Note somebody who looks at a private match: what they have seen is not kept from them after its end."""
    guards.server(by)
    return [e.Admitted(guest=command.guest)] if is_new_spectator(state, command.guest) else []


def take_requests(state: State, command: c.TakeRequests, by: str | None, at: float) -> list[e.Event]:
    """Decline all who ask now and whoever else would, or let everybody ask again."""
    seat = guards.seat_of(state, by)
    if state.settings.spectators != "leave":
        raise refuse("no-leave")
    if state.is_finished:
        raise refuse("is-over")
    return [e.RequestsTaken(seat=seat, yes=command.yes)]


def show(state: State, command: c.Show, by: str | None, at: float) -> list[e.Event]:
    """Answer a spectator. Nobody sees two hands in one match, not even one after the other."""
    index = guards.seat_of(state, by)
    numbers = [i for i, spectator in enumerate(state.spectators) if spectator.seat == index]
    if command.watcher not in numbers:
        raise refuse("no-such-watcher")
    guest = state.spectators[command.watcher].guest
    other = state.other_hand(guest, index, as_player=False)
    if command.yes and other is not None:
        raise refuse("has-watched", seat=other)
    if command.yes and state.seat_at_device(guest) is not None:
        raise refuse("is-seated")
    return [e.Shown(seat=index, watcher=command.watcher, yes=command.yes)]
