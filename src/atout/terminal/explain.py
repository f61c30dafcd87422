"""The answer to `?`: what is legal now, and for everything else the rule that forbids it.

No rule is written here: the rules are asked about every forbidden choice, and their refusal names its reason.
"""

from __future__ import annotations

from collections.abc import Sequence

from atout.errors import IllegalAction
from atout.game import Action, Setup, read_view
from atout.game.notation import notation_of
from atout.game.refusals import allowed as allowed_by_rules
from atout.game.view import CARD_VERBS
from atout.terminal.choices import choice_lines, phrase, reason
from atout.terminal.describe import Scene, current_trick
from atout.terminal.guide import command_word


def explain(scene: Scene, legal: Sequence[Action]) -> list[str]:
    """The answer to `?` for the seat in turn, from its view alone."""
    refused = refusals(scene, legal)
    lines = [*allowed(scene, legal), scene.text("not-allowed") if refused else all_allowed(scene, legal)]
    for (why, paragraph), actions in refused.items():
        words = ", ".join(phrase(scene, action) for action in actions)
        lines.append("  " + scene.titled(words, f"{why} ({paragraph})"))
    return [*lines, scene.text("try-hint", hint=command_word(scene, "hint"))]


def allowed(scene: Scene, legal: Sequence[Action]) -> list[str]:
    """The trick so far, and every legal choice."""
    return [*current_trick(scene), scene.text("allowed"), *choice_lines(scene, legal)]


def refusals(scene: Scene, legal: Sequence[Action]) -> dict[tuple[str, str], list[Action]]:
    """The forbidden choices that the seat may think of, grouped by reason and paragraph."""
    groups: dict[tuple[str, str], list[Action]] = {}
    known = read_view(scene.view)
    notation = notation_of(known.setup)
    for action in thinkable(scene, legal):
        try:
            allowed_by_rules(notation, known.redacted, action)
        except IllegalAction as error:
            groups.setdefault((reason(scene, error), error.paragraph), []).append(action)
    return groups


def thinkable(scene: Scene, legal: Sequence[Action]) -> list[Action]:
    """Every cell, side or seat, and every card of your own hand, legal or not."""
    own = [action for action in actions_of(scene) if action.verb == legal[0].verb]
    if legal[0].verb in CARD_VERBS:
        return [action for action in own if action.words[0] in scene.view["hand"]]
    return own


def actions_of(scene: Scene) -> list[Action]:
    """Every action of the reader's seat that the notation of a record has."""
    view = scene.view
    setup = Setup.of(scene.edition, view["players"], view["options"])
    return [action for action in notation_of(setup).by_entry.values() if action.seat == view["seat"]]


def all_allowed(scene: Scene, legal: Sequence[Action]) -> str:
    return scene.text("all-cards" if legal[0].verb in CARD_VERBS else "all")
