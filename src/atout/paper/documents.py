"""The data of each document, in the reader's language. No rule is written here: editions and games have them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

import msgspec

from atout import puzzles
from atout.editions import PUBLISHED, Edition
from atout.game import Game, Setup
from atout.game.view import teams
from atout.i18n import Texts
from atout.sheet import Sheet, is_over, score_rounds
from atout.sheet.facts import splits_of
from atout.study.model import RoundLedger
from atout.study.shown import shown_ledger, tenths
from atout.terminal.phrases import by_colour
from atout.terminal.position import (
    BoardRow,
    PlayedTrick,
    board_rows,
    dealer_text,
    own_cards,
    question,
    sides_text,
    tricks_of,
)
from atout.terminal.seats import distinct, recorded_names
from atout.terminal.summary import RoundSummary, summary_of
from atout.terminal.words import Words

ROOM = 173.0
"""Millimetres for the tables of a score sheet on one page, less the legend; A4 is the lower paper when it lies."""
TABLE, GAP = 42.0, 5.0
"""Millimetres of a table without its rows: title, header and totals; and between two tables."""
TEAMS = 7.0
"""Millimetres of the line that says who is with whom."""
ROW, LOWEST_ROW = 18.0, 9.0
"""The tallest row, and the lowest one that can be written in."""


def edition_name(edition: Edition, texts: Texts) -> str:
    return texts.t(f"edition.{edition.id}") if edition.id in PUBLISHED else edition.name


def score_sheet(edition: Edition, players: int, texts: Texts) -> dict[str, Any]:
    """A blank sheet with a row for every round of a full match."""
    rounds = edition.at(players).rounds
    rows = [_blank_row(edition, players, number) for number in range(1, rounds + 1)]
    names = [""] * players
    return _sheet(Setup.of(edition, players), texts, names, rows, [""] * players)


def _blank_row(edition: Edition, players: int, number: int) -> dict[str, Any]:
    seat: dict[str, Any] = {"counts": "", "score": "", "double": False, "tops": [""] * len(edition.deck.colours)}
    return {
        "number": number, "start": "", "discard": "", "trump": "", "super": "", "points": "", "sides": [],
        "seats": [seat] * players,
    }  # fmt: skip


def _sheet(
    setup: Setup,
    texts: Texts,
    names: list[str],
    rows: list[dict[str, Any]],
    totals: list[str],
    team_totals: Sequence[str] = (),
) -> dict[str, Any]:
    edition, players = setup.edition, setup.players
    splits = splits_of(setup) if edition.is_njet else []
    blocks = 2 if not any(names) and _row_height(2, len(rows)) >= LOWEST_ROW else 1
    return {
        "kind": "sheet",
        "flipped": True,
        "title": edition_name(edition, texts),
        "note": f"{texts.t('sheet.title')} · {texts.t('sheet.players', n=players)}",
        "game": edition.game,
        "players": players,
        "names": names,
        "deck": list(edition.deck.colours),
        "rows": rows,
        "row_mm": min(ROW, _row_height(blocks, len(rows), TEAMS if team_totals else 0.0)),
        "blocks": blocks,
        "totals": totals,
        "teams": " · ".join(team_totals),
        "filled": any(names),
        "has_sides": bool(splits),
        "texts": {
            "round": texts.t("sheet.round"),
            "start": texts.t("row.start"),
            "discard": texts.t("row.discard"),
            "trump": texts.t("row.trump"),
            "super": texts.t("row.super"),
            "points": texts.t("paper.points-each"),
            "sides": texts.t("paper.rules.sides"),
            "counts": texts.t("sheet.detail"),
            "score": texts.t("paper.score"),
            "sum": texts.t("paper.sum"),
            "tops": texts.t("round-end.tops"),
            "total": texts.t("sheet.total"),
            "legend": _legend(setup, splits, any(names), texts),
        },
    }


def _row_height(blocks: int, rows: int, used: float = 0.0) -> float:
    """Millimetres for a row when so many tables of so many rows share a page, and something else uses room, too."""
    return (ROOM - used - blocks * TABLE - (blocks - 1) * GAP) / (blocks * rows)


def _legend(setup: Setup, splits: Sequence[Mapping[str, Any]], filled: bool, texts: Texts) -> str:
    """How a round is scored at this table: sides and doubled points are mentioned only where the table has them."""
    if not setup.edition.is_njet:
        return texts.t("paper.legend.tops" if filled else "paper.legend.nichtig")
    sentences = [texts.t("paper.legend.own")]
    holders = {split["double"] for split in splits} - {None}
    if holders:
        sentences.append(texts.t("paper.legend.alone" if holders == {1} else "paper.legend.double"))
    scoring = setup.options.scoring
    if splits:
        sentences.append(texts.t(f"paper.legend.sides.{scoring}"))
    elif scoring == "difference":
        sentences.append(texts.t("paper.legend.two.difference"))
    return " ".join(sentences)


def filled_sheet(kept: Sheet, texts: Texts) -> dict[str, Any]:
    """A sheet as it was kept, with the scores of its rounds, and empty rows for those to come."""
    setup, sheet, scores = kept.setup, msgspec.to_builtins(kept), score_rounds(kept)
    edition, seats = setup.edition, range(setup.players)
    names = [name or texts.t("sheet.player", n=seat + 1) for seat, name in enumerate(sheet["names"])]
    words = Words(texts, names, None, edition.deck.low)
    rows = []
    for number, (round, points) in enumerate(zip(sheet["rounds"], scores, strict=True), 1):
        row = _blank_row(edition, len(names), number)
        row["seats"] = [_filled(round, seat, points[seat], texts) for seat in seats]
        if round["kind"] == "njet":
            side = sorted(round["side"])
            row |= {
                "start": "" if round["start"] is None else names[round["start"]],
                "discard": words.cell("discard", round["discard"]),
                "trump": _colour(round["trump"], words),
                "super": _colour(round["super"], words),
                "points": texts.number(round["points"]),
                "sides": [words.all_names(side), words.all_names([seat for seat in seats if seat not in side])],
            }
        rows.append(row)
    # with a target score nobody knows how many rounds will come: as many rows as on a blank sheet
    least = len(rows) if is_over(kept) else setup.options.rounds or edition.at(setup.players).rounds
    for number in range(len(rows) + 1, least + 1):
        row = _blank_row(edition, len(names), number)
        row["seats"] = [{**seat, "cards": ""} for seat in row["seats"]]
        rows.append(row)
    totals = [sum(points[seat] for points in scores) for seat in seats]
    team_totals = words.team_totals(teams(setup, totals, totals))
    empty = [_blank_row(edition, len(names), 1)]
    return _sheet(setup, texts, names, rows or empty, [texts.number(total) for total in totals], team_totals)


def _colour(word: str | None, words: Words) -> str:
    return "" if word is None else words.t("cell.none") if word == "none" else word


def _filled(round: Mapping[str, Any], seat: int, score: int, texts: Texts) -> dict[str, Any]:
    """A sheet does not say which colour a top card has, so the cards of a player are one text."""
    counts = f"{round['tricks'][seat]} + {round['loot'][seat]}" if round["kind"] == "njet" else ""
    cards = " + ".join(map(str, round["tops"][seat])) if round["kind"] == "tops" else ""
    return {"counts": counts, "score": texts.number(score), "double": round.get("double") == seat, "cards": cards}


# -------------------------------------------------------------------- rules in short


def rules_in_short(edition: Edition, texts: Texts) -> dict[str, Any]:
    """One sheet: deck, board, course of a round, score, end of the match."""
    t = texts.t
    counts = texts.listed(map(str, edition.counts))
    total = len(edition.deck.colours) * len(edition.deck.values)
    low = edition.deck.low
    sections: list[dict[str, Any]] = [
        {
            "title": t("paper.rules.deck"),
            "text": [t("paper.rules.deck.text", n=total)],
            "kind": "deck",
            "values": " ".join(map(str, edition.deck.values)),
            "colours": list(edition.deck.colours),
        }
    ]
    sections.append(
        {"title": t("paper.rules.players"), "text": [], "kind": "table", "rows": _by_players(edition, texts)}
    )
    if edition.board is not None:
        words = Words(texts, [], None, low)
        cells: list[dict[str, Any]] = [
            {"title": t("row.start"), "cells": [{"text": t("paper.rules.everyone"), "colour": None}]}
        ]
        for row in ("discard", "trump", "super", "points"):
            listed = [
                {
                    "text": words.cell(row, str(word)),
                    "colour": word if isinstance(word, str) and word in edition.deck.colours else None,
                }
                for word in getattr(edition.board, row)
            ]
            cells.append({"title": t(f"row.{row}"), "cells": listed})
        first = t(f"paper.rules.first.{edition.board.first}")
        sections.append(
            {"title": t("board.label"), "text": [t("paper.rules.veto", first=first)], "kind": "board", "rows": cells}
        )
        sections.append(_section(t("paper.rules.sides"), t("paper.rules.sides.text"), _doubled(edition, texts)))
        passes = any(word.startswith("pass-") for word in edition.board.discard)
        sections.append(_section(t("row.discard"), t(f"paper.rules.discard.{'text' if passes else 'only'}")))
        suit = t(f"paper.rules.supersuit.{edition.trick.supertrump_suit}", low=low)
        ties = t(f"paper.rules.ties.{edition.trick.ties}")
        sections.append(
            _section(
                t("paper.rules.tricks"),
                t(f"paper.rules.follow.{edition.trick.void}"),
                t("paper.rules.wins", low=low, ties=ties),
                suit,
                t("paper.rules.loot", low=low),
            )
        )
        sections.append(
            _section(
                t("paper.rules.score"),
                t("paper.rules.score.njet"),
                t(f"paper.legend.sides.{edition.match.scoring}"),
            )
        )
    else:
        ties = t(f"paper.rules.ties.{edition.trick.ties}")
        sections.append(_section(t("paper.rules.lay"), t("paper.rules.lay.text")))
        sections.append(
            _section(t("paper.rules.tricks"), t("paper.rules.tricks.nichtig", ties=ties), t("paper.rules.collect"))
        )
        sections.append(
            _section(t("paper.rules.score"), t("paper.rules.score.nichtig"), t("paper.rules.leader.nichtig"))
        )
    target = [t(f"paper.rules.target.{edition.match.target}")] if edition.match.target else []
    sections.append(_section(t("paper.rules.end"), t("paper.rules.end.text"), *target))
    return {
        "kind": "rules",
        "title": edition_name(edition, texts),
        "note": t("rules.by", author=edition.author or "", players=counts),
        "sections": sections,
        "texts": {},
    }


def _doubled(edition: Edition, texts: Texts) -> str:
    """Whose points count double. Where only a lone player's do, no ×2 card is needed, and the box may have none."""
    if not edition.match.double:
        return ""
    smaller = {
        min(side, count - side) for count in edition.counts for side in edition.at(count).sides if 2 * side != count
    }
    return texts.t("paper.legend.alone" if smaller == {1} else "paper.rules.double")


