"""Where the table server keeps things: one interface, SQLite and PostgreSQL behind it."""

from atout.store.model import (
    Append,
    Card,
    Entry,
    Guest,
    Listed,
    Moved,
    Record,
    Result,
    SeatLink,
    Statistics,
)
from atout.store.open import back_up, open_store
from atout.store.store import Store

__all__ = [
    "Append",
    "Card",
    "Entry",
    "Guest",
    "Listed",
    "Moved",
    "Record",
    "Result",
    "SeatLink",
    "Statistics",
    "Store",
    "back_up",
    "open_store",
]
