"""The questions of an examination: positions of every edition, number of players and phase, from random rounds.

The phases of a setup are found by playing it. A question does not keep a game, only the seed and the moves that lead to
it. So while a bot is asked, only one game exists: the one it is asked about.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from msgspec import Struct

from atout.editions import PUBLISHED, published
from atout.game import Game, Setup, new_rng
from atout.game.notation import PHASES

ROUNDS = 40
"""Random rounds that show which phases a setup has; the rarest phase is in every seventh."""
ATTEMPTS = 200
"""Matches that are searched for positions."""
DRAWS = 8
"""Worlds sampled to find one that differs: late in a round nothing may be hidden any more."""


class Question(Struct, frozen=True):
    """A position in which a seat has to choose between at least two actions."""

    setup: Setup
    seed: int
    """The seed of the match."""
    moves: tuple[str, ...]
    """The actions from the first deal on."""
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
        """A game that looks the same to the seat in turn, with other hidden cards; None if there is none."""
        game = self.game()
        assert game.turn is not None, "a question is a decision of a seat"
        drawn = (game.sample(game.turn, rng) for rng in range(DRAWS))
        return next((world for world in drawn if _cards(world) != _cards(game)), None)


def _cards(game: Game) -> tuple[list[int], ...]:
    """Where every card is."""
    state = game.state
    return state.hand, state.spare, state.gone, state.gone_spare


def all_setups() -> list[Setup]:
    """Every published edition with every number of players."""
    return [Setup.of(edition, players) for edition in PUBLISHED for players in published(edition).counts]


@cache
def phases_of(setup: Setup) -> tuple[str, ...]:
    """The phases of a setup, in their order."""
    seen: set[str] = set()
    for seed in range(ROUNDS):
        game = Game.at(setup, seed)
        game.play_randomly(new_rng(seed, 1))
        seen |= {action.verb for action in game.actions}
    return tuple(phase for phase in PHASES if phase in seen)


def questions(setup: Setup, count: int, seed: int) -> list[Question]:
    """`count` questions per phase: early, in the middle and late in it, in the first round and in the second."""
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
    """By phase: the decisions with a choice in the last of `rounds` random rounds."""
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
    """The number of moves before, and the phase, of every decision with more than one legal action."""
    game = Game.at(setup, seed)
    for place, move in enumerate(moves):
        if place >= start and len(game.legal()) > 1:
            yield place, game.phase
        game.play(move)
