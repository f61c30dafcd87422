"""A batch on a GPU: the same numbers as on the CPU, step by step, and how fast.

    python -m bench.gpu.batches [--matches N] [--steps N] [--write FILE | --expect FILE]

Matches at every table of both games are played by a rule that looks at the observation alone; after every step all
arrays are summed up. `--write` puts the CPU's sums into a file, `--expect` compares the GPU with such a file; without
either both run here. Prints JSON lines; exits 1 on any difference.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from atout.batch import Batch
from atout.editions import PUBLISHED, published
from atout.game import Setup

ARRAYS = ("observation", "hidden", "mask", "block", "turn", "progress", "points", "reward", "won")


def tables() -> list[Setup]:
    """Every edition and number of players, with and without its options."""
    found = []
    for name in PUBLISHED:
        for players in published(name).counts:
            found.append(Setup.of(name, players))
            if not published(name).is_njet:
                found += [Setup.of(name, players, {"length": {"target": 30}})]
                found += [Setup.of(name, players, {"teams": True})] if players in (4, 6) else []
            else:
                other = "total" if published(name).match.scoring == "difference" else "difference"
                found.append(Setup.of(name, players, {"scoring": other}))
    return found


def places(mask: npt.NDArray[np.int64], step: int) -> npt.NDArray[np.int64]:
    """One of the legal places of every match, by a simple reproducible rule."""
    bits = (mask[:, None] >> np.arange(64)) & 1
    chosen = (np.arange(len(mask)) * 7919 + step * 104729) % bits.sum(1)
    return np.asarray((bits.cumsum(1) > chosen[:, None]).argmax(1), np.int64)


def host_array(batch: Any, name: str) -> npt.NDArray[Any]:
    array = getattr(batch, name)
    return np.asarray(array.copy_to_host() if hasattr(array, "copy_to_host") else array)


def digests(batch: Any, steps: int, upload: Any = lambda one: one) -> list[str]:
    """A digest of all arrays after every step.

    Habits are no part of it: they weigh cards of Null & nichtig with fractions, whose last bit is the processor's.
    """
    batch.reset(3)
    found = []
    for step in range(steps):
        batch.observe()
        batch.step(upload(places(host_array(batch, "mask"), step)))
        digest = hashlib.sha256()
        for name in ARRAYS:
            digest.update(np.ascontiguousarray(host_array(batch, name)).tobytes())
        found.append(digest.hexdigest()[:16])
    return found


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=4096)
    parser.add_argument("--steps", type=int, default=150)
    parser.add_argument("--write", type=Path)
    parser.add_argument("--expect", type=Path)
    arguments = parser.parse_args(words)
    every = tables()
    which = np.arange(arguments.matches) % len(every)
    expected = (
        json.loads(arguments.expect.read_text()) if arguments.expect else digests(Batch(every, which), arguments.steps)
    )
    if arguments.write:
        arguments.write.write_text(json.dumps(expected))
        return 0
    from atout.batch.device import DeviceBatch, cuda

    started = time.perf_counter()
    batch = DeviceBatch(every, which)
    found = digests(batch, len(expected), cuda.to_device)
    same = found == expected
    print(json.dumps({"matches": arguments.matches, "steps": len(found), "bit_identical": same}), flush=True)
    print(json.dumps({"seconds_with_compiling": round(time.perf_counter() - started, 1)}), flush=True)
    print(json.dumps(speed(every, cuda)), flush=True)
    return 0 if same else 1


def speed(every: list[Setup], cuda: Any, matches: int = 1 << 16, steps: int = 40) -> dict[str, float]:
    """Microseconds per step by the playout policy, and per observation, of all matches."""
    from atout.batch.device import DeviceBatch

    batch = DeviceBatch(every, np.arange(matches) % len(every))
    batch.reset(1)
    times = {"observe": 0.0, "policy_places": 0.0, "step": 0.0}
    for _ in range(steps):
        for name in times:
            cuda.synchronize()
            started = time.perf_counter()
            batch.step(batch.places) if name == "step" else getattr(batch, name)()
            cuda.synchronize()
            times[name] += time.perf_counter() - started
    microseconds = {f"{name}_us": round(1e6 * seconds / steps, 1) for name, seconds in times.items()}
    rate = matches * steps / (times["observe"] + times["step"]) / 1e6
    return {"matches": matches} | microseconds | {"million_observed_steps_per_s": round(rate, 1)}


if __name__ == "__main__":
    sys.exit(main())
