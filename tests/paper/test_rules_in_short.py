"""The sheets of `atout print rules`: what they say is what the rules are, in every language.

A sentence of another language cannot be compared by a program, so each fact has words that must stand there, or must
not. Who leads a round of Null & nichtig is taken from matches that the engine plays.
"""

from __future__ import annotations

import contextlib
import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pypdf import PdfReader

from atout.cli import main
from atout.editions import PUBLISHED
from atout.game import Game
from atout.game.knowledge import new_rng
from atout.i18n import LANGUAGES, speak

ROOT = Path(__file__).parents[2]
Sheet = Callable[[str, str], str]


@pytest.fixture
def sheet(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Sheet]:
    def printed(edition: str, language: str) -> str:
        """The text of a sheet as the command writes it, on one line."""
        path = tmp_path / f"{edition}.{language}.pdf"
        command = ["atout", "print", "rules", "--edition", edition, "--language", language, "--out", str(path)]
        monkeypatch.setattr(sys, "argv", command)
        with contextlib.suppress(SystemExit):
            main()
        (page,) = PdfReader(path).pages
        return " ".join(page.extract_text().split())

    yield printed
    speak("en")


# -------------------------------------------------------------------- Null & nichtig §6.1: who leads the next round


def rounds_with_another_leader() -> list[tuple[list[int], list[int], int]]:
    """The scores of a round, the totals after it, and who leads the next one; only where the lowest total is not that
    of the lowest score.
    """
    found = []
    for seed in range(20):
        game, rng = Game.new("nichtig", 4, seed), new_rng(seed, 1)
        while not game.is_over:
            finished = len(game.past())
            game.play_randomly(rng)
            if len(game.past()) == finished or game.is_over:
                continue
            scores, totals = list(game.past()[-1]["scores"]), list(game.totals)
            lowest, behind = scores.index(min(scores)), totals.index(min(totals))
            if scores.count(min(scores)) == totals.count(min(totals)) == 1 and lowest != behind:
                leader = game.view(None)["leader"]
                assert leader is not None
                found.append((scores, totals, leader))
    return found


def test_the_lowest_score_of_the_round_leads_the_next_and_not_the_lowest_total() -> None:
    found = rounds_with_another_leader()
    assert len(found) >= 5
    for scores, totals, leader in found:
        assert scores[leader] == min(scores)
        assert totals[leader] > min(totals)


LOWEST_OF_THE_ROUND = {
    "en": ("lowest score of the round", "scored least in this round"),
    "fr": ("le plus petit score de la manche", "le moins dans cette manche"),
    "de": ("in der Runde die wenigsten Punkte", "in der eben beendeten Runde die wenigsten Punkte",
           "in dieser Runde am wenigsten"),
}  # fmt: skip
"""How a text may say whose score decides. Without the round, “Wer am wenigsten Punkte hat” is about the total."""
TOTALS = {"en": "totals do not matter", "fr": "totaux n’y jouent aucun rôle", "de": "Gesamtpunkte spielen dabei keine"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sheet_says_whose_score_decides_who_leads(sheet: Sheet, language: str) -> None:
    text = sheet("nichtig", language)
    assert any(words in text for words in LOWEST_OF_THE_ROUND[language]), text
    assert TOTALS[language] in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_page_and_the_lesson_say_the_same(language: str) -> None:
    folder = ROOT / "docs/rules" if language == "en" else ROOT / "docs/rules" / language
    page = (folder / "nichtig.md").read_text(encoding="utf-8")
    (paragraph,) = re.findall(r"^\*\*6\.1\*\* .*$", page, re.MULTILINE)
    lesson = (ROOT / f"web/src/i18n/lessons/{language}.ts").read_text(encoding="utf-8")
    (end,) = re.findall(r'"lesson\.nichtig\.end\.text": (".*"),$', lesson, re.MULTILINE)
    for text in (paragraph, json.loads(end)):
        assert any(words in text for words in LOWEST_OF_THE_ROUND[language]), text
    assert TOTALS[language] in paragraph


# -------------------------------------------------------------------- the four sheets


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sheet_tells_only_what_its_edition_has(sheet: Sheet, language: str) -> None:
    texts = {edition: sheet(edition, language) for edition in PUBLISHED}
    # njet-1997 §4.3 has no ×2 card, §5.5 no passing; the later editions have both
    for edition, text in texts.items():
        assert ("×2" in text) == (edition in ("njet-2007", "niet-2015")), edition
        passing = {"en": r"\bpass", "fr": "voisin", "de": "weiter|nach links"}[language]
        assert bool(re.search(passing, text)) == (edition in ("njet-2007", "niet-2015")), edition
    alone = {"en": "lone player", "fr": "joue seul", "de": "Wer allein spielt"}[language]
    assert alone in texts["njet-1997"]
    # §7.4: in 2007 nobody scores a side's sum, only the lead; in the others everybody scores the sum
    lead = {"en": "scores the lead", "fr": "marque l’avance", "de": "den Vorsprung"}[language]
    whole = {"en": "scores the sum", "fr": "marque la somme", "de": "die Summe"}[language]
    for edition in ("njet-1997", "njet-2007", "niet-2015"):
        assert (lead in texts[edition]) == (edition == "njet-2007"), edition
        assert (whole in texts[edition]) == (edition != "njet-2007"), edition
    # §5.5: what is passed goes to the left neighbour
    left = {"en": "left", "fr": "voisin de gauche", "de": "nach links"}[language]
    assert left in texts["njet-2007"]
    assert left in texts["niet-2015"]
