"""The commands `puzzle` and `puzzles`: solve puzzles, make them, pack them for a release and judge them again."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from atout.cli.common import (
    OLD_NAMES,
    Language,
    check_writable,
    complete_editions,
    err,
    held,
    prepare,
    refuse_inputs,
    refuse_kept,
)
from atout.cli.help import Group, PuzzlesCommand
from atout.errors import UsageError
from atout.files import replace_file
from atout.i18n import Texts, preferred, say

if TYPE_CHECKING:
    from atout.puzzles.factory import Progress
    from atout.puzzles.model import Puzzle


def complete_themes(begun: str) -> list[str]:
    from atout.puzzles import THEMES

    return [name for name in THEMES if name.startswith(begun)]


def puzzle(
    theme: Annotated[str | None, typer.Option("--theme", "-t", autocompletion=complete_themes)] = None,
    edition: Annotated[str | None, typer.Option("--edition", "-e", autocompletion=complete_editions)] = None,
    today: Annotated[bool, typer.Option("--today")] = False,
    plain: Annotated[bool, typer.Option("--plain")] = False,  # noqa: ARG001
    language: Language = None,
) -> None:
    """Solve puzzles in the terminal."""
    texts = Texts(preferred(language))
    prepare("table", "records")
    from atout import puzzles
    from atout.terminal import puzzle as terminal
    from atout.terminal.lines import Lines

    if theme is not None and theme not in puzzles.THEMES:
        raise UsageError(say("cli.error.theme", text=repr(theme[:40]), allowed=", ".join(puzzles.THEMES)))
    known = sorted({one.edition for one in puzzles.shipped()})
    if edition is not None and edition not in known:
        raise UsageError(say("cli.error.puzzles", text=repr(edition[:40]), allowed=", ".join(known)))
    path, day = terminal.state_file(), puzzles.today()
    state, lines = terminal.read_state(path), Lines(sys.stdin, sys.stdout)
    some = [one for one in puzzles.shipped() if theme in (None, one.theme) and edition in (None, one.edition)]
    unsaved: list[terminal.Attempt] = []
    while True:
        chosen = puzzles.of_day(day) if today else terminal.next_puzzle(state, some)
        if chosen is None:
            raise UsageError(texts.t("terminal.puzzle.none"))
        if chosen.id in state.solved and not today:
            typer.echo(texts.t("terminal.puzzle.all-tried"))
        asking = terminal.Asking(chosen, texts, lines)
        action = asking.ask(day if today else None)
        if action is None:
            break
        attempt = terminal.Attempt(chosen, asking.answer(action), day if chosen == puzzles.of_day(day) else None)
        unsaved.append(attempt)
        try:
            state, change = terminal.remember(path, unsaved)
            unsaved = []
        except UsageError as error:  # one can go on; the next attempt tries again
            change = attempt.note(state)
            lines.say("", texts.t("terminal.plain.not-saved", error=str(error).rstrip(".")))
        asking.tell_rating(state, change, day)
        if today or asking.lines.ask(texts.t("terminal.puzzle.more")) != "":
            break
    if unsaved:
        raise typer.Exit(2)


puzzles_app = typer.Typer(name="puzzles", cls=Group, no_args_is_help=True, rich_markup_mode=None)
TOLD_SECONDS = 10.0
"""How often a line of progress is printed where there is no terminal."""


@puzzles_app.command(cls=PuzzlesCommand, context_settings=OLD_NAMES)
def make(
    output: Annotated[Path, typer.Option("--output", "-o", help="File that puzzles are appended to.")] = Path(
        "puzzles-made.jsonl"
    ),
    count: Annotated[int, typer.Option("--count", min=1, help="How many to find.")] = 400,
    edition: Annotated[
        str | None, typer.Option("--edition", "-e", help="Of one edition only.", autocompletion=complete_editions)
    ] = None,
    seed: Annotated[int, typer.Option("--seed", "-s", help="The same seed gives the same puzzles.")] = 1,
    jobs: Annotated[int | None, typer.Option("--jobs", "-j", min=1, help="Processes; default: one per core.")] = None,
    minutes: Annotated[float | None, typer.Option("--minutes", min=0.0, help="Stop after this time.")] = None,
) -> None:
    """Find puzzles in self-play. What was found is kept: the same command goes on with a file that was begun."""
    refuse_kept("--output", output)
    if output.exists() and not output.is_file():
        raise UsageError(f"--output: {say('cli.error.no-file', path=output)}")
    prepare("review", "expert", "club", "novice")
    from atout.puzzles import factory
    from atout.warm import cores

    with held("--output", output):
        found = factory.make(output, seed, count, jobs or cores(), minutes, edition, _teller(count))
    typer.echo(f"{found} puzzles in {output}")


def _teller(count: int) -> Callable[[Progress], None]:
    import time

    last = 0.0

    def tell(progress: Progress) -> None:
        nonlocal last
        if time.monotonic() - last < TOLD_SECONDS:
            return
        last = time.monotonic()
        phases = ", ".join(f"{phase} {number}" for phase, number in sorted(progress.phases.items()))
        err.print(f"{progress.puzzles}/{count} puzzles in {progress.rounds} rounds: {phases}", soft_wrap=True)

    return tell


def _told_now_and_then(line: str) -> Callable[[int, int], None]:
    import time

    last = 0.0

    def tell(done: int, all: int) -> None:
        nonlocal last
        if done == all or time.monotonic() - last >= TOLD_SECONDS:
            last = time.monotonic()
            err.print(line.format(done=done, all=all), soft_wrap=True)

    return tell


@puzzles_app.command(cls=PuzzlesCommand, context_settings=OLD_NAMES)
def pack(
    files: Annotated[list[Path], typer.Argument(help="Files that `puzzles make` wrote.", metavar="FILE...")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The file for the package.")],
    count: Annotated[int, typer.Option("--count", min=1, help="How many at most; a varied selection.")] = 400,
    jobs: Annotated[int | None, typer.Option("--jobs", "-j", min=1, help="Processes; default: one per core.")] = None,
    sure: Annotated[bool, typer.Option("--sure", help="Only what the two strongest levels find: no check.")] = False,
) -> None:
    """Choose a varied selection of the puzzles that were made, and pack it."""
    from atout.puzzles import factory
    from atout.warm import cores

    check_output(output, files)
    made = factory.made_in(files)
    refuse_none(made, files)
    if sure:
        chosen = factory.picked([one for one in made if factory.is_sure(one)], count)
    else:
        prepare("review")
        chosen = factory.checked(
            made, count, jobs or cores(), _told_now_and_then("{done}/{all} doubtful puzzles played to the end")
        )
    _write(output, chosen)


@puzzles_app.command(cls=PuzzlesCommand, context_settings=OLD_NAMES)
def check(
    file: Annotated[Path, typer.Argument(help="A file that `puzzles pack` wrote.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The file for those that are still right.")],
    jobs: Annotated[int | None, typer.Option("--jobs", "-j", min=1, help="Processes; default: one per core.")] = None,
) -> None:
    """Judge packed puzzles again after the networks have changed, and keep those that are still right.

    A puzzle is dropped if its answers are not clearly right any more, or if it had to be judged and one of the two
    strongest levels does not find it.
    """
    from atout.puzzles import factory, library
    from atout.puzzles.model import LEVELS
    from atout.warm import cores

    check_output(output, [file])
    before = library.read(file)
    refuse_none(before, [file])
    prepare("review", "expert", "club", "novice")
    kept = factory.checked_again(before, jobs or cores(), _told_now_and_then("{done}/{all} puzzles judged"))
    typer.echo(
        f"{len(before) - len(kept)} of {len(before)} puzzles dropped: not clearly right any more, "
        f"or missed by {' or '.join(LEVELS[-2:])}"
    )
    _write(output, kept)


def check_output(output: Path, files: Sequence[Path]) -> None:
    """Check before the work that the output is no input and can be written."""
    refuse_inputs("--output", output, *files)
    check_writable("--output", output)


def refuse_none(puzzles: Sequence[Puzzle], files: Sequence[Path]) -> None:
    """An empty input is a mistake: its result would be a file without puzzles."""
    if not puzzles:
        raise UsageError(f"puzzles: no puzzles in {', '.join(map(str, files))}; expected at least one")


def _write(output: Path, some: Sequence[Puzzle]) -> None:
    """Write puzzles into a file: packed if its name ends in .gz, else as lines."""
    from atout.puzzles import library

    if not some:
        raise UsageError(f"puzzles: none of them is good enough; {output} was not written")
    body = library.pack(some) if output.suffix == ".gz" else library.as_lines(some)
    try:
        replace_file(output, body)
    except OSError as error:
        raise UsageError(f"--output: {output} cannot be written: {error.strerror}") from None
    typer.echo(f"{len(some)} puzzles, {len(body)} bytes: {output}")
