"""The replay of one finished round of a match that may still go on, as one viewer saw it.

A whole record is open (`replay.py`); here the match may still run, so every step is made from the viewer's own view:
other hands are only counted, and a card that the viewer may not know is `?`.
"""

from __future__ import annotations

from typing import Any

from atout.game import Game, View
from atout.game.notation import UNKNOWN
from atout.game.record import Record
from atout.records.replay import LEFT_OUT, PUBLIC_OF_OWN, Replay, ReplayStep


def make_round_replay(record: Record, seat: int | None) -> Replay:
    """The last round of a record, step by step, as the seat saw it; None is a spectator."""
    number, shown = len(record["rounds"]), _Shown(seat)
    steps, moves, game = [], 0, None
    for action, now in Game.steps(record):
        moves += action is not None
        if now.round == number:
            steps.append(shown.step(now.view(seat), moves, number, is_deal=action is None))
        game = now
    assert game is not None, "a record has at least one step"
    edition, players = game.setup.edition, game.setup.players
    return Replay(
        edition=edition.id,
        name=edition.name,
        game=edition.game,
        players=players,
        colours=list(edition.deck.colours),
        low=min(edition.deck.values) if edition.deck.low is None else edition.deck.low,
        high=max(edition.deck.values),
        names=record["names"],
        bots=[level or "" for level in record["bots"]],
        options=game.setup.options.written(edition, players),
        winners=[],
        steps=steps,
    )


class _Shown:
    """What the step before showed to the viewer."""

    def __init__(self, seat: int | None) -> None:
        self.seat = seat
        self._before: dict[str, dict[str, Any]] = {name: {} for name in ("view", "board", "hands", "chosen")}

    def step(self, view: View, move: int, number: int, *, is_deal: bool) -> ReplayStep:
        hands = {str(seat): " ".join([UNKNOWN] * size) for seat, size in enumerate(view["hand_sizes"])}
        chosen = {}
        if self.seat is not None:
            hands[str(self.seat)], chosen[str(self.seat)] = " ".join(view["hand"]), " ".join(view["chosen"])
        action = "" if is_deal else view["actions"][-1]
        plays = action.split(" ")[1:2] == ["play"]
        fields = {key: value for key, value in view.items() if key not in LEFT_OUT or key in PUBLIC_OF_OWN}
        return ReplayStep(
            move=move,
            round=number,
            action=action,
            trick=sum(view["tricks"]) + bool(view["trick"]) if plays else 0,
            view=self._changed("view", fields),
            board=list(self._changed("board", {row["row"]: row for row in view["board"] or ()}).values()),
            hands=self._changed("hands", hands),
            chosen=self._changed("chosen", chosen),
        )

    def _changed(self, part: str, now: dict[str, Any]) -> dict[str, Any]:
        before = self._before[part]
        changed = {key: value for key, value in now.items() if key not in before or before[key] != value}
        before |= changed
        return changed
