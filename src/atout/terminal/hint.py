"""A hint: what a bot would do from the same view, its reasons as text, and the best few alternatives."""

from __future__ import annotations

import random
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass

import numpy as np

from atout.bots import Bot, Budget, Choice, ask
from atout.errors import BotError
from atout.game import Action, read_view
from atout.search.gain import means
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
    sound = {action: told for action in words if len(told := choice.estimates.get(action, [])) == scene.view["players"]}
    compared = _compared(scene, sound)
    best = sorted(sound, key=lambda action: (action != choice.action, compared[action][1] - compared[action][0]))
    return lines if len(best) < 2 else [*lines, *_expectations(scene, legal, compared, best[:SHOWN])]


def _expectations(
    scene: Scene, legal: Sequence[Action], compared: dict[str, tuple[float, float]], best: Sequence[str]
) -> list[str]:
    """The expected points of the best choices, a line for each."""
    number_of = {str(action): number for number, action in enumerate(legal, 1)}
    names = [capital(aim(legal[number_of[action] - 1], scene)) for action in best]
    figures = [tuple(map(decimal, compared[action])) for action in best]
    room, own, others = max(map(len, names)), max(len(it[0]) for it in figures), max(len(it[1]) for it in figures)
    you, who = "you", "others" if scene.view["players"] > 2 else "opponent"
    if _in_teams(scene):
        you, who = "your team", "other team"
    lines = [f"Points to expect in this round, for {you} and {_others(scene)}:"]
    for action, name, (mine, theirs) in zip(best, names, figures, strict=True):
        lines.append(f"  {number_of[action]:>2}. {name:{room}}  {you} {mine:>{own}}, {who} {theirs:>{others}}")
    return lines


def _in_teams(scene: Scene) -> bool:
    return bool(scene.view["options"].get("teams"))


def _others(scene: Scene) -> str:
    if _in_teams(scene):
        return "the other team on average"
    return OTHERS if scene.view["players"] > 2 else "your opponent"


def _compared(scene: Scene, estimates: dict[str, list[float]]) -> dict[str, tuple[float, float]]:
    """By action the two numbers whose difference is the gain: the seat's points (or its team's mean), and the mean of
    its opponents'.
    """
    if not estimates:
        return {}
    setup, seat = read_view(scene.view).setup, scene.view["seat"]
    assert seat is not None, "a spectator gets no hint"
    rows = means(np.array(list(estimates.values())), setup, seat)
    return {action: (float(own), float(opponents)) for action, (own, opponents) in zip(estimates, rows, strict=True)}
