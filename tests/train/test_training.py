"""Training on the CPU: what is learned from is right, slices go on, the file says what the network says, and it learns.

Needs the extra `train` (PyTorch), which `make check-all` installs.
"""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from atout.batch import Batch
from atout.nets.weights import FOLDER, Trained, read
from atout.rules.layout import SEATS
from train.__main__ import main
from train.config import Config, GameConfig, Learning, Measuring, Place
from train.config import read as read_config
from train.searchers import WAITS

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2] / "train"
PLACES = [Place("nichtig", 3), Place("njet-1997", 4), Place("niet-2015", 5)]
LEARNING = Learning(matches=60, steps=40, minibatch=256, league=0.2, policy_share=0.1, warm_up=1)
SEARCHERS = 12
SEARCHING = replace(LEARNING, searchers=SEARCHERS, search_nodes=20, search_processes=1)


def prepared(seed: int, learning: Learning = LEARNING) -> tuple[Any, Any, Any]:
    from train.net import make_critic, make_player
    from train.selfplay import SelfPlay

    selfplay = SelfPlay(PLACES, learning, "cpu", seed)
    around = selfplay.measure_setups()
    selfplay.allocate(around)
    return selfplay, make_player(around.inputs, 16, 1), make_critic(around.inputs, 16, 1)


def test_returns_and_advantages() -> None:
    """Against the definition, written out match by match and seat by seat."""
    import torch

    torch.manual_seed(1)
    selfplay, player, critic = prepared(1)
    check_worth(selfplay, selfplay.collect(player, critic, player.copy()))


def test_matches_that_wait_for_a_search() -> None:
    """They stay as they are, end nothing, are worth nothing and are not learned from; all else is as ever."""
    import torch

    torch.manual_seed(4)
    selfplay, player, critic = prepared(4, SEARCHING)
    theirs = torch.as_tensor(selfplay.searchers.seats)
    searched = waited = 0
    try:
        for _ in range(500):
            experience = selfplay.collect(player, critic, player.copy())
            assert selfplay.matches.is_sound
            turn, place, mine = (
                selfplay._turn[:, -SEARCHERS:],
                selfplay._place[:, -SEARCHERS:],
                selfplay._mine[:, -SEARCHERS:],
            )
            in_turn = theirs.expand(len(turn), -1, -1).gather(2, turn[:, :, None])[:, :, 0]
            waits = place == WAITS
            assert (mine == ~in_turn).all()
            assert not (waits & ~in_turn).any()
            assert not selfplay._ended[:, -SEARCHERS:][waits].any()
            for nothing in (selfplay._reward, selfplay._points):
                assert not nothing[:, -SEARCHERS:][waits].any()
            seen = selfplay._seen[:, -SEARCHERS:]
            assert (seen[1:][waits[:-1]] == seen[:-1][waits[:-1]]).all()
            assert not (selfplay._place == WAITS)[:, :-SEARCHERS].any()
            assert not (experience.place[experience.rows] == WAITS).any()
            searched += int((in_turn & ~waits).sum())
            waited += int(waits.sum())
            if searched > 300:
                break
        assert searched == selfplay.searchers.answered > 300
        assert waited > 0
        check_worth(selfplay, experience)
    finally:
        selfplay.close()


def check_worth(selfplay: Any, experience: Any) -> None:
    steps, size = LEARNING.steps, LEARNING.matches
    ended, turn, mine = selfplay._ended.numpy(), selfplay._turn.numpy(), selfplay._mine.numpy()
    reward, value = selfplay._reward.numpy(), selfplay._value.numpy()
    players = selfplay.matches.players.numpy()
    assert 0.6 < mine.mean() < 1
    assert ended.sum() > size // 2
    checked = 0
    for match in range(size):
        last = max((t for t in range(steps) if ended[t, match]), default=-1)
        for t in range(last + 1):
            end = next(later for later in range(t, steps) if ended[later, match])
            seat = int(turn[t, match])
            around = [(seat + k) % players[match] for k in range(players[match])]
            assert selfplay._gains[t, match, : players[match]].tolist() == pytest.approx(reward[end, match, around])
            if not mine[t, match]:
                continue
            own = [later for later in range(t, end + 1) if turn[later, match] == seat and mine[later, match]]
            values = [*(value[later, match] for later in own), reward[end, match, seat]]
            steps_on = [after - before for before, after in pairwise(values)]
            expected = sum(delta * LEARNING.decay**i for i, delta in enumerate(steps_on))
            assert selfplay._advantage[t, match].item() == pytest.approx(expected, abs=1e-4)
            checked += 1
    assert checked > 500
    learned_from = experience.advantage[experience.rows]
    assert learned_from.mean().item() == pytest.approx(0, abs=1e-4)
    assert learned_from.std().item() == pytest.approx(1, abs=1e-3)
    assert len(experience.rows) == mine.sum()


def test_only_legal_places_are_drawn_and_their_chance_is_kept() -> None:
    import torch

    from train.net import logits_of

    selfplay, player, critic = prepared(2)
    experience = selfplay.collect(player, critic, None)
    assert ((experience.mask >> experience.place) & 1).all()
    rows = experience.rows
    out = player(experience.seen[rows][:, : len(player.inputs)], player.copy())
    logs = torch.log_softmax(logits_of(out, experience.mask[rows], experience.block[rows]), 1)
    chances = logs.gather(1, experience.place[rows][:, None])[:, 0]
    assert torch.allclose(chances, experience.log_chance[rows], atol=1e-4)


