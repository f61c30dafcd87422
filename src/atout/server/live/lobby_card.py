"""What is stored beside a table's events: its card in the lobby, its guests, and when to wake it."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import Struct

from atout.protocol.rest import CardDetail, CardSeat
from atout.store import LobbyCard
from atout.tables import Event, Table
from atout.tables import events as e
from atout.tables.devices import owner
from atout.tables.forget import is_alias

UNLISTED = {
    e.Acted, e.Chosen, e.Withdrawn, e.Revealed, e.Said, e.Offered, e.Answered, e.OfferEnded, e.TakenBack, e.Admitted,
}  # fmt: skip
"""Events that do not show on a card, unless they end the match."""
ACTIVE_SECONDS = 60.0
"""How exactly a card says when somebody was last active."""
WORKER_SECONDS = 3.0
"""How late a worker's bots may decide before another one asks them."""
AT_ONCE = 0.0
"""When a finished match is due to be settled: a time that lies in the past even if the clock is set back."""


class Listing(Struct, frozen=True):
    card: LobbyCard
    due: float | None
    guests: tuple[str, ...]


def listing_after(table: Table, before: Listing | None, events: Sequence[Event], bots_due: float | None) -> Listing:
    """The listing after these events; the card is the same object if nothing on it has changed.

    `bots_due` is when the bots decide that are asked now, None if none is.
    """
    at = table.last_at
    is_unlisted = UNLISTED.issuperset(map(type, events)) and not table.is_finished
    if before is not None and is_unlisted and at - before.card.active < ACTIVE_SECONDS:
        card, guests = before.card, before.guests
    else:
        card, guests = card_of(table), guests_of(table)
    if table.is_finished:
        return Listing(card, AT_ONCE, guests)
    return Listing(card, table.next_deadline() if bots_due is None else bots_due + WORKER_SECONDS, guests)


def guests_of(table: Table) -> tuple[str, ...]:
    """The guests in whose list the table is: the players, and the host until the match begins."""
    host = [table.host] if table.status == "waiting" else []
    people = [guest for guest in [*host, *table.guests] if guest is not None and not is_alias(guest)]
    return tuple(dict.fromkeys(map(owner, people)))


def card_of(table: Table) -> LobbyCard:
    """The table's card in the lobby."""
    settings, status = table.settings, table.status
    seats = table.views(table.last_at).common()["seats"]
    edition = settings.edition if isinstance(settings.edition, str) else str(settings.edition.get("id", ""))
    detail = CardDetail(
        players=settings.players,
        seats=[CardSeat(name=seat.name, kind=seat.kind, bot=seat.bot if seat.kind == "bot" else "") for seat in seats],
        options=settings.options,
        clock=settings.clock,
        spectators=settings.spectators,
        origin=table.origin,
    )
    open_seats = sum(seat.kind == "open" for seat in seats) if status == "waiting" else 0
    public = settings.visibility == "public"
    return LobbyCard(public, open_seats, edition, status, table.last_at, msgspec.json.encode(detail))
