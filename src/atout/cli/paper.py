"""The commands `score` and `print`: score sheets for real cards, and everything on paper."""

from __future__ import annotations

import json
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from atout.cli.common import (
    OLD_NAMES,
    EditionName,
    Language,
    OptionsText,
    Players,
    ask_for_file,
    check_place,
    complete_editions,
    leave_unsaved,
    on_whole_screen,
    packages_of,
    parse_options,
    prepare,
    progress,
    refuse_inputs,
    rules_file,
)
from atout.cli.help import Group, PrintCommand
from atout.cli.records import pick_line, read_record
from atout.cli.review import parse_time
from atout.errors import RecordError, UsageError
from atout.i18n import say

if TYPE_CHECKING:
    from atout.sheet import Keeper, Sheet, SheetEditor, SheetFile

print_app = typer.Typer(
    name="print",
    cls=Group,
    no_args_is_help=True,
    rich_markup_mode=None,
)
Out = Annotated[Path, typer.Option("--out", "-o")]


def complete_papers(begun: str) -> list[str]:
    from atout.paper.typeset import PAPERS

    return [name for name in PAPERS if name.startswith(begun)]


Paper = Annotated[str, typer.Option("--paper", autocompletion=complete_papers)]
LAST_SEED = 10**12
"""The largest seed of printed deals: each of them has a seed of its own, made of this one and its number."""


def score(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument()],
    edition: EditionName = "niet-2015",
    names: Annotated[str, typer.Option("--names")] = "",
    options: OptionsText = "{}",
    plain: Annotated[bool, typer.Option("--plain")] = False,
    as_json: Annotated[bool, typer.Option("--json")] = False,
    language: Language = None,
) -> None:
    """Keep the score of a match with real cards; the file also opens on the page, and a file of the page opens here.

    Lines that change it: `add points=3 discard=1 card side=1,3 tricks=5,4,3,2 loot=1,0,2,0`, `add scores=10,4,7,2`,
    `edit 2 points=4`, `remove 3`, `name 1 Ann`, `undo`, `quit`; `help` lists them all.
    """
    from atout.i18n import Texts, preferred
    from atout.sheet import Keeper, SheetEditor

    prepare("rules")
    texts = Texts(preferred(language))
    players = [name.strip() for name in names.split(",") if name.strip()]
    if as_json:
        print_scores(SheetEditor(sheets_of(ctx, file, edition, players, options)[0], texts))
        return
    with closing(sheet_file(file)) as kept:
        first, *others = sheets_of(ctx, file, edition, players, options)
        editor = SheetEditor(first, texts)
        keeper = Keeper(
            editor,
            lambda: kept.write([editor.sheet, *others]),
            lambda name: kept.write_as(name, [editor.sheet, *others]),
        )
        if on_whole_screen(plain):
            from atout.terminal.screen.sheet import SheetApp

            SheetApp(editor, keeper).run()
        else:
            keep_in_lines(editor, keeper)
        if keeper.failure:
            leave_unsaved(keeper.failure)


def sheet_file(path: Path) -> SheetFile:
    """Where the sheet is kept. One that another program keeps goes on in another file."""
    from atout.files import InUse, OwnFile
    from atout.sheet import SheetFile, read_sheets

    if path.exists() and not path.is_file():
        raise UsageError(say("cli.error.no-file", path=path))
    try:
        return SheetFile(OwnFile(path))
    except InUse as error:
        if path.exists():
            read_sheets(path)  # a match is told to be one
        problem = UsageError(say("cli.error.in-use.sheet", path=error.path))
        return SheetFile(ask_for_file(problem, OwnFile.elsewhere))


def sheets_of(ctx: typer.Context, file: Path, edition: str, players: list[str], options: str) -> list[Sheet]:
    """The sheets of a file, or a new one."""
    from atout.sheet import new_sheet, read_sheets

    if file.exists():
        sheets = read_sheets(file)
        check_given(ctx, file, sheets[0], edition, players, options)
        return sheets
    if not players:
        raise UsageError(say("cli.error.names", path=file))
    if not file.parent.is_dir():
        raise UsageError(say("cli.error.write", path=file, reason=say("cli.error.write.folder")))
    return [new_sheet(edition, players, parse_options(options))]


