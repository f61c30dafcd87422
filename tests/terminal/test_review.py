"""A review as text: whose it is, what its numbers count, and how its lines are folded."""

from __future__ import annotations

import io
import random
import re
from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace
from rich.console import Console

from atout.bots import Reason
from atout.game import Game
from atout.i18n import Texts
from atout.study import Decision, Review
from atout.study.ledger import match_ledger
from atout.study.model import ActionValue, ErrorRate, Ledger, LedgerStep, RoundLedger
from atout.terminal.review import lines, print_review
from atout.terminal.review_html import page, ticks
from atout.terminal.seats import Seating, recorded_names
from atout.terminal.words import Words

OLD = {"names": ["human", "novice", "novice", "novice"], "bots": [None, "novice", "novice", "novice"]}
"""How a match was saved before bots had their names in it."""
NEW = {**OLD, "names": ["", "Jonas", "Ines", "Bruno"]}


def record(**more: Any) -> dict[str, Any]:
    return {**Game.new("niet-2015", 4, 1).record(), **more}


def review(decisions: int = 9, obvious: int = 13) -> Review:
    action, best = "0 veto trump red", "0 veto start 2"
    values = {action: ActionValue(-1.0, 0.2, 0.1), best: ActionValue(1.0, 0.2, 0.5)}
    reason = (Reason("better-by", {"best": "veto start 2", "other": "veto trump red", "gain": 2.0, "better_by": 2.0}),)
    one = Decision(0, 0, 0, "veto", action, best, "mistake", 2.0, 0.2, values, reason=reason)
    errors = {"tricks": ErrorRate(decisions, obvious, 2.0, 0.22)}
    ledger = Ledger(0, "x", (), 0, 0, 0, 0, 0, 0, 0, 0, {"mistake": 1}, errors)
    return Review("niet-2015", 4, 0, "x", 1, 5.0, (one,), ledger)


@pytest.mark.parametrize("saved", [OLD, NEW])
def test_everybody_has_the_name_of_the_table(saved: dict[str, Any]) -> None:
    text = "\n".join(lines(review(), record(**saved), Texts()))
    assert "Start player: Ines" in text
    assert "novice" not in text
    assert "human" not in text


@pytest.mark.parametrize("saved", [OLD, NEW])
def test_a_match_saved_without_names_is_read_in_the_language_of_the_reader(saved: dict[str, Any]) -> None:
    assert recorded_names(OLD, 4, Texts("fr")) == ["", "Jonas", "Inès", "Bruno"]
    assert recorded_names({"players": 4}, 4) == [""] * 4
    seating = Seating.of_record({"players": 4, **saved})
    seating.name_bots(Texts())
    assert seating.written() == NEW


def test_a_review_after_the_match_speaks_to_the_player() -> None:
    mine, anybodys = (lines(review(), record(**NEW), Texts(), is_own)[0] for is_own in (True, False))
    assert mine.startswith("Review of your decisions: Niet! 2015")
    assert anybodys.startswith("Review of seat 1: Niet! 2015")


@pytest.mark.parametrize(
    ("language", "named", "unnamed"),
    [
        ("en", "Review of Ines: ", "Review of seat 1: "),
        ("fr", "Analyse d’Ines\u00a0: ", "Analyse de la place 1\u00a0: "),
        ("de", "Analyse von Ines: ", "Analyse von Platz 1: "),
    ],
)
def test_a_review_names_its_player_and_counts_seats_from_1(language: str, named: str, unnamed: str) -> None:
    texts = Texts(language)
    who = record(names=["Ines", "Jonas", "Ada", "Bruno"])
    for shown, title in ((who, named), (record(), unnamed)):
        assert lines(review(), shown, texts)[0].startswith(title)
        head = re.findall("<h1>(.*?)</h1>", page(review(), shown, texts))
        assert len(head) == 1
        assert head[0].startswith(title)
        assert "Niet! 2015, 4" in head[0]
        assert texts.t("terminal.review.evaluator", evaluator="x", effort=1) not in head[0]


