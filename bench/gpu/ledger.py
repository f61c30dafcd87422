"""How much of a result is the deal, over many rounds: `python -m bench.gpu.ledger [--deals N] [--all] [--device cpu]`.

The same question as `python -m bench.study ledger`, for a number of rounds that a CPU does not play in a day. The deal
is worth what `study/ledger.py` says before the first choice: the mean over its fixed players, who play the round out.
Here they play on the device, where the network's numbers are rounded to 16 bits, so now and then one of them chooses
otherwise. The result is that of `learned` players, at all seats, with the same deal.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch

from atout.knowledge.features import BLOCK
from atout.nets.spreads import table_name
from atout.nets.weights import FOLDER, Trained
from atout.rules.autoplay import LENGTH
from atout.rules.layout import LOG
from atout.study.evaluator import Settings
from atout.study.ledger import SEED
from atout.study.playouts import gumbel
from bench.report import markdown_table
from bench.study import options_of, setup_of, shown_tables, tables
from train.config import Place
from train.frozen import frozen
from train.matches import Matches
from train.net import Net, logits_of

AT_ONCE = 8192
"""Deals that are played together."""


@torch.no_grad()
def deals_and_results(place: Place, net: Net, deals: int, seed: int, device: str) -> tuple[Any, Any]:
    """What every deal is worth to the seats, and what they gained in it, one row each."""
    settings = Settings()
    fixed = settings.ledger_players
    noise = torch.zeros((fixed + 1, LOG, BLOCK), device=device)
    noise[:fixed] = torch.from_numpy(gumbel(fixed, SEED)).to(device) * settings.ledger_noise
    matches = Matches([place], np.zeros(deals * (fixed + 1), np.int64), device)
    row = torch.arange(matches.size, device=device)
    matches.reset(seed, (row // (fixed + 1)).cpu().numpy())
    players = place.setup.players
    gains = torch.zeros((matches.size, players), device=device)
    open_ = torch.ones(matches.size, dtype=torch.bool, device=device)
    parameters = net.copy()
    for step in range(LOG):
        matches.observe()
        logits = logits_of(net(matches.observation[:, net.inputs], parameters), matches.mask, matches.block)
        ratings = torch.log_softmax(logits, 1) + noise[row % (fixed + 1), matches.progress[:, LENGTH]]
        matches.step(ratings.argmax(1))
        first = open_ & matches.ended
        gains = torch.where(first[:, None], matches.reward[:, :players], gains)
        open_ &= ~first
        if step % 8 == 7 and not bool(open_.any()):
            break
    by_deal = gains.view(deals, fixed + 1, players).double()
    return by_deal[:, :fixed].mean(1).cpu().numpy(), by_deal[:, fixed].cpu().numpy()


def table_row(game: str, trained: Trained, deals: int, seed: int, device: str) -> list[str]:
    """The row of a setup; the intervals are those of `bench.study ledger`."""
    _, net = frozen(FOLDER / f"{game}.weights", device)
    place = Place(trained.edition, trained.players, options_of(trained))
    started = time.monotonic()
    found = [
        deals_and_results(place, net, min(AT_ONCE, deals - first), seed + first, device)
        for first in range(0, deals, AT_ONCE)
    ]
    worth, result = (np.concatenate(arrays)[:, 0] for arrays in zip(*found, strict=True))
    chance, ratios = np.random.default_rng(1), []
    for _ in range(200):
        some = chance.integers(len(worth), size=len(worth))
        ratios.append((result - worth)[some].std() / result[some].std())
    low, high = np.percentile(ratios, [2.5, 97.5])
    print(f"{trained.edition} {trained.players}: {time.monotonic() - started:.0f} s", flush=True)
    return [
        table_name(setup_of(trained)), f"{len(worth):,}",
        f"{worth.mean():+.3f} ± {1.96 * worth.std() / len(worth) ** 0.5:.3f}",
        f"{result.std():.2f}", f"{(result - worth).std():.2f}",
        f"{(result - worth).std() / result.std():.3f} ({low:.3f} … {high:.3f})",
    ]  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.gpu.ledger", description="How much of a result is the deal.")
    parser.add_argument("--deals", type=int, default=100_000, help="rounds per setup")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--all", action="store_true", help="every setup that the networks have learned")
    parser.add_argument("--out", type=Path, help="where the table goes")
    arguments = parser.parse_args()
    header = ["table", "rounds", "deal of seat 0", "SD of the result", "without the deal", "ratio"]
    rows, text = [], ""
    for game, trained in tables() if arguments.all else shown_tables():
        rows.append(table_row(game, trained, arguments.deals, arguments.seed, arguments.device))
        text = markdown_table(header, rows)
        if arguments.out is not None:
            arguments.out.write_text(text + "\n")
    print(text)


if __name__ == "__main__":
    main()
