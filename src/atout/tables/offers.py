"""Offers: what needs the consent of the people at the table (takeback, pause, resume, abort, stand-in)."""

from __future__ import annotations

from atout.tables import commands as c
from atout.tables import events as e
from atout.tables.guards import known_seat, playing_seat
from atout.tables.refusals import refuse
from atout.tables.settings import DAY
from atout.tables.state import OpenOffer, State

OFFER_SECONDS = 60.0
"""An offer that nobody answers ends after this."""


def offer(state: State, command: c.Offer, by: str | None, at: float) -> list[e.Event]:
    """Make an offer; there is one at a time.

    A takeback undoes their own last action, and only while nothing was uncovered since: no other seat has acted, no
    choices were revealed, no cards dealt. It is offered only once per action, because bots wait for the answer.
    """
    seat = playing_seat(state, by)
    if state.offer is not None:
        raise refuse("offer-open", what=state.offer.what)
    _check(state, seat, command.what)
    whom = _absent(state, command.whom) if command.what == "stand-in" else None
    days = _days(state, command)
    event = e.Offered(seat=seat, what=command.what, whom=whom, days=days)
    return [event, *effect(OpenOffer(command.what, seat, at, {seat}, whom, days), state.people(command.what))]


def _days(state: State, command: c.Offer) -> int | None:
    """How long a pause would be. Only a table with days per move has a pause with an end."""
    if command.days is not None and (command.what != "pause" or state.settings.clock.kind != "days"):
        raise refuse("no-vacation")
    return command.days


def _check(state: State, seat: int, what: c.OfferKind) -> None:
    needed = "paused" if what == "resume" else "playing"
    if what == "abort" and state.status == "paused":
        return
    if state.status != needed:
        if state.status == "paused":
            raise refuse("is-paused")
        if what == "resume" and state.status == "playing":
            raise refuse("not-paused")
        raise refuse("not-playing", status=state.status)
    if what == "takeback":
        if not state.settings.takeback:
            raise refuse("no-takebacks")
        if state.last_actor != seat:
            raise refuse("nothing-to-take-back")
        if state.declined == state.decision:
            raise refuse("was-declined")


def _absent(state: State, whom: int | None) -> int:
    """The seat that a bot may play, if the others agree."""
    index = known_seat(state, -1 if whom is None else whom)
    seat = state.seats[index]
    if state.settings.clock.kind != "none":
        raise refuse("clock-decides")
    if seat.guest is None or seat.away is None or seat.is_stood_in:
        raise refuse("not-away", seat=index)
    return index


def answer(state: State, command: c.Answer, by: str | None, at: float) -> list[e.Event]:
    seat = playing_seat(state, by)
    open_offer = state.offer
    if open_offer is None:
        raise refuse("no-offer")
    if command.yes and seat in open_offer.yes:
        raise refuse("has-answered")
    event = e.Answered(seat=seat, yes=command.yes)
    if not command.yes:
        return [event]
    return [event, *effect(open_offer, state.people(open_offer.what), seat)]


def effect(offer: OpenOffer, people: set[int], also: int | None = None) -> list[e.Event]:
    """The event that follows once everybody agrees; none before that."""
    if not people <= offer.yes | {also}:
        return []
    if offer.what == "stand-in":
        assert offer.whom is not None
        return [e.StoodIn(seat=offer.whom, why="agreed")]
    done: dict[c.OfferKind, e.Event] = {
        "takeback": e.TakenBack(seat=offer.seat),
        "pause": e.Paused(days=offer.days),
        "resume": e.Resumed(),
        "abort": e.Closed(why="consent"),
    }
    return [done[offer.what]]


def without(state: State, gone: set[int]) -> list[e.Event]:
    """What follows for the open offer when these seats can no longer answer."""
    if state.offer is None or not gone:
        return []
    people = state.people(state.offer.what)
    if state.offer.seat in gone:
        return [e.OfferEnded()]
    return effect(state.offer, people - gone)


def offer_ends(state: State) -> float | None:
    """When the open offer ends; None without one. With days per move there is as much time for an answer."""
    if state.offer is None:
        return None
    clock = state.settings.clock
    return state.offer.at + (max(clock.seconds or 0.0, DAY) if clock.kind == "days" else OFFER_SECONDS)
