"""Null & nichtig in teams: every bot that searches counts its partner as partner, in what it plays and in what it says.

The positions are at the last card but one, so the rest of the round is forced: one card is better for the seat alone,
the other for its team.
"""

from __future__ import annotations

import random

import pytest

from atout.bots import Bot, Budget, ask, make_bot
from atout.bots.search_bot import SEARCHER, SearchBot
from atout.exam.position import ExamPosition, read

TEXT = """
== Two 0s would cover the piles of partner 3: take the trick with the green 11
theme: playing against the partner
edition: nichtig
players: 4
dealer: 1
options: {"teams":true}
hands:
  0: B5 B6 B9 G6 P1 P5 P10 R0 R1 R9 Y0 Y8 Y11
  1: B8 G0 G2 G4 G7 G11 P0 P6 P7 R4 R6 Y1 Y2
  2: B3 G1 G8 G10 P0 P8 R11 Y3 Y4 Y5 Y6 Y9 Y10
  3: B2 B10 G0 G5 G9 P2 P3 P9 P11 R0 R5 R8 R10
laid:
  2: Y5 Y9 G8
  3: P3 P11 R8
  0: R0 B9 Y11
  1: Y1 G7 P6
tricks:
  2: Y4 B10 R9 P0
  3: G0 R1 P7 R11
  2: Y3 P2 P1 G4
  1: B8 Y6 R10 Y8
  3: P9 B6 R6 B3
  3: G9 G6 G2 G1
  3: G5 P10 R4 Y10
  0: P5 Y2 G10 R5
  2: P0 B2 Y0
to act: 1
blunders: play G0
why: it helps the seat itself, and costs its team more

== A green 0 would cover the green 11 of partner 2: take the trick with the blue 6
theme: playing against the partner
edition: nichtig
players: 4
dealer: 3
options: {"teams":true}
hands:
  0: B2 B6 B9 G2 G8 G10 P0 P2 P3 R1 R2 R8 R9
  1: B0 B1 B11 G0 G9 P6 P8 P9 P10 R6 R10 R11 Y9
  2: B7 G0 G1 G4 G6 G11 P5 P11 R4 R7 Y1 Y2 Y11
  3: B3 B4 B8 P0 P1 P4 P7 R5 Y0 Y4 Y5 Y6 Y7
laid:
  0: G8 P3 G10
  1: B0 P10 Y9
  2: Y1 P11 G11
  3: P0 Y0 Y5
tricks:
  0: G2 P6 P5 P7
  3: B3 R2 R11 G0
  1: R6 B7 P4 R8
  0: P2 P8 Y11 Y4
  2: G6 Y7 B2 R10
  1: B11 R4 Y6 R1
  1: G9 Y2 B4 B9
  1: P9 R7 B8 R9
  1: G0 G4 P1
to act: 0
blunders: play P0
why: it helps the seat itself, and costs its team more

== Six players: partner 2 has the trick, give it the purple 8
theme: playing against the partner
edition: nichtig
players: 6
dealer: 1
options: {"teams":true}
hands:
  0: B7 B11 G0 G8 P5 P8 Y3 Y9 Y10 Y11
  1: B8 P0 P2 P3 P9 P11 R0 R8 R11 Y4
  2: B3 B5 B6 G3 G4 G5 P4 R3 R9 Y1
  3: B0 B2 G2 G9 P1 P10 R0 R6 Y0 Y7
  4: B0 B1 B9 G1 G6 G7 P6 R5 Y6 Y8
  5: B4 B10 G11 P7 R1 R2 R7 R10 Y0 Y2
laid:
  2: G5 B3
  3: R6 Y7
  4: Y8 R5
  5: Y0 G11
  0: B7 P5
  1: P9 Y4
tricks:
  2: G4 G9 P6 B4 Y9 R8
  3: G2 B1 B10 B11 P11 P4
  0: Y3 P3 G3 P1 B0 R1
  0: Y11 P0 B5 B0 Y6 R2
  0: G8 R0 R3 R0 G6 R7
  0: G0 R11 B6 B2 B9 P7
  1: B8 R9 Y0 G7 Y2
to act: 0
blunders: play Y10
why: it helps the seat itself, and costs its team more

== Six players: the trick is worth more to the seat than to its team
theme: playing against the partner
edition: nichtig
players: 6
dealer: 2
options: {"teams":true}
hands:
  0: B3 B5 B6 G9 P1 P4 P9 R0 R4 Y3
  1: G3 G4 P0 P10 R5 R7 Y0 Y5 Y10 Y11
  2: B2 B7 G7 P3 P5 R3 R8 R11 Y2 Y7
  3: B1 B4 B9 P0 P2 P7 P8 P11 R1 Y0
  4: G1 G2 G6 G10 G11 R0 R2 R9 R10 Y8
  5: B10 B11 G0 G5 G8 P6 Y1 Y4 Y6 Y9
laid:
  3: B1 B4
  4: R0 G1
  5: G5 G8
  0: R0 B3
  1: Y5 Y11
  2: B7 Y2
tricks:
  3: P7 G11 B10 G9 R7 P5
  4: R9 Y1 R4 R5 R11 R1
  2: R3 P2 R2 Y9 Y3 G3
  5: P6 B6 Y10 R8 B9 G10
  1: P10 P3 Y0 Y8 B11 P1
  5: Y4 P4 Y0 Y7 P8 R10
  4: G6 Y6 B5 G4 B2
to act: 3
blunders: play P11
why: it helps the seat itself, and costs its team more
"""
POSITIONS = read(TEXT, "teams")
SEEDS = range(3)
BUDGETS = {"expert": Budget()}
"""Its own number of evaluations: with fewer it errs in one of twenty answers at the last of these positions."""
BUDGET = Budget(nodes=1_500)


