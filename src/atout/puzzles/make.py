"""Puzzles from self-play: decisions whose best action is clear, given what the seat knows.

    play     a round among networks that draw their choices, some of them novices, at one table after the other
    look     some decisions of each phase: the first pass of a review
    check    the best action against all that could be better, in fresh worlds, with four times the work: it must lead
             each of them by three standard errors, and by a mistake at least
    solve    where a solver reaches, in likely worlds with open cards: there, too, it must be the best on average
    levels   which bots find it; what all of them find at once is kept rarely

What a round gives follows from the seed and its number alone, so any number of processes finds the same.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct

from atout.bots import ask, make_bot
from atout.bots.learned import Prediction
from atout.errors import RecordError
from atout.game import Game, Setup
from atout.game.notation import bits_of, notation_of
from atout.game.record import Record, read
from atout.game.view_builder import make_view
from atout.nets.spreads import spread_of
from atout.puzzles.model import LEVELS, Puzzle, digest_of, theme_of
from atout.puzzles.rating import first_rating
from atout.search.net_rollout import TO_THE_END
from atout.search.weighted import mean_and_error
from atout.study.effort import EFFORTS
from atout.study.evaluator import DecisionEvaluator, Judged, Sample
from atout.study.labels import INACCURACY, mistake_of, trick_worth
from atout.study.model import PHASES, ActionValue
from atout.study.positions import PlayedRound, Position, played_rounds
from atout.study.reasons import contrast_of, reasons, resampled
from atout.study.review import PHASE_OF

CERTAIN = 3.0
"""Standard errors by which the best action must lead."""
ALIKE = 0.05
"""Actions that are less than this behind the best are right, too; in spreads."""
MOST_RIGHT = 4
PILES_ALIKE = 0.07
"""The same for cards that are laid out. They differ less than other choices: there a wrong one is an inaccuracy, not a
mistake, at least."""
CONTENDERS = 5
"""Actions that are tried again in fresh worlds beside the right ones, at most."""
BELIEVED = 0.05
"""The share of strong play that the right answers must have: what no strong player does is doubted."""
FIRST = EFFORTS[1]
TIMES, MOST_TIMES = 4, 12
"""The work of the check, against that of the first pass: at least, and where the standard errors are large."""
SOLVED_WORLDS, SOLVER_NODES = 16, 1 << 17
ENDED_WORLDS, ENDED_LEAD = 192, 0.4
"""Worlds that are played to the end of the round, and the share of the lead that must be left there."""
LOOKED_AT: dict[str, int] = {"veto": 4, "partners": 2, "cards": 6, "piles": 10, "tricks": 8}
"""Decisions of a round that are judged, by phase, at most."""
DIVIDED = 0.3
"""The share of strong play below which its first choice is not worth a look: then there is rarely one clear answer."""
OBVIOUS = 0.9
"""The share from which a decision is easy, if a novice chooses the same."""
EASY = 0.1
"""The share of puzzles that are kept although every level finds them."""
NOVICES = 0.2
"""The share of seats that a novice plays."""
WARMTH = 0.7
"""How much the other seats differ from the network's likeliest choice: 1 draws its choices, 0 is always the likeliest.
"""


class PuzzleTable(Struct, frozen=True):
    """Where rounds are played."""

    edition: str
    players: int
    options: dict[str, Any] = {}

    @property
    def setup(self) -> Setup:
        return Setup.of(self.edition, self.players, self.options)


def _tables() -> Iterator[PuzzleTable]:
    for edition, counts in (("niet-2015", (4, 3, 5, 2)), ("njet-2007", (4, 3, 5, 2)), ("njet-1997", (4, 3))):
        for players in counts:
            yield PuzzleTable(edition, players)
    for players in (4, 3, 5, 6):
        yield PuzzleTable("nichtig", players)
    for players in (4, 6):
        yield PuzzleTable("nichtig", players, {"teams": True})


TABLES = tuple(_tables())


class Made(Struct, frozen=True):
    """What a round gave."""

    number: int
    puzzles: tuple[Puzzle, ...]
    looked_at: int


def make_round(seed: int, number: int, tables: Sequence[PuzzleTable] = TABLES) -> Made:
    """Play round `number` and find its puzzles: one of each phase, at most."""
    rng = random.Random(f"{seed}/{number}")  # noqa: S311
    table = tables[number % len(tables)]
    record = play_round(table.setup, rng)
    (played,) = played_rounds(record)
    chosen = choose(played, rng)
    maker = Maker(table.setup, rng)
    found: dict[str, Puzzle] = {}
    for position in chosen:
        if PHASE_OF[position.phase] not in found and (made := maker.puzzle(record, position)) is not None:
            found[made.phase] = made
    return Made(number, tuple(found.values()), len(chosen))


def play_round(setup: Setup, rng: random.Random) -> Record:
    """One round. Networks draw their choices, so that boards and hands are as varied as among people."""
    game = Game.at(setup, rng.getrandbits(62), auto_deal=False)
    game.deal()
    novice = make_bot("novice")
    novices = [rng.random() < NOVICES for _ in range(setup.players)]
    while not game.is_round_over:
        seat = game.turn
        assert seat is not None
        legal = game.legal()
        if len(legal) == 1:
            game.play(legal[0])
        elif novices[seat]:
            game.play(ask(novice, game.view(seat), rng).action)
        else:
            game.play(str(legal[_drawn(game, seat, rng)]))
    return game.record()


def _drawn(game: Game, seat: int, rng: random.Random) -> int:
    """The place of a network's choice among the legal actions."""
    knowledge = game.knowledge(seat)
    nets = DecisionEvaluator.of(knowledge).nets
    prediction = Prediction(nets.player, nets.trained, knowledge)
    weights = [prediction.policy[action] ** (1 / WARMTH) for action in prediction.actions]
    return rng.choices(range(len(weights)), weights)[0]


