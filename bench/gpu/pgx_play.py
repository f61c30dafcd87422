"""Card games of Pgx, thousands at once, on whatever JAX finds: `python -m bench.gpu.pgx_play [--games NAME ...]`.

    random     uniformly random legal actions
    network    a network of our shape (768 wide, 3 residual blocks, bfloat16) draws every action; nothing is learned
    learning   the same, and after every stretch one pass of proximal policy optimisation over it

Games that end are restarted; the whole stretch is one `lax.scan`. Bridge bidding needs a table of solved deals; a
table with random deals and results is used here, because a step costs the same whatever it contains. Prints JSON lines:
median decisions per second of three stretches after a warm-up.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pgx
from pgx.bridge_bidding import BridgeBidding
from pgx.experimental import auto_reset

WIDTH, BLOCKS = 768, 3
MINIBATCH = 16_384
RATE, CLIP, ENTROPY = 3e-4, 0.2, 0.003
REPEATS = 3
GAMES = ("bridge_bidding", "sparrow_mahjong", "leduc_holdem")


def make(name: str, deals: int = 20_000) -> Any:
    if name != "bridge_bidding":
        return pgx.make(name)
    chance = np.random.default_rng(0)
    owners = chance.permuted(np.tile(np.repeat(np.arange(4), 13), (deals, 1)), axis=1).reshape(deals, 4, 13)
    keys = (owners * 4 ** np.arange(12, -1, -1)).sum(-1)
    values = (chance.integers(0, 14, (deals, 4, 5)) * 16 ** np.arange(4, -1, -1)).sum(-1)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "deals.npy"
        np.save(path, np.stack([keys, values]).astype(np.int32))
        return BridgeBidding(str(path))


# ---------------------------------------------------------------------- a network, and how it learns


def make_network(key: Any, inputs: int, actions: int) -> list[Any]:
    """The layers: the first, the blocks, and one with a number for each action and the value of the seat in turn."""
    sizes = [(inputs, WIDTH), *[(WIDTH, WIDTH)] * BLOCKS, (WIDTH, actions + 1)]
    keys = jax.random.split(key, len(sizes))
    return [
        {"w": jax.random.normal(one, size) / size[0] ** 0.5, "b": jnp.zeros(size[1])}
        for one, size in zip(keys, sizes, strict=True)
    ]


def forward(network: list[Any], seen: Any) -> tuple[Any, Any]:
    """Ratings of the actions, and the value."""
    layers = jax.tree_util.tree_map(lambda x: x.astype(jnp.bfloat16), network)
    x = jax.nn.relu(seen.astype(jnp.bfloat16) @ layers[0]["w"] + layers[0]["b"])
    for layer in layers[1:-1]:
        x = x + jax.nn.relu(normal(x) @ layer["w"] + layer["b"])
    out = (normal(x) @ layers[-1]["w"] + layers[-1]["b"]).astype(jnp.float32)
    return out[:, :-1], out[:, -1]


def normal(x: Any) -> Any:
    return (x - x.mean(-1, keepdims=True)) * jax.lax.rsqrt(x.var(-1, keepdims=True) + 1e-5)


def loss(network: list[Any], batch: dict[str, Any]) -> Any:
    ratings, value = forward(network, batch["seen"])
    logs = jax.nn.log_softmax(jnp.where(batch["mask"], ratings, -1e9))
    chance = jnp.take_along_axis(logs, batch["action"][:, None], 1)[:, 0]
    ratio = jnp.exp(chance - batch["chance"])
    gain = batch["worth"] - batch["value"]
    gain = (gain - gain.mean()) / (gain.std() + 1e-6)
    policy = -jnp.minimum(ratio * gain, jnp.clip(ratio, 1 - CLIP, 1 + CLIP) * gain).mean()
    entropy = -(jnp.exp(logs) * jnp.maximum(logs, -30)).sum(1).mean()
    return policy + 0.5 * jnp.square(value - batch["worth"]).mean() - ENTROPY * entropy


def learn(network: list[Any], adam: Any, played: dict[str, Any], key: Any) -> tuple[list[Any], Any]:
    """One pass in random order, a step of Adam for each minibatch."""
    rows = played["action"].shape[0]
    count = max(1, rows // MINIBATCH)
    order = jax.random.permutation(key, rows)[: count * min(MINIBATCH, rows)].reshape(count, -1)
    tree = jax.tree_util.tree_map

    def step(carry: Any, chosen: Any) -> tuple[Any, None]:
        network, (first, second, number) = carry
        slope = jax.grad(loss)(network, {name: rows[chosen] for name, rows in played.items()})
        number = number + 1
        first = tree(lambda m, g: 0.9 * m + 0.1 * g, first, slope)
        second = tree(lambda v, g: 0.99 * v + 0.01 * g * g, second, slope)
        network = tree(
            lambda p, m, v: p - RATE * (m / (1 - 0.9**number)) / (jnp.sqrt(v / (1 - 0.99**number)) + 1e-5),
            network, first, second,
        )  # fmt: skip
        return (network, (first, second, number)), None

    return jax.lax.scan(step, (network, adam), order)[0]


# ---------------------------------------------------------------------- play


def stretch(env: Any, kind: str, size: int, steps: int, carry: Any, key: Any) -> Any:
    """Advance all games by `steps` decisions."""
    states, network, adam = carry
    step = jax.vmap(auto_reset(env.step, env.init))

    def one(states: Any, key: Any) -> tuple[Any, Any]:
        draw, rng = jax.random.split(key)
        mask, outputs = states.legal_action_mask, {}
        ratings, seat = jnp.zeros(mask.shape), states.current_player
        if kind != "random":
            seen = states.observation.reshape(size, -1)
            ratings, value = forward(network, seen)
            outputs = {"seen": seen, "mask": mask, "value": value, "seat": seat}
        logs = jax.nn.log_softmax(jnp.where(mask, ratings, -1e9))
        action = jax.random.categorical(draw, logs, axis=-1)
        states = step(states, action, jax.random.split(rng, size))
        if kind != "learning":
            return states, None
        chance = jnp.take_along_axis(logs, action[:, None], 1)[:, 0]
        ended, rewards = states.terminated | states.truncated, states.rewards
        return states, outputs | {"action": action, "chance": chance, "ended": ended, "rewards": rewards}

    play, shuffle = jax.random.split(key)
    states, outputs = jax.lax.scan(one, states, jax.random.split(play, steps))
    if kind == "learning":

        def back(worth: Any, now: Any) -> tuple[Any, Any]:
            ended, rewards, seat = now
            worth = jnp.where(ended[:, None], rewards, worth)
            return worth, jnp.take_along_axis(worth, seat[:, None], 1)[:, 0]

        ends = outputs.pop("ended"), outputs.pop("rewards"), outputs.pop("seat")
        outputs["worth"] = jax.lax.scan(back, jnp.zeros_like(ends[1][0]), ends, reverse=True)[1]
        played = {name: one.reshape(steps * size, *one.shape[2:]) for name, one in outputs.items()}
        network, adam = learn(network, adam, played, shuffle)
    return states, network, adam


def measure(env: Any, kind: str, size: int, steps: int) -> tuple[float, float]:
    """Median decisions per second, and the seconds of compilation."""
    key = jax.random.PRNGKey(0)
    states = jax.jit(jax.vmap(env.init))(jax.random.split(key, size))
    network = make_network(key, int(np.prod(states.observation.shape[1:])), env.num_actions)
    nothing = jax.tree_util.tree_map(jnp.zeros_like, network)
    carry = states, network, (nothing, nothing, jnp.zeros((), jnp.float32))
    run = jax.jit(partial(stretch, env, kind, size, steps))
    started, rates = time.perf_counter(), []
    carry = jax.block_until_ready(run(carry, key))
    compiled = time.perf_counter() - started
    for number in range(REPEATS):
        started = time.perf_counter()
        carry = jax.block_until_ready(run(carry, jax.random.fold_in(key, number)))
        rates.append(size * steps / (time.perf_counter() - started))
    return statistics.median(rates), compiled


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="+", default=GAMES)
    parser.add_argument("--random", nargs="*", type=int, default=[4_096, 32_768, 262_144], help="games at once")
    parser.add_argument("--network", nargs="*", type=int, default=[32_768, 131_072])
    parser.add_argument("--learning", nargs="*", type=int, default=[32_768])
    parser.add_argument("--steps", type=int, default=64, help="of a stretch")
    arguments = parser.parse_args(words)
    device = jax.devices()[0]
    about = {"pgx": pgx.__version__, "jax": jax.__version__, "device": device.device_kind, "backend": device.platform}
    print(json.dumps(about), flush=True)
    for name in arguments.games:
        env = make(name)
        for kind in ("random", "network", "learning"):
            for size in getattr(arguments, kind):
                rate, compiled = measure(env, kind, size, arguments.steps)
                line = {"game": name, "kind": kind, "size": size, "per_second": round(rate)}
                print(json.dumps(line | {"compile_seconds": round(compiled, 1)}), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
