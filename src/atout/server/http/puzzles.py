"""Puzzles over REST, and a guest's own mistakes as puzzles.

A puzzle is the same for everybody: position and answer come together, so that a page can grade at once and offline.
A mistake belongs to whoever made it, and is shown as their seat saw it: nobody else's hand is in it.
"""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from atout.game import Game, View
from atout.game.record import read, setup_of
from atout.nets.spreads import spread_of
from atout.protocol import study
from atout.puzzles import Puzzle, find, of_day, shipped
from atout.puzzles.model import answers_of, theme_or_usual
from atout.puzzles.progress import longest_streak, streak_of
from atout.puzzles.rating import SCALE, Skill, after, skill_of
from atout.puzzles.schedule import DAY, next_time
from atout.server.errors import ApiError
from atout.server.http.call import Call, Operation, number_of
from atout.server.http.responses import json_response
from atout.store import Attempt, Mistake
from atout.study.model import Decision

CACHED = {"Cache-Control": "public, max-age=300"}
"""The list changes at midnight, and with a new version."""
KEPT = 256
"""Positions that a worker keeps ready."""
MOST_DUE = 50
ID_NUMBERS = 2


# ---------------------------------------------------------------- puzzles


def _today(call: Call) -> str:
    return datetime.fromtimestamp(call.context.now(), UTC).date().isoformat()


def _of_today(call: Call) -> Puzzle:
    return of_day(datetime.fromtimestamp(call.context.now(), UTC).date())


async def puzzles(call: Call) -> Response:
    """All puzzles, without their positions."""
    entries = [
        study.PuzzleEntry(one.id, one.edition, one.players, one.phase, one.theme, one.rating, one.has_teams)
        for one in shipped()
    ]
    return json_response(study.Puzzles(entries, _today(call), _of_today(call).id), headers=CACHED)


def find_puzzle(call: Call) -> Puzzle:
    """The puzzle of the path."""
    found = find(call.path("puzzle"))
    if found is None:
        raise ApiError(404, "no-puzzle", "there is no such puzzle; GET /api/puzzles lists them")
    return found


@lru_cache(KEPT)
def _view(id: str) -> tuple[View, float]:
    """What the seat of a puzzle sees, and the spread of its table."""
    puzzle = find(id)
    assert puzzle is not None
    game = puzzle.game()
    return game.view(puzzle.seat), spread_of(game.setup)


async def _position(call: Call, puzzle: Puzzle, day: str = "") -> study.PuzzlePosition:
    view, spread = await run_in_threadpool(_view, puzzle.id)
    known = await call.store.puzzle_skill(puzzle.id)
    answer = study.PuzzleAnswer(puzzle.values, list(puzzle.best), list(puzzle.reason), puzzle.lead, puzzle.se, spread)
    position = study.PuzzlePosition(
        id=puzzle.id,
        edition=puzzle.edition,
        players=puzzle.players,
        seat=puzzle.seat,
        phase=puzzle.phase,
        theme=puzzle.theme,
        view=view,
        answer=answer,
        rating=puzzle.rating,
        found=list(puzzle.found),
        date=day,
    )
    if known is not None:
        position.rating, position.tried, position.solved = (
            Skill(known.mu, known.sigma).rating,
            known.tried,
            known.solved,
        )
    return position


async def puzzle_of_today(call: Call) -> study.PuzzlePosition:
    return await _position(call, _of_today(call), _today(call))


async def one_puzzle(call: Call) -> study.PuzzlePosition:
    return await _position(call, find_puzzle(call))


def _checked(action: str, legal: list[str]) -> str:
    """The action of an attempt, if it is legal."""
    if action not in legal:
        message = f"action: {action[:60]!r} is not legal here; legal: {', '.join(legal)}"
        raise ApiError(422, "bad-action", message, legal=legal)
    return action


async def try_puzzle(call: Call) -> study.PuzzleAttempt:
    """Keep a guest's attempt: the first at a puzzle changes their rating and the puzzle's."""
    guest, puzzle, now = call.guest, find_puzzle(call), call.context.now()
    is_right = _checked(call.body.action, list(puzzle.values)) in puzzle.best
    day = _today(call) if puzzle.id == _of_today(call).id else ""

    def rate(
        person: tuple[float, float], other: tuple[float, float]
    ) -> tuple[tuple[float, float], tuple[float, float]]:
        first, second = after(Skill(*person), Skill(*other), is_right)
        return (first.mu, first.sigma), (second.mu, second.sigma)

    start, hard = Skill(), skill_of(puzzle.rating)
    attempt = Attempt(puzzle.id, day, now, is_right)
    tried = await call.store.try_puzzle(guest, attempt, (start.mu, start.sigma), (hard.mu, hard.sigma), rate)
    before, mine = Skill(*tried.before).rating, Skill(*tried.after).rating
    streak = streak_of(_days(await call.store.attempts(guest)), datetime.fromtimestamp(now, UTC).date())
    return study.PuzzleAttempt(is_right, tried.is_first, mine, mine - before, streak)


def _days(attempts: list[Attempt]) -> dict[str, bool]:
    """By day: whether its puzzle was solved at the first try of that day."""
    return {one.day: one.solved for one in attempts if one.day}


