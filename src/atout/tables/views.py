"""Redaction: what a viewer may see of the table, and of each event. Nothing else of a table is sent.

The cards come from the game's own views (`atout.game`); the seats, offers and chat are added here. Guests' ids, the
secret, entropy before the start, bots' seeds and others' unrevealed choices stay inside.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeVar, cast

from msgspec import Struct

from atout.game import Action, View
from atout.game.setup import DeckFacts
from atout.tables import events as e
from atout.tables.commands import OfferKind
from atout.tables.devices import owner
from atout.tables.offers import offer_ends
from atout.tables.origin import OriginView
from atout.tables.refusals import refuse
from atout.tables.seats import Seat
from atout.tables.settings import TableSettings
from atout.tables.state import ChatMessage, State, Status

AnEvent = TypeVar("AnEvent", bound=e.Event)
MAX_ADMITTED = 100
"""Spectators of a private match who may come back after its end."""


class SeatView(Struct, frozen=True, omit_defaults=True):
    name: str
    kind: Literal["open", "kept", "person", "bot"]
    bot: str = ""
    """Level of the bot that decides for the seat now."""
    is_here: bool = True
    has_left: bool = False
    is_stood_in: bool = False
    clock: float | None = None
    """Seconds left; None without a clock."""
    clock_runs: bool = False
    has_chosen: bool = False
    """Its part of a secret choice is made."""
    takes_requests: bool = True
    """Spectators may ask to see its cards, where the settings allow it."""


class OfferView(Struct, frozen=True):
    what: OfferKind
    seat: int
    agreed: list[int]
    ends: float
    whom: int | None = None
    """With `stand-in`: the seat that a bot would play."""
    days: int | None = None
    """With `pause`: how long it would be; None: until the people agree to go on."""


class WatcherView(Struct, frozen=True, omit_defaults=True):
    watcher: int
    name: str
    seat: int
    allowed: bool
    declined: bool = False
    """The seat said no, or takes no requests any more."""


class TableView(Struct, frozen=True, omit_defaults=True):
    """Everything a viewer may know of a table at one moment. Lists per seat are indexed by seat."""

    table: str
    number: int
    """The number of the last event: a client resumes from here."""
    now: float
    status: Status
    settings: TableSettings
    commitment: str
    deck: DeckFacts
    """How the cards are drawn: of a published edition, or of house rules."""
    seats: list[SeatView]
    seat: int | None = None
    """Whose view it is: one's own seat, or the one a spectator may look into; None: a spectator."""
    is_yours: bool = False
    """The seat is the viewer's own."""
    is_host: bool = False
    asked: list[int] = []
    """Seats that have a decision to make."""
    is_deserted: bool = False
    """Only bots are left and no clock runs: nothing is played until somebody is back."""
    decision: int | None = None
    """Names the decision asked of the seat; sent back with the action."""
    choice: list[str] = []
    """The seat's own part of a secret choice that is not revealed yet."""
    game: View | None = None
    """From the start on. Where all choose at once, the view of a seat is as if it chose alone: `turn` is the seat until
    it has chosen, then None."""
    may_take_back: bool = False
    offer: OfferView | None = None
    paused_until: float | None = None
    """When a pause ends by itself; None: when the people agree to go on, or there is no pause."""
    chat: list[ChatMessage] = []
    watchers: list[WatcherView] = []
    """For the owner of a seat: who asks to see its cards, and who sees them. For a spectator: their own requests."""
    entropy: list[str] = []
    """From the start on: what each seat brought to the shuffle."""
    previous: str = ""
    origin: OriginView | None = None
    """The decision of an earlier match that this one is played on from: it is not kept, and its first deals are not
    from this table's shuffle."""
    daily: str = ""
    """The day, at a table of the deal of the day."""
    rematch: str = ""
    """The table of the rematch."""
    winners: list[int] = []
    """Seats; empty unless the match was played to its end."""
    hands: list[str] = []
    """After the end: the last round's hands as they were dealt. The record has all rounds."""
    secret: str = ""
    """After the end."""


