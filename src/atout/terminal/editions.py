"""The editions for people to read: a table of all, or one with its options and its rules in short.

The text is generated from the edition's data, so house rules are described as well as published ones; docs/rules has
the rules in full. The sentences are those of the printed rules (`paper.rules.…`).
"""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console

from atout.editions import PUBLISHED, Edition, published
from atout.editions.schema import Board, Seats
from atout.game.options import MAX_TARGET
from atout.i18n import Texts
from atout.terminal.style import Painter
from atout.terminal.words import Words

NOT_THERE = "–"
TARGET = 100
"""The target score of the examples."""


def list_editions(console: Console, editions: Iterable[Edition] | None = None, texts: Texts | None = None) -> None:
    """Print a table of the published editions, or of those given."""
    paint = Painter(console, texts)
    t = paint.texts.t
    table = paint.table(
        "id",
        t("terminal.editions.name"),
        t("paper.players"),
        t("terminal.editions.cards"),
        t("paper.rounds"),
        t("terminal.editions.options"),
    )
    for edition in editions or map(published, PUBLISHED):
        cells = [
            edition.id,
            edition.name,
            ", ".join(map(str, edition.counts)),
            str(_cards(edition)),
            " / ".join(str(seats.rounds) for seats in _tables(edition).values()),
            ", ".join(_options(edition, paint.texts)),
        ]
        table.add_row(*(paint.text(cell) for cell in cells))
    console.print(table)


def show_edition(edition: Edition, console: Console, texts: Texts | None = None) -> None:
    """Print what depends on the number of players, the board, the rules in short and the options of an edition."""
    paint = Painter(console, texts)
    t = paint.texts.t
    named = paint.joined([paint.text(edition.name, "bold"), f" ({edition.id})"], "")
    subtitle = t(f"terminal.editions.subtitle.{edition.id}") if edition.id in PUBLISHED else edition.subtitle
    paint.say(paint.filled("cell.in-row", row=named, cell=subtitle) if subtitle else named)
    if edition.author:
        paint.say(t("terminal.editions.by", author=edition.author))
    paint.space()
    _by_players(edition, paint)
    if edition.board is not None:
        paint.rule(t("board.label"))
        _facts(_board(edition.board, Words(paint.texts, [], None, edition.deck.low)), paint)
    paint.rule(t("terminal.editions.rules"))
    _facts(_rules(edition, paint.texts), paint)
    paint.rule(t("terminal.editions.options"))
    _facts(_options(edition, paint.texts), paint)
    paint.say(t("terminal.score.example", example=f"--options '{_example(edition)}'"))
    if edition.id in PUBLISHED:
        paint.space()
        folder = "docs/rules" if paint.texts.language == "en" else f"docs/rules/{paint.texts.language}"
        paint.say(t("terminal.editions.full", path=f"{folder}/{edition.id}.md"))


def _facts(facts: dict[str, str], paint: Painter) -> None:
    table = paint.table("", "")
    table.show_header = False
    for name, text in facts.items():
        table.add_row(paint.text(name, "bold"), paint.text(text))
    paint.console.print(table)


def _by_players(edition: Edition, paint: Painter) -> None:
    seats, t = list(_tables(edition).values()), paint.texts.t
    rows = {"paper.hand": [str(one.hand) for one in seats], "paper.rounds": [str(one.rounds) for one in seats]}
    if any(one.short is not None for one in seats):
        rows["terminal.editions.short"] = [NOT_THERE if one.short is None else str(one.short) for one in seats]
    if any(one.remove for one in seats):
        rows["paper.removed"] = [" ".join(map(str, one.remove)) or NOT_THERE for one in seats]
    if any(one.sides for one in seats):
        rows["paper.side"] = [" / ".join(map(str, one.sides)) or NOT_THERE for one in seats]
    if any(one.lay for one in seats):
        rows["paper.laid"] = [str(one.lay) for one in seats]
    table = paint.table(t("paper.players"), *map(str, edition.counts))
    for key, cells in rows.items():
        table.add_row(*(paint.text(cell) for cell in (t(key), *cells)))
    paint.console.print(table)


def _tables(edition: Edition) -> dict[int, Seats]:
    """What changes with the number of players, fewest first."""
    return dict(sorted((int(count), seats) for count, seats in edition.players.items()))


def _cards(edition: Edition) -> int:
    return len(edition.deck.colours) * len(edition.deck.values)


