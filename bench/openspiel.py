"""The peer of the rules: OpenSpiel's random rollouts in C++ of the trick-taking games most similar to ours.

One step of its MCTS bot with two simulations and a rollout evaluator of N rollouts is exactly 2 N
random rollouts in C++ (clone, legal actions, apply, to the end): N from the dealt state and N from
one of its children, so half a move less on average.
"""

from __future__ import annotations

import random
from importlib.metadata import version
from typing import Any

import pyspiel

from bench.timing import per_cpu_second

GAMES = {"hearts": "hearts", "spades": "spades", "bridge": "bridge(use_double_dummy_result=false)"}
ROLLOUTS = 2_000


def name() -> str:
    return f"OpenSpiel {version('open_spiel')}"


def rollouts(key: str) -> tuple[float, float]:
    """Random moves per second of CPU time in C++, and the spread."""
    game = pyspiel.load_game(GAMES[key])
    rng = random.Random(7)
    dealt = [_dealt(game, key, rng) for _ in range(20)]
    lengths = [_playout(rng.choice(dealt).clone(), rng) for _ in range(2_000)]
    moves = sum(lengths) / len(lengths) - 0.5
    turn = 0

    def work() -> float:
        nonlocal turn
        turn += 1
        evaluator = pyspiel.RandomRolloutEvaluator(ROLLOUTS, turn)
        bot = pyspiel.MCTSBot(game, evaluator, 1.4, 2, 1000, False, turn, False)
        bot.step(dealt[turn % len(dealt)])
        return 2 * ROLLOUTS * moves

    return per_cpu_second(work)


def ismcts_hearts(simulations: int) -> tuple[float, float]:
    """Simulations per second of CPU time of the C++ ISMCTS bot at the first card of hearts, and the spread."""
    game = pyspiel.load_game("hearts")
    rng = random.Random(7)
    dealt = [_dealt(game, "hearts", rng) for _ in range(8)]
    turn = 0

    def work() -> float:
        nonlocal turn
        turn += 1
        evaluator = pyspiel.RandomRolloutEvaluator(1, turn)
        most_visited = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
        bot = pyspiel.ISMCTSBot(turn, evaluator, 1.4, simulations, -1, most_visited, False, True)
        bot.step(dealt[turn % len(dealt)])
        return simulations

    return per_cpu_second(work)


def _dealt(game: Any, key: str, rng: random.Random) -> Any:
    """The first decision after the deal with a choice."""
    state = game.new_initial_state()
    if key == "hearts":
        state.apply_action(0)  # no passing
    while state.is_chance_node() or len(state.legal_actions()) < 2:
        _random_move(state, rng)
    return state


def _playout(state: Any, rng: random.Random) -> int:
    moves = 0
    while not state.is_terminal():
        moves += not state.is_chance_node()
        _random_move(state, rng)
    return moves


def _random_move(state: Any, rng: random.Random) -> None:
    if state.is_chance_node():
        actions, chances = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(rng.choices(actions, chances)[0])
    else:
        state.apply_action(rng.choice(state.legal_actions()))
