"""Matches by the batch are the matches of the rules: held against the kernel's own entries, state by state."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from atout.batch import Batch, step
from atout.errors import UsageError
from atout.game import Setup
from atout.game.knowledge import Knowledge
from atout.knowledge import entries as knowledge_entries
from atout.knowledge.features import GRID
from atout.rules import entries
from atout.rules.arrays import plain
from atout.rules.autoplay import LENGTH
from atout.rules.layout import DEAL, OVER, SEATS, STATE, VETO
from tests.properties.digests import setup_of
from tests.properties.matches import SETTINGS

TABLES = [setup_of(setting) for setting in SETTINGS]


def any_legal(mask: npt.NDArray[np.int64], rng: np.random.Generator) -> npt.NDArray[np.int64]:
    bits = (mask[:, None] >> np.arange(64)) & 1
    return np.asarray((bits * rng.random((len(mask), 64))).argmax(1), np.int64)


def new_batch(seed: int, copies: int = 1, threads: int | None = None) -> Batch:
    batch = Batch(TABLES, np.arange(len(TABLES) * copies) % len(TABLES), threads)
    batch.reset(seed)
    return batch


def gains(setup: Setup, scores: list[int]) -> list[float]:
    """For every seat its score less the mean of its rivals'; team-mates share theirs."""
    seats = range(setup.players)
    result = []
    for seat in seats:
        mine = [one for one in seats if one == seat or (setup.options.teams and (one - seat) % 2 == 0)]
        rivals = [one for one in seats if one not in mine]
        mean = sum(scores[one] for one in mine) / len(mine)
        result.append(mean - sum(scores[one] for one in rivals) / len(rivals))
    return result


def test_steps_observations_and_rewards() -> None:
    """Every step of every table: the kernel's `apply` leads to the same state, `observe` to the same knowledge."""
    batch, rng = new_batch(5), np.random.default_rng(5)
    ends = {step.ROUND_OVER: 0, step.MATCH_OVER: 0}
    for _ in range(400):
        batch.observe()
        before = batch.states.copy()
        for i in rng.choice(batch.size, 6, replace=False):
            setup, state = TABLES[i], plain(batch.states[i], STATE)
            log = batch.logs[i, : batch.progress[i, LENGTH]]
            vector, mask = Knowledge.of(setup, state.turn, batch.states[i], log).encode()
            assert (batch.observation[i] == vector).all()
            assert (batch.mask[i], batch.block[i], batch.turn[i]) == (mask, state.phase - VETO, state.turn)
            assert mask & (mask - 1), "a batch stands where there is a choice"
            held = batch.hidden[i].reshape(-1, SEATS - 1, GRID)[0].sum(1)
            hands = [state.hand[(state.turn + k) % setup.players].bit_count() for k in range(1, setup.players)]
            spare = [state.spare[(state.turn + k) % setup.players].bit_count() for k in range(1, setup.players)]
            assert held.tolist()[: setup.players - 1] == [a + b for a, b in zip(hands, spare, strict=True)]
        places = any_legal(batch.mask, rng)
        batch.step(places)
        for i, setup in enumerate(TABLES):
            expected = gone_on(setup, before[i], int(places[i]))
            ended = int(batch.ended[i])
            assert (ended == step.GOES_ON) == (expected[0] not in (DEAL, OVER))
            if ended == step.GOES_ON:
                assert (batch.states[i] == expected[1]).all()
                assert not batch.reward[i].any()
            else:
                ends[ended] += 1
                assert (ended == step.MATCH_OVER) == (expected[0] == OVER)
                scores = plain(expected[1], STATE).scores[: setup.players]
                assert batch.points[i, : setup.players].tolist() == scores
                assert batch.reward[i, : setup.players] == pytest.approx(gains(setup, scores))
                won = batch.won[i, : setup.players]
                if expected[0] == OVER:
                    best = int(entries.winners(expected[1], setup.rules))
                    share = [((best >> seat) & 1) / best.bit_count() - 1 / setup.players for seat in range(len(won))]
                    assert won == pytest.approx(share, abs=1e-6)
                else:
                    assert not won.any()
    assert min(ends.values()) > 20


def gone_on(setup: Setup, state: npt.NDArray[np.int64], place: int) -> tuple[int, npt.NDArray[np.int64]]:
    """Phase and state after the action, and after all that follow without a choice."""
    entries.apply(state, setup.rules, knowledge_entries.action_at(state, setup.rules, place))
    legal = entries.legal(state, setup.rules)
    while legal and not legal & (legal - 1):
        entries.apply(state, setup.rules, legal.bit_length() - 1)
        legal = entries.legal(state, setup.rules)
    return plain(state, STATE).phase, state


def test_threads_change_nothing() -> None:
    results = []
    for threads in (1, 3):
        batch, rng = new_batch(9, copies=20, threads=threads), np.random.default_rng(9)
        for turn in range(120):
            batch.observe()
            batch.step(batch.policy_places() if turn % 2 else any_legal(batch.mask, rng))
        results.append((batch.states, batch.observation, batch.reward, batch.logs))
    for one_thread, three in zip(*results, strict=True):
        assert (one_thread == three).all()


def test_the_same_stream_is_the_same_deal() -> None:
    batch = Batch([TABLES[0]], [0] * 6)
    batch.reset(1, streams=[0, 0, 1, 1, 0, 3])
    deals = [row.tobytes() for row in batch.states]
    assert deals[0] == deals[1] == deals[4] != deals[2]
    assert deals[2] == deals[3] != deals[5]


def test_actions_of_the_playout_policy_are_legal() -> None:
    batch = new_batch(4, copies=3)
    for _ in range(150):
        batch.observe()
        places = batch.policy_places()
        assert ((batch.mask >> places) & 1).all()
        batch.step(places)


def test_what_is_wrong_is_named() -> None:
    with pytest.raises(UsageError, match="numbers from 0 to 0"):
        Batch([TABLES[0]], [0, 1])
    with pytest.raises(UsageError, match="numbers from 0 to 0"):
        Batch([TABLES[0]], [])
    batch = Batch([TABLES[0]], [0, 0])
    batch.reset(1)
    batch.observe()
    with pytest.raises(UsageError, match=r"shape \(3,\) is not allowed; allowed: \(2,\)"):
        batch.step(np.zeros(3, np.int64))
    illegal = next(place for place in range(63) if not (int(batch.mask[1]) >> place) & 1)
    before = batch.states[1].copy()
    with pytest.raises(UsageError, match=f"{illegal} is not legal in match 1"):
        batch.step(np.array([int(batch.mask[0]).bit_length() - 1, illegal]))
    assert (batch.states[1] == before).all(), "what is refused changes nothing"
