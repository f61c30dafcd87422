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
