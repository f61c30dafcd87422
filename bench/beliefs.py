"""Beliefs and values on fresh games: `python -m bench.beliefs [--matches N] [--worlds N] [--folder FOLDER] [--write]`.

Rounds of four players of niet-2015 and of nichtig, whose actions are drawn from the network. One decision of each round
is looked at with what its seat knows. Worlds are drawn as in `search/believed.py`, with the belief model and without:

    gap          log-likelihood of the worlds used, by weight, less that of the true deal
    effective    effective sample size as a share of the worlds, with weights as they are
    predicted    the open-card critic's gain after the action, averaged over the worlds; the round is then played to its
                 end. In a third of the rounds the action is odd: a legal one at random
    all seats    the same before the action, for every seat with its own knowledge: their mean must be 0

The tables are printed. With `--write` they also replace the section in bench/results.md, which is about the networks of
the package.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from atout.batch import Batch
from atout.bots.learned import network_of
from atout.errors import AtoutError, UsageError
from atout.game import Knowledge, Setup
from atout.knowledge import entries as knowledge_entries
from atout.knowledge.features import BLOCK
from atout.nets.beliefs import BeliefNetwork, beliefs_of
from atout.nets.critic import Critic, critic_of
from atout.nets.weights import FOLDER, Network
from atout.rules.arrays import Int64Array
from atout.rules.autoplay import LENGTH
from atout.rules.layout import DISCARD, LAY, PASS, PLAY, SEATS, TEAM, VETO
from atout.search import net_rollout
from atout.search.believed import Beliefs, Drawn, critic_gains
from atout.search.gain import Float64Array, gains
from atout.search.net_rollout import Worlds, new_worlds
from bench.report import markdown_table, write_section

ABOUT = """\
*gap*: log-likelihood of the worlds used, by weight, less that of the true deal, median (aim: within 3). *effective*:
effective sample size as a share of the worlds, with weights as they are (aim: 30 %). *all seats*: the mean predicted
gain of all seats, each with its own knowledge, which must be 0. *bias*: the result of the round less the prediction."""
SETUPS = (("njet", "niet-2015", 4), ("nichtig", "nichtig", 4))
PHASES = {
    "njet": ("last vetoes", "partner", "first tricks", "middle", "last tricks"),
    "nichtig": ("lay out", "first tricks", "middle", "last tricks"),
}
ODD = 1 / 3
LOOK = 0.35
"""The chance to look at a decision of the phase that is wanted in the match."""
LAST_CELLS = 8
PLAYOUTS = 64


class Nets(NamedTuple):
    """The networks of one game."""

    player: Network
    beliefs: BeliefNetwork
    critic: Critic


class Looked(NamedTuple):
    """One decision that was looked at. Pairs are with the belief model, and without."""

    phase: str
    is_odd: bool
    gaps: tuple[float, float]
    effective: tuple[float, float]
    predicted: tuple[float, float]
    all_seats: float
    seat: int


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m bench.beliefs", description="Measure beliefs and values, and print the tables."
    )
    parser.add_argument("--matches", type=int, default=160, help="rounds per setup (default: %(default)s)")
    parser.add_argument("--worlds", type=int, default=128, help="worlds drawn per decision (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=20261116, help="the seed of the deals (default: %(default)s)")
    parser.add_argument(
        "--folder", type=Path, default=FOLDER, help="where GAME.beliefs and GAME.critic are (default: the package)"
    )
    parser.add_argument("--write", action="store_true", help="also replace the section in bench/results.md")
    arguments = parser.parse_args(words)
    try:
        check(arguments)
        measure(arguments)
    except AtoutError as error:
        print(f"bench.beliefs: {error}", file=sys.stderr)
        return 2
    return 0


def check(arguments: argparse.Namespace) -> None:
    for name, least in (("matches", 1), ("worlds", 1), ("seed", 0)):
        if (value := getattr(arguments, name)) < least:
            raise UsageError(f"--{name}: {value} is not allowed; expected {least} or more")
    if not arguments.folder.is_dir():
        raise UsageError(f"--folder: there is no folder {arguments.folder}")
    if arguments.write and not arguments.folder.samefile(FOLDER):
        raise UsageError("--write: not with the networks of another folder; bench/results.md is about the package's")


def measure(arguments: argparse.Namespace) -> None:
    body = [ABOUT, ""]
    for game, edition, players in SETUPS:
        nets = nets_of(game, arguments.folder)
        looked, realised, critic = Session(nets, Setup.of(edition, players), arguments.seed).play(
            arguments.matches, arguments.worlds
        )
        body += [f"### {edition}, {players} players\n", by_phase(looked, realised), "", calibration(looked, realised)]
        body += ["", critic, ""]
    print("\n".join(body))
    if arguments.write:
        command = f"python -m bench.beliefs --matches {arguments.matches} --worlds {arguments.worlds}"
        command += f" --seed {arguments.seed} --write"
        write_section("beliefs", "Beliefs and values", command, "\n".join(body))


def nets_of(game: str, folder: Path) -> Nets:
    player, beliefs, critic = network_of(game), beliefs_of(game, folder), critic_of(game, folder)
    if player is None or beliefs is None or critic is None:
        raise UsageError(f"--folder: there is no {game}.beliefs or {game}.critic in {folder}")
    return Nets(player, beliefs, critic)


def phase_of(knowledge: Knowledge) -> str:
    """The phase by which decisions are told apart; empty: not looked at."""
    phase, held = knowledge.state.phase, knowledge.fact.in_hand[knowledge.fact.seat]
    if phase == VETO:
        return "last vetoes" if knowledge.state.free.bit_count() <= LAST_CELLS else ""
    if phase == PLAY:
        return "first tricks" if held > 10 else "middle" if held > 5 else "last tricks"
    return {TEAM: "partner", LAY: "lay out", DISCARD: "", PASS: ""}.get(phase, "")


class Session:
    """Rounds of one setup."""

    def __init__(self, nets: Nets, setup: Setup, seed: int) -> None:
        self.nets, self.setup, self.seed = nets, setup, seed
        self.random = np.random.default_rng(seed)
        trained = nets.player.trained_at(setup)
        assert trained is not None
        self.scale = trained.scale

    def play(self, matches: int, worlds: int) -> tuple[list[Looked], Float64Array, str]:
        """Play the first rounds. Returns the decisions, what their seats gained, and the table about the critic."""
        batch = Batch([self.setup], [0] * matches, threads=1)
        batch.reset(self.seed)
        phases = PHASES["njet" if self.setup.rules[0] == 0 else "nichtig"]
        looked: dict[int, Looked] = {}
        results = np.full((matches, self.setup.players), np.nan)
        first_cards: dict[int, tuple[Int64Array, ...]] = {}
        deals = tuple(array.copy() for array in (batch.states, batch.logs, batch.progress))
        while np.isnan(results[:, 0]).any():
            batch.observe()
            places = self.draw_places(batch)
            for i in np.flatnonzero(np.isnan(results[:, 0])).tolist():
                if batch.block[i] == PLAY - VETO and i not in first_cards:
                    first_cards[i] = tuple(a[i].copy() for a in (batch.states, batch.logs, batch.progress))
                knowledge = self.knowledge(batch, i, int(batch.turn[i]))
                if i in looked or phase_of(knowledge) != phases[i % len(phases)] or self.random.random() > LOOK:
                    continue
                is_odd = bool(self.random.random() < ODD)
                if is_odd:
                    places[i] = self.random.choice(np.flatnonzero((batch.mask[i] >> np.arange(BLOCK)) & 1))
                looked[i] = self.look(batch, i, knowledge, int(places[i]), is_odd, worlds)
                print(f"{self.setup.name}: {len(looked)} decisions looked at", flush=True)
            batch.step(places)
            over = (batch.ended > 0) & np.isnan(results[:, 0])
            results[over] = batch.reward[over, : self.setup.players]
        realised = np.array([results[i, one.seat] for i, one in looked.items()])
        firsts = tuple(np.stack(arrays) for arrays in zip(*first_cards.values(), strict=True))
        table = self.critic_table({"deal": (deals, results), "first card": (firsts, results[list(first_cards)])})
        return list(looked.values()), realised, table

    def knowledge(self, batch: Batch, i: int, seat: int) -> Knowledge:
        return Knowledge.of(self.setup, seat, batch.states[i], batch.logs[i, : batch.progress[i, LENGTH]])

    def draw_places(self, batch: Batch) -> Int64Array:
        """Actions with the network's probabilities."""
        policies = self.nets.player.log_policies(
            self.nets.player.evaluate_all(batch.observation), batch.mask, batch.block
        )
        noise = -np.log(-np.log(self.random.random(policies.shape).clip(1e-12, 1 - 1e-12)))
        return np.asarray((policies + noise).argmax(1), np.int64)

    def look(self, batch: Batch, i: int, knowledge: Knowledge, place: int, is_odd: bool, worlds: int) -> Looked:
        """Look at a decision, and at what every seat would predict."""
        seat, seed = knowledge.fact.seat, int(self.random.integers(1 << 60))
        believed = Beliefs(knowledge, self.nets.beliefs, self.nets.player, seed)
        both = believed.draw(worlds), Beliefs(knowledge, None, self.nets.player, seed).draw(worlds)
        true = believed.true_log_likelihood(batch.states[i], batch.logs[i, : batch.progress[i, LENGTH]])
        action = knowledge_entries.action_at(knowledge.redacted, self.setup.rules, place)
        with_model, without = (
            (float(one.weights @ one.log_likelihoods) - true, one.effective, self.predict(one, seat, action))
            for one in both
        )
        values = [self.predict(both[0], seat, None)]
        for k in range(1, self.setup.players):
            other = (seat + k) % self.setup.players
            drawn = Beliefs(self.knowledge(batch, i, other), self.nets.beliefs, self.nets.player, seed).draw(worlds)
            values.append(self.predict(drawn, other, None))
        gaps, effective, predicted = zip(with_model, without, strict=True)
        phase = phase_of(knowledge)
        return Looked(phase, is_odd, gaps, effective, predicted, float(np.mean(values)), seat)

    def predict(self, drawn: Drawn, seat: int, action: int | None) -> float:
        """The seat's expected gain in the drawn worlds, after the action if there is one."""
        worlds, count = drawn.worlds, len(drawn.log_weights)
        values = np.zeros((count, self.setup.players))
        going = np.arange(count)
        if action is not None:
            after, rows = new_worlds(count), np.zeros(count, np.int64)
            actions = np.array([action], np.int64)
            left = net_rollout.begin_rollouts(worlds, np.arange(count), actions, self.setup.rules, after, rows)
            scores = np.zeros((count, SEATS))
            net_rollout.read_scores(after.states, scores)
            values[:, seat] = gains(scores[:, : self.setup.players], self.setup, seat)
            worlds, going = after, rows[:left]
        if len(going):
            left_worlds = Worlds(*(array[going] for array in worlds))
            values[going] = critic_gains(self.nets.critic, left_worlds, self.setup, self.scale)
        return float(drawn.weights @ values[:, seat])

    def critic_table(self, points: dict[str, tuple[Any, Float64Array]]) -> str:
        """How much of the results the critic explains, beside the mean of 64 net rollouts."""
        rows = []
        for name, (arrays, results) in points.items():
            worlds = Worlds(arrays[0], arrays[1], arrays[2])
            by_critic = critic_gains(self.nets.critic, worlds, self.setup, self.scale)
            ways = {"critic": by_critic, "playouts": self.play_out(worlds)}
            left = {way: 1 - ((results - found) ** 2).sum() / (results**2).sum() for way, found in ways.items()}
            rows.append([name, f"{len(results)}", f"{left['critic']:.2f}", f"{left['playouts']:.2f}"])
        return markdown_table(
            ["share of the results explained (R²)", "rounds", "critic", f"{PLAYOUTS} net rollouts"], rows
        )

    def play_out(self, worlds: Worlds) -> Float64Array:
        """The mean gain of every seat over net rollouts of each open position."""
        count = len(worlds.states)
        batch = Batch([self.setup], [0] * (count * PLAYOUTS), threads=1)
        batch.reset(self.seed + 1)
        batch.states[:], batch.logs[:] = np.repeat(worlds.states, PLAYOUTS, 0), np.repeat(worlds.logs, PLAYOUTS, 0)
        batch.progress[:, LENGTH] = np.repeat(worlds.progress[:, LENGTH], PLAYOUTS)
        results = np.full((count * PLAYOUTS, self.setup.players), np.nan)
        while np.isnan(results[:, 0]).any():
            batch.observe()
            batch.step(self.draw_places(batch))
            over = (batch.ended > 0) & np.isnan(results[:, 0])
            results[over] = batch.reward[over, : self.setup.players]
        return np.asarray(results.reshape(count, PLAYOUTS, -1).mean(1), np.float64)


