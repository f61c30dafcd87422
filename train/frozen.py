"""Networks of the package's weights files, to play against or to start from."""

from __future__ import annotations

from pathlib import Path

import torch

from atout.knowledge.features import ACTIONS
from atout.nets.weights import UNTRAINED, Kind, Network, load, read
from atout.rules.layout import SEATS
from train.net import Net


def frozen(path: Path, device: str) -> tuple[Network, Net]:
    """The network of a weights file: as the package reads it, and for the device."""
    network = read(path)
    header = network.header
    net = Net(torch.tensor(header.inputs, device=device), header.width, header.blocks, ACTIONS + SEATS, 0.0)
    net.scale = torch.ones_like(net.scale)
    width, at = header.width, 0
    rows = [*header.outputs, *range(ACTIONS, ACTIONS + SEATS)]
    sizes = [("first", len(header.inputs), width), *((f"block{i}", width, width) for i in range(header.blocks))]
    with torch.no_grad():
        for name, inputs, outputs in [*sizes, ("last", width, len(rows))]:
            weight = torch.from_numpy(network.layers[at : at + inputs * outputs].reshape(inputs, outputs).T.copy())
            at += inputs * outputs
            bias = torch.from_numpy(network.layers[at : at + outputs].copy())
            at += outputs
            if name == "last":
                net.parameters["last_bias"].fill_(UNTRAINED)
                net.parameters["last"][rows], net.parameters["last_bias"][rows] = weight.to(device), bias.to(device)
            else:
                net.parameters[name].copy_(weight)
                net.parameters[f"{name}_bias"].copy_(bias)
    return network, net


def load_weights(player: Net, path: Path) -> None:
    """Give a player the weights of a file. Inputs that the file's network does not read count for nothing at first."""
    _, net = frozen(path, player.inputs.device.type)
    with torch.no_grad():
        for name, value in player.parameters.items():
            if name == "first":
                value.zero_()
                columns = torch.searchsorted(player.inputs, net.inputs)
                value[:, columns] = net.parameters["first"] / player.scale[columns]
            else:
                value.copy_(net.parameters[name])


def load_other(net: Net, path: Path, kind: Kind) -> None:
    """Give a belief model or a critic the weights of a file, whose inputs it must read."""
    header, arrays = load(path, kind)
    shapes = dict(header.shapes)
    columns = torch.searchsorted(net.inputs, torch.tensor(header.inputs, device=net.inputs.device))
    with torch.no_grad():
        for name in shapes:
            value = torch.from_numpy(arrays[name].astype("f4").reshape(shapes[name])).to(net.inputs.device)
            if name == "first":
                net.parameters[name].zero_()
                net.parameters[name][:, columns] = value.T / net.scale[columns]
            else:
                net.parameters[name].copy_(value)
