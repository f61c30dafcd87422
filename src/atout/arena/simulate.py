"""Simulation: records of games among bots, the same bytes whatever the number of cores.

Game i of a simulation depends on the seed and i alone. Games among uniformly random players run in the
kernel, a round a call; any other bots are asked move by move.
"""

from __future__ import annotations

import multiprocessing
import random
import signal
from collections.abc import Iterator

import msgspec

from atout.bots import ask, make_bot
from atout.errors import UsageError
from atout.game import Game, Setup, new_rng
from atout.game.record import Record

CHUNK = 50
"""Games a worker plays before it reports."""
SMALL = 2_000
"""Random games that are played sooner than workers would start."""
RANDOM = "random"


class Simulation(msgspec.Struct, frozen=True):
    """What is to be played; picklable, so that workers get it as it is."""

    setup: Setup
    bots: tuple[str, ...]
    """A bot for each seat."""
    seed: int

    @classmethod
    def of(cls, setup: Setup, bots: list[str], seed: int) -> Simulation:
        """One bot for all seats, or one for each."""
        if len(bots) == 1:
            bots = bots * setup.players
        if len(bots) != setup.players:
            raise UsageError(f"bots: {len(bots)} are named; right would be 1 for all or {setup.players}, one a seat")
        for name in bots:
            make_bot(name)
        return cls(setup, tuple(bots), seed)

    def lines(self, games: int, workers: int) -> Iterator[bytes]:
        """Records in order, one JSON line each."""
        chunks = [range(first, min(first + CHUNK, games)) for first in range(0, games, CHUNK)]
        quick = set(self.bots) == {RANDOM} and games <= SMALL
        if workers == 1 or quick or len(chunks) == 1:
            for chunk in chunks:
                yield from self.chunk(chunk)
            return
        context = multiprocessing.get_context("spawn")
        with context.Pool(min(workers, len(chunks)), initializer=_ignore_interrupts) as pool:
            for lines in pool.imap(self.chunk, chunks):
                yield from lines

    def chunk(self, numbers: range) -> list[bytes]:
        play = self._random_record if set(self.bots) == {RANDOM} else self._bot_record
        return [msgspec.json.encode(self._signed(play(self.game_seed(number)))) + b"\n" for number in numbers]

    def _signed(self, record: Record) -> Record:
        """The record says who played."""
        record["bots"] = list(self.bots)
        return record

    def game_seed(self, number: int) -> int:
        return int(new_rng(self.seed, number)[0])

    def _random_record(self, seed: int) -> Record:
        game = Game.at(self.setup, seed)
        rng = new_rng(seed, -2)
        while not game.is_over:
            game.play_randomly(rng)
        return game.record()

    def _bot_record(self, seed: int) -> Record:
        bots = [make_bot(name) for name in self.bots]
        chance = [random.Random(f"{seed}/{seat}") for seat in range(self.setup.players)]  # noqa: S311
        game = Game.at(self.setup, seed)
        while game.turn is not None:
            seat = game.turn
            game.play(ask(bots[seat], game.view(seat), chance[seat]).action)
        return game.record()


def _ignore_interrupts() -> None:
    """The parent hears Ctrl-C and ends the pool."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
