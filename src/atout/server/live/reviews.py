"""Reviews of finished matches as jobs, in the bots' processes, after everything else.

Decisions are judged, and rounds are valued for the ledger, piece by piece; each is stored. A job that was stopped goes
on from there when somebody asks again, after a restart too; one that is complete is never worked out again, unless the
evaluator has changed. Of several workers two may work on the same review, if they are asked at the same time: they find
the same, and it is stored once.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict, defaultdict
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from atout import warm
from atout.editions import PUBLISHED, load
from atout.errors import AtoutError, BotError
from atout.game.record import read, setup_of
from atout.server.live import review_work as work
from atout.server.live.fair_queue import Priority
from atout.store import StoredRecord
from atout.study.effort import DEFAULT
from atout.study.evaluator import evaluator_id
from atout.study.ledger import match_ledger

if TYPE_CHECKING:
    from atout.server.live.hub import Hub

log = logging.getLogger("atout.reviews")
T = TypeVar("T")

MOST_OF_OWNER = 4
"""Reviews that are under way for a guest: one is worked on, the others wait."""
MOST_OF_NETWORK = 12
"""The same for all guests of an address together."""
MOST = 64
"""Reviews under way in a worker, for everybody together."""
MOST_OF_OTHERS = 32
"""How many of them may be of matches that the guest did not play: the rest is kept for one's own."""
TROUBLES = 256
"""Reviews that failed, and are remembered."""
COMPILING_SECONDS = 2.0
"""How often a review looks whether its code is compiled."""
OUTLINE_SECONDS = 1.0
ROUND_SECONDS = 2.0
"""Roughly how long the pieces of a review take, beside its decisions."""

State = Literal["none", "preparing", "waiting", "working", "done", "failed"]


class Key(Struct, frozen=True):
    """Which review."""

    record: str
    seat: int
    evaluator: str


class ReviewJob(Struct, eq=False):
    """A review under way."""

    key: Key
    owner: str
    network: str
    is_own: bool
    """Whether its owner played that match."""
    state: State = "waiting"


class _Work:
    """What is known of a review under way, and what is left to do."""

    def __init__(self, job: ReviewJob, body: bytes, outline: work.Outline, known: dict[int, bytes]) -> None:
        self.job, self.body, self.outline, self.known = job, body, outline, known
        decisions = [("decision", number) for number in range(outline.decisions) if number not in known]
        rounds = [("round", one.round) for one in outline.ledger.rounds if not one.curve]
        both = [piece for pair in zip(decisions, rounds, strict=False) for piece in pair]
        count = min(len(decisions), len(rounds))
        self.left = iter(both + rounds[count:] + decisions[count:])
        """The first decision comes first, because somebody waits for it; then rounds and decisions by turns."""
        self.writing = asyncio.Lock()
        """An outline replaces the one before."""


class TooManyReviews(AtoutError):
    """A review that is refused because too many are under way."""


def _game_of(record: StoredRecord) -> str:
    """`njet` or `nichtig`. House rules are in the record itself."""
    if record.edition in PUBLISHED:
        edition = load(record.edition)
    else:
        edition = setup_of(read(msgspec.json.decode(record.body))).edition
    return "njet" if edition.is_njet else "nichtig"


