"""The commands `play` and `editions`."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from functools import partial
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
    ask_for_file,
    complete_bots,
    complete_editions,
    leave_unsaved,
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
    from atout.bots import Bot
    from atout.game import Game, Knowledge
    from atout.i18n import Texts
    from atout.study import Explanation
    from atout.terminal.hint import Adviser
    from atout.terminal.remote import RemoteMatch
    from atout.terminal.saves import Saves, ShellCommands
    from atout.terminal.seats import Seating
    from atout.warm import Preparation

COMMAND = os.environ.get("ATOUT_COMMAND", "atout")
"""The name under which Atout was started."""
PLAIN = " --plain"


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
        join_table(join, name, texts, on_screen, plain)
        return
    own = own_bots(bots)
    with closing(saves_of(resume)) as saves:
        if resume is not None:
            game, seating = resumed(resume, own, seed)
        else:
            game, seating = new_match(edition, players, seats, bots, options, seed)
        play_here(game, seating, saves, texts, own, hints, on_screen, plain)
        if saves.failure and on_screen:
            earlier = [texts.t("terminal.saved.before", path=saves.path)] if saves.has_earlier else []
            leave_unsaved(saves.failure, *earlier)
        if saves.failure:  # line by line it was said where it was asked for another file
            raise typer.Exit(2)


def saves_of(resume: Path | None) -> Saves:
    """Where the match is saved. Of a file to which another program saves, it goes on in another file."""
    from atout.files import InUse
    from atout.terminal.play import SAVE_PATH
    from atout.terminal.saves import Saves

    if resume is not None and resume.exists() and not resume.is_file():
        raise UsageError(say("cli.error.no-file", path=resume))
    try:
        return Saves(resume or SAVE_PATH, is_own=resume is not None)
    except InUse as error:
        return ask_for_file(error, Saves.elsewhere)


def play_here(
    game: Game,
    seating: Seating,
    saves: Saves,
    texts: Texts,
    own: Mapping[str, Bot],
    hints: str | None,
    on_screen: bool,
    plain: bool,
) -> None:
    """A match on this machine, on the whole screen or line by line. `plain`: the player has asked for lines."""
    from atout import warm
    from atout.bots import STRONGEST
    from atout.bots.fallback import PreparingBot
    from atout.terminal.hint import Adviser
    from atout.terminal.play import ADVICE
    from atout.terminal.play import play as play_match

    level = hints or STRONGEST
    adviser, preparation = PreparingBot(level, lambda: warm.is_ready(level)), prepare_bots(seating, level)
    explain = explain_when_ready if hints is None else None
    if on_screen:
        play_on_screen(game, seating, Adviser(adviser, ADVICE, explain), texts, saves, own, preparation)
        return
    play_match(
        game,
        seating.people,
        seating.bots,
        names=seating.names,
        saves=saves,
        commands=shell_commands(texts, own, plain=plain),
        adviser=adviser,
        explainer=explain,
        reviewer=lambda seat: prepared_review(named(game, seating, texts), seat, texts, preparation),
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
    return game_of(record, seed), seating


def prepare_bots(seating: Seating, level: str) -> Preparation:
    """Have the bots of a match compiled, and what hints and the review need.

    A person plays at once: it is compiled beside the match, and quicker bots play until then. Where no person types,
    the bots are compiled first, so that the same input brings the same match.
    """
    from atout import warm
    from atout.bots import LEVELS
    from atout.bots.fallback import PreparingBot

    names = tuple(dict.fromkeys(bot.name for bot in seating.bots.values() if bot.name in LEVELS))
    if not sys.stdin.isatty():
        prepare(*names, what=say("cli.first-use.bots", names=", ".join(names)))
    elif not warm.is_ready(*names):
        time = warm.rough_time(warm.missing(*names))
        typer.echo(say("cli.quicker-bots", names=", ".join(names), time=time), err=True)
    for seat, bot in seating.bots.items():
        if bot.name in names and not warm.is_ready(bot.name):
            seating.bots[seat] = PreparingBot(bot.name, partial(warm.is_ready, bot.name))
    preparation = warm.Preparation(*names, level, "review")
    preparation.start()
    return preparation


def play_on_screen(
    game: Game,
    seating: Seating,
    adviser: Adviser,
    texts: Texts,
    saves: Saves,
    own: Mapping[str, Bot],
    preparation: Preparation,
) -> None:
    """The match on the whole screen; afterwards, how to resume or review it."""
    from atout.terminal.match import LocalMatch
    from atout.terminal.review import reviewed
    from atout.terminal.screen.app import TableApp

    match = LocalMatch(game, seating, adviser, saves, texts)

    def review() -> list[str]:
        preparation.wait()
        return reviewed(named(game, seating, texts), match.reader or 0, texts)

    app = TableApp(match, review, lambda: preparation.progress)
    app.run()
    say_what_is_saved(saves, game, texts, own)
    if app.failure is not None:
        raise app.failure


def named(game: Game, seating: Seating, texts: Texts) -> dict[str, Any]:
    """The record of the match, with the names by which the reader knows the seats."""
    from atout.terminal.words import names_of

    return {**game.record(), "names": names_of(seating, texts)}


def prepared_review(
    record: Mapping[str, Any], seat: int, texts: Texts, preparation: Preparation | None = None
) -> list[str]:
    """The review of a finished match, as text; it takes some seconds. What is not compiled yet is, with progress."""
    from atout.terminal.review import reviewed

    if preparation is not None:
        preparation.end()
    prepare("review", what=say("cli.first-use.study"))
    return reviewed(record, seat, texts)


def say_what_is_saved(saves: Saves, game: Game, texts: Texts, own: Mapping[str, Bot]) -> None:
    """Where the match is, and the command that resumes it, or that reviews it when it is over."""
    if saves.was_written and not saves.failure:
        for line in shell_commands(texts, own).about(saves.path, game.is_over, texts):
            typer.echo(line)


def join_table(url: str, name: str, texts: Texts, on_screen: bool, plain: bool) -> None:
    """Play at a server's table, on the whole screen or line by line."""
    with packages_of("terminal", "atout play --join"):
        import websockets  # noqa: F401
    from atout.terminal.guests import Guests
    from atout.terminal.play import SAVE_PATH
    from atout.terminal.remote import RemoteMatch, parse_link
    from atout.terminal.saves import Saves, state_folder

    server, table = parse_link(url)
    guests = Guests(state_folder() / "guests.json")
    name = name or guests.name_at(server, table, os.environ.get("USER", "") or texts.t("guest.name"))
    match = RemoteMatch(server, table, name, texts, guests)
    with closing(Saves(SAVE_PATH, is_own=False)) as saves:
        is_over = play_at_server(match, saves, texts, on_screen)
        if saves.failure:  # line by line it was said where it was asked for another file
            raise typer.Exit(2)
    if match.farewell:
        raise UsageError(f"--join: {match.farewell}")
    if not is_over and not match.is_finished:
        if match.lost:
            raise UsageError(match.lost)
        options = f"--name {shlex.quote(name)}{PLAIN * plain}{language_option(texts)}"
        again = f"{COMMAND} play --join {shlex.quote(url)} {options}"
        typer.echo(f"{texts.t('terminal.rejoin')}\n  {again}")


