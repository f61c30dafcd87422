"""The commands `play` and `editions`."""

from __future__ import annotations

import json
import os
import random
import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from atout.bots.registry import DEFAULT_LEVEL
from atout.cli.common import (
    EditionName,
    Language,
    OptionsText,
    Players,
    Seed,
    complete_bots,
    complete_editions,
    on_whole_screen,
    out,
    packages_of,
    parse_options,
    prepare,
)
from atout.cli.records import only_line, read_record
from atout.errors import UsageError
from atout.i18n import say

if TYPE_CHECKING:
    from atout.bots import Bot, Budget, Choice
    from atout.game import Game, Knowledge, View
    from atout.i18n import Texts
    from atout.study import Explanation
    from atout.terminal.hint import Adviser, Explainer
    from atout.terminal.saves import Saves
    from atout.terminal.seats import Seating

REVIEW_SECONDS = 30.0
"""For the review of a match in the terminal, on one core."""
RESUME = os.environ.get("ATOUT_COMMAND", "atout") + " play --resume {path}"
"""The command that resumes a saved match, by the name under which Atout was started."""


def play(
    edition: EditionName = "niet-2015",
    players: Players = 4,
    seats: Annotated[str, typer.Option("--me")] = "0",
    bots: Annotated[str | None, typer.Option("--bots", "-b", autocompletion=complete_bots)] = None,
    hints: Annotated[str | None, typer.Option("--hints")] = None,
    options: OptionsText = "{}",
    seed: Seed = None,
    resume: Annotated[Path | None, typer.Option("--resume")] = None,
    join: Annotated[str | None, typer.Option("--join", metavar="URL")] = None,
    name: Annotated[str, typer.Option("--name")] = "",
    plain: Annotated[bool, typer.Option("--plain")] = False,
    language: Language = None,
) -> None:
    """Play a whole match in the terminal: on the whole screen, or line by line."""
    from atout.i18n import Texts, preferred

    texts = Texts(preferred(language))
    on_screen = on_whole_screen(plain)
    if join is not None:
        join_table(join, name, texts, on_screen)
        return
    from atout.bots import STRONGEST, make_bot
    from atout.terminal.play import play as play_match

    adviser = PreparedBot(make_bot(hints or STRONGEST), hints or STRONGEST)
    own = own_bots(bots)
    if resume is not None:
        game, seating = resumed(resume, own, seed)
    else:
        game, seating = new_match(edition, players, seats, bots, options, seed)
    if on_screen:
        adviser.is_silent = True
        play_on_screen(game, seating, helper(adviser, hints, silent_explain), texts, resume, own)
        return
    if texts.language != "en":
        play_in_lines(game, seating, helper(adviser, hints, prepared_explain), texts, resume, own)
        return
    play_match(
        game,
        seating.people,
        seating.bots,
        names=seating.names,
        **({} if resume is None else {"save_path": resume, "resumed": True}),  # type: ignore[arg-type]
        resume_command=resume_command(own),
        adviser=adviser,
        explainer=prepared_explain if hints is None else None,
    )


def new_match(
    edition: str, players: int, seats: str, bots: str | None, options: str, seed: int | None
) -> tuple[Game, Seating]:
    """A new match with people and bots in their seats."""
    from atout.bots import make_bot
    from atout.game import Game
    from atout.terminal.seats import Seating

    prepare("table")
    game = Game.new(edition, players, seed, parse_options(options))
    people = parse_seats(seats, players)
    others = [seat for seat in range(players) if seat not in people]
    names = (bots or DEFAULT_LEVEL).split(",")
    if len(names) not in (1, len(others)):
        raise UsageError(say("cli.error.bots", n=len(names), others=len(others)))
    chosen = names * len(others) if len(names) == 1 else names
    table = {seat: make_bot(name) for seat, name in zip(others, chosen, strict=True)}
    prepare(*names, what=say("cli.first-use.bots", names=", ".join(dict.fromkeys(names))))
    return game, Seating(players, people, table)


def resumed(path: Path, own: Mapping[str, Bot], seed: int | None) -> tuple[Game, Seating]:
    """A saved match with who sat where."""
    from atout.terminal.saves import game_of
    from atout.terminal.seats import Seating

    prepare("table", "records")
    record = read_record(only_line(path))
    seating = Seating.of_record(record, own)
    if not seating.people:
        raise UsageError(say("cli.error.resume.bots", path=path))
    prepare(*(bot.name for bot in seating.bots.values()))
    return game_of(record, seed), seating


def helper(adviser: PreparedBot, hints: str | None, explain: Explainer) -> Adviser:
    """Who gives hints: a study, unless the player named a bot."""
    from atout.terminal.hint import Adviser
    from atout.terminal.play import ADVICE

    return Adviser(adviser, ADVICE, explain if hints is None else None)


