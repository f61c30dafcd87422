"""Learn Null & nichtig from nothing, by self-play, on two cores: PPO with TorchRL's environment.

    python docs/examples/learn_nichtig.py [--minutes 9] [--curve curve.csv]

Every seat is played by the same network. A decision is worth what its seat gains in the round; a second output of the
network says what it expects, and only the difference teaches. Every minute the network plays 100 rounds against
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

PLAYERS, MATCHES, GAIN = 3, 192, 10.0
DIVISORS = torch.tensor(np.repeat([part.divisor for part in PARTS], [part.times * part.width for part in PARTS]))


class Network(nn.Module):
    """Logits of the actions, and the expected gain."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(SIZE, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU())
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
    """Proximal policy optimisation: three passes, no step further than 20 % from what was played."""
    seen, mask, action, earned = rounds
    with torch.no_grad():
        logits, expected = network(seen, mask)
        before = logits.log_softmax(-1).gather(1, action.unsqueeze(1)).squeeze(1)
        advantage = earned - expected
        advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-6)
    for part in [part for _ in range(3) for part in torch.randperm(len(action)).split(1024)]:
        logits, expected = network(seen[part], mask[part])
        chances = logits.log_softmax(-1)
        ratio = (chances.gather(1, action[part].unsqueeze(1)).squeeze(1) - before[part]).exp()
        policy = torch.min(ratio * advantage[part], ratio.clamp(0.8, 1.2) * advantage[part])
        entropy = -(chances.exp() * chances.clamp(min=-50)).sum(-1)
        loss = (-policy + 0.5 * (earned[part] - expected) ** 2 - 0.01 * entropy).mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()


def against_novice(network: Network, rounds: int = 100) -> float:
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
    lines.append(f"{told.minutes:.2f},{decisions},{against_novice(network, 500):.2f}")
    told.curve.write_text("\n".join(lines) + "\n")
    print(lines[-1])


if __name__ == "__main__":
    main()
