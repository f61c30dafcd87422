"""One seat: the guest who has it, the bot that plays it, and its clock."""

from __future__ import annotations

from atout.game import Action
from atout.tables.settings import OPEN, Clock

MAX_SAID, SAID_SECONDS = 5, 10.0
"""Rate limit of the chat: at most so many messages in so many seconds."""


class Seat:
    """Only the reducer changes it."""

    __slots__ = (
        "away",
        "bot_asked",
        "chosen",
        "clock",
        "decision",
        "entropy",
        "flagged",
        "guest",
        "has_left",
        "is_overdue",
        "kept",
        "left",
        "level",
        "name",
        "named_by",
        "said",
        "since",
        "takes_requests",
        "why_stood_in",
    )

    def __init__(self, level: str, clock: Clock) -> None:
        self.level = level
        """`open`, or the level of the bot that has the seat."""
        self.clock = clock
        self.guest: str | None = None
        self.kept: str | None = None
        """In a rematch: the guest this seat is kept for."""
        self.name = ""
        self.named_by: str | None = None
        """The guest whose name it is: whoever takes the seat over by a link keeps the name."""
        self.entropy = ""
        self.away: float | None = None
        """Since when no connection is left; None while there is one."""
        self.has_left = False
        self.why_stood_in = ""
        """Why a bot plays for the person who has the seat: as in `StoodIn`; empty while none does."""
        self.flagged = False
        """Its time for the match is used up."""
        self.is_overdue = False
        """Its time for this decision is used up: a bot makes it."""
        self.chosen: tuple[Action, ...] = ()
        """Its part of a secret choice that is not yet revealed."""
        self.decision = 0
        """Number of the last event of its own in a secret choice."""
        self.bot_asked: tuple[int, float] | None = None
        """The decision that a bot has to make for the seat, and since when; None while it has none to make."""
        self.left = clock.seconds or 0.0
        """Seconds on its clock when it was last stopped."""
        self.since: float | None = None
        """When the clock was started; None while it is stopped."""
        self.said: tuple[float, ...] = ()
        """When its latest chat messages were sent."""
        self.takes_requests = True
        """Spectators may ask its player to see the cards."""

    @property
    def is_bot(self) -> bool:
        return self.level != OPEN

    @property
    def is_filled(self) -> bool:
        return self.is_bot or self.guest is not None

    @property
    def is_stood_in(self) -> bool:
        """A bot plays for the person who has the seat."""
        return self.why_stood_in != ""

    @property
    def is_attended(self) -> bool:
        """Somebody is there who plays the seat, or asked a bot to play it and looks on."""
        is_there = self.guest is not None and self.away is None and not self.has_left
        return is_there and self.why_stood_in in ("", "asked")

    @property
    def is_played_by_bot(self) -> bool:
        return self.is_bot or self.is_stood_in or self.is_overdue

    def open(self) -> None:
        """Make it an open seat again."""
        self.level, self.guest, self.kept, self.name, self.entropy = OPEN, None, None, "", ""
        self.away, self.has_left, self.named_by, self.takes_requests = None, False, None, True

    def run(self, runs: bool, at: float) -> None:
        """Start or stop the clock."""
        if runs and self.since is None:
            self.since = at
        elif not runs and self.since is not None:
            self.left = max(self.left - (at - self.since), 0.0)
            self.since = None

    def decided(self, at: float) -> None:
        """Its decision is made."""
        if self.clock.kind == "none" and not self.is_overdue:
            return
        self.run(False, at)
        if not self.is_played_by_bot:
            self.left += self.clock.increment
        self.renew()

    def renew(self) -> None:
        """A new decision comes: a clock with time per decision is reset."""
        if self.clock.kind in ("decision", "days"):
            self.left = self.clock.seconds or 0.0
        self.is_overdue = False

    def remaining(self, now: float) -> float | None:
        """The seconds left on its clock; None without one."""
        if self.clock.kind == "none" or self.is_bot:
            return None
        return self.left if self.since is None else max(self.left - max(now - self.since, 0.0), 0.0)

    @property
    def runs_out(self) -> float | None:
        return None if self.since is None or self.clock.kind == "none" else self.since + self.left
