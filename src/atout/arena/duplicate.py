"""A duplicate: one deal for two bots, played in every seating. Its result is plain data.

All randomness of a duplicate comes from the seed and the number of its deal: hands, dealer, and one random source per
seat, the same in every seating and for every pair. So two copies of the same bot end level, to the point.

A bot that fails, answers illegally or does not answer forfeits that decision: a random legal action is played instead,
and the forfeit is counted. A bot that hangs too often, or ended its process, is benched: all its decisions in the rest
of the duplicate are forfeits. The first error of every kind of forfeit is kept. Where only one action is
legal, no bot is asked.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Mapping
from types import MappingProxyType

import msgspec

from atout.arena.seatings import match_seatings, seatings
from atout.arena.settings import ArenaSettings
from atout.arena.watchdog import Hang, Watchdog
from atout.bots import Bot, ask, make_bot
from atout.errors import BotError
from atout.game import Game, View, new_rng

HANGS = 3
"""A bot that hangs this often in a duplicate is benched."""
LONGEST_ERROR = 300
"""Characters of an error that are kept."""
NOBODY: Mapping[str, str] = MappingProxyType({})


class MatchResult(msgspec.Struct, frozen=True):
    """One seating of a duplicate: the first round of a match, or a whole match."""

    seating: str
    scores: list[int]
    """Points by seat: of the round, or the totals of the match."""
    rounds: int
    winners: list[int]
    """The seats that won the match; empty for a single round."""


class Work(msgspec.Struct):
    """What a bot did in a duplicate."""

    decisions: int = 0
    """Decisions the bot made itself, without forfeits."""
    seconds: float = 0.0
    forfeits: dict[str, int] = {}
    """By why a decision was forfeited: `failed` (an exception), `illegal`, `hung` (no answer in time), `benched`."""
    errors: dict[str, str] = {}
    """What went wrong first, in one line, by the same kinds."""

    def forfeit(self, why: str, error: str) -> None:
        self.forfeits[why] = self.forfeits.get(why, 0) + 1
        self.errors.setdefault(why, error)


class Duplicate(msgspec.Struct, frozen=True):
    """A finished duplicate."""

    number: int
    matches: list[MatchResult]
    work: dict[str, Work]
    """What each bot did, by its name."""


def play_duplicate(
    settings: ArenaSettings, number: int, watchdog: Watchdog, benched: Mapping[str, str] = NOBODY
) -> Duplicate:
    """Play a duplicate in this process. A bot's fault never raises here, unless it ends the process itself.

    `benched` says of bots that are not asked at all why that is so.
    """
    deal, pair = settings.place(number)
    teams = settings.setup.options.teams
    if settings.span == "match":
        plan = match_seatings(settings.players, deal, teams)
    else:
        plan = seatings(settings.players, teams)
    player = DuplicatePlayer(settings, watchdog, pair, benched.items())
    return Duplicate(number, [player.play(deal, seating) for seating in plan], player.work)


class DuplicatePlayer:
    """Plays the seatings of a duplicate: asks the bots, counts their work, and plays at random for a forfeit.

    `benched` has the bots that are not asked, each with the reason.
    """

    def __init__(
        self, settings: ArenaSettings, watchdog: Watchdog, pair: tuple[str, str], benched: Iterable[tuple[str, str]]
    ) -> None:
        self.settings, self.watchdog, self.pair = settings, watchdog, pair
        self.setup = settings.setup
        self.benched = dict(benched)
        self.unmade: dict[str, str] = {}
        self.work = {name: Work() for name in pair}

    def play(self, deal: int, seating: str) -> MatchResult:
        """The first round of a new match, or the whole match. The number of the deal sets the first dealer."""
        seed = int(new_rng(self.settings.seed, deal)[0])
        game = Game.at(self.setup, seed, first_dealer=deal % self.setup.players)
        names = [self.pair["ab".index(letter)] for letter in seating]
        seats = [BotSeat(name, self.make(name), seed, seat) for seat, name in enumerate(names)]
        veto = None if self.settings.vetoes == "own" else BotSeat("", make_bot(self.settings.vetoes), seed, len(seats))
        whole = self.settings.span == "match"
        while game.turn is not None and (whole or game.round == 1):
            seat = game.turn
            legal = game.legal()
            if len(legal) == 1:
                game.play(legal[0])
            elif veto is not None and veto.bot is not None and game.phase == "veto":
                game.play(ask(veto.bot, game.view(seat), veto.rng).action)
            else:
                game.play(self.decide(seats[seat], game.view(seat)))
        if whole:
            return MatchResult(seating, game.totals, game.round, game.winners)
        return MatchResult(seating, game.past()[0]["scores"], 1, [])

    def make(self, name: str) -> Bot | None:
        """A new bot for a seat; None if it cannot be made or is benched."""
        if name in self.benched:
            return None
        try:
            with self.watchdog.over(self.settings.bots.index(name), self.settings.patience):
                return make_bot(name)
        except BaseException as error:
            said = in_one_line(error, self.settings.patience)
            self.unmade[name] = said
            if isinstance(error, Hang):
                self.benched[name] = f"{said} when it was made"
            return None

    def decide(self, seat: BotSeat, view: View) -> str:
        """The action of the seat's bot; whatever goes wrong is a forfeit."""
        name, work = seat.name, self.work[seat.name]
        if name in self.benched:
            work.forfeit("benched", self.benched[name])
            return seat.forfeit(view)
        if seat.bot is None:
            work.forfeit("failed", self.unmade[name])
            return seat.forfeit(view)
        started = time.perf_counter()
        try:
            with self.watchdog.over(self.settings.bots.index(name), self.settings.patience):
                action = ask(seat.bot, view, seat.rng, self.settings.budget).action
        except BaseException as error:
            work.forfeit(forfeit_of(error), in_one_line(error, self.settings.patience))
            if work.forfeits.get("hung", 0) >= HANGS:
                self.benched[name] = f"it hung {HANGS} times in a duplicate"
            return seat.forfeit(view)
        work.seconds += time.perf_counter() - started
        work.decisions += 1
        return action


