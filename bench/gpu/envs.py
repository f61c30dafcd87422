"""The batched environment on a GPU: the same numbers as on the CPU, and how many observed steps a second.

    python -m bench.gpu.envs --check          compare, then measure: some minutes, most of them compilation
    python -m bench.gpu.envs                  only measure

Needs numba-cuda and an NVIDIA card; PyTorch only if the arrays are to be tensors. Prints JSON lines; exits 1 on any
difference. A digest is of all arrays after every step, so it can be compared between machines.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from atout.batch import step
from atout.batch.device import cuda
from atout.batch.episodes import Episodes
from atout.batch.episodes_device import DeviceEpisodes
from atout.envs.batched import BatchedEnv
from atout.game import Setup
from bench.gpu.batches import tables

NAMES = ("current_player", "observation", "legal_action_mask", "terminated", "points", "gain", "won")
KINDS = (
    ("matches, replace", step.AT_MATCH_END, step.REPLACE),
    ("rounds, manual", step.AT_ROUND_END, step.MANUAL),
    ("rounds, none", step.AT_ROUND_END, step.NONE),
)
WARM = 5


def host(array: Any) -> Any:
    return array.copy_to_host() if hasattr(array, "copy_to_host") else array.cpu().numpy()


def one_of(mask: Any, number: int) -> Any:
    """A legal action of every match by a reproducible rule; 0 where none is."""
    return (mask * ((np.arange(mask.shape[1]) * 7919 + number * 104729) % 997 + 1)).argmax(1)


def compare(stop: int, mode: int, seed: int, size: int, steps: int) -> tuple[bool, str]:
    """Play the same on both, at every table, and compare all arrays after every step."""
    every = tables()
    which = np.arange(size) % len(every)
    on_cpu, on_gpu = Episodes(every, which, stop, mode), DeviceEpisodes(every, which, stop, mode)
    on_cpu.reset(seed)
    on_gpu.reset(seed)
    same, digest = True, hashlib.sha256()
    for number in range(steps + 1):
        for name in NAMES:
            expected = getattr(on_cpu, name)
            digest.update(expected.tobytes())
            found = host(getattr(on_gpu, name))
            if same and not np.array_equal(found, expected):
                rows = np.flatnonzero((found != expected).reshape(size, -1).any(1))
                table = every[which[rows[0]]].name
                print(f"first difference: step {number}, {name}, {len(rows)} matches, e.g. {rows[0]} ({table})")
                same = False
        if mode == step.MANUAL and on_cpu.terminated.any():
            over = on_cpu.terminated.copy()
            on_cpu.renew(over)
            on_gpu.renew(over)
        actions = one_of(on_cpu.legal_action_mask, number)
        on_cpu.step(actions)
        on_gpu.step(actions)
    return same, digest.hexdigest()[:16]


@cuda.jit
def first_legal(mask: Any, shift: int, actions: Any) -> None:
    """A legal action by a rule that costs little: the first from a moving point on."""
    i = cuda.grid(1)
    if i < actions.shape[0]:
        width = mask.shape[1]
        k = (i * 7919 + shift * 104729) % width
        while mask[i, k] == 0:
            k = (k + 1) % width
        actions[i] = k


def median_seconds(work: Callable[[], None], times: int) -> float:
    spent = []
    for _ in range(times + WARM):
        cuda.synchronize()
        started = time.perf_counter()
        work()
        cuda.synchronize()
        spent.append(time.perf_counter() - started)
    return float(np.median(spent[WARM:]))


def measure(setup: Setup, size: int, steps: int) -> dict[str, Any]:
    """Observed steps per second, without and with the choice of the actions; and the share of observing."""
    batch = DeviceEpisodes([setup], np.zeros(size, np.int64), step.AT_MATCH_END, step.REPLACE)
    batch.reset(1)
    actions = cuda.to_device(np.zeros(size, np.int64))
    mask, number = batch._at["legal_action_mask"], [0]
    alone: list[float] = []

    def work() -> None:
        number[0] += 1
        first_legal[(size + 63) // 64, 64](mask, number[0], actions)
        cuda.synchronize()
        started = time.perf_counter()
        batch.step(actions)
        cuda.synchronize()
        alone.append(time.perf_counter() - started)

    whole = median_seconds(work, steps)
    stepping, observing = float(np.median(alone[WARM:])), median_seconds(batch._observe, steps)
    return {
        "table": setup.name,
        "matches": size,
        "M_observed_steps_per_s": round(size / stepping / 1e6, 1),
        "with_choice_of_actions": round(size / whole / 1e6, 1),
        "share_of_observing": round(observing / stepping, 2),
    }


def torch_loop(size: int = 4096, steps: int = 50) -> dict[str, Any]:
    """The example of the guide: PyTorch chooses among the legal actions, on the device."""
    import torch

    env = BatchedEnv("niet-2015", players=4, size=size, device="cuda")
    state = env.init(seed=1)
    for _ in range(steps):
        state = env.step(torch.multinomial(state.legal_action_mask.float(), 1).squeeze(1))
    refused = int((host(env.batch.progress)[:, step.ENDED] == step.REFUSED).sum())
    return {"torch_loop": size * steps, "refused": refused, "ends": int(state.terminated.sum())}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--sizes", type=int, nargs="*", default=[1 << 16, 1 << 18, 1 << 20])
    parser.add_argument("--steps", type=int, default=60)
    arguments = parser.parse_args()
    fine = True
    if arguments.check:
        for name, stop, mode in KINDS:
            for seed in (3, 11):
                same, digest = compare(stop, mode, seed, 512, 120)
                fine &= same
                print(json.dumps({"check": name, "seed": seed, "same_as_cpu": same, "digest": digest}), flush=True)
        looped = torch_loop()
        fine &= looped["refused"] == 0
        print(json.dumps(looped), flush=True)
    for edition, players in (("niet-2015", 4), ("nichtig", 3)):
        for size in arguments.sizes:
            print(json.dumps(measure(Setup.of(edition, players), size, arguments.steps)), flush=True)
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
