"""What is shown of a review adds up."""

from __future__ import annotations

import random

import pytest

from atout.study.ledger import match_ledger
from atout.study.model import ActionValue, Decision, RoundLedger
from atout.study.shown import shown_ledger, shown_loss, shown_parts, shown_rounds


def test_parts_add_up_to_the_total_that_is_shown() -> None:
    source = random.Random(4)
    for _ in range(2000):
        parts = [round(source.uniform(-40, 40), 3) for _ in range(source.randint(1, 5))]
        shown = shown_parts(parts, sum(parts))
        assert sum(shown) == pytest.approx(sum(parts), abs=0.0501)
        assert round(10 * sum(shown)) == pytest.approx(10 * sum(shown), abs=1e-6)
        assert all(abs(one - part) < 0.1 + 1e-9 for one, part in zip(shown, parts, strict=True))


def test_a_row_of_the_ledger_adds_up() -> None:
    deal, own, partners, opponents = -18.83, -10.75, 0.0, -6.56
    result = deal + own + partners + opponents
    row = shown_ledger(RoundLedger(0, deal, own, partners, opponents, result, 33.43, 22.68, True))
    assert round(row.deal + row.own + row.partners + row.opponents, 1) == row.result
    assert round(row.turned_out - row.lost, 1) == row.own
    assert row.luck_adjusted == round(row.result - row.deal, 1)


def test_rows_and_columns_of_the_ledger_add_up() -> None:
    source = random.Random(5)
    for _ in range(300):
        rounds = []
        for number in range(source.randint(1, 12)):
            deal, own, partners, opponents, lost = (source.uniform(-9, 9) for _ in range(5))
            result = deal + own + partners + opponents
            rounds.append(RoundLedger(number, deal, own, partners, opponents, result, abs(lost), own + abs(lost), True))
        whole = match_ledger(0, "x", rounds, [])
        rows, total = shown_rounds(whole), shown_ledger(whole)
        for row, exact in zip(rows, rounds, strict=True):
            assert round(row.deal + row.own + row.partners + row.opponents, 1) == row.result
            assert round(row.turned_out - row.lost, 1) == row.own
            assert abs(row.result - exact.result) < 0.1 + 1e-9
            assert abs(row.deal - exact.deal) < 0.2
        assert [round(sum(column), 1) for column in zip(*rows, strict=True)] == pytest.approx(total)


def test_a_loss_is_the_difference_of_the_values_beside_it() -> None:
    values = {"1 play Y1": ActionValue(-1.04, 0.1, 0.5), "1 play Y2": ActionValue(-7.56, 0.1, 0.5)}
    one = Decision(0, 0, 1, "tricks", "1 play Y2", "1 play Y1", "blunder", 6.52, 0.2, values)
    assert shown_loss(one) == 6.6
