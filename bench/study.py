"""What a review is worth: `python -m bench.study COMMAND [--rounds N] [--jobs N] [--seed S] [--out FILE]`.

spreads       the standard deviation of a round's gain at every table, among `learned` players; writes
              src/atout/nets/data/spreads.json, which labels are measured by
horizons      how the difference of two actions changes with the tricks that are played before the critic is asked
calibration   predicted against realised gains on fresh rounds, odd actions among them
ledger        what the deal is worth on average, and how much of the spread it explains
errors        points lost per decision, by level and phase
hints         which reasons hints tell
agreement     what a review says of the action that a hint advised
speed         seconds until a server's review of a whole match begins and ends
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import httpx
import msgspec
import numpy as np
from tests.server.background import PATIENCE, serve_in_background

from atout.batch import Batch
from atout.bots import ask, make_bot
from atout.bots.learned import Prediction, network_of
from atout.envs.dataset import network_version
from atout.game import Game, Knowledge, Setup
from atout.knowledge import entries as knowledge_entries
from atout.nets.spreads import FILE, spread_of, table_name
from atout.nets.weights import Network, Trained
from atout.rules.autoplay import LENGTH
from atout.rules.layout import PLAY, STATE
from atout.rules.log import logged
from atout.search.gain import Float64Array
from atout.search.net_rollout import TO_THE_END, Worlds
from atout.search.weighted import mean_and_error
from atout.study.effort import EFFORTS
from atout.study.evaluator import DecisionEvaluator
from atout.study.explain import explain
from atout.study.ledger import open_values
from atout.study.model import PHASES, SAYS_LITTLE, Decision
from atout.study.networks import networks_of
from atout.study.playouts import gumbel, play_out
from atout.study.positions import Position
from atout.study.review import PHASE_OF, Study, review_decision
from bench.report import markdown_table

GAMES = ("njet", "nichtig")
SHOWN = (("niet-2015", 4, "total", False), ("nichtig", 4, "total", False))
"""The tables that most is measured at."""
WARM_SECONDS, POLL_SECONDS = 10.0, 0.2
"""`speed`: how long the server may load its compiled code before somebody asks, and how often they ask."""
LANES = 64
"""Rounds that are played side by side."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.study", description="Measure reviews.")
    parser.add_argument("command", choices=sorted(COMMANDS))
    parser.add_argument("--rounds", type=int, default=256, help="rounds per table, or per level")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=None, help="where the result goes, .json or .md")
    parser.add_argument("--effort", type=int, default=2, help="how much work a decision gets (study/effort.py)")
    parser.add_argument("--levels", default=",".join(STRENGTHS), help="levels of `errors`")
    parser.add_argument("--at", default=",".join(it[0] for it in SHOWN), help="editions of `errors`")
    parser.add_argument("--all", action="store_true", help="`ledger` at every table")
    parser.add_argument("--hint-seconds", type=float, default=1.0, help="the budget of a hint for `hints`")
    arguments = parser.parse_args()
    COMMANDS[arguments.command](arguments)


def over(task: Callable[..., Any], many: Sequence[Any], jobs: int, what: str) -> Iterator[Any]:
    """Do a task for many arguments, in several processes; tells its progress."""
    begun = time.monotonic()
    if jobs == 1:
        results: Iterator[Any] = map(task, many)
        yield from with_progress(results, len(many), what, begun)
        return
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        yield from with_progress(pool.map(task, many), len(many), what, begun)


def with_progress(results: Iterator[Any], count: int, what: str, begun: float) -> Iterator[Any]:
    for number, result in enumerate(results, 1):
        print(f"{what}: {number}/{count}, {time.monotonic() - begun:.0f} s", flush=True)
        yield result


def tables() -> list[tuple[str, Trained]]:
    """Every table that the networks have learned, with its game."""
    found = []
    for game in GAMES:
        network = network_of(game)
        assert network is not None
        found += [(game, trained) for trained in network.header.tables]
    return found


def setup_of(trained: Trained) -> Setup:
    return Setup.of(trained.edition, trained.players, options_of(trained))


