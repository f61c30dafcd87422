"""Scoring (Njet! §7, Null & nichtig §5): from the tricks and piles of a round to `scores`, and what a score is worth.

score_round   points of the round for every seat
gain          a seat's points less the mean of its opponents': what everybody plays for in a round
standing      a seat's points in the match, or its team's
winners       the seats with the highest standing
"""

from __future__ import annotations

from typing import Any

from atout.rules.arrays import as_rules
from atout.rules.jit import entry, rule
from atout.rules.layout import COLOURS, NJET


@rule
def lane(word: int, i: int) -> int:
    return (word >> (8 * i)) & 255


@rule
def own_points(s: Any, seat: int) -> int:
    """§7.1, §7.2: tricks and loot times the value of the round, twice for the ×2 card."""
    points = (lane(s.tricks, seat) + lane(s.loot, seat)) * s.points
    if seat == s.doubler:
        points *= 2
    return points


@rule
def score_njet(s: Any, r: Any) -> None:
    """§7.3, §7.4: everyone scores the sum of the side; with difference scoring only what it is ahead."""
    ours, theirs = 0, 0
    for seat in range(r.players):
        if (s.side >> seat) & 1 != 0:
            ours += own_points(s, seat)
        else:
            theirs += own_points(s, seat)
    if r.difference != 0:
        ahead = ours - theirs
        ours, theirs = max(ahead, 0), max(-ahead, 0)
    for seat in range(r.players):
        s.scores[seat] = ours if (s.side >> seat) & 1 != 0 else theirs


@rule
def score_nichtig(s: Any, r: Any) -> None:
    """§5.1: the sum of the top cards; an empty lane is no pile, else value + 1."""
    for seat in range(r.players):
        total = 0
        for colour in range(COLOURS):
            top = lane(s.tops[seat], colour)
            if top != 0:
                total += top - 1
        s.scores[seat] = total


@rule
def score_round(s: Any, r: Any) -> None:
    if r.game == NJET:
        score_njet(s, r)
    else:
        score_nichtig(s, r)


@rule
def plays_with(r: Any, seat: int, other: int) -> bool:
    """Whether what `other` scores counts for `seat`, too: its own score, and in teams (Null & nichtig §6.4) its
    partners'.

    A side of Njet! is no such team. It lasts one round, everybody in it scores the whole sum of the side, and in the
    next round the partner is an opponent: for the match only the own total counts.
    """
    return other == seat or (r.teams != 0 and (other - seat) % 2 == 0)


@rule
def standing(s: Any, r: Any, seat: int) -> int:
    """What decides the match for the seat: its total, or its team's (Null & nichtig §6.4)."""
    total = 0
    for other in range(r.players):
        if plays_with(r, seat, other):
            total += s.totals[other]
    return total


@rule
def own_mean(points: Any, r: Any, seat: int) -> float:
    """Points of the seat; with teams, the mean over its team."""
    total, count = 0.0, 0
    for other in range(r.players):
        if plays_with(r, seat, other):
            total += points[other]
            count += 1
    return total / count


@rule
def opponents_mean(points: Any, r: Any, seat: int) -> float:
    """The mean over the opponents; with teams, over the other team."""
    total, count = 0.0, 0
    for other in range(r.players):
        if not plays_with(r, seat, other):
            total += points[other]
            count += 1
    return total / count


@rule
def gain(points: Any, r: Any, seat: int) -> float:
    """What a round is worth to a seat: its points less the mean of its opponents'; with teams, mean against mean.

    This is the one measure of success in a round: the reward of training, what search and bots maximise, and what
    hints and estimates are compared by. Within one side of Njet! partners gain the same; between two possible sides
    the larger one gains less for the same points, because more players score them.

        table                        seat 0 gains, for points p
        Njet!, 4 players             p0 − (p1 + p2 + p3) / 3        whoever its partner is in this round
        Null & nichtig, 4 players    p0 − (p1 + p2 + p3) / 3
          in two teams               (p0 + p2) / 2 − (p1 + p3) / 2
          6 players in two teams     (p0 + p2 + p4) / 3 − (p1 + p3 + p5) / 3
    """
    return own_mean(points, r, seat) - opponents_mean(points, r, seat)


@entry
def compare_sides(scores: Any, rules: Any, seat: int, means: Any) -> None:
    """For every row of `scores` the two numbers whose difference is the gain: own mean, opponents' mean."""
    r = as_rules(rules)
    for k in range(scores.shape[0]):
        means[k, 0] = own_mean(scores[k], r, seat)
        means[k, 1] = opponents_mean(scores[k], r, seat)


@rule
def winners(s: Any, r: Any) -> int:
    """Seats with the highest standing; ties share the win (§8.3; Null & nichtig §6.5)."""
    best = standing(s, r, 0)
    for seat in range(1, r.players):
        best = max(best, standing(s, r, seat))
    mask = 0
    for seat in range(r.players):
        if standing(s, r, seat) == best:
            mask |= 1 << seat
    return mask
