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
from atout.bots.evaluators import gain
from atout.bots.search_bot import club
from atout.editions import PUBLISHED, published
from atout.game import Knowledge, View, read_view
from atout.knowledge import entries as knowledge_entries
from atout.nets.weights import FOLDER, Network, Trained, read
from atout.rules.layout import KINDS, VETO


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
            said = Reason("no-weights", {"table": knowledge.setup.name, "instead": self._otherwise.name})
            return Choice(choice.action, choice.estimates, (said, *choice.reasons))
        return self.decide(Verdict(network, trained, knowledge), legal, budget, rng)

    def decide(self, verdict: Verdict, legal: Sequence[str], budget: Budget, rng: random.Random) -> Choice:  # noqa: ARG002
        """What the network rates best."""
        return verdict.choice(legal)


def trained_at(network: Network | None, knowledge: Knowledge) -> Trained | None:
    """What the network was trained for, if this table is among it."""
    edition = knowledge.setup.edition
    if network is None or edition.id not in PUBLISHED or edition != published(edition.id):
        return None
    return network.trained_at(knowledge.setup)


class Verdict:
    """What the network says where a seat has a choice."""

    def __init__(self, network: Network, trained: Trained, knowledge: Knowledge) -> None:
        self.network, self.trained, self.knowledge = network, trained, knowledge
        observation, mask = knowledge.encode()
        likely, forecast = network(observation, mask, knowledge.state.phase - VETO)
        self.actions = [action for action in range(KINDS) if (knowledge.legal >> action) & 1]
        self.likely = dict.fromkeys(self.actions, 0.0)
        """How likely each legal action is to be best."""
        for place in np.flatnonzero(likely):
            self.likely[knowledge_entries.action_at(knowledge.redacted, knowledge.setup.rules, int(place))] = float(
                likely[place]
            )
        self.best = max(self.actions, key=lambda action: self.likely[action])
        points = np.roll(forecast[: trained.players], knowledge.fact.seat) * trained.spread
        self.expected = [round(float(one), 2) for one in points]

    def choice(self, legal: Sequence[str]) -> Choice:
        """The action it rates best, with the points it expects for every seat."""
        word = legal[self.actions.index(self.best)]
        return Choice(word, {word: self.expected}, (self.reason(gain(self.expected, self.knowledge.fact.seat)),))

    def reason(self, gain: float) -> Reason:
        return Reason("learned", {"chance": round(self.likely[self.best], 3), "gain": round(gain, 2)})
