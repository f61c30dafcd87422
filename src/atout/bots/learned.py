"""The learned player: a network that has played itself, asked once a decision; no search.

Weights lie in `nets/`, one file a game. A table it was not trained at (house rules, or no file) is played by search,
and the reasons say so.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np

from atout.bots.bot import Bot, Budget, Choice, Reason
from atout.bots.judges import gain
from atout.bots.thinker import club
from atout.bots.weights import FOLDER, Network, Trained, read
from atout.editions import PUBLISHED, published
from atout.game import Knowledge, View, read_view
from atout.kernel import entries
from atout.kernel.layout import KINDS, VETO


@cache
def network_of(game: str, folder: Path = FOLDER) -> Network | None:
    """The network of a game, read once; None if there is no file. A file that is there but wrong is an error."""
    path = folder / f"{game}.weights"
    return read(path) if path.exists() else None


class LearnedBot:
    """The network alone."""

    name = "learned"

    def __init__(self, folder: Path = FOLDER, otherwise: Bot | None = None) -> None:
        """`otherwise` plays at tables without weights."""
        self._folder, self._otherwise = folder, otherwise or club()

    def choose(self, view: View, legal: Sequence[str], budget: Budget, rng: random.Random) -> Choice:
        if len(legal) == 1:
            return Choice(legal[0], reasons=(Reason("only-choice"),))
        knowledge = read_view(view)
        network = network_of(view["game"], self._folder)
        trained = trained_at(network, knowledge)
        if network is None or trained is None:
            choice = self._otherwise.choose(view, legal, budget, rng)
            said = Reason("no-weights", {"table": knowledge.table.name, "instead": self._otherwise.name})
            return Choice(choice.action, choice.estimates, (said, *choice.reasons))
        return decide(network, trained, knowledge, legal)


def trained_at(network: Network | None, knowledge: Knowledge) -> Trained | None:
    """What the network was trained for, if this table is among it."""
    edition = knowledge.table.edition
    if network is None or edition.id not in PUBLISHED or edition != published(edition.id):
        return None
    return network.trained_at(knowledge.table)


def decide(network: Network, trained: Trained, knowledge: Knowledge, legal: Sequence[str]) -> Choice:
    """The action the network rates best, with the points it expects for every seat."""
    observation, mask = knowledge.encode()
    likely, forecast = network(observation, mask, knowledge.state.phase - VETO)
    actions = [action for action in range(KINDS) if (knowledge.legal >> action) & 1]
    best = entries.action_at(knowledge.seen, knowledge.table.rules, int(likely.argmax()))
    word = legal[actions.index(best)] if best in actions else legal[0]
    points = np.roll(forecast[: trained.players], knowledge.fact.seat) * trained.spread
    expected = [round(float(one), 2) for one in points]
    parameters = {"chance": round(float(likely.max()), 3), "gain": round(gain(expected, knowledge.fact.seat), 2)}
    return Choice(word, {word: expected}, (Reason("learned", parameters),))
