"""Export trained parameters to the weights file that the package reads.

Input factors and normalisation are multiplied into the weights; actions that do not occur are left out.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from atout.knowledge.features import ACTIONS, VERSION
from atout.nets.weights import Header, Kind, Trained, write
from train.config import Place
from train.net import Net


def trained(places: list[Place], scales: list[float]) -> list[Trained]:
    """The trained setups; the length of a match does not distinguish them."""
    found: dict[tuple[Any, ...], Trained] = {}
    for place, scale in zip(places, scales, strict=True):
        options = place.setup.options
        one = Trained(place.edition, place.players, options.scoring, options.teams, scale)
        found.setdefault((one.edition, one.players, one.scoring, one.teams), one)
    return list(found.values())


def export(
    path: Path, player: Net, game: str, tables: list[Trained], outputs: list[int], notes: dict[str, Any]
) -> None:
    """Write a weights file. `outputs` are the actions that occur."""
    header = Header(VERSION, game, player.width, player.blocks, player.inputs.tolist(), outputs, tables, notes)
    arrays = _arrays(player)
    rows = [*outputs, *range(ACTIONS, len(arrays["last"]))]
    write(path, header, arrays | {"last": arrays["last"][rows], "last_bias": arrays["last_bias"][rows]})


def export_other(
    path: Path, net: Net, game: str, kind: Kind, tables: list[Trained], notes: dict[str, Any], head: int = 0
) -> None:
    """Write the weights of a belief model or a critic."""
    inputs = net.inputs.tolist()
    write(path, Header(VERSION, game, net.width, net.blocks, inputs, [], tables, notes, kind, head), _arrays(net))


def _arrays(net: Net) -> dict[str, Any]:
    p = {name: value.detach().float().cpu().numpy() for name, value in net.parameters.items()}
    scaled = p["first"] * net.scale.cpu().numpy()
    arrays = {"first": scaled.T, "first_bias": p["first_bias"]}
    for i in range(net.blocks):
        arrays[f"block{i}"], arrays[f"block{i}_bias"] = _folded(p, f"norm{i}", f"block{i}")
    arrays["last"], arrays["last_bias"] = _folded(p, "last_norm", "last")
    return arrays | {name: value for name, value in p.items() if name.startswith("head_")}


def _folded(p: dict[str, Any], norm: str, layer: str) -> tuple[Any, Any]:
    """A layer after a normalisation with scale and bias, as one layer after a plain normalisation."""
    return p[layer] * p[norm], p[f"{layer}_bias"] + p[layer] @ p[f"{norm}_bias"]
