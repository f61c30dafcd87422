"""A review: every decision of one seat in a record, and the ledger of its rounds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from atout.bots.bot import Reason
from atout.errors import RecordError, UsageError
from atout.game.record import read, setup_of
from atout.nets.spreads import spread_of
from atout.rules.layout import DISCARD, DOUBLE, LAY, PASS, PLAY, TEAM, VETO
from atout.search.gain import Float64Array
from atout.study import effort as efforts
from atout.study.check import checked, use_fresh
from atout.study.effort import Effort, effort_of
from atout.study.evaluator import DecisionEvaluator
from atout.study.labels import CANNOT_TELL, INACCURACY, MISTAKE, is_only_move, label_of, luck_of, trick_worth
from atout.study.ledger import match_ledger, open_curve, round_ledger, unvalued
from atout.study.model import ActionValue, Decision, Label, Ledger, Phase, Review, RoundLedger
from atout.study.positions import PlayedRound, Position, played_rounds
from atout.study.reasons import contrast_of, reasons

PHASE_OF: dict[int, Phase] = {
    VETO: "veto", TEAM: "partners", DOUBLE: "partners", DISCARD: "cards", PASS: "cards", LAY: "piles", PLAY: "tricks",
}  # fmt: skip


class NothingToReview(RecordError):
    """Nothing was played in the record, or nothing else could have been."""


class Study:
    """A record and a seat, ready to be reviewed decision by decision."""

    def __init__(self, record: Any, seat: int, seconds: float | None = None) -> None:
        """`seconds` is the time for the whole review on one core; it chooses how much work a decision gets."""
        recorded = read(record)
        setup = setup_of(recorded)
        if not 0 <= seat < setup.players:
            raise UsageError(f"seat: {seat} is not allowed; allowed: 0 to {setup.players - 1}")
        self.setup, self.seat = setup, seat
        self.rounds: list[PlayedRound] = list(played_rounds(recorded))
        self.positions = [position for played in self.rounds for position in played.choices if position.seat == seat]
        """The seat's decisions, in order."""
        first = next((position for played in self.rounds for position in played.choices), None)
        if first is None:
            was_played = any(len(played.log) for played in self.rounds)
            what = "nobody had a choice" if was_played else "nothing was played"
            raise NothingToReview(f"{what} in this record, so there is nothing to review")
        self.evaluator = DecisionEvaluator.of(first.knowledge())
        self.spread = spread_of(setup)
        each = None if seconds is None else seconds / max(1, len(self.positions))
        self.effort: Effort = efforts.DEFAULT if each is None else effort_of(each)
        self.notes = tuple(self._notes(recorded))

    def _notes(self, recorded: Any) -> Iterator[str]:
        # A match of so many rounds, a deal of the day among them, has no totals either: all its rounds are over.
        if recorded.totals is None and not self.rounds[-1].is_finished:
            yield "unfinished"

    def decision(self, number: int) -> Decision:
        """Look at one decision, by its place in `positions`. It depends on nothing that was done before."""
        return review_decision(self.evaluator, self.positions[number], self.effort, self.spread)

    def curve(self, number: int) -> Float64Array:
        """What a round was worth to every seat, choice by choice (`ledger.py`)."""
        return open_curve(self.evaluator, self.rounds[number])

    def outline(self) -> Ledger:
        """The ledger before anything is evaluated: the results of the rounds that have choices."""
        rounds = [unvalued(played, self.seat) for played in self.rounds if played.choices]
        return match_ledger(self.seat, self.evaluator.id, rounds, ())

    def value_round(self, number: int) -> RoundLedger:
        """The ledger of a round, by its place in the record, without what decisions lost."""
        return round_ledger(self.rounds[number], self.curve(number), self.seat)

    def review(self, decisions: Sequence[Decision], curves: Sequence[Float64Array] | None = None) -> Review:
        """Put the decisions together with the ledger. `curves` are those of all rounds, if they are at hand."""
        found = [self.curve(number) for number in range(len(self.rounds))] if curves is None else curves
        ledgers = [
            round_ledger(played, curve, self.seat, decisions)
            for played, curve in zip(self.rounds, found, strict=True)
            if played.choices
        ]
        return Review(
            edition=self.setup.edition.id,
            players=self.setup.players,
            seat=self.seat,
            evaluator=self.evaluator.id,
            effort=self.effort.level,
            spread=self.spread,
            decisions=tuple(decisions),
            ledger=match_ledger(self.seat, self.evaluator.id, ledgers, decisions),
            notes=self.notes,
        )


def review(record: Any, seat: int, seconds: float | None = None) -> Review:
    """Review one seat of a record. `RecordError` if it breaks a rule, `UsageError` if it cannot be reviewed."""
    study = Study(record, seat, seconds)
    return study.review([study.decision(number) for number in range(len(study.positions))])


def review_decision(evaluator: DecisionEvaluator, position: Position, effort: Effort, spread: float) -> Decision:
    """What the chosen action lost, given what the seat knew, and what it was with open cards."""
    knowledge, chosen = position.knowledge(), position.chosen
    judged = checked(evaluator, knowledge, evaluator.judge(knowledge, effort, chosen), effort, spread)
    known, errors = dict(judged.known), dict(judged.se)
    best, loss, lead, se = judged.best, 0.0, 0.0, 0.0
    label: Label = "fine"
    other = chosen if best != chosen else judged.ranking[1]
    worlds = len(judged.sample)
    reason: tuple[Reason, ...] = ()
    if best != chosen or judged.gaps[other][0] >= MISTAKE * spread:
        fresh = evaluator.compare(knowledge, effort, best, other, CANNOT_TELL * spread, purpose="label")
        worlds += len(fresh.sample)
        use_fresh(known, errors, fresh)
        better, worse = (best, other) if fresh.lead > 0 else (other, best)
        loss = abs(fresh.lead) if worse == chosen else 0.0
        if best != chosen:
            lead = fresh.lead
        if better != chosen:
            label = label_of(loss, fresh.se, spread, trick_worth(knowledge))
        elif best == chosen and is_only_move(fresh.lead, fresh.se, spread):
            label = "only-move"
        if best != chosen or loss:
            se = fresh.se
        best = better
        if loss >= INACCURACY * spread or label == "only-move":
            shown = {action: round(value, 3) for action, value in known.items()}
            why = contrast_of(evaluator, knowledge, fresh.sample, better, worse, judged.found_by, shown)
            reason = reasons(why)
    open_values, exact = evaluator.open_values(position, effort)
    luck = luck_of(label, open_values[chosen], max(open_values.values()), spread)
    if luck == "unlucky" and best != chosen:
        luck = ""
    return Decision(
        round=position.round,
        index=position.index,
        seat=position.seat,
        phase=PHASE_OF[position.phase],
        action=position.word(chosen),
        best=position.word(best),
        label=label,
        loss=round(loss, 3),
        se=round(se, 3),
        values={
            position.word(action): ActionValue(
                round(known[action], 3),
                round(errors[action], 3),
                round(judged.found_by[action], 4),
                round(open_values[action], 3),
                exact,
            )
            for action in judged.actions
        },
        luck=luck,
        reason=reason,
        lead=round(lead, 3),
        is_obvious=judged.is_obvious,
        worlds=worlds,
    )
