"""A unit: one deal for two bots, played in every seating; what it gives is plain data.

All chance of a unit comes from the seed and the number of its deal: hands, dealer, and a source for each seat,
the same in every seating and for every pair. So a bot and its twin end level, to the point.

A bot that fails, answers illegally or does not answer forfeits that decision: it is drawn from the legal actions
at random, and counted. Who hangs too often, or took a process down, is benched: all its decisions to the end of the
unit are forfeits. Where only one action is legal nobody is asked.
"""

from __future__ import annotations

import random
import time

import msgspec

from atout.arena.seatings import match_seatings, seatings
from atout.arena.settings import Settings
from atout.arena.watchdog import Hang, Watch
from atout.bots import Bot, ask, make_bot
from atout.errors import BotError
from atout.game import Game, View, new_rng

FORFEITS = ("failed", "illegal", "hung", "benched")
"""Why a decision was forfeited: an exception; no legal action; no answer; not asked any more."""
HANGS = 3
"""A bot that hangs so often in a unit is benched."""


class Played(msgspec.Struct, frozen=True):
    """A game of a unit."""

    seating: str
    scores: list[int]
    """By seat: of the round, or the totals of the match."""
    rounds: int
    winners: list[int]
    """Of a match; a round has none."""


class Work(msgspec.Struct):
    """What a bot did in a unit."""

    decisions: int = 0
    """Made by the bot itself; forfeits are not among them."""
    seconds: float = 0.0
    forfeits: dict[str, int] = {}

    def forfeit(self, why: str) -> None:
        self.forfeits[why] = self.forfeits.get(why, 0) + 1


class Duplicate(msgspec.Struct, frozen=True):
    """A finished unit."""

    number: int
    games: list[Played]
    work: dict[str, Work]
    """By bot."""


def play_duplicate(settings: Settings, number: int, watch: Watch, benched: frozenset[str] = frozenset()) -> Duplicate:
    """Play it in this process. Never fails by a bot's fault, unless the process itself ends."""
    deal, pair = settings.place(number)
    teams = settings.setup.options.teams
    if settings.unit == "match":
        plan = match_seatings(settings.players, deal, teams)
    else:
        plan = seatings(settings.players, teams)
    desk = Desk(settings, watch, pair, benched)
    return Duplicate(number, [desk.game(deal, seating) for seating in plan], desk.work)


class Desk:
    """Where a unit is played: asks the bots, keeps count, decides for those who cannot."""

    def __init__(self, settings: Settings, watch: Watch, pair: tuple[str, str], benched: frozenset[str]) -> None:
        self.settings, self.watch, self.pair = settings, watch, pair
        self.setup = settings.setup
        self.benched = set(benched)
        self.work = {name: Work() for name in pair}

    def game(self, deal: int, seating: str) -> Played:
        """One round from a fresh match, or a whole match; the deal's number moves the first dealer on."""
        seed = int(new_rng(self.settings.seed, deal)[0])
        game = Game.at(self.setup, seed, first_dealer=deal % self.setup.players)
        names = [self.pair["ab".index(letter)] for letter in seating]
        seats = [Seat(name, self.make(name), seed, seat) for seat, name in enumerate(names)]
        whole = self.settings.unit == "match"
        while game.turn is not None and (whole or game.round == 1):
            seat = game.turn
            legal = game.legal()
            game.play(legal[0] if len(legal) == 1 else self.decide(seats[seat], game.view(seat)))
        if whole:
            return Played(seating, game.totals, game.round, game.winners)
        return Played(seating, game.past()[0]["scores"], 1, [])

    def make(self, name: str) -> Bot | None:
        """A new bot for a seat; None if it cannot be made or is benched."""
        if name in self.benched:
            return None
        try:
            with self.watch.over(self.settings.bots.index(name), self.settings.patience):
                return make_bot(name)
        except BaseException as error:
            if isinstance(error, Hang):
                self.benched.add(name)
            return None

    def decide(self, seat: Seat, view: View) -> str:
        """The seat's decision; anything wrong with it is a forfeit."""
        name, work = seat.name, self.work[seat.name]
        if name in self.benched:
            work.forfeit("benched")
            return seat.forfeit(view)
        if seat.bot is None:
            work.forfeit("failed")
            return seat.forfeit(view)
        started = time.perf_counter()
        try:
            with self.watch.over(self.settings.bots.index(name), self.settings.patience):
                action = ask(seat.bot, view, seat.chance, self.settings.budget).action
        except BaseException as error:
            work.forfeit(reason(error))
            if work.forfeits.get("hung", 0) >= HANGS:
                self.benched.add(name)
            return seat.forfeit(view)
        work.seconds += time.perf_counter() - started
        work.decisions += 1
        return action


class Seat:
    """A bot at a seat with its chance; a forfeit is drawn from a source of its own."""

    def __init__(self, name: str, bot: Bot | None, seed: int, seat: int) -> None:
        self.name, self.bot = name, bot
        self.chance = random.Random(f"{seed}/{seat}")  # noqa: S311
        self.lot = random.Random(f"{seed}/{seat}/forfeit")  # noqa: S311

    def forfeit(self, view: View) -> str:
        return self.lot.choice(view["legal"])


def reason(error: BaseException) -> str:
    """Which of the forfeits an exception is: `ask` chains what a bot raised to its own error."""
    if isinstance(error, Hang):
        return "hung"
    return "illegal" if isinstance(error, BotError) and error.__cause__ is None else "failed"
