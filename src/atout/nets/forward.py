"""The forward pass of a network for one position, or for many together, with sums in a fixed order.

The inputs of a layer are taken one by one, and each is multiplied into all outputs. So every output adds its terms in
the same order on every machine: the same weights give the same result, to the last bit, and one thread is enough. A
matrix library would choose its own order, and use threads that wait for each other on a busy machine.

The layers are one vector of 32-bit numbers, one after the other, each input-major and followed by its biases.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from atout.rules.jit import entry, rule

EPSILON = 1e-5
"""Added to a variance, so that a layer of equal numbers can be normalised."""
STRIP = 128
"""How many outputs of a layer are summed at a time when many positions are asked together."""


@rule
def copy(source: Any, out: Any) -> None:
    """By a loop: `out[:] = source` compiles the text of an error for other shapes along, for three seconds."""
    for i in range(out.shape[0]):
        out[i] = source[i]


@rule
def add_column(column: Any, factor: Any, out: Any) -> None:
    for i in range(out.shape[0]):
        out[i] += factor * column[i]


@rule
def add_four_columns(first: Any, second: Any, third: Any, fourth: Any, factors: Any, out: Any) -> None:
    """As four times `add_column`, one after the other, but the sums are read and written once."""
    a, b, c, d = factors[0], factors[1], factors[2], factors[3]
    for i in range(out.shape[0]):
        out[i] = out[i] + a * first[i] + b * second[i] + c * third[i] + d * fourth[i]


@rule
def multiply(layer: Any, x: Any, out: Any) -> None:
    """One linear layer."""
    size = out.shape[0]
    copy(layer[x.shape[0] * size : (x.shape[0] + 1) * size], out)
    for k in range(x.shape[0]):
        add_column(layer[k * size : (k + 1) * size], x[k], out)


@rule
def multiply_many(layer: Any, xs: Any, outs: Any) -> None:
    """One linear layer for many positions: each sum in the order of `multiply`.

    The weights are read once for all positions, a strip of columns at a time, so that the sums of a strip stay close to
    the processor.
    """
    inputs, size = xs.shape[1], outs.shape[1]
    for start in range(0, size, STRIP):
        end = min(start + STRIP, size)
        for n in range(xs.shape[0]):
            copy(layer[inputs * size + start : inputs * size + end], outs[n, start:end])
        whole = inputs - inputs % 4
        for k in range(0, whole, 4):
            first = layer[k * size + start : k * size + end]
            second = layer[(k + 1) * size + start : (k + 1) * size + end]
            third = layer[(k + 2) * size + start : (k + 2) * size + end]
            fourth = layer[(k + 3) * size + start : (k + 3) * size + end]
            for n in range(xs.shape[0]):
                add_four_columns(first, second, third, fourth, xs[n, k : k + 4], outs[n, start:end])
        for k in range(whole, inputs):
            for n in range(xs.shape[0]):
                add_column(layer[k * size + start : k * size + end], xs[n, k], outs[n, start:end])


@rule
def normalise(x: Any, out: Any) -> None:
    """Layer normalisation: mean 0, variance 1."""
    size = x.shape[0]
    total, squares = 0.0, 0.0
    for i in range(size):
        total += float(x[i])
    mean = total / size
    for i in range(size):
        squares += (float(x[i]) - mean) * (float(x[i]) - mean)
    scale = 1.0 / math.sqrt(squares / size + EPSILON)
    for i in range(size):
        out[i] = (float(x[i]) - mean) * scale


@rule
def enter(observation: Any, rows: Any, layers: Any, inputs: int, x: Any) -> None:
    """The first layer, which skips features that are 0. `rows[k]` is the input of feature k, or −1."""
    width = x.shape[0]
    copy(layers[inputs * width : (inputs + 1) * width], x)
    for k in range(observation.shape[0]):
        if observation[k] != 0 and rows[k] >= 0:
            add_column(layers[rows[k] * width : (rows[k] + 1) * width], np.float32(observation[k]), x)
    for i in range(width):
        x[i] = max(x[i], np.float32(0.0))


@entry
def ask_network(observation: Any, rows: Any, layers: Any, inputs: int, blocks: int, room: Any, answer: Any) -> None:
    """Fill `answer` with the outputs; `room` is scratch for three rows."""
    width = room.shape[0] // 3
    x, y, z = room[:width], room[width : 2 * width], room[2 * width :]
    enter(observation, rows, layers, inputs, x)
    at = (inputs + 1) * width
    for _ in range(blocks):
        normalise(x, y)
        multiply(layers[at : at + (width + 1) * width], y, z)
        at += (width + 1) * width
        for i in range(width):
            x[i] += max(z[i], np.float32(0.0))
    normalise(x, y)
    multiply(layers[at:], y, answer)


@entry
def ask_network_many(
    observations: Any, rows: Any, layers: Any, inputs: int, blocks: int, xs: Any, ys: Any, zs: Any, answers: Any
) -> None:
    """Fill each row of `answers` as `ask_network` would, to the last bit; `xs`, `ys` and `zs` are scratch."""
    count, width = xs.shape
    for n in range(count):
        enter(observations[n], rows, layers, inputs, xs[n])
    at = (inputs + 1) * width
    for _ in range(blocks):
        for n in range(count):
            normalise(xs[n], ys[n])
        multiply_many(layers[at : at + (width + 1) * width], ys, zs)
        at += (width + 1) * width
        for n in range(count):
            for i in range(width):
                xs[n, i] += max(zs[n, i], np.float32(0.0))
    for n in range(count):
        normalise(xs[n], ys[n])
    multiply_many(layers[at:], ys, answers)


@entry
def enter_all(observations: Any, rows: Any, layers: Any, inputs: int, xs: Any) -> None:
    """The first layer for many positions; a matrix library multiplies the others."""
    for k in range(observations.shape[0]):
        enter(observations[k], rows, layers, inputs, xs[k])


@entry
def normalise_all(xs: Any, ys: Any) -> None:
    """Layer normalisation for many positions."""
    for k in range(xs.shape[0]):
        normalise(xs[k], ys[k])