@pytest.mark.parametrize(
    ("language", "many", "single"),
    [
        ("en", "(9 decisions that mattered, and 13 obvious ones)", "(1 decision that mattered, and 1 obvious one)"),
        ("fr", "(9 décisions qui comptent, et 13 évidentes)", "(1 décision qui compte, et 1 évidente)"),
        ("de", "(9 Entscheidungen, dazu 13 offensichtliche)", "(1 Entscheidung, dazu 1 offensichtliche)"),
    ],
)
def test_obvious_decisions_are_not_among_those_that_matter(language: str, many: str, single: str) -> None:
    texts = Texts(language)
    assert many in "\n".join(lines(review(), record(), texts))
    assert single in "\n".join(lines(review(1, 1), record(), texts))
    assert f"({many.split(',')[0][1:]})" in "\n".join(lines(review(9, 0), record(), texts))
    assert texts.t("terminal.review.column.decisions") in page(review(), record(), texts)


def reviewed_trick(edition: str) -> tuple[dict[str, Any], Review, Game]:
    """A record that breaks off after a second card was played, a review of that card, and the game before it."""
    game, rng = Game.new(edition, 4, 1), random.Random(1)
    while game.phase != "play" or len(game.view(None)["trick"]) != 1 or len(game.legal()) < 2:
        game.play(rng.choice(game.legal()))
    before, seat = game.copy(), game.turn
    assert seat is not None
    action, best = map(str, game.legal()[:2])
    place = len(game.record()["rounds"][0]["actions"])
    game.play(action)
    values = {action: ActionValue(-1.0, 0.2, 0.1), best: ActionValue(1.0, 0.2, 0.5)}
    one = Decision(0, place, seat, "tricks", action, best, "mistake", 2.0, 0.2, values)
    ledger = Ledger(seat, "x", (), 0, 0, 0, 0, 0, 0, 0, 0, {"mistake": 1}, {})
    return dict(game.record()), Review(edition, 4, seat, "x", 1, 5.0, (one,), ledger), before


@pytest.mark.parametrize("language", ["en", "fr", "de"])
@pytest.mark.parametrize("edition", ["niet-2015", "njet-2007", "nichtig"])
def test_a_decision_shows_the_hand_and_the_trick_and_no_hidden_card(edition: str, language: str) -> None:
    recorded, found, game = reviewed_trick(edition)
    view, texts = game.view(found.seat), Texts(language)
    words = Words(texts, ["A", "B", "C", "D"], found.seat, None)
    shown = lines(found, recorded, texts)
    hand = next(line for line in shown if line.startswith(f"    {texts.t('terminal.review.hand')}"))
    assert hand.split(":")[1].split() == [words.short_card(card) for card in view["hand"]]
    trick = next(line for line in shown if line.startswith(f"    {texts.t('mat.label')}"))
    assert trick.endswith(words.short_card(view["trick"][0]["card"]))

    text = page(found, recorded, texts)
    cards = re.findall(r'<use href="#card-(\w+?)(?:-super)?"/>', text)
    assert cards == [*view["hand"], view["trick"][0]["card"]], "its own hand, and what lay on the table"
    assert set(re.findall(r'<symbol id="card-(\w+?)(?:-super)?"', text)) == set(cards)
    assert text.count("<li class=chosen>") == 1


@pytest.mark.parametrize("width", [40, 60, 200])
def test_a_printed_review_is_folded_but_its_table_is_not(width: int) -> None:
    target = io.StringIO()
    print_review(review(), record(**NEW), Console(file=target, width=width), Texts("fr"))
    printed = target.getvalue().splitlines()
    table = [line for line in printed if line.startswith("Partie ") or "donne " in line]
    assert all(len(line) <= min(width, 88) for line in printed if line not in table)
    assert any(line.count("0,0") == 6 for line in table)
    assert not any(line.endswith(("±", "«")) for line in printed)


@pytest.mark.parametrize("language", ["en", "fr", "de"])
def test_a_review_tells_which_seat_it_is_and_how_to_choose_another(language: str) -> None:
    bots = record(bots=["club"] * 4)
    for found in (review(), replace(review(), seat=2)):
        named = lines(found, bots, Texts(language))[:2]
        assert f"club {found.seat + 1}" in named[0]
        seats = re.findall(r"--seat\u00a0(\d)(?: \((.*?)\))?", named[1])
        others = [(str(seat), f"club {seat + 1}") for seat in range(4) if seat != found.seat]
        assert seats == [(str(found.seat), ""), *others]
    assert not any("--seat" in line for line in lines(review(), bots, Texts(language), is_own=True))
    assert any("--seat" in line and "seat 4" in line for line in lines(review(), record(), Texts()))


