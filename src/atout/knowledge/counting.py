"""In how many ways the unseen cards can lie: the table that `sample.py` walks.

Row i, column = the room left in every barring group, written as digits: ways to place card i and all after it.
"""

from __future__ import annotations

from typing import Any

from atout.knowledge.unseen import count_scenarios, is_possible, lay_plan
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
    """Ways to place the cards no group bars, with `rest` of them in the group without bars."""
    ways = factorial(p.cards - p.bound) / factorial(rest)
    for group in range(1, p.groups):
        ways /= factorial(p.digit[group])
    return ways


@rule
def ways_from(p: Any, ways: Any, i: int, at: int, rest: int) -> float:
    """One number of the table from the next row: card i goes to a group that takes it."""
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
def fill_table(p: Any, ways: Any) -> float:
    """Build the table; how many worlds there are, places of one group told apart."""
    for back in range(p.bound + 1):
        fill_row(p, ways, p.bound - back)
    worlds = ways[p.states - 1]
    for group in range(p.groups):
        worlds *= factorial(p.group_room[group])
    for place in range(PLACES):
        worlds /= factorial(p.room[place])
    return worlds


@rule
def table_size(o: Any, f: Any, r: Any, p: Any) -> int:
    """Room the table needs in the largest scenario."""
    largest = 0
    p.scenarios = count_scenarios(o, f, r)
    for scenario in range(p.scenarios):
        if scenario == 0 or is_possible(o, f, r, scenario):
            largest = max(largest, lay_plan(o, f, r, p, scenario))
    return largest


@rule
def plan(o: Any, f: Any, r: Any, p: Any, ways: Any, chances: Any) -> float:
    """Count the worlds of every scenario into `chances`, and be ready to draw; the sum."""
    total = 0.0
    p.scenarios = count_scenarios(o, f, r)
    for back in range(p.scenarios):
        scenario = p.scenarios - 1 - back
        chances[scenario] = 0.0
        if scenario == 0 or is_possible(o, f, r, scenario):
            lay_plan(o, f, r, p, scenario)
            chances[scenario] = fill_table(p, ways)
        total += chances[scenario]
    return total
