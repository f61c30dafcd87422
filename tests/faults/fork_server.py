"""The fork server: a process that has imported everything, and forks a server of tables whenever it is asked to.

Starting Python and importing everything takes seconds; two hundred restarts would take an hour. A forked server runs
the same command line on the same code. Only its bots differ: they think in a thread, not in processes of their own.

As a program it reads a line of JSON for each server and answers with the process's id. Two faults can be planted, by
environment: `FAULTS_CLOCK`, a file with the seconds by which the server's clock is wrong, and `FAULTS_EARLY`, seconds
by which a move is acknowledged before it is stored.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import signal
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import atout.server.app
import atout.server.run  # noqa: F401
from atout.cli import main as run_command
from atout.editions import PUBLISHED
from atout.server.http.context import Context
from atout.server.live import bot_pool as pool
from atout.server.live.hub import Hub
from atout.store import Append
from atout.store.group import GroupCommit, Work
from atout.tables import Table, TableSettings, commands, new_secret


def main() -> None:
    prepare()
    for line in sys.stdin:
        asked = json.loads(line)
        child = os.fork()
        if child == 0:
            become(asked["arguments"], asked["environment"], asked["log"])
        print(child, flush=True)


def prepare() -> None:
    """Matches are played, so that compiled code is loaded. Children that end need not be waited for."""
    for edition in PUBLISHED:
        play(TableSettings(edition, 4, seats=["random"] * 4))
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    gc.freeze()


def play(settings: TableSettings) -> None:
    table = Table()
    command: commands.Command = commands.Open(table="t", settings=settings, secret=new_secret())
    while True:
        for event in table.decide(command, None, 0.0):
            table.apply(event)
        if table.status == "over":
            break
        due = table.bot_turns()[0]
        command = commands.Act(action=due.legal[0], decision=due.decision)
    assert table.record() is not None


def become(arguments: list[str], environment: dict[str, str], log: str) -> None:
    """The forked process: from here on a server like any other, in a group of its own."""
    os.setsid()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    nothing, errors = os.open(os.devnull, os.O_RDWR), os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    for target, source in ((0, nothing), (1, nothing), (2, errors)):
        os.dup2(source, target)
    os.environ.update(environment)
    think_in_threads()
    if clock := environment.get("FAULTS_CLOCK"):
        set_clock_wrong(Path(clock))
    if early := environment.get("FAULTS_EARLY"):
        acknowledge_early(float(early))
    sys.argv = ["atout", *arguments]
    run_command()
    os._exit(0)


def think_in_threads() -> None:
    replaced: Any = pool
    replaced.ProcessPoolExecutor = lambda processes, *_others: ThreadPoolExecutor(processes)


def set_clock_wrong(by: Path) -> None:
    """What the file says is read at every look at the clock."""

    def wrong() -> float:
        return time.time() + float(by.read_text())

    for owner in (Hub, Context):
        owner.now = staticmethod(wrong)  # type: ignore[method-assign]


def acknowledge_early(seconds: float) -> None:
    """The mistake that must be found: a move is told to be durable, and stored a little later."""
    write = GroupCommit.write
    late: set[asyncio.Task[None]] = set()

    async def write_late(self: GroupCommit, work: Work) -> None:
        await asyncio.sleep(seconds)
        await write(self, work)

    async def early(self: GroupCommit, work: Work) -> Any:
        if not isinstance(work, Append):
            return await write(self, work)
        task = asyncio.create_task(write_late(self, work))
        late.add(task)
        task.add_done_callback(late.discard)
        return None

    GroupCommit.write = early  # type: ignore[method-assign]


if __name__ == "__main__":
    main()
