"""`PlainTable`: a server's table line by line, for screen readers and pipes, in the reader's language.

It tells and understands the same as `Session`, which plays a match on this machine. Here a view is all there is, and
things happen while nobody types.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import TextIO

from atout.errors import ActionError, UsageError
from atout.game import Action, View
from atout.terminal.choices import SAID, choice_lines, example, from_text, phrase, understand
from atout.terminal.describe import Scene
from atout.terminal.describe import situation as whole_situation
from atout.terminal.events import new_phase, opening, seen_outcome, sentence, tell, winners
from atout.terminal.explain import actions_of, explain
from atout.terminal.guide import REVIEW, command_of, command_word, commands, lesson, task, welcome
from atout.terminal.hint import advice
from atout.terminal.lines import Lines
from atout.terminal.phrases import capital
from atout.terminal.remote import Happening, RemoteMatch
from atout.terminal.saves import Saves, ShellCommands
from atout.terminal.session import Reviewer, needed


class PlainTable:
    """Tells what happens at a table and asks for choices, a line each."""

    def __init__(
        self,
        match: RemoteMatch,
        source: TextIO,
        target: TextIO,
        saves: Saves,
        shell: ShellCommands,
        reviewer: Reviewer,
    ) -> None:
        """The finished match is saved by `saves`; `shell` has the commands that are told then."""
        self.match, self.lines = match, Lines(source, target)
        self.saves, self.shell, self.reviewer = saves, shell, reviewer
        self._told = 0
        """So many events were told."""
        self._beginnings = 0
        """So many times the match was told from its view."""
        self._told_end = False
        """The last event ended a round, and was told with its results."""
        self._note = self._offer = ""
        self._asked_about: object = None
        self._taught: set[str] = set()

    async def run(self) -> bool:
        """Play to the end of the match, or until the reader leaves; whether the match is over."""
        while True:
            self._tell()
            view = self.match.view
            if view is not None and view["phase"] == "over":
                await asyncio.to_thread(self._after_the_end, self._scene(view))
                await self.match.close()
                return True
            if self.match.is_finished and (view is None or view["phase"] != "over"):  # closed, or given up by agreement
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
        return Scene.of_view(view, self.match.words, self.match.levels)

    # ---------------------------------------------------------------- what happens

    def _tell(self) -> None:
        """What is new since the last line."""
        if self.match.note != self._note:
            self._note = self.match.note
            if self._note:
                self.lines.say(self._note)
        view = self.match.view
        if view is not None and self._beginnings != self.match.beginnings:
            self._beginnings = self.match.beginnings
            self._begin(self._scene(view))
        for it in self.match.happened[self._told :]:
            self.lines.say(*self._lines(it))
        self._told = len(self.match.happened)
        if view is not None and self.match.offer != self._offer:
            self._offer = self.match.offer
            self._tell_offer(self._scene(view))

    def _begin(self, scene: Scene) -> None:
        """The match from its view: at first, and when too much has happened while the connection was lost."""
        view = scene.view
        if not self._taught:
            self.lines.say(*welcome(scene))
        if view["actions"] or view["past"]:
            count = len(view["actions"])
            self.lines.say("", scene.text("continues", n=count), *whole_situation(scene))
        else:
            self.lines.say("", opening(scene))

    def _tell_offer(self, scene: Scene) -> None:
        if self._offer:
            words = {name: command_word(scene, name) for name in ("yes", "no")}
            self.lines.say(scene.text("offer", offer=f"{self._offer.rstrip('.')}.", **words))

    def _lines(self, it: Happening) -> list[str]:
        """An event, as a session on this machine tells it."""
        event, before, after = it.event, it.before, it.after
        if before is None or after is None or event["kind"] not in ("acted", "chosen", "revealed"):
            return [capital(it.line)] if it.line else []
        if event["kind"] == "revealed":
            return new_phase(before["phase"], self._scene(after)) or [it.line]
        if event["kind"] == "chosen":
            own = event.get("action")
            is_told = own or event.get("complete")
            words = own or f"{event['seat']} {before['phase']} ?"
            return [sentence(from_text(words), self._scene(before))] if is_told else []
        outcome = seen_outcome(from_text(event["action"]), before, after, self.match.winners, self._scene)
        self._told_end = outcome.round_end is not None
        return tell(outcome, self.match.words.me)

    # ---------------------------------------------------------------- decisions

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
        command = command_of(self.match.texts, line or "")
        if line is None or command == "quit":
            return False
        if line == "?":
            self.lines.say(*explain(scene, legal))
        elif command == "hint":
            found = await self.match.advice()
            self.lines.say(*([found] if isinstance(found, str) else advice(scene, legal, found)))
        elif command == "view":
            self.lines.say(*whole_situation(scene))
        elif command == "undo":
            self.lines.say(await self.match.undo() or scene.text("proposed"))
        elif command in ("yes", "no"):
            await self._answer(scene, command == "yes")
        elif command == "help":
            self.lines.say(*commands(scene, example(scene, legal), at_server=True))
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
        """Send what is typed; the server says why a choice is refused."""
        try:
            action = understand(scene, legal, line, actions_of(scene))
        except ActionError as error:
            self.lines.say(str(error))
            return
        refused = await self.match.act(str(action))
        if refused:
            self.lines.say(scene.titled(capital(phrase(scene, action)), refused))

    async def _answer(self, scene: Scene, yes: bool) -> None:
        """Agree to a proposal, or decline it."""
        if not self.match.offer:
            self.lines.say(scene.text("no-offer"))
            return
        refused = await self.match.answer(yes)
        if refused:
            self.lines.say(refused)

    # ---------------------------------------------------------------- the end

    def _after_the_end(self, scene: Scene) -> None:
        """Save the record of the match, and offer a review."""
        if not self._told_end:
            self.lines.say("", f"{scene.text('match-over')} {winners(self.match.winners, scene)}")
        if scene.view["seat"] is None:
            return
        try:
            record = self.match.record()
            self._say_where(self.saves.save_record(record))
        except UsageError as error:
            self.lines.say(str(error))
            return
        words = {name: command_word(scene, name) for name in ("save", REVIEW)}
        while line := self.lines.ask(scene.text("leave.server", file=scene.text("file"), **words) + " "):
            name, _, argument = line.partition(" ")
            command = command_of(self.match.texts, name)
            if command == "quit":
                return
            if command == REVIEW:
                self.lines.say(scene.words.t("terminal.review.working"))
                self.lines.flush()
                self.lines.say(*self.reviewer(scene.view["seat"]))
            elif command == "save" and argument.strip():
                try:
                    self._say_where(self.saves.save_as(argument.strip(), record))
                except UsageError as error:
                    self.lines.say(scene.text("not-saved", error=str(error).rstrip(".")))
            else:
                self.lines.say(scene.text("not-understood", line=line[:SAID]))

    def _say_where(self, path: Path) -> None:
        shell = replace(self.shell, review=f"{self.shell.review} --seat {self.match.words.me}")
        *told, command = shell.about(path, True, self.match.texts)
        self.lines.say(*told)
        self.lines.say_as_is(command)
