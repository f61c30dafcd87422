"""`SheetApp`: a score sheet on the whole screen, with a line below it for rounds and changes.

The arrow keys up and down mark a past round; below the table it is written out as it would be typed. The names of the
players and the totals stay in sight, and the rounds between them scroll.
"""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.widgets import Footer, Input, Static

from atout.sheet import Keeper, SheetEditor
from atout.sheet.guide import fields_of, guide, round_example
from atout.sheet.words import VERBS
from atout.terminal.screen.app import PANEL, Message
from atout.terminal.screen.draw import fit, shortened
from atout.terminal.screen.frame import COLOURS, WIDE, when_ended, without_colours

FIRST, COLUMN = 10, 12
"""Columns of the number of a round, and of a player where there is room."""
EDGE = 3
"""Columns that the padding of the table and its scroll bar take."""


class SheetApp(App[None]):
    """The sheet as a table; a line such as `add …` or `edit 2 …` changes it (`atout.sheet.editor`)."""

    CSS = (
        COLOURS
        + PANEL
        + """
    #all { height: 1fr; padding: 1 1; }
    #details { height: auto; max-height: 4; padding: 0 1; color: #c9bca6; }
    #said { height: auto; max-height: 5; padding: 0 1; color: #f0664a; }
    #commands { height: auto; max-height: 2; padding: 0 1; color: #c9bca6; }
    Input { border: round #94876f; }
    """
    )
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "quit", show=False),
        Binding("ctrl+c", "help_quit", show=False, priority=True),  # before the field, which would copy its text
    ]

    def __init__(self, editor: SheetEditor, keeper: Keeper) -> None:
        super().__init__(ansi_color=without_colours())
        self.editor, self.keeper = editor, keeper
        self.marked: int | None = None
        """The past round whose details are shown."""
        self.said = ""
        t = editor.texts.t
        self.bind("f1", "help", description=t("terminal.key.help"), key_display="F1")
        self.bind("up", "mark(-1)", show=False)
        self.bind("down", "mark(1)", show=False)
        self.bind("pageup", "page(-1)", show=False)
        self.bind("pagedown", "page(1)", show=False)
        self.bind("escape", "leave", description=t("terminal.key.leave"), key_display="Esc")

    def compose(self) -> ComposeResult:
        words = self.editor.words
        verbs = {verb: words.verb(verb) for verb in VERBS}
        yield Static(id="head")
        with Vertical(id="all"):
            yield Static(id="names")
            with VerticalScroll(id="table", can_focus=False):
                yield Static(id="sheet")
            yield Static(id="totals")
        yield Static(id="details")
        yield Static(id="said")
        yield Static(words.texts.t("terminal.score.commands", **verbs), id="commands", markup=False)
        yield Input()
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        self.query_one(Input).focus()
        self.draw_sheet("")
        when_ended(self.exit)

    def on_resize(self) -> None:
        """A wide window also shows how each round was entered."""
        self.call_after_refresh(lambda: self.draw_sheet(self.said))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Carry out the line. A line with a mistake stays and is selected: typing replaces it."""
        line, field = event.value.strip(), self.query_one(Input)
        verb, rest = self.editor.parse(line)
        if verb == "quit":
            self.leave()
            return
        if verb == "help":
            field.value = ""
            self.action_help()
            return
        if verb == "save":
            field.value = ""
            self.draw_sheet(self.keeper.save(rest))
            return
        said, count = self.editor.do(line) if line else "", len(self.editor.sheet.rounds)
        if verb == "show" and rest.isdecimal() and 1 <= int(rest) <= count:
            self.marked, field.value, said = int(rest) - 1, "", ""
        elif said:
            self.marked = None if verb == "add" else self.marked
            field.select_all()
        elif line:
            failure = self.keeper.keep()
            self.marked, field.value = self.editor.changed, ""
            said = " ".join(filter(None, (self.editor.note, failure)))
        self.draw_sheet(said)

    def action_leave(self) -> None:
        """Clear a line that was begun; without one, leave."""
        field = self.query_one(Input)
        if field.value.strip():
            field.value = ""
            self.draw_sheet("")
        else:
            self.leave()

    def action_help_quit(self) -> None:
        """Ctrl-C leaves; Textual's own action would say in English that it does not."""
        self.leave()

    def leave(self) -> None:
        """Every change is saved already; where that failed, it is said first."""
        said = self.keeper.leave()
        if not said:
            self.exit()
            return
        self.query_one(Input).value = ""
        self.draw_sheet(said)

    def action_page(self, step: int) -> None:
        """Scroll the rounds by what is in sight."""
        table = self.query_one("#table", VerticalScroll)
        table.scroll_relative(y=step * table.scrollable_content_region.height, animate=False)

    def action_help(self) -> None:
        t = self.editor.texts.t
        lines = "\n".join(guide(self.editor.sheet, self.editor.texts))
        text = Text.assemble((f"{t('terminal.score.help.title')}\n\n", "bold"), lines)
        self.push_screen(Message(text, t("terminal.help.close")))

    def action_mark(self, step: int) -> None:
        """Mark the round above or below; from none, the last one."""
        count = len(self.editor.sheet.rounds)
        if count:
            self.marked = count - 1 if self.marked is None else max(0, min(count - 1, self.marked + step))
            self.draw_sheet("")

    def draw_sheet(self, said: str) -> None:
        """Draw the table again. `said` is the answer to the last line; without one, what is not saved is said."""
        said = said or self.keeper.unsaved
        editor, self.said = self.editor, said
        texts = editor.texts
        house, key = editor.sheet.setup.edition, f"edition.{editor.sheet.edition}"
        title = texts.t(key) if texts.has(key) else house.name
        self.query_one("#head", Static).update(Text(f"{texts.t('sheet.title')} · {title} · {editor.status()}"))
        head, *rows, totals = editor.table()
        room = min(COLUMN, (self.size.width - EDGE - FIRST) // len(editor.sheet.names))
        text = Text()
        if self.marked is not None and self.marked >= len(rows):
            self.marked = len(rows) - 1 if rows else None
        for place, row in enumerate(rows):
            text.append("\n" if place else "")
            text.append(_line(row, room), "reverse" if place == self.marked else "")
            if self.size.width >= WIDE:
                text.append(f"    {fields_of(editor.sheet, editor.sheet.rounds[place], texts)}", "dim")
        self.query_one("#names", Static).update(Text(_line(head, room), "bold"))
        self.query_one("#sheet", Static).update(text)
        self.query_one("#totals", Static).update(Text(_line(totals, room), "bold"))
        self.query_one("#details", Static).update(Text("" if self.marked is None else editor.details(self.marked)))
        self.query_one("#said", Static).update(Text(said))
        self.query_one(Input).placeholder = round_example(editor.sheet, texts)
        self.call_after_refresh(self._scroll)

    def _scroll(self) -> None:
        """Where there are more rounds than lines, show the marked one, else the last."""
        table, count = self.query_one("#table", VerticalScroll), len(self.editor.sheet.rounds)
        line = max(0, count - 1) if self.marked is None else self.marked
        height = max(1, min(count, self.query_one("#all").content_size.height - 2))  # names above, totals below
        table.styles.height = height
        if not table.scroll_y <= line < table.scroll_y + height:
            table.scroll_to(y=max(0, line - height + 1), animate=False)


def _line(cells: list[str], room: int) -> str:
    """A row of the table. A long name is cut so that it is not taken for another, with a space before it."""
    return fit(cells[0], FIRST) + "".join(f"{cell:>{room}}" for cell in shortened(cells[1:], room - 1))
