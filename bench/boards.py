"""Where does `expert` believe the cards to be, on boards made by others?

    python -m bench.boards [-e EDITION] [-n PLAYERS] [--decisions N] [--seed N]

First rounds in which all vetoes are made by `learned`, by `novice` or at random; `learned` does everything else. At
some decisions after the vetoes the worlds of `expert` are drawn, as many as a table's time allows, and compared with
the true deal. The *error* of a decision is the sum of (chance by the worlds − 1 or 0)² over all kinds of cards and all
other hands. It is told for worlds in which a seat may be careless (`search/lookahead.py`), and for those in which none
is.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

import numpy as np

from atout import Game
from atout.bots import Budget, make_bot
from atout.bots.learned import network_of, trained_at
from atout.errors import AtoutError, UsageError
from atout.game import Knowledge
from atout.nets.beliefs import beliefs_of
from atout.rules.layout import KINDS, STATE
from atout.search.gain import Float64Array
from atout.search.lookahead import CARELESS, ENOUGH, FLATTEN, Lookahead
from atout.search.weighted import flattened
from bench.report import markdown_table

MAKERS = ("learned", "novice", "random")
WORLDS = 24
SHARE = {"team": 0.5}
"""The share of decisions of a phase that are looked at."""
USUAL_SHARE = 0.04


class Looked(NamedTuple):
    """A decision, with everybody's hands."""

    knowledge: Knowledge
    hands: list[int]


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.boards", description="Beliefs on boards made by others.")
    parser.add_argument("-e", "--edition", default="niet-2015", help="an edition of Njet! (default: %(default)s)")
    parser.add_argument("-n", "--players", type=int, default=4, help="(default: %(default)s)")
    parser.add_argument("--decisions", type=int, default=400, help="for each kind of boards (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the first deal (default: %(default)s)")
    arguments = parser.parse_args(words)
    try:
        if arguments.decisions < 2:
            raise UsageError(f"--decisions: {arguments.decisions} is not allowed; expected 2 or more")
        print(measure(arguments))
    except AtoutError as error:
        print(f"bench.boards: {error}", file=sys.stderr)
        return 2
    return 0


def measure(arguments: argparse.Namespace) -> str:
    rows = []
    for maker in MAKERS:
        some = islice(decisions(maker, arguments.edition, arguments.players, arguments.seed), arguments.decisions)
        found = [
            [error(one, careless, arguments.seed + number) for careless in (CARELESS, 0.0)]
            for number, one in enumerate(some)
        ]
        print(f"vetoes by {maker}: {len(found)} decisions", file=sys.stderr, flush=True)
        rows.append(row(maker, np.array(found)))
    return markdown_table(["vetoes by", "decisions", "error", "if nobody is careless", "difference"], rows)


def decisions(maker: str, edition: str, players: int, seed: int) -> Iterator[Looked]:
    """Decisions after the vetoes, some of each round."""
    vetoes, others, rng = make_bot(maker), make_bot("learned"), random.Random(seed)
    while True:
        game = Game.new(edition, players, seed=seed)
        if not game.setup.edition.is_njet:
            raise UsageError(f"--edition: {edition} has no vetoes; expected an edition of Njet!")
        while not game.is_over and game.round == 1:
            assert game.turn is not None
            legal, phase, view = [str(action) for action in game.legal()], game.phase, game.view(game.turn)
            if phase != "veto" and len(legal) > 1 and rng.random() < SHARE.get(phase, USUAL_SHARE):
                yield Looked(game.knowledge(game.turn), list(game.state.hand))
            bot = vetoes if phase == "veto" else others
            game.play(bot.choose(view, legal, Budget(), rng).action)
        seed += 1


def error(looked: Looked, careless: float, seed: int) -> float:
    """How far the chances by the worlds of `expert` are from the truth."""
    knowledge = looked.knowledge
    network, model = network_of("njet"), beliefs_of("njet")
    trained = trained_at(network, knowledge)
    if network is None or trained is None:
        raise UsageError(f"{knowledge.setup.name}: no network was trained for it")
    lookahead = Lookahead(knowledge, network, trained.scale, seed, model, careless=careless)
    lookahead.sample_worlds(WORLDS)
    weights = flattened(lookahead.log_weights, ENOUGH, FLATTEN)
    others = [seat for seat in range(knowledge.setup.players) if seat != knowledge.fact.seat]
    held = kinds_of(lookahead.drawn.states.view(STATE)["hand"].reshape(WORLDS, -1)[:, others])
    true = kinds_of(np.array(looked.hands)[others])
    return float(((np.tensordot(weights, held, 1) - true) ** 2).sum())


def kinds_of(hands: np.ndarray[tuple[int, ...], np.dtype[np.int64]]) -> Float64Array:
    """For each hand and each kind of cards, 1 if it is in the hand."""
    return np.asarray((hands[..., None] >> np.arange(KINDS)) & 1, np.float64)


def row(maker: str, errors: Float64Array) -> list[str]:
    with_, without = errors.T
    difference = with_ - without
    each = 1.96 * difference.std() / len(difference) ** 0.5
    means = [f"{mean:.2f}" for mean in (with_.mean(), without.mean())]
    return [f"`{maker}`", str(len(errors)), *means, f"{difference.mean():+.2f} ± {each:.2f}"]


if __name__ == "__main__":
    sys.exit(main())
