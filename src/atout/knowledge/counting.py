"""Counting in how many ways the unseen cards can lie: the lookup that `sample.py` walks.

Row i is for card i. The column is the room left in every barring group, written as the digits of a number. The entry
is the number of ways to place card i and all cards after it.
"""

from __future__ import annotations

from typing import Any

from atout.knowledge.unseen import count_scenarios, is_possible, make_plan
from atout.rules.jit import rule
from atout.rules.layout import PLACES


@rule
def factorial(n: int) -> float:
    product = 1.0
    for i in range(2, n + 1):
        product *= i
    return product


@rule
def free_ways(p: Any, rest: int) -> float:
    """Ways to place the cards that no group bars, with `rest` of them in the group without bars."""
    ways = factorial(p.cards - p.bound) / factorial(rest)
    for group in range(1, p.groups):
        ways /= factorial(p.digit[group])
    return ways


@rule
def ways_from(p: Any, ways: Any, i: int, at: int, rest: int) -> float:
    """One entry of the lookup from the next row: card i goes to a group that takes it."""
    following = (i + 1) * p.states + at
    total = 0.0
    if rest > 0:
        total += ways[following]
    for group in range(1, p.groups):
        if p.digit[group] > 0 and (p.group_barred[group] >> p.card[i]) & 1 == 0:
            total += ways[following - p.stride[group]]
    return total


@rule
def fill_row(p: Any, ways: Any, i: int) -> None:
    for group in range(1, p.groups):
        p.digit[group] = 0
    taken = 0
    for at in range(p.states):
        rest = p.cards - i - taken
        number = 0.0
        if rest >= 0 and i == p.bound:
            number = free_ways(p, rest)
        elif rest >= 0:
            number = ways_from(p, ways, i, at, rest)
        ways[i * p.states + at] = number
        group = 1
        while group < p.groups and p.digit[group] == p.group_room[group]:
            taken -= p.digit[group]
            p.digit[group] = 0
            group += 1
        if group < p.groups:
            p.digit[group] += 1
            taken += 1


@rule
def fill_lookup(p: Any, ways: Any) -> float:
    """Build the lookup; returns how many worlds there are, with the places of one group told apart."""
    for back in range(p.bound + 1):
        fill_row(p, ways, p.bound - back)
    worlds = ways[p.states - 1]
    for group in range(p.groups):
        worlds *= factorial(p.group_room[group])
    for place in range(PLACES):
        worlds /= factorial(p.room[place])
    return worlds


@rule
def lookup_size(o: Any, f: Any, r: Any, p: Any) -> int:
    """The length of the lookup in the largest scenario."""
    largest = 0
    p.scenarios = count_scenarios(o, f, r)
    for scenario in range(p.scenarios):
        if scenario == 0 or is_possible(o, f, r, scenario):
            largest = max(largest, make_plan(o, f, r, p, scenario))
    return largest


@rule
def plan(o: Any, f: Any, r: Any, p: Any, ways: Any, chances: Any) -> float:
    """Count the worlds of every scenario into `chances` and prepare to draw; returns their sum."""
    total = 0.0
    p.scenarios = count_scenarios(o, f, r)
    for back in range(p.scenarios):
        scenario = p.scenarios - 1 - back
        chances[scenario] = 0.0
        if scenario == 0 or is_possible(o, f, r, scenario):
            make_plan(o, f, r, p, scenario)
            chances[scenario] = fill_lookup(p, ways)
        total += chances[scenario]
    return total