def choose(played: PlayedRound, rng: random.Random) -> list[Position]:
    """Some decisions of each phase, in the order of the round: those on which a novice and strong play may differ, and
    strong play is not divided.
    """
    found: list[Position] = []
    for phase in PHASES:
        some = [one for one in played.choices if PHASE_OF[one.phase] == phase]
        rng.shuffle(some)
        shares = {one.index: _promise(one, rng) for one in some}
        sure = [one for one in some if (shares[one.index] or 0.0) >= OBVIOUS]
        unsure = [one for one in some if DIVIDED <= (shares[one.index] or 0.0) < OBVIOUS]
        half = LOOKED_AT[phase] // 2
        found += [*unsure[:half], *sure, *unsure[half:]][: LOOKED_AT[phase]]
    return sorted(found, key=lambda one: one.index)


def _promise(position: Position, rng: random.Random) -> float | None:
    """The share of strong play that makes its first choice; None for most decisions that are easy."""
    knowledge = position.knowledge()
    nets = DecisionEvaluator.of(knowledge).nets
    prediction = Prediction(nets.player, nets.trained, knowledge)
    share = prediction.policy[prediction.best]
    if share < OBVIOUS:
        return share
    view = make_view(knowledge, notation_of(position.setup), [])
    is_easy = ask(_bot("novice"), view, rng).action == position.word(prediction.best)
    return share if not is_easy or rng.random() < EASY else None


