"""The commands `play` and `editions`."""

from __future__ import annotations

import os
import random
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from atout.bots.registry import DEFAULT_LEVEL
from atout.cli.common import EditionName, OptionsText, Players, Seed, out, parse_options, prepare
from atout.cli.records import pick_line, read_record
from atout.errors import UsageError

if TYPE_CHECKING:
    from atout.bots import Bot, Budget, Choice
    from atout.game import View

RESUME = os.environ.get("ATOUT_COMMAND", "atout") + " play --resume {path}"
"""The command that resumes a saved match, by the name under which Atout was started."""


def play(
    edition: EditionName = "niet-2015",
    players: Players = 4,
    seats: Annotated[str, typer.Option("--me", help="Your seat; for several people separated by commas: 0,2.")] = "0",
    bots: Annotated[
        str | None,
        typer.Option(
            "--bots",
            "-b",
            help=f"One bot for the other seats, or one for each, separated by commas; default: {DEFAULT_LEVEL}. "
            "With --resume: bots of your own that play in the saved match.",
        ),
    ] = None,
    hints: Annotated[
        str | None, typer.Option("--hints", help="The bot that gives hints; default: the strongest.")
    ] = None,
    options: OptionsText = "{}",
    seed: Seed = None,
    resume: Annotated[Path | None, typer.Option("--resume", help="A saved match to resume.")] = None,
) -> None:
    """Play a whole match in the terminal, line by line."""
    from atout.bots import STRONGEST, make_bot
    from atout.game import Game
    from atout.terminal.play import play as play_match
    from atout.terminal.seats import Seating

    adviser = PreparedBot(make_bot(hints or STRONGEST), hints or STRONGEST)
    if resume is not None:
        prepare("table", "records")
        record = read_record(pick_line(str(resume), 1)[1])
        own = own_bots(bots)
        seating = Seating.of_record(record, own)
        prepare(*(bot.name for bot in seating.bots.values()))
        game = Game.from_record(record, seed)
        play_match(
            game,
            seating.people,
            seating.bots,
            names=seating.names,
            save_path=resume,
            resumed=True,
            resume_command=resume_command(own),
            adviser=adviser,
        )
        return
    prepare("table")
    game = Game.new(edition, players, seed, parse_options(options))
    people = parse_seats(seats, players)
    others = [seat for seat in range(players) if seat not in people]
    names = (bots or DEFAULT_LEVEL).split(",")
    if len(names) not in (1, len(others)):
        raise UsageError(f"--bots: {len(names)} are named; expected 1, or {len(others)}, one for each other seat")
    chosen = names * len(others) if len(names) == 1 else names
    table = {seat: make_bot(name) for seat, name in zip(others, chosen, strict=True)}
    prepare(*names)
    play_match(game, people, table, resume_command=resume_command(own_bots(bots)), adviser=adviser)


def own_bots(text: str | None) -> dict[str, Bot]:
    """The bots named on the command line that are not Atout's own, by their `package.module:Class`."""
    from atout.bots import make_bot

    return {name: make_bot(name) for name in (text or "").split(",") if ":" in name}


def resume_command(own: Mapping[str, Bot]) -> str:
    """The command that resumes the match. It names bots of the user's own, because a file may not name code to run."""
    return RESUME + (f" --bots {shlex.quote(','.join(own))}" if own else "")


class PreparedBot:
    """A bot that is compiled when it is first asked, with a line of progress: most players never ask for a hint."""

    def __init__(self, bot: Bot, level: str) -> None:
        self._bot, self._level = bot, level
        self.name = bot.name

    def choose(self, view: View, legal: Sequence[str], budget: Budget, rng: random.Random) -> Choice:
        prepare(self._level, what=f"The bot that gives hints ({self._level})")
        return self._bot.choose(view, legal, budget, rng)


def parse_seats(text: str, players: int) -> set[int]:
    parts = [part.strip() for part in text.split(",")]
    seats = {int(part) for part in parts if part.isdecimal() and len(part) < 3}
    if len(seats) != len(parts) or not all(seat < players for seat in seats):
        raise UsageError(
            f"--me: {text[:40]!r} is not allowed; expected seats from 0 to {players - 1}, separated by commas"
        )
    return seats


def editions(
    edition: Annotated[
        str | None, typer.Argument(help="Id of an edition, or path of a .toml file with house rules.")
    ] = None,
) -> None:
    """List the editions, or describe one: its options and its rules in short."""
    from atout.editions import load
    from atout.terminal.editions import list_editions, show_edition

    if edition is None:
        list_editions(out)
    else:
        show_edition(load(edition), out)
