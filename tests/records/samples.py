"""Records of whole matches between random players."""

from __future__ import annotations

import json
from typing import Any

from atout.game import Game, Setup, new_rng

Record = dict[str, Any]


def whole(edition: str, players: int, options: Any = None, seed: int = 1) -> Record:
    """A match to its end, as a file has it."""
    game = Game.at(Setup.of(edition, players, options), seed=seed)
    rng = new_rng(seed)
    while not game.is_over:
        game.play_randomly(rng)
    record: Record = json.loads(json.dumps(game.record()))
    return record