class Maker:
    """Makes puzzles at one table."""

    def __init__(self, setup: Setup, rng: random.Random) -> None:
        self.setup, self.rng = setup, rng
        self.spread = spread_of(setup)

    def puzzle(self, record: Record, position: Position, proposed: Sequence[int] = ()) -> Puzzle | None:
        """The puzzle of a decision; None if it is none.

        The `proposed` actions count as right. Without them the first pass decides, and most puzzles that every level
        finds at once are dropped.
        """
        knowledge = position.knowledge()
        evaluator = DecisionEvaluator.of(knowledge)
        judged = evaluator.judge(knowledge, FIRST)
        phase = PHASE_OF[position.phase]
        enough, alike = mistake_of(self.spread, trick_worth(knowledge)), ALIKE * self.spread
        if phase == "piles":
            enough, alike = INACCURACY * self.spread, PILES_ALIKE * self.spread
        right = sorted(proposed, key=judged.ranking.index) or self._right(judged, enough, alike)
        if not right:
            return None
        checked = self._check(evaluator, position, judged, right, enough, alike)
        if checked is None or not self._solve(evaluator, position, checked, right):
            return None
        best = right[0]
        known = {action: round(value, 2) for action, value in checked.known.items()}
        why = contrast_of(evaluator, knowledge, checked.sample, best, checked.rival, judged.found_by, known)
        reason = reasons(why)
        theme = theme_of(phase, position.word(best), reason)
        if theme is None:
            return None
        share = sum(judged.found_by[action] for action in right)
        short = shortened(record, position)
        answers = tuple(position.word(action) for action in right)
        found = tuple(level for level in LEVELS if _choice(level, short, position.seat) in answers)
        is_easy = len(found) == len(LEVELS) and judged.is_obvious
        if is_easy and not proposed and self.rng.random() >= EASY:
            return None
        open_values, exact = evaluator.open_values(position, FIRST)
        return Puzzle(
            id=digest_of(short, position.seat),
            record=short,
            seat=position.seat,
            phase=phase,
            theme=theme,
            values={
                position.word(action): ActionValue(
                    known[action],
                    round(checked.errors[action], 2),
                    round(judged.found_by[action], 3),
                    round(open_values[action], 2),
                    exact,
                )
                for action in judged.actions
            },
            best=answers,
            lead=round(checked.lead, 2),
            se=round(checked.se, 2),
            reason=reason,
            found=found,
            rating=first_rating(found, share, checked.lead / self.spread, len(right) / len(judged.actions)),
            evaluator=evaluator.id,
        )

    def _right(self, judged: Judged, enough: float, alike: float) -> list[int]:
        """The actions that are as good as the best in the first pass, if all others are clearly worse."""
        gaps = judged.gaps
        right = [action for action in judged.ranking if gaps[action][0] < alike]
        wrong = [action for action in judged.ranking if action not in right]
        if not wrong or len(right) > min(MOST_RIGHT, len(wrong)):
            return []
        if sum(judged.found_by[action] for action in right) < BELIEVED:
            return []
        # The race is noisy: whatever seems nearly enough is checked in fresh worlds.
        return right if all(gaps[action][0] >= 0.8 * enough for action in wrong) else []

    def _check(
        self,
        evaluator: DecisionEvaluator,
        position: Position,
        judged: Judged,
        right: list[int],
        enough: float,
        alike: float,
    ) -> Checked | None:
        """Compare the right answers with all that could be better, in fresh worlds."""
        knowledge = position.knowledge()
        wrong = [action for action in judged.ranking if action not in right]
        near = [
            action
            for place, action in enumerate(wrong)
            if place < 2 or judged.gaps[action][0] < enough + CERTAIN * judged.gaps[action][1]
        ]
        likely = max(wrong, key=lambda action: judged.found_by[action])
        tried = [*right, *dict.fromkeys([*near, likely])]
        if len(tried) > len(right) + CONTENDERS:
            return None
        count = evaluator.worlds_for(knowledge, FIRST, 2)
        best, rivals = right[0], [action for action in tried if action not in right]
        sample: Sample | None = None
        values = np.zeros((len(tried), 0))
        for number in range(MOST_TIMES):
            more = evaluator.draw(knowledge, count, f"puzzle {number}")
            played = evaluator.play_out(knowledge, more, tried, evaluator.far(knowledge)).values
            values = np.concatenate([values, played], axis=1)
            sample = more if sample is None else sample.joined(more)
            rows = dict(zip(tried, values, strict=True))
            leads = {action: mean_and_error(rows[best] - rows[action], sample.weights) for action in rivals}
            if any(lead + 2 * se < enough for lead, se in leads.values()):
                return None
            is_clear = all(lead >= enough and lead >= CERTAIN * se for lead, se in leads.values())
            if is_clear and number + 1 >= TIMES:
                break
        assert sample is not None
        if not is_clear:
            return None
        known, errors = dict(judged.known), dict(judged.se)
        value, _ = mean_and_error(rows[best], sample.weights)
        for action in judged.actions:
            known[action] += value - judged.known[best]
        for action in tried:
            known[action], errors[action] = mean_and_error(rows[action], sample.weights)
        if any(abs(value - known[action]) >= min(2 * alike, 0.8 * enough) for action in right):
            return None
        if any(known[action] > value - enough for action in judged.actions if action not in right):
            return None
        rival = max(rivals, key=lambda action: known[action])
        tempting = max(rivals, key=lambda action: judged.found_by[action])
        return Checked(known, errors, *leads[rival], rival=tempting, sample=sample)

    def _solve(self, evaluator: DecisionEvaluator, position: Position, checked: Checked, right: list[int]) -> bool:
        """Whether the solver agrees, on average over likely worlds; True where it does not reach."""
        picks = resampled(checked.sample.weights, SOLVED_WORLDS)
        effort = msgspec.structs.replace(FIRST, nodes=SOLVER_NODES)
        sums: dict[int, float] = {}
        for pick in picks.tolist():
            world = msgspec.structs.replace(position, state=checked.sample.worlds.states[pick])
            values = evaluator.exact(world, effort)
            if values is None:
                return True
            for action, value in values.items():
                sums[action] = sums.get(action, 0.0) + value
        return max(sums, key=lambda action: sums[action]) in right or max(sums.values()) == sums[right[0]]


