"""Seatings for duplicate play: which of two bots sits where, so that the luck of the deal cancels out.

A seating is a word with one letter per seat: in `abbb` the first bot sits alone at seat 0 among copies of the second.
At every seat the first bot sits once alone among copies of the second, and once the other way round:

    players      seatings of one deal                     matches
    2            `ab`, `ba`                                     2
    3 to 6       `abbb`, `baaa`, and their rotations       6 to 12
    4 in teams   `abab`, `baba`                                 2
    6 in teams   `ababab`, `bababa`                             2

So over the list both bots hold every hand, at every seat, equally often, and every match can tell them apart. Two
against two cannot at the tables of Njet!: sides are chosen in the round, partners score the same, and as soon as each
side has one of each bot the margin is 0 whatever they play.

In teams (Null & nichtig §6.4) the seats of a team, every other seat, win or lose together. So the two bots are the two
teams: one bot has all seats of a team, then those of the other. A margin there is team against team.

A whole match is long, so a duplicate of matches has one seating and its mirror; the next duplicate takes the next
two of the list.
"""

from __future__ import annotations

MIRROR = str.maketrans("ab", "ba")


def mirrored(seating: str) -> str:
    """The same seating with both bots exchanged.

    >>> mirrored("abb")
    'baa'
    """
    return seating.translate(MIRROR)


def seatings(players: int, teams: bool = False) -> list[str]:
    """The seatings of a deal, each followed by its mirror.

    >>> seatings(3)
    ['abb', 'baa', 'bab', 'aba', 'bba', 'aab']
    >>> seatings(2), seatings(4, teams=True)
    (['ab', 'ba'], ['abab', 'baba'])
    """
    if teams:
        words = ["ab" * (players // 2)]
    else:
        alone = range(players if players > 2 else 1)
        words = ["b" * seat + "a" + "b" * (players - 1 - seat) for seat in alone]
    return [seating for word in words for seating in (word, mirrored(word))]


def match_seatings(players: int, number: int, teams: bool = False) -> list[str]:
    """The two seatings of a duplicate of whole matches, by its number.

    >>> match_seatings(2, 0), match_seatings(4, 5)
    (['ab', 'ba'], ['babb', 'abaa'])
    """
    everything = seatings(players, teams)
    first = 2 * number % len(everything)
    return everything[first : first + 2]
