"""Iterations a second of the textbook search at the first card, beside one in C++ (part of `make bench`)."""

from __future__ import annotations

from atout.bots.ismcts import Search
from atout.editions import PUBLISHED
from atout.game import Game, Knowledge, Setup
from bench import openspiel
from bench.report import markdown_table, write_section
from bench.timing import per_cpu_second, pin_to_core

PLAYERS = 4
ITERATIONS = 10_000
"""Of one search; a new one begins after them, so that trees stay of a size both sides have."""


def main() -> None:
    pin_to_core()
    peer, spread = openspiel.ismcts_hearts(ITERATIONS)
    rows = [[f"hearts, 4 players ({openspiel.name()}, C++)", f"{peer:,.0f}", f"{spread:.0%}", "1.0"]]
    for edition in PUBLISHED:
        at = Setup.of(edition, PLAYERS)
        rate, spread = per_cpu_second(lambda at=at: _search(at))  # type: ignore[misc]
        rows.append([f"{edition}, {PLAYERS} players", f"{rate:,.0f}", f"{spread:.0%}", f"{rate / peer:.1f}"])
        print(f"{rows[-1][0]}: {rate:,.0f} iterations a second, {rate / peer:.1f} times the peer", flush=True)
    header = ["first card of", "iterations/s", "spread", "ratio"]
    body = (
        f"Single-observer information-set tree search with random play-outs, {ITERATIONS:,} iterations a search, from "
        "the first card of a round: drawing worlds, tree and play-outs together. One core, CPU seconds.\n\n"
    )
    write_section("search", "Tree search", "make bench", body + markdown_table(header, rows))


def _search(at: Setup) -> float:
    search = Search(_first_card(at), 1)
    search.grow(ITERATIONS)
    return ITERATIONS


_FIRST: dict[str, Knowledge] = {}


def _first_card(at: Setup) -> Knowledge:
    """What the leader of the first trick knows, after whatever comes before at random."""
    if at.name not in _FIRST:
        game = Game.at(at, seed=5)
        while game.phase != "play":
            game.play(game.legal()[0])
        _FIRST[at.name] = game.knowledge(game.turn)
    return _FIRST[at.name]


if __name__ == "__main__":
    main()