def small_config(path: Path) -> Path:
    """Seconds of training at two tables."""
    path.write_text(
        """
seed = 3
device = "cpu"
total_minutes = 1.0
[games.nichtig]
width = 16
blocks = 1
places = [
    { edition = "nichtig", players = 3 },
    { edition = "nichtig", players = 3, options = { length = { target = 40 } } },
]
[learning]
matches = 64
steps = 16
minibatch = 256
snapshot_minutes = 0.01
searchers = 4
search_nodes = 20
[measuring]
every_minutes = 0.02
deals = 10
"""
    )
    return path


def test_slices_go_on_and_the_file_says_what_the_network_says(tmp_path: Path) -> None:
    import torch

    from train.net import logits_of, make_player

    config, out = small_config(tmp_path / "small.toml"), tmp_path / "out"
    minutes = []
    for _ in range(2):
        assert main(["--config", str(config), "--minutes", "0.5", "--out", str(out)]) == 0
        minutes.append(read(out / "nichtig.weights").header.notes["minutes"])
        assert (out / "curves.svg").read_text().startswith("<svg")
    assert minutes[1] > minutes[0] > 0
    lines = [json.loads(line) for line in (out / "log.jsonl").read_text().splitlines()]
    counts = [line["decisions"] for line in lines]
    assert counts == sorted(counts)
    assert {"policy", "critic", "entropy", "per_second", "rate"} <= set(lines[0])
    assert lines[-2]["searched"] > 0
    assert set(lines[-1]["against"]) == {"policy", "random", "past"}
    network = read(out / "nichtig.weights")
    scale = network.header.tables[0].scale
    assert network.header.tables == [Trained("nichtig", 3, "total", False, scale)]
    stored = torch.load(out / "nichtig.checkpoint", weights_only=True)
    player = make_player(stored["around"][0], 16, 1)
    player.load(stored["player"])
    batch = Batch([PLACES[0].setup], [0] * 40)
    batch.reset(1)
    for _ in range(25):
        batch.observe()
        with torch.no_grad():
            outputs = player(torch.from_numpy(batch.observation)[:, player.inputs])
            likely = torch.softmax(logits_of(outputs, torch.from_numpy(batch.mask), torch.from_numpy(batch.block)), 1)
        for i in range(0, 40, 8):
            mine, forecast = network(batch.observation[i], int(batch.mask[i]), int(batch.block[i]))
            assert mine == pytest.approx(likely[i].numpy(), abs=0.01)
            assert forecast == pytest.approx(outputs[i, -SEATS:].numpy(), abs=0.02)
        batch.step(batch.policy_places())
    with pytest.raises(SystemExit):
        main(["--config", str(config)])
    other = tmp_path / "other.toml"
    other.write_text(config.read_text().replace("width = 16", "width = 24"))
    assert main(["--config", str(other), "--minutes", "0.1", "--out", str(out)]) == 2


def test_it_learns(tmp_path: Path) -> None:
    """A little of what `train/cpu.toml` does in ten minutes: afterwards it beats who it was before, and chance."""
    from train.measure import by_network, by_random, duel
    from train.trainer import Trainer

    house = read_config(ROOT / "cpu.toml")
    own = house.games["nichtig"]
    config = Config(
        house.seed,
        "cpu",
        house.total_minutes,
        {"nichtig": GameConfig(own.places, 1.0, 64, 1)},
        house.learning,
        Measuring(),
    )
    trainer = Trainer(config, "nichtig", tmp_path, tmp_path)
    trainer.begin(None)
    before = trainer.player.copy()
    for _ in range(15):
        trainer.iterate()
    after = trainer.player.copy()
    acting = [by_network(trainer.player, parameters) for parameters in (before, after)]
    for rival in (acting[0], by_random):
        (result,) = duel(own.places, 300, acting[1], rival, "cpu", seed=9)
        assert result.mean - result.within > 1.0


FURTHER = """
seed = 1
device = "cpu"
total_minutes = 1.0
[games.nichtig]
width = 640
blocks = 3
places = [{ edition = "nichtig", players = 3 }]
[learning]
matches = 40
steps = 8
minibatch = 256
rate = 1e-6
warm_up = 1
critic_first = 1
league = 0.0
policy_share = 0.0
boards = 0.3
late = 0.5
extreme = 0.5
[measuring]
every_minutes = 1.0
deals = 30
"""


def test_further_training_starts_from_the_players_of_the_package(tmp_path: Path) -> None:
    """With a tiny rate the player stays what it was: a duel with it is nearly even."""
    (tmp_path / "config.toml").write_text(FURTHER, encoding="utf-8")
    words = ["--config", str(tmp_path / "config.toml"), "--minutes", "0.6", "--out", str(tmp_path / "out")]
    assert main([*words, "--start", str(FOLDER)]) == 0
    lines = [json.loads(line) for line in (tmp_path / "out" / "log.jsonl").read_text(encoding="utf-8").splitlines()]
    mean, _ = lines[-1]["against"]["start"]["nichtig 3"]
    assert abs(mean) < 1.5
    assert lines[-1]["against"]["random"]["nichtig 3"][0] > 4, "it plays as well as before"
    assert read(tmp_path / "out" / "nichtig.weights").header.width == 640


@pytest.mark.parametrize("kind", ["copy", "scratch", "vetoes", "pair"])
def test_an_exploiter_is_compared_with_the_player_it_exploits(kind: str) -> None:
    """A copy that has not learned gains nothing, an untrained one loses."""
    from train.exploit import Exploiter

    place = Place("niet-2015", 4)
    learning = Learning(matches=16, steps=60, minibatch=64, warm_up=1)
    config = Config(1, "cpu", 1.0, {"njet": GameConfig([place])}, learning)
    exploiter = Exploiter(config, "njet", place, FOLDER, kind)  # type: ignore[arg-type]
    gain = exploiter.gain(24, 3)
    if kind == "scratch":
        assert gain.mean < -1
    else:
        assert abs(gain.mean) < 1
    exploiter.train(0.01, print)