class Views:
    """Where the views of one moment come from, whole or in parts; the common part is made once for all of them."""

    def __init__(self, state: State, now: float) -> None:
        self.state, self.now = state, max(now, state.at)
        self._owed = state.owed if state.all_choose else 0
        self._common: dict[str, Any] | None = None
        self._common_game: dict[str, Any] | None = None

    def of(self, guest: str | None, *, is_new: bool = True) -> TableView:
        """The view of a guest; None is somebody unknown. `Refused` if they may not look (`own`)."""
        own = self.own(guest, is_new=is_new)
        return TableView(**self.common(), **own, game=self.game(own["seat"]))

    def common(self) -> dict[str, Any]:
        """The fields of a view that are the same for everybody, without the game; do not change them."""
        if self._common is None:
            self._common = self._make_common()
        return self._common

    def _make_common(self) -> dict[str, Any]:
        state, finished = self.state, self.state.is_finished
        return {
            "table": state.table,
            "number": state.number,
            "now": self.now,
            "status": state.status,
            "settings": state.settings,
            "commitment": state.commitment,
            "deck": state.rules.deck,
            "seats": [self._seat(seat) for seat in state.seats],
            "asked": state.asked,
            "is_deserted": state.is_deserted,
            "offer": self._offer(),
            "paused_until": state.paused_until,
            "chat": state.chat,
            "entropy": state.entropy,
            "previous": state.previous,
            "daily": state.daily,
            "rematch": state.next_table[0] if state.next_table else "",
            "winners": state.winners,
            "hands": state.game.record()["rounds"][-1]["hands"] if finished and state.game is not None else [],
            "secret": state.secret if finished else "",
        }

    def own(self, guest: str | None, *, is_new: bool = True) -> dict[str, Any]:
        """The fields of a guest's view that are theirs alone, without the game; `Refused` if they may not look.

        `is_new`: they were shown nothing of the table yet.
        """
        state = self.state
        own = state.seat_of(guest)
        seat = viewer_seat(state, guest) if own is None else own
        if seat is None and not may_watch(state, guest):
            raise refuse("is-private" if state.is_finished else "no-spectators")
        if seat is None and is_new and not may_enter(state, guest):
            raise refuse("is-private")
        is_host = guest is not None and guest == state.host
        return {
            "seat": seat,
            "is_yours": own is not None,
            "is_host": is_host,
            "origin": None if state.origin is None else state.origin.shown(with_source=is_host),
            "decision": None if seat is None or seat not in state.asked else state.decision_of(seat),
            "choice": [] if seat is None else [str(action) for action in state.seats[seat].chosen],
            "may_take_back": own is not None and state.last_actor == own and state.settings.takeback,
            "watchers": self._spectators(guest, own),
        }

    def game(self, seat: int | None, supposed: Sequence[Action] = ()) -> View | None:
        """The game as a seat may see it, or a spectator (None); None before the match.

        `supposed` are further cards of a secret choice: the view is as if the seat had chosen them already.
        """
        common = self.common_game()
        return None if common is None else cast("View", {**common, **self.own_game(seat, supposed)})

    def common_game(self) -> dict[str, Any] | None:
        """The fields of the game that are the same for everybody; None before the match."""
        if self._common_game is None and self.state.game is not None:
            self._common_game = self.state.game.common()
        return self._common_game

    def own_game(self, seat: int | None, supposed: Sequence[Action] = ()) -> dict[str, Any]:
        """The fields of the game that differ from seat to seat; none before the match.

        Where all choose at once, each seat sees the game as if it chose alone, and nobody is in turn for a spectator.
        """
        state = self.state
        if state.game is None:
            return {}
        if not state.all_choose:
            return state.game.own(seat)
        if seat is None:
            return {**state.game.own(None), "turn": None}
        return state.game.choosing(seat, (*state.seats[seat].chosen, *supposed)).own()

    def _seat(self, seat: Seat) -> SeatView:
        kind: Literal["open", "kept", "person", "bot"] = "open"
        if seat.is_filled or seat.kept is not None:
            kind = "bot" if seat.is_bot else "person" if seat.guest is not None else "kept"
        bot = self.state.stand_in if seat.is_stood_in or seat.is_overdue else ""
        return SeatView(
            name=seat.name,
            kind=kind,
            bot=seat.level if seat.is_bot else bot,
            is_here=seat.is_bot or (seat.guest is not None and seat.away is None),
            has_left=seat.has_left,
            is_stood_in=seat.is_stood_in,
            clock=seat.remaining(self.now),
            clock_runs=seat.since is not None,
            has_chosen=self._owed > 0 and len(seat.chosen) == self._owed,
            takes_requests=seat.takes_requests,
        )

    def _offer(self) -> OfferView | None:
        offer = self.state.offer
        if offer is None:
            return None
        return OfferView(
            offer.what, offer.seat, sorted(offer.yes), offer_ends(self.state) or 0.0, offer.whom, offer.days
        )

    def _spectators(self, guest: str | None, own: int | None) -> list[WatcherView]:
        return [
            WatcherView(number, one.name, one.seat, one.allowed, one.is_declined)
            for number, one in enumerate(self.state.spectators)
            if (one.seat == own and (one.is_open or one.allowed))
            or (own is None and one.guest == guest and (one.is_open or one.allowed or one.is_declined))
        ]


