"""Somebody at the keyboard, for tests: types what a script says, and can read the prompt before typing."""

from __future__ import annotations

import io
import random
import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from pathlib import Path

from atout import Game
from atout.bots import Bot, Budget, make_bot
from atout.i18n import Texts
from atout.terminal import play

CARD = re.compile(r"\b[RKBGYP]\d+\b")
Typing = Callable[[str], str | None]
"""From the prompt to what is typed; None is the end of input."""


class Screen(io.StringIO):
    """Remembers the line a prompt stands on without reading everything again."""

    prompt = ""

    def write(self, text: str, /) -> int:
        self.prompt = text
        return super().write(text)


class Keyboard(io.StringIO):
    def __init__(self, screen: Screen, typing: Typing) -> None:
        super().__init__()
        self.screen, self.typing = screen, typing
        self.left = 2000
        """Patience: a session that asks for ever fails instead of hanging."""

    def readline(self, _size: int | None = -1, /) -> str:  # type: ignore[override]
        self.left -= 1
        assert self.left, "the session never ends"
        typed = self.typing(self.screen.prompt)
        if typed is None:
            return ""
        self.screen.write(f"{typed}\n")
        return f"{typed}\n"


@dataclass
class Table:
    """What a session printed, typed lines included, and what came of it."""

    text: str
    is_over: bool
    game: Game

    @property
    def flat(self) -> str:
        """Without the folds of long lines."""
        return re.sub(r"\n +", " ", self.text)


def script(lines: Iterable[str]) -> Typing:
    """Line by line, then the end of input."""
    rest = iter(lines)
    return lambda _prompt: next(rest, None)


def at_random(seed: int) -> Typing:
    """Some legal choice at every prompt, and Enter where a number is not asked for."""
    rng = random.Random(seed)

    def typing(prompt: str) -> str | None:
        offered = re.search(r"1 to (\d+)", prompt)
        return str(rng.randint(1, int(offered[1]))) if offered else ""

    return typing


def novices(players: int, me: Collection[int]) -> dict[int, Bot]:
    return {seat: make_bot("novice") for seat in range(players) if seat not in me}


def sit_down(
    game: Game,
    typing: Typing,
    save_path: Path,
    me: Collection[int] = (0,),
    names: list[str] | None = None,
    resumed: bool = False,
    adviser: Bot | None = None,
    texts: Texts | None = None,
) -> Table:
    screen = Screen()
    bots = novices(game.setup.players, me)
    is_over = play(
        game,
        set(me),
        bots,
        names=names,
        source=Keyboard(screen, typing),
        target=screen,
        save_path=save_path,
        resumed=resumed,
        rng=random.Random(7),
        adviser=adviser,
        advice=Budget(nodes=200),
        texts=texts,
    )
    return Table(screen.getvalue(), is_over, game)


def until(game: Game, wanted: Callable[[Game], bool], seed: int = 0) -> Game:
    """The game, played on at random until somebody is in the wanted position."""
    rng = random.Random(seed)
    while not wanted(game):
        assert not game.is_over, "the position never came"
        game.play(rng.choice(game.legal()))
    return game
