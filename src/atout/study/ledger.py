"""The ledger: where the result of a round came from.

V is what an open position is worth to a seat: a fixed function of the position before every choice, and the result at
the end. The first V is the deal. Every choice changes V, and the change is booked to the seat that chose; forced
actions belong to the choice before them. So the parts add up to the result exactly, whatever V is:

    deal + own + partners + opponents = V₀ + Σ (Vᵢ₊₁ − Vᵢ) = result

V is the mean over some fixed players: the network with a little noise, fixed by player and place in the log, at all
seats. They play the round out; in the trick phase they play three tricks, and the critic tells the rest. The critic
alone explains too little of a deal before the vetoes (`python -m bench.study ledger`).

Partners are those who score with the seat in the end: its side of the round, or its team.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace

from atout.rules.autoplay import LENGTH
from atout.rules.layout import NOBODY, PLAY, STATE
from atout.search.gain import Float64Array, gain, partners
from atout.search.net_rollout import TO_THE_END, Worlds, new_worlds
from atout.study.evaluator import DecisionEvaluator
from atout.study.model import (
    LABELS,
    PHASES,
    Decision,
    ErrorRate,
    Ledger,
    LedgerStep,
    RoundLedger,
)
from atout.study.playouts import gumbel, play_on
from atout.study.positions import PHASE, PlayedRound

SIDE = STATE.fields["side"][1] // 8  # type: ignore[index]
SEED = 2026
"""The seed of the players' noise; the same for every round."""
POSITIONS = 32
"""Positions that are looked at together."""
TURN = STATE.fields["turn"][1] // 8  # type: ignore[index]


def open_curve(evaluator: DecisionEvaluator, played: PlayedRound) -> Float64Array:
    """V by position and seat: before every choice, then at the end of what was played."""
    players = played.setup.players
    values = open_values(evaluator, [position.world() for position in played.choices])
    if played.is_finished:
        last = np.array([[gain(played.scores, played.setup, seat) for seat in range(players)]])
    elif played.end[TURN] != NOBODY:
        last = open_values(evaluator, [_end_world(played)])
    else:
        last = np.zeros((1, players))
    return np.concatenate([values, last])


def open_values(evaluator: DecisionEvaluator, positions: Sequence[Worlds]) -> Float64Array:
    """V of every seat in open positions, one row each."""
    nets, settings = evaluator.nets, evaluator.settings
    count = settings.ledger_players
    noise = gumbel(count, SEED) * np.float32(settings.ledger_noise)
    found = np.zeros((len(positions), nets.setup.players))
    for is_trick, horizon in ((True, settings.far_horizon), (False, TO_THE_END)):
        rows = [i for i, one in enumerate(positions) if (one.states[0, PHASE] == PLAY) == is_trick]
        for some in (rows[first : first + POSITIONS] for first in range(0, len(rows), POSITIONS)):
            lanes = Worlds(
                *(
                    np.repeat(np.concatenate(arrays), count, 0)
                    for arrays in zip(*(positions[i] for i in some), strict=True)
                )
            )
            values = play_on(nets, lanes, horizon, noise)
            found[some] = values.reshape(len(some), count, -1).mean(1)
    return found


def _end_world(played: PlayedRound) -> Worlds:
    worlds = new_worlds(1)
    worlds.states[0], worlds.logs[0, : len(played.log)] = played.end, played.log
    worlds.progress[0, LENGTH] = len(played.log)
    return worlds


def partners_of(played: PlayedRound, seat: int) -> list[int]:
    """The other seats that score with this one in the round."""
    players = range(played.setup.players)
    if played.setup.edition.is_njet:
        side = int(played.end[SIDE])
        mates = [other for other in players if side and (side >> other) & 1 == (side >> seat) & 1]
    else:
        mates = partners(played.setup, seat)
    return [other for other in mates if other != seat]


def round_ledger(
    played: PlayedRound, curve: Float64Array, seat: int, decisions: Sequence[Decision] = ()
) -> RoundLedger:
    """The ledger of a seat in one round; `decisions` are the seat's own, for what was lost by choice."""
    values, mates = curve[:, seat], partners_of(played, seat)
    parts = {"own": 0.0, "partners": 0.0, "opponents": 0.0}
    for position, change in zip(played.choices, np.diff(values).tolist(), strict=True):
        who = "own" if position.seat == seat else "partners" if position.seat in mates else "opponents"
        parts[who] += change
    lost = sum(one.cost for one in decisions if one.round == played.number)
    return RoundLedger(
        round=played.number,
        deal=float(values[0]),
        result=float(values[-1]),
        lost=lost,
        turned_out=parts["own"] + lost,
        is_finished=played.is_finished,
        partner_seats=tuple(mates),
        curve=tuple(
            LedgerStep(position.index, position.seat, round(value, 3))
            for position, value in zip(played.choices, values.tolist(), strict=False)
        ),
        **parts,
    )


def unvalued(played: PlayedRound, seat: int) -> RoundLedger:
    """A round before it is known what its positions were worth: its result, and an empty curve."""
    result = gain(played.scores, played.setup, seat) if played.is_finished else 0.0
    return RoundLedger(
        round=played.number,
        deal=0.0,
        own=0.0,
        partners=0.0,
        opponents=0.0,
        result=result,
        lost=0.0,
        turned_out=0.0,
        is_finished=played.is_finished,
        partner_seats=tuple(partners_of(played, seat)),
    )


def with_losses(ledger: Ledger, decisions: Sequence[Decision]) -> Ledger:
    """A ledger that was made without the seat's decisions, with what they lost."""
    rounds = []
    for one in ledger.rounds:
        lost = sum(decision.cost for decision in decisions if decision.round == one.round)
        rounds.append(replace(one, lost=lost, turned_out=one.own + lost))
    return match_ledger(ledger.seat, ledger.evaluator, rounds, decisions)


def match_ledger(seat: int, evaluator: str, rounds: Sequence[RoundLedger], decisions: Sequence[Decision]) -> Ledger:
    """The sums of the rounds, and what was lost by phase."""
    names = ("deal", "own", "partners", "opponents", "result", "lost", "turned_out")
    sums = {name: float(sum(getattr(one, name) for one in rounds)) for name in names}
    labels: dict[str, int] = dict.fromkeys((*LABELS, "unlucky", "lucky-escape"), 0)
    for one in decisions:
        labels[one.label] += 1
        if one.luck:
            labels[one.luck] += 1
    errors: dict[str, ErrorRate] = {}
    for phase in PHASES:
        if some := [one for one in decisions if one.phase == phase]:
            errors[phase] = error_rate(some)
    errors["all"] = error_rate(decisions)
    return Ledger(
        seat=seat,
        evaluator=evaluator,
        rounds=tuple(rounds),
        luck_adjusted=sums["result"] - sums["deal"],
        labels=labels,
        errors=errors,
        **sums,
    )


def error_rate(decisions: Sequence[Decision]) -> ErrorRate:
    """Points lost by inaccuracies, mistakes and blunders, per decision that was not obvious or went wrong.

    Obvious is a position, not a choice: otherwise who plays another card that is as good would have more decisions to
    share the losses among.
    """
    counted = [one for one in decisions if not one.is_obvious or one.cost]
    lost = float(sum(one.cost for one in counted))
    rate = lost / len(counted) if counted else None
    return ErrorRate(len(counted), len(decisions) - len(counted), lost, rate)
