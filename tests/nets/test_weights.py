"""Weights in files: what was written is read, what is wrong is named; without weights a table is played by search."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from atout import Game
from atout.bots import ask
from atout.bots.bot import Budget
from atout.bots.learned import LearnedBot, network_of
from atout.errors import WeightsError
from atout.knowledge.features import ACTIONS, SIZE, VERSION
from atout.nets import weights
from atout.nets.forward import STRIP
from atout.nets.weights import MAGIC, Header, Network, Trained, read, write
from atout.rules.layout import SEATS
from atout.terminal.reasons import WORDS
from tests.properties.matches import chance, play_on

WIDTH, BLOCKS = 12, 2
TABLES = [Trained("nichtig", 3, "total", False, 10.0), Trained("nichtig", 4, "total", True, 5.0)]


def some_header(**changes: Any) -> Header:
    fields: dict[str, Any] = {
        "observation": VERSION, "game": "nichtig", "width": WIDTH, "blocks": BLOCKS, "inputs": list(range(0, SIZE, 2)),
        "outputs": list(range(320, ACTIONS)), "tables": TABLES, "notes": {"seed": 1},
    }  # fmt: skip
    return Header(**(fields | changes))


def some_arrays(header: Header) -> dict[str, Any]:
    rng = np.random.default_rng(1)
    return {name: rng.normal(0, 0.3, shape).astype(np.float16) for name, shape in header.shapes}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path / "nichtig.weights", some_header(), some_arrays(some_header()))
    return tmp_path


def test_what_was_written_is_read(folder: Path) -> None:
    assert read(folder / "nichtig.weights").header == some_header()


def test_a_network_by_hand(folder: Path) -> None:
    """The same sums, written out: normalised inputs, residual blocks, one softmax over what is legal."""
    network = read(folder / "nichtig.weights")
    game = play_on(Game.new("nichtig", 3, seed=4), chance("hand"), 12)
    observation, mask = game.knowledge(game.turn).encode()
    likely, forecast = network(observation, mask, 6)
    a = {name: array.astype(np.float64) for name, array in some_arrays(some_header()).items()}
    x = np.maximum(observation[network.header.inputs].astype(float) @ a["first"] + a["first_bias"], 0)
    for i in range(BLOCKS):
        x = x + np.maximum(a[f"block{i}"] @ ((x - x.mean()) / np.sqrt(x.var() + 1e-5)) + a[f"block{i}_bias"], 0)
    out = a["last"] @ ((x - x.mean()) / np.sqrt(x.var() + 1e-5)) + a["last_bias"]
    legal = [place for place in range(64) if (mask >> place) & 1]
    rated = np.exp([out[64 + place] for place in legal])
    assert likely[legal] == pytest.approx(rated / rated.sum(), abs=1e-5)
    assert likely.sum() == pytest.approx(1.0, abs=1e-5)
    assert forecast == pytest.approx(out[-SEATS:], abs=1e-4)


def test_many_positions_together_are_the_same_to_the_last_bit() -> None:
    """With a width that is no multiple of four, and more outputs than fit into one strip."""
    header = some_header(width=14, outputs=list(range(ACTIONS - STRIP, ACTIONS)))
    network = Network(header, some_arrays(header))
    positions = np.random.default_rng(2).integers(-1, 4, (5, SIZE)).astype(np.int8)
    together = network.evaluate_many(positions)
    assert together.shape == (5, STRIP + SEATS)
    assert together.tobytes() == np.stack([network.evaluate(one) for one in positions]).tobytes()


@pytest.mark.parametrize("kept", [0, 5, len(MAGIC) + 20, len(MAGIC) + 34, 2000, -1])
def test_a_file_that_is_cut_off(folder: Path, kept: int) -> None:
    path = folder / "nichtig.weights"
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(WeightsError, match=r"not a weights file|cut off or changed"):
        read(path)


def test_a_file_that_was_changed(folder: Path) -> None:
    path = folder / "nichtig.weights"
    data = bytearray(path.read_bytes())
    data[-7] ^= 1
    path.write_bytes(data)
    with pytest.raises(WeightsError, match="checksum does not match"):
        read(path)


def test_files_from_elsewhere(folder: Path) -> None:
    path = folder / "other.weights"
    path.write_bytes(b"PK\x03\x04 something else")
    with pytest.raises(WeightsError, match="is not a weights file; expected one written by `python -m train`"):
        read(path)
    with pytest.raises(WeightsError, match="cannot be read: No such file"):
        read(folder / "nothing.weights")
    write(path, some_header(observation=VERSION + 1), some_arrays(some_header()))
    with pytest.raises(
        WeightsError, match=f"observation {VERSION + 1}; this version of Atout has observation {VERSION}"
    ):
        read(path)
    header = some_header(inputs=[SIZE])
    write(path, header, some_arrays(header))
    with pytest.raises(WeightsError, match=f"features that observation {VERSION} does not have"):
        read(path)


def test_numbers_that_do_not_fit_the_header(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A checksum says that a file is as it was written, not that it was written well."""
    path, real = folder / "odd.weights", Header.shapes
    shapes = real.fget(some_header())  # type: ignore[attr-defined]
    monkeypatch.setattr(Header, "shapes", property(lambda self: shapes[:-1]))
    write(path, some_header(), some_arrays(some_header()))
    monkeypatch.setattr(Header, "shapes", real)
    with pytest.raises(WeightsError, match="ends within 'last_bias'"):
        read(path)
    monkeypatch.setattr(Header, "shapes", property(lambda self: [*shapes, ("more", (3,))]))
    write(path, some_header(), some_arrays(some_header()))
    monkeypatch.setattr(Header, "shapes", real)
    with pytest.raises(WeightsError, match="holds 6 bytes more"):
        read(path)


