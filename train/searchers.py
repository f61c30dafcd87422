"""Searchers in self-play: matches in which `ismcts` plays some seats, in processes of its own.

A search takes as long as thousands of matches need for one step, so the training does not wait for it: only its match
does. As long as there is no answer, the place of that match is WAITS, which is legal in no phase. The batch leaves the
match unchanged, and nothing is learned from the step.

A process gets the state and redacts it (`Knowledge.of`); the bot gets a view. The process is ready when it has made its
first decision, and at most one message is under way to it, so that neither end of the pipe ever blocks.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from atout.bots import Bot, Budget, ask, make_bot
from atout.errors import BotError
from atout.game import Game, Knowledge, Setup
from atout.game.knowledge import TURN, Log
from atout.game.notation import bits_of, notation_of
from atout.game.view_builder import make_view
from atout.knowledge import entries as knowledge_entries
from atout.rules.arrays import Int64Array
from atout.rules.layout import SEATS

WAITS = -1
"""The place of a match that waits."""
BOT = "ismcts"
EXIT_SECONDS = 5.0
"""Seconds in which a process must exit before it is killed."""

Fetch = Callable[[], tuple[Int64Array, Log]]
"""Returns the states and logs of all these matches, on the host."""


class Request(NamedTuple):
    """A decision that is asked of a process."""

    row: int
    setup: int
    state: Int64Array
    log: Log
    seed: int


def decide(knowledge: Knowledge, bot: Bot, budget: Budget, seed: int) -> int:
    """The place of the bot's choice for the seat in turn. Its view has this round and the totals, no past rounds."""
    setup, words = knowledge.setup, notation_of(knowledge.setup)
    choice = ask(bot, make_view(knowledge, words, past=[]), random.Random(seed), budget)  # noqa: S311
    action = words.entry_of[choice.action] & 63
    places = bits_of(knowledge.encode()[1])
    return next(
        place for place in places if knowledge_entries.action_at(knowledge.redacted, setup.rules, place) == action
    )


def answer(request: Request, setups: Sequence[Setup], bot: Bot, budget: Budget) -> int:
    seat = int(request.state[TURN])
    knowledge = Knowledge.of(setups[request.setup], seat, request.state, request.log)
    return decide(knowledge, bot, budget, request.seed)


def work(connection: Connection, setups: Sequence[Setup], nodes: int) -> None:
    """What a process runs: answers lists of requests until it gets None. An exception ends it, and its text is sent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process ends it
    bot, budget = make_bot(BOT), Budget(nodes=nodes)
    try:
        game = Game.at(setups[0], 1)
        decide(game.knowledge(game.turn), bot, Budget(nodes=1), seed=1)
        answers: dict[int, int] = {}
        while True:
            connection.send(answers)
            requests: list[Request] | None = connection.recv()
            if requests is None:
                return
            answers = {one.row: answer(one, setups, bot, budget) for one in requests}
    except (EOFError, ConnectionError):
        return  # the parent process has ended
    except Exception as error:
        connection.send(f"{type(error).__name__}: {error}")


class SearchProcess:
    """A process and the connection to it."""

    def __init__(self, setups: Sequence[Setup], nodes: int) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, other = context.Pipe()
        self.process = context.Process(target=work, args=(other, setups, nodes), daemon=True)
        self.process.start()
        other.close()
        self.is_busy = True

    def receive(self) -> dict[int, int]:
        """The places it has found, by row; none while it is busy."""
        try:
            if not self.connection.poll():
                return {}
            answer = self.connection.recv()
        except (EOFError, OSError):
            self.process.join(EXIT_SECONDS)
            ended = self.process.exitcode
            raise BotError(
                f"searchers: a process exited unexpectedly, with exit code {ended}; its output is above"
            ) from None
        if isinstance(answer, str):
            raise BotError(f"searchers: a search failed: {answer}")
        self.is_busy = False
        found: dict[int, int] = answer
        return found

    def ask(self, requests: list[Request]) -> None:
        self.is_busy = True
        try:
            self.connection.send(requests)
        except OSError:
            self.receive()  # raises with the reason

    def close(self) -> None:
        with suppress(OSError):  # it may have exited already
            self.connection.send(None)
        self.connection.close()
        self.process.join(EXIT_SECONDS)
        if self.process.exitcode is None:
            self.process.kill()
            self.process.join()


class Searchers:
    """The seats of the given matches that search (`which`: their setups). In each step call `update`, then `places`."""

    def __init__(self, setups: Sequence[Setup], which: Sequence[int], nodes: int, processes: int, seed: int) -> None:
        self._which, self._rows = list(which), np.arange(len(which))
        self._random = random.Random(seed)  # noqa: S311
        self.seats: npt.NDArray[np.bool_] = np.zeros((len(which), SEATS), np.bool_)
        """The seats that search: at least one of every match, and never all."""
        for row, setup in enumerate(self._which):
            players = setups[setup].players
            theirs = self._random.sample(range(players), self._random.randint(1, players - 1))
            self.seats[row, theirs] = True
        self._is_asked = np.zeros(len(which), np.bool_)
        self._answers: dict[int, int] = {}
        self._requests: list[Request] = []
        self.answered = 0
        """Decisions made by search so far."""
        count = min(processes or free_cores(), len(which))
        self._processes = [SearchProcess(setups, nodes) for _ in range(count)]

    def update(self, turn: Any, lengths: Any, fetch: Fetch) -> None:
        """Receive answers, and collect the next requests, for the seats in turn and the lengths of the logs."""
        for process in self._processes:
            self._answers |= process.receive()
        due = np.flatnonzero(self.seats[self._rows, turn] & ~self._is_asked)
        self._requests = []
        if len(due) and any(not process.is_busy for process in self._processes):
            states, logs = fetch()
            self._requests = [
                Request(row, self._which[row], states[row], logs[row, : lengths[row]], self._random.getrandbits(62))
                for row in due.tolist()
            ]

    def places(self) -> npt.NDArray[np.int64]:
        """Send the requests. Returns the place of each match where it is a searcher's turn."""
        idle = [process for process in self._processes if not process.is_busy]
        for number, process in enumerate(idle):
            if requests := self._requests[number :: len(idle)]:
                process.ask(requests)
                self._is_asked[[request.row for request in requests]] = True
        found = np.full(len(self._rows), WAITS, np.int64)
        rows = list(self._answers)
        found[rows] = list(self._answers.values())
        self._is_asked[rows] = False
        self.answered += len(rows)
        self._answers = {}
        return found

    def close(self) -> None:
        for process in self._processes:
            process.close()


def free_cores() -> int:
    """All cores but one, which the training uses."""
    own = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else range(os.cpu_count() or 1)
    return max(1, len(own) - 1)
