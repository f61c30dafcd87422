"""Blunders: the suite is sound, its reader explains mistakes, and the bots pass."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from atout import Game
from atout.bots import Budget, make_bot
from atout.bots.bot import UNLIMITED
from atout.editions import PUBLISHED
from atout.errors import PositionError, UsageError
from atout.exam.blunder_suite import SEEDS, blunders, suite
from atout.exam.draft import draft
from atout.exam.position import ExamPosition, read

POSITIONS = suite()
LATE = [it for it in POSITIONS if it.totals]
"""Positions late in a match: there a bot has to play for the match. The others are about a round."""
EARLY = [it for it in POSITIONS if not it.totals]
PHASES = ("veto", "team", "double", "discard", "pass", "lay", "play")

RIGHT = """
# a comment
== One card is as good as another
theme: nothing
edition: nichtig
players: 3
dealer: 2
hands:
  0: B0 B0 B1 B2 B3 B4 B5 B6 B7 B8 B9 B10 B11
  1: G0 G0 G1 G2 G3 G4 G5 G6 G7 G8 G9 G10 G11
  2: R0 R0 R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11
laid:
  0: B9 B10 B11
  1: G9 G10 G11
  2: R9 R10 R11
tricks:
  0: B8 G7 R7
  0: B7 G8
to act: 2
blunders: play R8
why:
  because it
  says so