def _section(title: str, *paragraphs: str) -> dict[str, Any]:
    return {"title": title, "text": [text for text in paragraphs if text], "kind": "text", "rows": []}


def _by_players(edition: Edition, texts: Texts) -> list[list[str]]:
    seats = {count: edition.at(count) for count in edition.counts}
    rows = [
        [texts.t("paper.players"), *map(str, seats)],
        [texts.t("paper.hand"), *(str(one.hand) for one in seats.values())],
    ]
    if any(one.remove for one in seats.values()):
        rows.append([texts.t("paper.removed"), *(", ".join(map(str, one.remove)) or "–" for one in seats.values())])
    if any(one.sides for one in seats.values()):
        rows.append([texts.t("paper.side"), *("/".join(map(str, one.sides)) or "–" for one in seats.values())])
    if any(one.lay for one in seats.values()):
        rows.append([texts.t("paper.laid"), *(str(one.lay) for one in seats.values())])
    rows.append([texts.t("paper.rounds"), *(str(one.rounds) for one in seats.values())])
    return rows


# -------------------------------------------------------------------- a match as a booklet


Ledgers = Mapping[int, Sequence[RoundLedger]]
"""By the number of a round, from 1: where the points of each seat came from."""


def booklet(record: Mapping[str, Any], texts: Texts, ledgers: Ledgers | None = None) -> dict[str, Any]:
    """A match: every round with its deal, board, tricks and result, and with its ledger where there is one."""
    summary = summary_of(record)
    game: Game = summary.game
    edition, players = game.setup.edition, game.setup.players
    recorded = distinct([name[:40] for name in recorded_names(record, players, texts)])
    names = [name or texts.t("sheet.player", n=seat + 1) for seat, name in enumerate(recorded)]
    words = Words(texts, names, None, edition.deck.low)
    rounds = [_booklet_round(one, words, list(edition.deck.colours)) for one in summary.rounds]
    for one in rounds:
        one["ledger"] = _ledger((ledgers or {}).get(one["number"], []), words)
    is_cut = bool(ledgers) and len(ledgers or {}) < sum(bool(played.tricks) for played in summary.rounds)
    winners = words.all_names(game.winners) if game.is_over else ""
    in_teams = game.view(None)["teams"]
    return {
        "kind": "booklet",
        "title": edition_name(edition, texts),
        "note": " · ".join([texts.t("sheet.players", n=players), *([texts.t("sheet.teams")] if in_teams else [])]),
        "result": texts.t("sheet.won", who=winners) if winners else "",
        "teams": words.team_totals(in_teams),
        "names": names,
        "deck": list(edition.deck.colours),
        "rounds": rounds,
        "curve": [[0] * players, *(one.view["totals"] for one in summary.rounds if one.result)],
        "texts": {
            "round": texts.t("sheet.round"),
            "dealt": texts.t("paper.dealt"),
            "board": texts.t("board.label"),
            "tricks": texts.t("paper.rules.tricks"),
            "loot": texts.t("paper.loot") if edition.is_njet else "",
            "result": texts.t("paper.result"),
            "marks": texts.t("paper.marks"),
            "ledger": texts.t("paper.ledger"),
            "ledger_note": texts.t(f"paper.ledger.note{'.teams' if in_teams else ''}") if ledgers else "",
            "named": texts.t("cell.in-row", row="", cell="").rstrip(),
            "then": texts.t("paper.then"),
            "ledger_missing": texts.t("paper.ledger.missing") if is_cut else "",
        },
    }


