"""A table in a list."""

from __future__ import annotations

import msgspec

from atout.protocol import rest
from atout.store import ListedTable


def card_of(listed: ListedTable) -> rest.TableCard:
    card = listed.card
    return rest.TableCard(
        table=listed.table,
        edition=card.edition,
        state=card.state,
        open_seats=card.open_seats,
        created=listed.created,
        active=card.active,
        detail=msgspec.json.decode(card.detail, type=rest.CardDetail),
    )


def without_open_seats(card: rest.TableCard) -> rest.TableCard:
    """The card as somebody sees it who may not sit down, and is not told so: free seats are kept for others."""
    seats = [msgspec.structs.replace(seat, kind="kept") if seat.kind == "open" else seat for seat in card.detail.seats]
    return msgspec.structs.replace(card, open_seats=0, detail=msgspec.structs.replace(card.detail, seats=seats))
