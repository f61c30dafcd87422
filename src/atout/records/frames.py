"""Records as tables for analysis: matches, rounds or decisions as rows of a data frame."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal

from atout.errors import UsageError
from atout.game import Game, Record
from atout.game.view import PastRound

Rows = Literal["matches", "rounds", "decisions"]


def match_row(number: int, game: Game) -> dict[str, Any]:
    setup = game.setup
    return {
        "record": number,
        "edition": setup.edition.id,
        "players": setup.players,
        "first_dealer": game.first_dealer,
        "rounds": len(game.past()),
        "is_over": game.is_over,
        "totals": game.totals,
        "winners": game.winners,
    }


def round_row(number: int, game: Game, index: int, past: PastRound) -> dict[str, Any]:
    fields: Any = past
    conditions = fields.get("conditions") or {}
    row: dict[str, Any] = {"record": number, "edition": game.setup.edition.id, "players": game.setup.players}
    row |= {"round": index, "scores": fields["scores"], "tricks": fields["tricks"], "loot": fields.get("loot")}
    return row | {f"board_{name}": conditions.get(name) for name in ("trump", "super", "points", "discard")}


def decision_rows(number: int, record: Any) -> Iterator[dict[str, Any]]:
    """A row for each action: the seat, what it had to choose from, and what it chose."""
    before: list[str] = []
    index = 0
    for action, game in Game.steps(record):
        if action is not None:
            yield {
                "record": number,
                "edition": game.setup.edition.id,
                "players": game.setup.players,
                "round": game.round,
                "decision": index,
                "seat": action.seat,
                "verb": action.verb,
                "action": str(action),
                "legal": before,
            }
            index += 1
        before = [str(one) for one in game.legal()]


def rows(records: Iterable[Record], what: Rows) -> Iterator[dict[str, Any]]:
    """The rows of a table, as plain data."""
    if what not in ("matches", "rounds", "decisions"):
        raise UsageError(f"rows: {what!r} is not allowed; allowed: matches, rounds, decisions")
    for number, record in enumerate(records):
        if what == "decisions":
            yield from decision_rows(number, record)
            continue
        game = Game.from_record(record, auto_deal=False)
        if what == "matches":
            yield match_row(number, game)
        else:
            for index, past in enumerate(game.past(), 1):
                yield round_row(number, game, index, past)


def to_frame(records: Iterable[Record], what: Rows = "matches") -> Any:
    """Records as a data frame: of polars if it is installed, else of pandas.

    `what` is `matches`, `rounds` (finished ones) or `decisions`. A record that breaks a rule raises `RecordError`.
    """
    found = list(rows(records, what))
    try:
        import polars
    except ImportError:
        try:
            import pandas
        except ImportError as error:
            message = "to_frame needs polars or pandas; install one with: pip install 'atout[research]'"
            raise ImportError(message) from error
        return pandas.DataFrame(found)
    return polars.DataFrame(found, infer_schema_length=None)
