"""What a bot is asked: positions of every edition, number of players and phase, from random rounds.

Nothing about phases is written here: which a table has is seen by playing it. A question keeps no game, only how to
come to it. So while a bot thinks, one game alone is alive: the one it is asked about.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from msgspec import Struct

from atout.editions import PUBLISHED, published
from atout.game import Game, Setup, new_rng
from atout.game.notation import PHASES

ROUNDS = 40
"""Random rounds that show which phases a table has; the rarest comes up in every seventh."""
ATTEMPTS = 200
"""Matches in which positions are looked for."""
DRAWS = 8
"""Attempts at a world that differs: late in a round nothing may be hidden any more."""


class Question(Struct, frozen=True):
    """A position in which a seat has to choose between at least two actions."""

    setup: Setup
    seed: int
    """Of the match."""
    moves: tuple[str, ...]
    """From its first deal on."""
    phase: str

    def __str__(self) -> str:
        return f"{self.setup.name}, {self.phase}; seed {self.seed}, after {len(self.moves)} actions"

    def game(self) -> Game:
        """The match, played up to the question."""
        game = Game.at(self.setup, self.seed)
        for move in self.moves:
            game.play(move)
        return game

    def world(self) -> Game | None:
        """The same for the seat in turn, with other cards hidden from it; None where all worlds are alike."""
        game = self.game()
        assert game.turn is not None, "a question is somebody's"
        drawn = (game.sample(game.turn, rng) for rng in range(DRAWS))
        return next((world for world in drawn if _cards(world) != _cards(game)), None)


def _cards(game: Game) -> tuple[list[int], ...]:
    """Where every card is."""
    state = game.state
    return state.hand, state.spare, state.gone, state.gone_spare


def all_tables() -> list[Setup]:
    """Every published edition with every number of players."""
    return [Setup.of(edition, players) for edition in PUBLISHED for players in published(edition).counts]


@cache
def phases_of(setup: Setup) -> tuple[str, ...]:
    """The phases a table has, in the order they come."""
    seen: set[str] = set()
    for seed in range(ROUNDS):
        game = Game.at(setup, seed)
        game.play_randomly(new_rng(seed, 1))
        seen |= {action.verb for action in game.actions}
    return tuple(phase for phase in PHASES if phase in seen)


def questions(setup: Setup, count: int, seed: int) -> list[Question]:
    """So many of each phase: early, in the middle and late in it, in the first round and in the second."""
    found: dict[str, list[Question]] = {phase: [] for phase in phases_of(setup)}
    for match in range(seed, seed + ATTEMPTS):
        for phase, asked in _decisions(setup, match, 1 + match % 2).items():
            kept = found[phase]
            if len(kept) < count:
                kept.append(asked[(2 * len(kept) + 1) * len(asked) // (2 * count)])
        if all(len(kept) == count for kept in found.values()):
            break
    return [question for kept in found.values() for question in kept]


def _decisions(setup: Setup, seed: int, rounds: int) -> dict[str, list[Question]]:
    """By phase: where somebody had a choice in the last of so many random rounds."""
    game, rng = Game.at(setup, seed), new_rng(seed, 1)
    before = 0
    for _ in range(rounds):
        before = len(game.actions)
        game.play_randomly(rng)
    moves = tuple(str(action) for action in game.actions)
    found: dict[str, list[Question]] = {}
    for place, phase in _choices(setup, seed, moves, before):
        found.setdefault(phase, []).append(Question(setup, seed, moves[:place], phase))
    return found


def _choices(setup: Setup, seed: int, moves: Sequence[str], start: int) -> Iterator[tuple[int, str]]:
    """How many moves were made, and the phase, wherever more than one action was legal."""
    game = Game.at(setup, seed)
    for place, move in enumerate(moves):
        if place >= start and len(game.legal()) > 1:
            yield place, game.phase
        game.play(move)
