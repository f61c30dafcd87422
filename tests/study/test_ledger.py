"""The ledger adds up exactly, for sides and teams, and for rounds that were not finished."""

from __future__ import annotations

from typing import Any

import pytest

from atout.search.gain import gain
from atout.study.evaluator import DecisionEvaluator, Settings
from atout.study.ledger import match_ledger, open_curve, partners_of, round_ledger
from atout.study.model import Decision
from atout.study.positions import played_rounds

from .rounds import round_record

FEW = Settings(ledger_players=2)
TABLES = [("niet-2015", 4, False), ("njet-1997", 3, False), ("nichtig", 4, True), ("nichtig", 6, False)]


def ledgers(record: dict[str, Any]):  # type: ignore[no-untyped-def]
    for played in played_rounds(record):
        curve = open_curve(DecisionEvaluator.of(played.choices[0].knowledge(), FEW), played)
        for seat in range(played.setup.players):
            yield played, seat, round_ledger(played, curve, seat)


@pytest.mark.parametrize(("edition", "players", "teams"), TABLES)
def test_the_parts_add_up_to_the_result(edition: str, players: int, teams: bool) -> None:
    deals = 0.0
    for played, seat, ledger in ledgers(round_record(edition, players, teams=teams)):
        assert ledger.result == pytest.approx(gain(played.scores, played.setup, seat), abs=1e-9)
        assert ledger.deal + ledger.own + ledger.partners + ledger.opponents == pytest.approx(ledger.result, abs=1e-9)
        assert ledger.own == pytest.approx(ledger.turned_out - ledger.lost, abs=1e-9)
        assert len(ledger.curve) == len(played.choices)
        deals += ledger.deal
    assert deals == pytest.approx(0.0, abs=1e-4)


@pytest.mark.slow
def test_partners_are_the_side_of_the_round_or_the_team() -> None:
    for played, seat, ledger in ledgers(round_record("nichtig", 4, teams=True)):
        assert ledger.partner_seats == ((seat + 2) % 4,)
        assert list(ledger.partner_seats) == partners_of(played, seat)
    record = round_record("niet-2015", 4)
    side = [int(word) for word in next(a for a in record["rounds"][0]["actions"] if " team " in a).split()[2:]]
    for _, seat, ledger in ledgers(record):
        ours = side if seat in side else [one for one in range(4) if one not in side]
        assert set(ledger.partner_seats) == set(ours) - {seat}


@pytest.mark.slow
def test_an_unfinished_round_ends_with_what_it_was_worth() -> None:
    record = {**round_record("niet-2015", 4)}
    cut = {key: value for key, value in record["rounds"][0].items() if key in ("dealer", "hands")}
    record["rounds"] = [{**cut, "actions": record["rounds"][0]["actions"][:30]}]
    for played, _, ledger in ledgers(record):
        assert not ledger.is_finished
        assert played.end is not None
        assert ledger.deal + ledger.own + ledger.partners + ledger.opponents == pytest.approx(ledger.result, abs=1e-9)
        assert ledger.result != 0


def test_errors_are_counted_by_phase_without_what_was_obvious() -> None:
    """What is too small for a label costs nothing, in the rates as in the ledger and in the list of decisions."""

    def decision(phase: Any, label: Any, loss: float, is_obvious: bool = False) -> Decision:
        return Decision(0, 0, 0, phase, "a", "b", label, loss, 0.1, {}, is_obvious=is_obvious)

    decisions = [
        decision("veto", "mistake", 2.0),
        decision("veto", "cannot-tell", 3.0),
        decision("tricks", "fine", 0.5),
        decision("tricks", "fine", 0.2, is_obvious=True),
    ]
    ledger = match_ledger(0, "e", [], decisions)
    assert ledger.errors["veto"].rate == 1.0
    assert ledger.errors["tricks"].rate == 0.0
    assert ledger.errors["tricks"].obvious == 1
    assert ledger.errors["all"].rate == pytest.approx(2 / 3)
    assert sum(one.cost for one in decisions) == ledger.errors["all"].lost == 2.0
    assert ledger.labels["fine"] == 2