def viewer_seat(state: State, guest: str | None) -> int | None:
    """The seat whose cards a guest may see: their own, or one that gave them leave; None: none."""
    own = state.seat_of(guest)
    if own is not None or guest is None or not state.spectators or state.settings.spectators != "leave":
        return own
    return next(
        (spectator.seat for spectator in state.spectators if spectator.guest == guest and spectator.allowed), None
    )


def may_watch(state: State, guest: str | None) -> bool:
    """Whether a guest without a seat may look: before the match to join it, later if spectators are admitted.

    Those who had a part in the match may look at open cards after its end in any case.
    """
    if state.settings.spectators != "off" or state.game is None:
        return True
    return state.is_finished and _had_part(state, guest)


def may_enter(state: State, guest: str | None) -> bool:
    """Whether a guest without a seat may look who did not until now.

    After the end of a private match only those may who had a part in it or watched it: whoever finds its id later
    learns neither the cards nor what was said.
    """
    if state.is_finished and state.game is not None and state.settings.visibility == "private":
        return _had_part(state, guest) or (guest is not None and owner(guest) in state.admitted)
    return may_watch(state, guest)


def is_new_spectator(state: State, guest: str) -> bool:
    """Whether a guest who looks at a private match has to be noted, so that they may look at it after its end."""
    is_kept_private = state.settings.visibility == "private" and state.settings.spectators != "off"
    if not is_kept_private or state.game is None or state.is_finished or len(state.admitted) >= MAX_ADMITTED:
        return False
    return owner(guest) not in state.admitted and not _had_part(state, guest)


def _had_part(state: State, guest: str | None) -> bool:
    """Whether a guest is the host, had a seat, or asked to see a seat's cards."""
    people = (state.host, *state.held, *(spectator.guest for spectator in state.spectators))
    return guest is not None and owner(guest) in {owner(who) for who in people if who is not None}


def visible_event(state: State, event: e.Event, guest: str | None) -> e.Event | None:
    """The event as a guest may see it; None if it is not for them."""
    seat = viewer_seat(state, guest)
    if seat is None and not may_watch(state, guest):
        return None
    if isinstance(event, (e.Forgotten, e.Joined, e.Admitted)):
        return None
    concerned = isinstance(event, e.SeatEvent) and event.seat == seat
    if isinstance(event, (e.Chosen, e.Withdrawn)) and not (concerned or event.complete):
        return None
    if isinstance(event, (e.WatchAsked, e.Shown)):
        asker = event.guest if isinstance(event, e.WatchAsked) else state.spectators[event.watcher].guest
        if guest != asker and state.seat_of(guest) != event.seat:
            return None
    visible = _part(event, event.public + event.own if concerned else event.public)
    if event.by is not None and event.by == guest:
        visible.command = event.command
    if isinstance(event, e.Revealed) and isinstance(visible, e.Revealed):
        visible.actions = event.seen[-1 if seat is None else seat]
    return visible


def _part(event: AnEvent, names: tuple[str, ...]) -> AnEvent:
    part = type(event)(**{name: getattr(event, name) for name in names})
    part.number, part.at = event.number, event.at
    return part
