"""Bots that are not part of Atout, most of which misbehave."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Sequence
from contextlib import suppress

from atout import View
from atout.bots import Budget, Choice, make_bot
from atout.bots.novice import NoviceBot

SLOW_PATIENCE = 6.0
"""Seconds: less than `Slow` takes to be made, and more than a decision takes on a busy machine."""


class Twin(NoviceBot):
    """A novice by another name."""

    name = "twin"


class Calling:
    """Asks a level, which it makes by name."""

    name = "calling"

    def __init__(self) -> None:
        self.choose = make_bot("random").choose


class Leaving:
    """Ends the process when it is made, with a message of several lines."""

    name = "leaving"

    def __init__(self) -> None:
        raise SystemExit("no weights:\nweights.bin")


class FirstVeto:
    """Makes the first legal veto and otherwise plays the first legal action."""

    name = "first-veto"
    veto = 0

    def choose(self, view: View, legal: Sequence[str], budget: Budget, rng: random.Random) -> Choice:
        return Choice(legal[self.veto if view["phase"] == "veto" else 0])


class LastVeto(FirstVeto):
    """Makes the last legal veto."""

    name = "last-veto"
    veto = -1


class ByNodes:
    """Draws as many numbers as it has nodes: another budget is another choice."""

    name = "by-nodes"

    def choose(self, view: View, legal: Sequence[str], budget: Budget, rng: random.Random) -> Choice:
        for _ in range(budget.nodes or 1):
            action = rng.choice(legal)
        return Choice(action)


class Polite:
    """Plays the first legal action, and now and then does something else."""

    name = "polite"

    def choose(self, view: View, legal: Sequence[str], budget: Budget, rng: random.Random) -> Choice:
        if view["phase"] == "play" and len(view["hand"]) == 5:
            return self.misbehave()
        return Choice(legal[0])

    def misbehave(self) -> Choice:
        raise NotImplementedError


class Crashing(Polite):
    def misbehave(self) -> Choice:
        raise ZeroDivisionError("oh")


class Illegal(Polite):
    def misbehave(self) -> Choice:
        return Choice("0 play Z9")


class Textual(Polite):
    """Answers with text instead of a `Choice`."""

    def misbehave(self) -> Choice:
        return "0 play Z9"  # type: ignore[return-value]


class Exiting(Polite):
    """Wants to end the program."""

    def misbehave(self) -> Choice:
        raise SystemExit(0)


class Hanging(Polite):
    """Thinks for ever, and catches what every bot can catch."""

    def misbehave(self) -> Choice:
        while True:
            with suppress(Exception):
                time.sleep(60)


class Deaf(Polite):
    """Catches everything, as compiled code would: only the end of its process ends it."""

    def misbehave(self) -> Choice:
        while True:
            with suppress(BaseException):
                time.sleep(60)


class Dying(Polite):
    """Takes its process with it, as a fault in compiled code would."""

    def misbehave(self) -> Choice:
        os._exit(3)


class Slow(NoviceBot):
    """Takes long to be made, the first time in a process."""

    loaded = False

    def __init__(self) -> None:
        if not Slow.loaded:
            time.sleep(1.5 * SLOW_PATIENCE)
            Slow.loaded = True


class Unmade(Polite):
    """Can be made once in a process, no more."""

    made = 0

    def __init__(self) -> None:
        Unmade.made += 1
        if Unmade.made > 1:
            raise RuntimeError("only one of me")
