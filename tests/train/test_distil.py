"""Distillation: rows say what `expert` found, targets are distributions, and the network learns them and little else.

What needs the extra `train` (PyTorch) is marked as slow; `make check-all` installs it.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from atout.batch import Batch
from atout.bots import Budget, ask, make_bot
from atout.bots.learned import Prediction, network_of, trained_at
from atout.errors import UsageError
from atout.game import Game
from atout.game.notation import bits_of, notation_of
from atout.game.view_builder import make_view
from atout.knowledge import entries as knowledge_entries
from atout.knowledge.features import BLOCK
from atout.nets.weights import FOLDER, read
from train import collect
from train.__main__ import main
from train.config import Config, Distil, GameConfig, Learning, Measuring, Place
from train.config import read as read_config
from train.folders import trained_for

ROOT = Path(__file__).parents[2] / "train"
PLACE = Place("nichtig", 3)
LEARNING = Learning(
    matches=64, steps=1, minibatch=128, epochs=12, rate=3e-3, warm_up=1, late=0.5, extreme=0.5, boards=0.5
)
SETTINGS = Distil(processes=1, matches=6, asked=0.3)


def config_of(settings: Distil = SETTINGS, learning: Learning = LEARNING) -> Config:
    return Config(2, "cpu", 1.0, {"nichtig": GameConfig([PLACE])}, learning, Measuring(deals=20), None, settings)


@pytest.mark.slow
def test_rows_of_play() -> None:
    """Every row is legal, begins with the network's choice, and compares at least two actions."""
    network = read(FOLDER / "nichtig.weights")
    config = config_of()
    play = collect.CollectedPlay("nichtig", config.games["nichtig"], network, config, process=0)
    while len(play.rows) < 3:
        play.play(deadline=float("inf"))
    rows = play.take_rows()
    assert not play.rows
    assert play.asked >= len(rows["mask"]) >= 3
    assert {name: (value.shape[1:], value.dtype) for name, value in rows.items()} == {
        name: (shape, np.dtype(kind)) for name, (shape, kind) in collect.FIELDS.items()
    }
    for i, mask in enumerate(rows["mask"].tolist()):
        legal, tried = set(bits_of(mask)), [place for place in rows["tried"][i].tolist() if place >= 0]
        policy, forecast = network(rows["observation"][i], mask, int(rows["block"][i]))
        assert rows["policy"][i] == pytest.approx(policy, abs=1e-3)
        assert np.isfinite(forecast).all()
        assert len(tried) == len(set(tried)) >= 2
        assert set(tried) | {int(rows["choice"][i])} <= legal
        assert tried[0] == policy.argmax()
        assert rows["leads"][i, 0] == rows["errors"][i, 0] == 0
        assert not rows["leads"][i, len(tried) :].any()
    assert (rows["errors"][:, 1] >= 0).all()


class SameBits(random.Random):
    """A generator whose next bits are given."""

    def __init__(self, bits: int) -> None:
        super().__init__(0)
        self.bits = bits

    def getrandbits(self, k: int, /) -> int:
        return self.bits


@pytest.mark.slow
def test_a_row_has_the_choice_of_expert() -> None:
    """With the same seed the bot, which is given a view, chooses what the row says."""
    network = network_of("njet")
    assert network is not None
    game, checked = Game.new("niet-2015", players=2, seed=5), 0
    for seed in range(60):
        knowledge = game.knowledge(game.turn)
        trained = trained_at(network, knowledge)
        assert trained is not None
        prediction = Prediction(network, trained, knowledge)
        words = notation_of(game.setup)
        found = collect.look_ahead(prediction, seed) if len(prediction.actions) > 1 else None
        choice = prediction.choice([str(one) for one in game.legal()])
        if found:
            choice = ask(make_bot("expert"), make_view(knowledge, words, past=[]), SameBits(seed), Budget())
            action = words.entry_of[choice.action] & 63
            place = found["choice"]
            assert knowledge_entries.action_at(knowledge.redacted, game.setup.rules, place) == action
            checked += 1
        if checked == 2:
            return
        game.play(choice.action)
    pytest.fail("the lookahead compared no actions")


