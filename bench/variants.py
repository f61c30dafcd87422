"""Variants of bots that are only measured: `--bots expert,bench.variants:BelievedWorlds`."""

from __future__ import annotations

from atout.bots.expert import ExpertBot


class BelievedWorlds(ExpertBot):
    """`expert` with worlds from the belief model, with weights as they are."""

    name = "expert-believed-worlds"
    uses_beliefs = True
