"""What needs the consent of the people at the table: taking back, pausing, going on, giving up."""

from __future__ import annotations

from atout.tables import commands as c
from atout.tables import events as e
from atout.tables.guards import playing_seat
from atout.tables.refusals import refuse
from atout.tables.settings import DAY
from atout.tables.state import OpenOffer, State

OFFER_SECONDS = 60.0
"""An offer nobody answers ends by itself."""


def offer(state: State, command: c.Offer, by: str | None, at: float) -> list[e.Event]:
    """One offer at a time. A takeback undoes one's own last action, and only while nothing was uncovered since:

    no other seat has acted, no choices were revealed, no cards dealt, and it was not taken back already. It is offered
    once: bots wait for the answer.
    """
    seat = playing_seat(state, by)
    if state.offer is not None:
        raise refuse("offer-open", what=state.offer.what)
    _check(state, seat, command.what)
    event = e.Offered(seat=seat, what=command.what)
    return [event, *effect(OpenOffer(command.what, seat, at, {seat}), state.people(command.what))]


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
    """What happens once everybody agrees; nothing before."""
    if not people <= offer.yes | {also}:
        return []
    done: dict[c.OfferKind, e.Event] = {
        "takeback": e.TakenBack(seat=offer.seat),
        "pause": e.Paused(),
        "resume": e.Resumed(),
        "abort": e.Closed(why="consent"),
    }
    return [done[offer.what]]


def without(state: State, gone: set[int]) -> list[e.Event]:
    """What becomes of an open offer when some can no longer answer."""
    if state.offer is None or not gone:
        return []
    people = state.people(state.offer.what)
    if state.offer.seat in gone:
        return [e.OfferEnded()]
    return effect(state.offer, people - gone)


def offer_ends(state: State) -> float | None:
    """When the open offer is over."""
    if state.offer is None:
        return None
    slow = state.settings.clock.kind == "days"
    return state.offer.at + (DAY if slow else OFFER_SECONDS)