def made_up_rows(count: int) -> collect.Arrays:
    """Decisions of random play in which the second-best place of the network leads clearly."""
    network, rng = read(FOLDER / "nichtig.weights"), np.random.default_rng(1)
    batch = Batch([PLACE.setup], [0] * 64)
    rows: list[dict[str, Any]] = []
    batch.reset(1)
    while len(rows) < count:
        batch.observe()
        logs = network.log_policies(network.evaluate_all(batch.observation), batch.mask, batch.block)
        for i in range(64):
            first, second = np.argsort(-logs[i])[:2].tolist()
            row = {"observation": batch.observation[i].copy(), "mask": batch.mask[i], "block": batch.block[i]}
            row |= {"setup": 0, "round": len(rows), "policy": np.exp(logs[i]), "tried": [first, second, -1, -1, -1]}
            row |= {"leads": [0, 0.3, 0, 0, 0], "errors": [0, 0.1, 0, 0, 0], "late": False, "choice": second}
            rows.append(row)
        batch.step(np.array([rng.choice(bits_of(int(mask))) for mask in batch.mask]))
    return collect.as_arrays(rows[:count])


def test_files_are_packed_and_found_again(tmp_path: Path) -> None:
    rows = made_up_rows(100)
    for i in range(4):
        part = {name: value[25 * i : 25 * i + 25] for name, value in rows.items()}
        collect.save(part, tmp_path / f"nichtig-shard-000-{i:04}.npz")
    assert [path.name for path in collect.pack(tmp_path, "nichtig")] == ["nichtig-rows-00.npz"]
    assert [path.name for path in tmp_path.iterdir()] == ["nichtig-rows-00.npz"]
    found = collect.load(tmp_path, "nichtig")
    assert all((found[name] == value).all() for name, value in rows.items())
    with pytest.raises(UsageError, match="rows: there are none of njet"):
        collect.load(tmp_path, "njet")


def test_the_configuration_of_the_house() -> None:
    config = read_config(ROOT / "distil.toml")
    assert config.distil is not None
    for game, own in config.games.items():
        trained_for(read(FOLDER / f"{game}.weights"), own.places)
    with pytest.raises(UsageError, match="nichtig: the network was not trained for niet-2015 with 4 players"):
        trained_for(read(FOLDER / "nichtig.weights"), [Place("niet-2015", 4)])


@pytest.mark.slow
def test_targets_are_distributions_over_legal_places() -> None:
    """Worked out by hand: places that were not tried stand beside the mean, and an uncertain lead counts less."""
    import torch

    from train.distil import rows_of, targets

    settings = Distil(temperature=0.1, usual_lead=0.1)
    policy = torch.tensor([[0.5, 0.3, 0.2] + [0.0] * (BLOCK - 3)])
    tried = torch.tensor([[0, 1, -1, -1]])
    leads, errors = torch.tensor([[0.0, 0.16, 0, 0]]), torch.tensor([[0.0, 0.1, 0, 0]])
    target = targets(policy, tried, leads, errors, settings)[0].exp()
    expected = np.array([0.5 * np.exp(-0.3), 0.3 * np.exp(0.5), 0.2])
    assert target[:3].tolist() == pytest.approx((expected / expected.sum()).tolist(), abs=1e-6)
    assert not target[3:].any()
    doubtful = targets(policy, tried, leads, errors * 1000, settings)[0].exp()
    assert doubtful.tolist() == pytest.approx(policy[0].tolist(), abs=1e-4)
    rows = rows_of(made_up_rows(200), settings, "cpu")
    assert rows.target.exp().sum(1).numpy() == pytest.approx(1, abs=1e-5)
    legal = (rows.mask[:, None] >> torch.arange(BLOCK)) & 1
    assert not (rows.target.exp() * (1 - legal)).any()