def with_ledger(mates: tuple[int, ...] = (), costs: Sequence[tuple[float, float]] = ((1.04, -7.56),)) -> Review:
    """A review of a round; `costs`: of each decision, what the best action and the one chosen were worth."""
    action, best = "0 veto trump red", "0 veto start 2"
    decisions = []
    for high, low in costs:
        values = {action: ActionValue(low, 0.2, 0.125, -4.25), best: ActionValue(high, 0.2, 0.5, 1.0, exact=True)}
        decisions.append(Decision(0, 0, 0, "veto", action, best, "mistake", high - low, 0.2, values))
    lost = sum(one.cost for one in decisions)
    row = RoundLedger(0, 1.0, -2.0, 0.0, 3.0, 2.0, lost, lost - 2.0, True, mates)
    return replace(review(), decisions=tuple(decisions), ledger=match_ledger(0, "x", [row], decisions))


@pytest.mark.parametrize("mates", [(), (2,)])
def test_partners_have_a_column_only_where_somebody_has_partners(mates: tuple[int, ...]) -> None:
    texts = Texts()
    header = next(line for line in lines(with_ledger(mates), record(), texts) if "opponents" in line)
    assert ("partners" in header) == bool(mates)
    assert ("<span>partners</span>" in page(with_ledger(mates), record(), texts)) == bool(mates)


def test_what_is_listed_adds_up_to_what_the_ledger_shows_as_lost() -> None:
    found = with_ledger(costs=[(1.04, -7.56), (0.16, -0.14), (2.15, 1.84)] * 5)
    shown = lines(found, record(), Texts())
    losses = [
        float(it[1]) for line in shown if (it := re.search(r"(\d+\.\d)(?: ± \S+)? lost\.", line.replace("\u00a0", " ")))
    ]
    row = next(line for line in shown if line.startswith("Match")).split("\u00a0")
    lost = float([number for number in row if number][-2].replace("−", "-"))
    assert len(losses) == 13, "twelve decisions, and a line for the others"
    assert round(sum(losses), 1) == -lost


def test_unlucky_decisions_have_a_line_each() -> None:
    one = replace(with_ledger().decisions[0], action="0 veto start 2", label="fine", luck="unlucky", loss=0.0)
    values = {**one.values, "0 veto start 2": replace(one.values["0 veto start 2"], open=-9.25)}
    found = replace(with_ledger(), decisions=(replace(one, values=values),))
    shown = lines(found, record(names=["Ada", "Ben", "Cleo", "Dan"]), Texts())
    at = shown.index("Right by what was known, yet it lost:")
    assert shown[at + 1] == (
        "  Round 1, veto 1: Veto “Start player: Cleo”. With open cards −9.3; Veto “Trump: red”: −4.3."
    )
    assert "<h2>Right by what was known, yet it lost</h2>" in page(found, record(), Texts())


@pytest.mark.parametrize(
    ("language", "best", "chosen", "share"),
    [
        ("en", "(best)", "(chosen)", "13%"),
        ("fr", "(meilleur)", "(choisi)", "13\u202f%"),
        ("de", "(am besten)", "(gewählt)", "13\u00a0%"),
    ],
)
def test_the_alternatives_tell_the_best_and_the_chosen(language: str, best: str, chosen: str, share: str) -> None:
    text = page(with_ledger(), record(), Texts(language))
    rows = re.findall(r"<tr( class=best)?><td>([^<]*)</td><td>[^<]*</td><td>([^<]*)</td><td>([^<]*%)</td>", text)
    (is_best, first, _, _), (is_other, second, estimate, found_by) = rows
    assert is_best
    assert first.endswith(best)
    assert not is_other
    assert second.endswith(chosen)
    assert estimate.startswith("≈")
    assert found_by == share


def test_the_chart_has_lines_with_numbers() -> None:
    steps = tuple(LedgerStep(place, 0, value) for place, value in enumerate((0.0, 12.5, -3.0)))
    found = with_ledger()
    row = replace(found.ledger.rounds[0], curve=steps)
    text = page(replace(found, ledger=replace(found.ledger, rounds=(row,))), record(), Texts())
    assert re.findall(r'text-anchor="end">([^<]*)<', text) == ["−5", "0", "+5", "+10", "+15"]


def test_a_chart_has_a_few_lines_around_all_values() -> None:
    source = random.Random(6)
    for _ in range(300):
        size = 10 ** source.uniform(-1, 2.5)
        values = [source.uniform(-size, size) for _ in range(source.randint(1, 9))]
        scale = ticks(values)
        assert scale[0] <= min(values)
        assert scale[-1] >= max(values)
        assert 0 in scale
        assert 2 <= len(scale) <= 8