def _options(edition: Edition, texts: Texts) -> dict[str, str]:
    """Each option with its allowed values as they are typed, the default first."""
    tables = _tables(edition)
    lengths = ['"full"']
    if any(seats.short is not None for seats in tables.values()):
        lengths.append('"short"')
    fewest = min(seats.rounds for seats in tables.values())
    if fewest > 1:
        lengths.append(f'{{"rounds": {fewest - 1}}}')
    if edition.match.target is not None:
        lengths.append(f'{{"target": {TARGET}}}')
    options = {"length": ", ".join(lengths)}
    if edition.match.target is not None:
        options["length"] += f" ({texts.t('terminal.editions.target', most=MAX_TARGET)})"
    if edition.is_njet:
        ways = sorted(("total", "difference"), key=lambda word: word != edition.match.scoring)
        options["scoring"] = ", ".join(f'"{way}"' for way in ways)
    teams = [str(count) for count, seats in tables.items() if seats.teams]
    if teams:
        options["teams"] = f"false, true ({texts.t('terminal.editions.with', players=texts.listed(teams))})"
    return options


def _example(edition: Edition) -> str:
    """Options that this edition takes, as they are typed."""
    if edition.match.target is not None:
        return f'{{"length": {{"target": {TARGET}}}}}'
    if any(seats.short is not None for seats in edition.players.values()):
        return '{"length": "short"}'
    return '{"length": "full"}'


# -------------------------------------------------------------------- the rules, from the data


def _board(board: Board, words: Words) -> dict[str, str]:
    facts = {words.t("row.start"): words.t("paper.rules.everyone")}
    for row in ("discard", "trump", "super", "points"):
        cells = [words.cell(row, str(word)) for word in getattr(board, row)]
        facts[words.t(f"row.{row}")] = ("; " if any("," in cell for cell in cells) else ", ").join(cells)
    return facts


def _rules(edition: Edition, texts: Texts) -> dict[str, str]:
    """What a printed sheet says of the rules, in a row for each part of a round."""
    rules = {texts.t("paper.rules.deck"): _deck(edition, texts)}
    rules |= _njet(edition, edition.board, texts) if edition.board is not None else _nichtig(edition, texts)
    rules[texts.t("paper.rules.end")] = _match(edition, texts)
    return rules


def _deck(edition: Edition, texts: Texts) -> str:
    values = " ".join(map(str, edition.deck.values))
    parts = [
        f"{texts.t('paper.rules.deck.text', n=_cards(edition))} {values}.",
        texts.t(
            "terminal.editions.colours", colours=texts.listed(texts.t(f"colour.{one}") for one in edition.deck.colours)
        ),
    ]
    if edition.deck.low is not None:
        parts.append(texts.t("terminal.editions.low", low=edition.deck.low))
    return " ".join(parts)


def _njet(edition: Edition, board: Board, texts: Texts) -> dict[str, str]:
    t, low, trick = texts.t, edition.deck.low, edition.trick
    ties = t(f"paper.rules.ties.{trick.ties}")
    return {
        t("terminal.editions.vetoes"): t("paper.rules.veto", first=t(f"paper.rules.first.{board.first}")),
        t("paper.rules.sides"): _sentences(
            t("paper.rules.sides.text"), t("paper.rules.double") if edition.match.double else ""
        ),
        t("row.discard"): t("paper.rules.discard.text"),
        t("paper.rules.tricks"): _sentences(
            t(f"paper.rules.follow.{trick.void}"),
            t("paper.rules.wins", low=low, ties=ties),
            t(f"paper.rules.supersuit.{trick.supertrump_suit}"),
            t("paper.rules.loot", low=low),
        ),
        t("paper.rules.score"): _sentences(
            t("paper.rules.score.njet"), t(f"sheet.scoring.note.{edition.match.scoring}")
        ),
    }


def _nichtig(edition: Edition, texts: Texts) -> dict[str, str]:
    t, ties = texts.t, texts.t(f"paper.rules.ties.{edition.trick.ties}")
    return {
        t("paper.rules.lay"): t("paper.rules.lay.text"),
        t("paper.rules.tricks"): _sentences(t("paper.rules.tricks.nichtig", ties=ties), t("paper.rules.collect")),
        t("paper.rules.score"): _sentences(t("paper.rules.score.nichtig"), t("paper.rules.leader.nichtig")),
    }


def _match(edition: Edition, texts: Texts) -> str:
    target, t = edition.match.target, texts.t
    return _sentences(
        t("paper.rules.end.text"),
        "" if target is None else t(f"paper.rules.target.{target}"),
        t(f"terminal.editions.dealer.{edition.match.next_dealer}") if edition.is_njet else "",
    )


def _sentences(*parts: str) -> str:
    return " ".join(filter(None, parts))
