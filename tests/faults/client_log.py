"""A log of what clients were told, and its comparison with what the store has."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from atout.errors import AtoutError, NoTable
from atout.records import Verifier
from atout.store import Store
from atout.tables import Table, check_fair, decode

Json = dict[str, Any]
MOVES = ("acted", "chosen")
FILLED_IN = ("actions",)
"""Fields of received events that the log has not: made for each viewer."""


@dataclass
class Notes:
    """What one guest received at one table."""

    guest: str
    acknowledged: set[str] = field(default_factory=set)
    """Ids of commands."""
    refused: set[str] = field(default_factory=set)
    """Ids of commands of which the server said that nothing was changed."""
    received: dict[int, Json] = field(default_factory=dict)
    """Events by their numbers."""
    changed: int = 0
    """Events that were received twice, and not the same way."""

    def hear(self, events: Sequence[Json]) -> None:
        for event in events:
            before = self.received.setdefault(event["number"], event)
            self.changed += before != event


@dataclass
class Findings:
    """What a scenario came to. The counts of the first group are what was looked at, the others must be 0."""

    tables: int = 0
    finished: int = 0
    events: int = 0
    acknowledged: int = 0
    received: int = 0
    lost: int = 0
    duplicated: int = 0
    wrong: int = 0
    stuck: int = 0
    details: list[str] = field(default_factory=list)

    @property
    def is_good(self) -> bool:
        return not (self.lost or self.duplicated or self.wrong or self.stuck) and self.finished == self.tables > 0

    def complain(self, kind: str, text: str) -> None:
        setattr(self, kind, getattr(self, kind) + 1)
        if len(self.details) < 20:
            self.details.append(f"{kind}: {text}")


class ClientLog:
    """What all guests were told at all tables."""

    def __init__(self) -> None:
        self.tables: dict[str, list[Notes]] = {}
        self.moves = 0
        """Commands acknowledged so far."""
        self.last = 0
        """Events heard so far, by anybody: shows that something goes on."""

    def notes(self, table: str, guest: str) -> Notes:
        self.tables.setdefault(table, []).append(notes := Notes(guest))
        return notes

    async def compare(self, store: Store) -> Findings:
        findings = Findings(tables=len(self.tables))
        for table, everybody in self.tables.items():
            await _compare(store, table, everybody, findings)
        return findings


async def _compare(store: Store, table: str, everybody: list[Notes], findings: Findings) -> None:
    try:
        raw = await store.events(table)
    except NoTable:
        findings.complain("lost", f"table {table}")
        return
    log: list[Json] = [json.loads(line) for line in raw]
    findings.events += len(log)
    _check_order(log, table, findings)
    for notes in everybody:
        _check_notes(log, notes, f"table {table}", findings)
    record = await store.record(table)
    if record is None:
        findings.complain("stuck", f"table {table} has no record")
        return
    findings.finished += 1
    _check_record(raw, record.body, f"table {table}", findings)


def _check_order(log: list[Json], table: str, findings: Findings) -> None:
    """Numbers without a gap, times that never go back, every command carried out once."""
    for place, (event, before) in enumerate(zip(log, [{}, *log], strict=False), 1):
        if event["number"] != place or event["at"] < before.get("at", 0.0):
            findings.complain("wrong", f"table {table}: event {place} is out of order")
    moves = Counter((e.get("by"), e["command"]) for e in log if e["kind"] in MOVES and e.get("command"))
    for (_, command), times in moves.items():
        if times > 1:
            findings.complain("duplicated", f"table {table}: {command} moved {times} times")
    last: dict[tuple[Any, str], int] = {}
    for event in log:
        key = event.get("by"), event.get("command", "")
        if key[1] and last.setdefault(key, event["number"]) not in (event["number"], event["number"] - 1):
            findings.complain("duplicated", f"table {table}: {key[1]} was carried out twice")
        last[key] = event["number"]


def _check_notes(log: list[Json], notes: Notes, where: str, findings: Findings) -> None:
    there = {event["command"] for event in log if event.get("by") == notes.guest and event.get("command")}
    findings.acknowledged += len(notes.acknowledged)
    for command in notes.acknowledged - there:
        findings.complain("lost", f"{where}: {command} was acknowledged")
    for command in notes.refused & there:
        findings.complain("wrong", f"{where}: {command} was refused, and is in the log")
    if notes.changed:
        findings.complain("wrong", f"{where}: {notes.changed} events were received in two ways")
    findings.received += len(notes.received)
    for number, received in notes.received.items():
        stored = log[number - 1] if number <= len(log) else {}
        if any(stored.get(name) != value for name, value in received.items() if name not in FILLED_IN):
            findings.complain("lost", f"{where}: event {number} was received as {received['kind']}")


def _check_record(raw: list[bytes], body: bytes, where: str, findings: Findings) -> None:
    """Right by the rules, fair, and the one that the log gives."""
    try:
        Verifier().check(body)
        record = json.loads(body)
        check_fair(record)
        again = Table.from_events(map(decode, raw)).record()
    except AtoutError as error:
        findings.complain("wrong", f"{where}: {error}")
        return
    if json.loads(msgspec.json.encode(again)) != record:
        findings.complain("wrong", f"{where}: the record is not what the log gives")
