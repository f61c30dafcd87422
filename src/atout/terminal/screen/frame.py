"""`TableFrame`: what every screen with a table has: its parts, their colours, and how they share the room.

head          edition, round
conditions    one line in Njet!
table         │ seats         the side is wider on a wide screen
│ log
hand, and whatever else a screen keeps below (`BELOW`)
footer        the keys
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import ClassVar, TypeVar

from rich.text import Text
from textual.app import App, ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Footer, Static

from atout.game import View
from atout.terminal.screen import draw
from atout.terminal.words import Words

SIDE, WIDE_SIDE = 36, 56
"""Columns of the seats and the log."""
WIDE = 120
"""From so many columns on, the side is wider."""
TALL = 40
"""From so many lines on, the veto board stays in sight."""
EDGE = 3
"""Columns of the side that its border and its padding take."""

COLOURS = """
Screen { background: #181512; color: #f2eadb; layout: vertical; }
#head { height: 1; background: #312b25; padding: 0 1; text-style: bold; }
Footer { background: #312b25; }
"""
LAYOUT = f"""
#conditions {{ height: auto; max-height: 3; padding: 0 1; }}
#middle {{ height: 1fr; }}
#table {{ width: 1fr; padding: 0 1; overflow-y: auto; }}
#side {{ width: {SIDE}; border-left: solid #443c33; padding: 0 1; }}
#seats {{ height: auto; }}
#log {{ height: 1fr; margin-top: 1; overflow-y: auto; color: #c9bca6; }}
#hand {{ height: auto; min-height: 1; padding: 0 1; background: #24201b; }}
.-wide #side {{ width: {WIDE_SIDE}; }}
"""

Result = TypeVar("Result")


class TableFrame(App[Result]):
    """An app whose screen is a table."""

    CSS = COLOURS + LAYOUT
    ENABLE_COMMAND_PALETTE = False
    BELOW: ClassVar[tuple[str, ...]] = ("hand",)
    """Parts below the table, from top to bottom."""

    def compose(self) -> ComposeResult:
        yield Static(id="head")
        yield Static(id="conditions")
        with Horizontal(id="middle"):
            yield Static(id="table")
            with Vertical(id="side"):
                yield Static(id="seats")
                yield Static(id="log")
        for name in self.BELOW:
            yield Static(id=name)
        yield Footer(show_command_palette=False)

    def on_resize(self) -> None:
        self.set_class(self.is_wide, "-wide")
        self.call_after_refresh(self.draw_all)

    def draw_all(self) -> None:
        """Draw every part again."""
        raise NotImplementedError

    @property
    def is_wide(self) -> bool:
        return self.size.width >= WIDE

    @property
    def side(self) -> int:
        """Columns for text in the side."""
        return (WIDE_SIDE if self.is_wide else SIDE) - EDGE

    @property
    def room(self) -> int:
        """Columns for text on the table."""
        return max(30, self.size.width - self.side - EDGE - 2)

    def put(self, name: str, text: Text) -> None:
        """Show a text in a part, also while a message lies over the table."""
        self.screen_stack[0].query_one(f"#{name}", Static).update(text)

    def put_table(self, view: View, words: Words, asked: Sequence[int], cursor: int = -1) -> None:
        """Draw what everybody at the table sees: conditions, board or tricks, seats."""
        self.put("conditions", draw.conditions(view, words))
        self.put("table", self.middle(view, words, cursor))
        self.put("seats", draw.seats(view, words, asked, self.side))

    def middle(self, view: View, words: Words, cursor: int) -> Text:
        """What is on the table in this phase."""
        if view["phase"] == "veto":
            return draw.board(view, words, cursor, self.room)
        parts = [draw.piles(view, words, self.room), draw.trick(view, words), draw.given(view, words)]
        if view["phase"] in ("team", "double") and view["legal"]:
            parts = [draw.choices(view, words, cursor)]
        if self.size.height >= TALL and view["board"]:
            parts.append(draw.board({**view, "legal": []}, words, -1, self.room))
        return Text("\n\n").join(part for part in parts if part)

    def put_log(self, lines: Sequence[str]) -> None:
        """The end of the log, as much as there is room for."""
        rows = self.screen_stack[0].query_one("#log").size.height or max(3, self.size.height - 18)
        folded = [part for line in lines[-rows:] for part in textwrap.wrap(line, self.side, subsequent_indent="  ")]
        self.put("log", Text("\n".join(folded[-rows:])))
