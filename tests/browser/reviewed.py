"""A review of a whole match that took no time to compute: the page shows it as it shows any other.

The values are made up, and the same every time; positions, actions, labels and the sums of the ledger fit together.
Every phase and every label occurs, so that each screen of a review can be looked at.
"""

from __future__ import annotations

import json
import random
from typing import Any
from urllib.parse import urlsplit

import msgspec
from playwright.sync_api import Route

from atout.bots.bot import Reason
from atout.protocol import study
from atout.records import make_replay
from atout.study.ledger import match_ledger
from atout.study.model import ActionValue, Decision, Label, LedgerStep, Luck, Phase, RoundLedger
from atout.study.positions import PlayedRound, Position, played_rounds
from atout.study.reasons import cell_reason
from atout.study.review import PHASE_OF
from tests.browser.visitor import Visitor
from tests.records.samples import whole

RECORD = "made-up"
SPREAD = 6.0
THRESHOLDS: tuple[tuple[float, Label], ...] = ((4.0, "blunder"), (1.5, "mistake"), (0.7, "inaccuracy"), (0.0, "fine"))


def _reasons(position: Position, phase: Phase, best: str, other: str, rng: random.Random) -> tuple[Reason, ...]:
    """Two sentences of the phase; `best` and `other` as a record writes them."""
    names = {"best": best.split(" ", 1)[1], "other": other.split(" ", 1)[1]}
    shares = {"best_share": rng.randint(60, 98), "other_share": rng.randint(2, 40)}
    numbers = {"best_n": round(rng.uniform(2, 4), 1), "other_n": round(rng.uniform(0, 2), 1)}
    if phase == "veto":
        _, _, row, cell = best.split()
        return (cell_reason({**names, **shares, "row": row, "cell": cell, "worth_n": numbers["best_n"]}),)
    if phase == "partners":
        seats = {"best_seat": (position.seat + 1) % 3, "other_seat": (position.seat + 2) % 3}
        side = Reason("side", {**names, "best_gain": 4.1, "other_gain": -1.3})
        return side, Reason("partner-trumps", {**names, **seats, **numbers})
    card, spent = best.split()[2], other.split()[2]
    if phase == "cards":
        return Reason("kept-wins", {**names, **shares, "kept": spent, "spent": card}), Reason(
            "empties", {**names, "card": card}
        )
    if phase == "piles":
        return (Reason("own-piles-later", {**names, **numbers}),)
    names["whose"] = "side" if position.setup.edition.is_njet else "you"
    return Reason("tricks-now", {**names, **shares}), Reason("leads-next", {**names, **shares})


def _decision(position: Position, number: int) -> Decision:
    rng = random.Random(number)
    actions = [position.word(action) for action in position.legal]
    known = {action: round(rng.uniform(-5, 6), 2) for action in actions}
    best, chosen = max(known, key=known.__getitem__), position.word(position.chosen)
    loss = round(known[best] - known[chosen], 2)
    label: Label = next(name for least, name in THRESHOLDS if loss >= least)
    luck: Luck = ""
    if number % 9 == 4:
        label, luck = ("cannot-tell", "") if loss else ("only-move", "")
    elif number % 9 == 7:
        luck = "lucky-escape" if loss else "unlucky"
    phase = PHASE_OF[position.phase]
    other = chosen if chosen != best else min(known, key=known.__getitem__)
    return Decision(
        round=position.round,
        index=position.index,
        seat=position.seat,
        phase=phase,
        action=chosen,
        best=best,
        label=label,
        loss=loss,
        se=0.3,
        luck=luck,
        values={
            action: ActionValue(
                known=value,
                se=0.3,
                found_by=0.8 if action == best else round(0.2 / len(known), 3),
                open=round(value + rng.uniform(-2, 2), 2),
                exact=phase == "tricks",
            )
            for action, value in known.items()
        },
        reason=_reasons(position, phase, best, other, rng),
        worlds=200,
    )


def _ledger(played: PlayedRound, seat: int, decisions: list[Decision]) -> RoundLedger:
    rng = random.Random(played.number)
    result = played.scores[seat] - (sum(played.scores) - played.scores[seat]) / (played.setup.players - 1)
    lost = sum(one.loss for one in decisions if one.round == played.number)
    deal, own, partners = (round(rng.uniform(-4, 4), 2) for _ in range(3))
    value = deal
    curve = []
    for choice in played.choices:
        curve.append(LedgerStep(choice.index, choice.seat, round(value, 2)))
        value += (result - deal) / len(played.choices) + rng.uniform(-1, 1)
    return RoundLedger(
        round=played.number,
        deal=deal,
        own=own,
        partners=partners,
        opponents=result - deal - own - partners,
        result=result,
        lost=lost,
        turned_out=own + lost,
        is_finished=True,
        partner_seats=((seat + 2) % played.setup.players,),
        curve=tuple(curve),
    )


def reviewed(edition: str = "niet-2015", players: int = 4, seat: int = 0) -> tuple[dict[str, Any], study.MatchReview]:
    """A record, and the review of a seat in it."""
    record: dict[str, Any] = dict(whole(edition, players))
    record["names"], record["bots"] = ["Ann", *["novice"] * (players - 1)], [None, *["novice"] * (players - 1)]
    rounds = list(played_rounds(record))
    own = [position for played in rounds for position in played.choices if position.seat == seat]
    decisions = [_decision(position, number) for number, position in enumerate(own)]
    ledger = match_ledger(seat, "made-up", [_ledger(played, seat, decisions) for played in rounds], decisions)
    return record, study.MatchReview(
        state="done",
        seat=seat,
        seats=[seat],
        mine=[seat],
        decisions=decisions,
        total=len(decisions),
        ledger=ledger,
        evaluator="made-up",
        effort=2,
        spread=SPREAD,
    )


def serve_review(visitor: Visitor, record: dict[str, Any], review: study.MatchReview) -> str:
    """From now on the visitor's browser finds the review at this path. Everything else comes from the server."""
    encoder, line = msgspec.json.Encoder(), json.dumps(record)

    def answer(route: Route) -> None:
        path = urlsplit(route.request.url).path
        if path.endswith("/review"):
            route.fulfill(body=encoder.encode(review), content_type="application/json")
        elif path.endswith("/replay"):
            route.fulfill(body=encoder.encode(make_replay(line)), content_type="application/json")
        else:
            route.fulfill(body=line + "\n", content_type="application/x-ndjson")

    visitor.page.route(f"**/api/records/{RECORD}**", answer)
    visitor.page.route(f"**/api/records/{RECORD}/review**", answer)
    return f"/review/{RECORD}"


def place_of(review: study.MatchReview, phase: Phase, wrong: bool = True) -> int:
    """The number in the page's address of a decision of a phase: one that cost something, or one that did not."""
    for number, one in enumerate(review.decisions):
        if one.phase == phase and (one.loss > 1) == wrong and len(one.values) > 2:
            return number + 1
    raise AssertionError(f"there is no such decision: {phase}")
