"""What is shown of a review adds up."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from atout.i18n import Texts
from atout.study.ledger import match_ledger
from atout.study.model import LABELS, ActionValue, Decision, RoundLedger
from atout.study.shown import shown_ledger, shown_loss, shown_parts, shown_rounds, tenths
from atout.terminal.words import Words


def test_parts_add_up_to_the_total_that_is_shown() -> None:
    source = random.Random(4)
    for _ in range(2000):
        parts = [round(source.uniform(-40, 40), 3) for _ in range(source.randint(1, 5))]
        shown = shown_parts(parts, sum(parts))
        assert sum(shown) == pytest.approx(sum(parts), abs=0.0501)
        assert round(10 * sum(shown)) == pytest.approx(10 * sum(shown), abs=1e-6)
        assert all(abs(one - part) < 0.1 + 1e-9 for one, part in zip(shown, parts, strict=True))


def decided(source: random.Random, number: int) -> Decision:
    """A decision of a round, wrong or not."""
    best, chosen = sorted((source.uniform(-9, 9) for _ in range(2)), reverse=True)
    values = {"1 play Y1": ActionValue(best, 0.1, 0.5), "1 play Y2": ActionValue(chosen, 0.1, 0.5)}
    label = source.choice(LABELS)
    return Decision(number, 0, 1, "tricks", "1 play Y2", "1 play Y1", label, best - chosen, 0.2, values)


def test_a_row_of_the_ledger_adds_up() -> None:
    deal, own, partners, opponents = -18.83, -10.75, 0.0, -6.56
    result = deal + own + partners + opponents
    source = random.Random(3)
    decisions = [decided(source, number) for number in (0, 0, 0, 1)]
    row = shown_ledger(RoundLedger(0, deal, own, partners, opponents, result, 33.43, 22.68, True), decisions=decisions)
    assert row.lost == pytest.approx(sum(map(shown_loss, decisions[:3])))
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
        decisions = [decided(source, source.randrange(len(rounds))) for _ in range(source.randint(0, 30))]
        whole = match_ledger(0, "x", rounds, decisions)
        rows, total = shown_rounds(whole, decisions), shown_ledger(whole, decisions=decisions)
        assert total.lost == pytest.approx(sum(map(shown_loss, decisions)))
        for row, exact in zip(rows, rounds, strict=True):
            assert round(row.deal + row.own + row.partners + row.opponents, 1) == row.result
            assert round(row.turned_out - row.lost, 1) == row.own
            assert abs(row.result - exact.result) < 0.1 + 1e-9
            assert abs(row.deal - exact.deal) < 0.2
            listed = [shown_loss(one) for one in decisions if one.round == exact.round]
            assert row.lost == pytest.approx(sum(listed))
        assert [round(sum(column), 1) for column in zip(*rows, strict=True)] == pytest.approx(total)


def test_a_loss_is_the_difference_of_the_values_beside_it() -> None:
    values = {"1 play Y1": ActionValue(-1.04, 0.1, 0.5), "1 play Y2": ActionValue(-7.56, 0.1, 0.5)}
    one = Decision(0, 0, 1, "tricks", "1 play Y2", "1 play Y1", "blunder", 6.52, 0.2, values)
    assert shown_loss(one) == 6.6
    assert shown_loss(replace(one, label="cannot-tell")) == 0.0, "it is not called wrong"


def test_a_half_is_rounded_as_on_the_page() -> None:
    assert [tenths(n) for n in (-9.25, 9.25, 0.25, 2.15, -2.5)] == [-9.3, 9.3, 0.3, 2.2, -2.5]
    assert not str(tenths(-0.04)).startswith("-")
    words = Words(Texts(), ["A", "B"], 0, None)
    assert (words.decimal(-9.25), words.signed(0.25), words.signed(0.04)) == ("−9.3", "+0.3", "0.0")
    assert shown_parts([0.25], 0.25) == [0.3]
