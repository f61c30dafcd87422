"""Editions told to people: all of them, and every word follows the data."""

from __future__ import annotations

import io
import json
import re
from typing import Any

import msgspec
import pytest
from rich.console import Console

from atout.editions import PUBLISHED, Edition, published
from atout.game import Setup
from atout.i18n import LANGUAGES, Texts
from atout.terminal import list_editions, show_edition


def shown(edition: Edition, width: int = 400, language: str = "en") -> str:
    file = io.StringIO()
    show_edition(edition, Console(file=file, width=width), Texts(language))
    return file.getvalue()


def listed(width: int = 200) -> str:
    file = io.StringIO()
    list_editions(Console(file=file, width=width))
    return file.getvalue()


def changed(name: str, part: str, **fields: Any) -> Edition:
    edition = published(name)
    return msgspec.structs.replace(
        edition, id="house", **{part: msgspec.structs.replace(getattr(edition, part), **fields)}
    )


def test_the_list_has_every_edition() -> None:
    lines = listed().splitlines()
    assert [line.split()[0] for line in lines] == ["id", *PUBLISHED]
    for name, line in zip(PUBLISHED, lines[1:], strict=True):
        edition = published(name)
        assert edition.name in line
        assert ", ".join(map(str, edition.counts)) in line
        assert f" {len(edition.deck.colours) * len(edition.deck.values)} " in line
        assert " / ".join(str(edition.players[count].rounds) for count in sorted(edition.players)) in line
        assert ("teams" in line) == (name == "nichtig")


def test_a_hundred_columns_hold_the_list() -> None:
    assert max(map(len, listed(100).splitlines())) <= 100
    assert len(listed(100).splitlines()) == 1 + len(PUBLISHED)


@pytest.mark.parametrize("name", PUBLISHED)
def test_an_edition_is_told_from_its_data(name: str) -> None:
    edition, text = published(name), shown(published(name))
    assert edition.name in text
    assert " ".join(map(str, edition.deck.values)) in text
    for seats in edition.players.values():
        assert str(seats.hand) in text.partition("\ncards in hand")[2].partition("\n")[0].split()
        assert str(seats.rounds) in text.partition("\nrounds")[2].partition("\n")[0].split()
    if edition.board is not None:
        assert ", ".join(edition.board.trump) in text
        assert ", ".join(map(str, edition.board.points)).replace("-", "−") in text
    assert f"docs/rules/{name}.md" in text


FLIPS: list[tuple[str, str, dict[str, Any], str, str]] = [
    ("niet-2015", "trick", {"void": "trump"}, "otherwise play any card", "must play a trump"),
    ("niet-2015", "trick", {"ties": "first"}, "the one played last wins", "the one played first wins"),
    ("niet-2015", "trick", {"supertrump_suit": "printed"}, "belong to the trump suit", "keep their printed colour"),
    ("niet-2015", "match", {"scoring": "difference"}, "scores its own sum", "scores its lead"),
    ("niet-2015", "match", {"scoring": "difference"}, '"total", "difference"', '"difference", "total"'),
    ("niet-2015", "match", {"target": "exceeded"}, "reaches an agreed target", "exceeds an agreed target"),
    ("niet-2015", "match", {"target": None}, "target", "full"),
    (
        "niet-2015",
        "match",
        {"next_dealer": "left-of-start"},
        "left of the dealer deals",
        "left of the start player deals",
    ),
    ("niet-2015", "match", {"double": False}, "×2 card", "on their side in this round"),
    ("niet-2015", "board", {"first": "left-of-dealer"}, "The dealer begins", "The player left of the dealer begins"),
    ("niet-2015", "board", {"discard": ("none", "two-not-1")}, "pass 1 card left", "2 cards, no 1s"),
    ("nichtig", "trick", {"ties": "last"}, "the card played first", "the card played last"),
    ("nichtig", "match", {"target": "reached"}, "exceeds an agreed target", "reaches an agreed target"),
]


@pytest.mark.parametrize(("name", "part", "fields", "before", "after"), FLIPS)
def test_changing_a_field_changes_the_words(
    name: str, part: str, fields: dict[str, Any], before: str, after: str
) -> None:
    house = shown(changed(name, part, **fields))
    assert before in shown(published(name))
    assert before not in house
    assert after in house
    assert "docs/rules" not in house, "a house edition has no page"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", PUBLISHED)
def test_options_are_shown_as_they_are_typed(name: str, language: str) -> None:
    options = shown(published(name), language=language).partition("\nlength ")[2]
    lengths, _, rest = f"length {options}".partition("\n")
    told = [json.loads(found) for found in re.findall(r'"\w+"(?!:)|\{[^}]*\}', lengths)]
    assert "full" in told
    for length in told:
        Setup.of(name, 4, {"length": length})
    example = re.search(r"--options '(.+)'", rest)
    assert example is not None
    Setup.of(name, 4, json.loads(example[1]))
    assert ("teams    false, true" in options or "teams   false, true" in options) == (name == "nichtig")


@pytest.mark.parametrize("language", ["fr", "de"])
@pytest.mark.parametrize("name", PUBLISHED)
def test_an_edition_is_told_in_the_readers_language(name: str, language: str) -> None:
    text, texts = shown(published(name), language=language), Texts(language)
    for key in ("terminal.editions.rules", "paper.rules.deck", "paper.rules.end", "paper.hand"):
        assert texts.t(key) in text
    assert not re.search(
        r"\b(the|players|colour|winner|rules in short)\b", text.replace("docs/rules", ""), re.IGNORECASE
    )
