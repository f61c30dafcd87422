"""The numbered choices of a decision, and what a typed line means among them."""

from __future__ import annotations

from collections.abc import Sequence

from atout.errors import ActionError, IllegalAction
from atout.game import Action, Game
from atout.terminal.describe import Scene, board, cards_by_colour, side
from atout.terminal.phrases import capital, cell_in_full, listed


def numbered(legal: Sequence[Action]) -> dict[str, int]:
    """1, 2, … in the order of the legal actions, by the words after the verb."""
    return {" ".join(action.words): number for number, action in enumerate(legal, 1)}


def choice_lines(scene: Scene, legal: Sequence[Action]) -> list[str]:
    """Every choice with its number, arranged by row, by team or by colour."""
    verb, numbers = legal[0].verb, numbered(legal)
    if verb == "veto":
        return board(scene, numbers)
    if verb in ("team", "double"):
        return [f"  {number}. {capital(phrase(scene, action))}" for number, action in enumerate(legal, 1)]
    return cards_by_colour(scene, [action.words[0] for action in legal], numbers)


def phrase(scene: Scene, action: Action) -> str:
    """A choice as text for the player who makes it."""
    if action.verb == "veto":
        row, cell = action.words
        return cell_in_full(row, cell, scene.label)
    if action.verb == "team":
        seats = [int(word) for word in action.words]
        others = [seat for seat in range(scene.view["players"]) if seat not in seats]
        against = f"seat{'s' if len(others) > 1 else ''} {listed(map(str, others))}"
        return f"{side(scene, seats)}{' alone' if len(seats) == 1 else ''} against {against}"
    if action.verb == "double":
        return scene.label(int(action.words[0]))
    return action.words[0]


def understand(game: Game, line: str) -> Action:
    """The legal action a line means, by its number or its words; else an `ActionError` that says what is expected."""
    legal = game.legal()
    words = " ".join(line.casefold().split())
    if words.isdecimal():
        return _by_number(legal, words)
    if not words and len(legal) == 1:
        return legal[0]
    meant = [action for action in legal if words in _spellings(action) or words == action.words[-1].casefold()]
    if not meant and words:
        meant = [action for action in legal if by_prefix(words, str(action))]
    if len(meant) == 1:
        return meant[0]
    if meant:
        raise ActionError(f"{line!r} can mean {listed(_own_words(action) for action in meant)}. Say which.")
    raise ActionError(_what_is_wrong(game, line, words))


def by_prefix(line: str, action: str) -> bool:
    """Whether every word of the line begins a word of the action, in order: `trump re` for `2 veto trump red`.

    >>> by_prefix("trump re", "2 veto trump red"), by_prefix("v t r", "2 veto trump red"), by_prefix("re", "2 play R4")
    (True, True, False)
    """
    seat, verb, *rest = action.casefold().split(" ")
    typed = line.casefold().split()
    spellings = ([seat, verb, *rest], [verb, *rest], rest, rest[-1:])
    return any(
        len(typed) == len(words) and all(word.startswith(part) for part, word in zip(typed, words, strict=True))
        for words in spellings
    )


def _by_number(legal: Sequence[Action], digits: str) -> Action:
    if len(digits) < 4 and 1 <= int(digits) <= len(legal):
        return legal[int(digits) - 1]
    raise ActionError(f"{digits[:20]} is not one of the choices; expected 1 to {len(legal)}.")


def _own_words(action: Action) -> str:
    return " ".join(action.words)


def _spellings(action: Action) -> set[str]:
    """`2 veto trump red`, `veto trump red`, `trump red`."""
    words = _own_words(action)
    return {spelling.casefold() for spelling in (str(action), f"{action.verb} {words}", words)}


def _what_is_wrong(game: Game, line: str, words: str) -> str:
    """For an action that is refused, the reason; for anything else an example of what is expected."""
    legal = game.legal()
    known = [action for action in game.notation.by_entry.values() if action.seat == game.turn]
    for action in sorted(known, key=lambda action: action.verb != legal[0].verb):
        if words in _spellings(action):
            return refusal(game, action)
    return not_understood(line, legal)


def refusal(game: Game, action: Action) -> str:
    """Why the rules forbid the action, found by trying it on a copy of the game."""
    try:
        game.copy().play(action)
    except IllegalAction as error:
        return f"{_own_words(action)} is not allowed: {error.reason} ({error.paragraph})."
    raise AssertionError(f"{action} is legal")


def not_understood(line: str, legal: Sequence[Action]) -> str:
    said = f"{line[:40]!r} is not understood. " if line else ""
    number = "1" if len(legal) == 1 else f"a number from 1 to {len(legal)}"
    return f"{said}Type {number}, or words such as {_own_words(legal[0])!r}; ? explains what is allowed."