# ------------------------------------------------------------------ the bot


def test_it_plays_where_it_was_trained(folder: Path) -> None:
    """Every decision of a match is legal, the same for the same view, and comes with a forecast and a reason."""
    bot, game = LearnedBot(folder), Game.new("nichtig", 3, seed=2)
    codes = set()
    while game.turn is not None:
        view = game.view(game.turn)
        choice = ask(bot, view, random.Random(1))
        assert ask(LearnedBot(folder), view, random.Random(2)) == choice
        codes |= {reason.code for reason in choice.reasons}
        if len(view["legal"]) > 1:
            (points,) = choice.estimates.values()
            assert len(points) == 3
            assert list(choice.estimates) == [choice.action]
        game.play(choice.action)
    assert codes == {"only-choice", "learned"}
    assert codes <= set(WORDS)


@pytest.mark.parametrize(
    ("edition", "players", "options"),
    [("nichtig", 4, {}), ("nichtig", 5, {}), ("niet-2015", 4, {})],
    ids=["scoring", "players", "game"],
)
def test_elsewhere_it_searches_and_says_so(folder: Path, edition: str, players: int, options: dict[str, Any]) -> None:
    game = Game.new(edition, players, seed=2, options=options)
    choice = LearnedBot(folder).choose(
        game.view(game.turn), tuple(game.view(game.turn)["legal"]), Budget(nodes=20), random.Random(1)
    )
    assert choice.reasons[0].code == "no-weights"
    assert choice.reasons[0].parameters == {"table": game.setup.name, "instead": "club"}
    assert len(choice.reasons) > 1
    assert choice.action in game.view(game.turn)["legal"]
    assert "no-weights" in WORDS


def test_teams_and_targets_are_trained_tables(folder: Path) -> None:
    network = read(folder / "nichtig.weights")
    game = Game.new("nichtig", 4, seed=2, options={"teams": True, "length": {"target": 50}})
    assert network.trained_at(game.setup) == TABLES[1]


def test_a_broken_file_is_an_error_not_a_silence(folder: Path) -> None:
    (folder / "nichtig.weights").write_bytes(MAGIC + b"x" * 50)
    network_of.cache_clear()
    with pytest.raises(WeightsError):
        network_of("nichtig", folder)


def test_the_packages_own_weights() -> None:
    """They are readable, of this observation, and small enough to sit in the package: 12 MB in all."""
    files = sorted(weights.FOLDER.glob("*.weights"))
    assert sum(path.stat().st_size for path in files) <= 12_000_000
    for path in files:
        assert isinstance(read(path), Network)
        assert path.stem == read(path).header.game
