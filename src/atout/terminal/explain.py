"""The answer to `?`: what is legal now, and for everything else the rule that forbids it.

No rule is written here: each forbidden choice is tried on a copy of the game, whose refusal names its reason.
"""

from __future__ import annotations

from collections.abc import Sequence

from atout.errors import IllegalAction
from atout.game import Action, Game
from atout.terminal.choices import CARD_VERBS, choice_lines, phrase, reason
from atout.terminal.describe import Scene, current_trick
from atout.terminal.guide import command_word


def explain(game: Game, scene: Scene) -> list[str]:
    """The answer to `?` for the seat in turn."""
    legal = game.legal()
    refused = refusals(game, scene)
    lines = [*allowed(scene, legal), scene.text("not-allowed") if refused else all_allowed(scene, legal)]
    for (why, paragraph), actions in refused.items():
        words = ", ".join(phrase(scene, action) for action in actions)
        lines.append("  " + scene.titled(words, f"{why} ({paragraph})"))
    return [*lines, scene.text("try-hint", hint=command_word(scene, "hint"))]


def allowed(scene: Scene, legal: Sequence[Action]) -> list[str]:
    """The trick so far, and every legal choice."""
    return [*current_trick(scene), scene.text("allowed"), *choice_lines(scene, legal)]


def refusals(game: Game, scene: Scene) -> dict[tuple[str, str], list[Action]]:
    """The forbidden choices that the seat may think of, grouped by reason and paragraph."""
    groups: dict[tuple[str, str], list[Action]] = {}
    for action in _thinkable(game, scene):
        try:
            game.copy().play(action)
        except IllegalAction as error:
            groups.setdefault((reason(scene, error), error.paragraph), []).append(action)
    return groups


def _thinkable(game: Game, scene: Scene) -> list[Action]:
    """Every cell, side or seat, and every card of the own hand."""
    seat, verb = game.turn, game.legal()[0].verb
    known = [action for action in game.notation.by_entry.values() if action.seat == seat and action.verb == verb]
    if verb in CARD_VERBS:
        return [action for action in known if action.words[0] in scene.view["hand"]]
    return known


def all_allowed(scene: Scene, legal: Sequence[Action]) -> str:
    return scene.text("all-cards" if legal[0].verb in CARD_VERBS else "all")
