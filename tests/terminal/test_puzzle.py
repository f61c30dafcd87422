"""`atout puzzle`: the position, a question, the answer and why; what was tried is remembered."""

from __future__ import annotations

import io
import re
from datetime import date, timedelta
from pathlib import Path

import pytest

from atout.errors import UsageError
from atout.i18n import LANGUAGES, Texts
from atout.puzzles import THEMES, Puzzle, shipped
from atout.puzzles.model import LEVELS
from atout.study.model import PHASES
from atout.terminal.lines import Lines
from atout.terminal.puzzle import Asking, State, next_puzzle, note, read_state, write_state

DAY = date(2026, 11, 17)


def told(puzzle: Puzzle, typed: str, language: str = "en") -> tuple[str | None, str]:
    """What was answered, and everything that was written."""
    target = io.StringIO()
    asking = Asking(puzzle, Texts(language), Lines(io.StringIO(typed), target))
    action = asking.ask()
    if action is not None:
        asking.answer(action)
        state = State()
        asking.tell_rating(state, note(state, puzzle, action in puzzle.best, DAY), DAY)
    return action, target.getvalue()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_puzzle_of_each_phase_in_each_language(language: str) -> None:
    for phase in PHASES:
        puzzle = next(one for one in shipped() if one.phase == phase)
        right = list(puzzle.values).index(puzzle.best[0]) + 1
        action, text = told(puzzle, f"nonsense\nlog\n999\n{right}\n", language)
        assert action == puzzle.best[0]
        assert Texts(language).t("terminal.puzzle.right") in text
        assert "±" in text
        assert "{" not in text, "every hole is filled"
        assert Texts(language).t("terminal.plain.not-understood", line="nonsense").replace("\xa0", " ") in text
        if language != "en":
            assert not re.search(r"\b[RYBGKP]\d+\b", text), "cards have one notation"


def test_the_position_is_shown_in_full() -> None:
    for edition, phase in {(one.edition, one.phase) for one in shipped()}:
        puzzle = next(one for one in shipped() if (one.edition, one.phase) == (edition, phase))
        view, (_, text) = puzzle.view(), told(puzzle, "")
        text = " ".join(text.split())
        vetoes = [action for action in view["actions"] if " veto " in action]
        assert (text.count("vetoed: ") > 0) == bool(vetoes)
        assert text.count("; won by ") == len(view["trick_winners"])
        for action in view["actions"]:
            if " play " in action:
                assert f" {action.split()[2]}" in text, action
        for pile in (pile for own in view["piles"] or [] for pile in own):
            assert ", ".join(reversed(pile)) in text
        if view["chosen"]:
            assert ", ".join(view["chosen"]) in text or view["piles"] is not None
    one = next(it for it in shipped() if it.phase == "partners" and it.players > 2)
    row = next(row for row in one.view()["board"] or [] if row["row"] == "points")
    by = [cell["by"] for cell in row["cells"] if cell["by"] is not None]
    told_row = next(
        line for line in told(one, "")[1].replace("\n      ", " ").splitlines() if line.startswith("  Points: ")
    )
    assert told_row.count("(") == len(by) > 0


def test_a_wrong_answer_is_told_and_words_are_understood() -> None:
    puzzle = next(one for one in shipped() if one.phase == "tricks" and len(one.best) == 1)
    wrong = next(action for action in puzzle.values if action not in puzzle.best)
    action, text = told(puzzle, f"{wrong.split(' ')[2]}\n")
    assert action == wrong
    assert "Not this one." in text
    value, best = (round(puzzle.values[one].known, 1) for one in (wrong, puzzle.best[0]))
    assert f"{best - value:.1f} less than the best" in " ".join(text.split())
    assert "→" in text
    assert told(puzzle, "quit\n")[0] is None
    assert told(puzzle, "")[0] is None


def test_what_was_tried_is_remembered(tmp_path: Path) -> None:
    path, puzzle = tmp_path / "atout" / "puzzles.json", shipped()[0]
    state = read_state(path)
    gained = note(state, puzzle, True, DAY)
    assert gained > 0
    assert note(state, puzzle, False, DAY) == 0, "only the first attempt counts"
    write_state(path, state)
    again = read_state(path)
    assert again == state
    assert (again.solved, again.days, again.skill.rating) == ({puzzle.id: True}, {"2026-11-17": True}, 1500 + gained)
    path.write_text("{")
    with pytest.raises(UsageError, match="delete it"):
        read_state(path)


def test_the_next_is_new_and_near_in_rating() -> None:
    state, some = State(), shipped()[:5]
    for _ in some:
        chosen = next_puzzle(state, some)
        assert chosen is not None
        assert chosen.id not in state.solved
        note(state, chosen, False, DAY + timedelta(1))
    assert next_puzzle(state, some) is not None, "all were tried: one again"
    assert next_puzzle(state, []) is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_theme_and_level_has_a_name(language: str) -> None:
    texts = Texts(language)
    keys = [f"terminal.puzzle.theme.{theme}" for theme in THEMES] + [f"level.{level}" for level in LEVELS]
    assert [key for key in keys if not texts.has(key)] == []
