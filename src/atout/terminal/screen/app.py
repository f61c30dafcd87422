"""`TableApp`: a match on the whole screen. It shows a `Match` and passes choices to it.

At 80×24 everything that a decision needs is in sight: conditions, sides, trick, loot or piles, scores, the hand, the
end of the log. A tall screen also has the veto board, the last trick, the score of every round, and larger cards.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import ClassVar

from rich.style import Style
from rich.text import Text
from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.events import Click, Key
from textual.screen import ModalScreen
from textual.widgets import Static

from atout.errors import AtoutError
from atout.game import View
from atout.terminal.lines import HELD, folded
from atout.terminal.match import Match
from atout.terminal.screen import draw, file_name, menu
from atout.terminal.screen.file_name import FileName
from atout.terminal.screen.frame import TableFrame, when_ended

PANEL = """
Message { align: center middle; background: #000000 60%; }
Message.alone { background: #181512; }
#panel { width: 72; max-width: 95%; height: auto; max-height: 90%; }
#panel { border: round #94876f; background: #24201b; padding: 1 2; }
Message.wide #panel { width: 100%; max-width: 110; max-height: 100%; padding: 0 1; }
"""
CSS = (
    PANEL
    + menu.CSS
    + file_name.CSS
    + """
#notice { height: auto; max-height: 3; padding: 0 1; background: #312b25; display: none; }
#prompt { height: auto; max-height: 6; padding: 0 1; background: #24201b; }
"""
)


PANEL_TEXT = 64
"""Columns for text in a message."""
WIDE_PANEL, WIDE_EDGE = 110, 5
"""Columns of a wide message, and those of them that its border, padding and scroll bar take."""
PAUSE = 0.5
"""Seconds in which Enter does not make a new decision, as `terminal.help.pause` says."""
TICK = 1.0
"""Seconds between two looks at how far the compilation is."""
Review = Callable[[], list[str]]
"""Lines about a finished match."""
Progress = Callable[[], tuple[int, int] | None]
"""How many functions are compiled beside the match, and how many there are (0: not known yet); None: nothing is."""


class Message(ModalScreen[None]):
    """A text over the table until a key is pressed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,escape,space,q", "dismiss", "OK"),
        Binding("ctrl+c", "app.help_quit", show=False),
    ]

    def __init__(
        self, text: Text, close: str = "", *, at_end: bool = False, alone: bool = False, wide: bool = False
    ) -> None:
        """`close` says on the border how to close it. `at_end`: a long text is shown from its end, as a log is read.
        `alone`: nothing of the table is seen behind it. `wide`: it takes the whole width, for tables.
        """
        super().__init__(classes=" ".join(["alone"] * alone + ["wide"] * wide) or None)
        self.text, self.close, self.at_end = text, close, at_end

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="panel") as panel:
            panel.border_subtitle = self.close
            yield Static(self._folded(self.text), id="message")

    def _folded(self, text: Text) -> Text:
        """A wide text is folded already."""
        room = min(PANEL_TEXT, self.app.size.width * 95 // 100 - 7)
        return text if self.has_class("wide") else draw.wrapped(text, room)

    def on_mount(self) -> None:
        for panel in self.query(VerticalScroll) if self.at_end else ():  # there is none where the app is just ending
            panel.anchor()

    def change(self, text: Text) -> None:
        """Show another text."""
        for message in self.query("#message").results(Static):
            message.update(self._folded(text))

    def on_click(self) -> None:
        self.end()

    async def action_dismiss(self, result: None = None) -> None:  # noqa: ARG002
        self.end()

    def end(self) -> None:
        """A key or a click closes it."""
        self.dismiss(None)


class HandOver(Message, inherit_bindings=False):
    """Covers the whole screen until the next person is alone with it, and says so with Enter.

    A key that is held, or pressed once too often, does not uncover it: Enter counts after a pause without one.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "dismiss", show=False),
        Binding("q", "app.leave", show=False),
        Binding("ctrl+c", "app.help_quit", show=False),
    ]

    def __init__(self, text: Text, close: str) -> None:
        super().__init__(text, close, alone=True)
        self.since = 0.0
        """When nothing lay over it any more, or Enter was pressed last."""

    def on_screen_resume(self) -> None:
        self.since = time.monotonic()

    def end(self) -> None:
        if time.monotonic() - self.since >= HELD:
            super().end()
        self.since = time.monotonic()


class TableApp(TableFrame[bool]):
    """The table. Its result is whether the match was played to its end."""

    CSS = TableFrame.CSS + CSS
    BELOW = ("notice", "prompt", "hand")
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "move(-1)", show=False),
        Binding("right", "move(1)", show=False),
        Binding("up", "row(-1)", show=False),
        Binding("down", "row(1)", show=False),
        Binding("enter,space", "take", show=False),
    ]

    def __init__(self, match: Match, review: Review | None = None, progress: Progress = lambda: None) -> None:
        """`review` explains a finished match; with it, the key `r` shows what it says after the end. `progress` tells
        how far bots, hints and the review are prepared.
        """
        super().__init__()
        self.match, self.texts, self.review, self.progress = match, match.texts, review, progress
        self.failure: AtoutError | None = None
        """Why the match has ended before its time, for whoever has started the app; None: it has not."""
        self.preparing = ""
        self.waiting: Message | None = None
        """The message that says that the review is being made."""
        self.cursor = 0
        self.rounds_seen: int | None = None
        self.was_over = False
        self.refusal = ""
        self.hint_lines: list[str] = []
        self.decision: list[str] = []
        """The choices of the last decision that was shown."""
        self.since, self.has_moved = 0.0, False
        """When the decision appeared, and whether the cursor was moved since then."""
        for key, name in self._keys():
            self.bind(
                key,
                name,
                description=self.texts.t(f"terminal.key.{name}"),
                show=name != "save",  # every decision is saved; the footer has no room for all keys
                key_display="F1" if key == "f1" else None,
            )
        for digit in "123456789":
            self.bind(digit, f"number({digit})", show=False)
        for answer, key in self._answer_keys().items():
            self.bind(key, f"answer('{answer}')", show=False)

    def _keys(self) -> list[tuple[str, str]]:
        keys = [("h", "hint"), ("t", "last"), ("l", "log"), ("p", "scores")]
        if self.match.can_undo:
            keys.append(("u", "undo"))
        if self.match.can_save:
            keys.append(("s", "save"))
        if self.match.has_proposals:
            keys.append(("m", "menu"))
        if self.review is not None:
            keys.append(("r", "review"))
        return [*keys, ("q", "leave"), ("f1", "help")]

    def _answer_keys(self) -> dict[str, str]:
        """The key of each answer to a proposal, by the reader's words for yes and no."""
        return {answer: self.texts.t(f"terminal.answer.{answer}") for answer in ("yes", "no")}

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """A review comes after the end, and hints before it; the footer has no more room."""
        if action == "review":
            return self.was_over
        return not (self.was_over and action in ("hint", "undo"))

    def on_mount(self) -> None:
        self.title = "Atout"
        self.draw_all()
        self.set_interval(TICK, self.show_progress)
        self.show_progress()
        self.run_worker(self.drive(), exclusive=True, name="drive")
        when_ended(lambda: self.run_worker(self.end_match()))

    def show_progress(self) -> None:
        """Say how far the compilation is, in the head and where a review waits for it."""
        found = self.progress()
        key = "terminal.preparing" if found and found[1] else "terminal.preparing.begins"
        preparing = "" if found is None else self.texts.t(key, done=found[0], total=found[1])
        if preparing != self.preparing:
            self.preparing = preparing
            self.draw_all()
            if self.waiting is not None:
                self.waiting.change(self._review_waits())

    def _review_waits(self) -> Text:
        return Text("\n".join(filter(None, (self.texts.t("terminal.review.working"), self.preparing))))

    async def drive(self) -> None:
        """Let the match go on, and show each change."""
        self.look()
        try:
            while await self.match.advance():
                self.look()
        except AtoutError as error:
            self.failure = error
            await self.match.close()
        self.exit(self.was_over)

    def look(self) -> None:
        """Something has changed: draw it, and tell the end of a round or of the match once."""
        self.refusal, self.hint_lines = "", []
        view = self.match.view
        if self.match.waits_for is not None:
            self.hand_over(self.match.waits_for)
        if view is not None:
            if self.rounds_seen is not None and len(view["past"]) > self.rounds_seen:
                self.tell(self.round_end(view), alone=True)
            self.rounds_seen = len(view["past"])
            if self.legal != self.decision:
                self.decision = list(self.legal)
                self.wait_for_keys()
            if view["legal"]:
                self.cursor = min(self.cursor, len(view["legal"]) - 1)
            else:
                self.cursor = 0
            if self.was_over != (view["phase"] == "over"):
                self.was_over = not self.was_over
                self.refresh_bindings()
        self.draw_all()

    def wait_for_keys(self) -> None:
        """A decision appears: an Enter that was meant for what was there before must not make it."""
        self.since, self.has_moved = time.monotonic(), False

    def tell(
        self,
        text: Text,
        *,
        at_end: bool = False,
        alone: bool = False,
        wide: bool = False,
    ) -> None:
        """Show a text over the table until a key is pressed."""
        close = self.texts.t("terminal.help.close")
        self.push_screen(Message(text, close, at_end=at_end, alone=alone, wide=wide), lambda _: self.wait_for_keys())

    def hand_over(self, seat: int) -> None:
        """Several people share the keyboard: nothing is shown until the next one is alone.

        What the last one has opened is closed. The result of a round is for everybody: it stays to be read.
        """
        who = self.match.words.names[seat]
        read = [one for one in self.screen_stack if isinstance(one, Message) and not isinstance(one, HandOver)]
        results = [one.text for one in read if one.has_class("alone")]
        while len(self.screen_stack) > 1:
            self.pop_screen()
        text = f"{self.texts.t('pass-device.title', who=who)}\n\n{self.texts.t('pass-device.text')}\n\n"

        def taken(_: None) -> None:
            self.match.take_over()
            self.wait_for_keys()
            self.draw_all()

        ready = f"[{self.texts.t('terminal.key.enter')}] {self.texts.t('pass-device.ready', who=who)}"
        self.push_screen(HandOver(Text(text + ready), self.texts.t("terminal.hand-over.keys")), taken)
        for result in results:
            self.tell(result, alone=True)

    # ---------------------------------------------------------------- drawing

    def draw_all(self) -> None:
        if not self.screen_stack or not self.screen_stack[0].query("#head"):
            return
        view, words = self.match.view, self.match.words
        if view is None:
            self.put("head", Text("Atout"))
            self.put("table", Text(self.match.note or self.texts.t("prompt.moment")))
            return
        if self.match.waits_for is not None:  # the match tells only what everybody may know, and so does the screen
            self.refusal, self.hint_lines = "", []
        heading = words.heading(view)
        if view["board"]:
            dealer = words.t("cell.in-row", row=words.t("seat.dealer"), cell=words.name(view["dealer"]))
            heading = f"{heading} · {dealer}"
        self.put("head", Text(" · ".join(filter(None, (heading, self.preparing)))))
        self.put_table(view, words, self.match.asked, self.cursor)
        self.put_log(self.match.log)
        self.put_notice()
        self.put("prompt", self.prompt(view))
        self.put("hand", draw.hand(view, words, self.cursor, self.size.width - 2, self.is_tall))

    def put_notice(self) -> None:
        """A proposal or a pause, with its answers: each has a key and can be clicked."""
        notice, keys, text = self.match.notice, self._answer_keys(), Text()
        if notice is not None:
            text.append(notice.text, "bold")
            buttons = Text()
            for answer, label in notice.answers.items():
                button = Text(f"[{keys['no' if answer == 'no' else 'yes']}] {label}", "bold #f7c520")
                button.stylize(Style(meta={"answer": answer}))
                buttons.append("   " if buttons else "").append_text(button)
            fits = text.cell_len + 3 + buttons.cell_len <= self.size.width - 2
            text.append("   " if fits else "\n").append_text(buttons)
        self.put("notice", draw.wrapped(text, self.size.width - 2))
        self.screen_stack[0].query_one("#notice").display = notice is not None

    def prompt(self, view: View) -> Text:
        title, note = self.match.words.prompt(view, self.match.asked)
        text = Text.assemble((title, "bold"), "  ", note)
        if view["phase"] == "over":
            text = Text.assemble((f"{title}. {self.winner_text()}", "bold"), f"\n{note}")
        for line in (self.refusal, self.match.note):
            if line:
                text.append(f"\n{line}", "bold #f0664a")
        if self.hint_lines:
            text.append("\n" + "\n".join(self.hint_lines), "#f7c520")
        return draw.wrapped(text, self.size.width - 2)

    def winner_text(self) -> str:
        winners, words = self.match.winners, self.match.words
        if not winners:
            return ""
        if len(winners) == 1:
            who = None if winners[0] == words.me else words.names[winners[0]]
            return self.texts.sentence("terminal.plain.wins", who, points="")
        key = "you" if words.me in winners else "name"
        return self.texts.t(f"terminal.plain.win.{key}", who=words.team(winners), points="")

    def round_end(self, view: View) -> Text:
        """The result of the round that has just ended."""
        number = len(view["past"])
        rows = self.match.words.round_lines(view, number)
        text = Text.assemble((f"{self.texts.t('sheet.round.title', n=number)}\n\n", "bold"))
        text.append(f"{'':39}{self.texts.t('row.points'):>9}{self.texts.t('sheet.total'):>9}\n", "dim")
        names = draw.shortened([name for name, *_ in rows], draw.NAME)
        for name, (_, earned, score, total) in zip(names, rows, strict=True):
            text.append(f"{draw.fit(name, draw.NAME)} {draw.fit(earned, 26)}{score:>9}{total:>9}\n")
        if view["phase"] == "over":
            text.append(f"\n{self.texts.t('match-end.title')}. {self.winner_text()}\n", "bold")
        text.append(f"\n[{self.texts.t('terminal.key.enter')}] {self.texts.t('terminal.continue')}", "dim")
        return text

    # ---------------------------------------------------------------- choosing

    @property
    def legal(self) -> list[str]:
        view = self.match.view
        if (
            self.is_small
            or view is None
            or self.match.waits_for is not None
            or self.match.words.me not in self.match.asked
        ):
            return []
        return view["legal"]

    def action_move(self, step: int) -> None:
        if self.legal:
            self.has_moved = True
            self.cursor = (self.cursor + step) % len(self.legal)
            self.draw_all()

    def action_row(self, step: int) -> None:
        """On the board to the row above or below; elsewhere to the choice before or after."""
        view = self.match.view
        if view is None or view["phase"] != "veto" or not self.legal:
            self.action_move(step)
            return
        rows = [action.split(" ")[2] for action in self.legal]
        names = list(dict.fromkeys(rows))
        there = names[(names.index(rows[self.cursor]) + step) % len(names)]
        self.cursor, self.has_moved = rows.index(there), True
        self.draw_all()

    def action_number(self, number: int) -> None:
        """A digit picks a side or a holder of the ×2 card; cards and cells have the cursor."""
        view = self.match.view
        if view is not None and view["phase"] in ("team", "double") and number <= len(self.legal):
            self.cursor, self.has_moved = number - 1, True
            self.draw_all()

    async def on_click(self, event: Click) -> None:
        """A click on a choice makes it, and a click on an answer gives it."""
        number, answer = (event.style.meta.get(what) for what in ("choice", "answer"))
        if isinstance(number, int):
            await self.action_choose(number)
        elif isinstance(answer, str):
            await self.reply(answer)

    async def action_take(self) -> None:
        """Enter: not in the first moment of a decision, unless the cursor was moved."""
        if self.legal and (self.has_moved or time.monotonic() - self.since >= PAUSE):
            await self.action_choose(self.cursor)

    async def action_choose(self, number: int) -> None:
        """Make the choice with this number: by Enter on the cursor, or by a click."""
        if not 0 <= number < len(self.legal):
            return
        self.cursor = number
        self.wait_for_keys()  # at once: the next decision may be drawn only after the next key
        self.refusal = await self.match.act(self.legal[number])
        self.draw_all()

    # ---------------------------------------------------------------- proposals

    async def action_answer(self, answer: str) -> None:
        """The keys for yes and no. Yes also ends a pause."""
        notice = self.match.notice
        if notice is not None:
            allowed = [name for name in notice.answers if (name == "no") == (answer == "no")]
            if allowed:
                await self.reply(allowed[0])

    async def reply(self, answer: str) -> None:
        self.refusal = await self.match.reply(answer)
        self.draw_all()

    @work(exclusive=True, group="menu")
    async def action_menu(self) -> None:
        """What may be proposed to the table: a pause, a bot in a seat, the end of the match."""
        proposals = self.match.proposals
        if not proposals:
            self.refusal = self.texts.t("terminal.menu.nothing")
            self.draw_all()
            return
        close = self.texts.t("terminal.menu.close")
        title = self.texts.t("menu.title")
        chosen = await self.push_screen_wait(menu.Menu(title, proposals, close))
        if chosen == "abort":  # where nobody else is asked, it ends the match at once
            answers = {"": self.texts.t("terminal.menu.back"), "abort": proposals["abort"]}
            chosen = await self.push_screen_wait(menu.Menu(proposals["abort"], answers, close))
        if chosen:
            self.refusal = await self.match.propose(chosen)
            self.draw_all()

    # ---------------------------------------------------------------- commands

    def action_hint(self) -> None:
        if not self.legal:
            self.refusal = self.texts.t("refusal.not-your-turn")
            self.draw_all()
            return
        self.hint_lines = [self.texts.t("hint.thinking")]
        self.draw_all()
        self.run_worker(self._hint(), name="hint", group="hint", exclusive=True)

    async def _hint(self) -> None:
        """Show the hint in full and put the cursor on its choice, unless the decision was made meanwhile."""
        asked = list(self.legal)
        lines = await self.match.hint()
        if self.legal != asked:
            return
        self.hint_lines, advised = lines[:1], self.match.advised
        text = Text.assemble((lines[0], "bold #f7c520"), *(f"\n{line}" for line in lines[1:]))
        if advised in asked:
            self.cursor = asked.index(advised)
            text.append(f"\n\n{self.texts.t('terminal.hint.there')}")
        self.draw_all()
        self.tell(text)

    async def action_undo(self) -> None:
        self.refusal = await self.match.undo()
        self.draw_all()

    def action_save(self) -> None:
        reason = self.match.save()
        if reason:
            self.ask_for_file(reason, lambda: None)
        else:
            self.hint_lines = [self.match.saved]
        self.draw_all()

    def ask_for_file(self, reason: str, then: Callable[[], object]) -> None:
        """The match could not be saved: say why, and ask for another file until it is, or the reader goes back."""

        def answered(is_saved: bool | None) -> None:
            self.wait_for_keys()
            if is_saved:
                self.hint_lines = [self.match.saved]
                then()
            self.draw_all()

        self.push_screen(FileName(self.texts, reason, self.match.save_as), answered)

    def action_last(self) -> None:
        view = self.match.view
        if view is None or not view["last_trick"]:
            self.tell(Text(self.texts.t("last-trick.none")))
            return
        self.tell(draw.last_trick(view, self.match.words, PANEL_TEXT if self.is_tall else 0))

    def action_log(self) -> None:
        lines = "\n".join(self.match.log[-200:])
        self.tell(Text.assemble((f"{self.texts.t('log.title')}\n\n", "bold"), lines), at_end=True)

    def action_scores(self) -> None:
        view = self.match.view
        if view is None:
            return
        words = self.match.words
        text = Text.assemble((f"{self.texts.t('score.title')}\n\n", "bold"))
        self.tell(text.append_text(draw.scores(view, words, PANEL_TEXT)))

    @work(exclusive=True)
    async def action_review(self) -> None:
        """After the end: what the review says of the match. It is made beside the screen, which says that it waits."""
        if self.was_over and self.review is not None:
            self.waiting = waiting = Message(self._review_waits())
            self.push_screen(waiting)
            try:
                found = await asyncio.to_thread(self.review)
            except AtoutError as error:
                found = [str(error)]
            self.waiting = None
            if waiting.is_current:
                waiting.dismiss()
            width = min(self.size.width, WIDE_PANEL) - WIDE_EDGE
            self.tell(Text("\n".join(folded(line, width) for line in found)), wide=True)

    def on_key(self, event: Key) -> None:
        """The key of the review before the end, when it is no binding yet: say when it will be one."""
        if event.key == "r" and self.review is not None and not self.was_over:
            self.refusal = self.texts.t("terminal.review.later")
            self.draw_all()

    def action_help(self) -> None:
        t = self.texts.t
        said = {name: t(f"terminal.key.{name}") for _, name in self._keys()}
        if "review" in said and not self.was_over:
            said["review"] = t("terminal.help.review")
        lines = [f"{'F1' if key == 'f1' else key:>4}  {said[name]}" for key, name in self._keys()]
        lines += ["", *(t(f"terminal.help.{what}") for what in ("choose", "numbers", "pause"))]
        view = self.match.view
        if self.match.has_proposals:
            lines.append(t("terminal.help.answer"))
        if view is not None and view["piles"]:
            lines.append(t("terminal.piles.legend"))
        self.tell(Text.assemble((f"{t('terminal.help.title')}\n\n", "bold"), "\n".join(lines)))

    async def action_leave(self) -> None:
        """If the match cannot be saved, ask for another file first. Ctrl-C there leaves without saving."""
        reason = "" if isinstance(self.screen, FileName) else self.match.keep()
        if reason:
            self.ask_for_file(reason, lambda: self.run_worker(self.end_match()))
        else:
            await self.end_match()

    async def end_match(self) -> None:
        await self.match.close()
        self.exit(self.was_over)
