"""One match at one table, as the sum of its events. No network, no database, no clock of its own."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from atout.game import View
from atout.game.game import Deals
from atout.game.record import Record
from atout.tables import chat, clock, guards, lobby, moves, offers
from atout.tables import commands as c
from atout.tables import events as e
from atout.tables.changes import check_pace
from atout.tables.daily import shuffle_name
from atout.tables.dedup import numbers_of
from atout.tables.devices import owner
from atout.tables.forget import forget, is_alias
from atout.tables.join import join
from atout.tables.origin import OriginView
from atout.tables.reducer import apply
from atout.tables.refusals import AlreadyDone, refuse
from atout.tables.settings import OPEN, TableSettings
from atout.tables.shuffle import SCHEME, SECRET_BYTES
from atout.tables.state import State, Status
from atout.tables.views import TableView, Views, is_new_spectator, visible_event


class BotTurn(Struct, frozen=True):
    """A decision a bot has to make: everything it may know, and what to send back with its answer."""

    seat: int
    level: str
    decision: int
    view: View
    legal: list[str]
    seed: int
    """For the bot's random choices: unpredictable for players, the same from the same event log."""
    asked: float = 0.0
    """Since when the bot has been asked: the time of a public event."""
    cards: int = 1
    """How many decisions of the bot belong together: the cards that a secret choice owes."""


