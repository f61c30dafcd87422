"""Records as a careless or hostile stranger would send them: right ones, damaged in every way we know."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

from atout.editions import PUBLISHED, published
from atout.game import Game, Setup, new_rng

Mutation = Callable[[dict[str, Any], random.Random], Any]

RUBBISH: list[Any] = [
    None, True, -1, 0, 7, 10**18, 10**400, -(10**30), 1.5, 1e308, "", "R1", "x" * 5000, "0 play R1", [], [[]], {},
    {"target": 0}, {"target": 10**30}, "short", "total", "\u0000", "é", "🂡", [1, 2, 3], ["0 veto trump red"],
]  # fmt: skip


def seeds() -> list[dict[str, Any]]:
    """Small right records of every table: whole short matches where they exist, else one or two rounds."""
    records = []
    for edition in PUBLISHED:
        for players in published(edition).counts:
            game = Game.at(Setup.of(edition, players), seed=players)
            rng = new_rng(players)
            while not game.is_over and (game.round < 2 or edition == "nichtig"):
                game.play_randomly(rng)
            if not game.is_over:
                game.undo(to=len(game.actions) - len(game.actions) // 3 if players % 2 else len(game.actions))
            records.append(json.loads(json.dumps(game.record())))
    return records


def _somewhere(record: dict[str, Any], rng: random.Random) -> tuple[Any, Any]:
    """A container inside the record and a key into it, chosen by walking down at random."""
    container: Any = record
    while True:
        keys = list(container) if isinstance(container, dict) else list(range(len(container)))
        if not keys:
            return record, rng.choice(list(record))
        key = rng.choice(keys)
        inner = container[key]
        if isinstance(inner, dict | list) and inner and rng.random() < 0.85:
            container = inner
            continue
        return container, key


def replace(record: dict[str, Any], rng: random.Random) -> Any:
    container, key = _somewhere(record, rng)
    container[key] = rng.choice(RUBBISH)
    return record


def remove(record: dict[str, Any], rng: random.Random) -> Any:
    container, key = _somewhere(record, rng)
    del container[key]
    return record


def repeat(record: dict[str, Any], rng: random.Random) -> Any:
    container, key = _somewhere(record, rng)
    if isinstance(container, list):
        container.insert(key, container[key])
    return record


def nudge(record: dict[str, Any], rng: random.Random) -> Any:
    """One off where there is a number, one letter off where there is a word."""
    container, key = _somewhere(record, rng)
    value = container[key]
    if isinstance(value, int):
        container[key] = value + rng.choice([-1, 1, 256])
    elif isinstance(value, str) and value:
        at = rng.randrange(len(value))
        container[key] = value[:at] + rng.choice("0123456789 RKBGYPveto-?") + value[at + 1 :]
    return record


def swap(record: dict[str, Any], rng: random.Random) -> Any:
    """Two actions of a round change places: often still words, seldom still a game."""
    actions = rng.choice(record["rounds"])["actions"] if record.get("rounds") else []
    if isinstance(actions, list) and len(actions) > 1:
        i, j = rng.randrange(len(actions)), rng.randrange(len(actions))
        actions[i], actions[j] = actions[j], actions[i]
    return record


def cut(record: dict[str, Any], rng: random.Random) -> Any:
    """A right unfinished record, if the results are taken away too."""
    record["rounds"] = record["rounds"][: rng.randrange(len(record["rounds"])) + 1]
    last = record["rounds"][-1]
    last["actions"] = last["actions"][: rng.randrange(len(last["actions"]) + 1)]
    for name in ("tricks", "loot", "scores"):
        if rng.random() < 0.95:
            last.pop(name, None)
    for name in ("totals", "winners"):
        if rng.random() < 0.95:
            record.pop(name, None)
    return record


def add(record: dict[str, Any], rng: random.Random) -> Any:
    """Keys of other people: allowed, and ignored."""
    record[rng.choice(["names", "comment", "when", "proof"])] = rng.choice(RUBBISH)
    return record


def other_options(record: dict[str, Any], rng: random.Random) -> Any:
    lengths: list[Any] = [{"length": "short"}, {"length": {"target": 1}}]
    record["options"] = rng.choice([*lengths, {"scoring": "total"}, {"scoring": "difference"}, {"teams": True}])
    return record


def nest(record: dict[str, Any], rng: random.Random) -> Any:
    container, key = _somewhere(record, rng)
    deep: Any = 0
    for _ in range(rng.choice([50, 400])):
        deep = [deep]
    container[key] = deep
    return record


MUTATIONS: list[Mutation] = [replace, remove, repeat, nudge, swap, cut, add, other_options, nest]


def mutated(seed: str, rng: random.Random) -> bytes:
    """A damaged line: one to three changes to the data, and sometimes to its bytes."""
    record = json.loads(seed)
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        try:
            record = rng.choice(MUTATIONS)(record, rng)
        except (TypeError, KeyError, ValueError, IndexError, AttributeError):
            break  # the damage before left nothing for this one to work on
    line = json.dumps(record, ensure_ascii=rng.random() < 0.5).encode("utf-8", "surrogatepass")
    if rng.random() < 0.15:
        line = _damaged_bytes(line, rng)
    return line


def _damaged_bytes(line: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(line) + 1)
    kind = rng.randrange(4)
    if kind == 0:
        return line[:at]
    if kind == 1:
        return line[:at] + bytes(rng.randrange(256) for _ in range(4)) + line[at:]
    if kind == 2:
        return line[:at] + b"[" * 100_000 + line[at:]
    return line[:at] + line[at + 1 :]