def _booklet_round(played: RoundSummary, words: Words, deck: list[str]) -> dict[str, Any]:
    view, t = played.view, words.t
    conditions = " · ".join(t("cell.in-row", row=title, cell=cell) for _, title, cell in words.conditions(view))
    tricks = []
    for number, trick in enumerate(played.tricks, 1):
        cards = {it["seat"]: it["card"] for it in trick.cards}
        tricks.append(
            {
                "number": number,
                "cards": [cards[seat] for seat in range(len(words.names))],
                "leader": trick.cards[0]["seat"],
                "winner": trick.winner,
                "loot": f"+{trick.loot}" if trick.loot else "",
            }
        )
    given = [{"name": words.name(seat), "cards": cards} for seat, cards in sorted(played.given.items())]
    return {
        "number": played.number,
        "title": t("sheet.round.title", n=played.number),
        "conditions": conditions,
        "sides": sides_text(words, view),
        "hands": [_groups(hand, deck) for hand in played.hands],
        "board": board_rows(words, view),
        "given": given,
        "given_title": {"discard": t("chosen.discarded"), "pass": t("chosen.passed")}.get(
            played.verb, t("paper.rules.lay")
        ),
        "tricks": tricks,
        "totals": [words.texts.number(total) for total in view["totals"]] if played.result else [""] * len(words.names),
        "scores": [f"{score:+d}".replace("-", "−") for score in played.result["scores"]]
        if played.result
        else [""] * len(words.names),
        "result": _result(played, words),
    }


