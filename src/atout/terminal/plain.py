"""`PlainTable`: any `Match` line by line, for screen readers and pipes, in the reader's language.

A match on this machine is a `Session`. At a server's table the texts and what may be typed are the same, but a view is
all there is, and things happen while nobody types.
"""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from atout.errors import ActionError
from atout.game import Action, View
from atout.terminal.choices import CARD_VERBS, choice_lines, example, from_text, phrase, understand
from atout.terminal.describe import Scene
from atout.terminal.describe import situation as whole_situation
from atout.terminal.events import opening, winners
from atout.terminal.explain import allowed
from atout.terminal.guide import command_of, commands, lesson, task, welcome
from atout.terminal.lines import Lines
from atout.terminal.match import LocalMatch, Match
from atout.terminal.phrases import capital
from atout.terminal.session import Session, needed
from atout.terminal.words import Words


def situation(words: Words, view: View) -> list[str]:
    """A position in a few lines, above a puzzle: the board that stayed, the hand, the trick, the points."""
    lines = [words.heading(view)]
    told = [words.t("cell.in-row", row=title, cell=cell) for _, title, cell in words.conditions(view)]
    if told:
        lines.append("; ".join(told))
    if view["hand"]:
        lines.append(words.t("cell.in-row", row=words.t("hand.label"), cell=", ".join(view["hand"])))
    if view["trick"]:
        played = ", ".join(f"{words.name(it['seat'])} {it['card']}" for it in view["trick"])
        lines.append(words.t("cell.in-row", row=words.t("mat.label"), cell=played))
    return [*lines, words.result(view)]


class PlainTable:
    """Tells what happens at a table and asks for choices, a line each."""

    def __init__(self, match: Match, source: TextIO, target: TextIO) -> None:
        self.match, self.lines = match, Lines(source, target)
        self._logged = 0
        self._rounds: int | None = None
        self._note = ""
        self._asked_about: object = None
        self._taught: set[str] = set()

    async def run(self) -> bool:
        """Play to the end of the match, or until the reader leaves; whether the match is over."""
        if isinstance(self.match, LocalMatch):
            it = self.match
            with _interruptible():
                return Session(it.game, it.seating, self.lines, it.saves, None, it.rng, it.adviser, it.texts).run()
        while True:
            self._tell()
            view = self.match.view
            if view is not None and view["phase"] == "over":
                scene = self._scene(view)
                self.lines.say(f"{scene.text('match-over')} {winners(self.match.winners, scene)}")
                await self.match.close()
                return True
            if view is not None and self.match.words.me in self.match.asked and view["legal"]:
                if not await self._decide(view):
                    await self.match.close()
                    return False
                continue
            if not await self.match.advance():
                return False

    def _scene(self, view: View) -> Scene:
        return Scene.of_view(view, self.match.words)

    def _tell(self) -> None:
        """What is new since the last line."""
        if self.match.note != self._note:
            self._note = self.match.note
            if self._note:
                self.lines.say(self._note)
        view = self.match.view
        if view is not None and self._rounds is None:
            scene = self._scene(view)
            self.lines.say(*welcome(scene), "", opening(scene))
        self.lines.say(*map(capital, self.match.log[self._logged :]))
        self._logged = len(self.match.log)
        if view is None:
            return
        if self._rounds is not None and len(view["past"]) > self._rounds:
            self.lines.say("", *_round_lines(self._scene(view)))
        self._rounds = len(view["past"])

    async def _decide(self, view: View) -> bool:
        """Ask for this decision until it is made; False to leave."""
        scene, legal = self._scene(view), [from_text(action) for action in view["legal"]]
        decision = (view["round"], len(view["actions"]), len(view["chosen"]), view["owed"])
        if decision != self._asked_about:
            self._asked_about = decision
            self._present(scene, legal)
        if len(legal) == 1:
            prompt = scene.text("prompt.only", only=phrase(scene, legal[0]))
        else:
            prompt = scene.text("prompt", n=len(legal))
        line = await asyncio.to_thread(self.lines.ask, f"{prompt} ")
        command = command_of(self.match.texts, line or "") or line
        if line is None or command == "quit":
            return False
        if command == "hint":
            self.lines.say(*await self.match.hint())
        elif command == "view":
            self.lines.say(*whole_situation(scene))
        elif command == "?":
            self.lines.say(*allowed(scene, legal))
        elif command == "save" and self.match.can_save:
            self.lines.say(self.match.save())
        elif command == "undo":
            self.lines.say(await self.match.undo())
        elif command == "help":
            self.lines.say(*commands(scene, example(scene, legal)))
        else:
            await self._choose(scene, legal, line)
        return True

    def _present(self, scene: Scene, legal: list[Action]) -> None:
        phase = scene.view["phase"]
        self.lines.say("")
        if phase not in self._taught:
            self._taught.add(phase)
            self.lines.say(lesson(scene))
        self.lines.say(*needed(scene, {action.words[-1] for action in legal}))
        self.lines.say(task(scene), *choice_lines(scene, legal))

    async def _choose(self, scene: Scene, legal: list[Action], line: str) -> None:
        try:
            action = understand(scene, legal, line, _thinkable(scene, legal[0]))
        except ActionError as error:
            self.lines.say(str(error))
            return
        refused = await self.match.act(str(action))
        if refused:
            self.lines.say(refused)


def _thinkable(scene: Scene, first: Action) -> list[Action]:
    """Every cell of the board, or every card of the hand, legal or not: a server says why one is refused."""
    if first.verb == "veto":
        cells = [(row["row"], cell["word"]) for row in scene.view["board"] or [] for cell in row["cells"]]
        return [first._replace(words=words) for words in cells]
    return [first._replace(words=(card,)) for card in scene.view["hand"]] if first.verb in CARD_VERBS else []


def _round_lines(scene: Scene) -> list[str]:
    """The result of the last finished round, a line for each seat."""
    view, texts = scene.view, scene.words.texts
    past = view["past"][-1]
    lines = [scene.text("round-over", n=len(view["past"]))]
    for seat in range(view["players"]):
        if "tops" in past:
            earned = scene.text("top-cards", cards=", ".join(scene.card(card) for card in past["tops"][seat]))
        else:
            tricks, loot = (texts.count(f"count.{name}", past[name][seat]) for name in ("tricks", "loot"))
            earned = f"{tricks}, {loot}"
        points = scene.words.amount("points", past["scores"][seat])
        total = scene.number(sum(one["scores"][seat] for one in view["past"]))
        told = scene.text("round-line", earned=earned, points=points, total=total)
        lines.append("  " + scene.titled(capital(scene.label(seat)), told))
    return lines


@contextmanager
def _interruptible() -> Iterator[None]:
    """Ctrl-C interrupts a session that waits for a line; asyncio would only note it for later."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
