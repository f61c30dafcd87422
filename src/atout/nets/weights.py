"""Networks as weights files, and what they predict.

A file is a line that names the format, the SHA-256 of all that follows, the length of a header (4 bytes,
little-endian), the header (JSON) and the weights, 16 bits each, in the header's order:

    first          inputs × width      rows of the features that occur in training (`inputs` names them)
    first_bias     width
    block, bias    width × width       for each residual block, with the scale of its normalisation multiplied in
    last, bias     outputs × width     what the kind of network tells (below)

A `player` tells a number for each action that occurs in training (`outputs`), then the points of every seat; a `critic`
the gain of every seat (`critic.py`). `beliefs` have a small head of three more matrices (`beliefs.py`).

The header also names what a network was trained for: the version of the features, and the setups.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Literal

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec import Struct
from threadpoolctl import ThreadpoolController

from atout.errors import WeightsError
from atout.game.setup import Setup
from atout.knowledge.features import ACTIONS, BLOCK, GRID, HIDDEN_SIZE, SIZE, VERSION
from atout.nets.forward import ask_network, ask_network_many, enter_all, normalise_all
from atout.rules.layout import SEATS

MAGIC = b"atout weights 1\n"
Floats = npt.NDArray[np.float32]
FOLDER = Path(__file__).parent / "data"
"""The weights that come with the package."""
WHERE = 2 * (SEATS - 1) + 1
"""Where beliefs place a card: the hand of the k-th seat to the left, what that seat put aside, or not dealt."""
Kind = Literal["player", "critic", "beliefs"]
UNTRAINED = -30.0
"""The logit of an action that was never legal in training."""


class Trained(Struct, frozen=True):
    """A setup that a network was trained for."""

    edition: str
    players: int
    scoring: str
    teams: bool
    scale: float = msgspec.field(name="spread")
    """Points that are 1 in its forecasts: the root mean square of a round's gain among rule-based players."""

    def fits(self, setup: Setup) -> bool:
        options = setup.options
        return (self.edition, self.players, self.scoring, self.teams) == (
            setup.edition.id, setup.players, options.scoring, options.teams,
        )  # fmt: skip


class Header(Struct, frozen=True):
    """What is needed to read the weights, and what they were trained for."""

    observation: int
    game: str
    width: int
    blocks: int
    inputs: list[int]
    outputs: list[int]
    tables: list[Trained]
    notes: dict[str, Any] = {}
    """Seed, versions and number of decisions, for readers."""
    kind: Kind = "player"
    head: int = 0
    """The width of the head of `beliefs`."""

    @property
    def results(self) -> int:
        """How many numbers the last layer tells."""
        if self.kind == "player":
            return len(self.outputs) + SEATS
        return SEATS if self.kind == "critic" else GRID * WHERE + self.head

    @property
    def shapes(self) -> list[tuple[str, tuple[int, ...]]]:
        """The matrices in the order of the file."""
        return self.trunk + self.head_shapes

    @property
    def head_shapes(self) -> list[tuple[str, tuple[int, ...]]]:
        if self.kind != "beliefs":
            return []
        return [
            ("head_card", (GRID, self.head)),
            ("head_placed", (GRID * WHERE, self.head)),
            ("head_place", (WHERE, self.head)),
        ]

    @property
    def trunk(self) -> list[tuple[str, tuple[int, ...]]]:
        outputs, blocks = self.results, range(self.blocks)
        return [
            ("first", (len(self.inputs), self.width)),
            ("first_bias", (self.width,)),
            *((f"block{i}", (self.width, self.width)) for i in blocks),
            *((f"block{i}_bias", (self.width,)) for i in blocks),
            ("last", (outputs, self.width)),
            ("last_bias", (outputs,)),
        ]


@cache
def _matrix_threads() -> ThreadpoolController:
    """The threads of the matrix library."""
    return ThreadpoolController()