def _ledger(seats: Sequence[RoundLedger], words: Words) -> list[list[str]]:
    """Header and a row for each seat; empty without a ledger."""
    if not seats:
        return []
    names = ("deal", "own", "partners", "opponents", "result")
    rows = [
        [words.name(seat), *(words.signed(float(getattr(shown_ledger(one), name))) for name in names)]
        for seat, one in enumerate(seats)
    ]
    return [["", *(words.t(f"terminal.review.column.{name}") for name in names)], *rows]


def _groups(hand: Sequence[str], deck: Sequence[str]) -> list[str]:
    groups = by_colour(hand)
    return [" ".join(card[1:] for card in groups.get(colour, [])) for colour in deck]


def _result(played: RoundSummary, words: Words) -> list[list[str]]:
    number, t = words.texts.number, words.t
    is_njet = played.view["loot"] is not None
    head = ["", t("paper.rules.tricks"), *([t("paper.loot")] if is_njet else []), t("row.points"), t("sheet.total")]
    if played.result is None:
        return [head]
    rows = []
    for seat in range(len(words.names)):
        loot = [str(played.result["loot"][seat])] if is_njet else []
        figures = [str(played.result["tricks"][seat]), *loot, number(played.result["scores"][seat])]
        rows.append([words.name(seat), *figures, number(played.view["totals"][seat])])
    for place, team in enumerate(played.view["teams"] or []):  # of Null & nichtig
        score = number(played.result["team_scores"][place])
        rows.append([words.side(played.view, place), "", score, number(team["total"])])
    return [head, *rows]


