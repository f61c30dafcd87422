"""The guide to research: every block of Python runs as printed, and what the page says of it is so."""

from __future__ import annotations

from typing import Any

import pytest

from atout.envs.batched import BatchedEnv
from tests.docs.test_docs import ROOT, blocks
from tests.envs.tables import NEEDS, NEEDS_OPENSPIEL

PAGE = ROOT / "docs" / "guide" / "research.md"


def block(mark: str) -> str:
    """The one block with this text in it."""
    (found,) = [one for one in blocks(PAGE, "python") if mark in one]
    return found


def run(mark: str) -> dict[str, Any]:
    names: dict[str, Any] = {}
    exec(block(mark), names)  # noqa: S102
    return names


def test_every_block_is_run_here() -> None:
    marks = ["atout.envs.pettingzoo", "AtoutSeatEnv", "SeatTransitions", 'device="cuda"', "pyspiel", "polars"]
    assert sorted(block(mark) for mark in marks) == sorted(blocks(PAGE, "python"))


def test_one_table() -> None:
    pytest.importorskip("pettingzoo", reason=NEEDS.format("pettingzoo"))
    env = run("atout.envs.pettingzoo")["env"]
    assert not env.agents


def test_one_seat() -> None:
    pytest.importorskip("gymnasium", reason=NEEDS.format("gymnasium"))
    names = run("AtoutSeatEnv")
    assert names["env"].observation_space.contains(names["seen"])
    assert (names["over"], names["cut"]) == (False, False)


@pytest.mark.slow
def test_thousands_of_matches() -> None:
    names = run("SeatTransitions")
    settled = names["settled"]
    assert len(settled.action) == len(settled.reward) == len(settled.observation) == len(settled.next_observation) > 0
    assert settled.done.dtype == bool


def test_arrays_are_shared_with_pytorch() -> None:
    torch = pytest.importorskip("torch", reason=NEEDS.format("torch"))
    env = BatchedEnv("nichtig", players=3, size=4)
    assert torch.from_dlpack(env.state.observation).data_ptr() == env.state.observation.ctypes.data


def test_on_a_gpu() -> None:
    torch = pytest.importorskip("torch", reason=NEEDS.format("torch"))
    if not torch.cuda.is_available():
        pytest.skip("needs a GPU")
    assert run('device="cuda"')["state"].observation.is_cuda


def test_openspiel() -> None:
    pytest.importorskip("pyspiel", reason=NEEDS_OPENSPIEL)
    assert run("pyspiel")["game"].num_players() == 4


def test_the_data(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("polars", reason=NEEDS.format("polars"))
    monkeypatch.chdir(ROOT)
    names = run("polars")
    assert names["x"].shape == (1000, 1432)
    assert names["y"].shape == (1000,)