def by_phase(looked: list[Looked], realised: Float64Array) -> str:
    """Log-likelihoods and sample sizes, by phase."""
    rows = []
    for phase in dict.fromkeys(one.phase for one in looked):
        some = [one for one in looked if one.phase == phase]
        gaps, effective = np.array([one.gaps for one in some]), np.array([one.effective for one in some])
        seats = np.array([one.all_seats for one in some])
        bias = np.mean([r - one.predicted[0] for one, r in zip(looked, realised, strict=True) if one.phase == phase])
        rows.append(
            [
                phase, str(len(some)), *(f"{x:.1f}" for x in np.median(gaps, 0)),
                *(f"{x:.0%}" for x in np.median(effective, 0)),
                f"{seats.mean():+.2f} ± {1.96 * seats.std() / len(seats) ** 0.5:.2f}", f"{bias:+.2f}",
            ]
        )  # fmt: skip
    header = ["phase", "decisions", "gap", "without model", "effective", "without model", "all seats", "bias"]
    return markdown_table(header, rows)


def calibration(looked: list[Looked], realised: Float64Array) -> str:
    """Realised gains against predicted ones: slope, bias and error, with intervals at 95 % by bootstrap."""
    rows = []
    kinds = {"all": (True, False), "drawn actions": (False,), "odd actions": (True,)}
    for name, wanted in kinds.items():
        for model, label in enumerate(("", ", without model")):
            chosen = [k for k, one in enumerate(looked) if one.is_odd in wanted]
            if len(chosen) < 2:
                rows.append([name + label, str(len(chosen)), "–", "–", "–"])
                continue
            predicted = np.array([looked[k].predicted[model] for k in chosen])
            slopes, biases = bootstrap(predicted, realised[chosen])
            error = np.sqrt(np.mean((realised[chosen] - predicted) ** 2))
            rows.append([name + label, str(len(chosen)), slopes, biases, f"{error:.1f}"])
    return markdown_table(["calibration", "decisions", "slope", "bias (realised − predicted)", "RMSE"], rows)


def bootstrap(predicted: Float64Array, realised: Float64Array) -> tuple[str, str]:
    rng, found = np.random.default_rng(1), []
    for number in range(1001):
        rows = np.arange(len(predicted)) if number == 0 else rng.integers(len(predicted), size=len(predicted))
        x, y = predicted[rows], realised[rows]
        found.append((np.cov(x, y)[0, 1] / max(x.var(ddof=1), 1e-9), (y - x).mean()))
    numbers = np.array(found)
    low, high = np.percentile(numbers[1:], [2.5, 97.5], axis=0)
    return tuple(f"{numbers[0, k]:.2f} ({low[k]:.2f} … {high[k]:.2f})" for k in range(2))  # type: ignore[return-value]


if __name__ == "__main__":
    sys.exit(main())