def options_of(trained: Trained) -> dict[str, Any]:
    """The options that make an edition's setup the trained one."""
    options: dict[str, Any] = {"teams": True} if trained.teams else {}
    if Setup.of(trained.edition, trained.players, options).options.scoring != trained.scoring:
        options["scoring"] = trained.scoring
    return options


def first_rounds(setup: Setup, network: Network, rounds: int, seed: int) -> Float64Array:
    """The gains of every seat in the first rounds of matches between greedy `learned` players."""
    results: list[Float64Array] = []
    for block in range(-(-rounds // LANES)):
        count = min(LANES, rounds - block * LANES)
        batch = Batch([setup], [0] * count, threads=1)
        batch.reset(seed + 7919 * block)
        gains = np.full((count, setup.players), np.nan)
        while np.isnan(gains[:, 0]).any():
            batch.observe()
            outputs = network.evaluate_all(batch.observation)
            batch.step(network.log_policies(outputs, batch.mask, batch.block).argmax(1).astype(np.int64))
            over_now = (batch.ended > 0) & np.isnan(gains[:, 0])
            gains[over_now] = batch.reward[over_now, : setup.players]
        results.append(gains)
    return np.concatenate(results)


def drawn_positions(
    setup: Setup, network: Network, rounds: int, seed: int, share: float, noise: float = 1.0,
    begin: Callable[[Batch], None] = lambda _: None,
) -> list[Position]:  # fmt: skip
    """Positions of rounds whose actions are drawn from the network; each is kept with the chance `share`.

    Without noise it always plays its likeliest action, as `learned` does. `begin` may change the states after the deal.
    """
    numbers, found = np.random.default_rng(seed), []
    batch = Batch([setup], [0] * rounds, threads=1)
    batch.reset(seed)
    begin(batch)
    is_over = np.zeros(rounds, bool)
    while not is_over.all():
        batch.observe()
        ratings = network.log_policies(network.evaluate_all(batch.observation), batch.mask, batch.block)
        places = (ratings + noise * numbers.gumbel(size=ratings.shape)).argmax(1).astype(np.int64)
        for i in np.flatnonzero(~is_over & (numbers.random(rounds) < share)).tolist():
            state, log = batch.states[i].copy(), batch.logs[i, : batch.progress[i, LENGTH]].copy()
            knowledge = Knowledge.of(setup, int(batch.turn[i]), state, log)
            action = knowledge_entries.action_at(knowledge.redacted, setup.rules, int(places[i]))
            entry = logged(int(batch.turn[i]), knowledge.state.phase, action)
            found.append(Position(setup, i, len(log), state, log, entry))
        batch.step(places)
        is_over |= batch.ended > 0
    return found


def part_of(position: Position) -> str:
    """The phase, with the trick phase in three parts."""
    if position.phase != PLAY:
        return PHASE_OF[position.phase]
    held = position.knowledge().fact.in_hand[position.seat]
    return "tricks, first third" if held > 10 else "tricks, middle" if held > 5 else "tricks, last"


# ------------------------------------------------------------------ horizons

HORIZONS = {"at once": 0, "one trick": 1, "three tricks": 3, "the end": TO_THE_END}
HORIZON_WORLDS = 48


def _horizons(task: tuple[str, Trained, int, int]) -> list[tuple[str, list[float], list[float]]]:
    """For some decisions: the phase, and by horizon the difference of two actions and its standard error."""
    game, trained, rounds, seed = task
    network, setup = network_of(game), setup_of(trained)
    assert network is not None
    chance, found = np.random.default_rng(seed), []
    for position in drawn_positions(setup, network, rounds, seed, 0.05):
        knowledge = position.knowledge()
        evaluator = DecisionEvaluator.of(knowledge)
        policy = Prediction(network, trained, knowledge).policy
        best = max(policy, key=lambda action: policy[action])
        other = int(chance.choice([action for action in policy if action != best]))
        sample = evaluator.draw(knowledge, HORIZON_WORLDS, "horizons")
        sample.log_weights = np.zeros(HORIZON_WORLDS)
        numbers = []
        for horizon in HORIZONS.values():
            values = evaluator.play_out(knowledge, sample, [best, other], horizon).values
            numbers.append(mean_and_error(values[0] - values[1], sample.weights))
        found.append((part_of(position), [x for x, _ in numbers], [x for _, x in numbers]))
    return found


def measure_horizons(arguments: argparse.Namespace) -> None:
    lines = []
    for game, trained in shown_tables():
        tasks = [(game, trained, 8, arguments.seed + number) for number in range(max(1, arguments.rounds // 8))]
        found = [one for some in over(_horizons, tasks, arguments.jobs, trained.edition) for one in some]
        lines += [f"### {trained.edition}, {trained.players} players", "", _horizon_table(found), ""]
    _write(arguments, "horizons", "\n".join(lines))


def _horizon_table(found: list[tuple[str, list[float], list[float]]]) -> str:
    rows = []
    for part in dict.fromkeys(sorted(one[0] for one in found)):
        some = [one for one in found if one[0] == part]
        means, errors = np.array([one[1] for one in some]), np.array([one[2] for one in some])
        truth, noise = means[:, -1], (errors[:, -1] ** 2).mean()
        cells = [part, str(len(some)), f"{truth.mean():+.2f}"]
        for h in range(len(HORIZONS) - 1):
            x = means[:, h]
            slope = (x * truth).sum() / max((x * x).sum(), 1e-9)
            rms = max(0.0, ((truth - x) ** 2).mean() - noise - (errors[:, h] ** 2).mean()) ** 0.5
            cells.append(f"{slope:.2f}, {(truth - x).mean():+.2f}, {rms:.2f}, {errors[:, h].mean():.2f}")
        cells.append(f"{errors[:, -1].mean():.2f}")
        rows.append(cells)
    header = ["phase", "decisions", "difference", *list(HORIZONS)[:-1], "SE at the end"]
    return markdown_table(header, rows) + "\n\nSlope, bias, RMS error less noise, and mean standard error."


def _write(arguments: argparse.Namespace, command: str, body: str) -> None:
    command_line = f"python -m bench.study {command} --rounds {arguments.rounds} --seed {arguments.seed}"
    text = f"`{command_line}`\n\n{body.strip()}\n"
    print(text)
    if arguments.out is not None:
        arguments.out.write_text(text)


# ------------------------------------------------------------------ spreads


def _spread(task: tuple[str, Trained, int, int]) -> tuple[str, float]:
    game, trained, rounds, seed = task
    network, setup = network_of(game), setup_of(trained)
    assert network is not None
    return table_name(setup), float(np.sqrt((first_rounds(setup, network, rounds, seed) ** 2).mean()))


def measure_spreads(arguments: argparse.Namespace) -> None:
    """Gains of all seats add up to 0, so the standard deviation over seats and rounds is the root mean square."""
    tasks = [(game, trained, arguments.rounds, arguments.seed) for game, trained in tables()]
    found = dict(over(_spread, tasks, arguments.jobs, "tables"))
    data = {
        "about": "The standard deviation of a round's gain, by table: edition, players, scoring, teams.",
        "command": f"python -m bench.study spreads --rounds {arguments.rounds} --seed {arguments.seed}",
        "networks": {game: network_version(game) for game in GAMES},
        "spreads": {name: round(spread, 2) for name, spread in found.items()},
    }
    (arguments.out or FILE).write_text(json.dumps(data, indent=1) + "\n")


# ------------------------------------------------------------------ calibration

ODD = 1 / 3
CONTINUED = 8
"""Rounds played on from a true position."""


class Predicted(NamedTuple):
    """A prediction and what came of it."""

    part: str
    is_odd: bool
    predicted: float
    realised: float


def _calibrate(task: tuple[str, Trained, int, int, int]) -> list[Predicted]:
    game, trained, rounds, seed, effort = task
    network, setup = network_of(game), setup_of(trained)
    assert network is not None
    chance, found = np.random.default_rng(seed), []
    for position in drawn_positions(setup, network, rounds, seed, 0.06):
        knowledge, is_odd = position.knowledge(), bool(chance.random() < ODD)
        action = int(chance.choice(position.legal)) if is_odd else position.chosen
        evaluator = DecisionEvaluator.of(knowledge)
        judged = evaluator.judge(knowledge, EFFORTS[effort], action)
        true = Worlds(*(np.repeat(array, CONTINUED, 0) for array in position.world()))
        noise = gumbel(CONTINUED, int(chance.integers(1 << 60)))
        realised = play_out(evaluator.nets, true, [action], position.seat, TO_THE_END, noise).values.mean()
        found.append(Predicted(part_of(position), is_odd, judged.known[action], float(realised)))
    return found


def measure_calibration(arguments: argparse.Namespace) -> None:
    lines = []
    for game, trained in shown_tables():
        tasks = [
            (game, trained, 8, arguments.seed + number, arguments.effort) for number in range(-(-arguments.rounds // 8))
        ]
        found = [one for some in over(_calibrate, tasks, arguments.jobs, trained.edition) for one in some]
        rows = []
        groups = {"all": found, "drawn actions": [one for one in found if not one.is_odd]}
        groups |= {"odd actions": [one for one in found if one.is_odd]}
        groups |= {part: [one for one in found if one.part == part] for part in sorted({one.part for one in found})}
        for name, some in groups.items():
            if len(some) > 2:
                rows.append([name, str(len(some)), *_fit(some)])
        header = ["", "decisions", "slope", "bias (realised − predicted)", "RMSE"]
        lines += [f"### {trained.edition}, {trained.players} players", "", markdown_table(header, rows), ""]
    _write(arguments, "calibration", "\n".join(lines))


def _fit(some: list[Predicted]) -> list[str]:
    """Slope and bias with intervals at 95 % by bootstrap, and the root mean square error."""
    x, y = np.array([one.predicted for one in some]), np.array([one.realised for one in some])
    chance = np.random.default_rng(1)

    def fit(rows: Any) -> tuple[float, float]:
        a, b = x[rows], y[rows]
        return float(np.cov(a, b)[0, 1] / max(a.var(ddof=1), 1e-9)), float((b - a).mean())

    fits = np.array([fit(chance.integers(len(x), size=len(x))) for _ in range(1000)])
    low, high = np.percentile(fits, [2.5, 97.5], axis=0)
    slope, bias = fit(np.arange(len(x)))
    return [
        f"{slope:.2f} ({low[0]:.2f} … {high[0]:.2f})",
        f"{bias:+.2f} ({low[1]:+.2f} … {high[1]:+.2f})",
        f"{np.sqrt(((y - x) ** 2).mean()):.1f}",
    ]


# ------------------------------------------------------------------ ledger


def _deals(task: tuple[str, Trained, int, int]) -> list[tuple[float, float, float]]:
    """What the deal is worth to seat 0, the result, and what the critic alone says, for rounds of `learned` players."""
    game, trained, rounds, seed = task
    network, setup = network_of(game), setup_of(trained)
    assert network is not None
    batch = Batch([setup], [0] * rounds, threads=1)
    batch.reset(seed)
    state = batch.states[0].copy()
    nets = networks_of(Knowledge.of(setup, int(batch.states[0].view(STATE)[0].turn), state, np.zeros(0, np.int64)))
    worlds = Worlds(batch.states.copy(), batch.logs.copy(), batch.progress[:, :1].copy())
    evaluator = DecisionEvaluator(nets)
    singles = [Worlds(*(array[i : i + 1] for array in worlds)) for i in range(rounds)]
    deals = open_values(evaluator, singles)[:, 0]
    critic = nets.critic_gains(worlds)[:, 0]
    gains = np.full(rounds, np.nan)
    while np.isnan(gains).any():
        batch.observe()
        outputs = network.evaluate_all(batch.observation)
        batch.step(network.log_policies(outputs, batch.mask, batch.block).argmax(1).astype(np.int64))
        now = (batch.ended > 0) & np.isnan(gains)
        gains[now] = batch.reward[now, 0]
    return list(zip(deals.tolist(), gains.tolist(), critic.tolist(), strict=True))


def measure_ledger(arguments: argparse.Namespace) -> None:
    rows = []
    for game, trained in tables() if arguments.all else shown_tables():
        tasks = [(game, trained, LANES, arguments.seed + number) for number in range(-(-arguments.rounds // LANES))]
        name = table_name(setup_of(trained))
        found = np.array([one for some in over(_deals, tasks, arguments.jobs, name) for one in some])
        deal, result, critic = found.T
        ratios = []
        chance = np.random.default_rng(1)
        for _ in range(500):
            some = chance.integers(len(found), size=len(found))
            ratios.append((result - deal)[some].std() / result[some].std())
        low, high = np.percentile(ratios, [2.5, 97.5])
        rows.append(
            [
                name, str(len(found)), f"{deal.mean():+.3f} ± {1.96 * deal.std() / len(deal) ** 0.5:.3f}",
                f"{result.std():.2f}", f"{(result - deal).std():.2f}",
                f"{(result - deal).std() / result.std():.3f} ({low:.3f} … {high:.3f})",
                f"{(result - critic).std() / result.std():.3f}",
            ]
        )  # fmt: skip
    header = [
        "table",
        "rounds",
        "deal of seat 0",
        "SD of the result",
        "without the deal",
        "ratio",
        "ratio, critic alone",
    ]
    _write(arguments, "ledger", markdown_table(header, rows))


# ------------------------------------------------------------------ errors

STRENGTHS = ("novice", "club", "learned", "expert")


class Lost(NamedTuple):
    """A decision for `errors`."""

    phase: str
    lead: float
    """Points lost; 0 where the obvious was chosen."""
    label: str
    is_obvious: bool
    """Whether the position was."""


def _errors(task: tuple[str, Trained, str, int, int]) -> list[Lost]:
    """What the decisions of one seat in one round cost."""
    _, trained, level, seed, effort = task
    setup = setup_of(trained)
    game, bot = Game.at(setup, seed), make_bot(level)
    source = random.Random(seed)
    while game.round == 1 and not game.is_over:
        assert game.turn is not None
        game.play(ask(bot, game.view(game.turn), random.Random(source.getrandbits(60))).action)
    record: Any = game.record()
    record["rounds"] = record["rounds"][:1]
    for key in ("totals", "winners"):
        record.pop(key, None)
    study = Study(record, seed % setup.players)
    study.effort = EFFORTS[effort]
    decisions = [study.decision(number) for number in range(len(study.positions))]
    return [Lost(one.phase, 0.0 if did_the_obvious(one) else one.lead, one.label, one.is_obvious) for one in decisions]


def did_the_obvious(one: Decision) -> bool:
    return one.is_obvious and one.action == max(one.values, key=lambda action: one.values[action].found_by)


def measure_errors(arguments: argparse.Namespace) -> None:
    lines = []
    for game, trained in shown_tables():
        if trained.edition not in arguments.at.split(","):
            continue
        rows = []
        for level in arguments.levels.split(","):
            tasks = [
                (game, trained, level, arguments.seed + number, arguments.effort) for number in range(arguments.rounds)
            ]
            found = list(over(_errors, tasks, arguments.jobs, f"{trained.edition} {level}"))
            rows += _error_rows(level, found)
        header = ["level, phase", "not obvious", "lost per decision", "per round", "mistakes, blunders", "cannot tell"]
        lines += [f"### {trained.edition}, {trained.players} players", "", markdown_table(header, rows), ""]
    _write(arguments, "errors", "\n".join(lines))


def _error_rows(level: str, rounds: list[list[Lost]]) -> list[list[str]]:
    """A row for each phase, with intervals at 95 % by bootstrap over rounds.

    All points lost are shared among the decisions whose position was not obvious, which hardly depends on the level.
    """
    rows, random_numbers = [], np.random.default_rng(1)
    for phase in ("all", *PHASES):
        some = [[one for one in decisions if phase in ("all", one.phase)] for decisions in rounds]
        sums = np.array([[sum(one.lead for one in each), sum(not one.is_obvious for one in each)] for each in some])
        lost, count = sums.sum(0)
        if not count:
            continue
        drawn = sums[random_numbers.integers(len(sums), size=(1000, len(sums)))].sum(1)
        low, high = np.percentile(drawn[:, 0] / np.maximum(drawn[:, 1], 1), [2.5, 97.5])
        labels = Counter(one.label for each in some for one in each)
        rows.append(
            [
                f"{level}, {phase}",
                f"{count:.0f} of {labels.total()}",
                f"{lost / count:.3f} ({low:.3f} … {high:.3f})",
                f"{lost / len(rounds):.2f}",
                f"{(labels['mistake'] + labels['blunder']) / len(rounds):.2f}",
                f"{labels['cannot-tell'] / len(rounds):.2f}",
            ]
        )
    return rows


# ------------------------------------------------------------------ hints

HINTED = (*SHOWN, ("nichtig", 6, "total", False), ("njet-2007", 2, "total", False))
"""Tables at which hints are asked for."""
HINT_SHARE = 0.12
"""The share of the decisions at which one is asked for."""


def _hints(task: tuple[str, Trained, int, int, float]) -> list[tuple[str, str, tuple[str, ...]]]:
    """The table, the phase and the codes of the reasons of each hint."""
    game, trained, rounds, seed, seconds = task
    network, setup = network_of(game), setup_of(trained)
    assert network is not None
    found: list[tuple[str, str, tuple[str, ...]]] = []
    for position in drawn_positions(setup, network, rounds, seed, HINT_SHARE):
        if len(position.legal) > 1:
            explanation = explain(position.knowledge(), seconds)
            found.append((table_name(setup), PHASE_OF[position.phase], tuple(one.code for one in explanation.reason)))
    return found


def measure_hints(arguments: argparse.Namespace) -> None:
    """What hints tell, in rounds whose actions are drawn from the network."""
    some = [(game, one) for game, one in tables() if (one.edition, one.players, one.scoring, one.teams) in HINTED]
    tasks = [(game, one, arguments.rounds, arguments.seed, arguments.hint_seconds) for game, one in some]
    found = [hint for hints in over(_hints, tasks, arguments.jobs, "tables") for hint in hints]
    rows = []
    for table in dict.fromkeys(hint[0] for hint in found):
        for phase in (*PHASES, "all"):
            codes = [reasons for where, when, reasons in found if where == table and phase in (when, "all")]
            if codes:
                little = sum(set(reasons) <= set(SAYS_LITTLE) for reasons in codes)
                rows.append([f"{table}, {phase}", str(len(codes)), f"{100 * little / len(codes):.0f}%", _usual(codes)])
    header = ["table, phase", "hints", "without a cause", "reasons told most"]
    little = sum(set(reasons) <= set(SAYS_LITTLE) for _, _, reasons in found)
    rows.append(
        ["all", str(len(found)), f"{100 * little / len(found):.0f}%", _usual([reasons for *_, reasons in found])]
    )
    _write(arguments, "hints", markdown_table(header, rows))


def _usual(codes: list[tuple[str, ...]]) -> str:
    counts = Counter(code for some in codes for code in some)
    return ", ".join(f"{code} {100 * count / len(codes):.0f}%" for code, count in counts.most_common(4))


# ------------------------------------------------------------------ agreement

BLAMED = ("inaccuracy", "mistake", "blunder")


def _agreement(task: tuple[str, Trained, int, int, float, int]) -> list[tuple[str, str, str]]:
    """The table, the phase, and what a review says of the action that a hint advises."""
    game, trained, rounds, seed, seconds, effort = task
    network, setup = network_of(game), setup_of(trained)
    assert network is not None
    found: list[tuple[str, str, str]] = []
    for position in drawn_positions(setup, network, rounds, seed, HINT_SHARE):
        if len(position.legal) == 1:
            continue
        action = explain(position.knowledge(), seconds).action
        entry = next(one for one in position.legal if position.word(one) == action)
        chosen = msgspec.structs.replace(position, entry=logged(position.seat, position.phase, entry))
        evaluator = DecisionEvaluator.of(position.knowledge())
        judged = review_decision(evaluator, chosen, EFFORTS[effort], spread_of(setup))
        found.append((table_name(setup), PHASE_OF[position.phase], judged.label))
    return found


def measure_agreement(arguments: argparse.Namespace) -> None:
    """How often a review finds fault with what a hint advised, in rounds whose actions are drawn from the network."""
    tasks = [
        (game, one, 1, arguments.seed + number, arguments.hint_seconds, arguments.effort)
        for game, one in shown_tables()
        for number in range(arguments.rounds)
    ]
    found = [label for labels in over(_agreement, tasks, arguments.jobs, "rounds") for label in labels]
    rows = []
    for table in dict.fromkeys(one[0] for one in found):
        for phase in (*PHASES, "all"):
            labels = [label for where, when, label in found if where == table and phase in (when, "all")]
            if labels:
                counts = [str(labels.count(label)) for label in (*BLAMED, "cannot-tell")]
                rows.append([f"{table}, {phase}", str(len(labels)), *counts])
    _write(arguments, "agreement", markdown_table(["table, phase", "hints", *BLAMED, "cannot tell"], rows))


# ------------------------------------------------------------------ speed


def measure_speed(arguments: argparse.Namespace) -> None:
    """A whole match of `learned` players is played first; then a server reviews it, as somebody at the page asks."""
    rows = []
    for _, trained in shown_tables():
        setup = setup_of(trained)
        game, bot, source = Game.at(setup, arguments.seed), make_bot("learned"), random.Random(arguments.seed)
        while not game.is_over:
            assert game.turn is not None
            game.play(ask(bot, game.view(game.turn), random.Random(source.getrandbits(60))).action)
        spent = time.process_time()
        study = Study(game.record(), 0)
        decisions = []
        for number in range(len(study.positions)):
            decisions.append(study.decision(number))
            print(f"{trained.edition}: {number + 1}/{len(study.positions)} decisions", flush=True)
        study.review(decisions)
        spent = time.process_time() - spent
        first, ledger, whole = reviewed_by_server(msgspec.json.encode(game.record()).decode())
        rows.append(
            [
                table_name(setup), str(len(study.rounds)), str(len(decisions)), str(study.effort.level), f"{first:.1f}",
                f"{ledger:.0f}", f"{whole:.0f}", f"{spent:.0f}",
            ]
        )  # fmt: skip
    header = [
        "table",
        "rounds",
        "decisions",
        "effort",
        "first after s",
        "ledger after s",
        "all after s",
        "CPU s",
    ]
    _write(arguments, "speed", markdown_table(header, rows))


def reviewed_by_server(record: str) -> tuple[float, float, float]:
    """Seconds until a new server's first decision, its valued ledger, and the whole review; with two bot processes."""
    with TemporaryDirectory() as name:
        settings = {"bot_processes": 2, "bot_warm": "true"}
        with serve_in_background(f"sqlite:///{name}/atout.db", Path(name), **settings) as server:
            client = httpx.Client(base_url=server.url, timeout=PATIENCE)
            client.post("/api/guest", json={"name": "Bench"}).raise_for_status()
            id = client.post("/api/records", json={"record": record}).raise_for_status().json()["record"]
            time.sleep(WARM_SECONDS)
            path, begun, after = f"/api/records/{id}/review?seat=0", time.perf_counter(), 0
            times: dict[str, float] = {}
            found = client.post(path).raise_for_status().json()
            while True:
                now, after = time.perf_counter() - begun, after + len(found["decisions"])
                ledger = found.get("ledger")
                if after:
                    times.setdefault("first", now)
                if ledger and all(one["curve"] for one in ledger["rounds"]):
                    times.setdefault("ledger", now)
                if found["state"] == "done":
                    return times["first"], times["ledger"], now
                time.sleep(POLL_SECONDS)
                found = client.get(f"{path}&after={after}").raise_for_status().json()


def shown_tables() -> list[tuple[str, Trained]]:
    return [(game, one) for game, one in tables() if (one.edition, one.players, one.scoring, one.teams) in SHOWN]


COMMANDS: dict[str, Callable[[argparse.Namespace], None]] = {
    "spreads": measure_spreads,
    "horizons": measure_horizons,
    "calibration": measure_calibration,
    "ledger": measure_ledger,
    "errors": measure_errors,
    "hints": measure_hints,
    "agreement": measure_agreement,
    "speed": measure_speed,
}


if __name__ == "__main__":
    main()
