"""Records of single rounds for tests of reviews."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

from atout import Game
from atout.bots import ask, make_bot
from atout.study.positions import Position, played_rounds


@cache
def round_record(
    edition: str, players: int, level: str = "novice", seed: int = 3, teams: bool = False
) -> dict[str, Any]:
    """The record of one round between bots of a level; the match is unfinished."""
    options = {"teams": True} if teams else None
    game, source, bot = Game.new(edition, players, seed, options), random.Random(seed), make_bot(level)
    while game.round == 1 and not game.is_over:
        assert game.turn is not None
        game.play(ask(bot, game.view(game.turn), random.Random(source.getrandbits(60))).action)
    record: Any = game.record()
    record["rounds"] = record["rounds"][:1]
    for key in ("totals", "winners"):
        record.pop(key, None)
    found: dict[str, Any] = record
    return found


def positions(record: dict[str, Any], phase: int | None = None) -> list[Position]:
    """The choices of a record, of one phase or all."""
    found = [position for played in played_rounds(record) for position in played.choices]
    return [position for position in found if phase in (None, position.phase)]
