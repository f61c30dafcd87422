"""The editions for people to read: a table of all, or one with its options and its rules in short.

The text is generated from the edition's data, so house rules are described as well as published ones; docs/rules has
the rules in full.
"""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console

from atout.editions import PUBLISHED, Edition, published
from atout.editions.schema import Board, Seats
from atout.game.options import MAX_TARGET
from atout.terminal.phrases import ROW_TITLES, capital, counted, giving, listed, signed
from atout.terminal.style import Painter

NOT_THERE = "–"


def list_editions(console: Console, editions: Iterable[Edition] | None = None) -> None:
    """Print a table of the published editions, or of those given."""
    paint = Painter(console)
    table = paint.table("id", "name", "players", "cards", "rounds", "options")
    for edition in editions or map(published, PUBLISHED):
        cells = [
            edition.id,
            edition.name,
            ", ".join(map(str, edition.counts)),
            str(_cards(edition)),
            " / ".join(str(seats.rounds) for seats in _tables(edition).values()),
            ", ".join(_options(edition)),
        ]
        table.add_row(*(paint.text(cell) for cell in cells))
    console.print(table)


def show_edition(edition: Edition, console: Console) -> None:
    """Print what depends on the number of players, the board, the rules in short and the options of an edition."""
    paint = Painter(console)
    paint.say(paint.text(edition.name, "bold"), f" ({edition.id})", f": {edition.subtitle}" if edition.subtitle else "")
    if edition.author:
        paint.say(f"A game by {edition.author}.")
    paint.space()
    _by_players(edition, paint)
    if edition.board is not None:
        paint.rule("Board")
        _facts(_board(edition.board), paint)
    paint.rule("Rules in short")
    _facts(_rules(edition), paint)
    paint.rule("Options")
    _facts(_options(edition), paint)
    if edition.id in PUBLISHED:
        paint.space()
        paint.say(f"The rules in full: docs/rules/{edition.id}.md")


def _facts(facts: dict[str, str], paint: Painter) -> None:
    table = paint.table("", "")
    table.show_header = False
    for name, text in facts.items():
        table.add_row(paint.text(name, "bold"), paint.text(text))
    paint.console.print(table)


def _by_players(edition: Edition, paint: Painter) -> None:
    seats = list(_tables(edition).values())
    rows = {"hand": [str(one.hand) for one in seats], "rounds": [str(one.rounds) for one in seats]}
    if any(one.short is not None for one in seats):
        rows["rounds of a short match"] = [NOT_THERE if one.short is None else str(one.short) for one in seats]
    if any(one.remove for one in seats):
        rows["removed of each colour"] = [" ".join(map(str, one.remove)) or NOT_THERE for one in seats]
    if any(one.sides for one in seats):
        rows["start player's side"] = [" or ".join(map(str, one.sides)) or "no teams" for one in seats]
    if any(one.lay for one in seats):
        rows["cards laid out"] = [str(one.lay) for one in seats]
    table = paint.table("players", *map(str, edition.counts))
    for name, cells in rows.items():
        table.add_row(*(paint.text(cell) for cell in (name, *cells)))
    paint.console.print(table)


def _tables(edition: Edition) -> dict[int, Seats]:
    """What changes with the number of players, fewest first."""
    return dict(sorted((int(count), seats) for count, seats in edition.players.items()))


def _cards(edition: Edition) -> int:
    return len(edition.deck.colours) * len(edition.deck.values)


def _options(edition: Edition) -> dict[str, str]:
    """Each option with its allowed values, the default first."""
    tables = _tables(edition)
    lengths = ["full"]
    if any(seats.short is not None for seats in tables.values()):
        lengths.append("short")
    if edition.match.target is not None:
        lengths.append(f"a target score of 1 to {MAX_TARGET}")
    options = {"length": ", ".join(lengths)}
    if edition.is_njet:
        options["scoring"] = ", ".join(sorted(("total", "difference"), key=lambda word: word != edition.match.scoring))
    teams = [str(count) for count, seats in tables.items() if seats.teams]
    if teams:
        options["teams"] = f"no, yes (with {listed(teams)} players)"
    return options


# -------------------------------------------------------------------- the rules, from the data


def _board(board: Board) -> dict[str, str]:
    rows = {
        "start": "the players",
        "discard": ", ".join(map(giving, board.discard)),
        "trump": ", ".join(board.trump),
        "super": ", ".join(board.super),
        "points": ", ".join(map(signed, board.points)),
    }
    return {ROW_TITLES[row]: cells for row, cells in rows.items()}


def _rules(edition: Edition) -> dict[str, str]:
    rules = {"deck": _deck(edition)}
    if edition.board is not None:
        rules |= _njet(edition, edition.board)
    else:
        rules |= _nichtig(edition)
    rules["match"] = _match(edition)
    return rules


def _deck(edition: Edition) -> str:
    values = " ".join(map(str, edition.deck.values))
    low = "" if edition.deck.low is None else f" The {edition.deck.low}s are the low cards."
    return f"{_cards(edition)} cards: {listed(edition.deck.colours)}, each {values}.{low}"


def _njet(edition: Edition, board: Board) -> dict[str, str]:
    low, trick = edition.deck.low, edition.trick
    first = "The dealer" if board.first == "dealer" else "The player left of the dealer"
    double = " The smaller side gets the ×2 card." if edition.match.double else ""
    void = "must play trump if they have it" if trick.void == "trump" else "may play any card"
    suit = "belong to the trump suit" if trick.supertrump_suit == "trump" else "keep their printed colour"
    sides = {
        "total": "Every member of a side scores the sum of the side.",
        "difference": "Every member of the better side scores what it is ahead by, the others 0.",
    }
    return {
        "vetoes": f"{first} covers the first cell, then clockwise, until every row has one free cell.",
        "teams": f"The start player chooses its side for each round.{double}",
        "following": f"Follow the led suit; those who cannot {void}. Supertrumps, the {low}s of one colour, {suit}.",
        "winning": "A supertrump beats everything; then the highest trump, then the highest card of the led suit. "
        f"Between equal cards the one played {trick.ties} wins.",
        "score": f"Tricks and {low}s captured from the other side, times the points of the round. "
        f"{sides[edition.match.scoring]}",
    }


def _nichtig(edition: Edition) -> dict[str, str]:
    return {
        "laying out": "Everyone lays some cards face up as first piles, one for each colour.",
        "following": "Any card may be played, always.",
        "winning": f"The highest number; between equal ones the one played {edition.trick.ties}. The winner lays the "
        "cards of the trick on their piles, their own card first, then clockwise.",
        "score": "The sum of the top cards of one's piles.",
    }


def _match(edition: Edition) -> str:
    rounds = [f"{counted(seats.rounds, 'round')} with {count} players" for count, seats in _tables(edition).items()]
    ends = {"reached": "reaches", "exceeded": "exceeds", None: ""}[edition.match.target]
    target = f" Or until a total {ends} the target score." if ends else ""
    next_dealer = "dealer" if edition.match.next_dealer == "left-of-dealer" else "start player"
    dealer = f" The player left of the {next_dealer} deals next." if edition.is_njet else ""
    return f"{capital(listed(rounds))}.{target}{dealer} The highest total wins."
