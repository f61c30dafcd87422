"""Settings of a table: the game, the seats, the clock, spectators and chat."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from atout.bots import LEVELS
from atout.editions import PUBLISHED, from_tree
from atout.errors import EditionError
from atout.game import Setup
from atout.tables.refusals import refuse

LEAST_STAND_IN = "club"
"""A weaker bot does not play for people, unless the settings name one."""
OPEN = "open"
"""In the list of seats: a seat for a person. Any other entry is the level of a bot."""
DAY = 86_400.0
MAX_GRACE = 30 * DAY
MAX_TARGET = 1000
"""Highest target score of a new table: about a hundred rounds. A record may have a higher one."""
MAX_TIME = {"none": 0.0, "decision": DAY, "game": 7 * DAY, "days": 60.0}
"""Longest `time` of each kind of clock, in its own unit."""


class Clock(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How long people may take. Bots have no clock."""

    kind: Literal["none", "decision", "game", "days"] = "none"
    """`decision`: seconds for each, then a bot makes it; `game`: seconds for the match plus an increment for each
    decision, then a bot takes the seat; `days`: days for each decision, for people who are seldom there together."""
    time: Annotated[float, Meta(ge=0)] = 0.0
    increment: Annotated[float, Meta(ge=0, le=3600)] = 0.0

    @property
    def seconds(self) -> float | None:
        """What a seat's clock begins with; None without a clock."""
        if self.kind == "none":
            return None
        return self.time * DAY if self.kind == "days" else self.time


class TableSettings(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A table as it is opened. Later only seats can change: they are given to bots, or opened again."""

    edition: str | dict[str, Any]
    """A published edition's id, or house rules in full as a record carries them."""
    players: int
    options: dict[str, Any] = {}
    seats: Annotated[list[str], Meta(max_length=6)] = []
    """For each seat `open` or a bot's level; all open when nothing is said."""
    clock: Clock = Clock()
    grace: Annotated[float, Meta(ge=0, le=MAX_GRACE)] = 60.0
    """With a clock: seconds until a bot plays for somebody who left or is away; with one of days only for leavers.
    Without a clock nobody is replaced unless the others agree."""
    stand_in: str = ""
    """Level of the bot that plays for people; empty: that of the table's strongest bot, at least `LEAST_STAND_IN`."""
    visibility: Literal["private", "public"] = "private"
    spectators: Literal["off", "public", "leave"] = "off"
    """`public`: they see what everybody sees; `leave`: also one seat's cards, if that seat agrees."""
    chat: bool = True
    takeback: bool = True
    hints: bool = False
    pace: Literal["calm", "at-once"] = "calm"
    """How soon bots' decisions are shown: `calm`: at the pace of people; `at-once`: as soon as the time they take tells
    nothing of their cards."""
    shared: bool = False
    """Several people may play on one device and pass it on; only at private tables."""
    autostart: bool = True
    """Start as soon as every seat is filled; else when the host says so."""

    def levels(self) -> list[str]:
        """For each seat `open` or the level of its bot."""
        return list(self.seats) or [OPEN] * self.players


def check_settings(settings: TableSettings) -> Setup:
    """The rules of a table, or a refusal that names the setting that is wrong.

    Bots are levels of Atout: a setting never names code.
    """
    try:
        rules = rules_of(settings)
    except EditionError as error:
        raise refuse("bad-settings", problem=str(error)) from None
    problem = _problem(settings)
    if problem:
        raise refuse("bad-settings", problem=problem)
    return rules


def check_devices(settings: TableSettings) -> None:
    """`Refused` if strangers would take one person at several seats for several. Rematches are not checked."""
    if settings.shared and settings.visibility == "public":
        problem = "shared: true is not allowed with visibility public; expected false, or visibility private"
        raise refuse("bad-settings", problem=problem)


def check_length(rules: Setup) -> None:
    """`Refused` if a match would go on for ever. Rematches of older tables are not checked."""
    if rules.options.target > MAX_TARGET:
        raise refuse("bad-settings", problem=f"options.length: a target score of a table is {MAX_TARGET} at most")


def rules_of(settings: TableSettings) -> Setup:
    """Editions are published or given in full: a setting never reaches the file system."""
    edition = settings.edition
    if isinstance(edition, dict):
        return Setup.of(from_tree(edition, "edition"), settings.players, settings.options)
    if edition in PUBLISHED:
        return Setup.of(edition, settings.players, settings.options)
    known = ", ".join(PUBLISHED)
    raise EditionError(f"edition: {edition[:40]!r} is not known; allowed: {known}, or house rules in full")


def _problem(settings: TableSettings) -> str | None:
    if len(settings.levels()) != settings.players:
        return f"seats: {len(settings.seats)} are given; expected {settings.players}"
    for seat in settings.levels():
        if seat != OPEN and seat not in LEVELS:
            return f"seats: {seat[:40]!r} is not allowed; allowed: {OPEN}, {', '.join(LEVELS)}"
    if settings.stand_in and settings.stand_in not in LEVELS:
        return f"stand_in: {settings.stand_in[:40]!r} is not allowed; allowed: {', '.join(LEVELS)}"
    clock = settings.clock
    if clock.kind != "none" and not 1 <= clock.time <= MAX_TIME[clock.kind]:
        return f"clock.time: {clock.time} is not allowed; allowed: 1 to {MAX_TIME[clock.kind]:.0f}"
    if not 0 <= clock.increment <= 3600 or (clock.increment and clock.kind != "game"):
        return "clock.increment: allowed: 0 to 3600 with a clock for the game, 0 with any other"
    if not 0 <= settings.grace <= MAX_GRACE:
        return f"grace: {settings.grace} is not allowed; allowed: 0 to {MAX_GRACE:.0f}"
    return None
