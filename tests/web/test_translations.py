"""The rules in French and German say what the English pages say: the same paragraphs, tables and numbers."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from atout.bots import LEVELS
from atout.editions import PUBLISHED
from atout.terminal.reasons import WORDS
from atout.web_export.pages import LANGUAGES, read_page, rules_pages

ENGLISH = (Path(__file__).parents[2] / "web" / "src" / "i18n" / "en.ts").read_text(encoding="utf-8")
"""The English catalogue; tests of the page hold the other languages to it."""
RULES = Path(__file__).parents[2] / "docs" / "rules"
TRANSLATED = [language for language in LANGUAGES if language != "en"]
FIGURES = re.compile(r"[RYBGKP]\d+|§\d+(?:\.\d+)?|`[^`]*`|\d+")


def paragraphs(page: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {part["number"]: part for section in page["sections"] for part in section["paragraphs"]}


def figures(text: str) -> Counter[str]:
    """Cards, references, code and numbers: what a translation keeps as it is."""
    return Counter(FIGURES.findall(text))


@pytest.mark.parametrize("edition", PUBLISHED)
@pytest.mark.parametrize("language", TRANSLATED)
def test_same_paragraphs_and_figures(language: str, edition: str) -> None:
    english = paragraphs(rules_pages(RULES, "en")[edition])
    other = paragraphs(rules_pages(RULES, language)[edition])
    assert list(other) == list(english)
    for number, paragraph in english.items():
        found = other[number]
        assert figures(found["text"]) == figures(paragraph["text"]), f"§{number}"
        assert [list(block) for block in found["blocks"]] == [list(block) for block in paragraph["blocks"]], (
            f"§{number}"
        )
        for mine, theirs in zip(found["blocks"], paragraph["blocks"], strict=True):
            if "table" in theirs:
                assert [[figures(cell) for cell in row] for row in mine["table"]] == [
                    [figures(cell) for cell in row] for row in theirs["table"]
                ], f"§{number}"
            else:
                assert figures(*mine.values()) == figures(*theirs.values()), f"§{number}"


@pytest.mark.parametrize("edition", PUBLISHED)
@pytest.mark.parametrize("language", TRANSLATED)
def test_nothing_is_left_in_english(language: str, edition: str) -> None:
    english = paragraphs(rules_pages(RULES, "en")[edition])
    other = paragraphs(rules_pages(RULES, language)[edition])
    same = [
        number
        for number, paragraph in english.items()
        if paragraph["text"] and paragraph["text"] == other[number]["text"]
    ]
    assert same == []


@pytest.mark.parametrize("edition", PUBLISHED)
def test_every_line_of_a_page_is_read(edition: str) -> None:
    """Nothing under a section is lost: a line is a paragraph, a part of one, or a heading."""
    text = (RULES / f"{edition}.md").read_text(encoding="utf-8")
    body = text[text.index("\n## 1 ") :]
    page = read_page(text)
    numbers = re.findall(r"^\*\*(\d+\.\d+)\*\*", body, re.MULTILINE)
    assert list(paragraphs(page)) == numbers
    notes = sum("note" in block for part in paragraphs(page).values() for block in part["blocks"])
    assert notes == body.count("\n> ")
    assert page["sections"][-1]["text"].startswith("Cards are written")


def test_two_tables_in_a_row_stay_two() -> None:
    blocks = paragraphs(rules_pages(RULES, "en")["niet-2015"])["3.1"]["blocks"]
    assert [len(block["table"]) for block in blocks if "table" in block] == [6, 5]


def test_the_page_has_words_for_every_reason_of_the_bots() -> None:
    for code in WORDS:
        key = "reason.thumb.veto" if code == "rule-of-thumb" else f"reason.{code}"
        assert f'"{key}"' in ENGLISH, code


@pytest.mark.parametrize("level", LEVELS)
def test_the_page_has_a_name_for_every_level(level: str) -> None:
    assert f'"level.{level}"' in ENGLISH
