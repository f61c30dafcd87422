"""A hint: what a bot would do from the same view, its reasons as text, and the best few alternatives."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass

import numpy as np

from atout.bots import Bot, Budget, Choice, Reason, ask
from atout.errors import BotError, UsageError
from atout.game import Action, Knowledge, View, read_view
from atout.search.gain import means
from atout.study import Explanation
from atout.terminal.choices import phrase
from atout.terminal.describe import Scene
from atout.terminal.events import deed
from atout.terminal.lines import TOGETHER
from atout.terminal.phrases import capital
from atout.terminal.reasons import in_words

Explainer = Callable[[Knowledge, float], Explanation]
"""Takes what a seat knows and a number of seconds, returns advice; raises `UsageError` where it has none."""
EXPLAINED = 0.5
"""Seconds of an explanation when the budget names none."""
IN_TIME = 0.5
"""The share of the seconds that an explanation plans for; its reason takes the rest."""
SHOWN = 5
"""How many choices the list of expected points shows."""


@dataclass(frozen=True)
class Adviser:
    """The bot that gives hints, and its budget for one."""

    bot: Bot
    budget: Budget
    explainer: Explainer | None = None
    """A study (`study/explain.py`), asked first; where it has no answer, the bot is asked."""

    def advise(self, scene: Scene, legal: Sequence[Action]) -> list[str]:
        """The lines of a hint, from the view of the player who asks. A hint changes nothing in the match."""
        try:
            found = self.find(scene.view)
        except BotError as error:
            return [scene.text("no-hint", error=error)]
        return explanation(scene, legal, found) if isinstance(found, Explanation) else advice(scene, legal, found)

    def find(self, view: View) -> Explanation | Choice:
        """The explanation of a study; where it has none, the bot's choice. `BotError` if the bot fails."""
        explained = self._explain(read_view(deepcopy(view)))
        if explained is not None:
            return explained
        rng = random.Random(len(view["actions"]))  # noqa: S311
        return ask(self.bot, deepcopy(view), rng, self.budget)

    def _explain(self, knowledge: Knowledge) -> Explanation | None:
        """None where no network has learned the table."""
        if self.explainer is None:
            return None
        seconds = EXPLAINED if self.budget.seconds is None else IN_TIME * self.budget.seconds
        try:
            return self.explainer(knowledge, seconds)
        except UsageError:
            return None


def explanation(scene: Scene, legal: Sequence[Action], found: Explanation) -> list[str]:
    """An explanation as lines: the best action, why, and the values of the best choices, the highest first."""
    number_of = {str(action): number for number, action in enumerate(legal, 1)}
    best = number_of[found.action]
    lines = [scene.text("hint", deed=deed(legal[best - 1], scene), n=best)]
    lines += _reasons(scene, found.reason)
    first, *others = found.alternatives
    named = {str(reason.parameters["other"]) for reason in found.reason if "other" in reason.parameters}
    others.sort(key=lambda one: one.action.partition(" ")[2] not in named)  # what the reason speaks of is in the list
    shown = [first, *sorted(others[: SHOWN - 1], key=lambda one: -one.known)]
    if len(shown) < 2:
        return lines
    names = [capital(phrase(scene, legal[number_of[one.action] - 1])) for one in shown]
    room = max(map(len, names))
    lines.append(scene.text("ahead", others=_others(scene), n=found.worlds))
    for one, name in zip(shown, names, strict=True):
        value = f"{scene.words.decimal(one.known):>6}{TOGETHER}±{TOGETHER}{scene.words.decimal(one.se)}"
        lines.append(f"  {number_of[one.action]:>2}. {name:{room}}  {value}")
    return lines


def advice(scene: Scene, legal: Sequence[Action], choice: Choice) -> list[str]:
    """A bot's choice as lines, for the seat in turn."""
    words = [str(action) for action in legal]
    place = words.index(choice.action)
    lines = [scene.text("hint", deed=deed(legal[place], scene), n=place + 1)]
    lines += _reasons(scene, choice.reasons)
    players = scene.view["players"]
    sound = {action: points for action in words if len(points := choice.estimates.get(action, [])) == players}
    compared = _compared(scene, sound)
    best = sorted(sound, key=lambda action: (action != choice.action, compared[action][1] - compared[action][0]))
    return lines if len(best) < 2 else [*lines, *_expectations(scene, legal, compared, best[:SHOWN])]


def _expectations(
    scene: Scene, legal: Sequence[Action], compared: dict[str, tuple[float, float]], best: Sequence[str]
) -> list[str]:
    """The expected points of the best choices, a line for each."""
    number_of = {str(action): number for number, action in enumerate(legal, 1)}
    names = [capital(phrase(scene, legal[number_of[action] - 1])) for action in best]
    figures = [tuple(map(scene.words.decimal, compared[action])) for action in best]
    room, own, others = max(map(len, names)), max(len(it[0]) for it in figures), max(len(it[1]) for it in figures)
    if _in_teams(scene):
        you, whose, who = scene.text("for.team"), scene.text("for.team"), scene.text("short.team")
    else:
        you, whose = scene.text("you"), scene.text("for.you")
        who = scene.text("short.others" if scene.view["players"] > 2 else "short.opponent")
    lines = [scene.text("expect", you=whose, others=_others(scene))]
    for action, name, (mine, theirs) in zip(best, names, figures, strict=True):
        lines.append(f"  {number_of[action]:>2}. {name:{room}}  {you} {mine:>{own}}, {who} {theirs:>{others}}")
    return lines


def _in_teams(scene: Scene) -> bool:
    return bool(scene.view["options"].get("teams"))


def _others(scene: Scene) -> str:
    if _in_teams(scene):
        return scene.text("others.team")
    return scene.text("others.many" if scene.view["players"] > 2 else "others.one")


def _reasons(scene: Scene, reasons: Sequence[Reason]) -> list[str]:
    """Reasons as sentences of the catalogue; a code that the catalogue does not have is printed as it is."""
    lines: list[str] = []
    for reason in reasons:
        try:
            sentences = scene.words.reason(reason.code, reason.parameters)
        except (KeyError, TypeError, ValueError):
            sentences = []
        lines += sentences or [in_words(reason, _others(scene))]
    return lines


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
