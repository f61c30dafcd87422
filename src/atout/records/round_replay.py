"""The replay of one finished round of a match that may still go on, as one viewer saw it.

A whole record is open (`replay.py`); here the match may still run, so every step is made from the viewer's own view:
other hands are only counted, and a card that the viewer may not know is `?`.
"""

from __future__ import annotations

from atout.game import Game, View
from atout.game.notation import UNKNOWN
from atout.game.record import Record
from atout.records.replay import Replay, Steps, replay_of


def make_round_replay(record: Record, seat: int | None) -> Replay:
    """The last round of a record, step by step, as the seat saw it; None is a spectator."""
    number, shown = len(record["rounds"]), Steps()
    steps, moves, game = [], 0, None
    for action, now in Game.steps(record):
        moves += action is not None
        if now.round == number:
            view = now.view(seat)
            steps.append(shown.step(moves, number, "" if action is None else str(action), view, *_open_cards(view)))
        game = now
    assert game is not None, "a record has at least one step"
    for step, seen in zip(steps[1:], game.view(seat)["actions"], strict=True):
        step.action = seen  # as known at the end of the round
    return replay_of(game, record["names"], [level or "" for level in record["bots"]], [], steps)


def _open_cards(view: View) -> tuple[dict[str, str], dict[str, str]]:
    """The hands, those of others as cards that are not known; and the viewer's own chosen cards."""
    hands = {str(seat): " ".join([UNKNOWN] * size) for seat, size in enumerate(view["hand_sizes"])}
    if view["seat"] is None:
        return hands, {}
    own = str(view["seat"])
    return hands | {own: " ".join(view["hand"])}, {own: " ".join(view["chosen"])}
