"""The event log of all tables, with guests, seat links and records: one interface, on SQLite and on PostgreSQL."""

from atout.store.model import (
    Account,
    Agreement,
    Append,
    Channel,
    Guest,
    ListedRecord,
    ListedTable,
    LobbyCard,
    Passkey,
    PlannedNudge,
    Result,
    ReviewErrors,
    ReviewHead,
    Rewrite,
    SeatLink,
    Sharing,
    SignedIn,
    Statistics,
    StoredRecord,
    TableChanged,
)
from atout.store.open import back_up, open_store
from atout.store.operations.guests import hash_of
from atout.store.store import Store

__all__ = [
    "Account",
    "Agreement",
    "Append",
    "Channel",
    "Guest",
    "ListedRecord",
    "ListedTable",
    "LobbyCard",
    "Passkey",
    "PlannedNudge",
    "Result",
    "ReviewErrors",
    "ReviewHead",
    "Rewrite",
    "SeatLink",
    "Sharing",
    "SignedIn",
    "Statistics",
    "Store",
    "StoredRecord",
    "TableChanged",
    "back_up",
    "hash_of",
    "open_store",
]
