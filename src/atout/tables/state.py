"""The state of a table: the sum of its events, secrets included, and questions about it."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from atout.bots import LEVELS
from atout.game import Action, Game, Setup
from atout.game.game import Deals
from atout.game.view import SECRET_NAMES
from atout.tables.commands import OfferKind
from atout.tables.dedup import Done
from atout.tables.devices import owner
from atout.tables.origin import Origin
from atout.tables.seats import Seat
from atout.tables.settings import LEAST_STAND_IN, TableSettings
from atout.tables.shuffle import Shuffler

Status = Literal["unopened", "waiting", "playing", "paused", "over", "closed"]
CHAT_MESSAGES = 50
"""Chat messages in a view; the event log has all of them."""


class OpenOffer(Struct):
    what: OfferKind
    seat: int
    at: float
    yes: set[int]
    whom: int | None = None
    """With `stand-in`: the seat that a bot would play."""
    days: int | None = None
    """With `pause`: how long it would be; None: until the people agree to go on."""


class Spectator(Struct):
    """A spectator who asked a seat for leave."""

    guest: str
    name: str
    seat: int
    allowed: bool = False
    is_open: bool = True
    """The seat has not answered yet."""
    is_declined: bool = False
    """The seat said no, and may not be asked again."""


class ChatMessage(Struct, frozen=True):
    """A chat message."""

    seat: int
    name: str
    text: str
    at: float


class State:
    """Changed by the reducer alone, event by event."""

    __slots__ = (
        "admitted",
        "all_choose",
        "asked",
        "at",
        "change_count",
        "chat",
        "closed",
        "commitment",
        "daily",
        "deals",
        "decision",
        "declined",
        "done",
        "ended_at",
        "entropy",
        "game",
        "held",
        "host",
        "is_deserted",
        "is_finished",
        "is_paused",
        "is_regular",
        "last_actor",
        "latest_changes",
        "next_table",
        "number",
        "offer",
        "opened_at",
        "origin",
        "paused_until",
        "previous",
        "resumed_at",
        "rules",
        "seats",
        "secret",
        "settings",
        "shuffler",
        "spectators",
        "started_at",
        "status",
        "table",
        "watched",
    )
    settings: TableSettings
    rules: Setup

    def __init__(self, deals: Deals | None = None) -> None:
        self.number = 0
        """The number of the last event."""
        self.at = 0.0
        self.table = ""
        self.host: str | None = None
        self.secret = ""
        self.commitment = ""
        self.previous = ""
        self.origin: Origin | None = None
        """The decision of another match that this one is played on from."""
        self.daily = ""
        """The day, at a table of the deal of the day."""
        self.is_regular = True
        """Everybody decided for themselves: no bot failed, and none played for a person."""
        self.seats: list[Seat] = []
        self.game: Game | None = None
        self.shuffler: Shuffler | None = None
        self.entropy: list[str] = []
        self.opened_at = self.started_at = self.ended_at = 0.0
        self.is_paused = False
        self.paused_until: float | None = None
        """When a pause ends by itself; None without a pause, or if it has no end."""
        self.resumed_at = 0.0
        self.closed: str | None = None
        self.decision = 0
        """Number of the event that changed the game last: it names the decision that is due."""
        self.last_actor: int | None = None
        """The seat that may take back: its public action was the last change of the game and uncovered nothing."""
        self.offer: OpenOffer | None = None
        self.declined = 0
        """The decision after which a takeback was declined: it is not offered again."""
        self.chat: list[ChatMessage] = []
        self.spectators: list[Spectator] = []
        self.admitted: set[str] = set()
        """The owners of the devices of those who looked at a private match, so that they may after its end."""
        self.held: dict[str, set[int]] = {}
        """By player: the seats they have, or had, since cards were dealt."""
        self.watched: dict[str, set[int]] = {}
        """By the owner of a device: the seats that gave leave to see their cards, now or before."""
        self.next_table: tuple[str, str] | None = None
        """Id and secret of the rematch."""
        self.done: dict[str, Done] = {}
        """By guest: the latest commands."""
        self.latest_changes: dict[str, tuple[float, ...]] = {}
        """By the owner of a device: when they last changed something other than by moves (`changes.py`)."""
        self.change_count = 0
        """How many such changes all guests have made."""
        self.deals = deals
        """Hands that replace the fair shuffle, for tests and studies."""

        self.refresh()

    def end_requests(self, seat: int) -> None:
        """Nobody watches a seat by the leave of whoever had it before, and nobody asks it any more."""
        for spectator in self.spectators:
            if spectator.seat == seat:
                spectator.allowed = spectator.is_open = spectator.is_declined = False

    def refresh(self) -> None:
        """Compute what follows from the other fields and is read many times; called after every event."""
        phase, turn = (None, None) if self.game is None else self.game.phase_and_turn
        self.status: Status = self._status(phase)
        self.is_finished = self.status == "over" or self.status == "closed"
        """The match is over or was aborted: the cards are open, the secret is revealed."""
        self.all_choose = phase in SECRET_NAMES
        """All seats choose at the same time (§5.1; N§3.1)."""
        self.asked = self._asked(turn)
        """The seats that have a decision to make."""
        self.is_deserted = self.status == "playing" and self._is_deserted()
        """Only bots are left and no clock runs: nothing is played until somebody is back."""

    def _status(self, phase: str | None) -> Status:
        if self.closed is not None:
            return "closed"
        if phase is None:
            return "waiting" if self.number else "unopened"
        if phase == "over":
            return "over"
        return "paused" if self.is_paused else "playing"

    def _asked(self, turn: int | None) -> list[int]:
        if self.is_finished or turn is None:
            return []
        if not self.all_choose:
            return [turn]
        return [i for i, seat in enumerate(self.seats) if len(seat.chosen) < self.owed]

    def _is_deserted(self) -> bool:
        people = [seat for seat in self.seats if seat.guest is not None]
        return self.settings.clock.kind == "none" and bool(people) and not any(seat.is_attended for seat in people)

    # ---------------------------------------------------------------- questions

    @property
    def winners(self) -> list[int]:
        """Seats; empty unless the match was played to its end."""
        return [] if self.game is None else self.game.winners

    @property
    def owed(self) -> int:
        """How many cards each seat chooses."""
        assert self.game is not None
        return self.game.owed

    @property
    def bots_asked(self) -> list[int]:
        """The seats whose bots have to decide; they wait while a takeback is offered, and while nobody is there."""
        is_held = self.is_deserted or (self.offer is not None and self.offer.what == "takeback")
        if self.status != "playing" or is_held:
            return []
        return [seat for seat in self.asked if self.seats[seat].is_played_by_bot]

    @property
    def stand_in(self) -> str:
        """The level of the bot that plays for people: as strong as the table's strongest, unless settings name one."""
        levels = [LEAST_STAND_IN, *(seat.level for seat in self.seats if seat.is_bot)]
        return self.settings.stand_in or max(levels, key=list(LEVELS).index)

    def decision_of(self, seat: int) -> int:
        return max(self.decision, self.seats[seat].decision)

    def seat_of(self, guest: str | None) -> int | None:
        if guest is None:
            return None
        for number, seat in enumerate(self.seats):
            if seat.guest == guest:
                return number
        return None

    def other_hand(self, guest: str, seat: int, *, as_player: bool) -> int | None:
        """A seat other than this one whose cards a guest has seen in this match; None if there is none.

        Players who share a device count as one. Only at a shared table each of them may have a seat of their own, and
        there too a hand that one of them watched was seen by all.
        """
        device = owner(guest)
        apart = as_player and self.settings.shared
        held = [seats for who, seats in self.held.items() if (who == guest if apart else owner(who) == device)]
        seen = set().union(*held, self.watched.get(device, ()))
        return min(seen - {seat}, default=None)

    def seat_at_device(self, guest: str) -> int | None:
        """A seat of the guest, or of somebody else at the same device."""
        device = owner(guest)
        seats = (i for i, seat in enumerate(self.seats) if seat.guest is not None and owner(seat.guest) == device)
        return next(seats, None)

    def people(self, what: OfferKind) -> set[int]:
        """The seats whose consent is needed: people for whom no bot plays.

        People who are away cannot block a pause or its end; but a lost connection is no consent to anything else. With
        a clock of days nobody has to be connected.
        """
        patient = what in ("takeback", "abort") or self.settings.clock.kind == "days"
        return {
            i
            for i, seat in enumerate(self.seats)
            if seat.guest is not None and not (seat.is_stood_in or seat.has_left) and (patient or seat.away is None)
        }

    def grace_ends(self, seat: Seat) -> float | None:
        """When a bot takes over a seat whose player is gone; None while nobody is, and always without a clock."""
        if self.settings.clock.kind == "none":
            return None
        if self.status != "playing" or seat.guest is None or seat.is_stood_in or seat.away is None:
            return None
        if self.settings.clock.kind == "days" and not seat.has_left:
            return None
        return max(seat.away, self.started_at, self.resumed_at) + self.settings.grace

    def choices_in_order(self, *more: Action) -> list[Action]:
        """All secret choices, and `more`, as the game takes them: seat after seat, from the one in turn."""
        assert self.game is not None
        first = self.game.turn or 0
        chosen = [action for seat in self.seats for action in seat.chosen]
        return sorted([*chosen, *more], key=lambda action: (action.seat - first) % len(self.seats))
