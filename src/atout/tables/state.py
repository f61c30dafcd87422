"""The state of a table: what its log of events adds up to. `apply` cannot fail on a log that was decided."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any, Literal

from msgspec import Struct

from atout.game import Action, Game, Table
from atout.game.game import Deals
from atout.game.view import SECRET_NAMES
from atout.tables import events as e
from atout.tables.commands import OfferKind
from atout.tables.fair import Shuffler
from atout.tables.seats import Seat
from atout.tables.settings import Settings, rules_of

Status = Literal["unopened", "waiting", "playing", "paused", "over", "closed"]
REMEMBERED = 16
"""Commands of a guest whose numbers are known; a client asks again only for what was not answered."""
CHAT_LINES = 50
"""The latest messages, for those who come in; the log has all."""


class OpenOffer(Struct):
    what: OfferKind
    seat: int
    at: float
    yes: set[int]


class Watcher(Struct):
    """A spectator who asked a seat for leave."""

    guest: str
    name: str
    seat: int
    allowed: bool = False
    has_seen: bool = False
    """Was allowed at some time: they see no other seat's cards in this match."""


class Line(Struct, frozen=True):
    """A chat message."""

    seat: int
    name: str
    text: str
    at: float


class State:
    """Fields by theme; whoever wants to change one writes an event."""

    settings: Settings
    rules: Table

    def __init__(self, deals: Deals | None = None) -> None:
        self.number = 0
        """Of the last event."""
        self.at = 0.0
        self.table = ""
        self.host: str | None = None
        self.secret = ""
        self.commitment = ""
        self.previous = ""
        self.seats: list[Seat] = []
        self.game: Game | None = None
        self.shuffler: Shuffler | None = None
        self.entropy: list[str] = []
        self.opened_at = self.started_at = self.ended_at = 0.0
        self.is_paused = False
        self.resumed_at = 0.0
        self.closed: str | None = None
        self.decision = 0
        """Number of the event that changed the game last: it names the decision that is due."""
        self.last_actor: int | None = None
        """Who may take back: the seat whose public action was the last change of the game, if it uncovered nothing."""
        self.offer: OpenOffer | None = None
        self.chat: deque[Line] = deque(maxlen=CHAT_LINES)
        self.watchers: list[Watcher] = []
        self.next_table: tuple[str, str] | None = None
        """Id and secret of the rematch."""
        self.done: dict[str, deque[tuple[str, int, int]]] = {}
        """By guest: ids of the latest commands, with the numbers of their first and last event."""
        self._deals = deals

    # ---------------------------------------------------------------- questions

    @property
    def status(self) -> Status:
        if self.number == 0:
            return "unopened"
        if self.closed is not None:
            return "closed"
        if self.game is None:
            return "waiting"
        if self.game.is_over:
            return "over"
        return "paused" if self.is_paused else "playing"

    @property
    def is_finished(self) -> bool:
        """Nothing will be played any more: the cards are open, the secret is revealed."""
        return self.status in ("over", "closed")

    @property
    def all_choose(self) -> bool:
        """All seats choose at the same time (§5.1; N§3.1)."""
        return self.game is not None and self.game.phase in SECRET_NAMES

    def asked(self) -> list[int]:
        """The seats that have a decision to make."""
        if self.game is None or self.is_finished or self.game.turn is None:
            return []
        if not self.all_choose:
            return [self.game.turn]
        return [i for i, seat in enumerate(self.seats) if len(seat.chosen) < self.owed]

    @property
    def owed(self) -> int:
        """How many cards each seat chooses."""
        assert self.game is not None
        return self.game.owed

    def decision_of(self, seat: int) -> int:
        return max(self.decision, self.seats[seat].decision)

    def seat_of(self, guest: str | None) -> int | None:
        if guest is None:
            return None
        return next((i for i, seat in enumerate(self.seats) if seat.guest == guest), None)

    def hand_seen_by(self, guest: str) -> int | None:
        """The seat whose cards a spectator has seen by its leave, now or before."""
        return next((watcher.seat for watcher in self.watchers if watcher.guest == guest and watcher.has_seen), None)

    def people(self) -> set[int]:
        """The seats whose consent counts: people who are there. With a clock of days nobody has to be connected."""
        slow = self.number > 0 and self.settings.clock.kind == "days"
        return {
            i
            for i, seat in enumerate(self.seats)
            if seat.guest is not None and not (seat.is_stood_in or seat.has_left) and (slow or seat.away is None)
        }

    def grace_ends(self, seat: Seat) -> float | None:
        """When a bot takes the place of somebody who is gone; None while nobody has to."""
        if self.status != "playing" or seat.guest is None or seat.is_stood_in or seat.away is None:
            return None
        if self.settings.clock.kind == "days" and not seat.has_left:
            return None
        return max(seat.away, self.started_at, self.resumed_at) + self.settings.grace

    # ---------------------------------------------------------------- events

    def apply(self, event: e.Event) -> None:
        """Take the next event in."""
        assert event.number == self.number + 1, f"event {event.number} does not follow {self.number}"
        self.number, self.at = event.number, event.at
        if event.command and event.by is not None:
            self._remember(event.by, event.command)
        _APPLY[type(event)](self, event)
        self._run_clocks()

    def _remember(self, guest: str, command: str) -> None:
        done = self.done.setdefault(guest, deque(maxlen=REMEMBERED))
        if done and done[-1][0] == command:
            done[-1] = command, done[-1][1], self.number
        else:
            done.append((command, self.number, self.number))

    def _run_clocks(self) -> None:
        if self.game is None or self.settings.clock.kind == "none":
            return
        asked = self.asked() if self.status == "playing" else []
        for i, seat in enumerate(self.seats):
            seat.run(i in asked and not seat.is_played_by_bot, self.at)

    def _opened(self, event: e.Opened) -> None:
        self.table, self.settings, self.host = event.table, event.settings, event.by
        self.rules = rules_of(event.settings)
        self.secret, self.commitment, self.previous = event.secret, event.commitment, event.previous
        self.opened_at = event.at
        self.seats = [Seat(plan, event.settings.clock) for plan in event.settings.plan()]
        for seat, kept in zip(self.seats, event.kept, strict=False):
            if kept is not None:
                seat.kept, seat.name = kept.guest, kept.name

    def _sat(self, event: e.Sat) -> None:
        seat = self.seats[event.seat]
        seat.guest, seat.name, seat.entropy, seat.kept = event.guest, event.name, event.entropy, None

    def _left(self, event: e.Left) -> None:
        seat = self.seats[event.seat]
        if self.game is None:
            seat.open()
        else:
            seat.has_left = True
            seat.away = event.at if seat.away is None else seat.away

    def _seat_set(self, event: e.SeatSet) -> None:
        self.seats[event.seat].open()
        self.seats[event.seat].plan = event.to

    def _renamed(self, event: e.Renamed) -> None:
        self.seats[event.seat].name = event.name

    def _moved(self, event: e.Moved) -> None:
        seat = self.seats[event.seat]
        if seat.guest == self.host:
            self.host = event.guest
        seat.guest = event.guest

    def _started(self, event: e.Started) -> None:
        self.entropy, self.started_at = event.entropy, event.at
        shuffler = self.shuffler = Shuffler(self.rules, self.table, self.secret, event.entropy)
        deals = self._deals or (lambda number: shuffler.hands(number + 1))
        self.game = Game.at(self.rules, 0, event.first_dealer, deals)
        self._game_changed()

    def _game_changed(self) -> None:
        """A new decision is due; what was offered about the last one is void."""
        self.decision = self.number
        if self.offer is not None and self.offer.what == "takeback":
            self.offer = None
        if self.game is not None and self.game.is_over:
            self.ended_at, self.offer, self.shuffler = self.at, None, None

    def _acted(self, event: e.Acted) -> None:
        assert self.game is not None
        before = self.game.round
        self.game.play(event.action)
        self.seats[event.seat].decided(event.at)
        self.last_actor = event.seat if self.game.round == before and not self.game.is_over else None
        self._game_changed()

    def _chosen(self, event: e.Chosen) -> None:
        assert self.game is not None
        seat = self.seats[event.seat]
        seat.chosen.append(self.game.words.action(self.game.words.entry(event.action)))
        seat.decision = event.number

    def _withdrawn(self, event: e.Withdrawn) -> None:
        seat = self.seats[event.seat]
        seat.chosen, seat.decision = [], event.number

    def _revealed(self, event: e.Revealed) -> None:
        assert self.game is not None
        for action in self.choices_in_order():
            self.game.play(action)
        for seat in self.seats:
            seat.chosen = []
            seat.decided(event.at)
        self.last_actor = None
        self._game_changed()

    def choices_in_order(self, *more: Action) -> list[Action]:
        """All secret choices, and `more`, as the game takes them: seat after seat, from the one in turn."""
        assert self.game is not None
        first = self.game.turn or 0
        chosen = [action for seat in self.seats for action in seat.chosen]
        return sorted([*chosen, *more], key=lambda action: (action.seat - first) % len(self.seats))

    def _timed_out(self, event: e.TimedOut) -> None:
        self.seats[event.seat].is_overdue = True

    def _went_away(self, event: e.WentAway) -> None:
        self.seats[event.seat].away = event.at

    def _came_back(self, event: e.CameBack) -> None:
        self.seats[event.seat].away = None

    def _stood_in(self, event: e.StoodIn) -> None:
        seat = self.seats[event.seat]
        seat.is_stood_in, seat.flagged = True, event.why == "clock"

    def _reclaimed(self, event: e.Reclaimed) -> None:
        seat = self.seats[event.seat]
        seat.is_stood_in, seat.has_left, seat.away = False, False, None

    def _offered(self, event: e.Offered) -> None:
        self.offer = OpenOffer(event.what, event.seat, event.at, {event.seat})

    def _answered(self, event: e.Answered) -> None:
        if event.yes and self.offer is not None:
            self.offer.yes.add(event.seat)
        else:
            self.offer = None

    def _offer_ended(self, event: e.OfferEnded) -> None:
        self.offer = None

    def _taken_back(self, event: e.TakenBack) -> None:
        assert self.game is not None
        self.game.undo()
        for seat in self.seats:
            seat.run(False, event.at)
            seat.renew()
        self.last_actor = None
        self._game_changed()

    def _paused(self, event: e.Paused) -> None:
        self.is_paused, self.offer = True, None

    def _resumed(self, event: e.Resumed) -> None:
        self.is_paused, self.offer, self.resumed_at = False, None, event.at

    def _said(self, event: e.Said) -> None:
        seat = self.seats[event.seat]
        seat.said.append(event.at)
        self.chat.append(Line(event.seat, seat.name, event.text, event.at))

    def _watch_asked(self, event: e.WatchAsked) -> None:
        self.watchers.append(Watcher(event.guest, event.name, event.seat))

    def _shown(self, event: e.Shown) -> None:
        watcher = self.watchers[event.watcher]
        watcher.allowed, watcher.has_seen = event.yes, watcher.has_seen or event.yes

    def _closed(self, event: e.Closed) -> None:
        self.closed, self.ended_at, self.offer = event.why, event.at, None

    def _rematched(self, event: e.Rematched) -> None:
        self.next_table = event.table, event.secret


_APPLY: dict[type[e.Event], Callable[[State, Any], None]] = {
    e.Opened: State._opened,
    e.Sat: State._sat,
    e.Left: State._left,
    e.SeatSet: State._seat_set,
    e.Renamed: State._renamed,
    e.Moved: State._moved,
    e.Started: State._started,
    e.Acted: State._acted,
    e.Chosen: State._chosen,
    e.Withdrawn: State._withdrawn,
    e.Revealed: State._revealed,
    e.TimedOut: State._timed_out,
    e.WentAway: State._went_away,
    e.CameBack: State._came_back,
    e.StoodIn: State._stood_in,
    e.Reclaimed: State._reclaimed,
    e.Offered: State._offered,
    e.Answered: State._answered,
    e.OfferEnded: State._offer_ended,
    e.TakenBack: State._taken_back,
    e.Paused: State._paused,
    e.Resumed: State._resumed,
    e.Said: State._said,
    e.WatchAsked: State._watch_asked,
    e.Shown: State._shown,
    e.Closed: State._closed,
    e.Rematched: State._rematched,
}