class BotSeat:
    """A bot at a seat with its random source. Forfeits are drawn from a source of their own."""

    def __init__(self, name: str, bot: Bot | None, seed: int, seat: int) -> None:
        self.name, self.bot = name, bot
        self.rng = random.Random(f"{seed}/{seat}")  # noqa: S311
        self._forfeit_rng = random.Random(f"{seed}/{seat}/forfeit")  # noqa: S311

    def forfeit(self, view: View) -> str:
        return self._forfeit_rng.choice(view["legal"])


def forfeit_of(error: BaseException) -> str:
    """Which kind of forfeit an exception is. `ask` chains what a bot raised to its own error."""
    if isinstance(error, Hang):
        return "hung"
    return "illegal" if isinstance(error, BotError) and error.__cause__ is None else "failed"


def in_one_line(error: BaseException, patience: float) -> str:
    """What a bot did wrong, as one line of printable text.

    >>> in_one_line(ValueError("too   late"), 10), in_one_line(Hang(), 10)
    ('ValueError: too late', 'no answer within 10 seconds')
    >>> in_one_line(BotError("bot fox: answered with str; expected an atout.bots.Choice"), 10)
    'answered with str; expected an atout.bots.Choice'
    """
    if isinstance(error, Hang):
        return f"no answer within {patience:g} seconds"
    try:
        said = str(error)
        if isinstance(error, BotError):
            said = said.partition(": ")[2].removeprefix("failed with ")
        else:
            said = f"{type(error).__name__}: {said}".removesuffix(": ")
    except Exception:
        said = type(error).__name__
    said = "".join(letter if letter.isprintable() else "�" for letter in " ".join(said.split()))
    return said if len(said) <= LONGEST_ERROR else said[: LONGEST_ERROR - 1] + "…"
