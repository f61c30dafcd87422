"""What came out: margins, wins, ratings, forfeits and speed, from the finished units in their order.

All but `speed` is the same whenever the units are; with a budget of nodes that is on every machine.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import msgspec

from atout.arena.duplicate import Duplicate, Played
from atout.arena.ratings import Rating, rate
from atout.arena.settings import Settings
from atout.arena.statistics import Estimate, estimate


class Pair(msgspec.Struct, frozen=True):
    """Two bots: a margin above 0 is in favour of the first."""

    bots: tuple[str, str]
    games: int
    margin: Estimate
    """Points a round and player: the first bot's mean minus the second's."""
    wins: Estimate | None
    """Of matches: the share the first bot has won; who shares a win has part of it."""
    margins: list[float]
    """Of every deal, over its seatings."""
    win_shares: list[float] | None


class Count(msgspec.Struct, frozen=True):
    """What a bot did."""

    bot: str
    decisions: int
    forfeits: dict[str, int]


class Speed(msgspec.Struct, frozen=True):
    """How long a bot took for the decisions it made; differs from run to run."""

    bot: str
    seconds: float
    decisions_per_second: float | None
    milliseconds: float | None
    """A decision, in the mean."""


class Results(msgspec.Struct, frozen=True):
    """The file of results."""

    arena: int
    settings: Settings
    deals: int
    pairs: list[Pair]
    ratings: list[Rating]
    """Best first."""
    bots: list[Count]
    speed: list[Speed]


def margin(game: Played) -> float:
    """Points a round and player by which `a` was better than `b`.

    >>> margin(Played("abb", [4, 1, 2], 1, []))
    2.5
    """
    a, b = ([s for s, letter in zip(game.scores, game.seating, strict=True) if letter == it] for it in "ab")
    return (sum(a) / len(a) - sum(b) / len(b)) / game.rounds


def win_share(game: Played) -> float:
    """The part of the win that is `a`'s.

    >>> win_share(Played("aabb", [7, 7, 7, 0], 8, [0, 1, 2]))
    0.6666666666666666
    """
    return sum(game.seating[seat] == "a" for seat in game.winners) / len(game.winners)


def mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def results(settings: Settings, units: Sequence[Duplicate]) -> Results:
    """Of all units, in the order of their numbers."""
    return Results(
        arena=1,
        settings=settings,
        deals=len(units) // len(settings.pairs),
        pairs=[_pair(settings, pair, units[i :: len(settings.pairs)]) for i, pair in enumerate(settings.pairs)],
        ratings=rate(settings.bots, [(*settings.place(unit.number)[1], _better(settings, unit)) for unit in units]),
        bots=[_count(name, units) for name in settings.bots],
        speed=[_speed(name, units) for name in settings.bots],
    )


def _better(settings: Settings, unit: Duplicate) -> float:
    """By how much the first bot of a unit was better than the second."""
    if settings.unit == "match":
        return mean([win_share(game) for game in unit.games]) - 0.5
    return mean([margin(game) for game in unit.games])


def _pair(settings: Settings, pair: tuple[str, str], units: Sequence[Duplicate]) -> Pair:
    margins = [mean([margin(game) for game in unit.games]) for unit in units]
    shares = None
    if settings.unit == "match":
        shares = [mean([win_share(game) for game in unit.games]) for unit in units]
    return Pair(
        bots=pair,
        games=sum(len(unit.games) for unit in units),
        margin=estimate(margins),
        wins=None if shares is None else estimate(shares, within=(0.0, 1.0)),
        margins=margins,
        win_shares=shares,
    )


def _count(name: str, units: Sequence[Duplicate]) -> Count:
    work = [unit.work[name] for unit in units if name in unit.work]
    forfeits: Counter[str] = Counter()
    for it in work:
        forfeits.update(it.forfeits)
    return Count(name, sum(it.decisions for it in work), dict(sorted(forfeits.items())))


def _speed(name: str, units: Sequence[Duplicate]) -> Speed:
    work = [unit.work[name] for unit in units if name in unit.work]
    decisions, seconds = sum(it.decisions for it in work), math.fsum(it.seconds for it in work)
    if not decisions or not seconds:
        return Speed(name, seconds, None, None)
    return Speed(name, seconds, decisions / seconds, 1000 * seconds / decisions)
