"""Searchers in self-play: `ismcts` chooses, its matches wait for it, and failures are reported.

None of it needs PyTorch.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from multiprocessing.connection import wait
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from atout.batch import Batch
from atout.bots.ismcts import Search
from atout.errors import BotError, UsageError
from atout.game import Knowledge, Setup
from atout.game.knowledge import TURN
from atout.knowledge import entries as knowledge_entries
from atout.rules.arrays import Int64Array
from atout.rules.autoplay import LENGTH
from train.config import read
from train.searchers import WAITS, Searchers

TABLES = [Setup.of("nichtig", 3), Setup.of("njet-1997", 4), Setup.of("niet-2015", 2)]
WHICH = [0, 1, 2, 0, 1, 2]
NODES = 30
ENOUGH = 60
"""Answers; a match of every table has by then come to all phases but the rarest."""
MESSAGES = 50
"""From the processes, within which a failure must be noticed."""


@pytest.fixture
def searchers() -> Iterator[Searchers]:
    made = Searchers(TABLES, WHICH, NODES, 1, seed=5)
    yield made
    made.close()
    assert all(it.process.exitcode is not None for it in made._processes)


def step(batch: Batch, searchers: Searchers) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """One step, by the playout policy where no searcher is in turn; the places, and where it was a searcher's turn."""
    batch.observe()
    searchers.update(batch.turn, batch.progress[:, LENGTH], lambda: (batch.states, batch.logs))
    theirs = searchers.seats[np.arange(len(WHICH)), batch.turn]
    places = np.where(theirs, searchers.places(), batch.policy_places())
    try:
        batch.step(places)
    except UsageError:
        assert (places == WAITS).any()
    return places, theirs


@pytest.mark.slow
def test_the_bot_answers_and_its_match_waits(searchers: Searchers) -> None:
    """In every match some seats search and some learn; the places are those that the bot chooses."""
    for row, setup in enumerate(WHICH):
        players = TABLES[setup].players
        assert 1 <= searchers.seats[row, :players].sum() < players
        assert not searchers.seats[row, players:].any()
    batch = Batch(TABLES, WHICH)
    batch.reset(1)
    asked: dict[int, int] = {}
    checked, waited = 0, 0
    while checked < ENOUGH:
        before = batch.states.copy(), batch.logs.copy(), batch.progress.copy()
        places, theirs = step(batch, searchers)
        waits = places == WAITS
        asked |= {request.row: request.seed for request in searchers._requests}
        assert (batch.states[waits] == before[0][waits]).all()
        assert (batch.progress[waits, LENGTH] == before[2][waits, LENGTH]).all()
        assert not batch.reward[waits].any()
        assert not waits[~theirs].any()
        for row in np.flatnonzero(theirs & ~waits).tolist():
            state, length = before[0][row], before[2][row, LENGTH]
            knowledge = Knowledge.of(TABLES[WHICH[row]], int(state[TURN]), state, before[1][row, :length])
            search = Search(knowledge, random.Random(asked[row]).getrandbits(62))
            search.grow(NODES)
            most = max(visits for visits, _ in search.estimates().values())
            best = {action for action, (visits, _) in search.estimates().items() if visits == most}
            assert knowledge_entries.action_at(knowledge.redacted, knowledge.setup.rules, int(places[row])) in best
            checked += 1
        waited += int(waits.sum())
        if waits.all():
            await_message(searchers)
    assert searchers.answered == checked
    assert waited > 0


@pytest.mark.slow
def test_a_search_that_fails_is_told(searchers: Searchers) -> None:
    """A state that is not valid: a search from it fails."""
    batch = Batch(TABLES, WHICH)
    batch.reset(1)
    batch.observe()
    nonsense = np.zeros_like(batch.states), batch.logs
    with pytest.raises(BotError, match="searchers: a search failed: "):
        update_on(batch, searchers, nonsense)


def test_a_process_that_ends_is_told(searchers: Searchers) -> None:
    batch = Batch(TABLES, WHICH)
    batch.reset(1)
    batch.observe()
    searchers._processes[0].process.kill()
    with pytest.raises(BotError, match="searchers: a process exited unexpectedly, with exit code -9"):
        update_on(batch, searchers, (batch.states, batch.logs))


def update_on(batch: Batch, searchers: Searchers, rows: tuple[Int64Array, Int64Array]) -> None:
    for _ in range(MESSAGES):
        searchers.update(batch.turn, batch.progress[:, LENGTH], lambda: rows)
        searchers.places()
        await_message(searchers)


def await_message(searchers: Searchers) -> None:
    """Block until a process that was asked has sent something, or has exited: however busy the machine is."""
    wait([it.connection for it in searchers._processes if it.is_busy])


@pytest.mark.parametrize("text", ["searchers = 90", "searchers = -1", "search_nodes = 0", "search_processes = -1"])
def test_numbers_that_make_no_sense(text: str, tmp_path: Path) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text(
        f"""
seed = 1
device = "cpu"
total_minutes = 1.0
games = {{ nichtig = {{ places = [{{ edition = "nichtig", players = 3 }}] }} }}
[learning]
matches = 100
steps = 1
minibatch = 1
{text}
"""
    )
    with pytest.raises(UsageError, match=r"searchers, search_nodes, search_processes: .* is not allowed"):
        read(path)
