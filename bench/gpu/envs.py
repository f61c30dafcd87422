"""The batched environment on a GPU: the same numbers as on the CPU, and how many observed steps a second.

    python -m bench.gpu.envs [--matches N] [--steps N]

Needs numba-cuda and an NVIDIA card; PyTorch only if the arrays are to be tensors. Prints JSON lines; exits 1 on any
difference.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from typing import Any

import numpy as np

from atout.batch import step
from atout.batch.device import cuda
from atout.batch.episodes import Episodes
from atout.batch.episodes_device import DeviceEpisodes, torch_or_numba
from bench.gpu.batches import tables

NAMES = ("current_player", "observation", "legal_action_mask", "terminated", "gain", "won")


def host(array: Any) -> Any:
    return array.copy_to_host() if hasattr(array, "copy_to_host") else array.cpu().numpy()


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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=1 << 17)
    parser.add_argument("--steps", type=int, default=60)
    told = parser.parse_args()
    every = tables()
    which = np.arange(512) % len(every)
    on_cpu = Episodes(every, which, step.AT_MATCH_END, step.REPLACE)
    on_gpu = DeviceEpisodes(every, which, step.AT_MATCH_END, step.REPLACE)
    on_cpu.reset(3)
    on_gpu.reset(3)
    same = True
    for number in range(120):
        mask = on_cpu.legal_action_mask
        actions = (mask * ((np.arange(mask.shape[1]) * 7919 + number * 104729) % 997 + 1)).argmax(1)
        on_cpu.step(actions)
        on_gpu.step(cuda.to_device(actions))
        same &= all((host(getattr(on_gpu, name)) == getattr(on_cpu, name)).all() for name in NAMES)
    print(json.dumps({"bit_identical": bool(same)}), flush=True)
    batch = DeviceEpisodes(every[:1], np.zeros(told.matches, np.int64), step.AT_MATCH_END, step.REPLACE)
    batch.reset(1)
    actions = torch_or_numba()((told.matches,), np.int64)
    view, mask = cuda.as_cuda_array(actions), batch._at["legal_action_mask"]
    spent = 0.0
    for number in range(told.steps + 5):
        first_legal[(told.matches + 63) // 64, 64](mask, number, view)
        cuda.synchronize()
        started = time.perf_counter()
        batch.step(actions)
        cuda.synchronize()
        spent += time.perf_counter() - started if number >= 5 else 0.0
    rate = told.matches * told.steps / spent / 1e6
    print(json.dumps({"table": every[0].name, "matches": told.matches, "million_observed_steps_per_s": round(rate, 1)}))
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
