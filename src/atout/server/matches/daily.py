"""The choices of the person in a deal of the day, so that those who came to the same position can be compared."""

from __future__ import annotations

import hashlib
from typing import Any

from msgspec import Struct

from atout.game import Game, View
from atout.game.record import read
from atout.game.view import SECRET_NAMES
from atout.store import DailyChoice
from atout.tables.daily import SEAT


class Decided(Struct, frozen=True):
    """A decision of the person: where it was, and what they saw. Decisions without a choice are left out."""

    round: int
    index: int
    phase: str
    choice: DailyChoice
    view: View


def decisions_of(record: Any) -> list[Decided]:
    """The decisions of the person in a record of a deal of the day.

    A position is all that was played before it. Cards that are chosen together in secret count in the order of their
    names, and are shown with the hand before the first of them: nobody tells apart in which order they were tapped.
    """
    actions = [one.actions for one in read(record).rounds]
    rows: list[tuple[int, int, View, str]] = []
    round, index = -1, 0
    for action, game in Game.steps(record):
        round, index = (round + 1, 0) if action is None else (round, index + 1)
        if index < len(actions[round]) and game.turn == SEAT and len(game.legal()) > 1:
            rows.append((round, index, game.view(SEAT), game.phase))
    ordered = [_sort_secret_choices(one, round, rows) for round, one in enumerate(actions)]
    found: list[Decided] = []
    before: View | None = None
    for number, (round, index, view, phase) in enumerate(rows):
        last = found[-1] if found else None
        is_together = phase in SECRET_NAMES and last is not None and (last.round, last.phase) == (round, phase)
        before = before if is_together and before is not None else view
        played = [*ordered[:round], ordered[round][:index]]
        position = hashlib.sha256("\n\n".join("\n".join(one) for one in played).encode()).hexdigest()[:32]
        found.append(Decided(round, index, phase, DailyChoice(number, position, ordered[round][index]), before))
    return found


def _sort_secret_choices(actions: list[str], round: int, rows: list[tuple[int, int, View, str]]) -> list[str]:
    """The actions of a round, with those of the person that were chosen together in secret in the order of names."""
    ordered = list(actions)
    for phase in SECRET_NAMES:
        places = [index for at, index, _, name in rows if at == round and name == phase]
        for place, action in zip(places, sorted(ordered[index] for index in places), strict=True):
            ordered[place] = action
    return ordered
