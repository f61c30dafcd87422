"""Simulation: records of matches among bots, the same bytes whatever the number of cores.

Match i of a simulation depends on the seed and i alone. Matches among uniformly random bots run in compiled code, one
call per round; any other bot is asked move by move.
"""

from __future__ import annotations

import multiprocessing
import random
import signal
from collections.abc import Iterator

import msgspec

from atout.bots import Budget, ask, make_bot
from atout.errors import UsageError
from atout.game import Game, Setup, new_rng
from atout.game.record import Record

CHUNK = 50
"""Matches per task of a worker process."""
SMALL = 2_000
"""Up to this many random matches are played faster in this process than workers start."""
RANDOM = "random"


class Simulation(msgspec.Struct, frozen=True):
    """What is played. It can be pickled and sent to worker processes."""

    setup: Setup
    bots: tuple[str, ...]
    """One bot per seat."""
    seed: int
    budget: Budget = Budget()
    """The budget of every decision; by default the bot's own, in nodes."""

    @classmethod
    def of(cls, setup: Setup, bots: list[str], seed: int, budget: Budget | None = None) -> Simulation:
        """One bot for all seats, or one for each."""
        if len(bots) == 1:
            bots = bots * setup.players
        if len(bots) != setup.players:
            raise UsageError(f"bots: {len(bots)} are named; expected 1 for all or {setup.players}, one per seat")
        for name in bots:
            make_bot(name)
        return cls(setup, tuple(bots), seed, budget or Budget())

    def lines(self, matches: int, workers: int) -> Iterator[bytes]:
        """The records in order, one JSON line each."""
        chunks = [range(first, min(first + CHUNK, matches)) for first in range(0, matches, CHUNK)]
        quick = set(self.bots) == {RANDOM} and matches <= SMALL
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
        return [msgspec.json.encode(self._signed(play(self.match_seed(number)))) + b"\n" for number in numbers]

    def _signed(self, record: Record) -> Record:
        """Add the names of the bots to a record."""
        record["bots"] = list(self.bots)
        return record

    def match_seed(self, number: int) -> int:
        return int(new_rng(self.seed, number)[0])

    def _random_record(self, seed: int) -> Record:
        game = Game.at(self.setup, seed)
        rng = new_rng(seed, -2)
        while not game.is_over:
            game.play_randomly(rng)
        return game.record()

    def _bot_record(self, seed: int) -> Record:
        bots = [make_bot(name) for name in self.bots]
        rngs = [random.Random(f"{seed}/{seat}") for seat in range(self.setup.players)]  # noqa: S311
        game = Game.at(self.setup, seed)
        while game.turn is not None:
            seat = game.turn
            game.play(ask(bots[seat], game.view(seat), rngs[seat], self.budget).action)
        return game.record()


def _ignore_interrupts() -> None:
    """Ctrl-C is for the parent process, which ends the pool."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
