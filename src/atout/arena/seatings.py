"""Seatings for duplicate play: which of two bots sits where, so that the luck of the deal cancels out.

A seating is a word with one letter per seat: in `abba` the first bot has seats 0 and 3. The list for a number of
players holds the mirror (`a` and `b` exchanged) of every seating in it. So over the list both bots hold every hand, at
every seat, equally often against each other.

    players      seatings of one deal                                                     matches
    2, 3         all in which both bots sit                                                  2, 6
    4            two and two: all                                                               6
    5            two that are not neighbours, and three: the rotations of `ababb`, mirrored    10
    6            alternating, and three and three: the rotations of `aaabbb`                    8
    4 in teams   `abab` and its mirror                                                          2
    6 in teams   `ababab` and its mirror                                                        2

In teams (Null & nichtig §6.4) the seats of a team, every other seat, win or lose together. So the two bots are the two
teams: one bot has all seats of a team, then those of the other. A margin there is team against team.

A whole match is long, so a duplicate of matches has one seating and its mirror; the next duplicate takes the next
two of the list.
"""

from __future__ import annotations

from itertools import product

MIRROR = str.maketrans("ab", "ba")


def mirrored(seating: str) -> str:
    """The same seating with both bots exchanged.

    >>> mirrored("abb")
    'baa'
    """
    return seating.translate(MIRROR)


def rotations(seating: str) -> list[str]:
    return [seating[-i:] + seating[:-i] for i in range(len(seating))]


def seatings(players: int, teams: bool = False) -> list[str]:
    """The seatings of a deal, each followed by its mirror.

    >>> seatings(4)
    ['aabb', 'bbaa', 'abab', 'baba', 'abba', 'baab']
    >>> seatings(4, teams=True)
    ['abab', 'baba']
    """
    if teams:
        half = ["ab" * (players // 2)]
    elif players == 5:
        half = rotations("ababb")
    elif players == 6:
        half = ["ababab", *rotations("aaabbb")[:3]]
    else:
        words = ("a" + "".join(rest) for rest in product("ab", repeat=players - 1))
        half = [word for word in words if "b" in word and (players < 4 or word.count("a") * 2 == players)]
    return [seating for one in half for seating in (one, mirrored(one))]


def match_seatings(players: int, number: int, teams: bool = False) -> list[str]:
    """The two seatings of a duplicate of whole matches, by its number.

    >>> match_seatings(2, 0), match_seatings(4, 4)
    (['ab', 'ba'], ['abab', 'baba'])
    """
    everything = seatings(players, teams)
    first = 2 * number % len(everything)
    return everything[first : first + 2]
