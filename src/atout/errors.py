"""Everything that can be wrong, as one tree.

    AtoutError
    ├── EditionError        an edition file, an edition's name, a number of players, an option
    ├── RecordError         a record that cannot be read, or breaks a rule: round, action, reason
    ├── ActionError         words that are no action
    │   └── IllegalAction   an action the rules forbid: code, paragraph
    ├── BotError            a bot's name, or a bot that misbehaves
    ├── WeightsError        a learned player's file: cut off, foreign, of another version
    ├── PositionError       a position of the exam that cannot be read: file, line
    ├── StoreError          the place where tables are kept: an address, a database of another version
    │   ├── Conflict        an event's number is taken: somebody else was first
    │   ├── NoTable         a table that is not there, or no longer
    │   └── Unavailable     the database cannot be reached or cannot write now; nothing was acknowledged
    │       └── StoreFull   its disk is full
    ├── Refused             a command a table does not carry out: code, paragraph, parameters
    └── UsageError          a call or a command that makes no sense here

A message names what was wrong and what would be right, fit to be shown to a person as it is.
"""

from __future__ import annotations


class AtoutError(Exception):
    """Base of all errors Atout raises on purpose."""


class EditionError(AtoutError):
    """An edition, a number of players or an option that does not exist or does not fit."""


class RecordError(AtoutError):
    """A record that cannot be read or is not a game; `where` is its round and action, if it got that far."""

    def __init__(self, reason: str, round: int | None = None, action: int | None = None) -> None:
        self.reason, self.round, self.action = reason, round, action
        place = ""
        if round is not None:
            place = f"round {round}: " if action is None else f"round {round}, action {action}: "
        super().__init__(place + reason)


class ActionError(AtoutError):
    """Words that name no action of this game."""


class IllegalAction(ActionError):
    """An action that the rules forbid now. `code` is for programs, `paragraph` for people."""

    def __init__(self, action: str, code: str, reason: str, paragraph: str) -> None:
        self.action, self.code, self.reason, self.paragraph = action, code, reason, paragraph
        super().__init__(f"{action}: {reason} ({paragraph})" if paragraph else f"{action}: {reason}")


class BotError(AtoutError):
    """A bot that does not exist, or answered with something that is no legal action."""


class WeightsError(AtoutError):
    """A file of a learned player's weights that cannot be used: what is wrong with it."""


class PositionError(AtoutError):
    """A position written down wrongly: its file, its line, and what would be right."""


class StoreError(AtoutError):
    """A database that cannot be used as it was asked for."""


class Conflict(StoreError):
    """Events that do not follow the last one; `head` is its number. Read what is there, and decide anew."""

    def __init__(self, table: str, first: int, head: int) -> None:
        self.table, self.first, self.head = table, first, head
        super().__init__(f"table {table}: event {first} does not follow event {head}, the last one there")


class NoTable(StoreError):
    """A table that does not exist, or was deleted."""

    def __init__(self, table: str) -> None:
        self.table = table
        super().__init__(f"there is no table {table}")


class Unavailable(StoreError):
    """The database cannot be reached, or cannot write now. What was to be written may be there or not: read again."""


class StoreFull(Unavailable):
    """The disk of the database is full. Reading still works; writing does again when there is room."""


class Refused(AtoutError):
    """A command that a table does not carry out. Nothing has changed.

    `code` and `parameters` are for programs, the message for people; `paragraph` is set when a rule forbids it.
    """

    def __init__(
        self, code: str, reason: str, paragraph: str = "", parameters: dict[str, object] | None = None
    ) -> None:
        self.code, self.reason, self.paragraph, self.parameters = code, reason, paragraph, parameters or {}
        super().__init__(f"{reason} ({paragraph})" if paragraph else reason)


class UsageError(AtoutError):
    """A call that makes no sense as it stands."""