def play_at_server(match: RemoteMatch, saves: Saves, texts: Texts, on_screen: bool) -> bool:
    """Whether the match is over; then its record is saved."""
    import asyncio

    shell = shell_commands(texts, {})
    if not on_screen:
        from atout.terminal.plain import PlainTable

        def review(seat: int) -> list[str]:
            return prepared_review(match.record(), seat, texts)

        return asyncio.run(PlainTable(match, sys.stdin, sys.stdout, saves, shell, review).run())
    from atout.terminal.review import reviewed
    from atout.terminal.screen.app import TableApp
    from atout.warm import Preparation

    preparation = Preparation("review")

    def review_here() -> list[str]:
        preparation.wait()
        return reviewed(match.record(), match.words.me or 0, texts)

    app = TableApp(match, review_here, lambda: preparation.progress)
    is_over = bool(app.run())
    if app.failure is not None:
        raise app.failure
    if is_over and match.words.me is not None:
        shell = replace(shell, review=f"{shell.review} --seat {match.words.me}")
        for line in shell.about(save_at_last(saves, match.record()), True, texts):
            typer.echo(line)
    return is_over


def save_at_last(saves: Saves, record: dict[str, Any]) -> Path:
    """Save a match that is over, in another file if it has to be."""
    try:
        return saves.save_record(record)
    except UsageError as error:
        return ask_for_file(error, lambda name: saves.save_as(name, record))


def own_bots(text: str | None) -> dict[str, Bot]:
    """The bots named on the command line that are not Atout's own, by their `package.module:Class`."""
    from atout.bots import make_bot

    return {name: make_bot(name) for name in (text or "").split(",") if ":" in name}


def shell_commands(texts: Texts, own: Mapping[str, Bot], *, plain: bool = False) -> ShellCommands:
    """The commands that resume and review the match.

    They name bots of the user's own, because a file may not name code to run, a language that is not the user's usual
    one, and whether the user asked for lines (`plain`).
    """
    from atout.terminal.saves import ShellCommands

    language = language_option(texts)
    bots = f" --bots {shlex.quote(','.join(own))}" if own else ""
    return ShellCommands(
        f"{COMMAND} play --resume {{path}}{bots}{PLAIN * plain}{language}",
        f"{COMMAND} review {{path}}{language}",
    )


def language_option(texts: Texts) -> str:
    """The option for this language, for the end of a command; empty where it is the user's usual one."""
    from atout.i18n import preferred

    return "" if texts.language == preferred(None) else f" --language {texts.language}"


def explain_when_ready(knowledge: Knowledge, seconds: float) -> Explanation:
    """A study of one decision; until it is compiled a `UsageError`, and the hint is a quick look."""
    from atout import warm
    from atout.study import explain

    if not warm.is_ready("review"):
        raise UsageError(say("cli.error.not-compiled", names="review"))
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
    language: Language = None,
) -> None:
    """List the editions, or describe one: its options and its rules in short."""
    from atout.editions import PUBLISHED, load, to_tree
    from atout.i18n import Texts, preferred
    from atout.terminal.editions import list_editions, show_edition

    texts = Texts(preferred(language))

    if as_json:
        trees = [to_tree(load(name)) for name in ([edition] if edition else PUBLISHED)]
        typer.echo(json.dumps(trees, ensure_ascii=False))
    elif edition is None:
        list_editions(out, texts=texts)
    else:
        show_edition(load(edition), out, texts)