class Reviews:
    """The reviews that a worker works on."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._jobs: dict[Key, ReviewJob] = {}
        self._turns: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        """By owner: their reviews are worked on one after the other."""
        self._troubles: OrderedDict[Key, str] = OrderedDict()

    @staticmethod
    def key_of(record: StoredRecord, seat: int) -> Key:
        """The review that this version would make of a seat."""
        return Key(record.id, seat, f"{evaluator_id(_game_of(record))}.{DEFAULT.level}")

    def state_of(self, key: Key) -> State:
        """What is done for a review in this worker."""
        if key in self._jobs:
            return self._jobs[key].state
        return "failed" if key in self._troubles else "none"

    def trouble_of(self, key: Key) -> str:
        """Why a review failed: a code."""
        return self._troubles.get(key, "")

    def start(self, record: StoredRecord, seat: int, owner: str, network: str, is_own: bool) -> None:
        """Begin a review or go on with it; `TooManyReviews` if the owner, their network, or all have enough under way.

        `is_own`: whether the owner played that match.
        """
        key = self.key_of(record, seat)
        if key in self._jobs:
            return
        jobs = self._jobs.values()
        if (
            len(jobs) >= MOST
            or sum(job.owner == owner for job in jobs) >= MOST_OF_OWNER
            or sum(job.network == network for job in jobs) >= MOST_OF_NETWORK
            or (not is_own and sum(not job.is_own for job in jobs) >= MOST_OF_OTHERS)
        ):
            raise TooManyReviews
        self._troubles.pop(key, None)
        job = self._jobs[key] = ReviewJob(key, owner, network, is_own)
        self._hub.start(self._run(job, record.body))

    async def _run(self, job: ReviewJob, body: bytes) -> None:
        turn = self._turns[job.owner]
        trouble = "failed"
        try:
            async with turn:
                trouble = await self._work(job, body)
        except BotError as error:
            if not self._hub.is_closing:
                log.warning("review failed", extra={"error": str(error)[:200]})
        finally:
            del self._jobs[job.key]
            if not any(other.owner == job.owner for other in self._jobs.values()):
                self._turns.pop(job.owner, None)
            if trouble:
                self._troubles[job.key] = trouble
                while len(self._troubles) > TROUBLES:
                    self._troubles.popitem(last=False)

    async def _work(self, job: ReviewJob, body: bytes) -> str:
        """Do what is left of a review; the code of the trouble if it cannot be made."""
        store, key = self._hub.store, job.key
        head = await store.review(key.record, key.seat, key.evaluator)
        if head is not None and head.ledger is not None:
            return ""
        while not warm.is_ready("review"):
            job.state = "preparing"
            await asyncio.sleep(COMPILING_SECONDS)
            if self._hub.is_closing:
                raise BotError("the server is closing")
        job.state = "working"
        if head is None:
            outline = await self._ask(job, OUTLINE_SECONDS, work.outline, body, key.seat)
            if isinstance(outline, str):
                return outline
            if not await store.begin_review(key.record, key.seat, key.evaluator, msgspec.json.encode(outline)):
                return "gone"
        else:
            outline = msgspec.json.decode(head.outline, type=work.Outline)
        review = _Work(job, body, outline, await store.reviewed(key.record, key.seat, key.evaluator))
        helpers = (self._help(review) for _ in range(self._hub.pool.processes))
        if not all(await asyncio.gather(*helpers)):
            return "gone"
        decisions = [review.known[number] for number in range(outline.decisions)]
        ledger, errors, wrong = await self._ask(job, OUTLINE_SECONDS, work.conclude, review.outline.ledger, decisions)
        await store.finish_review(key.record, key.seat, key.evaluator, ledger, errors, wrong)
        return ""

    async def _help(self, review: _Work) -> bool:
        """Take one piece of work after the other, until none is left; False if the record was deleted meanwhile."""
        is_there = True
        for kind, number in review.left:
            is_there = await (self._judge if kind == "decision" else self._value)(review, number)
            if not is_there:
                break
        return is_there

    async def _judge(self, review: _Work, number: int) -> bool:
        """Judge a decision."""
        key = review.job.key
        found = await self._ask(review.job, DEFAULT.seconds, work.judge, review.body, key.seat, number)
        review.known[number] = found
        return await self._hub.store.add_reviewed(key.record, key.seat, key.evaluator, number, found)

    async def _value(self, review: _Work, number: int) -> bool:
        """Find what a round was worth, choice by choice."""
        key = review.job.key
        found = await self._ask(review.job, ROUND_SECONDS, work.value_round, review.body, key.seat, number)
        async with review.writing:
            old = review.outline.ledger
            rounds = [found if one.round == number else one for one in old.rounds]
            review.outline = replace(review.outline, ledger=match_ledger(key.seat, old.evaluator, rounds, ()))
            outline = msgspec.json.encode(review.outline)
            return await self._hub.store.replace_outline(key.record, key.seat, key.evaluator, outline)

    async def _ask(self, job: ReviewJob, seconds: float, function: Callable[..., T], *arguments: Any) -> T:
        return await self._hub.pool.run(job.owner, Priority.REVIEW, seconds, function, *arguments)
