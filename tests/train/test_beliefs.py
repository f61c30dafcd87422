"""Belief models and critics in training: targets are the truth, a model begins as the uniform sampler, files are read.

Needs the extra `train` (PyTorch), which `make check-all` installs.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from atout.batch import Batch
from atout.errors import WeightsError
from atout.knowledge import features as at
from atout.nets import beliefs, critic, weights
from atout.rules.layout import PLAY, SEATS
from train.__main__ import main
from train.config import Place, read

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
SMALL = """
seed = 3
device = "cpu"
total_minutes = 1.0
[games.njet]
width = 16
blocks = 1
places = [{ edition = "niet-2015", players = 4 }]
[games.nichtig]
width = 16
blocks = 1
places = [{ edition = "nichtig", players = 4, options = { teams = true } }]
[learning]
matches = 128
steps = 8
minibatch = 256
warm_up = 1
league = 0.0
policy_share = 0.0
[beliefs]
head = 8
"""


@pytest.mark.parametrize("place", [Place("niet-2015", 4), Place("njet-2007", 3), Place("nichtig", 4)])
def test_targets_are_the_truth(place: Place) -> None:
    """Every unseen card is in one place, as many as there is room for; the model begins nearly uniform."""
    import torch

    from train.beliefs import log_chances, make_beliefs, true_cards, true_counts

    setup = place.setup
    batch = Batch([setup], [0] * 64)
    batch.reset(5)
    colours = 5 if place.edition == "nichtig" else 4
    for _ in range(40):
        batch.observe()
        observation, hidden = torch.from_numpy(batch.observation), torch.from_numpy(batch.hidden)
        counts = true_counts(observation, hidden)
        unseen = batch.observation[:, at.UNSEEN : at.UNSEEN + at.GRID]
        assert (counts >= 0).all()
        assert (counts.sum(1).numpy() == unseen).all()
        cards = true_cards(observation, hidden, colours, 4, 60)
        assert (cards.there.sum(1).numpy() == unseen.sum(1)).all()
        again = torch.zeros_like(counts)
        rows = torch.arange(64)[:, None].expand_as(cards.where)
        again.index_put_((rows, cards.where, cards.places), cards.there.to(counts.dtype), accumulate=True)
        assert (again == counts).all()
        playing = batch.observation[:, at.PHASE + PLAY] > 0
        held = batch.observation[:, at.IN_HAND + 1 : at.IN_HAND + SEATS]
        known = batch.observation[:, at.KNOWN : at.KNOWN + at.GRID].sum(1)
        room = counts.sum(2).numpy()[:, : SEATS - 1]
        room[:, 0] += known
        assert (room[playing] == held[playing]).all()
        net = make_beliefs(torch.arange(at.SIZE), 16, 1, 8)
        mine, uniform = log_chances(net, observation, cards)
        assert torch.isfinite(uniform).all()
        assert abs(float((mine - uniform).detach().sum(1).mean())) < 5
        batch.step(batch.policy_places())


def test_a_training_writes_what_the_package_reads(tmp_path: Path) -> None:
    config, out = tmp_path / "small.toml", tmp_path / "out"
    config.write_text(SMALL)
    folder = str(ROOT / "src/atout/nets/data")
    assert main(["--config", str(config), "--minutes", "0.6", "--beliefs", folder, "--out", str(out)]) == 0
    for game in ("njet", "nichtig"):
        model = beliefs.read(out / f"{game}.beliefs")
        base, context = model.ask(np.zeros(at.SIZE, np.int8))
        assert base.shape == (at.GRID, weights.WHERE)
        assert context.shape == (8,)
        values = critic.read(out / f"{game}.critic").gains(np.ones((3, at.SIZE + at.HIDDEN_SIZE), np.int8), 4)
        assert values.sum(1) == pytest.approx(0, abs=1e-4)
        with pytest.raises(WeightsError, match="of the kind 'beliefs'; expected 'player'"):
            weights.read(out / f"{game}.beliefs")


def test_a_configuration_without_beliefs_is_refused(tmp_path: Path) -> None:
    config = str(ROOT / "train/cpu.toml")
    words = ["--config", config, "--minutes", "1", "--beliefs", str(tmp_path), "--out", str(tmp_path)]
    assert main(words) == 2
    assert read(ROOT / "train/beliefs.toml").beliefs is not None