async def my_puzzles(call: Call) -> study.MyPuzzles:
    guest, today = call.guest, _today(call)
    numbers = await call.store.puzzle_rating(guest)
    skill = Skill() if numbers is None else Skill(*numbers)
    attempts = await call.store.attempts(guest)
    first: dict[str, bool] = {}
    for one in attempts:
        first.setdefault(one.puzzle, one.solved)
    themes: dict[str, study.ThemeCount] = {}
    for id, solved in first.items():
        puzzle = find(id)
        if puzzle is not None:  # else of an earlier version
            count = themes.setdefault(puzzle.theme, study.ThemeCount(0, 0))
            count.tried, count.solved = count.tried + 1, count.solved + solved
    days = _days(attempts)
    return study.MyPuzzles(
        rating=skill.rating,
        uncertainty=round(SCALE * skill.sigma),
        tried=len(first),
        solved=sum(first.values()),
        streak=streak_of(days, datetime.fromisoformat(today).date()),
        longest=longest_streak(day for day, solved in days.items() if solved),
        today="" if today not in days else "solved" if days[today] else "missed",
        themes=themes,
        attempts=first,
    )


# ---------------------------------------------------------------- own mistakes


async def my_mistakes(call: Call) -> study.Mistakes:
    guest, now = call.guest, call.context.now()
    due = await call.store.mistakes_due(guest, now, MOST_DUE)
    counts = await call.store.mistake_counts(guest, now)
    entries = [study.MistakeEntry(f"{one.record}~{one.seat}~{one.number}", one.due, one.attempts) for one in due]
    return study.Mistakes(entries, counts.count, counts.next or 0.0)


async def _mistake(call: Call) -> tuple[tuple[str, int, int], Mistake]:
    """The mistake of the path, if it is one of the guest's own."""
    record, *words = call.path("mistake").split("~")
    numbers = [number for word in words if (number := number_of(word)) is not None]
    if len(words) == len(numbers) == ID_NUMBERS:
        at = record, numbers[0], numbers[1]
        found = await call.store.mistake(call.guest, *at)
        if found is not None:
            return at, found
    raise ApiError(404, "no-mistake", "there is no such mistake of yours; GET /api/mistakes lists those that are due")


def _seen(body: bytes, decision: Decision) -> tuple[View, float]:
    """The position of a decision as its seat saw it, and the spread of its table."""
    recorded = read(msgspec.json.decode(body))
    rounds = recorded.rounds[: decision.round + 1]
    last = msgspec.structs.replace(
        rounds[-1], actions=rounds[-1].actions[: decision.index], tricks=None, loot=None, scores=None
    )
    short = msgspec.structs.replace(recorded, rounds=[*rounds[:-1], last], totals=None, winners=None)
    return Game.from_record(short).view(decision.seat), spread_of(setup_of(recorded))


async def one_mistake(call: Call) -> study.PuzzlePosition:
    (record, _, _), found = await _mistake(call)
    decision = msgspec.json.decode(found.decision, type=Decision)
    async with call.replay_turn():
        view, spread = await run_in_threadpool(_seen, found.record, decision)
    right = answers_of(decision, spread)
    best = decision.values[decision.best].known
    wrong = [value for action, value in decision.values.items() if action not in right]
    return study.PuzzlePosition(
        id=call.path("mistake"),
        edition=found.edition,
        players=view["players"],
        seat=decision.seat,
        phase=decision.phase,
        theme=theme_or_usual(decision.phase, decision.best, decision.reason),
        view=view,
        answer=study.PuzzleAnswer(
            values=decision.values,
            best=list(right),
            reason=list(decision.reason),
            lead=round(best - max(value.known for value in wrong), 3),
            se=decision.se,
            spread=spread,
        ),
        mistake=study.OwnMistake(
            record=record,
            edition=found.edition,
            finished=found.finished,
            round=decision.round,
            index=decision.index,
            action=decision.action,
            label=decision.label,
            loss=decision.loss,
        ),
    )


async def try_mistake(call: Call) -> study.MistakeAttempt:
    at, found = await _mistake(call)
    decision = msgspec.json.decode(found.decision, type=Decision)
    action = _checked(call.body.action, list(decision.values))
    spread = spread_of(setup_of(read(msgspec.json.decode(found.record))))
    is_right, now = action in answers_of(decision, spread), call.context.now()
    card, due = next_time(found.card, is_right, now)
    if not await call.store.schedule_mistake(call.guest, *at, due, card):
        raise ApiError(404, "no-mistake", "this mistake is gone: its match was deleted, or reviewed again")
    return study.MistakeAttempt(is_right, due, round((due - now) / DAY, 2))


PUZZLE_OPERATIONS = (
    Operation("GET", "/api/puzzles", puzzles, "All puzzles, and which is that of today", study.Puzzles, tag="puzzles",
              needs_guest=False, is_long=True),
    Operation("GET", "/api/puzzles/today", puzzle_of_today, "The puzzle of today, with its answer",
              study.PuzzlePosition, tag="puzzles", needs_guest=False, is_long=True),
    Operation("GET", "/api/puzzles/me", my_puzzles, "My rating, my streak, and what I solved", study.MyPuzzles,
              tag="puzzles", is_long=True),
    Operation("GET", "/api/puzzles/{puzzle}", one_puzzle, "A puzzle, with its answer", study.PuzzlePosition,
              tag="puzzles", needs_guest=False, is_long=True),
    Operation("POST", "/api/puzzles/{puzzle}/attempts", try_puzzle, "Try a puzzle: the first attempt is rated",
              study.PuzzleAttempt, study.NewAttempt, tag="puzzles"),
    Operation("GET", "/api/mistakes", my_mistakes, "My mistakes that are due", study.Mistakes, tag="puzzles"),
    Operation("GET", "/api/mistakes/{mistake}", one_mistake, "A mistake of mine as a puzzle, with its answer",
              study.PuzzlePosition, tag="puzzles", is_long=True),
    Operation("POST", "/api/mistakes/{mistake}/attempts", try_mistake,
              "Try a mistake again: it comes back later if it is solved, soon if not", study.MistakeAttempt,
              study.NewAttempt, tag="puzzles"),
)  # fmt: skip