class Network:
    """A network that can be evaluated."""

    def __init__(self, header: Header, arrays: dict[str, npt.NDArray[Any]]) -> None:
        self.header = header
        matrices = {name: arrays[name].reshape(shape) for name, shape in header.trunk}
        first, *others = [name for name in matrices if not name.endswith("_bias")]
        parts = [matrices[first], matrices[f"{first}_bias"]]
        for name in others:
            parts += [matrices[name].T, matrices[f"{name}_bias"]]
        self.layers: Floats = np.concatenate([part.ravel() for part in parts], dtype=np.float32)
        """The layers as `ask_network` reads them: input-major, each followed by its biases."""
        self._rows = np.full(SIZE + HIDDEN_SIZE, -1, np.int64)
        self._rows[header.inputs] = np.arange(len(header.inputs))
        self._place_of = np.full(ACTIONS, -1, np.int64)
        """The output of each action, or −1."""
        self._place_of[header.outputs] = np.arange(len(header.outputs))
        self._large = list(self._large_layers())

    def trained_at(self, setup: Setup) -> Trained | None:
        return next((one for one in self.header.tables if one.fits(setup)), None)

    def evaluate(self, observation: npt.NDArray[np.int8]) -> Floats:
        """The raw outputs for one position, with the same order of summation on every machine."""
        header = self.header
        room, answer = np.empty(3 * header.width, np.float32), np.empty(header.results, np.float32)
        ask_network(observation, self._rows, self.layers, len(header.inputs), header.blocks, room, answer)
        return answer

    def __call__(self, observation: npt.NDArray[np.int8], mask: int, block: int) -> tuple[Floats, Floats]:
        """The policy (a probability for each place of the block, 0 where it is not legal) and the forecast points of
        every seat, counted from the one in turn, in units of the setup's scale.
        """
        answer = self.evaluate(observation)
        places = self._place_of[block * BLOCK : block * BLOCK + BLOCK]
        legal = ((mask >> np.arange(BLOCK)) & 1 == 1) & (places >= 0)
        policy = np.zeros(BLOCK, np.float32)
        if legal.any():
            logits = answer[places[legal]]
            policy[legal] = np.exp(logits - logits.max())
            policy /= policy.sum()
        return policy, answer[-SEATS:].copy()

    def evaluate_many(self, observations: npt.NDArray[np.int8]) -> Floats:
        """The raw outputs for many positions, one row each: the same numbers as `evaluate` gives, in less time."""
        header = self.header
        xs, ys, zs = np.empty((3, len(observations), header.width), np.float32)
        answers = np.empty((len(observations), header.results), np.float32)
        ask_network_many(
            observations, self._rows, self.layers, len(header.inputs), header.blocks, xs, ys, zs, answers
        )  # fmt: skip
        return answers

    def ask_many(
        self, observations: npt.NDArray[np.int8], legal: npt.NDArray[np.bool_], blocks: npt.NDArray[np.int64]
    ) -> tuple[Floats, Floats]:
        """Policies and forecasts of many positions, the same numbers as one call for each gives; `legal` has the legal
        places of each one's block.
        """
        answers = self.evaluate_many(observations)
        places = self._place_of.reshape(-1, BLOCK)[blocks]
        logits = np.take_along_axis(answers, places, 1)
        logits[~legal | (places < 0)] = -np.inf
        policies = np.exp(logits - logits.max(1, keepdims=True))
        policies /= policies.sum(1, keepdims=True)
        return policies, answers[:, -SEATS:].copy()

    def evaluate_all(self, observations: npt.NDArray[np.int8]) -> Floats:
        """The raw outputs for many positions, one row each. This is quicker, but the matrix library orders the sums.

        The library gets one thread: then the sums are the same however many cores there are, and on a busy machine no
        thread spins while it waits for another.
        """
        with _matrix_threads().limit(limits=1):
            return self._evaluate_all(observations)

    def _evaluate_all(self, observations: npt.NDArray[np.int8]) -> Floats:
        x = np.empty((len(observations), self.header.width), np.float32)
        y = np.empty_like(x)
        enter_all(observations, self._rows, self.layers, len(self.header.inputs), x)
        *blocks, (last, last_bias) = self._large
        for block, bias in blocks:
            normalise_all(x, y)
            z = y @ block
            z += bias
            x += np.maximum(z, 0, out=z)
        normalise_all(x, y)
        outputs: Floats = y @ last + last_bias
        return outputs

    def log_policies(self, outputs: Floats, masks: npt.NDArray[np.int64], blocks: npt.NDArray[np.int64]) -> Floats:
        """For each row of outputs the log-probability of each place of its block; minus infinity where not legal."""
        legal = (masks[:, None] >> np.arange(BLOCK)) & 1 == 1
        places = self._place_of.reshape(-1, BLOCK)[blocks]
        logits = np.take_along_axis(outputs, places, 1)
        logits[places < 0] = UNTRAINED
        logits[~legal] = -np.inf
        logits -= logits.max(1, keepdims=True)
        policies: Floats = logits - np.log(np.exp(logits).sum(1, keepdims=True))
        return policies

    def forecasts(self, outputs: Floats) -> Floats:
        """The forecast points of every seat, counted from the one in turn, in units of the setup's scale."""
        return outputs[:, -SEATS:]

    def _large_layers(self) -> Iterator[tuple[Floats, Floats]]:
        """The layers after the first as matrices and biases: views of `layers`."""
        width = self.header.width
        at = (len(self.header.inputs) + 1) * width
        for columns in [width] * self.header.blocks + [self.header.results]:
            end = at + width * columns
            yield self.layers[at:end].reshape(width, columns), self.layers[end : end + columns]
            at = end + columns


