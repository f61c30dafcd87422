"""A match at the keyboard, line by line: people in some seats, bots in the others.

Every prompt takes a number, the words of a choice, or a command (`guide.COMMANDS`). Every choice of a person is saved
at once. The end of input and Ctrl-C mean `quit`, and `Seating.of_record` restores who sat where when it is resumed.
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
from atout.terminal.review import reviewed
from atout.terminal.saves import Saves, ShellCommands
from atout.terminal.seats import Seating
from atout.terminal.session import Reviewer, Session

SAVE_PATH = Path("atout-game.json")
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
    saves: Saves | None = None,
    commands: ShellCommands | None = None,
    rng: random.Random | None = None,
    adviser: Bot | None = None,
    advice: Budget = ADVICE,
    explainer: Explainer | None = None,
    reviewer: Reviewer | None = None,
    texts: Texts | None = None,
) -> bool:
    """Play the match to its end or until somebody leaves; returns whether it is over.

    `me` are the seats of people, `bots` those of bots; together every seat. `resumed` says that the file at
    `save_path` holds this match, so that saving may replace it; `saves` says both, and afterwards whether it could be
    saved. `adviser` gives hints, `advice` is its budget; where `explainer` has an answer, it comes first. Without both,
    a study explains. `reviewer` returns lines about what the decisions of a seat were worth. `commands` are printed
    when the match is saved. `texts` has the language; without it, English.
    Rounds are dealt by the session (`game.auto_deal` is switched off).
    """
    seating = Seating(game.setup.players, me, bots, names)
    lines = Lines(source or sys.stdin, target or sys.stdout)
    kept = saves or Saves(save_path, is_own=resumed)
    if adviser is None and explainer is None:
        explainer = explain
    helper = Adviser(adviser or make_bot(STRONGEST), advice, explainer)
    review = reviewer or (lambda seat: reviewed(game.record(), seat, texts or Texts()))
    try:
        return Session(game, seating, lines, kept, commands or ShellCommands(), rng, helper, review, texts).run()
    finally:
        kept.close()
