"""Search among the opponents: matches in which some seats are played by `ismcts`, in processes of their own.

A search takes as long as thousands of matches need for a step, so nobody waits for it: its match does. As long as
there is no answer the place of that match is WAITS, which no phase has; the batch leaves the match as it is, and
nothing is learned from the step.

A process gets the state and makes a view of it through the gate (`Knowledge.of`); the bot gets the view. It is ready
when it has made its first decision, and at most one message is under way to it, so that neither side ever blocks.
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
"""The place of a match that stays as it is."""
BOT = "ismcts"
PATIENCE = 5.0
"""Seconds a process gets to end by itself."""

Fetch = Callable[[], tuple[Int64Array, Log]]
"""States and logs of the rounds of all these matches, on the host."""


class Question(NamedTuple):
    row: int
    setup: int
    state: Int64Array
    log: Log
    seed: int


def decide(knowledge: Knowledge, bot: Bot, budget: Budget, seed: int) -> int:
    """The place of what the bot chooses for the seat in turn; of the match it sees this round and the totals."""
    setup, words = knowledge.setup, notation_of(knowledge.setup)
    choice = ask(bot, make_view(knowledge, words, past=[]), random.Random(seed), budget)  # noqa: S311
    action = words.entry_of[choice.action] & 63
    places = bits_of(knowledge.encode()[1])
    return next(
        place for place in places if knowledge_entries.action_at(knowledge.redacted, setup.rules, place) == action
    )


def answer(question: Question, tables: Sequence[Setup], bot: Bot, budget: Budget) -> int:
    seat = int(question.state[TURN])
    knowledge = Knowledge.of(tables[question.setup], seat, question.state, question.log)
    return decide(knowledge, bot, budget, question.seed)


def work(line: Connection, tables: Sequence[Setup], nodes: int) -> None:
    """A process: places for lists of questions, until there is no more; an error ends it and is told as its text."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started it ends it
    bot, budget = make_bot(BOT), Budget(nodes=nodes)
    try:
        game = Game.at(tables[0], 1)
        decide(game.knowledge(game.turn), bot, Budget(nodes=1), seed=1)
        answers: dict[int, int] = {}
        while True:
            line.send(answers)
            questions: list[Question] | None = line.recv()
            if questions is None:
                return
            answers = {one.row: answer(one, tables, bot, budget) for one in questions}
    except (EOFError, ConnectionError):
        return  # nobody is there any more
    except Exception as error:
        line.send(f"{type(error).__name__}: {error}")


class Helper:
    """A process and the line to it."""

    def __init__(self, tables: Sequence[Setup], nodes: int) -> None:
        context = multiprocessing.get_context("spawn")
        self.line, other = context.Pipe()
        self.process = context.Process(target=work, args=(other, tables, nodes), daemon=True)
        self.process.start()
        other.close()
        self.is_busy = True

    def hear(self) -> dict[int, int]:
        """What it has found since it was asked: places by row."""
        try:
            if not self.line.poll():
                return {}
            told = self.line.recv()
        except (EOFError, OSError):
            self.process.join(PATIENCE)
            ended = self.process.exitcode
            raise BotError(
                f"searchers: a process ended by itself, with exit code {ended}; what it said is above"
            ) from None
        if isinstance(told, str):
            raise BotError(f"searchers: a search failed: {told}")
        self.is_busy = False
        return told

    def ask(self, questions: list[Question]) -> None:
        self.is_busy = True
        try:
            self.line.send(questions)
        except OSError:
            self.hear()  # tells why

    def close(self) -> None:
        with suppress(OSError):  # it may have ended already
            self.line.send(None)
        self.line.close()
        self.process.join(PATIENCE)
        if self.process.exitcode is None:
            self.process.kill()
            self.process.join()


class Searchers:
    """The players of the given matches (`which`: their tables) that search. Each step: `listen`, then `places`."""

    def __init__(self, tables: Sequence[Setup], which: Sequence[int], nodes: int, processes: int, seed: int) -> None:
        self._which, self._rows = list(which), np.arange(len(which))
        self._chance = random.Random(seed)  # noqa: S311
        self.seats: npt.NDArray[np.bool_] = np.zeros((len(which), SEATS), np.bool_)
        """Theirs: at least one seat of every match, and never all of them."""
        for row, setup in enumerate(self._which):
            players = tables[setup].players
            theirs = self._chance.sample(range(players), self._chance.randint(1, players - 1))
            self.seats[row, theirs] = True
        self._is_asked = np.zeros(len(which), np.bool_)
        self._answers: dict[int, int] = {}
        self._questions: list[Question] = []
        self.answered = 0
        """Decisions made by search so far."""
        count = min(processes or free_cores(), len(which))
        self._helpers = [Helper(tables, nodes) for _ in range(count)]

    def listen(self, turn: Any, lengths: Any, fetch: Fetch) -> None:
        """Hear what was found, and note what is to be asked, for the seats in turn and the lengths of the logs."""
        for helper in self._helpers:
            self._answers |= helper.hear()
        due = np.flatnonzero(self.seats[self._rows, turn] & ~self._is_asked)
        self._questions = []
        if len(due) and any(not helper.is_busy for helper in self._helpers):
            states, logs = fetch()
            self._questions = [
                Question(row, self._which[row], states[row], logs[row, : lengths[row]], self._chance.getrandbits(62))
                for row in due.tolist()
            ]

    def places(self) -> npt.NDArray[np.int64]:
        """Hand the questions out; what to step these matches with where it is a searcher's turn."""
        idle = [helper for helper in self._helpers if not helper.is_busy]
        for number, helper in enumerate(idle):
            if questions := self._questions[number :: len(idle)]:
                helper.ask(questions)
                self._is_asked[[question.row for question in questions]] = True
        found = np.full(len(self._rows), WAITS, np.int64)
        rows = list(self._answers)
        found[rows] = list(self._answers.values())
        self._is_asked[rows] = False
        self.answered += len(rows)
        self._answers = {}
        return found

    def close(self) -> None:
        for helper in self._helpers:
            helper.close()


def free_cores() -> int:
    """All but one, which the training has."""
    own = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else range(os.cpu_count() or 1)
    return max(1, len(own) - 1)
