"""The authority over a table, without a network: seats, bots, clocks, consent, secrets, fair shuffles.

`Table` is the whole interface. Commands go in, events come out; the event log is all that has to be stored (event
sourcing, docs/decisions/2026-11-15-event-sourcing.md).
"""

from atout.errors import Refused
from atout.tables import commands, events
from atout.tables.events import AnyEvent, Event, decode, encode
from atout.tables.refusals import AlreadyDone
from atout.tables.settings import Clock, TableSettings
from atout.tables.shuffle import check_fair
from atout.tables.table import BotTurn, Table, new_secret
from atout.tables.views import TableView

__all__ = [
    "AlreadyDone",
    "AnyEvent",
    "BotTurn",
    "Clock",
    "Event",
    "Refused",
    "Table",
    "TableSettings",
    "TableView",
    "check_fair",
    "commands",
    "decode",
    "encode",
    "events",
    "new_secret",
]
