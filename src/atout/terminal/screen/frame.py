"""`TableFrame`: what every screen with a table has: its parts, their colours, and how they share the room.

head          edition, round
conditions    one line in Njet!
table         │ seats         the side is wider on a wide screen
│ log
hand, and whatever else a screen keeps below (`BELOW`)
footer        the keys
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import textwrap
from collections.abc import Callable, Sequence
from typing import ClassVar, TypeVar

from rich.text import Text
from textual.app import App, ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Footer, Static

from atout.game import View
from atout.i18n import Texts
from atout.terminal.screen import draw
from atout.terminal.words import Words

NEEDED = (80, 24)
"""Columns and lines without which a decision could not be seen."""
SIDE, WIDE_SIDE = 36, 56
"""Columns of the seats and the log."""
WIDE = 120
"""From so many columns on, the side is wider."""
TALL = 40
"""From so many lines on, the veto board stays in sight."""
AROUND = 6
"""Lines that the parts above and below the table take at least."""
EDGE = 3
"""Columns of the side that its border and its padding take."""

COLOURS = """
Screen { background: #181512; color: #f2eadb; layout: vertical; }
#head { height: 1; background: #312b25; padding: 0 1; text-style: bold; }
Footer { background: #312b25; }
VerticalScroll { scrollbar-color: #94876f; scrollbar-background: #24201b; scrollbar-color-hover: #c9bca6; }
VerticalScroll { scrollbar-size-vertical: 1; }
"""
LAYOUT = f"""
#conditions {{ height: auto; max-height: 3; padding: 0 1; }}
#middle {{ height: 1fr; }}
#table {{ width: 1fr; padding: 0 1; overflow-y: auto; }}
#side {{ width: {SIDE}; border-left: solid #443c33; padding: 0 1; }}
#seats {{ height: auto; }}
#log {{ height: 1fr; margin-top: 1; overflow: hidden; color: #c9bca6; }}
#hand {{ height: auto; min-height: 1; padding: 0 1; background: #24201b; }}
#small {{ display: none; padding: 0 1; }}
.small > * {{ display: none; }}
.small > #small {{ display: block; }}
"""

Result = TypeVar("Result")


class Log(Static):
    """The end of a log: as many lines as there is room for, folded to the width."""

    lines: Sequence[str] = ()

    def render(self) -> Text:
        width, height = max(8, self.content_size.width), max(1, self.content_size.height)
        shown: list[str] = []
        for line in reversed(self.lines[-height:]):
            folded = textwrap.wrap(line, width, subsequent_indent="  ")
            if shown and len(shown) + len(folded) > height:  # no line is shown without its beginning
                break
            shown = [*folded, *shown]
        return Text("\n".join(shown))


def when_ended(leave: Callable[[], object]) -> None:
    """How to leave when the system ends the program: the terminal is given back as it was, without a hand on it."""
    if sys.platform != "win32":
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, leave)


def without_colours() -> bool:
    """Whether `NO_COLOR` asks for no colours. As `ansi_color` of an app it makes Textual send the terminal's own two
    colours only, instead of greys; bold, underline and reverse stay. What lies behind a message is then not darker.
    """
    return "NO_COLOR" in os.environ


class TableFrame(App[Result]):
    """An app whose screen is a table."""

    CSS = COLOURS + LAYOUT
    ENABLE_COMMAND_PALETTE = False
    BELOW: ClassVar[tuple[str, ...]] = ("hand",)
    """Parts below the table, from top to bottom."""
    texts: Texts

    def __init__(self) -> None:
        super().__init__(ansi_color=without_colours())
        self._shown: dict[str, Text] = {}
        """By the name of a part: what it shows."""

    def compose(self) -> ComposeResult:
        yield Static(id="small")
        yield Static(id="head")
        yield Static(id="conditions")
        with Horizontal(id="middle"):
            yield Static(id="table")
            with Vertical(id="side"):
                yield Static(id="seats")
                yield Log(id="log")
        for name in self.BELOW:
            yield Static(id=name)
        yield Footer(show_command_palette=False, compact=True)

    def on_resize(self) -> None:
        self.call_after_refresh(self._fit)

    def _fit(self) -> None:
        """The new size is known now."""
        self.screen_stack[0].query_one("#side").styles.width = WIDE_SIDE if self.is_wide else SIDE
        self.screen_stack[0].set_class(self.is_small, "small")
        if self.is_small:
            needed = "×".join(map(str, NEEDED))
            width, height = self.size
            self.put("small", Text(self.texts.t("terminal.small", width=width, height=height, needed=needed)))
        self.draw_all()

    @property
    def is_small(self) -> bool:
        """A window in which a decision cannot be seen: nothing is drawn or chosen."""
        return self.size.width < NEEDED[0] or self.size.height < NEEDED[1]

    def draw_all(self) -> None:
        """Draw every part again."""
        raise NotImplementedError

    async def action_leave(self) -> None:
        """The key that leaves."""
        raise NotImplementedError

    async def action_help_quit(self) -> None:  # type: ignore[override]
        """Ctrl-C leaves; Textual's own action would say in English that it does not."""
        await self.action_leave()

    @property
    def is_wide(self) -> bool:
        return self.size.width >= WIDE

    @property
    def is_tall(self) -> bool:
        return self.size.height >= TALL

    @property
    def side(self) -> int:
        """Columns for text in the side."""
        return (WIDE_SIDE if self.is_wide else SIDE) - EDGE

    @property
    def room(self) -> int:
        """Columns for text on the table."""
        return max(30, self.size.width - self.side - EDGE - 2)

    def put(self, name: str, text: Text) -> None:
        """Show a text in a part, also while a message lies over the table. The same text is not drawn again."""
        if self._shown.get(name) != text:
            self._shown[name] = text
            self.screen_stack[0].query_one(f"#{name}", Static).update(text)

    def put_table(self, view: View, words: Words, asked: Sequence[int], cursor: int = -1) -> None:
        """Draw what everybody at the table sees: conditions, board or tricks, seats."""
        self.put("conditions", draw.conditions(view, words, self.size.width - 2))
        self.screen_stack[0].query_one("#conditions").display = view["conditions"] is not None
        self.put("table", self.middle(view, words, cursor))
        seats = draw.seats(view, words, asked, self.side)
        if self.is_tall and view["past"]:
            seats.append("\n\n").append_text(draw.scores(view, words, self.side))
        self.put("seats", seats)

    def middle(self, view: View, words: Words, cursor: int) -> Text:
        """What is on the table in this phase."""
        tall = self.is_tall
        if view["phase"] == "veto":
            return draw.board(view, words, cursor, self.room, self.size.height - AROUND)
        wide = self.room if tall else 0
        parts = [draw.piles(view, words, self.room, tall), draw.trick(view, words, wide), draw.given(view, words)]
        if view["phase"] in ("team", "double") and view["legal"]:
            parts = [draw.choices(view, words, cursor)]
        board = Text()
        if view["board"] and (tall or view["phase"] in ("discard", "pass")):
            board = draw.board({**view, "legal": []}, words, -1, self.room, self.size.height - AROUND)
        last = draw.last_trick(view, words, wide) if view["trick"] else Text()
        parts = [part for part in (*parts, last, board) if part]
        for spare in (
            last,
            board,
        ):  # nothing is cut: the last trick has a key, and the conditions say what the board says
            if sum(len(part.plain.splitlines()) + 1 for part in parts) > self.size.height - AROUND:
                parts = [part for part in parts if part is not spare]
        if not parts and view["phase"] == "lay" and view["legal"]:
            return Text(words.texts.count("terminal.plain.lesson.lay", view["owed"]))
        return Text("\n\n").join(parts)

    def put_log(self, lines: Sequence[str]) -> None:
        """The end of the log."""
        log = self.screen_stack[0].query_one(Log)
        if log.lines != list(lines):
            log.lines = list(lines)
            log.refresh()
