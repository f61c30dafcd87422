"""`FileName`: says why something could not be saved, and asks for another file."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from atout.i18n import Texts
from atout.terminal.saves import free_name

CSS = """
FileName { align: center middle; background: #000000 60%; }
FileName #reason { margin-bottom: 1; }
FileName Input { border: round #94876f; background: #24201b; }
"""
USUAL = "~/atout-game.json"
"""The file that Enter alone takes, with a number where there is one of this name."""


class FileName(ModalScreen[bool]):
    """Its result is whether it was saved in another file; not, when it was closed without one."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", show=False),
        Binding("ctrl+c", "app.help_quit", show=False, priority=True),  # before the field, which would copy its text
    ]

    def __init__(self, texts: Texts, reason: str, save_as: Callable[[str], str]) -> None:
        """`save_as` saves in the file of this name; why that failed, else an empty text."""
        super().__init__()
        self.texts, self.reason, self.save_as = texts, reason, save_as

    def compose(self) -> ComposeResult:
        with Vertical(id="panel") as panel:
            panel.border_subtitle = self.texts.t("terminal.save.keys")
            yield Static(self._text(), id="reason")
            yield Static(self.texts.t("terminal.save.another"))
            yield Input(free_name(USUAL))

    def _text(self) -> Text:
        said = self.texts.t("terminal.plain.not-saved", error=self.reason.rstrip("."))
        return Text.assemble((said, "bold #f0664a"), f"\n{self.texts.t('terminal.save.leave')}")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        name = event.value.strip()
        if not name:
            return
        self.reason = self.save_as(name)
        if self.reason:
            self.query_one("#reason", Static).update(self._text())
            event.input.select_all()
        else:
            self.dismiss(True)

    def action_back(self) -> None:
        self.dismiss(False)
