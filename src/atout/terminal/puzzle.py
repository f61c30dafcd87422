"""Puzzles in the terminal, line by line: the position as its seat sees it, a question, the answer and why.

The rating and what was tried are kept in a file of the user's (`state_file`): the first attempt at a puzzle counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from importlib.util import find_spec
from pathlib import Path

import msgspec
from msgspec import Struct

from atout.errors import ActionError, UsageError
from atout.files import alone, replace_file
from atout.game import View
from atout.i18n import Texts, reason_of, say
from atout.puzzles import Puzzle
from atout.puzzles.progress import streak_of
from atout.puzzles.rating import Skill, after, skill_of
from atout.study.shown import tenths
from atout.terminal.choices import choice_lines, from_text, phrase, understand
from atout.terminal.describe import Scene
from atout.terminal.events import sentence
from atout.terminal.explain import explain
from atout.terminal.guide import command_of, command_word
from atout.terminal.lines import TOGETHER, Lines
from atout.terminal.phrases import capital, without_accents
from atout.terminal.position import (
    PlayedTrick,
    around,
    board_rows,
    dealer_text,
    own_cards,
    question,
    sides_text,
    tricks_of,
)
from atout.terminal.saves import state_folder
from atout.terminal.seats import bot_name
from atout.terminal.words import Words

MARK = "→"
HAS_RATINGS = find_spec("openskill") is not None
"""OpenSkill comes with `atout[terminal]`; without it puzzles are not rated."""


class State(Struct):
    """What is remembered of the user."""

    skill: Skill = Skill()
    solved: dict[str, bool] = {}
    """By puzzle: whether the first attempt was right."""
    days: dict[str, bool] = {}
    """By day: whether the first attempt at its puzzle was right."""


def state_file() -> Path:
    return state_folder() / "puzzles.json"


def read_state(path: Path) -> State:
    """What is remembered; nothing if there is no file yet."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=State)
    except FileNotFoundError:
        return State()
    except (OSError, msgspec.MsgspecError) as error:
        raise UsageError(f"{path}: cannot be read: {error}; delete it to start again") from None


