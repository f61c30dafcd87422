"""Nobody is told what they should not know: whole matches, every setting, everything told to a seat and to spectators.

A twin of the match is played in which everything hidden from one seat is drawn again. Whatever that seat, a spectator
it gave leave, and any other spectator are told must be the same, event for event and view for view, byte for byte.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from typing import Any, NamedTuple

import pytest

from atout.game import Action, Game
from atout.tables import Event, Table, TableSettings
from atout.tables import commands as c
from atout.tables import events as e
from tests.properties.matches import PLACES, SETTINGS, Setting, chance, hands_of
from tests.tables.players import as_json, visible_to

SECRET = "0badc0de" * 8
CHOICES = ("discard", "pass", "lay")


class Step(NamedTuple):
    command: c.Command
    by: str | None
    first: int
    """Number of its first event."""


class Match:
    """A random match by commands, quickly: the tests look into the state to find what is legal."""

    def __init__(self, setting: Setting, seed: int) -> None:
        self.rng = chance("table", setting.id, seed)
        self.table = Table()
        self.events: list[Event] = []
        self.steps: list[Step] = []
        self.starts: list[int] = []
        """By round: the number of the event that dealt it."""
        self.hands: list[list[str]] = []
        plan = ["open"] * (setting.players - 1) + ["random"]
        settings = TableSettings(
            setting.edition, setting.players, setting.options, plan, spectators="leave", autostart=False
        )
        self.do(c.Open(table="t", settings=settings, secret=SECRET), "guest-0")
        for seat in range(setting.players - 1):
            self.do(c.Sit(name=f"N{seat}", seat=seat, entropy=f"feedface{seat:02x}"), f"guest-{seat}")
            self.do(c.Watch(seat=seat, name="W"), f"watcher-{seat}")
            self.do(c.Show(watcher=seat, yes=True), f"guest-{seat}")
        self.do(c.Start(), "guest-0")
        while self.table.status == "playing":
            self.step()

    def do(self, command: c.Command, by: str | None) -> None:
        events = self.table.decide(command, by, float(self.table.number))
        self.steps.append(Step(command, by, events[0].number))
        for event in events:
            self.table.apply(event)
        self.events += events
        game = self.table._state.game
        if game is not None and game.round > len(self.hands):
            self.starts.append(self.table.number)
            self.hands.append(dealt(game))

    def step(self) -> None:
        state, rng = self.table._state, self.rng
        assert state.game is not None
        if state.all_choose and rng.random() < 0.2:
            chosen = [i for i, seat in enumerate(state.seats) if seat.chosen and seat.guest]
            if chosen:
                self.do(c.Withdraw(), f"guest-{rng.choice(chosen)}")
                return
        seat = rng.choice(state.asked)
        action = rng.choice(legal_for(self.table, seat))
        self.do(c.Act(action=str(action), decision=state.decision_of(seat)), state.seats[seat].guest)
        taken_back = state.last_actor is not None and state.seats[state.last_actor].guest and rng.random() < 0.05
        if taken_back and action.verb == "veto":  # a card that was shown could not be drawn again
            self.take_back(seat)

    def take_back(self, seat: int) -> None:
        self.do(c.Offer(what="takeback"), f"guest-{seat}")
        for other in sorted(self.table._state.people("takeback") - {seat}):
            self.do(c.Answer(yes=True), f"guest-{other}")


def legal_for(table: Table, seat: int) -> list[Action]:
    state = table._state
    assert state.game is not None
    return state.game.choosing(seat, state.seats[seat].chosen).legal() if state.all_choose else state.game.legal()


def dealt(game: Game) -> list[str]:
    return game.record()["rounds"][-1]["hands"]


class Twin:
    """The same round as far as one seat can tell, up to some event."""

    def __init__(self, match: Match, upto: int, seat: int) -> None:
        self.match, self.seat, self.rng = match, seat, chance("twin", upto, seat)
        here = Table.from_events(match.events[:upto])
        game = here._state.game
        assert game is not None
        self.round = game.round - 1
        world = game.sample(seat, rng=upto)
        self.choices: dict[int, list[str]] = defaultdict(list)
        for action in world.actions:
            if action.verb in CHOICES:
                self.choices[action.seat].append(str(action))
        self.hands = [" ".join(hand) for hand in hands_of(world.undo(to=0))]
        start = match.starts[self.round]
        self.real = Table.from_events(match.events[:start])
        self.table = Table.from_events(match.events[:start], deals=self.deals)
        self.steps = [step for step in match.steps if start < step.first <= upto]
        self.upto = upto

    def deals(self, number: int) -> list[str]:
        return self.hands if number == self.round else self.match.hands[number]

    @property
    def is_different(self) -> bool:
        return [sorted(hand.split()) for hand in self.hands] != [
            sorted(hand.split()) for hand in self.match.hands[self.round]
        ]

    def compare(self) -> None:
        """Both tables side by side, step by step, seen by those who may not see a difference."""
        guests = [f"watcher-{self.seat}", "stranger", None]
        guests += [f"guest-{self.seat}"] if self.seat < len(self.real.guests) - 1 else []
        self.look(guests)
        for i, step in enumerate(self.steps):
            real = [event for event in self.match.events[step.first - 1 : self.upto] if self.belongs(event, i)]
            twins = self.table.decide(self.disguised(step, i), step.by, float(self.table.number))
            assert [(type(event), event.number) for event in twins[: len(real)]] == [
                (type(event), event.number) for event in real
            ]
            for ours, theirs in zip(real, twins, strict=False):
                self.real.apply(ours)
                self.table.apply(theirs)
                for guest in guests:
                    assert visible_to(self.table, [theirs], guest) == visible_to(self.real, [ours], guest)
            self.look(guests)

    def belongs(self, event: Event, i: int) -> bool:
        return i + 1 == len(self.steps) or event.number < self.steps[i + 1].first

    def look(self, guests: list[str | None]) -> None:
        assert as_json(self.table.views_for(guests, 1.0)) == as_json(self.real.views_for(guests, 1.0))

    def disguised(self, step: Step, i: int) -> c.Command:
        """The step with another seat's secret choice replaced by what was chosen in the twin's world."""
        if not isinstance(step.command, c.Act):
            return step.command
        seat, verb, _ = step.command.action.split(" ", 2)
        if verb not in CHOICES or int(seat) == self.seat:
            return step.command
        later = self.steps[i + 1 :]
        is_withdrawn = any(isinstance(other.command, c.Withdraw) and other.by == step.by for other in later)
        choices = self.choices[int(seat)]
        if is_withdrawn or not choices:
            action = str(self.rng.choice(legal_for(self.table, int(seat))))
        else:
            action = choices[len(self.table._state.seats[int(seat)].chosen)]
        return c.Act(action=action, decision=step.command.decision)


@pytest.mark.parametrize("setting", SETTINGS, ids=[setting.id for setting in SETTINGS])
def test_what_a_viewer_is_told_does_not_change_with_what_is_hidden(setting: Setting) -> None:
    match = Match(setting, 1)
    rng = random.Random(setting.id)
    different = 0
    for _ in range(3):
        number = rng.randrange(len(match.starts))
        last = match.starts[number + 1] - 1 if number + 1 < len(match.starts) else len(match.events) - 1
        twin = Twin(match, rng.randint(match.starts[number], last), rng.randrange(setting.players))
        twin.compare()
        different += twin.is_different
    assert different > 0


@pytest.mark.parametrize(("edition", "players"), PLACES)
def test_no_secret_leaves_the_table(edition: str, players: int) -> None:
    """All that is told before the end, as text: no secret, no seed, no guest's id, no entropy before the start."""
    match = Match(Setting(edition, players, {}), 2)
    table = Table()
    heard: dict[str | None, list[bytes]] = defaultdict(list)
    viewers: list[str | None] = [None, "stranger", *(f"guest-{seat}" for seat in range(players - 1))]
    seeds: set[str] = set()
    for event in match.events:
        table.apply(event)
        if table.is_finished:
            break
        for viewer in viewers:
            heard[viewer] += visible_to(table, [event], viewer)
            if event.number % 7 == 0 or table.status == "waiting":
                heard[viewer].append(as_json(table.view_for(viewer, 1.0)))
        seeds |= {str(due.seed) for due in table.bot_turns()}
    assert table.is_finished
    assert seeds
    for viewer, lines in heard.items():
        text = b"\n".join(lines).decode()
        assert SECRET not in text
        assert re.search(r"(guest|watcher)-\d", text) is None
        assert not any(seed in text for seed in seeds)
        assert '"seen"' not in text
        assert not [line for line in lines if b'"kind":"chosen"' in line and b'"action"' in line and viewer is None]
    start = next(event.number for event in match.events if isinstance(event, e.Started))
    before = [as_json(match.table.visible_event(event, "guest-1")) for event in match.events[: start - 1]]
    assert not any(b"feedface" in line for line in before)


def test_a_choice_is_told_to_its_seat_alone_until_all_have_chosen() -> None:
    match = Match(Setting("nichtig", 4, {}), 3)
    table = Table()
    told_others: list[Any] = []
    for event in match.events:
        table.apply(event)
        if isinstance(event, e.Chosen) and event.seat == 0:
            own = table.visible_event(event, "guest-0")
            assert isinstance(own, e.Chosen)
            assert own.action == event.action
            other = table.visible_event(event, "guest-1")
            assert (other is None) == (not event.complete)
            if other is not None:
                told_others.append(other)
        if isinstance(event, e.Revealed):
            seen = table.visible_event(event, "guest-1")
            assert isinstance(seen, e.Revealed)
            assert len(seen.actions) == 12
            assert seen.seen == []
    assert told_others
    assert all(event.action == "" for event in told_others)
