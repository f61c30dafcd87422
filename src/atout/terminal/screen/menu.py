"""`Menu`: a few choices over the table, for the arrow keys and Enter, or for the mouse."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

CSS = """
Menu { align: center middle; background: #000000 60%; }
Menu #panel { height: auto; }
Menu OptionList { height: auto; max-height: 16; background: #24201b; border: none; padding: 0; margin-top: 1; }
Menu OptionList > .option-list--option-highlighted { background: #f7c520; color: #181512; text-style: bold; }
"""


class Menu(ModalScreen[str]):
    """Its result is the name of the choice; empty when it was closed without one."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,m", "close", show=False)]

    def __init__(self, title: str, choices: Mapping[str, str], close: str) -> None:
        """`choices`: the labels by name. `close` says on the border how to close the menu."""
        super().__init__()
        self.heading, self.choices, self.close = title, choices, close

    def compose(self) -> ComposeResult:
        with Vertical(id="panel") as panel:
            panel.border_subtitle = self.close
            yield Static(self.heading)
            yield OptionList(*(Option(label, id=name) for name, label in self.choices.items()))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option.id or "")

    def action_close(self) -> None:
        self.dismiss("")
