"""Iterations per second of information-set MCTS from the first card, beside OpenSpiel (part of `make bench`)."""

from __future__ import annotations

from atout.bots.ismcts import Search
from atout.editions import PUBLISHED
from atout.game import Game, Knowledge, Setup
from bench import openspiel
from bench.report import markdown_table, write_section
from bench.timing import per_cpu_second, pin_to_core

PLAYERS = 4
ITERATIONS = 10_000
"""Iterations per search; then a new search starts, so that both programs have trees of the same size."""


def main() -> None:
    pin_to_core()
    peer, spread = openspiel.ismcts_hearts(ITERATIONS)
    rows = [[f"hearts, 4 players ({openspiel.name()}, C++)", f"{peer:,.0f}", f"{spread:.0%}", "1.0"]]
    for edition in PUBLISHED:
        at = Setup.of(edition, PLAYERS)
        rate, spread = per_cpu_second(lambda at=at: _search(at))  # type: ignore[misc]
        rows.append([f"{edition}, {PLAYERS} players", f"{rate:,.0f}", f"{spread:.0%}", f"{rate / peer:.1f}"])
        print(f"{rows[-1][0]}: {rate:,.0f} iterations per second, {rate / peer:.1f} times the peer", flush=True)
    header = ["first card of", "iterations/s", "spread", "ratio"]
    body = (
        f"Single-observer information-set MCTS with random playouts, {ITERATIONS:,} iterations per search, from the "
        "first card of a round: sampling of worlds, tree and playouts together. One core, CPU time.\n\n"
    )
    write_section("search", "Information-set MCTS", "make bench", body + markdown_table(header, rows))


def _search(at: Setup) -> float:
    search = Search(_first_card(at), 1)
    search.grow(ITERATIONS)
    return ITERATIONS


_FIRST: dict[str, Knowledge] = {}


def _first_card(at: Setup) -> Knowledge:
    """What the leader of the first trick knows, after random earlier phases."""
    if at.name not in _FIRST:
        game = Game.at(at, seed=5)
        while game.phase != "play":
            game.play(game.legal()[0])
        _FIRST[at.name] = game.knowledge(game.turn)
    return _FIRST[at.name]


if __name__ == "__main__":
    main()