def check_given(ctx: typer.Context, file: Path, sheet: Any, edition: str, players: list[str], options: str) -> None:
    """Refuse options that do not fit the sheet that is there, instead of ignoring them."""
    from atout.editions import load
    from atout.game import Setup

    def is_given(name: str) -> bool:
        source = ctx.get_parameter_source(name)
        return source is not None and source.name == "COMMANDLINE"

    setup = sheet.setup
    if is_given("edition") and load(edition) != setup.edition:
        raise UsageError(say("cli.error.sheet.given", option="--edition", path=file, found=sheet.edition))
    if is_given("names") and players != sheet.names:
        raise UsageError(say("cli.error.sheet.given", option="--names", path=file, found=",".join(sheet.names)))
    if is_given("options") and Setup.of(setup.edition, setup.players, parse_options(options)) is not setup:
        written = setup.options.written(setup.edition, setup.players)
        raise UsageError(say("cli.error.sheet.given", option="--options", path=file, found=json.dumps(written)))


def print_scores(editor: SheetEditor) -> None:
    from atout.sheet import is_over, score_rounds, winners_of

    scores = score_rounds(editor.sheet)
    totals = [sum(points[seat] for points in scores) for seat in range(len(editor.sheet.names))]
    over = is_over(editor.sheet)
    figures = {
        "edition": editor.sheet.edition,
        "names": editor.sheet.names,
        "scores": scores,
        "totals": totals,
        "is_over": over,
        "winners": winners_of(editor.sheet) if over else [],
    }
    typer.echo(json.dumps(figures, ensure_ascii=False))


def keep_in_lines(editor: SheetEditor, keeper: Keeper) -> None:
    """The sheet line by line: the whole table at first and on demand, then what each line changed."""
    from atout.sheet.words import VERBS

    texts, words = editor.texts, editor.words
    for line in (*editor.lines(), editor.status(), editor.how_to_add()):
        typer.echo(line)
    if sys.stdin.isatty():
        typer.echo(texts.t("terminal.score.commands", **{verb: words.verb(verb) for verb in VERBS}))
    while True:
        if sys.stdin.isatty():
            typer.echo("> ", nl=False)
        line = sys.stdin.readline()
        verb, rest = editor.parse(line)
        if not line:
            return
        if verb == "quit":
            said = keeper.leave()
            if not said:
                return
        elif not line.strip():
            continue
        elif verb == "show" and not rest:
            said = "\n".join(editor.lines())
        elif verb == "save":
            said = keeper.save(rest)
        elif not (said := editor.do(line)):
            failure = keeper.keep()
            said = "\n".join([*editor.told(), *filter(None, [editor.note]), editor.status(), *filter(None, [failure])])
        typer.echo(said)


def write(document: dict[str, Any], texts: Any, paper: str, path: Path) -> None:
    with packages_of("print", "atout print"):
        import typst  # noqa: F401
    from atout.paper import typeset

    typeset.write(path, typeset.typeset(document, texts, paper))
    typer.echo(say("cli.written", path=path))


def check_out(path: Path, *inputs: Path | str | None) -> None:
    """Check before the work that the file of `--out` may be written."""
    refuse_inputs("--out", path, *inputs)
    check_place("--out", path)


def texts_of(language: str | None) -> Any:
    from atout.i18n import Texts, preferred

    return Texts(preferred(language))


@print_app.command("sheet", cls=PrintCommand, context_settings=OLD_NAMES)
def print_sheet(
    path: Out,
    edition: EditionName = "niet-2015",
    players: Players = 4,
    filled: Annotated[Path | None, typer.Option("--filled")] = None,
    paper: Paper = "a4",
    language: Language = None,
) -> None:
    """A blank score sheet of an edition and a number of players, or a filled one."""
    from atout.editions import load
    from atout.game import Setup
    from atout.paper import documents
    from atout.sheet import read_sheets

    texts = texts_of(language)
    check_out(path, filled, rules_file(edition))
    prepare("rules")
    if filled is None:
        setup = Setup.of(load(edition), players)
        write(documents.score_sheet(setup.edition, players, texts), texts, paper, path)
        return
    write(documents.filled_sheet(read_sheets(filled)[0], texts), texts, paper, path)


