"""The level `learned`: a network trained by self-play, evaluated once per decision; no search.

The weights are in `nets/data/`, one file per game. Setups that the network was not trained for (house rules, or no
file) are played by search, and the reasons say so.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np

from atout.bots.bot import Bot, Budget, Choice, Reason
from atout.bots.search_bot import club
from atout.editions import PUBLISHED, published
from atout.game import Knowledge, View, read_view
from atout.knowledge import entries as knowledge_entries
from atout.nets.weights import FOLDER, Network, Trained, read
from atout.rules.layout import KINDS, VETO
from atout.search.gain import gain


@cache
def network_of(game: str, folder: Path = FOLDER) -> Network | None:
    """The network of a game, read once; None if there is no file. A damaged file is an error."""
    path = folder / f"{game}.weights"
    return read(path) if path.exists() else None


class LearnedBot:
    """The network alone."""

    name = "learned"

    def __init__(self, folder: Path = FOLDER, fallback: Bot | None = None) -> None:
        """`fallback` plays setups without weights."""
        self._folder, self._fallback = folder, fallback or club()

    def choose(self, view: View, legal: Sequence[str], budget: Budget, rng: random.Random) -> Choice:
        if len(legal) == 1:
            return Choice(legal[0], reasons=(Reason("only-choice"),))
        knowledge = read_view(view)
        network = network_of(view["game"], self._folder)
        trained = trained_at(network, knowledge)
        if network is None or trained is None:
            choice = self._fallback.choose(view, legal, budget, rng)
            reason = Reason("no-weights", {"table": knowledge.setup.name, "instead": self._fallback.name})
            return Choice(choice.action, choice.estimates, (reason, *choice.reasons))
        return self.decide(Prediction(network, trained, knowledge), legal, budget, rng)

    def decide(self, prediction: Prediction, legal: Sequence[str], budget: Budget, rng: random.Random) -> Choice:  # noqa: ARG002
        """The action with the highest probability."""
        return prediction.choice(legal)


def trained_at(network: Network | None, knowledge: Knowledge) -> Trained | None:
    """The setup in the network's header that is the one of this decision, if there is one."""
    edition = knowledge.setup.edition
    if network is None or edition.id not in PUBLISHED or edition != published(edition.id):
        return None
    return network.trained_at(knowledge.setup)


class Prediction:
    """What the network predicts for a decision: a probability for each action, and the points of every seat."""

    def __init__(self, network: Network, trained: Trained, knowledge: Knowledge) -> None:
        self.network, self.trained, self.knowledge = network, trained, knowledge
        features, mask = knowledge.encode()
        policy, forecast = network(features, mask, knowledge.state.phase - VETO)
        self.actions = [action for action in range(KINDS) if (knowledge.legal >> action) & 1]
        self.policy = dict.fromkeys(self.actions, 0.0)
        """The probability of each legal action."""
        for place in np.flatnonzero(policy):
            self.policy[knowledge_entries.action_at(knowledge.redacted, knowledge.setup.rules, int(place))] = float(
                policy[place]
            )
        self.best = max(self.actions, key=lambda action: self.policy[action])
        points = np.roll(forecast[: trained.players], knowledge.fact.seat) * trained.scale
        self.expected = [round(float(one), 2) for one in points]

    def choice(self, legal: Sequence[str]) -> Choice:
        """The action with the highest probability, with the expected points of every seat."""
        word = legal[self.actions.index(self.best)]
        expected = gain(self.expected, self.knowledge.setup, self.knowledge.fact.seat)
        return Choice(word, {word: self.expected}, (self.reason(expected),))

    def reason(self, gain: float) -> Reason:
        return Reason("learned", {"chance": round(self.policy[self.best], 3), "gain": round(gain, 2)})
