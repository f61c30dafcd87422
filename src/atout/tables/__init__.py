"""The authority over a table without any network: seats, bots, clocks, consent, secrets, fair shuffles.

`Table` is the whole interface; commands go in, events come out, and a log of events is all there is to keep.
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
