"""A review as text: the decisions that cost most, the errors by phase, and the ledger."""

from __future__ import annotations

from typing import Any

from rich.console import Console

from atout.study import Decision, Review
from atout.study.model import WRONG
from atout.terminal.phrases import decimal
from atout.terminal.reasons import in_words

SHOWN = 12
"""Decisions that are listed, at most."""
LABELS = {
    "fine": "fine",
    "only-move": "only move found",
    "inaccuracy": "inaccuracy",
    "mistake": "mistake",
    "blunder": "blunder",
    "cannot-tell": "cannot tell",
    "unlucky": "unlucky",
    "lucky-escape": "lucky escape",
}
PHASES = {
    "veto": "vetoes",
    "partners": "partners",
    "cards": "discards and passes",
    "piles": "piles laid out",
    "tricks": "tricks",
    "all": "all",
}


def print_review(review: Review, record: dict[str, Any], console: Console) -> None:
    """Print a review."""
    for line in lines(review, record):
        console.print(line, soft_wrap=True, markup=False)


def lines(review: Review, record: dict[str, Any]) -> list[str]:
    names = record.get("names")
    name = names[review.seat] if isinstance(names, list) and len(names) == review.players else ""
    who = f"seat {review.seat}" + (f" ({name})" if isinstance(name, str) and name.isprintable() and name else "")
    found = [f"Review of {who}: {review.edition}, {review.players} players. Evaluator {review.evaluator}."]
    if "unfinished" in review.notes:
        found.append("The match was not finished: what was played is reviewed.")
    return [*found, "", *_ledger(review), "", *_errors(review), "", *_decisions(review)]


def _ledger(review: Review) -> list[str]:
    """A line for each round, and the sum."""
    header = f"{'':10}{'deal':>8}{'own':>8}{'partners':>10}{'opponents':>11}{'result':>8}{'lost':>8}{'turned out':>12}"
    rows = [("Round " + str(one.round + 1), one) for one in review.ledger.rounds] + [("Match", review.ledger)]
    found = ["Where the points came from (gain over the others):", header]
    for name, one in rows:
        numbers = (one.deal, one.own, one.partners, one.opponents, one.result, -one.lost, one.turned_out)
        widths = (8, 8, 10, 11, 8, 8, 12)
        found.append(f"{name:10}" + "".join(f"{decimal(x):>{w}}" for x, w in zip(numbers, widths, strict=True)))
    found.append(f"Without the luck of the deal: {decimal(review.ledger.luck_adjusted)}.")
    return found


def _errors(review: Review) -> list[str]:
    found = ["Points lost per decision that was not obvious:"]
    for phase, rate in review.ledger.errors.items():
        told = "-" if rate.rate is None else f"{rate.rate:.2f}".replace("-", "−")
        found.append(f"  {PHASES[phase]:22}{told:>7}  ({rate.decisions} decisions, {rate.obvious} obvious)")
    counts = [f"{LABELS[label]} {count}" for label, count in review.ledger.labels.items() if count]
    return [*found, "Decisions: " + ", ".join(counts) + "."]


def _decisions(review: Review) -> list[str]:
    wrong = sorted((one for one in review.decisions if one.label in WRONG), key=lambda one: -one.loss)
    found = ["The decisions that cost most:"] if wrong else ["No decision was clearly wrong."]
    for one in wrong[:SHOWN]:
        found += _decision(one)
    good = [one for one in review.decisions if one.label == "only-move"]
    if good:
        found += ["", "Only moves found:"]
        for one in good[:SHOWN]:
            found += _decision(one)
    return found


def _decision(one: Decision) -> list[str]:
    luck = f", {LABELS[one.luck]}" if one.luck else ""
    what = f"Round {one.round + 1}, action {one.index + 1}: {one.action}. {LABELS[one.label].capitalize()}{luck}"
    if one.label == "only-move":
        return [f"  {what}.", *(f"    {in_words(reason)}" for reason in one.reason)]
    value, best = one.values[one.action], one.values[one.best]
    return [
        f"  {what}: {decimal(one.loss)} ± {decimal(one.se)} lost.",
        f"    Better: {one.best}, worth {decimal(best.known)} instead of {decimal(value.known)}.",
        *(f"    {in_words(reason)}" for reason in one.reason),
    ]