class Table:
    """The authority over a table. What a server does with it:

        table = Table.from_events(events)
        events = table.decide(command, by=guest, now=time)     # or Refused; AlreadyDone
        for event in events: table.apply(event)
        # append them to the store; if another worker was faster: make the table again from all events, decide again
        # send the events and the views: table.visible_event(event, guest), table.views_for(guests, now)
        # ask the bots: table.bot_turns(); send Tick() at table.next_deadline()

    >>> table = Table()
    >>> settings = TableSettings("nichtig", 3, seats=["open", "novice", "novice"])
    >>> opening = c.Open(table="t1", settings=settings, secret=new_secret())
    >>> def do(command, by):
    ...     for event in table.decide(command, by, now=0.0):
    ...         table.apply(event)
    >>> do(opening, "ann")
    >>> do(c.Sit(name="Ann", entropy="c0ffee"), "ann")
    >>> table.number, table.status, [turn.seat for turn in table.bot_turns()]
    (3, 'playing', [1, 2])
    >>> view = table.view_for("ann", now=1.0)
    >>> do(c.Act(action=view.game["legal"][0], decision=view.decision), "ann")
    >>> table.view_for("ann", now=1.0).game["owed"]
    2
    """

    __slots__ = ("__weakref__", "_state")

    def __init__(self, deals: Deals | None = None) -> None:
        """A table not yet opened. `deals` replaces the fair shuffle, for tests and studies."""
        self._state = State(deals)

    @classmethod
    def from_events(cls, events: Iterable[e.Event], deals: Deals | None = None) -> Table:
        """The table that an event log describes."""
        table = cls(deals)
        for event in events:
            table.apply(event)
        return table

    # ---------------------------------------------------------------- where it stands

    @property
    def number(self) -> int:
        """Number of the last event; 0 before the table is opened."""
        return self._state.number

    @property
    def status(self) -> Status:
        """`unopened`, `waiting`, `playing`, `paused`, `over`, `closed`; the last two are final."""
        return self._state.status

    @property
    def table(self) -> str:
        return self._state.table

    @property
    def settings(self) -> TableSettings:
        return self._state.settings

    @property
    def is_finished(self) -> bool:
        return self._state.is_finished

    @property
    def guests(self) -> list[str | None]:
        """By seat; None for bots and open seats. For the server alone."""
        return [seat.guest for seat in self._state.seats]

    @property
    def host(self) -> str | None:
        """Who opened the table. For the server alone."""
        return self._state.host

    @property
    def former_guests(self) -> list[str | None]:
        """By seat: the guest whose name it has, if they handed it over to somebody else; None if not.

        For the server alone.
        """
        seats = self._state.seats
        return [
            None if who is None or is_alias(who) or seat.guest is None or owner(who) == owner(seat.guest) else who
            for seat, who in ((seat, seat.named_by) for seat in seats)
        ]

    @property
    def members(self) -> set[str]:
        """The owners of the devices of all who have a part in the table: host, players, and those a seat is kept for.

        For the server alone.
        """
        seats = self._state.seats
        return {owner(who) for who in (self.host, *(who for s in seats for who in (s.guest, s.kept))) if who}

    @property
    def is_played_on(self) -> bool:
        """The match began in the middle of another one (`Origin`)."""
        return self._state.origin is not None

    @property
    def origin(self) -> OriginView | None:
        """What everybody may be told of the match that is played on here; None for any other."""
        return self._state.origin.shown(with_source=False) if self._state.origin is not None else None

    @property
    def daily(self) -> str:
        """The day, at a table of the deal of the day; else empty."""
        return self._state.daily

    @property
    def is_regular(self) -> bool:
        """Everybody decided for themselves: no bot failed, and none played for a person."""
        return self._state.is_regular

    @property
    def last_at(self) -> float:
        """When the last event happened."""
        return self._state.at

    @property
    def winners(self) -> list[int]:
        """Seats; empty unless the match was played to its end."""
        return self._state.winners

    @property
    def stood_in(self) -> list[int]:
        """Seats of people for whom a bot plays, or played when the match ended."""
        return [i for i, seat in enumerate(self._state.seats) if seat.is_stood_in]

    def seat_of(self, guest: str) -> int | None:
        return self._state.seat_of(guest)

    @property
    def asked(self) -> list[int]:
        """The seats that have a decision to make."""
        return self._state.asked

    @property
    def has_people(self) -> bool:
        """Whether somebody plays who is connected, as far as the log knows."""
        return any(
            seat.guest is not None and seat.away is None and not (seat.is_stood_in or seat.has_left)
            for seat in self._state.seats
        )

    def is_away(self, seat: int) -> bool:
        """Nobody is connected for the seat, as far as the log knows."""
        return self._state.seats[seat].away is not None

    def is_new_spectator(self, guest: str) -> bool:
        """Whether a guest who looks has to be noted (`Admit`)."""
        return is_new_spectator(self._state, guest)

    # ---------------------------------------------------------------- changing it

    def decide(self, command: c.Command, by: str | None, now: float) -> list[e.Event]:
        """The events that carry the command out, numbered; nothing changes until they are applied.

        `by` is the guest who asks, None the server. Raises `Refused`; and `AlreadyDone` for a command that was carried
        out before. A clock that jumps back does no harm: time at a table never does. The list may be empty for
        commands of the server that change nothing.
        """
        state = self._state
        self._check(command, by)
        at = max(now, state.at)
        check_pace(state, command, by, at)
        events = _DECIDE[type(command)](state, command, by, at)
        for number, event in enumerate(events, state.number + 1):
            event.number, event.at, event.by, event.command = number, at, by, command.id
        return events

    def _check(self, command: c.Command, by: str | None) -> None:
        state = self._state
        if isinstance(command, c.Open) != (state.number == 0):
            raise refuse("is-open" if state.number else "not-open")
        if len(command.id) > c.MAX_ID:
            raise refuse("bad-command-id", most=c.MAX_ID)
        if command.id and by is not None:
            known = numbers_of(state.done.get(by, b""), command.id)
            if known is not None:
                raise AlreadyDone(*known)

    def apply(self, event: e.Event) -> None:
        """Apply the next event of the log: one just decided here, or one that another worker appended."""
        apply(self._state, event)

    # ---------------------------------------------------------------- what is due

    def next_deadline(self) -> float | None:
        """When `Tick` should be sent: a clock runs out, a grace or an offer ends. None: nothing is waiting for time."""
        return clock.next_deadline(self._state)

    @property
    def turn_number(self) -> int:
        """Names the turn that goes on: it stays the same while several seats choose, and while one chooses cards."""
        return self._state.decision

    @property
    def clocks_run_out(self) -> list[float | None]:
        """By seat: when its clock runs out; None while it does not run."""
        return [seat.runs_out for seat in self._state.seats]

    def bot_turns(self) -> list[BotTurn]:
        """The decisions bots have to make right now; they wait while a takeback is offered.

        Answer with `Act(action, decision)` by None. An answer that comes too late is refused. For a bot that fails, the
        server makes a random action and says so (`forfeit`).
        """
        state = self._state
        due = state.bots_asked
        if not due:
            return []
        views = Views(state, state.at)
        return [self._bot_turn(views, seat) for seat in due]

    def hint(self, guest: str, supposed: Sequence[str] = ()) -> BotTurn:
        """What a bot needs to advise a guest on the decision asked of them, if the table allows hints.

        Where several cards are chosen at once, `supposed` are those that it has advised so far.
        """
        state = self._state
        seat = guards.seat_of(state, guest)
        guards.playing(state)
        if not state.settings.hints:
            raise refuse("no-hints")
        if seat not in state.asked:
            raise refuse("not-asked")
        return self._bot_turn(Views(state, state.at), seat, supposed)

    def _bot_turn(self, views: Views, index: int, supposed: Sequence[str] = ()) -> BotTurn:
        state = self._state
        assert state.game is not None
        seat, decision, notation = state.seats[index], state.decision_of(index), state.game.notation
        view = views.game(index, [notation.action(notation.entry(action)) for action in supposed])
        assert view is not None
        assert state.shuffler is not None
        level = seat.level if seat.is_bot else state.stand_in
        seed = state.shuffler.seed(f"bot {decision} {index}")
        asked = state.at if seat.bot_asked is None else seat.bot_asked[1]
        cards = state.owed if state.all_choose else 1
        return BotTurn(index, level, decision, view, view["legal"], seed, asked, cards)

    # ---------------------------------------------------------------- what others may see

    def view_for(self, guest: str | None, now: float) -> TableView:
        """All a guest may see of the table: of their seat, or as a spectator (None: somebody unknown)."""
        return self.views_for([guest], now)[0]

    def views_for(self, guests: Sequence[str | None], now: float) -> list[TableView]:
        """The views of one moment. They share parts: do not change them."""
        views = self.views(now)
        return [views.of(guest) for guest in guests]

    def views(self, now: float) -> Views:
        """The views of one moment, in parts, for a sender of changes."""
        if self._state.number == 0:
            raise refuse("not-open")
        return Views(self._state, now)

    def visible_event(self, event: e.Event, guest: str | None) -> e.Event | None:
        """What a guest may see of an event, new or old; None if nothing. It has the event's kind and number."""
        return visible_event(self._state, event, guest)

    # ---------------------------------------------------------------- after the match

    def record(self) -> Record | None:
        """The match as a record, with its shuffles' proof; None if it was closed before it began."""
        state = self._state
        if not state.is_finished:
            raise refuse("not-over")
        if state.game is None:
            return None
        record = state.game.record()
        record["names"], record["bots"] = self._names(), self._levels()
        if self.stood_in and state.status == "over":
            record["stand_ins"] = self.stood_in
        record["times"] = {"opened": state.opened_at, "started": state.started_at, "ended": state.ended_at}
        if state.origin is not None:
            return record  # its deals are not all from this table's shuffle
        record["fair"] = {
            "scheme": SCHEME,
            "table": shuffle_name(state.table, state.daily),
            "secret": state.secret,
            "commitment": state.commitment,
            "entropy": state.entropy,
        }
        return record

    def round_record(self, guest: str, number: int) -> tuple[Record, int | None]:
        """The match up to a finished round, and the seat that the guest saw it from; for the server alone.

        It is for `make_round_replay`, which shows what that seat knew. Players who share a device are shown what a
        spectator sees, because they look at it together. `Refused` if the guest may not look.
        """
        state = self._state
        seat = self.views(state.at).own(guest)["seat"]
        if sum(owner(other) == owner(guest) for other in self.guests if other is not None) > 1:
            seat = None
        if state.game is None or not 1 <= number <= len(state.game.past()):
            raise refuse("no-round", number=number)
        record = state.game.record()
        record["names"], record["bots"] = self._names(), self._levels()
        if number < len(record["rounds"]):
            record["rounds"] = record["rounds"][:number]
            record.pop("totals", None)
            record.pop("winners", None)
        return record, seat

    def _names(self) -> list[str]:
        return [seat.level if seat.is_bot else seat.name for seat in self._state.seats]

    def _levels(self) -> list[str | None]:
        return [seat.level if seat.is_bot else None for seat in self._state.seats]

    def rematch(self) -> tuple[c.Open, str | None] | None:
        """The command that opens the rematch, and its host, once somebody has asked for one.

        It is the same from every copy of the event log: if the new table exists already, another worker was faster.
        Seats are kept for the players who had them; each sits down again and contributes new entropy.
        """
        state = self._state
        if state.next_table is None:
            return None
        table, secret = state.next_table
        kept = [
            None if seat.guest is None or is_alias(seat.guest) else c.Kept(seat.guest, seat.name, former or "")
            for seat, former in zip(state.seats, self.former_guests, strict=True)
        ]
        levels = [seat.level if seat.is_bot else OPEN for seat in state.seats]
        settings = replace(state.settings, seats=levels)
        opening = c.Open(
            table=table, settings=settings, secret=secret, previous=state.table, kept=kept, origin=state.origin
        )
        return opening, state.host


def new_secret() -> str:
    """A new secret for `Open` and `Rematch`, from the operating system's random numbers."""
    return secrets.token_hex(SECRET_BYTES)


_DECIDE: dict[type[c.Command], Callable[[State, Any, str | None, float], list[e.Event]]] = {
    c.Open: lobby.open_table,
    c.Sit: lobby.sit,
    c.Leave: lobby.leave,
    c.Rename: lobby.rename,
    c.SetSeat: lobby.set_seat,
    c.Start: lobby.start,
    c.Act: moves.act,
    c.Withdraw: moves.withdraw,
    c.Offer: offers.offer,
    c.Answer: offers.answer,
    c.Say: chat.say,
    c.Watch: chat.watch,
    c.Show: chat.show,
    c.TakeRequests: chat.take_requests,
    c.Admit: chat.admit,
    c.StandIn: lobby.stand_in,
    c.Reclaim: lobby.reclaim,
    c.Close: lobby.close,
    c.Rematch: lobby.rematch,
    c.Away: lobby.away,
    c.Back: lobby.back,
    c.MoveSeat: lobby.move_seat,
    c.Forget: forget,
    c.Join: join,
    c.Tick: clock.tick,
}