def write(path: Path, header: Header, arrays: dict[str, npt.NDArray[Any]]) -> None:
    head = msgspec.json.encode(header)
    body = len(head).to_bytes(4, "little") + head
    for name, shape in header.shapes:
        body += np.ascontiguousarray(arrays[name].reshape(shape), "<f2").tobytes()
    path.write_bytes(MAGIC + hashlib.sha256(body).digest() + body)


def read(path: Path) -> Network:
    """The network of a player. A file that is cut off, changed or of another format raises `WeightsError`."""
    return Network(*load(path, "player"))


def load(path: Path, kind: Kind) -> tuple[Header, dict[str, npt.NDArray[Any]]]:
    """What a file of this kind holds, checked."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise WeightsError(f"{path}: cannot be read: {error.strerror}") from None
    start = len(MAGIC) + 32
    if not data.startswith(MAGIC):
        raise WeightsError(f"{path}: is not a weights file; expected one written by `python -m train`")
    if len(data) < start + 4 or hashlib.sha256(data[start:]).digest() != data[len(MAGIC) : start]:
        raise WeightsError(f"{path}: is cut off or changed: its checksum does not match; download it again")
    length = int.from_bytes(data[start : start + 4], "little")
    header = _header(path, data[start + 4 : start + 4 + length])
    if header.kind != kind:
        raise WeightsError(f"{path}: holds weights of the kind {header.kind!r}; expected {kind!r}")
    return header, _arrays(path, header, data[start + 4 + length :])


def _header(path: Path, data: bytes) -> Header:
    try:
        header = msgspec.json.decode(data, type=Header)
    except (msgspec.DecodeError, msgspec.ValidationError) as error:
        raise WeightsError(f"{path}: its header cannot be read: {error}") from None
    if header.observation != VERSION:
        raise WeightsError(
            f"{path}: was trained on observation {header.observation}; this version of Atout has observation {VERSION}"
        )
    size = SIZE + HIDDEN_SIZE if header.kind == "critic" else SIZE
    inside = all(0 <= i < size for i in header.inputs) and all(0 <= i < ACTIONS for i in header.outputs)
    if not inside or min(header.width, header.blocks) < 1 or (header.kind == "beliefs" and header.head < 1):
        raise WeightsError(f"{path}: its header names features that observation {VERSION} does not have")
    return header


def _arrays(path: Path, header: Header, data: bytes) -> dict[str, npt.NDArray[Any]]:
    arrays: dict[str, npt.NDArray[Any]] = {}
    at = 0
    for name, shape in header.shapes:
        size = 2 * int(np.prod(shape))
        arrays[name] = np.frombuffer(data[at : at + size], "<f2")
        at += size
        if arrays[name].size * 2 != size:
            raise WeightsError(f"{path}: ends within {name!r}")
    if at != len(data):
        raise WeightsError(f"{path}: holds {len(data) - at} bytes more than its header says")
    return arrays
