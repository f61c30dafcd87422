"""The answer to `?`: what is legal now, and for everything else the rule that forbids it.

No rule is written here: each forbidden choice is tried on a copy of the game, whose refusal names its reason.
"""

from __future__ import annotations

from atout.errors import IllegalAction
from atout.game import Action, Game
from atout.terminal.choices import choice_lines, phrase
from atout.terminal.describe import Scene, current_trick
from atout.terminal.phrases import capital

CARD_VERBS = {"discard", "pass", "lay", "play"}


def explain(game: Game, scene: Scene) -> list[str]:
    """The answer to `?` for the seat in turn."""
    legal = game.legal()
    lines = [*current_trick(scene), "Allowed now:", *choice_lines(scene, legal)]
    refused = refusals(game, scene)
    lines.append("Not allowed now:" if refused else _all_allowed(legal))
    for (reason, paragraph), actions in refused.items():
        words = ", ".join(phrase(scene, action) for action in actions)
        lines.append(f"  {words}: {reason} ({paragraph}).")
    return [*lines, "Type hint to see what a strong bot would do."]


def refusals(game: Game, scene: Scene) -> dict[tuple[str, str], list[Action]]:
    """The forbidden choices that the seat may think of, grouped by reason and paragraph."""
    groups: dict[tuple[str, str], list[Action]] = {}
    for action in _thinkable(game, scene):
        try:
            game.copy().play(action)
        except IllegalAction as error:
            groups.setdefault((error.reason, error.paragraph), []).append(action)
    return groups


def _thinkable(game: Game, scene: Scene) -> list[Action]:
    """Every cell, side or seat, and every card of the own hand."""
    seat, verb = game.turn, game.legal()[0].verb
    known = [action for action in game.notation.by_entry.values() if action.seat == seat and action.verb == verb]
    if verb in CARD_VERBS:
        return [action for action in known if action.words[0] in scene.view["hand"]]
    return known


def _all_allowed(legal: list[Action]) -> str:
    things = "every card of your hand" if legal[0].verb in CARD_VERBS else "everything"
    return capital(f"{things} is allowed.")
