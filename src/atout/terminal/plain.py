"""`PlainTable`: a server's table line by line, for screen readers and pipes, in the reader's language.

It prints and understands the same as `Session`, which plays a match on this machine. The differences: there is only a
view, no `Game`, and events arrive while nobody types.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable
from dataclasses import replace
from pathlib import Path
from typing import Any, TextIO

from atout.errors import ActionError, UsageError
from atout.game import Action, View
from atout.terminal.choices import SAID, choice_lines, example, from_text, phrase, understand
from atout.terminal.describe import Scene, part
from atout.terminal.describe import situation as whole_situation
from atout.terminal.events import new_phase, opening, seen_outcome, sentence, tell, winners
from atout.terminal.explain import actions_of, explain
from atout.terminal.guide import PARTS, REVIEW, TABLE, command_of, command_word, commands, lesson, task, welcome
from atout.terminal.hint import advice
from atout.terminal.lines import Lines
from atout.terminal.match import Notice
from atout.terminal.phrases import capital, without_accents
from atout.terminal.remote import Happening, RemoteMatch
from atout.terminal.saves import Saves, ShellCommands
from atout.terminal.session import Reviewer, needed


class PlainTable:
    """Prints what happens at a table and asks for choices, line by line."""

    def __init__(
        self,
        match: RemoteMatch,
        source: TextIO,
        target: TextIO,
        saves: Saves,
        shell: ShellCommands,
        reviewer: Reviewer,
    ) -> None:
        """`saves` writes the finished match; `shell` has the commands that are printed then."""
        self.match, self.lines = match, Lines(source, target)
        self._keyboard = source if source.isatty() and sys.platform != "win32" else None
        """A terminal is read all the time, since one may type a command at any time. A pipe is read only when something
        is asked, because what it holds is meant for the next decision.
        """
        self.saves, self.shell, self.reviewer = saves, shell, reviewer
        self._printed = 0
        """How many events have been printed."""
        self._beginnings = 0
        """How many times the situation has been printed from a whole view."""
        self._has_printed_end = False
        """Whether the last event ended a round, so that its results are already printed."""
        self._news = ""
        self._says_lost = False
        """Whether the reader knows that the seat cannot be taken again."""
        self._notice: Notice | None = None
        self._asked_about: object = None
        self._taught: set[str] = set()
        self._waited_for: set[int] = set()
        """The people of whom the reader knows that the table waits for them."""
        self._prompt = ""
        """The prompt that stands at the end of the output; empty if there is none."""
        self._reading: asyncio.Future[str | None] | None = None
        """The line that is being typed. Reading goes on while things happen at the table."""
        self._change: asyncio.Future[bool] | None = None
        """The next thing that happens at the table."""
        self._gives_up = False
        """Whether the reader has said once to abandon a match that nobody else plays."""

    async def run(self) -> bool:
        """Play to the end of the match, or until the reader leaves; whether the match is over."""
        is_over = await self._play()
        await self.match.close()
        if self._reading is not None and self._keyboard is not None:
            self._reading.cancel()
        elif self._reading is not None:  # the thread that reads cannot be stopped
            await self._ask(f"[{self.match.texts.t('terminal.key.enter')}] {self.match.texts.t('terminal.continue')} ")
        return is_over

    async def _play(self) -> bool:
        while True:
            self._tell()
            view = self.match.view
            if view is not None and view["phase"] == "over":
                await self._after_the_end(self._scene(view))
                return True
            if self.match.is_finished:  # closed, or given up by agreement
                return True
            if view is not None:
                self._say_who_is_waited_for(self._scene(view))
                self._show_prompt(self._scene(view))
            if self._keyboard is not None:
                self._begin_to_read()
            if not await self._wait():
                return False
            if self._reading is not None and self._reading.done():
                line, self._reading, self._prompt = self._reading.result(), None, ""
                if not await self._take(line):
                    return False

    def _begin_to_read(self) -> None:
        self._reading = self._reading or asyncio.ensure_future(self._read())

    async def _read(self) -> str | None:
        """The next line. At a keyboard nothing blocks while it is typed, and no thread is left waiting for it."""
        if self._keyboard is None:
            return await asyncio.to_thread(self.lines.read)
        loop, is_there = asyncio.get_running_loop(), asyncio.Event()
        loop.add_reader(self._keyboard, is_there.set)
        try:
            await is_there.wait()
        finally:
            loop.remove_reader(self._keyboard)
        return self.lines.read()

    async def _wait(self) -> bool:
        """Wait until a line is typed or something happens at the table; False when nothing will any more."""
        self._change = self._change or asyncio.ensure_future(self.match.advance())
        waiting: set[asyncio.Future[Any]] = {self._change}
        if self._reading is not None:
            waiting.add(self._reading)
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        if self._reading is not None and self._reading.done():
            return True
        goes_on, self._change = self._change.result(), None
        return goes_on

    async def _ask(self, prompt: str) -> str | None:
        """A line, whatever happens at the table."""
        self._end_prompt()
        self.lines.prompt(prompt)
        self._begin_to_read()
        reading, self._reading = self._reading, None
        assert reading is not None
        return await reading

    def _scene(self, view: View) -> Scene:
        return Scene.of_view(view, self.match.words, self.match.levels)

    # ---------------------------------------------------------------- what happens

    def _tell(self) -> None:
        """Print what has changed since the last time."""
        lines = []
        if self.match.news != self._news:
            self._news = self.match.news
            lines += [self._news] if self._news else []
        if self.match.lost and not self._says_lost:
            self._says_lost = True
            lines.append(f"{self.match.lost}.")
        view = self.match.view
        if view is not None and self._beginnings != self.match.beginnings:
            self._beginnings = self.match.beginnings
            lines += self._begin(self._scene(view))
        for it in self.match.happened[self._printed :]:
            lines += self._lines(it)
        self._printed = len(self.match.happened)
        if view is not None and self.match.notice != self._notice:
            self._notice = self.match.notice
            lines += self._question(self._scene(view))
        if lines:
            self._end_prompt()
        self.lines.say(*lines)

    def _end_prompt(self) -> None:
        """End the line of a prompt that is still open: something happens while the reader types."""
        if self._prompt:
            self.lines.say("")
            self._prompt = ""

    def _begin(self, scene: Scene) -> list[str]:
        """The situation from a whole view: at first, and after a connection that was lost for long."""
        view = scene.view
        lines = [] if self._taught else welcome(scene)
        if view["actions"] or view["past"]:
            return [*lines, "", scene.text("continues", n=len(view["actions"])), *whole_situation(scene)]
        return [*lines, "", opening(scene)]

    def _question(self, scene: Scene) -> list[str]:
        """A proposal, a pause or an absence, with what can be answered; nothing where the reader has no answer."""
        if self._notice is None:
            return []
        words = {name: command_word(scene, name) for name in ("yes", "no")}
        for answer in self._notice.answers:
            kind = answer.partition(" ")[0]
            if kind == "resume":
                return [scene.text("paused", paused=self._notice.text, **words)]
            if kind == "yes":
                return [scene.text("offer", offer=self._notice.text, **words)]
            if kind in ("stand-in", "reclaim"):
                key = "absent" if kind == "stand-in" else "replaced"
                return [scene.text(key, notice=self._notice.text, **words)]
        return []

    def _lines(self, it: Happening) -> list[str]:
        """An event, as a session on this machine tells it."""
        event, before, after = it.event, it.before, it.after
        if event["kind"] == "offered" and event.get("seat") != self.match.words.me:  # the question says it
            return []
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
        self._has_printed_end = outcome.round_end is not None
        return tell(outcome, self.match.words.me)

    def _say_who_is_waited_for(self, scene: Scene) -> None:
        """Name the people who are to act, unless the reader knows it; bots act at once, and a notice says its own."""
        asked, me = set(self.match.asked), self.match.words.me
        people = {seat for seat in asked if not scene.levels[seat]}
        if me in asked or self.match.notice is not None:
            people = set()
        if people - self._waited_for:
            self._end_prompt()
            self.lines.say(scene.text("waits", names=scene.listed([scene.label(seat) for seat in sorted(people)])))
        self._waited_for = people

    # ---------------------------------------------------------------- decisions

    def _show_prompt(self, scene: Scene) -> None:
        """Ask for a decision, or for the answer to a proposal, and begin to read; nothing if neither is due."""
        prompt = self._prompt_text(scene)
        if prompt and prompt != self._prompt:
            self.lines.prompt(prompt)
            self._prompt = prompt
            self._begin_to_read()

    def _prompt_text(self, scene: Scene) -> str:
        view, legal = scene.view, self._legal(scene)
        if not legal:
            answers = self._notice.answers if self._notice is not None else {}
            words = [command_word(scene, name) for name in ("yes", "no") if name in answers or name == "yes"]
            return f"{' / '.join(words)}? " if answers.keys() - {"no"} else ""
        decision = (view["round"], len(view["actions"]), len(view["chosen"]), view["owed"])
        if decision != self._asked_about:
            self._asked_about = decision
            self._end_prompt()
            self._present(scene, legal)
        if len(legal) == 1:
            return scene.text("prompt.only", only=phrase(scene, legal[0])) + " "
        return scene.text("prompt", n=len(legal)) + " "

    def _legal(self, scene: Scene) -> list[Action]:
        """The choices of the reader; none when it is not their turn."""
        is_asked = self.match.words.me in self.match.asked
        return [from_text(action) for action in scene.view["legal"]] if is_asked else []

    async def _take(self, line: str | None) -> bool:
        """Carry out a line; False to leave."""
        command, argument = self._command(line or "")
        if line is None or command == "quit":
            return False
        view = self.match.view
        if view is None:  # the match has not begun
            self.lines.say(self.match.news or self.match.texts.t("prompt.moment"))
            return True
        scene = self._scene(view)
        if command in TABLE:
            await self._agree_on(scene, command, argument)
        elif command in ("yes", "no"):
            await self._answer(scene, command)
        elif command == "undo":
            await self._propose(scene, self.match.undo())
        elif command == "view":
            self.lines.say(*whole_situation(scene))
        elif command in PARTS:
            self.lines.say(*part(scene, command))
        elif command == "help":
            legal = self._legal(scene)
            self.lines.say(*commands(scene, example(scene, legal) if legal else "", at_server=True))
        else:
            await self._decide(scene, line, command)
        return True

    def _command(self, line: str) -> tuple[str, str]:
        """The command and what follows it. Only some commands take more than their word: `no card` is a choice."""
        command = command_of(self.match.texts, line)
        name, _, argument = line.partition(" ")
        if not command and command_of(self.match.texts, name) in ("bot", "pause"):
            return command_of(self.match.texts, name), argument.strip()
        return command, ""

    async def _decide(self, scene: Scene, line: str, command: str) -> None:
        """A line about the decision that is asked of the reader."""
        legal = self._legal(scene)
        if not legal:
            if line:
                self.lines.say(capital(scene.words.t("refusal.not-your-turn")))
        elif line == "?":
            self.lines.say(*explain(scene, legal))
        elif command == "hint":
            found = await self.match.advice()
            self.lines.say(*([found] if isinstance(found, str) else advice(scene, legal, found)))
        else:
            await self._choose(scene, legal, line)

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

    async def _answer(self, scene: Scene, answer: str) -> None:
        """Agree to what the notice asks, or decline it; `yes` in a pause proposes to continue."""
        answers = self.match.notice.answers if self.match.notice is not None else {}
        meant = [name for name in answers if (name == "no") == (answer == "no")]
        if not meant:
            self.lines.say(scene.text("no-offer"))
            return
        await self._propose(scene, self.match.reply(meant[0]))

    async def _agree_on(self, scene: Scene, command: str, argument: str) -> None:
        """A pause, its end, a bot for somebody, the end of the match."""
        what = {"resume": "resume", "abandon": "abort", "back": "reclaim", "pause": "pause", "bot": "stand-in"}[command]
        if command == "pause" and argument.isdecimal() and len(argument) < 4:
            what = f"pause {argument}"
        elif command == "bot" and argument:
            found = self._called(argument)
            if found is None:
                names = scene.listed([scene.label(seat) for seat in range(scene.view["players"])])
                self.lines.say(scene.text("no-player", line=argument[:SAID], names=names))
                return
            what = "stand-in" if found == self.match.words.me else f"stand-in {found}"
        if command == "abandon" and self.match.is_alone and not self._gives_up:
            self._gives_up = True
            self.lines.say(scene.text("give-up", abandon=command_word(scene, "abandon")))
            return
        await self._propose(scene, self.match.propose(what))

    def _called(self, name: str) -> int | None:
        """The seat whose player has this name, or the only one whose name begins so."""
        wanted, names = without_accents(name), [without_accents(one) for one in self.match.words.names]
        for found in (
            [seat for seat, one in enumerate(names) if one == wanted],
            [seat for seat, one in enumerate(names) if one.startswith(wanted)],
        ):
            if len(found) == 1:
                return found[0]
        return None

    async def _propose(self, scene: Scene, asking: Awaitable[str]) -> None:
        """Say why a proposal is refused, or that the others have to agree. What takes effect at once is told anyway."""
        refused = await asking
        if refused:
            self.lines.say(refused)
        elif self.match.is_proposing:
            self.lines.say(scene.text("proposed", no=command_word(scene, "no")))

    # ---------------------------------------------------------------- the end

    async def _after_the_end(self, scene: Scene) -> None:
        """Save the record of the match, and offer a review."""
        if not self._has_printed_end:
            self.lines.say("", f"{scene.text('match-over')} {winners(self.match.winners, scene)}")
        if scene.view["seat"] is None:
            return
        try:
            record = await asyncio.to_thread(self.match.record)
        except UsageError as error:
            self.lines.say(str(error))
            return
        try:
            self._say_where(self.saves.save_record(record))
        except UsageError as error:
            self.lines.say(scene.text("not-saved", error=str(error).rstrip(".")))
        words = {name: command_word(scene, name) for name in ("save", REVIEW)}
        prompt = scene.text("leave.server", file=scene.text("file"), **words) + " "
        while line := await self._ask(prompt):
            name, _, argument = line.partition(" ")
            command = command_of(self.match.texts, name)
            if command == "quit":
                return
            if command == REVIEW:
                self.lines.say(scene.words.t("terminal.review.working"))
                self.lines.flush()
                self.lines.say(*await asyncio.to_thread(self.reviewer, scene.view["seat"]))
            elif command == "save" and argument.strip():
                try:
                    self._say_where(self.saves.save_as(argument.strip(), record))
                except UsageError as error:
                    self.lines.say(scene.text("not-saved", error=str(error).rstrip(".")))
            else:
                self.lines.say(scene.text("not-understood", line=line[:SAID]))

    def _say_where(self, path: Path) -> None:
        shell = replace(self.shell, review=f"{self.shell.review} --seat {self.match.words.me}")
        *about, command = shell.about(path, True, self.match.texts)
        self.lines.say(*about)
        self.lines.say_as_is(command)