# -------------------------------------------------------------------- duplicate deals


SLIP_HEAD, SLIP_ROW = 14.0, 6.0
"""Millimetres of a slip: its heading and edges, and each colour."""


def deal_slips(edition: Edition, players: int, count: int, seed: int, texts: Texts) -> dict[str, Any]:
    """Deals with a slip for each seat to cut out, and a list of all hands for whoever directs the evening."""
    deck = list(edition.deck.colours)
    deals = []
    for number in range(1, count + 1):
        game = Game.new(edition, players, seed * 10_000 + number)
        played = game.record()["rounds"][0]
        opener = game.first_dealer if edition.is_njet else game.view(None)["leader"] or 0
        key = "paper.dealer" if edition.is_njet else "paper.leads"
        seats = [
            {
                "title": texts.t("paper.seat", n=seat + 1),
                "hand": list(zip(deck, _groups(hand.split(), deck), strict=True)),
            }
            for seat, hand in enumerate(played["hands"])
        ]
        deals.append({"number": number, "note": texts.t(key, n=opener + 1), "seats": seats})
    return {
        "kind": "deals",
        "title": edition_name(edition, texts),
        "note": f"{texts.t('paper.deals')} · {texts.t('sheet.players', n=players)}",
        "deck": deck,
        "deals": deals,
        "slip_mm": SLIP_HEAD + SLIP_ROW * len(deck),
        "texts": {
            "deal": texts.t("paper.deal"),
            "cut": texts.t("paper.cut", seed=seed),
            "director": texts.t("paper.director"),
        },
    }


# -------------------------------------------------------------------- puzzles


SHOWN_VALUES = 6
"""How many choices a solution lists with their values."""


class Puzzle(TypedDict):
    """A puzzle as it is printed: texts in the reader's language, cards in notation."""

    title: str
    text: str
    names: list[str]
    """The reader first, then clockwise; the lists and numbers of seats below are in this order, too."""
    own: list[tuple[str, list[str]]]
    """Cards that only the seat knows: discarded, passed, received."""
    board: list[BoardRow]
    tricks: list[PlayedTrick]
    won: list[list[str]]
    """By seat: tricks, and loot where the game has it."""
    piles: list[list[list[str]]]
    """By seat and colour of the deck, top card first; empty where there are none."""
    deck: list[str]
    hand: list[str]
    question: str
    solution: list[str]
    """Paragraphs."""


