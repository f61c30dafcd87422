"""Simulation: records of matches among bots, the same bytes whatever the number of cores.

Match i of a simulation depends on the seed and i alone. Matches among uniformly random bots run in compiled code, one
call per round; any other bot is asked move by move.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
from collections.abc import Iterator, MutableSequence, Sequence
from typing import Any

import msgspec

from atout.bots import Budget, ask, make_bot
from atout.errors import BotError, UsageError
from atout.game import Game, Setup, new_rng
from atout.game.record import Record

CHUNK = 50
"""Matches per task of a worker process."""
SMALL = 2_000
"""Up to this many random matches are played faster in this process than workers start."""
LOOK_SECONDS = 0.5
"""Time between two looks whether a worker process has ended."""
NOBODY = -1
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
        count = min(workers, len(chunks))
        started, asked = context.Value("i", 0), context.RawArray("i", 2 * count)
        with context.Pool(count, initializer=_begin, initargs=(started, asked)) as pool:
            found = pool.imap(self.chunk, chunks)
            for _ in chunks:
                while True:
                    try:
                        lines = found.next(LOOK_SECONDS)
                        break
                    except multiprocessing.TimeoutError:
                        if started.value > count:  # the pool replaces a worker that ended, but not its work
                            raise BotError(self._end_of_a_worker(asked)) from None
                yield from lines

    def _end_of_a_worker(self, asked: Sequence[int]) -> str:
        """Which bot the worker that ended was asking."""
        alive = {process.pid for process in multiprocessing.active_children()}
        seats = [seat for pid, seat in zip(asked[::2], asked[1::2], strict=True) if pid not in alive and seat >= 0]
        if not seats:
            return "simulate: a worker process ended with no bot at work"
        return f"simulate: a worker process ended while bot {self.bots[seats[0]]} was asked"

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
            view = game.view(seat)
            _note(seat)
            action = ask(bots[seat], view, rngs[seat], self.budget).action
            _note(NOBODY)
            game.play(action)
        return game.record()


_OWN: list[tuple[MutableSequence[int], int]] = []
"""In a worker process: the shared memory of all workers, and the place in it for the seat whose bot is asked."""


def _begin(started: Any, asked: MutableSequence[int]) -> None:
    """What a worker does first. Ctrl-C is for the parent process, which ends the pool."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with started.get_lock():
        number = started.value
        started.value += 1
    if 2 * number < len(asked):
        asked[2 * number], asked[2 * number + 1] = os.getpid(), NOBODY
        _OWN.append((asked, 2 * number + 1))


def _note(seat: int) -> None:
    for asked, place in _OWN:
        asked[place] = seat