def play_on_screen(
    game: Game, seating: Seating, adviser: Adviser, texts: Texts, resume: Path | None, own: Mapping[str, Bot]
) -> None:
    """The match on the whole screen; afterwards, how to resume it."""
    from atout.terminal.match import LocalMatch
    from atout.terminal.play import SAVE_PATH
    from atout.terminal.saves import Saves
    from atout.terminal.screen.app import TableApp

    saves = Saves(resume or SAVE_PATH, is_own=resume is not None)
    match = LocalMatch(game, seating, adviser, saves, texts)
    TableApp(match, lambda: review_of(game, match.reader, texts)).run()
    say_how_to_resume(saves, game, texts, own)


def review_of(game: Game, seat: int | None, texts: Texts) -> list[str]:
    """The review of a finished match, as text; it takes some seconds."""
    from atout import warm

    warm.compile_groups(warm.missing("review"), warm.cores(), lambda *_: None)
    from atout.study import review
    from atout.terminal.review import lines

    record = game.record()
    return lines(review(record, seat or 0, REVIEW_SECONDS), dict(record), texts)


def play_in_lines(
    game: Game, seating: Seating, adviser: Adviser, texts: Texts, resume: Path | None, own: Mapping[str, Bot]
) -> None:
    """The match line by line in another language than English, whose sentences are longer (`terminal/session.py`)."""
    import asyncio

    from atout.terminal.match import LocalMatch
    from atout.terminal.plain import PlainTable
    from atout.terminal.play import SAVE_PATH
    from atout.terminal.saves import Saves

    saves = Saves(resume or SAVE_PATH, is_own=resume is not None)
    match = LocalMatch(game, seating, adviser, saves, texts, pace=0)
    asyncio.run(PlainTable(match, sys.stdin, sys.stdout).run())
    say_how_to_resume(saves, game, texts, own)


def say_how_to_resume(saves: Saves, game: Game, texts: Texts, own: Mapping[str, Bot]) -> None:
    if saves.was_written:
        typer.echo(texts.t("terminal.saved", path=saves.path))
        if not game.is_over:
            command = resume_command(own).format(path=shlex.quote(str(saves.path)))
            typer.echo(f"{texts.t('terminal.resume')}\n  {command}")


def join_table(url: str, name: str, texts: Texts, on_screen: bool) -> None:
    """Play at a server's table, on the whole screen or line by line."""
    import asyncio

    with packages_of("terminal", "atout play --join"):
        import websockets  # noqa: F401
    from atout.terminal.remote import RemoteMatch, parse_link

    server, table = parse_link(url)
    match = RemoteMatch(server, table, name or os.environ.get("USER", "") or texts.t("guest.name"), texts)
    if on_screen:
        from atout.terminal.screen.app import TableApp

        TableApp(match).run()
        return
    from atout.terminal.plain import PlainTable

    asyncio.run(PlainTable(match, sys.stdin, sys.stdout).run())


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
        self.is_silent = False
        """On a whole screen no line of progress is written: the screen itself says that the first hint takes long."""

    def choose(self, view: View, legal: Sequence[str], budget: Budget, rng: random.Random) -> Choice:
        from atout import warm

        if self.is_silent:
            warm.compile_groups(warm.missing(self._level), warm.cores(), lambda *_: None)
        else:
            prepare(self._level, what=say("cli.first-use.hints", level=self._level))
        return self._bot.choose(view, legal, budget, rng)


def prepared_explain(knowledge: Knowledge, seconds: float) -> Explanation:
    """A study of one decision; compiled when it is first asked."""
    prepare("review", what=say("cli.first-use.study"))
    from atout.study import explain

    return explain(knowledge, seconds)


def silent_explain(knowledge: Knowledge, seconds: float) -> Explanation:
    """As `prepared_explain`, on a whole screen: the screen itself says that the first hint takes long."""
    from atout import warm

    warm.compile_groups(warm.missing("review"), warm.cores(), lambda *_: None)
    from atout.study import explain

    return explain(knowledge, seconds)


def parse_seats(text: str, players: int) -> set[int]:
    parts = [part.strip() for part in text.split(",")]
    seats = {int(part) for part in parts if part.isdecimal() and len(part) < 3}
    if len(seats) != len(parts) or not all(seat < players for seat in seats):
        raise UsageError(say("cli.error.seats", text=repr(text[:40]), last=players - 1))
    return seats


def editions(
    edition: Annotated[
        str | None,
        typer.Argument(autocompletion=complete_editions),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json")] = False,
) -> None:
    """List the editions, or describe one: its options and its rules in short."""
    from atout.editions import PUBLISHED, load, to_tree
    from atout.terminal.editions import list_editions, show_edition

    if as_json:
        trees = [to_tree(load(name)) for name in ([edition] if edition else PUBLISHED)]
        typer.echo(json.dumps(trees, ensure_ascii=False))
    elif edition is None:
        list_editions(out)
    else:
        show_edition(load(edition), out)