"""


# -------------------------------------------------------------------- the suite


def test_the_suite_covers_every_edition_phase_and_number_of_players() -> None:
    assert len(POSITIONS) >= 60
    tables = Counter((it.game.setup.edition.id, it.game.setup.players) for it in POSITIONS)
    assert {edition for edition, _ in tables} == set(PUBLISHED)
    assert {players for _, players in tables} >= {2, 3, 4, 5}
    assert {it.game.phase for it in POSITIONS} == set(PHASES)


def test_titles_are_different() -> None:
    assert [title for title, count in Counter(it.title for it in POSITIONS).items() if count > 1] == []


@pytest.mark.parametrize("position", POSITIONS, ids=lambda it: it.title)
def test_a_position_leaves_a_decent_choice_and_says_why(position: ExamPosition) -> None:
    view = position.view()
    assert set(position.blunders) < set(view["legal"])
    assert len(position.why) > 60
    assert position.game.round == 1
    assert view["seat"] == view["turn"] == position.seat


# -------------------------------------------------------------------- bots


def failed(name: str, seeds: Sequence[int], positions: Sequence[ExamPosition] = EARLY) -> set[str]:
    return {it.position.title for it in blunders(make_bot(name), positions, seeds, UNLIMITED)}


def every_fifth() -> list[ExamPosition]:
    """Every fifth position of each phase: no phase is left out."""
    return [it for phase in PHASES for it in [it for it in POSITIONS if it.game.phase == phase][::5]]


def test_random_blunders() -> None:
    assert len(blunders(make_bot("random"), POSITIONS)) > 0.25 * len(POSITIONS) * len(SEEDS)


def test_the_novice_avoids_nine_positions_out_of_ten_with_every_seed() -> None:
    assert len(failed("novice", SEEDS)) <= 0.1 * len(EARLY)


def test_club_avoids_every_third_of_them() -> None:
    assert failed("club", SEEDS[:1], EARLY[::3]) == set()


@pytest.mark.slow
def test_club_avoids_all_of_them() -> None:
    assert failed("club", SEEDS) == set()


def test_the_learned_player_avoids_nineteen_positions_out_of_twenty() -> None:
    assert len(failed("learned", SEEDS[:1])) <= 0.05 * len(EARLY)


def test_the_trained_players_know_that_the_match_decides_in_its_last_round() -> None:
    assert len(LATE) >= 5
    assert failed("learned", SEEDS[:1], LATE) == failed("expert", SEEDS[:1], LATE) == set()


@pytest.mark.slow
def test_the_expert_avoids_every_fifth_of_them() -> None:
    assert failed("expert", SEEDS[:1], every_fifth()) == set()


@pytest.mark.slow
@pytest.mark.long
def test_the_expert_blunders_in_one_answer_of_a_thousand_at_most() -> None:
    """With every seed. Measured: once in 2,680 answers (docs/learned.md)."""
    made = blunders(make_bot("expert"), POSITIONS, SEEDS, UNLIMITED)
    assert len(made) <= len(POSITIONS) * len(SEEDS) / 1000, [(it.position.title, it.seed, it.action) for it in made]


def test_a_bot_answers_the_same_with_the_same_seed_and_budget() -> None:
    runs = [blunders(make_bot("random"), POSITIONS, (3,), Budget(nodes=1)) for _ in range(2)]
    assert [it.action for it in runs[0]] == [it.action for it in runs[1]] != []
    assert {it.seed for it in runs[0]} == {3}


# -------------------------------------------------------------------- the reader


def test_a_position_is_read_as_it_is_written() -> None:
    (position,) = read(RIGHT, "right.txt")
    assert position.title == "One card is as good as another"
    assert position.why == "because it says so"
    assert position.blunders == ("2 play R8",)
    assert [str(action) for action in position.game.actions[-2:]] == ["0 play B7", "1 play G8"]
    assert position.view()["winning"] == 1


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("== One", "One", "line 3: no position has begun"),
        ("theme: nothing\n", "", "line 3: theme: is missing"),
        ("theme: nothing", "topic: nothing", "line 4: 'topic' is no key; expected one of: theme, edition"),
        ("dealer: 2", "dealer: 2\ndealer: 2", "line 8: dealer: is given twice"),
        ("dealer: 2", "dealer: two", "line 7: dealer: 'two' is no number"),
        ("dealer: 2", "dealer: 3", "line 7: first_dealer: 3 is not allowed; allowed: 0 to 2"),
        ("edition: nichtig", "edition: bridge", "line 5: edition: 'bridge' is not known; allowed: njet-1997"),
        ("players: 3", "players: 9", "line 6: players: 9"),
        ("players: 3", "players: 3\noptions: {teams", "line 7: options: no JSON"),
        ("players: 3", 'players: 3\noptions: {"teams": true}', "line 7: options"),
        ("  1: G0", "  2: G0", "line 10: hands: seat 2; expected seat 1"),
        ("B9 B10 B11\n  1: G0", "B9 B10 Z11\n  1: G0", "line 8: hands: seat 0: 'Z11' is not a card"),
        ("B9 B10 B11\n  1: G0", "B9 B10\n  1: G0", "line 8: hands: seat 0 has 12 cards; expected 13"),
        ("  0: B9 B10 B11\n", "  B9 B10 B11\n", "line 13: laid: 'B9 B10 B11'; expected a seat and its cards"),
        ("  0: B7 G8", "  1: B7 G8", "line 18: "),
        ("  0: B8 G7 R7", "  0: B8 G7", "line 18: tricks: the one before is not full"),
        ("  0: B8 G7 R7", "  0: B8 G7 R7 B6", "line 17: tricks: 4 cards; expected 3 at most"),
        ("to act: 2", "to act: 1", "line 19: to act: seat 1; expected 2"),
        (
            "blunders: play R8",
            "blunders: play R9",
            "line 20: blunders: 'play R9' is not legal here; expected some of:",
        ),
        ("blunders: play R8", "blunders:", "line 20: blunders: no action; expected some"),
        ("to act: 2", "board: start 0\nto act: 2", "line 19: board: start 0; expected: no board"),
        ("hands:", "round: 2\nhands:", "line 8: round: expected both `round:` and `totals:`, or none"),
        ("hands:", "round: 9\ntotals: 1 2 3\nhands:", "line 8: round: 9 is not allowed; allowed: 2 to "),
        ("hands:", "round: 1\ntotals: 1 2 3\nhands:", "line 8: round: 1 is not allowed; allowed: 2 to "),
        ("hands:", "round: 2\ntotals: 1 2\nhands:", "line 9: totals: '1 2'; expected 3 numbers, one for each seat"),
        ("hands:", "round: 2\ntotals: 1 2 x\nhands:", "line 9: totals: '1 2 x'; expected 3 numbers"),
    ],
)
def test_a_mistake_is_named_with_its_line_and_what_would_be_right(old: str, new: str, message: str) -> None:
    assert RIGHT.count(old) == 1
    with pytest.raises(PositionError) as caught:
        read(RIGHT.replace(old, new), "wrong.txt")
    assert str(caught.value).startswith(f"wrong.txt, {message}"), caught.value


def test_an_answer_depends_on_the_seed() -> None:
    (position,) = read(RIGHT, "right.txt")
    answers = {bool(blunders(make_bot("random"), [position], (seed,))) for seed in range(60)}
    assert answers == {True, False}


# -------------------------------------------------------------------- writing one


def test_the_example_of_the_guide_is_one_of_the_suite() -> None:
    guide = (Path(__file__).parents[2] / "docs" / "guide" / "blunders.md").read_text(encoding="utf-8")
    (position,) = read(guide.partition("```text\n")[2].partition("```")[0], "guide")
    assert (position.title, position.why) in {(it.title, it.why) for it in POSITIONS}


@pytest.mark.parametrize("source", sorted({it.source for it in POSITIONS}))
def test_a_draft_is_read_back_as_the_same_position(source: str) -> None:
    for position in POSITIONS:
        if position.source == source:
            actions = ", ".join(action.partition(" ")[2] for action in position.blunders)
            text = draft(position.game).replace("blunders: …", f"blunders: {actions}")
            if position.totals:
                standing = f"round: {position.round}\ntotals: {' '.join(map(str, position.totals))}\n"
                text = text.replace("hands:", standing + "hands:")
            (again,) = read(text, "draft.txt")
            assert (again.view(), again.blunders) == (position.view(), position.blunders)


def test_a_draft_of_no_decision_is_refused() -> None:
    game = Game.new("nichtig", players=3, seed=1)
    while game.round == 1:
        game.play(game.legal()[0])
    with pytest.raises(UsageError, match="draft: round 2, phase lay; a position is a decision of the first round"):
        draft(game)
