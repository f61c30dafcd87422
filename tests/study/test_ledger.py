"""The ledger adds up exactly, for sides and teams, and for rounds that were not finished."""

from __future__ import annotations

from typing import Any

import pytest

from atout.rules.layout import PLAY
from atout.search.gain import gain
from atout.study.evaluator import Evaluator
from atout.study.ledger import match_ledger, open_curve, partners_of, round_ledger
from atout.study.model import Decision
from atout.study.positions import played_rounds

from .rounds import round_record

TABLES = [("niet-2015", 4, False), ("njet-1997", 3, False), ("nichtig", 4, True), ("nichtig", 6, False)]


def ledgers(record: dict[str, Any]):  # type: ignore[no-untyped-def]
    for played in played_rounds(record):
        nets = Evaluator.of(played.choices[0].knowledge()).nets
        curve = open_curve(nets, played)
        for seat in range(played.setup.players):
            yield played, seat, round_ledger(played, curve, seat)


@pytest.mark.parametrize(("edition", "players", "teams"), TABLES)
def test_the_parts_add_up_to_the_result(edition: str, players: int, teams: bool) -> None:
    deals = 0.0
    for played, seat, told in ledgers(round_record(edition, players, teams=teams)):
        assert told.result == pytest.approx(gain(played.scores, played.setup, seat), abs=1e-9)
        assert told.deal + told.own + told.partners + told.opponents == pytest.approx(told.result, abs=1e-9)
        assert told.own == pytest.approx(told.turned_out - told.lost, abs=1e-9)
        assert len(told.curve) == len(played.choices)
        deals += told.deal
    assert deals == pytest.approx(0.0, abs=1e-4)


def test_partners_are_the_side_of_the_round_or_the_team() -> None:
    for played, seat, told in ledgers(round_record("nichtig", 4, teams=True)):
        assert told.partner_seats == ((seat + 2) % 4,)
        assert list(told.partner_seats) == partners_of(played, seat)
    record = round_record("niet-2015", 4)
    side = [int(word) for word in next(a for a in record["rounds"][0]["actions"] if " team " in a).split()[2:]]
    for _, seat, told in ledgers(record):
        ours = side if seat in side else [one for one in range(4) if one not in side]
        assert set(told.partner_seats) == set(ours) - {seat}


def test_an_unfinished_round_ends_with_what_it_was_worth() -> None:
    record = {**round_record("niet-2015", 4)}
    cut = {key: value for key, value in record["rounds"][0].items() if key in ("dealer", "hands")}
    record["rounds"] = [{**cut, "actions": record["rounds"][0]["actions"][:30]}]
    for played, _, told in ledgers(record):
        assert not told.is_finished
        assert played.end is not None
        assert told.deal + told.own + told.partners + told.opponents == pytest.approx(told.result, abs=1e-9)
        assert told.result != 0


def test_errors_are_counted_by_phase_without_what_was_obvious() -> None:
    def decision(phase: Any, lead: float, is_obvious: bool) -> Decision:
        return Decision(0, 0, 0, phase, "a", "b", "fine", max(0.0, lead), 0.1, {}, lead=lead, is_obvious=is_obvious)

    decisions = [
        decision("veto", 2.0, False),
        decision("veto", 0.0, False),
        decision("tricks", -0.5, False),
        decision("tricks", 9.0, True),
    ]
    told = match_ledger(0, "e", [], decisions)
    assert told.errors["veto"].rate == 1.0
    assert told.errors["tricks"].rate == -0.5
    assert told.errors["tricks"].obvious == 1
    assert told.errors["all"].rate == 0.5
    assert told.labels["fine"] == 4
    assert PLAY is not None
