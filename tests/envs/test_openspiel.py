"""The games of OpenSpiel: its own simulation tests and playthroughs, resampling without a leak, bots both ways."""

from __future__ import annotations

import copy
import gzip
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from atout.bots import ask, make_bot
from atout.bots.random import RandomBot
from atout.game import Game
from tests.envs.tables import HOUSE, NEEDS_OPENSPIEL
from tests.properties.matches import SETTINGS, Setting, chance

pyspiel = pytest.importorskip("pyspiel", reason=NEEDS_OPENSPIEL)
pytestmark = pytest.mark.filterwarnings("ignore")

from atout.envs.openspiel import AtoutBot, SpielBot  # noqa: E402

FOLDER = Path(__file__).parent / "playthroughs"
QUICK = ("niet-2015-4", "nichtig-4-target40-teams")


def name_of(setting: Setting, **other: object) -> str:
    words: dict[str, object] = {"edition": setting.edition, "players": setting.players}
    length = setting.options.get("length")
    if isinstance(length, dict):
        words["target"] = length["target"]
    elif length:
        words["length"] = length
    words |= {key: value for key, value in setting.options.items() if key != "length"}
    pairs = ((key, str(value).lower() if isinstance(value, bool) else value) for key, value in (words | other).items())
    return f"atout({','.join(f'{key}={value}' for key, value in pairs)})"


def played(game: Any, rng: random.Random, decisions: int) -> Any:
    state = game.new_initial_state()
    while not state.is_terminal() and (decisions or state.is_chance_node()):
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(outcomes, weights)[0])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
            decisions -= 1
    return state


every_game = pytest.mark.parametrize(
    "setting",
    [pytest.param(one, id=one.id, marks=[] if one.id in QUICK else [pytest.mark.slow]) for one in SETTINGS],
)


@every_game
@pytest.mark.parametrize("dealt", ["explicit", "numbered"])
def test_simulations_of_openspiel(setting: Setting, dealt: str) -> None:
    """Its own test: legal actions, chance, rewards, copies, serialisation, tensors."""
    game = pyspiel.load_game(name_of(setting, chance=dealt))
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@pytest.mark.slow
@pytest.mark.parametrize("dealt", ["explicit", "numbered"])
def test_whole_matches(dealt: str) -> None:
    game = pyspiel.load_game(name_of(Setting("nichtig", 3, {}), chance=dealt, episode="match"))
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


def test_house_rules(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text(HOUSE)
    game = pyspiel.load_game("atout", {"edition": str(path), "players": 3})
    assert played(game, chance("house"), 500).is_terminal()


@every_game
@pytest.mark.parametrize("dealt", ["explicit", "numbered"])
def test_a_resampled_state_tells_nothing(setting: Setting, dealt: str) -> None:
    """The player's information state is the same, strings and tensors; from the real state and from any world that
    it cannot tell from it, the same states are drawn.
    """
    rng, changed = chance("resample", setting.id), 0
    game = pyspiel.load_game(name_of(setting, chance=dealt, episode="match"))
    for decisions in (0, 3, 25, 60):
        state = played(game, rng, decisions)
        if state.is_terminal():
            continue
        player = state.current_player()
        twin = state.resample_from_infostate(player, lambda: 0.37)
        assert twin.current_player() == player
        assert twin.legal_actions() == state.legal_actions()
        assert twin.information_state_string(player) == state.information_state_string(player)
        assert twin.observation_string(player) == state.observation_string(player)
        assert (np.array(twin.information_state_tensor(player)) == state.information_state_tensor(player)).all()
        assert twin.returns() == pytest.approx(state.returns())
        changed += str(twin) != str(state)
        again = twin.resample_from_infostate(player, lambda: 0.61)
        first = state.resample_from_infostate(player, lambda: 0.61)
        assert str(again) == str(first), "what is drawn depends on the information state alone"
        assert again.history() == first.history()
    assert changed


def test_a_copy_is_cheap_and_goes_its_own_way() -> None:
    game = pyspiel.load_game("atout(edition=niet-2015,players=4)")
    state = played(game, chance("copy"), 30)
    for twin in (state.clone(), copy.deepcopy(state)):
        before = str(state)
        twin.apply_action(twin.legal_actions()[0])
        assert str(state) == before != str(twin)
    assert state.clone().inner is state.inner, "a copy shares its arrays until one of them goes on"


@pytest.mark.slow
@pytest.mark.parametrize("edition", ["njet-1997", "njet-2007", "niet-2015", "nichtig"])
def test_playthrough_of_openspiel(edition: str, tmp_path: Path) -> None:
    """OpenSpiel plays its file again and compares every line. `python -m tests.envs.test_openspiel` writes them."""
    from absl import flags
    from open_spiel.python.algorithms import generate_playthrough

    flags.FLAGS.mark_as_parsed()
    file = tmp_path / "playthrough.txt"
    file.write_bytes(gzip.decompress((FOLDER / f"{edition}.txt.gz").read_bytes()))
    expected, actual = generate_playthrough.replay(str(file))
    assert actual == expected


def test_openspiel_searches_and_learns() -> None:
    """Its information-set MCTS and its DQN run on the games as they are."""
    from open_spiel.python import rl_environment
    from open_spiel.python.algorithms import ismcts, mcts, tabular_qlearner

    game = pyspiel.load_game("atout(edition=nichtig,players=3)")
    state, source = played(game, chance("search"), 20), np.random.RandomState(1)
    bot = ismcts.ISMCTSBot(
        game=game, uct_c=4.0, max_simulations=8, max_world_samples=-1, random_state=source,
        evaluator=mcts.RandomRolloutEvaluator(1, source),
    )  # fmt: skip
    assert bot.step(state) in state.legal_actions()
    env = rl_environment.Environment(pyspiel.load_game("atout(edition=nichtig,players=3,chance=numbered)"))
    learners = [tabular_qlearner.QLearner(seat, env.action_spec()["num_actions"]) for seat in range(3)]
    step = env.reset()
    while not step.last():
        step = env.step([learners[step.observations["current_player"]].step(step).action])
    for learner in learners:
        learner.step(step)
    assert all(learner._q_values for learner in learners)


def test_our_bots_there_and_theirs_here() -> None:
    game = pyspiel.load_game("atout(edition=nichtig,players=3)")
    ours = [AtoutBot(make_bot(name), seat) for seat, name in enumerate(("novice", "random", "novice"))]
    returns = pyspiel.evaluate_bots(game.new_initial_state(), ours, 3)
    assert sum(returns) == pytest.approx(0)
    theirs, rng = SpielBot(lambda game, player: pyspiel.make_uniform_random_bot(player, 7)), random.Random(1)
    match = Game.new("njet-2007", players=4, seed=2)
    while match.turn is not None and match.round == 1:
        bot = theirs if match.turn == 0 else RandomBot()
        match.play(ask(bot, match.view(match.turn), rng).action)
    assert match.round == 2


def test_what_is_wrong_is_named() -> None:
    with pytest.raises(Exception, match="episode: 'x' is not allowed; allowed: round, match"):
        pyspiel.load_game("atout(episode=x)")


if __name__ == "__main__":
    from open_spiel.python.algorithms import generate_playthrough

    for edition in ("njet-1997", "njet-2007", "niet-2015", "nichtig"):
        words = generate_playthrough.playthrough(f"atout(edition={edition},players=3,chance=numbered)", None, seed=5)
        FOLDER.mkdir(exist_ok=True)
        (FOLDER / f"{edition}.txt.gz").write_bytes(gzip.compress(words.encode(), mtime=0))