def printed(one: puzzles.Puzzle, texts: Texts) -> Puzzle:
    """A puzzle as a reader at the table sees it, and its solution."""
    game = one.game()
    view, edition = game.view(one.seat), game.setup.edition
    players = view["players"]
    names = [texts.t("sheet.player", n=(seat - one.seat) % players + 1) for seat in range(players)]
    words = Words(texts, names, one.seat, edition.deck.low)
    lines = [dealer_text(words, view), sides_text(words, view)]
    if any(view["totals"]):
        lines.append(texts.t("paper.puzzle.totals", points=words.result(view)))
    order = [(one.seat + place) % players for place in range(players)]
    tricks, loot, piles = tricks_of(view), view["loot"], view["piles"]
    for trick in tricks:
        trick["cards"] = [trick["cards"][seat] for seat in order]
        trick["leader"] = order.index(trick["leader"])
        trick["winner"] = None if trick["winner"] is None else order.index(trick["winner"])
    won = [[str(view["tricks"][seat]), *([] if loot is None else [str(loot[seat])])] for seat in order]
    return {
        "title": f"{edition_name(edition, texts)} · {texts.t('sheet.players', n=players)}",
        "text": "\n".join(line for line in lines if line),
        "names": [words.name(seat) for seat in order],
        "own": own_cards(words, view),
        "board": board_rows(words, view),
        "tricks": tricks,
        "won": won,
        "piles": _piles([piles[seat] for seat in order], edition) if piles is not None and any(piles) else [],
        "deck": list(edition.deck.colours),
        "hand": view["hand"],
        "question": question(words, view),
        "solution": _solution(one, words),
    }


def _piles(piles: Sequence[Sequence[Sequence[str]]], edition: Edition) -> list[list[list[str]]]:
    """The piles of each seat in the order of the deck's colours, top card first."""
    sorted_piles = []
    for own in piles:
        by_name = {colour: list(reversed(pile)) for pile in own for colour in by_colour(pile)}
        sorted_piles.append([by_name.get(colour, []) for colour in edition.deck.colours])
    return sorted_piles


def _solution(one: puzzles.Puzzle, words: Words) -> list[str]:
    """The answer, why, and what the choices are worth: all values are those of the puzzle's own comparison."""
    answers = " / ".join(words.button(action) for action in one.best)
    why = [line for reason in one.reason for line in words.reason(reason.code, reason.parameters)]
    ranked = sorted(one.values, key=lambda action: (action not in one.best, -one.values[action].known))
    worth = [
        words.t("cell.in-row", row=words.button(action), cell=words.signed(one.values[action].known))
        for action in ranked[:SHOWN_VALUES]
    ]
    paragraphs = [f"{answers}.", *([" ".join(why)] if why else [])]
    more = " …" if len(ranked) > SHOWN_VALUES else ""
    paragraphs.append(f"{words.t('terminal.puzzle.values')} {' · '.join(worth)}{more}")
    if len(ranked) > len(one.best):
        first, other = (tenths(one.values[action].known) for action in (ranked[0], ranked[len(one.best)]))
        what = words.button(ranked[len(one.best)])
        paragraphs.append(words.t("paper.puzzle.lead", n=words.decimal(first - other), other=what))
    return paragraphs


def puzzle_sheet(shown: Sequence[Puzzle], title: str, texts: Texts) -> dict[str, Any]:
    """Puzzles, and their solutions from a new page on."""
    numbered = [{"number": number, **puzzle} for number, puzzle in enumerate(shown, 1)]
    return {
        "kind": "puzzles",
        "title": title,
        "note": "",
        "puzzles": numbered,
        "texts": {
            "how": texts.t("paper.puzzle.how"),
            "hand": texts.t("cell.in-row", row=texts.t("hand.label"), cell="").strip(),
            "tricks": texts.t("paper.tricks"),
            "loot": texts.t("paper.loot"),
            "piles": texts.t("paper.puzzle.piles"),
            "answer": texts.t("paper.answer"),
            "solutions": texts.t("paper.solutions"),
        },
    }
