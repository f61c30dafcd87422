"""A game as the draft of a position. The title, the theme, the blunders and the reason are added by hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TypeVar

import msgspec

from atout.errors import UsageError
from atout.exam.position import CHOSEN
from atout.game import Action, Game

T = TypeVar("T")


def draft(game: Game) -> str:
    """The present position of a game, in the format of `position.read` once the dots are replaced.

    >>> game = Game.new("nichtig", players=3, seed=1)
    >>> [line for line in draft(game).splitlines() if not line.startswith(" ")][:6]
    ['== …', 'theme: …', 'edition: nichtig', 'players: 3', 'dealer: 2', 'hands:']
    """
    if game.round != 1 or game.turn is None:
        raise UsageError(f"draft: round {game.round}, phase {game.phase}; a position is a decision of the first round")
    record = game.record()
    lines = ["== …", "theme: …", f"edition: {record['edition']}", f"players: {record['players']}"]
    lines += [f"dealer: {record['first_dealer']}"]
    if record["options"]:
        lines += [f"options: {msgspec.json.encode(record['options']).decode()}"]
    lines += ["hands:", *(f"  {seat}: {hand}" for seat, hand in enumerate(_hands(game)))]
    lines += _happened(game)
    return "\n".join((*lines, f"to act: {game.turn}", "blunders: …", "why: …", ""))


def _hands(game: Game) -> list[str]:
    """The hands as dealt, colour by colour, low to high."""
    order = {card: number for number, card in enumerate(game.notation.cards)}
    dealt = game.record()["rounds"][0]["hands"]
    return [" ".join(sorted(hand.split(" "), key=lambda card: order[card])) for hand in dealt]


def _happened(game: Game) -> Iterator[str]:
    by_verb = {verb: list(actions) for verb, actions in groupby(game.actions, lambda action: action.verb)}
    if "veto" in by_verb:
        yield "vetoes:"
        vetoes = [f"{action.seat} {' '.join(action.words)}" for action in by_verb["veto"]]
        yield from (f"  {', '.join(turns)}," for turns in _portions(vetoes, game.setup.players))
    conditions = game.view(None)["conditions"]
    if conditions is not None:
        yield "board: " + ", ".join(f"{row} {cell}" for row, cell in conditions.items())
    for verb in ("team", "double"):
        yield from (f"{verb}: {' '.join(action.words)}" for action in by_verb.get(verb, ()))
    for key, verb in CHOSEN.items():
        if verb in by_verb:
            yield f"{key}:"
            yield from (_line(list(own)) for _, own in groupby(by_verb[verb], lambda action: action.seat))
    if "play" in by_verb:
        yield "tricks:"
        yield from map(_line, _portions(by_verb["play"], game.setup.players))


def _portions(whole: Sequence[T], size: int) -> list[Sequence[T]]:
    return [whole[i : i + size] for i in range(0, len(whole), size)]


def _line(actions: Sequence[Action]) -> str:
    """The first seat, and the cards of all seats."""
    return f"  {actions[0].seat}: {' '.join(action.words[0] for action in actions)}"