def searchers() -> list[Bot]:
    """Flat Monte Carlo, ISMCTS, guided MCTS, and the network with lookahead."""
    return [make_bot("club"), make_bot("ismcts"), SearchBot("search", SEARCHER), make_bot("expert")]


def team_gain(points: list[float], seat: int) -> float:
    ours, theirs = points[seat % 2 :: 2], points[1 - seat % 2 :: 2]
    return sum(ours) / len(ours) - sum(theirs) / len(theirs)


def test_four_and_six_players() -> None:
    assert [it.game.setup.players for it in POSITIONS] == [4, 4, 6, 6]
    assert all(it.game.setup.options.teams for it in POSITIONS)


@pytest.mark.parametrize("position", POSITIONS, ids=lambda it: it.title)
@pytest.mark.parametrize("bot", searchers(), ids=lambda bot: bot.name)
def test_what_is_best_for_the_team_is_played(bot: Bot, position: ExamPosition) -> None:
    for seed in SEEDS:
        choice = ask(bot, position.view(), random.Random(seed), BUDGETS.get(bot.name, BUDGET))
        assert choice.action not in position.blunders
        (reason,) = choice.reasons
        expected = {action: team_gain(points, position.seat) for action, points in choice.estimates.items()}
        assert max(expected, key=lambda action: expected[action]) == choice.action
        assert reason.parameters["gain"] == pytest.approx(expected[choice.action], abs=0.02)
        if "better_by" in reason.parameters:
            assert reason.parameters["better_by"] > 0


@pytest.mark.parametrize("position", POSITIONS, ids=lambda it: it.title)
def test_the_network_says_what_its_team_gains(position: ExamPosition) -> None:
    """`learned` chooses without a gain, and names one."""
    choice = ask(make_bot("learned"), position.view(), random.Random(1))
    (reason,) = choice.reasons
    assert reason.parameters["gain"] == pytest.approx(
        team_gain(choice.estimates[choice.action], position.seat), abs=0.02
    )


def test_the_novice_gives_points_to_a_partner_and_keeps_them_from_an_opponent() -> None:
    """The same view at a table with teams and at one without."""
    view = POSITIONS[2].view()
    assert ask(make_bot("novice"), view, random.Random(1)).action == "0 play P8"
    view["options"] = {}
    assert ask(make_bot("novice"), view, random.Random(1)).action == "0 play Y10"
