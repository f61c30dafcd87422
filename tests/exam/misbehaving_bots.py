"""Bots of which each does one thing wrong."""

from __future__ import annotations

import gc
import random
import sys
from collections.abc import Sequence
from contextlib import suppress
from types import FrameType
from typing import Any, ClassVar

from atout import Game, View
from atout.bots import Budget, Choice, Reason
from atout.game.notation import PHASES


class Straight:
    """Nothing wrong here: the first legal action, with an estimate and a reason."""

    name = "straight"

    def choose(self, view: View, legal: Sequence[str], budget: Budget, rng: random.Random) -> Choice:
        answer: Choice = self.answer(view, legal, rng)
        return answer

    def answer(self, view: View, legal: Sequence[str], rng: random.Random) -> Any:
        return Choice(legal[0], {legal[0]: [0.0] * view["players"]}, (Reason("first", {"of": len(legal)}),))


class Illegal(Straight):
    """Gives the ×2 card to a seat that does not exist."""

    def answer(self, view: View, legal: Sequence[str], rng: random.Random) -> Any:
        return Choice("0 double 9" if view["phase"] == "double" else legal[0])


class Crashing(Straight):
    def answer(self, view: View, legal: Sequence[str], rng: random.Random) -> Any:
        return Choice(legal[1 // (view["phase"] != "pass") - 1])


class Exiting(Straight):
    def answer(self, view: View, legal: Sequence[str], rng: random.Random) -> Any:
        raise SystemExit(0)


class PlainText(Straight):
    """Forgets to wrap its answer."""

    def answer(self, view: View, legal: Sequence[str], rng: random.Random) -> Any:
        return legal[0]


class Numbers(Straight):
    def answer(self, view: View, legal: Sequence[str], rng: random.Random) -> Any:
        wrong: Any = 0
        return Choice(wrong)


class UnknownAction(Straight):
    def answer(self, view: View, legal: Sequence[str], rng: random.Random) -> Any:
        return Choice(legal[0], {"0 play Z9": [0.0] * view["players"]})


class MissingSeat(Straight):
    def answer(self, view: View, legal: Sequence[str], rng: random.Random) -> Any:
        return Choice(legal[0], {legal[-1]: [0.0] * (view["players"] - 1)})


class NoNumber(Straight):
    def answer(self, view: View, legal: Sequence[str], rng: random.Random) -> Any:
        return Choice(legal[0], {legal[0]: [float("nan")] * view["players"]})


class SecretReasons(Straight):
    """A reason no front end could read."""

    def answer(self, view: View, legal: Sequence[str], rng: random.Random) -> Any:
        return Choice(legal[0], reasons=(Reason("because", {"of": {object()}}),))


class OwnChance(Straight):
    """Rolls its own dice."""

    dice = random.Random(5)

    def answer(self, view: View, legal: Sequence[str], rng: random.Random) -> Any:
        return Choice(self.dice.choice(legal))


class Counting(Straight):
    """Every instance tells how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def answer(self, view: View, legal: Sequence[str], rng: random.Random) -> Any:
        self.asked += 1
        return Choice(legal[0], reasons=(Reason("asked", {"times": self.asked}),))


class Moody(Straight):
    """Every instance has its own taste, and keeps it."""

    made = 0

    def __init__(self) -> None:
        Moody.made += 1
        self.taste = Moody.made % 2

    def answer(self, view: View, legal: Sequence[str], rng: random.Random) -> Any:
        return Choice(legal[-self.taste])


class Hashing(Straight):
    """Takes what comes first in a set: the same all day long, and another tomorrow."""

    def answer(self, view: View, legal: Sequence[str], rng: random.Random) -> Any:
        return Choice(next(iter(set(legal))))


class Homesick(Straight):
    """Works in the process it was written in."""

    def answer(self, view: View, legal: Sequence[str], rng: random.Random) -> Any:
        if "pytest" not in sys.modules:
            raise LookupError("where am I?")
        return Choice(legal[0])


class Chatty(Straight):
    """Prints to standard output, which is allowed."""

    def answer(self, view: View, legal: Sequence[str], rng: random.Random) -> Any:
        print("hm", legal[0], end="")
        return Choice(legal[0])


class Homebody(Straight):
    """Knows a view of this process from one that has travelled."""

    def answer(self, view: View, legal: Sequence[str], rng: random.Random) -> Any:
        at_home = any(view["phase"] is phase for phase in PHASES)
        return Choice(legal[0 if at_home else -1])


class Scribbling(Straight):
    """Strikes out what it has seen."""

    def answer(self, view: View, legal: Sequence[str], rng: random.Random) -> Any:
        view["hand"].sort(reverse=True)
        return Choice(legal[0])


class Peeking(Straight):
    """Decides by the cards of the next seat, if it gets hold of the game."""

    def game(self, view: View) -> Game:
        raise NotImplementedError

    def answer(self, view: View, legal: Sequence[str], rng: random.Random) -> Any:
        state = self.game(view).state
        neighbour = ((view["seat"] or 0) + 1) % view["players"]
        return Choice(legal[hash((state.hand[neighbour], state.gone[neighbour])) % len(legal)])


class PeekingAtCallers(Peeking):
    """Inspects the variables of its callers."""

    def game(self, view: View) -> Game:
        frame: FrameType | None = sys._getframe()
        while frame is not None:
            for value in frame.f_locals.values():
                if isinstance(value, Game):
                    return value
            frame = frame.f_back
        raise AssertionError("no game in reach")


class PeekingAtMemory(Peeking):
    """Looks through everything Python remembers for a game with the same hand after the same actions."""

    def game(self, view: View) -> Game:
        for found in gc.get_objects():
            if isinstance(found, Game):
                with suppress(AttributeError):  # an object that was never completed and is not collected yet
                    if found.setup.players == view["players"] and self.fits(found.view(view["seat"]), view):
                        return found
        raise AssertionError("no game in reach")

    def fits(self, own: View, view: View) -> bool:
        return (own["hand"], own["actions"]) == (view["hand"], view["actions"])


class PeekingByTrick(Peeking):
    """Was given a way to the game when it was made."""

    seen: ClassVar[list[Game]] = []

    def game(self, view: View) -> Game:
        return self.seen[-1]


class Dawdling(Straight):
    """Takes a second when a tenth is allowed, by a clock of its own; in one phase only."""

    now = 0.0

    def choose(self, view: View, legal: Sequence[str], budget: Budget, rng: random.Random) -> Choice:
        if budget.seconds is not None and view["phase"] == "veto":
            Dawdling.now += 10 * budget.seconds
        return Choice(legal[0])
