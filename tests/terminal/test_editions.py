"""Editions told to people: all of them, and every word follows the data."""

from __future__ import annotations

import io
from typing import Any

import msgspec
import pytest
from rich.console import Console

from atout.editions import PUBLISHED, Edition, published
from atout.terminal import list_editions, show_edition


def shown(edition: Edition, width: int = 400) -> str:
    file = io.StringIO()
    show_edition(edition, Console(file=file, width=width))
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
        assert str(seats.hand) in text.partition("\nhand")[2].partition("\n")[0].split()
        assert f"{seats.rounds} rounds with" in text
    if edition.board is not None:
        assert ", ".join(edition.board.super) in text
        assert ", ".join(map(str, edition.board.points)).replace("-", "−") in text
    assert f"docs/rules/{name}.md" in text


FLIPS: list[tuple[str, str, dict[str, Any], str, str]] = [
    ("niet-2015", "trick", {"void": "trump"}, "may play any card", "must play trump"),
    ("niet-2015", "trick", {"ties": "first"}, "the one played last wins", "the one played first wins"),
    ("niet-2015", "trick", {"supertrump_suit": "printed"}, "belong to the trump suit", "keep their printed colour"),
    ("niet-2015", "match", {"scoring": "difference"}, "scores the sum of the side", "scores what it is ahead by"),
    ("niet-2015", "match", {"scoring": "difference"}, "total, difference", "difference, total"),
    ("niet-2015", "match", {"target": "exceeded"}, "reaches the target", "exceeds the target"),
    ("niet-2015", "match", {"target": None}, "target score", "full"),
    (
        "niet-2015",
        "match",
        {"next_dealer": "left-of-start"},
        "left of the dealer deals",
        "left of the start player deals",
    ),
    ("niet-2015", "match", {"double": False}, "×2 card", "side for each round"),
    ("niet-2015", "board", {"first": "left-of-dealer"}, "The dealer covers", "The player left of the dealer covers"),
    ("niet-2015", "board", {"discard": ("none", "two-not-1")}, "pass 1 card left", "2 cards (not a 1)"),
    ("nichtig", "trick", {"ties": "last"}, "the one played first", "the one played last"),
    ("nichtig", "match", {"target": "reached"}, "exceeds the target", "reaches the target"),
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
