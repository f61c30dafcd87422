"""Sentences for the reasons of reviews and hints: why one action is better than another (`study/reasons.py`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from atout.terminal.phrases import cell_in_full, decimal, listed

Parameters = Mapping[str, Any]


def seat_name(seat: int) -> str:
    return f"seat {seat}"


def thing(action: str) -> str:
    """What an action without its seat is about.

    >>> thing("play Y12"), thing("veto points -2"), thing("team 0 2"), thing("double 3")
    ('Y12', '−2 points', 'the side of seat 0 and seat 2', 'seat 3')
    """
    verb, *words = action.split(" ")
    if verb == "veto":
        return cell_in_full(words[0], words[1], seat_name)
    if verb == "team":
        return f"the side of {listed(seat_name(int(word)) for word in words)}"
    return seat_name(int(words[0])) if verb == "double" else words[0]


def _fill(text: str) -> Callable[[Parameters, str], str]:
    """A sentence with the parameters of a reason in it."""

    def words(parameters: Parameters, _: str) -> str:
        filled: dict[str, str] = {}
        for name, value in parameters.items():
            if name in ("best", "other"):
                filled[name] = thing(value)
            elif name.endswith("_seat"):
                filled[name] = seat_name(int(value))
            elif name.startswith("gain") or name.endswith("_gain"):
                filled[name] = ("+" if float(value) > 0 else "") + decimal(float(value))
            elif name.endswith("_n"):
                filled[name] = decimal(float(value))
            else:
                filled[name] = str(value)
        return text.format(**filled)

    return words


def _cell(parameters: Parameters, others: str) -> str:
    stays = cell_in_full(str(parameters["row"]), str(parameters["cell"]), seat_name)
    text = (
        "if {cell_name} stays, your gain is {gain_if} on average, otherwise {gain_else}. It stays in {best_share} of "
        "100 likely rounds after covering {best}, in {other_share} after {other}."
    )
    return _fill(text)({**parameters, "cell_name": stays}, others)


STUDY_WORDS: dict[str, Callable[[Parameters, str], str]] = {
    "found-by": _fill("strong players choose {best} in {best_share} of 100 such decisions, {other} in {other_share}."),
    "tricks-now": _fill(
        "{best} wins this trick for your side in {best_share} of 100 likely deals; {other} in {other_share}."
    ),
    "won-now": _fill("with {best} your side captures {best_n} loot in this trick on average; with {other} {other_n}."),
    "lost-now": _fill("with {other} this trick costs your side {other_n} loot on average; with {best} {best_n}."),
    "tricks-later": _fill(
        "after {best} your side wins {best_n} of the later tricks on average; after {other} {other_n}."
    ),
    "won-later": _fill("after {best} your side captures {best_n} loot later; after {other} {other_n}."),
    "lost-later": _fill("after {other} your side loses {other_n} loot later; after {best} {best_n}."),
    "own-piles-now": _fill(
        "this trick changes your piles by {best_n} points on average with {best}, by {other_n} with {other}."
    ),
    "their-piles-now": _fill(
        "this trick changes an opponent's piles by {best_n} points on average with {best}, by {other_n} with {other}."
    ),
    "own-piles-later": _fill(
        "by the end of the round your piles change by {best_n} points on average after {best}, by {other_n} after "
        "{other}."
    ),
    "their-piles-later": _fill(
        "by the end of the round an opponent's piles change by {best_n} points on average after {best}, by {other_n} "
        "after {other}."
    ),
    "cell": _cell,
    "side": _fill("with {best} your gain is {best_gain} on average; with {other} {other_gain}."),
    "partner-trumps": _fill("{best_seat} holds {best_n} trumps in likely deals, {other_seat} {other_n}."),
    "double": _fill("with the ×2 card {best_seat} wins {best_n} tricks and loot on average, {other_seat} {other_n}."),
    "kept-wins": _fill(
        "kept for later, {kept} wins a trick in {best_share} of 100 likely deals; {spent}, kept instead, in "
        "{other_share}."
    ),
    "leads-next": _fill(
        "your side then leads the next trick in {best_share} of 100 likely deals instead of {other_share}."
    ),
    "draws-trumps": _fill("{best} draws {best_n} trumps from your opponents on average; {other} {other_n}."),
    "spends-trump": _fill("{card} would spend a trump."),
    "empties": _fill("{card} is your last card of its colour, so you need not follow it any more."),
}
"""A sentence for each code of a study's reasons."""
