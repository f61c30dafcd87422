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
    """Ask a seat for leave to see its cards: one seat at a time, and no seat twice.

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
    again = next((one.seat for one in asked if one.is_open or (one.guest, one.seat) == (guest, seat)), None)
    if again is not None:
        raise refuse("asks-already", seat=again)
    if sum(spectator.is_open or spectator.allowed for spectator in state.spectators) >= MAX_SPECTATORS:
        raise refuse("too-many-spectators", most=MAX_SPECTATORS)
    return [e.WatchAsked(seat=seat, watcher=len(state.spectators), name=guards.name(command.name), guest=guest)]


def admit(state: State, command: c.Admit, by: str | None, at: float) -> list[e.Event]:
    """Note somebody who looks at a private match: what they have seen is not kept from them after its end."""
    guards.server(by)
    return [e.Admitted(guest=command.guest)] if is_new_spectator(state, command.guest) else []


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
