"""The networks: a wide first layer, residual blocks with normalised inputs, one output layer.

    player    observation           → a logit for each action, and the expected points of each seat
    critic    observation + hands   → the gain of each seat

The inputs of a network are the numbers of the observation that occur at its setups (`inputs`), in their order. Seats
are counted from the one in turn. Parameters are plain tensors by name, which are easily stored, frozen and exported;
`atout/nets/weights.py` reads what `export.py` writes.
"""

from __future__ import annotations

from typing import Any

import torch
import torch.nn.functional as functional

from atout.knowledge.features import ACTIONS, BLOCK, HIDDEN_PARTS, PARTS, SIZE
from atout.rules.layout import SEATS

Parameters = dict[str, Any]


def factors(parts: Any) -> list[float]:
    """The factor of every number of a vector."""
    return [1 / part.divisor for part in parts for _ in range(part.times * part.width)]


class Net:
    """A network. It can be evaluated with other `parameters` of the same shape."""

    def __init__(self, inputs: Any, width: int, blocks: int, outputs: int, head: float) -> None:
        device = inputs.device
        self.inputs, self.blocks, self.width = inputs, blocks, width
        self.kind = torch.bfloat16 if device.type == "cuda" else torch.float32
        self.scale = torch.tensor(factors((*PARTS, *HIDDEN_PARTS)), device=device)[inputs]
        self.parameters: Parameters = {}
        self._layer("first", len(inputs), width, device)
        for i in range(blocks):
            self._norm(f"norm{i}", device)
            self._layer(f"block{i}", width, width, device)
        self._norm("last_norm", device)
        self._layer("last", width, outputs, device)
        with torch.no_grad():
            self.parameters["last"].mul_(head)

    def _layer(self, name: str, inputs: int, outputs: int, device: Any) -> None:
        weight = torch.randn((outputs, inputs)) * (1 / inputs) ** 0.5
        self.parameters[name] = weight.to(device).requires_grad_()
        self.parameters[f"{name}_bias"] = torch.zeros(outputs, device=device, requires_grad=True)

    def _norm(self, name: str, device: Any) -> None:
        self.parameters[name] = torch.ones(self.width, device=device, requires_grad=True)
        self.parameters[f"{name}_bias"] = torch.zeros(self.width, device=device, requires_grad=True)

    def __call__(self, x: Any, parameters: Parameters | None = None) -> Any:
        chosen = self.parameters if parameters is None else parameters
        p = {name: value.to(self.kind) for name, value in chosen.items()}
        first = (chosen["first"] * self.scale).to(self.kind)
        x = functional.relu(functional.linear(x.to(self.kind), first, p["first_bias"]))
        for i in range(self.blocks):
            y = functional.layer_norm(x, (self.width,), p[f"norm{i}"], p[f"norm{i}_bias"])
            x = x + functional.relu(functional.linear(y, p[f"block{i}"], p[f"block{i}_bias"]))
        x = functional.layer_norm(x, (self.width,), p["last_norm"], p["last_norm_bias"])
        return functional.linear(x, p["last"], p["last_bias"])

    def copy(self) -> Parameters:
        """A copy of the parameters in bfloat16."""
        return {name: value.detach().to(torch.bfloat16) for name, value in self.parameters.items()}

    def load(self, parameters: Parameters) -> None:
        with torch.no_grad():
            for name, value in self.parameters.items():
                value.copy_(parameters[name])


def make_player(inputs: Any, width: int, blocks: int) -> Net:
    return Net(inputs[inputs < SIZE], width, blocks, ACTIONS + SEATS, 0.05)


def make_critic(inputs: Any, width: int, blocks: int) -> Net:
    return Net(inputs, width, blocks, SEATS, 0.1)


def logits_of(out: Any, mask: Any, block: Any) -> Any:
    """The 64 logits of each row's block; −1e9 where it is not legal."""
    places = torch.arange(BLOCK, device=out.device)
    chosen = out.gather(1, block[:, None] * BLOCK + places).float()
    return chosen.masked_fill(legal_places(mask) == 0, -1e9)


def legal_places(mask: Any) -> Any:
    """A mask over a block as 64 numbers: 1 where it is legal."""
    return (mask[:, None] >> torch.arange(BLOCK, device=mask.device)) & 1


def forecasts(out: Any) -> Any:
    return out[:, ACTIONS:].float()


def sampled(logits: Any) -> Any:
    """A random place with the network's probabilities (Gumbel-max)."""
    chance = torch.rand_like(logits).clamp_(1e-9, 1 - 1e-7)
    return (logits - torch.log(-torch.log(chance))).argmax(1)
