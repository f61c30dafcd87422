"""The batched environment: the same matches as one at a time, the seam of the three reset modes, the seats' view."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from atout.batch.match import GAIN, PROGRESS, ROUND_LOG, Match
from atout.envs.batched import BatchedEnv, SeatTransitions, State
from atout.errors import UsageError
from atout.knowledge.features import BLOCK
from tests.envs.tables import NEEDS_TORCHRL, QUICK, disguised, setup_of
from tests.properties.matches import SETTINGS


def pick(state: State, rng: np.random.Generator) -> npt.NDArray[np.int64]:
    mask = state.legal_action_mask
    return np.asarray((mask * rng.random(mask.shape)).argmax(1), np.int64)


def copies(state: State) -> State:
    return State(*(array.copy() for array in state))


@pytest.mark.slow
def test_the_same_matches_as_one_at_a_time() -> None:
    """All tables: every observation, mask, player and reward is that of the single match, to the end and no further."""
    env = BatchedEnv([setup_of(one) for one in SETTINGS], size=len(SETTINGS), auto_reset="none")
    matches = [Match(setup_of(one)) for one in SETTINGS]
    state, rng = env.init(seed=3), np.random.default_rng(3)
    for i, match in enumerate(matches):
        match.reset(3, stream=i)
    for _ in range(160):
        actions = pick(state, rng)
        for i, match in enumerate(matches):
            assert state.terminated[i] == match.is_over
            if not match.is_over:
                assert state.current_player[i] == match.turn
                observation, mask = match.observe(match.turn)
                assert (state.observation[i] == observation).all()
                assert (state.legal_action_mask[i] == mask).all()
                match.step(int(actions[i]))
            else:
                match.results[:] = 0
        env.step(actions)
        for i, match in enumerate(matches):
            assert state.rewards[i] == pytest.approx(match.results[GAIN], abs=1e-5)
    assert state.terminated.any(), "short matches have ended"
    assert not state.legal_action_mask[state.terminated].any()


def test_the_seam_of_the_reset_modes() -> None:
    """The last step of an episode has its rewards and `terminated`. Then: with `replace` the next episode's first
    state; with `manual` the end, and after `reset` that very state; with `none` the end for ever.
    """
    envs: dict[str, Any] = {
        mode: BatchedEnv("nichtig", 3, size=40, episode="round", auto_reset=mode)
        for mode in ("replace", "manual", "none")
    }
    states = {mode: env.init(seed=7) for mode, env in envs.items()}
    rng, ends, open = np.random.default_rng(7), 0, np.ones(40, bool)
    for _ in range(120):
        actions = pick(states["replace"], rng)
        for env in envs.values():
            env.step(actions)
        replace, manual, none = (copies(states[mode]) for mode in ("replace", "manual", "none"))
        assert (replace.terminated == manual.terminated).all()
        assert (replace.rewards == manual.rewards).all()
        over = replace.terminated
        ends += int(over.sum())
        assert (np.abs(replace.rewards).sum(1)[~over] == 0).all()
        assert replace.legal_action_mask.any(1).all()
        assert not manual.legal_action_mask[over].any()
        assert (replace.observation[~over] == manual.observation[~over]).all()
        assert (replace.observation[over] != manual.observation[over]).any(1).all()
        after = envs["manual"].reset(over)
        for name in ("current_player", "observation", "legal_action_mask"):
            assert (getattr(after, name) == getattr(replace, name)).all()
        assert not after.terminated.any()
        first = open & over
        assert (none.rewards[first] == replace.rewards[first]).all()
        assert (none.observation[first] == manual.observation[first]).all()
        assert not none.rewards[~open].any()
        assert none.terminated[~open].all()
        open &= ~over
    assert ends > 80
    assert not open.any()


def test_a_step_after_the_end_is_refused_in_manual_mode() -> None:
    env = BatchedEnv("nichtig", 3, size=4, episode="round", auto_reset="manual")
    state, rng = env.init(1), np.random.default_rng(1)
    while not state.terminated.any():
        env.step(pick(state, rng))
    with pytest.raises(UsageError, match="its episode is over"):
        env.step(pick(state, rng))


def test_the_view_of_a_seat_adds_up_rewards() -> None:
    """Every decision is settled once, with all that the seat was rewarded until its next one."""
    env = BatchedEnv([setup_of(one) for one in QUICK], size=50)
    turns, rng = SeatTransitions(env, seed=2), np.random.default_rng(2)
    asked: dict[tuple[int, int], Any] = {}
    paid, rewarded, settled_count = np.zeros((50, 6)), np.zeros((50, 6)), 0
    for _ in range(150):
        state, actions = env.state, pick(env.state, rng)
        for i in range(env.size):
            key = i, int(state.current_player[i])
            assert key not in asked, "a decision is settled before the next"
            asked[key] = state.observation[i].copy(), int(actions[i])
        settled = turns.step(actions)
        paid += state.rewards
        for k, (match, seat) in enumerate(zip(settled.match.tolist(), settled.seat.tolist(), strict=True)):
            observation, action = asked.pop((match, seat))
            assert (settled.observation[k] == observation).all()
            assert settled.action[k] == action
            assert settled.legal_action_mask[k, action]
            rewarded[match, seat] += settled.reward[k]
            if settled.done[k]:
                assert state.terminated[match]
                assert not settled.next_observation[k].any()
            else:
                assert state.current_player[match] == seat
                assert (settled.next_observation[k] == state.observation[match]).all()
            settled_count += 1
    for match, seat in asked:
        rewarded[match, seat] += turns._reward[match, seat]
    assert rewarded == pytest.approx(paid)
    assert np.abs(paid).sum() > 100
    assert settled_count > 6000


def disguise(env: BatchedEnv, seats: npt.NDArray[np.int64]) -> None:
    """Change in every match what its seat may not know, and nothing else."""
    for i in range(env.size):
        match = Match(env.setups[i % len(env.setups)])
        length = int(env.batch.progress[i, 0])
        match.words[: len(match.state)] = env.batch.states[i]
        match.words[ROUND_LOG : ROUND_LOG + length] = env.batch.logs[i, :length]
        match.words[PROGRESS] = length
        twin = disguised(match, int(seats[i]), 9)
        env.batch.states[i] = twin.state
        env.batch.logs[i, :length] = twin.log


def test_hidden_cards_change_nothing() -> None:
    env, rng = BatchedEnv([setup_of(one) for one in QUICK], size=20, threads=1), np.random.default_rng(5)
    state = env.init(5)
    for _ in range(40):
        env.step(pick(state, rng))
    seats = state.current_player.copy()
    seen, states = [array.copy() for array in env.observe(seats)], env.batch.states.copy()
    disguise(env, seats)
    assert (env.batch.states != states).any(1).all()
    for one, other in zip(seen, env.observe(seats), strict=True):
        assert (one == other).all()


def test_hidden_cards_change_nothing_in_torchrl() -> None:
    torch = pytest.importorskip("torch", reason=NEEDS_TORCHRL)
    pytest.importorskip("torchrl", reason=NEEDS_TORCHRL)
    from atout.envs.torchrl import AtoutTorchEnv

    env = AtoutTorchEnv("nichtig", 4, size=8)
    now = env.reset()
    for _ in range(25):
        now = env.rand_step(now)["next"]
    batch, states = env._env, env._env.batch.states.copy()
    seen = {key: now[key].clone() for key in ("observation", "action_mask", "current_player")}
    disguise(batch, batch.state.current_player.copy())
    assert (batch.batch.states != states).any(1).all()
    batch.reset(np.zeros(8, np.bool_))  # observes again
    assert all(torch.equal(env._observed()[key], seen[key]) for key in seen)


def test_arrays_are_shared_with_torch_and_jax() -> None:
    env = BatchedEnv("nichtig", 3, size=300)
    state = env.init(1)
    torch = pytest.importorskip("torch", reason=NEEDS_TORCHRL)
    for array in state:
        shared = torch.from_dlpack(array)
        assert shared.data_ptr() == array.ctypes.data
    assert torch.from_dlpack(state.legal_action_mask).dtype == torch.bool
    jax = pytest.importorskip("jax", reason="needs jax: pip install jax")
    for array in state[:5]:
        if array.dtype != np.int64:  # JAX has 32 bits unless told otherwise
            assert jax.dlpack.from_dlpack(array).unsafe_buffer_pointer() == array.ctypes.data


def test_check_env_specs_of_torchrl() -> None:
    pytest.importorskip("torchrl", reason=NEEDS_TORCHRL)
    from torchrl.envs.utils import check_env_specs

    from atout.envs.torchrl import AtoutTorchEnv

    env = AtoutTorchEnv("nichtig", 3, size=6, episode="round")
    check_env_specs(env)
    rollout = env.rollout(90, break_when_any_done=False)
    assert int(rollout["next", "terminated"].sum()) >= 6
    acted = rollout["next", "rewards"].gather(-1, rollout["current_player"].unsqueeze(-1))
    assert (acted == rollout["next", "reward"]).all()
    assert rollout["action_mask"].gather(-1, rollout["action"].unsqueeze(-1)).all()


def test_what_is_wrong_is_named() -> None:
    with pytest.raises(UsageError, match="auto_reset: 'x' is not allowed; allowed: replace, manual, none"):
        BatchedEnv("nichtig", 3, auto_reset="x")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="size: 0 is not allowed; allowed: 1 or more"):
        BatchedEnv("nichtig", 3, size=0)
    env = BatchedEnv("nichtig", 3, size=2)
    for call in (env.step, env.reset, env.observe):
        with pytest.raises(UsageError, match=r"call init\(seed\) first"):
            call(np.zeros(2, np.int64))
    with pytest.raises(UsageError, match=r"streams: shape \(3,\) is not allowed; allowed: \(2,\)"):
        env.init(1, streams=[1, 2, 3])
    state = env.init(1)
    with pytest.raises(UsageError, match=r"shape \(3,\) is not allowed; allowed: \(2,\)"):
        env.step(np.zeros(3, np.int64))
    with pytest.raises(UsageError, match="0 is not legal in match 0; allowed: those of legal_action_mask"):
        env.step(np.zeros(2, np.int64))
    assert state.legal_action_mask[:, 5 * BLOCK : 6 * BLOCK].any(1).all()


def test_only_a_boolean_per_match_chooses_matches() -> None:
    env = BatchedEnv("nichtig", 3, size=4)
    before = copies(env.init(1))
    with pytest.raises(
        UsageError, match=r"chosen: shape \(3,\) is not allowed; allowed: \(4,\), one boolean per match"
    ):
        env.reset(np.ones(3, np.bool_))
    with pytest.raises(UsageError, match="chosen: int64 is not allowed; allowed: booleans, one per match"):
        env.reset(np.arange(4))
    with pytest.raises(UsageError, match="actions: float64 is not allowed; allowed: whole numbers, one per match"):
        env.step(before.legal_action_mask.argmax(1).astype(np.float64))
    with pytest.raises(UsageError, match=r"seats: shape \(\) is not allowed; allowed: \(4,\), one per match"):
        env.observe(np.int64(1))  # type: ignore[arg-type]
    assert (env.state.observation == before.observation).all()
    env.reset([True, False, False, False])
    assert (env.state.observation == before.observation).all(1).tolist() == [False, True, True, True]


def test_arrays_of_a_gpu_are_not_copied() -> None:
    """What is checked of them is what they tell of themselves; the values stay where they are."""

    class OnDevice:
        def __init__(self, shape: tuple[int, ...], typestr: str) -> None:
            self.__cuda_array_interface__ = {"shape": shape, "typestr": typestr, "data": (1, False), "version": 3}

    env = BatchedEnv("nichtig", 3, size=4)
    actions, chosen = OnDevice((4,), "<i8"), OnDevice((4,), "|b1")
    assert env._checked("actions", actions, "iu") is actions
    assert env._checked("chosen", chosen, "b") is chosen
    with pytest.raises(UsageError, match=r"chosen: shape \(3,\)"):
        env._checked("chosen", OnDevice((3,), "|b1"), "b")
    with pytest.raises(UsageError, match="actions: float32 is not allowed"):
        env._checked("actions", OnDevice((4,), "<f4"), "iu")
