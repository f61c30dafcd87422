"""The summary of a finished match: what lists and statistics need of its record, worked out once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np

from atout.game import Game, Setup
from atout.game.record import read, setup_of
from atout.game.view import PastRound
from atout.protocol.rest import RecordSummary
from atout.search.gain import gains, partners


def summary_of(record: dict[str, Any], totals: list[int], winners: list[int], past: Sequence[PastRound]) -> bytes:
    """The summary of a record, with its results as the game tells them."""
    summary = RecordSummary(
        players=record["players"],
        names=record["names"],
        totals=totals,
        winners=winners,
        rounds=len(record["rounds"]),
        bots=record["bots"],
        stand_ins=record.get("stand_ins", []),
    )
    _add_rounds(summary, setup_of(read(record)), past)
    return msgspec.json.encode(summary)


def completed(summary: bytes, body: bytes) -> bytes:
    """A summary written by an older version, with what it lacks; from the body of the record, which is played again."""
    whole = msgspec.json.decode(summary, type=RecordSummary)
    game = Game.from_record(msgspec.json.decode(body), auto_deal=False)
    _add_rounds(whole, game.setup, game.past())
    return msgspec.json.encode(whole)


def _add_rounds(summary: RecordSummary, setup: Setup, past: Sequence[PastRound]) -> None:
    seats = range(setup.players)
    parties = [tuple(partners(setup, seat)) for seat in seats]
    teams = sorted({party for party in parties if len(party) > 1})
    summary.round_points = [one["scores"] for one in past]
    if past:
        points = np.array(summary.round_points, np.float64)
        by_seat = np.array([gains(points, setup, seat) for seat in seats])
        summary.gains = [[round(gain, 2) for gain in row] for row in by_seat.T.tolist()]
    sides = [one.get("sides") or [list(team) for team in teams] for one in past]
    summary.sides = sides if any(sides) else []
    if summary.winners:
        summary.places, summary.margins = places(summary.totals, parties)


def places(totals: Sequence[int], parties: Sequence[tuple[int, ...]]) -> tuple[list[int], list[int]]:
    """The place of each seat, and how many points it is ahead of the best of the others; a team has both together.

    >>> places([20, 31, 20, 4], [(0,), (1,), (2,), (3,)])
    ([2, 1, 2, 4], [-11, 11, -11, -27])
    >>> places([20, 31, 20, 4], [(0, 2), (1, 3), (0, 2), (1, 3)])
    ([1, 2, 1, 2], [5, -5, 5, -5])
    """
    standing = {party: sum(totals[seat] for seat in party) for party in parties}
    places = [1 + sum(other > standing[party] for other in standing.values()) for party in parties]
    margins = [standing[party] - max(standing[other] for other in standing if other != party) for party in parties]
    return places, margins
