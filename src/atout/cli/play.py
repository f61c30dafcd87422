"""The commands `play` and `editions`."""

from __future__ import annotations

import json
import os
import random
import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

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
from atout.errors import RecordError, UsageError
from atout.i18n import say

if TYPE_CHECKING:
    from atout.bots import Bot, Budget, Choice
    from atout.game import Game, Knowledge, View
    from atout.i18n import Texts
    from atout.study import Explanation
    from atout.terminal.hint import Adviser
    from atout.terminal.saves import Saves, ShellCommands
    from atout.terminal.seats import Seating

COMMAND = os.environ.get("ATOUT_COMMAND", "atout")
"""The name under which Atout was started."""


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
    from atout.terminal.hint import Adviser
    from atout.terminal.play import ADVICE, SAVE_PATH
    from atout.terminal.play import play as play_match

    adviser = PreparedBot(make_bot(hints or STRONGEST), hints or STRONGEST)
    own = own_bots(bots)
    if resume is not None:
        game, seating = resumed(resume, own, seed)
    else:
        game, seating = new_match(edition, players, seats, bots, options, seed)
    if on_screen:
        adviser.is_silent = True
        advice = Adviser(adviser, ADVICE, silent_explain if hints is None else None)
        play_on_screen(game, seating, advice, texts, resume, own)
        return
    play_match(
        game,
        seating.people,
        seating.bots,
        names=seating.names,
        save_path=resume or SAVE_PATH,
        resumed=resume is not None,
        commands=shell_commands(texts, own),
        adviser=adviser,
        explainer=prepared_explain if hints is None else None,
        reviewer=lambda seat: prepared_review(named(game, seating, texts), seat, texts),
        texts=texts,
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
    try:
        record = read_record(only_line(path))
        seating = Seating.of_record(record, own)
    except RecordError as error:
        raise RecordError(f"{path}: {error}") from None
    if not seating.people:
        raise UsageError(say("cli.error.resume.bots", path=path))
    prepare(*(bot.name for bot in seating.bots.values()))
    return game_of(record, seed), seating


def play_on_screen(
    game: Game, seating: Seating, adviser: Adviser, texts: Texts, resume: Path | None, own: Mapping[str, Bot]
) -> None:
    """The match on the whole screen; afterwards, how to resume or review it."""
    from atout.terminal.match import LocalMatch
    from atout.terminal.play import SAVE_PATH
    from atout.terminal.saves import Saves
    from atout.terminal.screen.app import TableApp

    saves = Saves(resume or SAVE_PATH, is_own=resume is not None)
    match = LocalMatch(game, seating, adviser, saves, texts)
    TableApp(match, lambda: silent_review(named(game, seating, texts), match.reader or 0, texts)).run()
    say_what_is_saved(saves, game, texts, own)


def named(game: Game, seating: Seating, texts: Texts) -> dict[str, Any]:
    """The record of the match, with the names by which the reader knows the seats."""
    from atout.terminal.words import names_of

    return {**game.record(), "names": names_of(seating, texts)}


def prepared_review(record: Mapping[str, Any], seat: int, texts: Texts) -> list[str]:
    """The review of a finished match, as text; it takes some seconds."""
    prepare("review", what=say("cli.first-use.study"))
    from atout.terminal.review import reviewed

    return reviewed(record, seat, texts)


def silent_review(record: Mapping[str, Any], seat: int, texts: Texts) -> list[str]:
    """As `prepared_review`, on a whole screen: the screen itself says that it takes long."""
    from atout import warm

    warm.compile_groups(warm.missing("review"), warm.cores(), lambda *_: None)
    return prepared_review(record, seat, texts)


def say_what_is_saved(saves: Saves, game: Game, texts: Texts, own: Mapping[str, Bot]) -> None:
    """Where the match is, and the command that resumes it, or that reviews it when it is over."""
    if saves.was_written:
        for line in shell_commands(texts, own).about(saves.path, game.is_over, texts):
            typer.echo(line)


def join_table(url: str, name: str, texts: Texts, on_screen: bool) -> None:
    """Play at a server's table, on the whole screen or line by line."""
    import asyncio

    with packages_of("terminal", "atout play --join"):
        import websockets  # noqa: F401
    from atout.terminal.guests import Guests
    from atout.terminal.play import SAVE_PATH
    from atout.terminal.remote import RemoteMatch, parse_link
    from atout.terminal.saves import Saves, state_folder

    server, table = parse_link(url)
    name = name or os.environ.get("USER", "") or texts.t("guest.name")
    match = RemoteMatch(server, table, name, texts, Guests(state_folder() / "guests.json"))
    saves, shell = Saves(SAVE_PATH, is_own=False), shell_commands(texts, {})
    if on_screen:
        from atout.terminal.screen.app import TableApp

        is_over = TableApp(match, lambda: silent_review(match.record(), match.words.me or 0, texts)).run()
        if is_over and match.words.me is not None:
            shell = replace(shell, review=f"{shell.review} --seat {match.words.me}")
            for line in shell.about(saves.save_record(match.record()), True, texts):
                typer.echo(line)
    else:
        from atout.terminal.plain import PlainTable

        def review(seat: int) -> list[str]:
            return prepared_review(match.record(), seat, texts)

        is_over = asyncio.run(PlainTable(match, sys.stdin, sys.stdout, saves, shell, review).run())
    if match.farewell:
        raise UsageError(f"--join: {match.farewell}")
    if not is_over and not match.is_finished:
        again = f"{COMMAND} play --join {shlex.quote(url)} --name {shlex.quote(name)}"
        typer.echo(f"{texts.t('terminal.rejoin')}\n  {again}")


def own_bots(text: str | None) -> dict[str, Bot]:
    """The bots named on the command line that are not Atout's own, by their `package.module:Class`."""
    from atout.bots import make_bot

    return {name: make_bot(name) for name in (text or "").split(",") if ":" in name}


def shell_commands(texts: Texts, own: Mapping[str, Bot]) -> ShellCommands:
    """The commands that resume and review the match.

    They name bots of the user's own, because a file may not name code to run, and a language that is not the user's
    usual one.
    """
    from atout.i18n import preferred
    from atout.terminal.saves import ShellCommands

    language = "" if texts.language == preferred(None) else f" --language {texts.language}"
    bots = f" --bots {shlex.quote(','.join(own))}" if own else ""
    return ShellCommands(
        f"{COMMAND} play --resume {{path}}{bots}{language}",
        f"{COMMAND} review {{path}}{language}",
    )


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
