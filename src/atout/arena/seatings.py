"""Seatings for duplicate play: who of two bots sits where, so that luck cancels.

A seating is a word with a letter for each seat: `abba` sits the first bot at seats 0 and 3. The list for a
number of players holds with every seating its mirror (`a` and `b` exchanged): over the list both bots hold every
hand, at every seat, equally often against each other.

    players   seatings of a deal                                                       games
    2, 3      all but those with one bot alone                                          2, 6
    4         two and two: all                                                             6
    5         two apart from each other and three: the rotations of `ababb`, mirrored     10
    6         alternating, and half and half: the rotations of `aaabbb`                    8

    4 in teams       a bot has all seats of a team: `abab` and its mirror                   2
    6 in teams       likewise `ababab`                                                     2

In teams (Null & nichtig §6.4) partners win or lose together. A bot that shared its team with the other bot would play
for both, so the two bots are the two teams, and a margin is team against team.

A match is long, so a unit of matches has one seating and its mirror; the next unit takes the next of the list.
"""

from __future__ import annotations

from itertools import product

MIRROR = str.maketrans("ab", "ba")


def mirrored(seating: str) -> str:
    """The same with both bots exchanged.

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
    """The two seatings of the number-th unit of matches.

    >>> match_seatings(2, 0), match_seatings(4, 4)
    (['ab', 'ba'], ['abab', 'baba'])
    """
    everything = seatings(players, teams)
    first = 2 * number % len(everything)
    return everything[first : first + 2]
