"""`SheetApp`: a score sheet on the whole screen, with a line below it for rounds and changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Footer, Input, Static

from atout.sheet import SheetEditor
from atout.terminal.screen.draw import fit
from atout.terminal.screen.frame import COLOURS

COLUMN = 12


class SheetApp(App[None]):
    """The sheet as a table; a line such as `add …` or `edit 2 …` changes it (`atout.sheet.editor`)."""

    CSS = (
        COLOURS
        + """
    #table { height: 1fr; padding: 1 1; }
    #said { height: auto; max-height: 5; padding: 0 1; color: #f0664a; }
    Input { border: round #94876f; }
    """
    )
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,ctrl+q", "quit", "quit")]

    def __init__(self, editor: SheetEditor, keep: Callable[[], None]) -> None:
        super().__init__()
        self.editor, self.keep = editor, keep

    def compose(self) -> ComposeResult:
        yield Static(id="head")
        with VerticalScroll(id="table"):
            yield Static(id="sheet")
        yield Static(id="said")
        yield Input(placeholder=self.editor.texts.t("terminal.score.example"))
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        self.query_one(Input).focus()
        self.draw_sheet("")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        line = event.value.strip()
        if line in ("quit", "q"):
            self.exit()
            return
        said = self.editor.do(line) if line else ""
        if not said:
            self.keep()
            self.query_one(Input).value = ""
        self.draw_sheet(said)

    def draw_sheet(self, said: str) -> None:
        editor = self.editor
        texts = editor.texts
        title = texts.t(f"edition.{editor.sheet.edition}")
        self.query_one("#head", Static).update(Text(f"{texts.t('sheet.title')} · {title} · {editor.status()}"))
        head, *rows, totals = editor.table()
        text = Text(_line(head), "bold")
        for row in rows:
            text.append("\n" + _line(row))
        text.append("\n" + _line(totals), "bold")
        self.query_one("#sheet", Static).update(text)
        self.query_one("#said", Static).update(Text(said))


def _line(cells: list[str]) -> str:
    return fit(cells[0], 10) + "".join(f"{fit(cell, COLUMN).strip():>{COLUMN}}" for cell in cells[1:])
