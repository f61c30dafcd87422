"""The commands for research: `dataset`, `bench-bot` and `leaderboard`."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from atout.cli.arena import destination, part_of
from atout.cli.common import (
    EditionName,
    OptionsText,
    Players,
    bot_files,
    err,
    held,
    parse_options,
    prepare,
    progress,
    refuse_inputs,
    rules_file,
)
from atout.errors import UsageError

if TYPE_CHECKING:
    from atout.envs.benchmark import Meeting


def dataset(
    folder: Annotated[Path, typer.Argument(help="Folder for the shards; begun work in it goes on.")],
    edition: EditionName,
    players: Players,
    matches: Annotated[int, typer.Option("--matches", "-m", min=1, help="How many matches.")],
    seed: Annotated[int, typer.Option("--seed", "-s", help="The same seed gives the same rows.")] = 0,
    shard: Annotated[int, typer.Option("--shard", min=1, help="Matches in a file.")] = 500,
    options: OptionsText = "{}",
    workers: Annotated[int, typer.Option("--workers", "-w", min=0, max=1024, help="Processes; 0: all cores.")] = 0,
) -> None:
    """Write verified self-play of the network as Parquet, one row per decision."""
    from atout.envs.dataset import check_arrow, make_folder, write_dataset
    from atout.game import Setup
    from atout.warm import cores

    for name in ("settings.json", "SHA256SUMS", "README.md"):
        refuse_inputs("dataset", folder / name, rules_file(edition))
    check_arrow()
    setup = Setup.of(edition, players, parse_options(options))
    make_folder(folder)
    prepare("table", "envs", "records", "dataset")
    with held("dataset", folder):
        written = 0
        work = write_dataset(setup, folder, matches, seed, workers or cores(), shard)
        try:
            with progress(f"{setup.name}: matches", matches) as advance, closing(work):
                for done in work:
                    written += done
                    for _ in range(done):
                        advance()
        except KeyboardInterrupt:
            err.print(
                f"stopped; {written} of {matches} matches are in {folder}, and the same command goes on", soft_wrap=True
            )
            raise typer.Exit(130) from None
        except OSError as error:
            raise UsageError(
                f"dataset: {folder} cannot be written: {error.strerror or error}; complete files stay there, and the "
                "same command goes on"
            ) from None
    typer.echo(f"written to {folder}; its README.md is the data card")


def bench_bot(
    bot: Annotated[str, typer.Argument(help="A level, or package.module:Class.")],
    path: Annotated[Path, typer.Option("--out", "-o", help="File of results (JSON).")] = Path("bench-bot.json"),
    deals: Annotated[int, typer.Option("--deals", "-d", min=2, help="Deals per table and opponent; results with "
                                       "another number are not comparable.")] = 12,
) -> None:  # fmt: skip
    """Measure a bot against fixed opponents on fixed duplicate deals."""
    import msgspec

    from atout.envs import benchmark

    def report(one: Meeting) -> None:
        typer.echo(
            f"{one.edition}, {one.players} players, against {one.opponent}: "
            f"{one.margin:+.2f} ± {one.error:.2f} points per round, {one.forfeits} forfeits"
        )

    for one in (path, part_of(path)):
        refuse_inputs("--out", one, *bot_files([bot]))
    with destination(path) as file:
        prepare("bots")
        entry = benchmark.run(bot, deals, report)
        file.write(msgspec.json.format(msgspec.json.encode(entry), indent=1) + b"\n")
    if entry.first_error:
        typer.echo(f"{entry.forfeits} forfeits; the first error: {entry.first_error}")
    typer.echo(f"score {entry.score:+.2f} ± {entry.error:.2f}; written to {path}")


def leaderboard(
    files: Annotated[list[Path], typer.Argument(help="Files of results of bench-bot.", metavar="FILE…")],
    path: Annotated[Path, typer.Option("--out", "-o", help="The page (Markdown).")] = Path("leaderboard.md"),
) -> None:
    """Make a page of results of `bench-bot`, best first."""
    from atout.envs import benchmark

    for one in (path, part_of(path)):
        refuse_inputs("--out", one, *files)
    page = benchmark.leaderboard(files)
    with destination(path) as file:
        file.write(page.encode())
    typer.echo(f"{'1 result' if len(files) == 1 else f'{len(files)} results'}, written to {path}")
