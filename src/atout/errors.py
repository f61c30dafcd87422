"""The exceptions of Atout, as one tree.

    AtoutError
    ├── EditionError        an edition file, an edition's name, a number of players, an option
    ├── RecordError         a record that cannot be read, or breaks a rule: round, action, reason
    ├── ActionError         text that is not an action
    │   └── IllegalAction   an action the rules forbid: code, paragraph
    ├── BotError            a bot's name, or a bot that misbehaves
    ├── WeightsError        a file of weights: cut off, of another format, of another version
    ├── PositionError       a position of the exam that cannot be read: file, line
    ├── StoreError          the database: its address, or its version
    │   ├── Conflict        the number of an event is taken: another writer was first
    │   ├── NoTable         a table that does not exist, or no longer
    │   ├── GuestForgotten  a guest who asked to be forgotten, and whose cookie is void
    │   └── Unavailable     the database cannot be reached or cannot write; nothing was acknowledged
    │       └── StoreFull   its disk is full
    ├── Refused             a command a table does not carry out: code, paragraph, parameters
    └── UsageError          a call or a command with wrong arguments

A message says what is wrong and what is expected; it can be shown to people as it is.
"""

from __future__ import annotations

from typing import Any


class AtoutError(Exception):
    """The base of all errors that Atout raises.

    >>> from atout import Game
    >>> try:
    ...     Game.new("niet-2015", players=9)
    ... except AtoutError as error:
    ...     print(error)
    players: 9 is not allowed in niet-2015; allowed: 2, 3, 4, 5
    """

    code = ""
    """What is wrong, for programs; the command line has a text for it in the reader's language. Most have none."""
    parameters: dict[str, Any] = {}  # noqa: RUF012 (never changed)
    """What the text of the code is filled with."""


class EditionError(AtoutError):
    """An edition, a number of players or an option that does not exist or does not fit; `code` says what, if it is set.

    >>> from atout import Game
    >>> try:
    ...     Game.new("chess", players=2)
    ... except EditionError as error:
    ...     print(str(error).partition(";")[0])
    edition: 'chess' is not known
    """

    def __init__(self, message: str, code: str = "", **parameters: object) -> None:
        self.code, self.parameters = code, parameters
        super().__init__(message)


class RecordError(AtoutError):
    """A record that cannot be read or breaks a rule; `round` and `action` say where, if it is in a round.

    >>> from atout import Game
    >>> Game.from_record({"atout": 1})
    Traceback (most recent call last):
    ...
    atout.errors.RecordError: object missing required field edition
    """

    def __init__(self, reason: str, round: int | None = None, action: int | None = None) -> None:
        self.reason, self.round, self.action = reason, round, action
        place = ""
        if round is not None:
            place = f"round {round}: " if action is None else f"round {round}, action {action}: "
        super().__init__(place + reason)


class ActionError(AtoutError):
    """Text that is not an action of this game.

    >>> from atout import Game
    >>> try:
    ...     Game.new("niet-2015", players=4, seed=7).play("9 play R1")
    ... except ActionError as error:
    ...     print(error)
    '9 play R1' is not an action: expected a seat first, 0 to 3
    """


class IllegalAction(ActionError):
    """An action that the rules forbid now. `code` and `parameters` are for programs, `paragraph` for people.

    `allowed` names what the seat may choose instead; it is empty unless it is the seat's turn.

    >>> from atout import Game
    >>> game = Game.new("niet-2015", players=4, seed=7)
    >>> try:
    ...     game.play("0 veto trump red")
    ... except IllegalAction as error:
    ...     print(error.code, "-", error.reason, "-", error.paragraph)
    not-your-turn - it is seat 2's turn - niet-2015 §3.2
    """

    def __init__(
        self,
        action: str,
        code: str,
        reason: str,
        paragraph: str,
        parameters: dict[str, object] | None = None,
        allowed: str = "",
    ) -> None:
        self.action, self.code, self.reason, self.paragraph = action, code, reason, paragraph
        self.parameters, self.allowed = parameters or {}, allowed
        rule, instead = f" ({paragraph})" if paragraph else "", f"; allowed: {allowed}" if allowed else ""
        super().__init__(f"{action}: {reason}{rule}{instead}")


class BotError(AtoutError):
    """A bot that does not exist, or whose answer is not a legal action.

    >>> from atout.bots import make_bot
    >>> try:
    ...     make_bot("genius")
    ... except BotError as error:
    ...     print(str(error).partition(";")[0])
    bot: 'genius' is not known
    """

    def __init__(self, message: str, code: str = "", **parameters: object) -> None:
        self.code, self.parameters = code, parameters
        super().__init__(message)


class WeightsError(AtoutError):
    """A file of network weights that cannot be used."""


class PositionError(AtoutError):
    """A position of the exam that cannot be read; the message has its file, its line, and what is expected."""


class StoreError(AtoutError):
    """A database that cannot be used."""


class Conflict(StoreError):
    """Events that do not follow the last one, whose number is `head`. Read the new events, and decide again."""

    def __init__(self, table: str, first: int, head: int) -> None:
        self.table, self.first, self.head = table, first, head
        super().__init__(f"table {table}: event {first} does not follow event {head}, the last one there")


class NoTable(StoreError):
    """A table that does not exist, or was deleted."""

    def __init__(self, table: str) -> None:
        self.table = table
        super().__init__(f"there is no table {table}")


class GuestForgotten(StoreError):
    """A guest who asked to be forgotten: nothing is kept under their id any more."""

    def __init__(self) -> None:
        super().__init__("this guest was forgotten; introduce yourself again")


class Unavailable(StoreError):
    """The database cannot be reached, or cannot write now. It is unknown whether the write succeeded: read again."""


class StoreFull(Unavailable):
    """The disk of the database is full. Reading still works; writing works again when there is space."""


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
    """A call or command with wrong arguments.

    >>> from atout import Game
    >>> Game.new("niet-2015", players=4, seed=7).undo()
    Traceback (most recent call last):
    ...
    atout.errors.UsageError: undo: -1 is not allowed; the game has 0 actions to go back to
    """
