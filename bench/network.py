"""The cost of one network evaluation on one core: ours, NumPy, and ONNX Runtime (`make bench`)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from atout.bots.learned import network_of
from atout.game import Game, Knowledge
from atout.nets.forward import EPSILON
from atout.nets.weights import Network
from atout.rules.layout import SEATS, VETO
from bench.report import markdown_table, write_section
from bench.timing import per_cpu_second, pin_to_core

PLACES = (("njet", "niet-2015", 4), ("nichtig", "nichtig", 4))
Floats = npt.NDArray[np.float32]


def main() -> None:
    pin_to_core()
    rows = []
    for game, edition, players in PLACES:
        network = network_of(game)
        assert network is not None
        knowledge = first_choice(edition, players)
        matrices = Matrices(network)
        seen = knowledge.encode()[0][network.header.inputs].astype(np.float32)[None, :]
        ways: dict[str, Callable[[], Any]] = {
            "ours, fixed order of summation": lambda: ask(network, knowledge),  # noqa: B023
            "NumPy, 32-bit floats": lambda: matrices.ask(seen),  # noqa: B023
            "ONNX Runtime, one thread": onnx_runtime(matrices, seen),
        }
        assert np.allclose(matrices.ask(seen), ways["ONNX Runtime, one thread"](), rtol=1e-2, atol=1e-2)
        for name, way in ways.items():
            rate, spread = per_cpu_second(lambda way=way: way() is not None)  # type: ignore[misc]
            rows.append([f"{game}: {name}", f"{1000 / rate:.2f}", f"{spread:.0%}"])
            print(f"{rows[-1][0]}: {rows[-1][1]} ms", flush=True)
    body = (
        "Milliseconds per evaluation on one core. Ours includes everything of a decision except the view: the feature "
        "vector, the network and the legal actions. It skips features that are 0, which are most of them. The others "
        "are the network alone, on a given vector.\n\n"
    )
    write_section("network", "Network evaluation", "make bench", body + markdown_table(["", "ms", "spread"], rows))


def first_choice(edition: str, players: int) -> Knowledge:
    game = Game.new(edition, players, seed=7)
    while game.phase != "play":
        game.play(game.legal()[0])
    assert game.turn is not None
    return game.knowledge(game.turn)


def ask(network: Network, knowledge: Knowledge) -> Floats:
    observation, mask = knowledge.encode()
    return network(observation, mask, knowledge.state.phase - VETO)[0]


class Matrices:
    """The same network as NumPy matrices of 32-bit floats."""

    def __init__(self, network: Network) -> None:
        header, layers = network.header, network.layers
        sizes = [len(header.inputs), *[header.width] * (header.blocks + 1), len(header.outputs) + SEATS]
        self.layers: list[tuple[Floats, Floats]] = []
        at = 0
        for inputs, out in pairwise(sizes):
            weights = layers[at : at + inputs * out].reshape(inputs, out)
            self.layers.append((weights, layers[at + inputs * out : at + (inputs + 1) * out]))
            at += (inputs + 1) * out

    def ask(self, x: Floats) -> Floats:
        (first, bias), *blocks, (last, last_bias) = self.layers
        x = np.maximum(x @ first + bias, 0)
        for weights, bias in blocks:
            x = x + np.maximum(normalised(x) @ weights + bias, 0)
        return np.asarray(normalised(x) @ last + last_bias, np.float32)


def normalised(x: Floats) -> Floats:
    centred = x - x.mean(1, keepdims=True)
    return np.asarray(centred / np.sqrt((centred**2).mean(1, keepdims=True) + EPSILON), np.float32)


def onnx_runtime(matrices: Matrices, seen: Floats) -> Callable[[], Any]:
    """The same network as an ONNX graph."""
    import onnxruntime
    from onnx import TensorProto, helper, numpy_helper

    nodes, constants, x = [], [], "seen"
    for i, (weights, bias) in enumerate(matrices.layers):
        constants += [numpy_helper.from_array(weights, f"w{i}"), numpy_helper.from_array(bias, f"b{i}")]
        before = x
        if i:
            ones, zeros = np.ones(weights.shape[0], np.float32), np.zeros(weights.shape[0], np.float32)
            constants += [numpy_helper.from_array(ones, f"s{i}"), numpy_helper.from_array(zeros, f"z{i}")]
            nodes.append(helper.make_node("LayerNormalization", [x, f"s{i}", f"z{i}"], [f"n{i}"], epsilon=EPSILON))
            before = f"n{i}"
        nodes.append(helper.make_node("Gemm", [before, f"w{i}", f"b{i}"], [f"y{i}"]))
        if i + 1 < len(matrices.layers):
            nodes.append(helper.make_node("Relu", [f"y{i}"], [f"r{i}"]))
            nodes += [helper.make_node("Add", [x, f"r{i}"], [f"x{i}"])] if i else []
        x = f"x{i}" if i else "r0"
    last = f"y{len(matrices.layers) - 1}"
    graph = helper.make_graph(
        nodes,
        "network",
        [helper.make_tensor_value_info("seen", TensorProto.FLOAT, list(seen.shape))],
        [helper.make_tensor_value_info(last, TensorProto.FLOAT, None)],
        constants,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return lambda: session.run(None, {"seen": seen})[0]


if __name__ == "__main__":
    main()
