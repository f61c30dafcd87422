"""`SheetFile`: the file in which a sheet is kept. `Keeper`: what is said where that fails, on a screen and in lines."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from atout.errors import UsageError
from atout.files import OwnFile
from atout.sheet.editor import SheetEditor
from atout.sheet.model import Sheet, written


class SheetFile:
    """A file of sheets that only this program writes."""

    def __init__(self, file: OwnFile) -> None:
        """Read the file after it was opened."""
        self._file = file

    def write(self, sheets: list[Sheet]) -> None:
        self._file.write(written(sheets))

    def write_as(self, name: str, sheets: list[Sheet]) -> Path:
        """As `write`, to a new file that the user names, and from then on."""
        file = OwnFile.elsewhere(name, self._file)
        try:
            file.write(written(sheets))
        except UsageError:
            if file is not self._file:
                file.close()
            raise
        if file is not self._file:
            self.close()
            self._file = file
        return file.path

    def close(self) -> None:
        """Other programs may write the file now."""
        self._file.close()


class Keeper:
    """Keeps every change of a sheet, and does not let somebody leave who does not know that it is not kept."""

    def __init__(
        self, editor: SheetEditor, keep: Callable[[], None], keep_as: Callable[[str], Path] | None = None
    ) -> None:
        """`keep` and `keep_as` write the sheet, or raise a `UsageError`."""
        self._editor, self._keep, self._keep_as = editor, keep, keep_as
        self.failure = ""
        """Why the sheet could not be saved the last time; empty if it could."""
        self._is_warned = False

    def keep(self) -> str:
        """After a change. What is to be said; nothing if the sheet is saved."""
        try:
            self._keep()
        except UsageError as error:
            self.failure, self._is_warned = str(error), False
            return self.unsaved
        self.failure = ""
        return ""

    @property
    def unsaved(self) -> str:
        """Says that the sheet is not saved and what helps, while it is so; else empty."""
        return f"{self._not_saved()} {self._hint('save-elsewhere')}" if self.failure else ""

    def save(self, name: str) -> str:
        """For the command: where the sheet is saved now, or why it is not."""
        if not name or self._keep_as is None:
            return self.keep() or self._editor.texts.t("terminal.score.saved")
        try:
            path = self._keep_as(name)
        except UsageError as error:
            return self._not_saved(str(error))
        self.failure = ""
        return self._editor.texts.t("terminal.score.saved.in", path=path)

    def leave(self) -> str:
        """What is to be said before somebody leaves; nothing if they may. Asked twice, they leave without saving."""
        if not self.failure or self._is_warned or not self.keep():
            return ""
        self._is_warned = True
        return f"{self._not_saved()} {self._hint('quit-unsaved')}"

    def _not_saved(self, reason: str = "") -> str:
        return self._editor.texts.t("terminal.plain.not-saved", error=(reason or self.failure).rstrip("."))

    def _hint(self, key: str) -> str:
        words = {verb: self._editor.words.verb(verb) for verb in ("save", "quit")}
        return self._editor.texts.t(f"terminal.plain.{key}", **words)
