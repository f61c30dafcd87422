"""The authority over a table without any network: seats, bots, clocks, consent, secrets, fair shuffles.

`Sitting` is the whole interface; commands go in, events come out, and a log of events is all there is to keep.
"""

from atout.errors import Refused
from atout.tables import commands, events
from atout.tables.events import AnyEvent, Event, decode, encode
from atout.tables.fair import check_fair
from atout.tables.refusals import AlreadyDone
from atout.tables.settings import Clock, Settings
from atout.tables.sitting import Sitting, Thinking, new_secret
from atout.tables.views import TableView

__all__ = [
    "AlreadyDone",
    "AnyEvent",
    "Clock",
    "Event",
    "Refused",
    "Settings",
    "Sitting",
    "TableView",
    "Thinking",
    "check_fair",
    "commands",
    "decode",
    "encode",
    "events",
    "new_secret",
]
