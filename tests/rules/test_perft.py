"""Counts of positions against the files of `perft/`, by the kernel and by a walk through `Game`."""

from __future__ import annotations

from pathlib import Path

import pytest

from atout.editions import PUBLISHED
from tests.rules.counts import (
    FOLDER,
    Counted,
    compiled,
    divided,
    files,
    first_difference,
    parting,
    read,
    render,
    walked,
)

WALK = 4_000
"""The slow walk goes as deep as there are no more positions than this."""


@pytest.fixture(params=files(), ids=lambda path: path.stem)
def counted(request: pytest.FixtureRequest) -> Counted:
    path: Path = request.param
    return read(path)


def test_the_kernel_counts_what_the_file_says(counted: Counted) -> None:
    game, depth = counted.game(), len(counted.counts)
    found = [compiled(game, level) for level in range(1, depth + 1)]
    if found != list(counted.counts):
        level = next(i for i in range(depth) if found[i] != counted.counts[i])
        pytest.fail(
            f"{counted.name}: depth {level + 1} has {found[level]} sequences, the file says {counted.counts[level]}; "
            f"{first_difference(counted.divide, divided(game, depth))}"
        )


def test_the_divide_adds_up(counted: Counted) -> None:
    game, depth = counted.game(), len(counted.counts)
    difference = first_difference(counted.divide, divided(game, depth))
    assert not difference, f"{counted.name}: {difference}"
    assert list(counted.divide) == [str(action) for action in game.legal()], "the order of actions is pinned"
    assert sum(counted.divide.values()) == counted.counts[-1]


def test_a_slow_walk_counts_the_same(counted: Counted) -> None:
    game = counted.game()
    assert counted.counts[2] <= WALK, "a walk of three actions at least"
    for depth, count in enumerate(counted.counts, 1):
        if count > WALK:
            break
        found = walked(game, depth)
        assert found == compiled(game, depth), f"{counted.name}: kernel and game part after {parting(game, depth)}"
        assert found == count, f"{counted.name}: depth {depth} has {found} sequences, the file says {count}"


def test_the_file_is_written_as_it_would_be_now(counted: Counted) -> None:
    assert render(counted) == (FOLDER / counted.name).read_text(encoding="utf-8"), "`make golden` writes it again"


def test_the_files_cover_both_games_and_every_phase() -> None:
    every = [read(path) for path in files()]
    assert {one.edition.game for one in every} == {"njet", "nichtig"}
    assert {len(one.hands) for one in every} == {2, 3, 4, 5, 6}
    assert {one.game().phase for one in every} == {"veto", "team", "discard", "pass", "lay", "play"}
    tricks = {(one.edition.trick.supertrump_suit, one.edition.trick.void) for one in every if one.edition.is_njet}
    assert tricks >= {("trump", "any"), ("trump", "trump"), ("printed", "any")}
    assert not {one.edition.id for one in every} & set(PUBLISHED)


def test_a_wrong_count_names_the_first_action_that_leads_astray() -> None:
    expected = {"0 play R1": 4, "0 play R2": 6, "0 play R3": 6}
    assert first_difference(expected, dict(expected)) == ""
    assert first_difference(expected, expected | {"0 play R2": 5}) == (
        "after 0 play R2 come 5 sequences, the file says 6"
    )
    assert first_difference(expected, {"0 play R1": 4, "0 play R3": 6}) == (
        "0 play R2 is counted in the file, but not legal"
    )
    assert first_difference(expected, expected | {"0 play K1": 1}) == "0 play K1 is legal, but not in the file"
