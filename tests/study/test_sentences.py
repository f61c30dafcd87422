"""Sentences of reasons: every number in them again from the worlds they were told from, in three languages."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator

import pytest

from atout.bots.bot import Reason
from atout.bots.learned import Prediction
from atout.i18n import LANGUAGES, Texts
from atout.study.evaluator import DecisionEvaluator
from atout.study.model import SAYS_LITTLE
from atout.study.positions import Position
from atout.study.reasons import Contrast, contrast_of, reasons
from atout.study.shown import tenths
from atout.terminal.reasons import NEARLY
from atout.terminal.words import Words

from .rounds import positions, round_record
from .test_reasons import check_numbers

TABLES = (
    ("niet-2015", 4), ("nichtig", 3), ("njet-2007", 3), ("nichtig", 5), ("njet-1997", 4), ("niet-2015", 5),
    ("njet-2007", 2),
)  # fmt: skip
OF_ROUND = 8
"""Decisions of a round that are looked at."""
JUDGED, WORLDS = 16, 3
"""Few: every number is checked exactly, however many worlds it was told from."""
QUICK, ALL = 24, 1000


def told_as_in_a_review(position: Position) -> Contrast:
    """The two likeliest actions, judged in some likely worlds and told from a part of them."""
    knowledge = position.knowledge()
    evaluator = DecisionEvaluator.of(knowledge)
    prediction = Prediction(evaluator.nets.player, evaluator.nets.trained, knowledge)
    found_by = {action: float(prediction.policy[action]) for action in prediction.actions}
    one, two = sorted(found_by, key=lambda action: -found_by[action])[:2]
    sample = evaluator.draw(knowledge, JUDGED, "sentences")
    values = evaluator.play_out(knowledge, sample, [one, two], evaluator.horizon(knowledge)).values
    gains = (values @ sample.weights) / sample.weights.sum()
    known = {action: round(float(gain), 3) for action, gain in zip((one, two), gains, strict=True)}
    better, other = sorted(known, key=lambda action: -known[action])
    return contrast_of(evaluator, knowledge, sample, better, other, found_by, known, WORLDS)


def sentences(count: int) -> Iterator[tuple[Contrast, Reason]]:
    """Reasons of decisions of novices, at one table after the other; `count` of them tell more than shares of play."""
    found, seed = 0, 0
    while True:
        edition, players = TABLES[seed % len(TABLES)]
        some = positions(round_record(edition, players, seed=100 + seed))
        for position in random.Random(seed).sample(some, OF_ROUND):
            one = told_as_in_a_review(position)
            for reason in reasons(one):
                yield one, reason
                found += reason.code not in SAYS_LITTLE
                if found == count:
                    return
        seed += 1


NUMBER = re.compile(r"[-−+]?\d+(?:[.,]\d+)?")


def numbers_in(text: str) -> Counter[float]:
    """The numbers of a sentence, whichever way its language writes them."""
    return Counter(float(found.replace("−", "-").replace(",", ".")) for found in NUMBER.findall(text))


def check_words(one: Contrast, reason: Reason) -> None:
    """The three languages tell the same numbers: those of the reason, and those in the names of cards and cells."""
    setup = one.knowledge.setup
    names, low = [chr(ord("A") + seat) for seat in range(setup.players)], 1 if setup.edition.is_njet else 0
    said = [
        numbers_in(Words(Texts(language), names, None, low).contrast(reason.code, reason.parameters))
        for language in LANGUAGES
    ]
    expected = [
        tenths(float(value))
        for name, value in reason.parameters.items()
        if name.endswith(("_n", "_share")) or "gain" in name
        if name != "apart_n" or value >= NEARLY
    ]
    assert all(each == said[0] for each in said), (reason, said)
    for language in LANGUAGES:
        check_no_card_runs_into_a_number(Words(Texts(language), names, None, low), reason)
    assert not Counter(expected) - said[0], (reason, said[0])


def check_no_card_runs_into_a_number(words: Words, reason: Reason) -> None:
    """`after green 1 0.2` cannot be read: a word or a mark is between the name of a card and a number."""
    text = words.contrast(reason.code, reason.parameters)
    for name in ("best", "other", "kept", "spent", "card"):
        if len(action := str(reason.parameters.get(name, "")).split(" ")) <= 2 and action[-1]:
            card = action[-1] if len(action) == 1 else action[1]
            if card[0].isalpha():
                assert not re.search(
                    rf"\d {re.escape(words.card(card))}|{re.escape(words.card(card))} [-−+]?\d", text
                ), text


def check_all(count: int) -> Counter[str]:
    codes: Counter[str] = Counter()
    for one, reason in sentences(count):
        check_numbers(one, reason)
        check_words(one, reason)
        codes[reason.code] += reason.code not in SAYS_LITTLE
    return codes


def test_every_number_of_some_sentences() -> None:
    assert len(check_all(QUICK)) >= 6


@pytest.mark.slow
def test_every_number_of_a_thousand_sentences() -> None:
    codes = check_all(ALL)
    assert codes.total() == ALL
    assert len(codes) >= 14, codes
