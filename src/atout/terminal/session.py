"""`Session`: a match at the keyboard, from decision to decision, with its commands.

When several people share the keyboard, each confirms to be alone before their hand is shown, and is then told what
happened in between.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from atout.bots import ask
from atout.errors import ActionError, BotError, IllegalAction, UsageError
from atout.game import Action, Game
from atout.i18n import Texts
from atout.terminal.choices import SAID, choice_lines, example, phrase, refusal, understand
from atout.terminal.describe import Scene, current_trick, hand, own_choice, part, reminder, situation, teams, tops
from atout.terminal.events import MoveOutcome, make_move, opening, tell
from atout.terminal.explain import explain
from atout.terminal.guide import COMMANDS, PARTS, REVIEW, command_of, commands, lesson, task, welcome
from atout.terminal.hint import Adviser
from atout.terminal.lines import HELD, Lines
from atout.terminal.match import chance_of
from atout.terminal.saves import Saves, ShellCommands, saved
from atout.terminal.seats import Seating

Reviewer = Callable[[int], list[str]]
"""From a seat to what its decisions were worth, as lines."""


class _Leave(Exception):
    """The player leaves."""

    def __init__(self, saved: bool = False) -> None:
        self.saved = saved
        """The match is saved already, or is not to be saved."""


class Session:
    """A match being played."""

    def __init__(
        self,
        game: Game,
        seating: Seating,
        lines: Lines,
        saves: Saves,
        shell: ShellCommands,
        rng: random.Random | None,
        adviser: Adviser,
        reviewer: Reviewer,
        texts: Texts | None = None,
    ) -> None:
        self.texts = texts or Texts()
        self.game, self.seating, self.lines, self.saves = game, seating, lines, saves
        seating.name_bots(self.texts)
        self.game.auto_deal = False
        """The session deals itself, after it has printed how a round ended."""
        self.shell, self.rng, self.adviser, self.reviewer = shell, rng, adviser, reviewer
        self.reader = None if seating.is_shared else next(iter(seating.people), None)
        """The seat of the person at the keyboard; None at first when it is shared."""
        self.first = len(game.actions)
        self.happened: list[MoveOutcome] = []
        """What happened since action number `first`."""
        self.reported = dict.fromkeys(seating.people, 0)
        """By seat: where in `happened` the next report for this person starts, at their own last action."""
        self.taught: set[tuple[int, str]] = set()
        self.warned = False
        self.failure = ""
        """Why the match could not be saved, as it was said."""
        deeds = (self._hint, self._view, self._undo, self._save, self._quit, self._help)
        self.commands: dict[str, Callable[[str], None]] = dict(zip(COMMANDS, deeds, strict=True))
        self.commands |= {name: partial(self._part, name) for name in PARTS}

    def run(self) -> bool:
        try:
            self._open()
            while self._step():
                pass
        except KeyboardInterrupt:
            self._keep_or_say()
        except BotError:
            self._keep_or_say()
            raise
        except _Leave as left:
            if not left.saved:
                self._keep_or_say()
        return self.game.is_over

    def _open(self) -> None:
        self.lines.say(*welcome(self._scene(self.reader)))
        if not self.game.actions:
            self.lines.say("", opening(self._scene(self.reader)))
        else:
            self.lines.say("", self._t("continues", n=len(self.game.actions)))
            if self.reader is not None:
                self._view("")

    def _step(self) -> bool:
        """One decision; False when there is nothing left to do."""
        seat = self.game.turn
        if seat is None:
            return self._after_the_end()
        if seat in self.seating.bots:
            self._make(ask(self.seating.bots[seat], self.game.view(seat), self.rng or chance_of(self.game)).action)
        else:
            self._decide(seat)
        return True

    def _scene(self, seat: int | None) -> Scene:
        return Scene.of(self.game, seat, self.seating, self.texts)

    def _t(self, key: str, **values: object) -> str:
        return self.texts.t(f"terminal.plain.{key}", **values)

    def _word(self, command: str) -> str:
        """The word of a command in the reader's language."""
        return self._t(f"command.{command}")

    def _make(self, action: str | Action) -> None:
        it = make_move(self.game, action, self.seating, self.texts)
        if it.action.seat in self.reported:
            self.reported[it.action.seat] = len(self.happened)
        previous = self.happened[-1] if self.happened else None
        self.happened.append(it)
        if self.reader is not None or not self.seating.is_shared:
            self.lines.say(*tell(it, self.reader, previous))
        if it.action.seat in self.seating.people:
            self._keep()

    def _keep(self) -> None:
        """Every choice of a person is saved at once: a killed process loses none."""
        with suppress(UsageError):  # said before the next choice, and when the match is left
            self.saves.save(self.game, self.seating)

    def _say_if_not_saved(self) -> None:
        """Once, and again where the reason is another one: that choices are lost if the process is."""
        before, self.failure = self.failure, self.saves.failure
        if self.failure not in ("", before):
            self._say_not_saved(self.failure)
            self.lines.say(self._t("save-elsewhere", save=self._word("save")))

    # ---------------------------------------------------------------- a person's decision

    def _decide(self, seat: int) -> None:
        """Ask until the seat has made its choice, or a choice was taken back."""
        self._hand_over(seat)
        self._present(seat)
        actions = len(self.game.actions)
        while len(self.game.actions) == actions:
            self._answer(self._ask(self._prompt()))

    def _hand_over(self, seat: int) -> None:
        if not self.seating.is_shared or seat == self.reader:
            return
        who = self._scene(None).label(seat)
        if self.reader is not None:
            self.lines.draw_curtain()
        self.lines.say("", self._t("now", who=who))
        if self.reader is not None:
            self.lines.say(self._t("scrolling"))
        self._wait_for_enter(self._t("take-over", who=who) + " ")
        self.reader = seat
        previous = None
        for it in self.happened[self.reported[seat] :]:
            self.lines.say(*tell(it, seat, previous))
            previous = it

    def _wait_for_enter(self, prompt: str) -> None:
        """Ask until somebody presses Enter alone: not ahead, and on a terminal not at once, as a held key does."""
        while True:
            is_terminal, since = self.lines.discard(), time.monotonic()
            line = self._ask(prompt)
            if command_of(self.texts, line) == "quit":
                raise _Leave
            if not line and (not is_terminal or time.monotonic() - since >= HELD):
                return

    def _ask(self, prompt: str) -> str:
        line = self.lines.ask(prompt)
        if line is None:
            raise _Leave
        return line

    def _present(self, seat: int) -> None:
        """The situation as far as this decision needs it, and the choices."""
        scene = self._scene(seat)
        legal, phase = self.game.legal(), self.game.phase
        self._say_if_not_saved()
        self.lines.say("")
        if (seat, phase) not in self.taught:
            self.taught.add((seat, phase))
            self.lines.say(lesson(scene))
        self.lines.say(*needed(scene, {action.words[-1] for action in legal}))
        self.lines.say(task(scene), *choice_lines(scene, legal))

    def _prompt(self) -> str:
        legal = self.game.legal()
        if len(legal) == 1:
            only = phrase(self._scene(self.reader), legal[0])
            return self._t("prompt.only", only=only) + " "
        return self._t("prompt", n=len(legal)) + " "

    def _answer(self, line: str) -> None:
        name, _, argument = line.partition(" ")
        command = self._explain if name == "?" else self.commands.get(command_of(self.texts, name))
        if command is not None:
            command(argument.strip())
            return
        scene, seat = self._scene(self.reader), self.game.turn
        known = (action for action in self.game.notation.by_entry.values() if action.seat == seat)
        try:
            action = understand(scene, self.game.legal(), line, known)
        except ActionError as error:
            self.lines.say(str(error))
            return
        try:
            self._make(action)
        except IllegalAction as error:
            self.lines.say(refusal(scene, action, error))

    # ---------------------------------------------------------------- commands

    def _explain(self, _: str) -> None:
        self.lines.say(*explain(self._scene(self.reader), self.game.legal()))

    def _hint(self, _: str) -> None:
        self.lines.say(*self.adviser.advise(self._scene(self.reader), self.game.legal()))

    def _view(self, _: str) -> None:
        self.lines.say(*situation(self._scene(self.reader)))

    def _part(self, name: str, _: str) -> None:
        self.lines.say(*part(self._scene(self.reader), name))

    def _help(self, _: str) -> None:
        scene = self._scene(self.reader)
        self.lines.say(*commands(scene, example(scene, self.game.legal())))

    def _undo(self, _: str) -> None:
        """Back to the last decision a person made."""
        made = [(number, it.seat) for number, it in enumerate(self.game.actions) if it.seat in self.seating.people]
        if not made:
            self.lines.say(self.texts.t("terminal.undo.none"))
            return
        back, seat = made[-1]
        self.game.undo(to=back)
        self.first = min(self.first, back)
        del self.happened[back - self.first :]
        self.reported = {seat: min(count, len(self.happened)) for seat, count in self.reported.items()}
        self._keep()
        self.lines.say(self._scene(self.reader).words.say("taken-back", seat))

    def _save(self, name: str) -> None:
        self._write(name)

    def _quit(self, _: str) -> None:
        """Save and leave; if it cannot be saved, leave only when asked twice."""
        if not self._keep_or_say() and not self.warned:
            self.warned = True
            self.lines.say(self._t("quit-unsaved", save=self._word("save"), quit=self._word("quit")))
            return
        raise _Leave(saved=True)

    def _keep_or_say(self) -> bool:
        """Save the match of somebody who leaves, unless there is nothing of theirs to save; False if it failed."""
        if self.saves.was_written or any(it.seat in self.seating.people for it in self.game.actions):
            return self._write()
        self.lines.say(self._t("nothing-saved"))
        return True

    def _write(self, name: str = "") -> bool:
        """Save the match, say where and what can be done with it; True if it worked."""
        try:
            if name:
                path = self.saves.save_as(name, saved(self.game, self.seating))
            else:
                path = self.saves.save(self.game, self.seating)
        except UsageError as error:
            self._say_not_saved(str(error))
            return False
        *about, command = self.shell.about(path, self.game.is_over, self.texts)
        self.lines.say(*about)
        self.lines.say_as_is(command)
        return True

    def _say_not_saved(self, reason: str) -> None:
        self.lines.say(self._t("not-saved", error=reason.rstrip(".")))
        if self.saves.has_earlier:
            self.lines.say(self.texts.t("terminal.saved.before", path=self.saves.path))

    # ---------------------------------------------------------------- the end

    def _after_the_end(self) -> bool:
        """Save the match; offer a review, or to take the last choice back. True if the match goes on."""
        if self.seating.people:
            self._write()
        while self.seating.people:
            words = {name: self._word(name) for name in ("save", "undo", "review")}
            line = self.lines.ask(self._t("leave", file=self._t("file"), **words) + " ")
            name, _, argument = (line or "quit").partition(" ")
            command = command_of(self.texts, name)
            if command == "quit":
                return False
            if command == "undo":
                self._undo("")
                return True
            if command == "save":
                self._save(argument.strip())
            elif command == REVIEW:
                self._review()
            else:
                self.lines.say(self._t("not-understood", line=(line or "")[:SAID]))
        return False

    def _review(self) -> None:
        """What the decisions of the person at the keyboard were worth."""
        self.lines.say(self.texts.t("terminal.review.working"))
        self.lines.flush()
        self.lines.say(*self.reviewer(min(self.seating.people) if self.reader is None else self.reader))


def needed(scene: Scene, legal: set[str]) -> list[str]:
    """What one must know for this decision, beyond the choices themselves."""
    view = scene.view
    if view["phase"] == "veto":
        return hand(scene)
    if view["phase"] in ("team", "double"):
        return [*reminder(scene), *teams(scene), *hand(scene)]
    own = hand(scene) if legal != set(view["hand"]) else []
    if view["phase"] != "play":
        return [*own_choice(scene), *own]
    news = own_choice(scene) if view["received"] and not view["last_trick"] else []
    return [*reminder(scene), *tops(scene), *news, *own, *current_trick(scene)]