def judged_again(puzzle: Puzzle) -> Puzzle | None:
    """The puzzle as the present networks judge it; None if its answers are not clearly right any more.

    If these networks have judged it before, it stays as it is.
    """
    position = position_of(puzzle)
    if puzzle.evaluator == DecisionEvaluator.of(position.knowledge()).id:
        return puzzle
    answers = [action for action in position.legal if position.word(action) in puzzle.best]
    return Maker(position.setup, random.Random(puzzle.id)).puzzle(puzzle.record, position, answers)  # noqa: S311


def position_of(puzzle: Puzzle) -> Position:
    """The position in which a puzzle asks; `RecordError` if the position or one of the answers breaks a rule.

    A position includes the action taken; a right answer stands in for it.
    """
    recorded = read(puzzle.record)
    (played,) = recorded.rounds
    answered = msgspec.structs.replace(played, actions=[*played.actions, puzzle.best[0]])
    (whole,) = played_rounds(msgspec.structs.replace(recorded, rounds=[answered]))
    if not whole.choices or whole.choices[-1].index != len(played.actions):
        raise RecordError("best: only one action is legal; expected a position with a choice")
    position = whole.choices[-1]
    if position.seat != puzzle.seat:
        raise RecordError(f"seat: {puzzle.seat} is not in turn; expected {position.seat}")
    legal = [position.word(action) for action in position.legal]
    for answer in puzzle.best:
        if answer not in legal:
            raise RecordError(f"best: {answer[:40]!r} is not allowed; allowed: {', '.join(legal)}")
    if len(set(puzzle.best)) == len(legal):
        raise RecordError("best: every legal action is a right answer; expected a wrong one, too")
    return position


def stands_up(puzzle: Puzzle) -> bool:
    """Whether the best action leads by much, too, when rounds are played to their end, without the critic.

    For answers that one of the two strongest levels does not find: they are right less often.
    """
    game = puzzle.game()
    knowledge = game.knowledge(puzzle.seat)
    evaluator = DecisionEvaluator.of(knowledge)
    number_of = dict(zip(map(str, game.legal()), bits_of(knowledge.legal), strict=True))
    values = puzzle.values
    wrong = [action for action in values if action not in puzzle.best]
    nearest = max(wrong, key=lambda action: values[action].known)
    tempting = max(wrong, key=lambda action: values[action].found_by)
    tried = [number_of[action] for action in dict.fromkeys([puzzle.best[0], nearest, tempting])]
    sample = evaluator.draw(knowledge, ENDED_WORLDS, "to the end")
    first, *others = evaluator.play_out(knowledge, sample, tried, TO_THE_END).values
    leads = [mean_and_error(first - other, sample.weights) for other in others]
    return all(lead >= ENDED_LEAD * puzzle.lead and lead > se for lead, se in leads)


class Checked(Struct, frozen=True):
    """What fresh worlds say."""

    known: dict[int, float]
    errors: dict[int, float]
    lead: float
    se: float
    rival: int
    """The wrong action that strong play likes most: the reason compares with it."""
    sample: Sample


def shortened(record: Record, position: Position) -> Record:
    """The record up to a decision of its only round."""
    (whole,) = record["rounds"]
    opening: Any = {key: value for key, value in whole.items() if key in ("dealer", "leader")}
    fields: Any = {key: record.get(key) for key in ("atout", "edition", "players", "options", "first_dealer")}
    fields["rounds"] = [{**opening, "hands": whole["hands"], "actions": whole["actions"][: position.index]}]
    short: Record = fields
    return short


@cache
def _bot(level: str) -> Any:
    return make_bot(level)


def _choice(level: str, record: Record, seat: int) -> str:
    """What a level does in the position; the same every time."""
    view = Game.from_record(record).view(seat)
    return ask(_bot(level), view, random.Random("puzzle")).action  # noqa: S311
