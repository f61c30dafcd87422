"""Anything may be asked by anybody at any time: a table refuses or does it, and its log always replays to its state."""

from __future__ import annotations

import random
from typing import Any

import pytest

from atout.tables import Clock, Event, Refused, Table, TableSettings, decode, encode, new_secret
from atout.tables import commands as c
from atout.tables import events as e
from tests.properties.matches import PLACES
from tests.tables.players import SECRET, as_json

CLOCKS = [Clock(), Clock("decision", 20), Clock("game", 200, 2), Clock("days", 1)]
GUESTS: list[str | None] = [*(f"g{i}" for i in range(7)), None, None, ""]


class Chaos:
    """One table and everything that can be asked of it, sensibly or not."""

    def __init__(self, edition: str, players: int, seed: int) -> None:
        self.rng = random.Random(f"{edition} {players} {seed}")
        rng = self.rng
        settings = TableSettings(
            edition,
            players,
            seats=[rng.choice(["open", "open", "open", "random"]) for _ in range(players)],
            clock=rng.choice(CLOCKS),
            grace=rng.choice([0.0, 5.0, 60.0]),
            stand_in="random",
            spectators=rng.choice(["off", "public", "leave"]),
            takeback=rng.random() < 0.8,
            autostart=rng.random() < 0.8,
            hints=True,
        )
        self.table, self.log, self.now = Table(), list[bytes](), 100.0
        self.codes: set[str] = set()
        self.do(c.Open(table="t", settings=settings, secret=SECRET), "g0")

    def do(self, command: c.Command, by: str | None) -> list[Event]:
        try:
            events = self.table.decide(command, by, self.now)
        except Refused as refusal:
            self.codes.add(refusal.code)
            return []
        for event in events:
            self.log.append(encode(event))
            self.table.apply(decode(self.log[-1]))
        return events

    def step(self) -> None:
        rng = self.rng
        self.now += rng.choice([0.0, 0.1, 1.0, 1.0, 5.0, 30.0, -50.0])
        roll = rng.random()
        if roll < 0.6:
            self.sensible()
        elif roll < 0.65:
            deadline = self.table.next_deadline()
            self.now = self.now if deadline is None else max(self.now, deadline)
            before = self.table.number
            self.do(c.Tick(), None)
            assert deadline is None or self.table.number > before, "a deadline passed and nothing happened"
        else:
            command = self.anything()
            self.do(command, self.somebody(command))

    def somebody(self, command: c.Command) -> str | None:
        """Often one who may ask for it."""
        seated: list[str | None] = [guest for guest in self.table.guests if guest is not None]
        if self.rng.random() < 0.3 or not seated:
            return self.rng.choice(GUESTS)
        if isinstance(command, c.Admit | c.Away | c.Back | c.MoveSeat):
            return None
        return "g0" if isinstance(command, c.SetSeat) else self.rng.choice(seated)

    def sensible(self) -> None:
        """Somebody who is asked acts or answers, a free seat is taken, the host starts."""
        rng, table = self.rng, self.table
        due = table.bot_turns()
        if due and rng.random() < 0.6:
            one = rng.choice(due)
            assert self.do(c.Act(action=rng.choice(one.legal), decision=one.decision), None)
            return
        guest = f"g{rng.randrange(7)}"
        seat = table.seat_of(guest)
        if seat is None or table.status == "waiting":
            self.do(c.Sit(name="N", entropy="ab"), guest)
            self.do(c.Start(), "g0")
            return
        view = table.view_for(guest, self.now)
        if view.game is not None and view.game["legal"]:
            action = rng.choice(view.game["legal"])
            self.do(c.Act(action=action, decision=view.decision, id=str(rng.randrange(99))), guest)
        elif view.seats[seat].is_stood_in or view.seats[seat].has_left:
            self.do(c.Reclaim(), guest)
        elif view.offer is not None:
            self.do(c.Answer(yes=True), guest)
        elif view.status == "paused":
            self.do(c.Offer(what="resume"), guest)
        elif view.watchers:
            self.do(c.Show(watcher=view.watchers[-1].watcher, yes=rng.random() < 0.8), guest)
        elif view.may_take_back:
            self.do(c.Offer(what="takeback"), guest)
        else:
            self.do(c.Withdraw(), guest)

    def anything(self) -> c.Command:
        rng = self.rng
        seat, flag = rng.randrange(7), rng.random() < 0.7
        words = rng.choice(
            ["hello", "", "0 play R1", f"{seat} discard B2", f"{seat} veto trump red", "9 play", "x" * 400]
        )
        what: Any = rng.choice(["takeback", "takeback", "pause", "resume", "resume", "resume", "abort"])
        commands: list[c.Command] = [
            c.Sit(name=words, seat=rng.choice([None, seat]), entropy=rng.choice(["", "00", "zz"])),
            c.Leave(),
            c.Rename(name=words),
            c.SetSeat(seat=seat, to=rng.choice(["open", "random", "nobody"])),
            c.Start(),
            c.Act(action=words, decision=rng.choice([None, 1, self.table.number])),
            c.Withdraw(),
            c.Offer(what=what if what != "abort" or rng.random() < 0.05 else "pause"),
            c.Answer(yes=flag),
            c.Say(text=words),
            c.Watch(seat=seat, name="W"),
            c.Show(watcher=rng.randrange(-1, 4), yes=flag),
            c.TakeRequests(yes=flag),
            c.StandIn(),
            c.Reclaim(),
            c.Close() if rng.random() < 0.02 else c.Reclaim(),
            c.Rematch(table="t2", secret=new_secret() if flag else "x"),
            c.Away(seat=seat),
            c.Back(seat=seat),
            c.Back(seat=seat),
            c.MoveSeat(seat=seat, guest=f"g{rng.randrange(7)}"),
            c.Admit(guest="stranger" if flag else f"g{seat}") if seat % 2 else c.Tick(),
            c.Open(table="t", settings=self.table.settings, secret=SECRET),
        ]
        return rng.choice(commands)

    def check(self) -> None:
        """A replay stands where the table stands, for everybody who may look."""
        twin = Table.from_events(map(decode, self.log))
        for guest in [*GUESTS, "stranger"]:
            assert look(twin, guest, self.now) == look(self.table, guest, self.now)
        assert twin.next_deadline() == self.table.next_deadline()
        assert twin.bot_turns() == self.table.bot_turns()
        for line in self.log[-20:]:
            for guest in GUESTS:
                self.table.visible_event(decode(line), guest)


def look(table: Table, guest: str | None, now: float) -> bytes:
    try:
        return as_json(table.view_for(guest, now))
    except Refused as refusal:
        return refusal.code.encode()


@pytest.mark.parametrize(("edition", "players"), PLACES)
def test_anything_at_any_time(edition: str, players: int) -> None:
    for seed in range(4):
        chaos = Chaos(edition, players, seed)
        for i in range(600):
            chaos.step()
            if i % 100 == 99:
                chaos.check()


def test_chaos_gets_somewhere() -> None:
    """The test above would prove little if everything were refused."""
    kinds: set[str] = set()
    codes: set[str] = set()
    for seed in range(12):
        chaos = Chaos("nichtig", 3, seed)
        for _ in range(500):
            chaos.step()
        kinds |= {type(decode(line)).__name__ for line in chaos.log}
        codes |= chaos.codes
    known = {kind.__name__ for kind in [*e.SeatEvent.__subclasses__(), *e.Event.__subclasses__()]} - {"SeatEvent"}
    # The last two come from no command.
    assert known - kinds <= {"Closed", "Rematched", "SeatSet", "Forgotten", "Joined"}
    assert len(codes) > 35
