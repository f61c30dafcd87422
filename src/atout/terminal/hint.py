"""A hint: what a bot would do from the same view, its reasons as text, and the best few alternatives."""

from __future__ import annotations

import random
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass

from atout.bots import Bot, Budget, Choice, ask
from atout.errors import BotError
from atout.game import Action
from atout.terminal.describe import Scene
from atout.terminal.events import aim, deed
from atout.terminal.phrases import capital, decimal
from atout.terminal.reasons import OTHERS, in_words

SHOWN = 5
"""How many choices the list of expected points shows."""


@dataclass(frozen=True)
class Adviser:
    """The bot that gives hints, and its budget for one."""

    bot: Bot
    budget: Budget

    def advise(self, scene: Scene, legal: Sequence[Action]) -> list[str]:
        """The lines of a hint, from the view of the player who asks. A hint changes nothing in the match."""
        rng = random.Random(len(scene.view["actions"]))  # noqa: S311
        try:
            choice = ask(self.bot, deepcopy(scene.view), rng, self.budget)
        except BotError as error:
            return [f"There is no hint: {error}."]
        return advice(scene, legal, choice)


def advice(scene: Scene, legal: Sequence[Action], choice: Choice) -> list[str]:
    """A bot's choice as lines, for the seat in turn."""
    words = [str(action) for action in legal]
    place = words.index(choice.action)
    lines = [f"Hint: {deed(legal[place], scene)} (choice {place + 1})."]
    lines += [in_words(reason, _others(scene)) for reason in choice.reasons]
    sound = [action for action in words if len(choice.estimates.get(action, ())) == scene.view["players"]]
    best = sorted(sound, key=lambda action: (action != choice.action, -_gain(scene, choice, action)))
    return lines if len(best) < 2 else [*lines, *_expectations(scene, legal, choice, best[:SHOWN])]


def _expectations(scene: Scene, legal: Sequence[Action], choice: Choice, best: Sequence[str]) -> list[str]:
    """The expected points of the best choices, a line for each."""
    number_of = {str(action): number for number, action in enumerate(legal, 1)}
    names = [capital(aim(legal[number_of[action] - 1], scene)) for action in best]
    figures = [tuple(map(decimal, _points(scene, choice, action))) for action in best]
    room, own, others = max(map(len, names)), max(len(it[0]) for it in figures), max(len(it[1]) for it in figures)
    who = "others" if scene.view["players"] > 2 else "opponent"
    lines = [f"Points to expect in this round, for you and {_others(scene)}:"]
    for action, name, (mine, theirs) in zip(best, names, figures, strict=True):
        lines.append(f"  {number_of[action]:>2}. {name:{room}}  you {mine:>{own}}, {who} {theirs:>{others}}")
    return lines


def _others(scene: Scene) -> str:
    return OTHERS if scene.view["players"] > 2 else "your opponent"


def _points(scene: Scene, choice: Choice, action: str) -> tuple[float, float]:
    """The seat's own, and the mean of the others'."""
    told, seat = choice.estimates[action], scene.view["seat"]
    others = [points for other, points in enumerate(told) if other != seat]
    return told[seat or 0], sum(others) / len(others)


def _gain(scene: Scene, choice: Choice, action: str) -> float:
    own, others = _points(scene, choice, action)
    return own - others
