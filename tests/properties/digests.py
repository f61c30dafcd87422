"""Fingerprints of random matches, one line per match: they compare the three modes the rules can run in.

    ATOUT_JIT=on|check|off python -m tests.properties.digests matches|positions COUNT [EDITION ...]

prints the mode, then for each edition the matches numbered from 0 up to COUNT: the edition, the number, how many
states the match passed through, and a hash over the digests of all of them. The match number is the seed; it also
chooses the number of players and the options, so that any stretch of numbers is spread over all of them.

Compiled, the whole match is one call on flat vectors. Interpreted, flat vectors would be slow (every field is a
numpy scalar), so the same functions run on plain objects: the same source on another container.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from atout.game import Setup, new_rng
from atout.rules import entries
from atout.rules.arrays import plain
from atout.rules.check import WELL, broken_invariant, digest
from atout.rules.deal import deal
from atout.rules.jit import COMPILED, MODE
from atout.rules.layout import DEAL, OVER, RNG_WORDS, RULES, STATE, STATE_WORDS
from atout.rules.match import begin_match
from atout.rules.rng import random_bit, seed_rng
from atout.rules.step import apply, legal
from tests.properties.matches import COUNTS, SETTINGS, Setting, chance, lopsided, new_game, play_on

MAX_STATES = 50_000
"""More states than any match has; a match to a target may take many rounds."""
CHECKED_EVERY = 16
"""Interpreted, checking the invariants takes three times as long as everything else; the compiled run checks all."""


def setting_of(edition: str, number: int) -> Setting:
    """Every fourth match has the full length, the others are short or to a target; all settings in turn."""
    is_full = number % 4 == 0
    choices = [one for one in SETTINGS if one.edition == edition and ("length" not in one.options) == is_full]
    return choices[number // 4 % len(choices)] if is_full else choices[(number - number // 4) % len(choices)]


def setup_of(setting: Setting) -> Setup:
    return Setup.of(setting.edition, setting.players, setting.options)


def combined(digests: Iterable[int]) -> str:
    text = ",".join(map(str, digests))
    return hashlib.sha256(text.encode()).hexdigest()[:24]


def compiled_line(setup: Setup, number: int) -> str:
    state, rng = np.zeros(STATE_WORDS, np.int64), np.zeros(RNG_WORDS, np.int64)
    digests = np.zeros(MAX_STATES, np.int64)
    count = entries.random_digests(state, setup.rules, rng, number, digests)
    assert 0 <= count < MAX_STATES, f"match {number}: a broken invariant after {-count} states"
    return f"{number} {count} {combined(digests[:count].tolist())}"


def interpreted_line(setup: Setup, number: int) -> str:
    digests = list(interpreted_digests(setup, number))
    return f"{number} {len(digests)} {combined(digests)}"


def interpreted_digests(setup: Setup, number: int) -> Iterator[int]:
    """What `entries.random_digests` does, on plain objects."""
    s: Any = plain(np.zeros(STATE_WORDS, np.int64), STATE)
    r: Any = plain(setup.rules, RULES)
    rng: Any = [0] * RNG_WORDS
    seed_rng(rng, number, 0)
    begin_match(s, r, number % r.players)
    count = 0
    while s.phase != OVER:
        if s.phase == DEAL:
            deal(s, r, rng)
        else:
            apply(s, r, random_bit(legal(s, r), rng))
        count += 1
        if count % CHECKED_EVERY == 0:
            assert broken_invariant(s, r) == WELL
        yield digest(s, 0)


def match_lines(edition: str, count: int) -> Iterator[str]:
    line = compiled_line if COMPILED else interpreted_line
    for number in range(count):
        yield line(setup_of(setting_of(edition, number)), number)


# ------------------------------------------------------------------ what seats know, and worlds they may be in


def position_lines(edition: str, count: int) -> Iterator[str]:
    """One line per position: everything every seat knows, the number of worlds, and two of them."""
    for number in range(count):
        setting, rng = setting_of(edition, number), chance("modes", edition, number)
        game = new_game(setting, number, lopsided(setting, number) if number % 2 else None)
        play_on(game, rng, rng.randrange(90))
        hashed = hashlib.sha256()
        for seat in (None, *range(setting.players)):
            knowledge = game.knowledge(seat)
            for words in (knowledge.redacted, knowledge.facts, knowledge.log):
                hashed.update(words.tobytes())
            if seat is not None:
                observation, mask = knowledge.encode()
                hashed.update(observation.tobytes() + repr(int(mask)).encode())
                world_rng = new_rng(number, seat)
                hashed.update(repr(float(knowledge.sampler.placements)).encode())
                for _ in range(2):
                    for words in knowledge.sampler.draw(world_rng):
                        hashed.update(words.tobytes())
        yield f"{number} {game.phase} {len(game.actions)} {hashed.hexdigest()[:24]}"


KINDS = {"matches": match_lines, "positions": position_lines}


def lines(kind: str, count: int, editions: Iterable[str]) -> Iterator[str]:
    for edition in editions:
        for line in KINDS[kind](edition, count):
            yield f"{edition} {line}"


if __name__ == "__main__":
    print(MODE)
    for line in lines(sys.argv[1], int(sys.argv[2]), sys.argv[3:] or COUNTS):
        print(line)