@pytest.mark.slow
def test_it_learns_the_rows_and_leaves_the_forecasts(tmp_path: Path) -> None:
    """The held-out loss falls, forecasts and ordinary play stay close, and the package reads the new file."""
    import torch

    from train.distil import Distiller
    from train.net import forecasts

    learning = Learning(matches=64, steps=1, minibatch=128, epochs=10, rate=3e-4, warm_up=1)
    distiller = Distiller(config_of(learning=learning), SETTINGS, "nichtig", FOLDER)
    lines: list[str] = []
    rows = made_up_rows(512)
    distiller.learn(rows, float("inf"), lines.append)
    assert len(lines) > 3
    assert distiller.notes["after"] < 0.8 * distiller.notes["before"]
    _, held_out = distiller.divided(rows)
    assert distiller.loss(held_out) == pytest.approx(distiller.notes["after"])
    choices = distiller.notes["choices"]
    assert choices["rows"] == choices["overruled"] == len(held_out.mask)
    assert choices["old"]["as_expert_where_overruled"] < 0.05 < choices["new"]["as_expert_where_overruled"]
    seen, mask, block, before = distiller.play.step()
    after = distiller.player(seen[:, distiller.player.inputs]).detach()
    assert (forecasts(after) - forecasts(before)).abs().mean() < 0.1
    assert set(distiller.measure()) == {"nichtig 3"}
    distiller.save(tmp_path)
    written = read(tmp_path / "nichtig.weights")
    assert written.header.tables == distiller.network.header.tables
    assert written.header.outputs == distiller.network.header.outputs
    for i in range(5):
        policy, forecast = written(seen[i].numpy(), int(mask[i]), int(block[i]))
        places = torch.arange(BLOCK) + BLOCK * int(block[i])
        legal = (int(mask[i]) >> np.arange(BLOCK)) & 1 == 1
        expected = torch.softmax(after[i, places][torch.from_numpy(legal)], 0)
        assert policy[legal] == pytest.approx(expected.numpy(), abs=0.01)
        assert forecast == pytest.approx(forecasts(after)[i].numpy(), abs=0.02)


SMALL = """
seed = 3
device = "cpu"
total_minutes = 1.0
[games.nichtig]
places = [{ edition = "nichtig", players = 3 }]
[learning]
matches = 32
steps = 1
minibatch = 16
rate = 1e-5
[measuring]
deals = 5
[distil]
processes = 1
held_out = 2
"""


@pytest.mark.slow
def test_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The two steps one after the other. A busy machine gets more time, until there are rows to hold out."""
    config, out = tmp_path / "small.toml", tmp_path / "out"
    config.write_text(SMALL, encoding="utf-8")
    words = ["--config", str(config), "--distil", str(FOLDER), "--out", str(out)]
    assert any(
        main([*words, "--minutes", minutes, "--distil-step", "collect", "--processes", "2"]) == 0
        and len(set(collect.load(out / "rows", "nichtig")["round"] % 2)) == 2
        for minutes in ("0.25", "1", "4")
    )
    assert [path.name for path in (out / "rows").iterdir()] == ["nichtig-rows-00.npz"]
    assert main([*words, "--minutes", "0.2", "--distil-step", "learn"]) == 0
    found = json.loads((out / "distil.json").read_text(encoding="utf-8"))["nichtig"]
    assert read(out / "nichtig.weights").header.notes["distilled"]["rows"] == found["rows"] > 0
    assert set(found["against_old"]) == {"nichtig 3"}
    capsys.readouterr()
    config.write_text(SMALL.partition("[distil]")[0], encoding="utf-8")
    assert main([*words, "--minutes", "0.1"]) == 2
    assert "config: has no [distil]; train/distil.toml has" in capsys.readouterr().err
