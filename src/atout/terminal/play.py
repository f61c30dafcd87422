"""A match at the keyboard, line by line: people in some seats, bots in the others.

Every prompt takes a number, the words of a choice, or a command (`guide.COMMANDS`). The end of input and
Ctrl-C mean `quit`: the match is saved, and `Seating.of_record` restores who sat where when it is resumed.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TextIO

from atout.bots import STRONGEST, Bot, Budget, make_bot
from atout.game import Game
from atout.i18n import Texts
from atout.study import explain
from atout.terminal.hint import Adviser, Explainer
from atout.terminal.lines import Lines
from atout.terminal.saves import Saves
from atout.terminal.seats import Seating
from atout.terminal.session import Session

SAVE_PATH = Path("atout-game.json")
RESUME = "atout play --resume {path}"
ADVICE = Budget(seconds=1.0)
"""The budget of a hint: a wait that a person accepts."""


def play(
    game: Game,
    me: Collection[int],
    bots: Mapping[int, Bot],
    *,
    names: Sequence[str] | None = None,
    source: TextIO | None = None,
    target: TextIO | None = None,
    save_path: Path = SAVE_PATH,
    resumed: bool = False,
    resume_command: str = RESUME,
    rng: random.Random | None = None,
    adviser: Bot | None = None,
    advice: Budget = ADVICE,
    explainer: Explainer | None = None,
    texts: Texts | None = None,
) -> bool:
    """Play the match to its end or until somebody leaves; returns whether it is over.

    `me` are the seats of people, `bots` those of bots; together every seat. `resumed` says that the file at
    `save_path` holds this match, so that saving may replace it. `adviser` gives hints, `advice` is its budget;
    where `explainer` can tell, it answers first. Without both, a study explains. `texts` has the language; English
    if there are none.
    Rounds are dealt by the session (`game.auto_deal` is switched off).
    """
    seating = Seating(game.setup.players, me, bots, names)
    lines = Lines(source or sys.stdin, target or sys.stdout)
    saves = Saves(save_path, is_own=resumed)
    if adviser is None and explainer is None:
        explainer = explain
    helper = Adviser(adviser or make_bot(STRONGEST), advice, explainer)
    return Session(game, seating, lines, saves, resume_command, rng, helper, texts).run()
