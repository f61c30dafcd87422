"""Variants of bots that are only measured: `--bots expert,bench.variants:UniformWorlds`."""

from __future__ import annotations

from atout.bots.expert import ExpertBot
from atout.bots.learned import Prediction
from atout.nets.beliefs import BeliefNetwork


class UniformWorlds(ExpertBot):
    """`expert` without its belief model: uniform worlds with flattened weights."""

    name = "expert-uniform-worlds"

    def model(self, prediction: Prediction) -> BeliefNetwork | None:  # noqa: ARG002
        return None