@print_app.command("rules", cls=PrintCommand, context_settings=OLD_NAMES)
def print_rules(path: Out, edition: EditionName = "niet-2015", paper: Paper = "a4", language: Language = None) -> None:
    """The rules of an edition in short, on one sheet."""
    from atout.editions import load
    from atout.paper import documents

    texts = texts_of(language)
    check_out(path, rules_file(edition))
    write(documents.rules_in_short(load(edition), texts), texts, paper, path)


@print_app.command("booklet", cls=PrintCommand, context_settings=OLD_NAMES)
def print_booklet(
    file: Annotated[str, typer.Argument(metavar="FILE")],
    path: Out,
    match: Annotated[int, typer.Option("--match", "-g", min=1)] = 1,
    ledger: Annotated[str | None, typer.Option("--ledger", metavar="TIME")] = None,
    paper: Paper = "a4",
    language: Language = None,
) -> None:
    """A match as a booklet: every round with its deal, board, tricks and result."""
    from atout.paper import documents

    texts = texts_of(language)
    check_out(path, file)
    prepare("rules", "records")
    number, line = pick_line(file, match)
    try:
        record = read_record(line)
    except RecordError as error:
        raise RecordError(f"{file}:{number}: {error}") from None
    found = None if ledger is None else ledgers_of(record, parse_time(ledger, "--ledger"))
    write(documents.booklet(record, texts, found), texts, paper, path)


def ledgers_of(record: dict[str, Any], seconds: float) -> dict[int, list[Any]]:
    """Where the points of each seat came from, round by round until the time is over; the first one always."""
    from time import monotonic

    prepare("review")
    from atout.study import Study
    from atout.study.ledger import round_ledger

    study, ends, found = Study(record, 0), monotonic() + seconds, {}
    with progress(say("cli.rounds"), len(study.rounds)) as advance:
        for number, played in enumerate(study.rounds, 1):
            if played.choices and (number == 1 or monotonic() < ends):
                curve = study.curve(number - 1)
                found[number] = [round_ledger(played, curve, seat) for seat in range(study.setup.players)]
            advance()
    return found


@print_app.command("puzzles", cls=PrintCommand, context_settings=OLD_NAMES)
def print_puzzles(
    path: Out,
    edition: Annotated[str | None, typer.Option("--edition", "-e", autocompletion=complete_editions)] = None,
    count: Annotated[int, typer.Option("--count", "-c", min=1, max=40)] = 6,
    seed: Annotated[int, typer.Option("--seed", "-s", min=0)] = 0,
    paper: Paper = "a4",
    language: Language = None,
) -> None:
    """Puzzles to print, with the solutions on a page of their own."""
    import random

    from atout import puzzles
    from atout.paper import documents

    texts = texts_of(language)
    check_out(path)
    prepare("rules", "records")
    some = [one for one in puzzles.shipped() if edition in (None, one.edition)]
    if not some:
        allowed = ", ".join(sorted({one.edition for one in puzzles.shipped()}))
        raise UsageError(say("cli.error.puzzles", text=repr(str(edition)[:40]), allowed=allowed))
    chosen = random.Random(seed).sample(some, min(count, len(some)))  # noqa: S311
    chosen.sort(key=lambda one: one.rating)
    shown = [documents.printed(one, texts) for one in chosen]
    write(documents.puzzle_sheet(shown, texts.t("paper.puzzles"), texts), texts, paper, path)


@print_app.command("deals", cls=PrintCommand, context_settings=OLD_NAMES)
def print_deals(
    path: Out,
    edition: EditionName = "niet-2015",
    players: Players = 4,
    deals: Annotated[int, typer.Option("--deals", "-d", min=1, max=200)] = 8,
    seed: Annotated[int, typer.Option("--seed", "-s", min=0, max=LAST_SEED)] = 0,
    paper: Paper = "a4",
    language: Language = None,
) -> None:
    """Deals for several tables: a slip for each seat to cut out, and all hands for whoever directs the evening."""
    from atout.editions import load
    from atout.paper import documents

    texts = texts_of(language)
    check_out(path, rules_file(edition))
    prepare("rules")
    write(documents.deal_slips(load(edition), players, deals, seed, texts), texts, paper, path)
