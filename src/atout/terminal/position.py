"""A position of a round as a person at the table sees it, in parts that a terminal and a printed sheet lay out.

Everything is read from a view, so nothing is shown that the seat may not know.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, TypedDict

from atout.game import Game, View
from atout.game.view import SECRET_NAMES
from atout.terminal.words import Words


class BoardCell(TypedDict):
    """A cell of the veto board; `by` is the name of the player who vetoed it, empty while it is free."""

    text: str
    by: str


class BoardRow(TypedDict):
    title: str
    cells: list[BoardCell]


class PlayedTrick(TypedDict):
    """A trick by seats; the last one may be under way: no winner, and no card where a seat has not played yet."""

    number: int
    leader: int
    winner: int | None
    cards: list[str]


def board_rows(words: Words, view: View) -> list[BoardRow]:
    """The veto board and who vetoed which cell; empty where there is none."""
    return [
        {
            "title": words.t(f"row.{row['row']}"),
            "cells": [
                {
                    "text": words.cell(row["row"], cell["word"]),
                    "by": "" if cell["by"] is None else words.name(cell["by"]),
                }
                for cell in row["cells"]
            ],
        }
        for row in view["board"] or []
    ]


def tricks_of(view: View) -> list[PlayedTrick]:
    """All tricks of the round up to now, the one under way last."""
    players = view["players"]
    plays = [action.split(" ") for action in view["actions"] if action.split(" ")[1] == "play"]
    found: list[PlayedTrick] = []
    for first in range(0, len(plays), players):
        cards = [""] * players
        for seat, _, card in plays[first : first + players]:
            cards[int(seat)] = card
        number = len(found)
        winner = view["trick_winners"][number] if number < len(view["trick_winners"]) else None
        found.append({"number": number + 1, "leader": int(plays[first][0]), "winner": winner, "cards": cards})
    return found


def views_before(record: Any, seat: int, places: Collection[tuple[int, int]]) -> dict[tuple[int, int], View]:
    """What a seat saw before some actions of a record, each named by its round and its place there, from 0."""
    found: dict[tuple[int, int], View] = {}
    place = 0
    for action, game in Game.steps(record):
        place = 0 if action is None else place + 1
        if (game.round - 1, place) in places and (game.round - 1, place) not in found:
            found[game.round - 1, place] = game.view(seat)
    return found


def conditions_text(words: Words, view: View) -> str:
    """What is trump and supertrump, and what tricks and loot count; empty before the vetoes are over."""
    held = view["conditions"]
    if held is None:
        return ""
    parts = {"trump": held["trump"], "super": held["super"], "points": str(held["points"])}
    return words.t("paper.then").join(words.row_and_cell(row, word) for row, word in parts.items())


def own_cards(words: Words, view: View) -> list[tuple[str, list[str]]]:
    """Cards the seat gave away or got, each with a title: only their owner knows them."""
    groups = []
    if view["chosen"]:
        held = view["conditions"]
        if view["phase"] in SECRET_NAMES:
            title = words.t(f"chosen.{view['phase']}")
        elif held is not None and held["discard"].startswith("pass-"):
            title = words.t("cell.in-row", row=words.t("chosen.passed"), cell="").strip()
        else:
            title = words.t("cell.in-row", row=words.t("chosen.discarded"), cell="").strip()
        if view["phase"] != "play" or view["piles"] is None:  # what was laid out is in the piles
            groups.append((title, view["chosen"]))
    if view["received"]:
        groups.append((words.t("cell.in-row", row=words.t("chosen.received"), cell="").strip(), view["received"]))
    return groups


def around(words: Words, view: View) -> str:
    """Who sits where: the others clockwise from the reader."""
    me, players = view["seat"] or 0, view["players"]
    others = ", ".join(words.name((me + step) % players) for step in range(1, players))
    return words.t("terminal.puzzle.around", names=others)


def dealer_text(words: Words, view: View) -> str:
    """Who dealt, where it decides who vetoes; else empty."""
    if view["board"] is None:
        return ""
    return words.t("cell.in-row", row=words.t("seat.dealer"), cell=words.name(view["dealer"])) + "."


def question(words: Words, view: View) -> str:
    """What the seat is asked."""
    title, note = words.prompt(view, [view["seat"] or 0])
    return f"{title}{' ' if title.endswith('?') else '. '}{note}".strip()


def sides_of(view: View) -> list[list[int]]:
    """The sides of the round, or the teams of the match; empty where everybody plays alone."""
    return view["sides"] or [team["seats"] for team in view["teams"] or []]


def sides_text(words: Words, view: View) -> str:
    """Who plays with whom, and who has the ×2 card; empty without sides."""
    if view["sides"] is None or view["players"] == 2:
        return ""
    text = f" {words.t('paper.against')} ".join(words.all_names(side) for side in view["sides"])
    if view["double"] is not None:
        text += f" · {words.t('log.double', who=words.name(view['double']))}"
    return text
