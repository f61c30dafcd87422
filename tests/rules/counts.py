"""Counts of positions ("perft"): how many sequences of actions there are from a small position, by length.

A file of `tests/rules/perft/` is read by people first:

    # what it is about                        comments
    id = "perft-pass"                         the rules, as a house file for one round
    base = "njet-2007"
    …
    ----
    players: 3                                the position: who deals, the hands, the actions so far
    first dealer: 0
    hand 0: R0 R1 K2
    …
    played: 0 veto start 1, 1 veto start 2    (one line or several; none: from the first veto)
    ----
    depth 1: 4                                the counts
    depth 2: 12
    divide 2                                  how many of the last count begin with each action
      0 pass R0: 3
      …

What stands above the counts is written by hand; `make golden` writes the counts, to the depth they had.
When a count is wrong, the divide names the first action that leads astray; to go on from there:

    python -m tests.rules.counts pass.txt "0 pass R0"
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from atout import Game
from atout.editions import Edition, from_tree
from atout.rules import entries
from atout.rules.layout import STATE_WORDS

FOLDER = Path(__file__).parent / "perft"
RULE = "----\n"
Counter = Callable[[Game, int], int]


@dataclass(frozen=True)
class Counted:
    """A file: its position, and the counts it claims."""

    name: str
    setup: str
    """All above the counts, word for word."""
    edition: Edition
    first_dealer: int
    hands: tuple[str, ...]
    played: tuple[str, ...]
    counts: tuple[int, ...]
    """From depth 1 on."""
    divide: dict[str, int]

    def game(self) -> Game:
        game = Game.new(self.edition, len(self.hands), first_dealer=self.first_dealer, deals=lambda _: self.hands)
        for action in self.played:
            game.play(action)
        return game


def files() -> list[Path]:
    return sorted(FOLDER.glob("*.txt"))


def read(path: Path) -> Counted:
    text = path.read_text(encoding="utf-8")
    rules, position, counts = text.split(RULE)
    players = int(_line("players", position))
    played = ", ".join(re.findall(r"^played: (.*)$", position, re.MULTILINE))
    return Counted(
        name=path.name,
        setup=RULE.join((rules, position, "")),
        edition=from_tree(tomllib.loads(rules), path.name),
        first_dealer=int(_line("first dealer", position)),
        hands=tuple(_line(f"hand {seat}", position) for seat in range(players)),
        played=tuple(played.split(", ")) if played else (),
        counts=tuple(int(count) for count in re.findall(r"^depth \d+: (\d+)$", counts, re.MULTILINE)),
        divide={words: int(count) for words, count in re.findall(r"^  (.+): (\d+)$", counts, re.MULTILINE)},
    )


def _line(name: str, text: str) -> str:
    found = re.search(rf"^{name}: (.*)$", text, re.MULTILINE)
    assert found, f"the file has no line {name!r}"
    return found[1]


# ---------------------------------------------------------------- two ways to count


def compiled(game: Game, depth: int) -> int:
    """By the kernel, in one compiled loop."""
    states = np.zeros((depth + 1, STATE_WORDS), np.int64)
    states[0] = game._state
    return int(entries.perft(states, game.setup.rules, depth))


def walked(game: Game, depth: int) -> int:
    """By the game as people program against it: copy, look what is legal, play."""
    if depth == 0:
        return 1
    total = 0
    for action in game.legal():
        twin = game.copy()
        twin.play(str(action))
        total += walked(twin, depth - 1)
    return total


def divided(game: Game, depth: int, count: Counter = compiled) -> dict[str, int]:
    """How many of the sequences begin with each action."""
    result = {}
    for action in game.legal():
        twin = game.copy()
        twin.play(action)
        result[str(action)] = count(twin, depth - 1)
    return result


# ---------------------------------------------------------------- files and failures


def render(counted: Counted) -> str:
    """The file with the counts as they are now."""
    game, depth = counted.game(), len(counted.counts)
    lines = [f"depth {level}: {compiled(game, level)}" for level in range(1, depth + 1)]
    lines.append(f"divide {depth}")
    lines += [f"  {action}: {count}" for action, count in divided(game, depth).items()]
    return counted.setup + "\n".join(lines) + "\n"


def first_difference(expected: dict[str, int], found: dict[str, int]) -> str:
    """The first action whose count differs, in words; empty when none does."""
    for action in [*found, *(action for action in expected if action not in found)]:
        if action not in found:
            return f"{action} is counted in the file, but not legal"
        if action not in expected:
            return f"{action} is legal, but not in the file"
        if expected[action] != found[action]:
            return f"after {action} come {found[action]} sequences, the file says {expected[action]}"
    return ""


def parting(game: Game, depth: int) -> list[str]:
    """The actions that lead to the first position in which kernel and game disagree about what is legal."""
    for action in game.legal():
        twin = game.copy()
        twin.play(action)
        if depth > 1 and compiled(twin, depth - 1) != walked(twin, depth - 1):
            return [str(action), *parting(twin, depth - 1)]
    return []


def main() -> None:
    name, *actions = sys.argv[1:]
    counted = read(FOLDER / name)
    game = counted.game()
    for action in actions:
        game.play(action)
    depth = len(counted.counts) - len(actions)
    for action, count in divided(game, depth).items():
        print(f"  {action}: {count}")


if __name__ == "__main__":
    main()
