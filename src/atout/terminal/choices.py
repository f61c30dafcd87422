"""The numbered choices of a decision, and what a typed line means among them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import permutations

from atout.errors import ActionError, IllegalAction
from atout.game import Action
from atout.game.card import LETTERS
from atout.game.view import CARD_VERBS
from atout.terminal.describe import Scene, board, cards_by_colour, side
from atout.terminal.guide import command_word
from atout.terminal.lines import TOGETHER
from atout.terminal.phrases import capital, without_accents

LISTED = 8
"""How many meanings of an ambiguous line are listed."""
SAID = 40
"""How many characters of a line that is not understood are repeated in the answer."""
CARD = re.compile(r"(?P<colour>[^\W\d_]+) ?(?P<value>\d{1,3})|(?P<first>\d{1,3}) ?(?P<last>[^\W\d_]+)")
Way = list[str]
"""The words of one way to say a choice."""


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
        return scene.words.row_and_cell(*action.words)
    if action.verb == "team":
        seats = [int(word) for word in action.words]
        others = [seat for seat in range(scene.view["players"]) if seat not in seats]
        if action.seat in others:  # no side that the rules allow
            return side(scene, seats)
        key = "alone" if len(seats) == 1 else "against"
        return scene.text(key, ours=side(scene, seats), theirs=side(scene, others))
    if action.verb == "double":
        return scene.label(int(action.words[0]))
    return scene.card(action.words[0])


def from_text(action: str) -> Action:
    """An action from the words of a view. Its number is -1: the action is only shown and sent, never applied here."""
    seat, verb, *words = action.split(" ")
    return Action(int(seat), verb, tuple(words), -1)


def example(scene: Scene, legal: Sequence[Action]) -> str:
    """A choice as one may type it, with words that the reader sees."""
    rows = ("trump", "super", "points", "discard", "start")
    best = min(legal, key=lambda action: rows.index(action.words[0])) if legal[0].verb == "veto" else legal[0]
    if best.verb == "team" and len(legal) > 1:
        best = next(action for action in legal if len(action.words) > 1)
        return scene.listed([scene.label(int(word)) for word in best.words if int(word) != best.seat])
    return phrase(scene, best)


# -------------------------------------------------------------------- what a line means


def understand(scene: Scene, legal: Sequence[Action], line: str, known: Iterable[Action] = ()) -> Action:
    """The action a line means, by its number or its words; else an `ActionError` that says what is expected.

    Words may be those of a record or the reader's, each shortened. Where no legal action is meant, one of `known` may
    be: the rules then say why it is refused.
    """
    typed = _words(line)
    if len(typed) == 1 and typed[0].isdecimal():
        return _by_number(scene, legal, typed[0])
    if not typed and not line and len(legal) == 1:
        return legal[0]
    meant = _meant(scene, legal, typed)
    if len(meant) == 1:
        return meant[0]
    if meant:
        raise ActionError(_ambiguous(scene, legal, line, meant))
    refused = _refused(scene, legal, known, typed)
    if len(refused) == 1:
        return refused[0]
    if refused:
        raise ActionError(_all_refused(scene, legal, line, refused))
    raise ActionError(not_understood(scene, legal, line))


def _refused(scene: Scene, legal: Sequence[Action], known: Iterable[Action], typed: Way) -> list[Action]:
    """What the words mean among the actions that are not legal: first those of the same kind, also shortened.

    Of several cards that the words fit, those in the hand are meant.
    """
    if not typed:
        return []
    illegal = list(known)  # the legal ones among them have been tried
    own = [action for action in illegal if action.verb == legal[0].verb]
    if _colours(scene, typed):
        found = _cards(scene, own, typed) or _cards(scene, illegal, typed)[:1]
        held = [action for action in found if _is_held(scene, action)]
        return held or found
    for fits in (_same, _shortened, _beginning):
        found = [action for action in _all(own, typed, scene, fits) if _is_held(scene, action)]
        if found:
            return found
    return _all(illegal, typed, scene, _same)[:1]


def _words(text: str) -> Way:
    """Words without capitals, accents and punctuation.

    >>> _words("Défausse : 1 carte (sauf les 1)"), _words("−2 Punkte")
    (['defausse', '1', 'carte', 'sauf', 'les', '1'], ['-2', 'punkte'])
    """
    plain = without_accents(text.replace("−", "-"))
    return [word for part in plain.split() if (word := part.strip(".,:;()\"'“”„«»’"))]


def _meant(scene: Scene, legal: Sequence[Action], typed: Way) -> list[Action]:
    """The legal actions that the words fit best: in full, else shortened, else as a beginning."""
    if not typed:
        return []
    if legal[0].verb in CARD_VERBS and _colours(scene, typed):
        return _cards(scene, legal, typed)
    for fits in (_same, _shortened, _beginning):
        if found := _all(legal, typed, scene, fits):
            return found
    return []


def _all(actions: Iterable[Action], typed: Way, scene: Scene, fits: Callable[[Way, Way], bool]) -> list[Action]:
    return [action for action in actions if any(fits(typed, way) for way in _ways(scene, action))]


def _ways(scene: Scene, action: Action) -> list[Way]:
    """How an action may be said: as in a record (`2 veto trump red`), and as the reader sees it."""
    own = [_words(word)[0] for word in action.words]
    ways = [[str(action.seat), action.verb, *own], [action.verb, *own], own, own[-1:]]
    if action.verb == "veto":
        row, cell = action.words
        alone = _words(scene.words.cell(row, cell))
        return [*ways, _words(phrase(scene, action)), [*_words(scene.words.row(row)), *alone], alone]
    if action.verb == "team":
        mates = [scene.label(int(word)) for word in action.words if int(word) != action.seat]
        orders = [way for order in permutations(mates) for way in (scene.listed(order), " ".join(order))]
        return [*ways, _words(phrase(scene, action)), *map(_words, orders)]
    return [*ways, _words(phrase(scene, action))]


def _same(typed: Way, way: Way) -> bool:
    return typed == way


def _shortened(typed: Way, way: Way) -> bool:
    return len(typed) == len(way) and _beginning(typed, way)


def _beginning(typed: Way, way: Way) -> bool:
    """Whether each typed word is a beginning of the word at the same place; the last words may be missing."""
    return len(typed) <= len(way) and all(word.startswith(part) for part, word in zip(typed, way, strict=False))


# -------------------------------------------------------------------- cards


def _colours(scene: Scene, typed: Way) -> set[str]:
    """The colours that a card's words may mean; empty if the words name no card.

    The letters that the legend shows come first, then the beginnings of colour names, then the letters of records.
    """
    found = CARD.fullmatch(" ".join(_without_verb(typed)))
    if not found:
        return set()
    word, words = found["colour"] or found["last"], scene.words
    colours: list[str] = list(scene.edition.deck.colours)
    by_letter = {colour for colour in colours if words.letter(colour).casefold() == word}
    by_name = {colour for colour in colours if "".join(_words(words.t(f"colour.{colour}"))).startswith(word)}
    by_record = {colour for colour in colours if word in (LETTERS[colour].casefold(), colour)}
    return by_letter or by_name or by_record


def _without_verb(typed: Way) -> Way:
    """The words without seat and verb: `play r4` and `0 play r4` mean the same as `r4`."""
    for place in (0, 1):
        if typed[place : place + 1] and typed[place] in CARD_VERBS:
            return typed[place + 1 :]
    return typed


def _cards(scene: Scene, actions: Iterable[Action], typed: Way) -> list[Action]:
    found = CARD.fullmatch(" ".join(_without_verb(typed)))
    assert found is not None
    value = int(found["value"] or found["first"])
    cards = {f"{LETTERS[colour]}{value}" for colour in _colours(scene, typed)}
    return [action for action in actions if action.verb in CARD_VERBS and action.words[0] in cards]


def _is_held(scene: Scene, action: Action) -> bool:
    return action.verb not in CARD_VERBS or action.words[0] in scene.view["hand"]


# -------------------------------------------------------------------- answers to what is not a choice


def _by_number(scene: Scene, legal: Sequence[Action], digits: str) -> Action:
    if len(digits) < 4 and 1 <= int(digits) <= len(legal):
        return legal[int(digits) - 1]
    raise ActionError(scene.text("not-a-choice", line=digits[:20], n=len(legal)))


def _ambiguous(scene: Scene, legal: Sequence[Action], line: str, meant: Sequence[Action]) -> str:
    """The answer to a line with several meanings: each with its number."""
    numbers = {action: number for number, action in enumerate(legal, 1)}
    meanings = [f"{numbers[action]}.{TOGETHER}{phrase(scene, action)}" for action in meant]
    return scene.text("ambiguous", line=line[:SAID], what=_either(scene, meanings), n=len(legal))


def _all_refused(scene: Scene, legal: Sequence[Action], line: str, meant: Sequence[Action]) -> str:
    """The answer to a line with several meanings, none of which is allowed."""
    meanings = [phrase(scene, action).replace(" ", TOGETHER) for action in meant]
    return scene.text("all-refused", line=line[:SAID], what=_either(scene, meanings), n=len(legal))


def _either(scene: Scene, meanings: Sequence[str]) -> str:
    """The first few meanings of a line."""
    if len(meanings) > LISTED:
        return ", ".join(meanings[:LISTED]) + ", …"
    return f"{', '.join(meanings[:-1])} {scene.text('or')} {meanings[-1]}"


def refusal(scene: Scene, action: Action, error: IllegalAction) -> str:
    """Why the rules forbid the action."""
    return scene.text(
        "refused", what=capital(phrase(scene, action)), reason=reason(scene, error), paragraph=error.paragraph
    )


def reason(scene: Scene, error: IllegalAction) -> str:
    """The reason of a refusal in the reader's language."""
    return scene.words.refusal(error.code, scene.text("not-now"), error.parameters)


def not_understood(scene: Scene, legal: Sequence[Action], line: str) -> str:
    said = f"{scene.text('not-understood', line=line[:SAID])} " if line else ""
    return said + scene.text("expected", n=len(legal), example=example(scene, legal), help=command_word(scene, "help"))