def write_state(path: Path, state: State) -> None:
    """Replace the file, so that it is never half written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, msgspec.json.encode(state))
    except OSError as error:
        raise UsageError(say("cli.error.write", path=path, reason=reason_of(error))) from None


@dataclass(frozen=True)
class Attempt:
    """An answer to a puzzle; `day` if it was the puzzle of that day."""

    puzzle: Puzzle
    is_right: bool
    day: date | None

    def note(self, state: State) -> int:
        return note(state, self.puzzle, self.is_right, self.day)


def remember(path: Path, attempts: Sequence[Attempt]) -> tuple[State, int]:
    """Note attempts in the file, as it is now: another program may have noted its own since.

    Returns what is remembered, and by how much the last attempt changed the rating.
    """
    with alone(path):
        state, change = read_state(path), 0
        for one in attempts:
            change = one.note(state)
        write_state(path, state)
    return state, change


def note(state: State, puzzle: Puzzle, is_right: bool, day: date | None) -> int:
    """Remember an attempt; by how much the rating changed."""
    if day is not None:
        state.days.setdefault(day.isoformat(), is_right)
    if puzzle.id in state.solved:
        return 0
    state.solved[puzzle.id] = is_right
    if not HAS_RATINGS:
        return 0
    before = state.skill.rating
    state.skill, _ = after(state.skill, skill_of(puzzle.rating), is_right)
    return state.skill.rating - before


def next_puzzle(state: State, puzzles: Sequence[Puzzle]) -> Puzzle | None:
    """The puzzle that was not tried and is rated nearest to the user; if all were tried, the one tried first."""
    new = [one for one in puzzles if one.id not in state.solved]
    if new:
        return min(new, key=lambda one: (abs(one.rating - state.skill.rating), one.id))
    tried = list(state.solved)
    return min(puzzles, key=lambda one: tried.index(one.id), default=None)


class Asking:
    """One puzzle for one reader."""

    def __init__(self, puzzle: Puzzle, texts: Texts, lines: Lines) -> None:
        game = puzzle.game()
        self.puzzle, self.texts, self.lines = puzzle, texts, lines
        self.view: View = game.view(puzzle.seat)
        names = [bot_name(texts, seat) for seat in range(puzzle.players)]
        self.scene = Scene.of_view(self.view, Words(texts, names, puzzle.seat, game.setup.edition.deck.low))
        self.words = self.scene.words
        self.legal = [from_text(action) for action in self.view["legal"]]

    def ask(self, day: date | None = None) -> str | None:
        """Show the position and ask until there is a legal answer; None if the reader leaves."""
        self._show(day)
        while True:
            line = self.lines.ask(self.scene.text("prompt", n=len(self.legal)) + " ")
            command = command_of(self.texts, line or "")
            if line is None or command == "quit":
                return None
            if line and without_accents(line) in ("log", without_accents(self.texts.t("terminal.puzzle.log"))):
                self.lines.say(*self._log())
            elif line == "?":
                self.lines.say(*explain(self.scene, self.legal)[:-1])
            elif command == "view":
                self._show(day)
            elif command == "help":
                self.lines.say(*self._help())
            else:
                try:
                    return str(understand(self.scene, self.legal, line))
                except ActionError as error:
                    self.lines.say(str(error))

    def _log(self) -> list[str]:
        """What happened in the round, a line each; several secret choices of another seat are one line."""
        actions = [from_text(action) for action in self.view["actions"]]
        lines = [capital(sentence(action, self.scene)) for action in actions]
        return [line for line, before in zip(lines, ["", *lines], strict=False) if line != before]

    def _help(self) -> list[str]:
        """Everything that may be typed, a line each."""
        scene, t = self.scene, self.texts.t
        best = phrase(scene, self.legal[0])
        meanings = {
            scene.text("help.number"): scene.text("help.number.text"),
            scene.text("help.words"): scene.text("help.words.text", example=best),
            "?": scene.text("help.ask.text"),
            command_word(scene, "view"): scene.text("help.view.text"),
            t("terminal.puzzle.log"): t("terminal.puzzle.help.log"),
            command_word(scene, "quit"): t("terminal.puzzle.help.quit"),
            command_word(scene, "help"): scene.text("help.help.text"),
        }
        return [scene.text("can-type"), *("  " + scene.titled(word, text) for word, text in meanings.items())]

    def _show(self, day: date | None) -> None:
        view, puzzle = self.view, self.puzzle
        theme = self.texts.t(f"terminal.puzzle.theme.{puzzle.theme}")
        self.lines.say(
            self.texts.t("terminal.puzzle.title", theme=theme)
            if day is None
            else self.texts.t("terminal.puzzle.title.day", date=day.isoformat(), theme=theme),
            self.texts.t(
                "terminal.puzzle.table",
                edition=self.texts.t(f"edition.{puzzle.edition}"),
                n=puzzle.players,
                rating=puzzle.rating,
            ),
            "",
            *self._position(),
        )
        self.lines.say("", question(self.words, view))
        self.lines.say(*choice_lines(self.scene, self.legal))

    def _position(self) -> list[str]:
        """All that the seat knows: the board and who vetoed which cell, sides, tricks, piles, its own cards."""
        view, words, t = self.view, self.words, self.texts.t
        lines = [f"{around(words, view)} {dealer_text(words, view)}".strip()]
        if any(view["totals"]):
            lines.append(t("paper.puzzle.totals", points=words.result(view)))
        for row in board_rows(words, view):
            free = ", ".join(cell["text"] for cell in row["cells"] if not cell["by"])
            vetoes = (f"{cell['text']} ({cell['by']})" for cell in row["cells"] if cell["by"])
            vetoed = ", ".join(veto.replace(" ", TOGETHER) for veto in vetoes)
            line = t("terminal.puzzle.board.free", row=row["title"], cells=free)
            if vetoed:
                line += t("paper.then") + t("terminal.puzzle.board.vetoed", cells=vetoed)
            lines.append(f"  {line}")
        sides = sides_text(words, view)
        if sides:
            lines.append(t("terminal.puzzle.sides", sides=sides))
        lines += [f"{title} {self._cards(cards)}" for title, cards in own_cards(words, view)]
        lines += map(self._trick, tricks_of(view))
        if any(view["tricks"]):
            won = []
            for seat, count in enumerate(view["tricks"]):
                loot = "" if view["loot"] is None else f", {self.texts.count('count.loot', view['loot'][seat])}"
                won.append(f"{words.name(seat)} {self.texts.count('count.tricks', count)}{loot}")
            lines.append(capital(t("paper.then").join(won)))
        if view["piles"] is not None and any(view["piles"]):
            lines.append(t("paper.puzzle.piles"))
            for seat, piles in enumerate(view["piles"]):
                shown = t("paper.then").join(self._cards(pile[::-1]) for pile in piles if pile) or "–"
                lines.append("  " + t("cell.in-row", row=capital(words.name(seat)), cell=shown))
        return [*lines, t("cell.in-row", row=t("hand.label"), cell=self._cards(view["hand"]))]

    def _cards(self, cards: Sequence[str]) -> str:
        """Cards in the notation of the line-by-line mode."""
        return ", ".join(map(self.scene.card, cards))

    def _trick(self, trick: PlayedTrick) -> str:
        """A trick in the order it was played, and who won it; the one under way comes under its own title."""
        words, players = self.words, self.puzzle.players
        order = [(trick["leader"] + step) % players for step in range(players)]
        cards = ", ".join(
            f"{words.name(seat)} {self.scene.card(trick['cards'][seat])}" for seat in order if trick["cards"][seat]
        )
        if trick["winner"] is None:
            return words.t("cell.in-row", row=words.t("mat.label"), cell=cards)
        whom = words.t("seat.whom") if trick["winner"] == words.me else words.names[trick["winner"]]
        won = words.t("last-trick.winner", whom=whom)
        return f"  {trick['number']}. {cards}{words.t('paper.then')}{won[:1].lower()}{won[1:]}"

    def answer(self, action: str) -> bool:
        """Print whether the answer is right, why, and what each action is worth; return whether it is right."""
        puzzle, words = self.puzzle, self.words
        is_right = action in puzzle.best
        self.lines.say(
            "",
            self.texts.t("terminal.puzzle.right")
            if is_right
            else self.texts.t("terminal.puzzle.wrong", best=self._choice(puzzle.best[0])),
        )
        worth = "" if is_right else self._worth(action)
        if worth:
            self.lines.say(worth)
        for reason in puzzle.reason:
            self.lines.say(*words.reason(reason.code, reason.parameters))
        self.lines.say("", self.texts.t("terminal.puzzle.values"))
        ranked = sorted(puzzle.values, key=lambda one: (one not in puzzle.best, -puzzle.values[one].known))
        room = max(len(self._choice(one)) for one in ranked)
        for one in ranked:
            value, mark = puzzle.values[one], MARK if one == action else " "
            worth = f"{words.signed(value.known):>6}{TOGETHER}±{TOGETHER}{words.decimal(value.se)}"
            if value.open is not None and value.exact:
                worth += "  " + self.texts.t("terminal.puzzle.open", n=words.signed(value.open))
            self.lines.say(f" {mark} {capital(self._choice(one)):{room}} {worth}")
        if puzzle.found:
            levels = self.texts.listed(self.texts.t(f"level.{level}") for level in puzzle.found)
            self.lines.say("", self.texts.t("terminal.puzzle.found", levels=levels))
        return is_right

    def _worth(self, action: str) -> str:
        """What a wrong answer is worth, and by how much less than the best, as the values below show them."""
        best = self.puzzle.best[0]
        value, most = (tenths(self.puzzle.values[one].known) for one in (action, best))
        if most - value < 0.05:
            return ""
        n, own = self.words.decimal(most - value), self.words.signed(value)
        return self.texts.t("today.worth", value=own, n=n, best=self._choice(best))

    def _choice(self, action: str) -> str:
        return phrase(self.scene, from_text(action)).replace(TOGETHER, " ")

    def tell_rating(self, state: State, change: int, today: date) -> None:
        """Print the rating after the attempt, and the days in a row."""
        rating = self.texts.t("terminal.puzzle.rating", n=state.skill.rating, change=f"{change:+d}".replace("-", "−"))
        if not HAS_RATINGS:
            rating = self.texts.t("terminal.puzzle.no-rating") + "\n"
        counts = self.texts.t("terminal.puzzle.counts", tried=len(state.solved), solved=sum(state.solved.values()))
        self.lines.say("", f"{rating} {counts}")
        if state.days:
            self.lines.say(self.texts.count("terminal.puzzle.streak", streak_of(state.days, today)))
