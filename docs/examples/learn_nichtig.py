"""Learn Null & nichtig from nothing, by self-play: PPO with TorchRL's environment.

    python docs/examples/learn_nichtig.py [SEED] > curve.csv

One network plays every seat. A round is a dozen decisions of a seat and much luck, and its reward comes at the end, so
it is paid out on the way: from a decision to the seat's next one, by how far its points rise above the others'.
"""

import sys
import time

import numpy as np
import torch
from torch import nn

from atout.envs.gymnasium import AtoutSeatEnv
from atout.envs.torchrl import AtoutTorchEnv
from atout.knowledge.features import BLOCK, EARNED, PARTS, first_of

PLAYERS, ROUNDS, POINTS, LAMBDA, WIDTH = 3, 256, 10.0, 0.8, 128
CHECKS, SECONDS = 10, 12  # matches against `novice`, and the processor time of learning before each
READ = " hand unseen trick beating shown in_trick in_hand given phase turn todo pile top earned played best "
USED = [(part, min(part.times, PLAYERS) * part.width) for part in PARTS if f" {part.name} " in READ]
COLUMNS = np.concatenate([first_of(part.name) + np.arange(size) for part, size in USED])
DIVISORS = torch.cat([torch.full((size,), float(part.divisor)) for part, size in USED])
CARDS = slice(5 * BLOCK, 7 * BLOCK)  # the actions of this game: lay out a card, play a card
torch.manual_seed(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
body = nn.Linear(len(COLUMNS), WIDTH), nn.ReLU(), nn.Linear(WIDTH, WIDTH), nn.ReLU()
network = nn.Sequential(*body, nn.Linear(WIDTH, 2 * BLOCK + 1))
optimiser = torch.optim.Adam(network.parameters(), 1e-3)


def read(now):
    """What the network sees of an observation, and the mask of its actions."""
    seen, mask = torch.as_tensor(now["observation"]), torch.as_tensor(now["action_mask"])
    return seen[..., COLUMNS].float() / DIVISORS, mask[..., CARDS].bool()


def decide(seen, mask):
    """The chances of the actions, and what the seat will still gain in the round."""
    found = network(seen)
    logits = found[..., :-1].masked_fill(~mask, -1e9)
    return torch.distributions.Categorical(logits=logits, validate_args=False), found[..., -1]


@torch.no_grad()
def play_rounds(env):
    """One round of every match: what was seen, the masks, actions, their log probabilities, values, advantages."""
    now, steps, live, gains = env.reset(), [], torch.ones(ROUNDS, dtype=torch.bool), torch.zeros(ROUNDS, PLAYERS)
    while live.any():
        (seen, mask), earned = read(now), now["observation"][:, EARNED : EARNED + PLAYERS] / POINTS
        (choice, value), ahead = decide(seen, mask), earned[:, 0] - earned[:, 1:].mean(1)
        action = choice.sample()
        steps.append((seen, mask, action, choice.log_prob(action), value, ahead, now["current_player"], live))
        now = env.step(now.set("action", action + CARDS.start))["next"]
        gains, live = gains + now["rewards"][:, :PLAYERS] / POINTS * live.unsqueeze(1), live & ~now["done"].squeeze(1)
        if now["done"].any():  # those that are over begin another round, which does not count
            now = env.reset(now.set("_reset", now["done"]))
    *kept, value, ahead, seat, live = (torch.stack(column) for column in zip(*steps, strict=True))
    advantage, expected, carried, every = torch.zeros_like(value), gains.clone(), 0 * gains, torch.arange(ROUNDS)
    for t in reversed(range(len(value))):  # what came of a decision by the seat's next one, and LAMBDA of the rest
        at = every[live[t]], seat[t][live[t]]
        carried[at] = expected[at] - (ahead + value)[t][live[t]] + LAMBDA * carried[at]
        expected[at], advantage[t][live[t]] = (ahead + value)[t][live[t]], carried[at]
    return [column[live] for column in (*kept, value, advantage)]


def learn(seen, mask, action, before, value, advantage):
    """Proximal policy optimisation, two passes."""
    target, weight = value + advantage, advantage / advantage.std()
    for part in torch.cat([torch.randperm(len(target)) for _ in range(2)]).split(512):
        choice, value = decide(seen[part], mask[part])
        ratio = (choice.log_prob(action[part]) - before[part]).exp()
        policy = torch.min(ratio * weight[part], ratio.clamp(0.8, 1.2) * weight[part])
        optimiser.zero_grad()
        ((value - target[part]) ** 2 - policy - 0.01 * choice.entropy()).mean().backward()
        optimiser.step()


@torch.no_grad()
def against_novice(rounds):
    """The gain per round against two of the level `novice`, by the likeliest action; and its standard error."""
    env, gains = AtoutSeatEnv("nichtig", PLAYERS, opponents="novice", episode="round"), np.zeros(rounds)
    for number in range(rounds):
        now, over = env.reset(seed=number)[0], False
        while not over:
            now, reward, over, _, _ = env.step(int(decide(*read(now))[0].logits.argmax()) + CARDS.start)
            gains[number] += reward
    return f"{gains.mean():.2f},{gains.std() / rounds**0.5:.2f}"


env, spent, decisions = AtoutTorchEnv("nichtig", PLAYERS, ROUNDS, episode="round"), 0.0, 0
print("minutes,decisions,gain,error")
for check in range(CHECKS + 1):
    while spent < SECONDS * check:
        start, rounds = time.process_time(), play_rounds(env)
        learn(*rounds)
        spent, decisions = spent + time.process_time() - start, decisions + len(rounds[0])
    print(f"{time.process_time() / 60:.2f},{decisions},{against_novice(400 if check == CHECKS else 100)}", flush=True)
