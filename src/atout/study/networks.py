"""The three networks of an evaluator, and many positions asked at once.

player    chooses for every seat, each with what it knows
beliefs   says which worlds are likely
critic    says what an open position is worth to every seat when the player goes on
"""

from __future__ import annotations

from functools import cache

import numpy as np
from msgspec import Struct

from atout.bots.learned import network_of, trained_at
from atout.errors import UsageError
from atout.game import Knowledge, Setup
from atout.nets.beliefs import BeliefNetwork, beliefs_of
from atout.nets.critic import Critic, critic_of
from atout.nets.weights import FOLDER, MAGIC, Network, Trained
from atout.search.believed import critic_gains
from atout.search.gain import Float64Array
from atout.search.net_rollout import Worlds

FILES = ("weights", "beliefs", "critic")
BATCH = 512
"""Positions that are asked about together, at most."""


class Networks(Struct, frozen=True):
    """The networks of a game, and the setup they are used for."""

    setup: Setup
    player: Network
    beliefs: BeliefNetwork
    critic: Critic
    trained: Trained

    def critic_gains(self, worlds: Worlds) -> Float64Array:
        """The critic's gain of every seat, for open positions in which somebody has a choice."""
        parts = [
            critic_gains(
                self.critic, Worlds(*(array[at : at + BATCH] for array in worlds)), self.setup, self.trained.scale
            )
            for at in range(0, len(worlds.states), BATCH)
        ]
        return np.concatenate(parts) if parts else np.zeros((0, self.setup.players))


def networks_of(knowledge: Knowledge) -> Networks:
    """The networks for a table; `UsageError` says why there are none."""
    setup = knowledge.setup
    game = "njet" if setup.edition.is_njet else "nichtig"
    player, beliefs, critic = network_of(game), beliefs_of(game), critic_of(game)
    trained = trained_at(player, knowledge)
    if player is None or beliefs is None or critic is None:
        missing = ", ".join(f"{game}.{kind}" for kind in FILES if not (FOLDER / f"{game}.{kind}").exists())
        raise UsageError(f"review: files of weights are missing: {missing}; install Atout again")
    if trained is None or beliefs.trained_at(setup) is None or critic.trained_at(setup) is None:
        raise UsageError(
            f"review: no network has learned {setup.name} with these rules, so nobody can say what its decisions are "
            "worth; records of published editions with their own options can be reviewed"
        )
    return Networks(setup, player, beliefs, critic, trained)


@cache
def checksums(game: str) -> bytes:
    """The checksums in the files of the networks."""
    found = b""
    for kind in FILES:
        with (FOLDER / f"{game}.{kind}").open("rb") as file:
            found += file.read(len(MAGIC) + 32)[len(MAGIC) :]
    return found
