"""`PlainTable`: any `Match` line by line, for screen readers and pipes, in the reader's language.

A line answers with a number, or with enough of the choice's words to be unambiguous. `hint`, `log`, `undo`, `help` and
`quit` are commands.
"""

from __future__ import annotations

import asyncio
from typing import TextIO

from atout.game import View
from atout.terminal.choices import by_prefix
from atout.terminal.lines import Lines
from atout.terminal.match import Match
from atout.terminal.words import Words

COMMANDS = ("?", "hint", "view", "undo", "save", "help", "quit")


def situation(words: Words, view: View) -> list[str]:
    """A position in a few lines: the board that stayed, the hand, the trick, the points."""
    lines = [words.heading(view)]
    told = [words.t("cell.in-row", row=title, cell=cell) for _, title, cell in words.conditions(view)]
    if told:
        lines.append("; ".join(told))
    if view["hand"]:
        lines.append(f"{words.t('hand.label')}: {', '.join(view['hand'])}")
    if view["trick"]:
        played = ", ".join(f"{words.name(it['seat'])} {it['card']}" for it in view["trick"])
        lines.append(f"{words.t('mat.label')}: {played}")
    return [*lines, words.result(view)]


class PlainTable:
    """Tells what happens at a table and asks for choices, a line each."""

    def __init__(self, match: Match, source: TextIO, target: TextIO) -> None:
        self.match, self.lines = match, Lines(source, target)
        self._logged = 0
        self._rounds: int | None = None
        self._note = ""
        self._asked_about: object = None

    async def run(self) -> bool:
        """Play to the end of the match, or until the reader leaves; whether the match is over."""
        while True:
            self._tell()
            if self.match.waits_for is not None:
                who = self.match.words.names[self.match.waits_for]
                self.lines.draw_curtain()
                await asyncio.to_thread(self.lines.ask, f"{self.match.texts.t('pass-device.title', who=who)} [Enter] ")
                self.match.take_over()
            view = self.match.view
            if view is not None and view["phase"] == "over":
                winners = self.match.words.all_names(self.match.winners)
                self.lines.say(
                    f"{self.match.texts.t('match-end.title')}. {self.match.texts.t('sheet.won', who=winners)}"
                )
                await self.match.close()
                return True
            if view is not None and self.match.words.me in self.match.asked and view["legal"]:
                if not await self._decide(view):
                    await self.match.close()
                    return False
                continue
            if not await self.match.advance():
                return False

    def _tell(self) -> None:
        """What is new since the last line."""
        if self.match.note != self._note:
            self._note = self.match.note
            if self._note:
                self.lines.say(self._note)
        self.lines.say(*self.match.log[self._logged :])
        self._logged = len(self.match.log)
        view = self.match.view
        if view is None:
            return
        if self._rounds is not None and len(view["past"]) > self._rounds:
            number, words = len(view["past"]), self.match.words
            self.lines.say("", self.match.texts.t("sheet.round.title", n=number))
            for name, earned, score, total in words.round_lines(view, number):
                self.lines.say(f"  {name}: {earned}; {score}, {self.match.texts.t('sheet.total')} {total}")
        self._rounds = len(view["past"])

    async def _decide(self, view: View) -> bool:
        """Ask for this decision until it is made; False to leave."""
        words = self.match.words
        title, note = words.prompt(view, self.match.asked)
        decision = (view["round"], len(view["actions"]), len(view["chosen"]), view["owed"])
        if decision != self._asked_about:
            self._asked_about = decision
            self.lines.say("", *situation(self.match.words, view), f"{title}. {note}")
            self.lines.say(*(f"  {number}. {words.button(action)}" for number, action in enumerate(view["legal"], 1)))
        line = await asyncio.to_thread(self.lines.ask, f"1–{len(view['legal'])}: ")
        if line is None or line == "quit":
            return False
        if line == "hint":
            self.lines.say(*await self.match.hint())
        elif line == "view":
            self.lines.say(*situation(self.match.words, view))
        elif line == "?":
            self._asked_about = None
        elif line == "save":
            self.lines.say(self.match.save())
        elif line == "undo":
            self.lines.say(await self.match.undo())
        elif line == "help":
            self.lines.say(", ".join(COMMANDS))
        else:
            await self._choose(view, line)
        return True

    def _exists(self, view: View, line: str) -> bool:
        """Whether the line names a card of the hand or a cell of the board, legal or not."""
        cells = {f"{row['row']} {cell['word']}" for row in view["board"] or [] for cell in row["cells"]}
        if view["phase"] == "veto":
            return line.casefold() in cells
        return line.upper() in view["hand"]

    async def _choose(self, view: View, line: str) -> None:
        legal = view["legal"]
        if line.isdecimal() and 1 <= int(line) <= len(legal):
            chosen = [legal[int(line) - 1]]
        else:
            chosen = [action for action in legal if by_prefix(line, action)]
        if not chosen and self._exists(view, line):
            verb = legal[0].split(" ")[1]
            word = line.upper() if line.upper() in view["hand"] else line.casefold()
            chosen = [f"{view['seat']} {verb} {word}"]  # not legal: the rules say why
        if len(chosen) != 1:
            self.lines.say(f"1–{len(legal)}, {', '.join(COMMANDS)}")
            return
        refused = await self.match.act(chosen[0])
        if refused:
            self.lines.say(refused)
            self._asked_about = None
