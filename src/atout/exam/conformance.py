"""The conformance kit: one call checks whether a bot can play every setup.

    report = examine("club")                    a level, or package.module:Class
    report = examine(MyBot)                     a class, or any callable that makes a bot
    report.passed, report.failures

First the bot plays all seats of one round of every setup. Then it is asked in positions of every phase: twice, as a
second instance, with the view sent through JSON, with other hidden cards, in another process, and with a budget of
seconds.
The checks are listed in `report.CHECKS`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy

from atout.bots import Bot, Budget, make_bot
from atout.errors import BotError, UsageError
from atout.exam.answers import Answer, Clock, ask_question
from atout.exam.bot_process import SentQuestion, ask_in_process
from atout.exam.notes import Notes
from atout.exam.questions import Question, all_setups, questions
from atout.exam.report import Report
from atout.exam.timing import timings
from atout.game import Game, Setup

NODES, SECONDS, QUESTIONS = 200, 0.1, 3
Candidate = str | Bot | Callable[[], Bot]
"""A level, `package.module:Class`, a class or another callable that makes bots, or a bot."""


def examine(
    bot: Candidate,
    *,
    nodes: int = NODES,
    seconds: float | None = SECONDS,
    setups: Sequence[Setup] | None = None,
    each: int = QUESTIONS,
    seed: int = 0,
    clock: Clock = time.perf_counter,
) -> Report:
    """Examine a bot at all setups (or those given), with `each` questions per phase. `seconds` None: no time check."""
    examination = Examination(bot, nodes=nodes, seconds=seconds, setups=setups, each=each, seed=seed, clock=clock)
    for _ in examination.run():
        pass
    return examination.report()


class Examination:
    """An examination step by step, so that a caller can show progress."""

    def __init__(
        self,
        bot: Candidate,
        *,
        nodes: int = NODES,
        seconds: float | None = SECONDS,
        setups: Sequence[Setup] | None = None,
        each: int = QUESTIONS,
        seed: int = 0,
        clock: Clock = time.perf_counter,
    ) -> None:
        if nodes < 1 or each < 1 or (seconds is not None and not seconds > 0):
            raise UsageError(f"exam: {nodes} nodes, {each} questions, {seconds} seconds; expected more than 0")
        self.bot, self.twin = two_of(bot)
        self.name = bot if isinstance(bot, str) else None
        """The name by which another process can make the bot."""
        self.nodes, self.seconds, self.seed, self.clock = nodes, seconds, seed, clock
        self.setups = all_setups() if setups is None else list(setups)
        self.questions = [question for setup in self.setups for question in questions(setup, each, seed)]
        self.notes = Notes()
        self.sound: list[tuple[Question, Answer]] = []
        """Questions that were answered without fault, with the first answer."""
        self.measured: list[tuple[Question, float]] = []
        self.asked: Question | None = None
        """The last question, which shows where a bot hangs."""

    @property
    def steps(self) -> int:
        """How often `run` yields."""
        return len(self.setups) + len(self.questions) * (1 if self.seconds is None else 2) + 1

    def run(self) -> Iterator[None]:
        for setup in self.setups:
            self._play_a_round(setup)
            yield
        for question in self.questions:
            self._examine(question)
            yield
        self.notes.drop_undecidable()
        self._ask_in_process()
        yield
        if self.seconds is not None:
            for question in self.questions:
                self._measure(question, Budget(seconds=self.seconds))
                yield

    # ---------------------------------------------------------------- one question

    def _ask(self, bot: Bot, question: Question, budget: Budget, by_wire: bool = False) -> Answer:
        self.asked = question
        return ask_question(bot, question.game(), budget, question.seed, self.clock, by_wire=by_wire)

    def _play_a_round(self, setup: Setup) -> None:
        """The bot plays every seat; in place of a wrong answer the first legal action is played."""
        game = Game.at(setup, self.seed)
        while game.turn is not None and game.round == 1:
            self.asked = Question(setup, self.seed, tuple(map(str, game.actions)), game.phase)
            answer = ask_question(self.bot, game, Budget(nodes=self.nodes), self.seed, self.clock)
            self.notes.accept(self.asked, answer)
            game.play(answer.choice.action if answer.choice else answer.view["legal"][0])

    def _examine(self, question: Question) -> None:
        """All checks that ask the same question several times; after a failure the rest is skipped."""
        budget = Budget(nodes=self.nodes)
        first = self._ask(self.bot, question, budget)
        if not self.notes.accept(question, first):
            return
        again = self._ask(self.bot, question, budget)
        twin = self._ask(self.twin, question, budget)
        if not (
            self.notes.same("repeatable", question, first, again, "asked again")
            and self.notes.same("repeatable", question, first, twin, "by a second instance")
        ):
            return
        self.sound.append((question, first))
        wire = self._ask(self.bot, question, budget, by_wire=True)
        self.notes.same("wire", question, first, wire, "with the view sent through JSON")
        world = question.world()
        if world is not None:
            other = ask_question(self.bot, world, budget, question.seed, self.clock)
            self.notes.same("view only", question, first, other, "with other cards hidden")

    def _measure(self, question: Question, budget: Budget) -> None:
        answer = self._ask(self.bot, question, budget)
        if self.notes.accept(question, answer):
            self.measured.append((question, answer.seconds))

    def _ask_in_process(self) -> None:
        """Ask again in another process, if there was no other failure."""
        if self.name is None:
            self.notes.skip("elsewhere", "only for a bot that is named: a level, or package.module:Class")
            return
        if self.notes.failures:
            self.notes.skip("elsewhere", "not asked after another failure")
            return
        sent = [SentQuestion(answer.view, self.nodes, question.seed) for question, answer in self.sound]
        try:
            choices = ask_in_process(self.name, sent, sum(answer.seconds for _, answer in self.sound))
        except BotError as error:
            self.notes.fail("elsewhere", str(error))
            return
        for (question, first), choice in zip(self.sound, choices, strict=True):
            self.notes.same("elsewhere", question, first, choice, "in another process")

    # ---------------------------------------------------------------- the end

    def report(self) -> Report:
        """The report; call it after `run`."""
        measured = [] if self.seconds is None else timings(self.measured, self.seconds)
        if self.seconds is None:
            self.notes.skip("budget", "not asked for")
        for timing in measured:
            self.notes.check_timing(timing)
        return Report(
            bot=self.name or self.bot.name,
            nodes=self.nodes,
            seconds=self.seconds,
            seed=self.seed,
            coverage=self.notes.coverage(self.setups),
            timings=measured,
            checks=list(self.notes.checks.values()),
            failures=self.notes.failures,
        )


def two_of(candidate: Candidate) -> tuple[Bot, Bot]:
    """Two new instances. An exception here becomes a `BotError`."""
    if isinstance(candidate, str):
        return make_bot(candidate), make_bot(candidate)
    try:
        if isinstance(candidate, type) or not isinstance(candidate, Bot):
            pair = candidate(), candidate()
        else:
            pair = candidate, deepcopy(candidate)
    except Exception as error:
        raise BotError(f"bot: it cannot be made twice: {type(error).__name__}: {error}") from error
    if not isinstance(pair[0], Bot):
        raise BotError(f"bot: {str(pair[0])[:60]} is no bot; a bot has a name and choose(view, legal, budget, rng)")
    return pair
