"""Texts that rest on a sample of likely deals claim no certainty, in any language; what is certain is named here, with
the reason why it is.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from atout.game import View
from atout.i18n import LANGUAGES, catalogue
from atout.puzzles import shipped
from atout.rules.layout import PLAY
from atout.study.evaluator import DecisionEvaluator
from atout.study.model import CELL_CODES
from atout.study.reasons import contrast_of, reasons
from atout.study.shown import least_share, of_a_hundred, share_of_all

from .certainty import certain_words
from .rounds import positions, round_record

STUDY = Path(__file__).parents[2] / "web/src/i18n/study"
JUDGED = re.compile(
    r"^(reason\..*|review\.(again\.found|about|note|again\.behind).*|today\.(right|wrong|worth|also-right))$"
)
"""Texts about a decision that is judged by likely deals."""
CERTAIN = {
    "reason.trick-always.you": "told only to who plays last in the trick: nothing hidden has a part in it",
    "reason.trick-always.name": "the same",
    "reason.only-choice": "the rules allow one action",
    "reason.empties": "the last card of a colour in the hand, and no card comes in: the rules of following",
    "reason.empties-pass": "the same, unless a card comes in, which it says",
    "review.note.only-move": "it says how all else looked, not what it was",
}
"""Keys that may claim certainty, and why it is certain."""


def texts_of(language: str) -> dict[str, str]:
    """The page's catalogue, which the terminal and the paper share, and that of reviews and puzzles."""
    lines = re.findall(r'^  ("[^"]+": ".*"),$', (STUDY / f"{language}.ts").read_text(encoding="utf-8"), re.MULTILINE)
    study: dict[str, str] = json.loads(f"{{{','.join(lines)}}}")
    return {**catalogue(language), **study}


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_rests_on_a_sample_is_not_told_as_certain(language: str) -> None:
    judged = {key: text for key, text in texts_of(language).items() if JUDGED.match(key)}
    assert len(judged) > 80
    claims = {key: found for key, text in judged.items() if (found := certain_words(text, language))}
    assert {key: found for key, found in claims.items() if key not in CERTAIN} == {}
    assert set(CERTAIN) <= set(judged), "no exception for a text that is gone"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_check_can_fail(language: str) -> None:
    assert certain_words(texts_of(language)["reason.trick-always.you"], language)


def test_the_shares_of_a_sample_are_never_all_or_none() -> None:
    for count in (1, 4.5, 16, 48, 10_000):
        assert 1 <= of_a_hundred(share_of_all(0.0, count)) < of_a_hundred(share_of_all(1.0, count)) <= 99
        assert least_share(0.5, count) < 0.5
        assert least_share(1.0, count) < 1.0
    # if it were so in 1 − least of all deals only, all of the sample would agree by chance in about 1 case of 50
    for count in (8, 16, 48):
        assert least_share(1.0, count) ** count < 0.05


@pytest.mark.parametrize(("place", "code"), [(1, "trick-goes"), (2, "trick-always")], ids=["second", "last"])
def test_the_trick_is_certain_only_for_who_plays_last(place: int, code: str) -> None:
    """Null & nichtig, three players, the last tricks of some rounds, as if all choices were worth the same."""
    found = set()
    for seed in (88, 190, 212):
        for position in positions(round_record("nichtig", 3, seed=seed), PLAY)[-9:]:
            knowledge = position.knowledge()
            if knowledge.state.played != place:
                continue
            legal, shares = position.legal, dict.fromkeys(position.legal, 1 / len(position.legal))
            evaluator = DecisionEvaluator.of(knowledge)
            sample, known = evaluator.draw(knowledge, 96, "same"), dict.fromkeys(legal, 0.0)
            one = contrast_of(evaluator, knowledge, sample, legal[0], legal[1], shares, known, 48)
            first, *more = reasons(one)
            assert first.code == "all-same"
            found |= {reason.code for reason in more}
    assert found == {code}


def test_puzzles_tell_no_share_as_all_or_none_that_was_counted_in_a_sample() -> None:
    """Except where the seat plays last in the trick, or its veto leaves one free cell of the row."""
    seen = {True: 0, False: 0}
    for puzzle in shipped():
        view = puzzle.view()
        is_last = puzzle.phase == "tricks" and len(view["trick"]) == view["players"] - 1
        for reason in puzzle.reason:
            for who in ("best", "other"):
                share = reason.parameters.get(f"{who}_share")
                if share is None:
                    continue
                is_certain = is_last and reason.code in ("tricks-now", "leads-next", "leaves-lead")
                if reason.code in CELL_CODES:
                    is_certain = free_after(view, reason.parameters[who], reason.parameters["row"]) == 1
                assert (share in (0, 100)) == is_certain, (puzzle.id, reason)
                seen[is_certain] += 1
    assert min(seen.values()) > 10


def free_after(view: View, veto: str, row: str) -> int:
    """How many cells of a row are free after a veto such as `veto trump red`."""
    assert view["board"] is not None
    cells = next(one["cells"] for one in view["board"] if one["row"] == row)
    return sum(cell["free"] and veto != f"veto {row} {cell['word']}" for cell in cells)
