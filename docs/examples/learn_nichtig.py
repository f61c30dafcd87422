"""Learn Null & nichtig from nothing, by self-play, on two cores: policy gradient with TorchRL's environment.

    python docs/examples/learn_nichtig.py [--minutes 9] [--curve curve.csv]

Every seat is played by the same network. A decision is worth what its seat gains in the round; a second output of the
network says what it expects, and only the difference teaches. Every minute the network plays 300 rounds against
`novice`, always its most likely action, and its mean gain is printed: above 0 it beats them.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn

from atout.envs.gymnasium import AtoutSeatEnv
from atout.envs.torchrl import AtoutTorchEnv
from atout.knowledge.features import ACTIONS, PARTS, SIZE

PLAYERS, MATCHES, GAIN = 3, 256, 10.0
DIVISORS = torch.tensor(np.repeat([part.divisor for part in PARTS], [part.times * part.width for part in PARTS]))


class Network(nn.Module):
    """Logits of the actions, and the expected gain."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(SIZE, 256), nn.ReLU(), nn.Linear(256, 128), nn.ReLU())
        self.policy, self.value = nn.Linear(128, ACTIONS), nn.Linear(128, 1)

    def forward(self, observation: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        body = self.body(observation.float() / DIVISORS)
        return self.policy(body).masked_fill(~mask, -1e9), self.value(body).squeeze(-1)


def play_rounds(env: AtoutTorchEnv, network: Network) -> tuple[torch.Tensor, ...]:
    """One round in every match: observations, masks, actions, and what the seat gained in the end."""
    now, steps = env.reset(), []
    done = torch.zeros(MATCHES, dtype=torch.bool)
    gains = torch.zeros(MATCHES, 6)
    with torch.no_grad():
        while not done.all():
            mask = now["action_mask"]
            action = torch.distributions.Categorical(logits=network(now["observation"], mask)[0]).sample()
            steps.append((now["observation"], mask, action, now["current_player"], ~done))
            now["action"] = action
            after = env.step(now)["next"]
            gains += after["rewards"] * ~done.unsqueeze(-1)
            done |= after["done"].squeeze(-1)
            now = env.reset(after.set("_reset", after["done"])) if after["done"].any() else after
    seen, masks, actions, seats, live = (torch.stack(one) for one in zip(*steps, strict=True))
    earned = gains.gather(1, seats.T).T / GAIN
    return seen[live], masks[live], actions[live], earned[live]


def learn(network: Network, optimiser: torch.optim.Optimizer, rounds: tuple[torch.Tensor, ...]) -> None:
    seen, mask, action, earned = rounds
    for part in torch.randperm(len(action)).split(2048):
        logits, expected = network(seen[part], mask[part])
        log_chances = logits.log_softmax(-1)
        surprise = earned[part] - expected
        taken = log_chances.gather(1, action[part].unsqueeze(1)).squeeze(1)
        entropy = -(log_chances.exp() * log_chances.clamp(min=-50)).sum(-1)
        loss = (-surprise.detach() * taken + 0.5 * surprise**2 - 0.005 * entropy).mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()


def against_novice(network: Network, rounds: int = 300) -> float:
    env, total = AtoutSeatEnv("nichtig", PLAYERS, opponents="novice", episode="round"), 0.0
    for number in range(rounds):
        seen, over = env.reset(seed=number)[0], False
        while not over:
            mask = torch.from_numpy(seen["action_mask"].view(bool)).unsqueeze(0)
            action = network(torch.from_numpy(seen["observation"]).unsqueeze(0), mask)[0].argmax()
            seen, reward, over, _, _ = env.step(int(action))
            total += reward
    return total / rounds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=9.0)
    parser.add_argument("--curve", type=Path, default=Path("curve.csv"))
    told = parser.parse_args()
    torch.manual_seed(1)
    torch.set_num_threads(2)
    network, env = Network(), AtoutTorchEnv("nichtig", PLAYERS, MATCHES, episode="round")
    optimiser = torch.optim.Adam(network.parameters(), 1e-3)
    start, checked, decisions, lines = time.monotonic(), -60.0, 0, ["minutes,decisions,gain"]
    while (spent := time.monotonic() - start) < 60 * told.minutes:
        if spent - checked >= 60:
            checked = spent
            lines.append(f"{spent / 60:.2f},{decisions},{against_novice(network):.2f}")
            told.curve.write_text("\n".join(lines) + "\n")
            print(lines[-1], flush=True)
        rounds = play_rounds(env, network)
        decisions += len(rounds[2])
        learn(network, optimiser, rounds)
    lines.append(f"{told.minutes:.2f},{decisions},{against_novice(network, 1000):.2f}")
    told.curve.write_text("\n".join(lines) + "\n")
    print(lines[-1])


if __name__ == "__main__":
    main()
