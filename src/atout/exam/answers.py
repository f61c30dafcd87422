"""Asking a bot one question, and checks of a single answer.

check       an answer passes if
answers     the bot returned, without an exception
type        it is a `Choice` whose action is text
legal       the action is one of the legal ones, letter by letter
estimates   they are for legal actions, with one plain number for every seat
reasons     each is a `Reason`: a code, and parameters ready for JSON
untouched   the view is the same as before the call
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Any

import msgspec
from msgspec import Struct

from atout.bots import Bot, Budget, Choice, Reason
from atout.game import Game, View

Clock = Callable[[], float]
SHORT = 200
"""Characters of a wrong answer that are shown."""


class Fault(Struct, frozen=True):
    """The check that an answer fails, and why."""

    check: str
    detail: str


class Answer(Struct, frozen=True):
    """The result of one question."""

    view: View
    """The view that the bot got."""
    choice: Choice | None
    """None if there is a fault."""
    fault: Fault | None
    said: str
    """The answer as text."""
    seconds: float


def ask_question(
    bot: Bot,
    game: Game,
    budget: Budget,
    seed: int,
    clock: Clock,
    by_wire: bool = False,
) -> Answer:
    """Ask the bot for the seat in turn. The game is reachable by a bot that inspects its callers, so that the check
    with other hidden cards finds a bot that does.

    `by_wire` sends the view through JSON.
    """
    view = game.view(game.turn)
    if by_wire:
        view = json.loads(json.dumps(view))
    kept, legal = deepcopy(view), tuple(view["legal"])
    started = clock()
    try:
        answer: Any = bot.choose(view, legal, budget, random.Random(seed))  # noqa: S311
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        failed = Fault("answers", f"it failed with {type(error).__name__}: {error}"[:SHORT])
        return Answer(kept, None, failed, "nothing", clock() - started)
    seconds = clock() - started
    fault = fault_of(answer, legal, kept["players"])
    if fault is None and view != kept:
        changed = [name for name in {**kept, **view} if view.get(name) != kept.get(name)]
        fault = Fault("untouched", f"it changed the view: {', '.join(changed)}")
    said = str(answer.action if isinstance(answer, Choice) else repr(answer))[:SHORT]
    return Answer(kept, answer if fault is None else None, fault, said, seconds)


def fault_of(answer: Any, legal: Sequence[str], players: int) -> Fault | None:
    """The first check that an answer fails, if any."""
    if not isinstance(answer, Choice):
        return Fault("type", f"it is of type {type(answer).__name__}; expected a Choice")
    action: Any = answer.action
    if not isinstance(action, str):
        return Fault("type", f"its action is of type {type(action).__name__}; expected text")
    if action not in legal:
        return Fault("legal", f"{action[:SHORT]!r} is not among the legal actions")
    wrong = _wrong_estimates(answer.estimates, legal, players)
    if wrong is not None:
        return Fault("estimates", wrong)
    wrong = _wrong_reasons(answer.reasons)
    return Fault("reasons", wrong) if wrong is not None else None


def _wrong_estimates(estimates: Any, legal: Sequence[str], players: int) -> str | None:
    if not isinstance(estimates, dict):
        return f"they are of type {type(estimates).__name__}; expected a dict by action"
    for action, points in estimates.items():
        if action not in legal:
            return f"there is one for {str(action)[:SHORT]!r}, which is not among the legal actions"
        if not isinstance(points, list) or len(points) != players:
            return f"{action}: {str(points)[:SHORT]}; expected a list of {players} numbers, one for each seat"
        if not all(type(one) in (int, float) and math.isfinite(one) for one in points):
            return f"{action}: {str(points)[:SHORT]}; expected finite numbers"
    return None


def _wrong_reasons(reasons: Any) -> str | None:
    if not isinstance(reasons, tuple | list) or not all(isinstance(reason, Reason) for reason in reasons):
        return f"{str(reasons)[:SHORT]}; expected a tuple of Reason"
    try:
        msgspec.json.decode(msgspec.json.encode(reasons), type=list[Reason])
    except (TypeError, ValueError, msgspec.MsgspecError) as error:
        return f"{str(reasons)[:SHORT]}: {error}; expected a code and parameters ready for JSON"
    empty = [reason for reason in reasons if not reason.code]
    return "a reason has no code" if empty else None
