"""`PseudoTerminal`: a program on a pseudo-terminal, and what a person in front of it would see, cell by cell.

It understands the control sequences that Atout and Textual write, and asks Textual for synchronized output, so that
every picture it shows (`frames`) is a whole one.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from rich.cells import cell_len

PATIENCE = 120.0
"""Seconds until a test gives up; it waits for something that is sure to come."""
PAUSE = 1.0
"""Seconds without a key after which Enter counts, where the keyboard changes hands."""
SEQUENCE = r"\x1b\[(?P<mark>[?<=>]?)(?P<numbers>[\d;:]*)(?P<kind>[ $!]?[@-~])"
CONTROL = re.compile(rf"{SEQUENCE}|\x1b\].*?(?:\x07|\x1b\\)|\x1b[()#].|\x1b[^\[\]()#]", re.DOTALL)
UNFINISHED = re.compile(r"\x1b(?:\[[?<=>]?[\d;:]*[ $!]?|\][^\x07\x1b]*|[()#])?$")
"""The beginning of a control sequence whose rest has not been read yet."""
ATOUT = (sys.executable, "-m", "atout")
KEYS = {"enter": "\r", "escape": "\x1b", "right": "\x1b[C", "up": "\x1b[A", "ctrl+c": "\x03"}


class Cells:
    """The cells of a screen, and the cursor."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.rows = [[" "] * width for _ in range(height)]
        self.row = self.column = 0

    @property
    def text(self) -> str:
        return "\n".join("".join(row).rstrip() for row in self.rows)

    def write(self, text: str) -> None:
        for letter in text:
            if letter == "\n":
                self.row += 1
                if self.row == self.height:
                    self.rows = [*self.rows[1:], [" "] * self.width]
                    self.row -= 1
            elif letter == "\r":
                self.column = 0
            elif letter == "\b":
                self.column = max(0, self.column - 1)
            elif letter == "\t":
                self.column = min(self.width - 1, self.column // 8 * 8 + 8)
            elif letter >= " ":
                self._put(letter)

    def _put(self, letter: str) -> None:
        room = cell_len(letter)
        if self.column + room > self.width:
            self.column = 0
            self.write("\n")
        for place in range(room):
            self.rows[self.row][self.column + place] = "" if place else letter
        self.column += room

    def control(self, kind: str, numbers: Sequence[int]) -> None:
        """A sequence that moves the cursor or erases; all others (colours, modes) change no cell."""
        first = numbers[0] if numbers else 0
        if kind in "Hf":
            second = numbers[1] if len(numbers) > 1 else 1
            self.row, self.column = max(1, first) - 1, max(1, second) - 1
        elif kind in "AB":
            self.row += max(1, first) * (1 if kind == "B" else -1)
        elif kind in "CD":
            self.column += max(1, first) * (1 if kind == "C" else -1)
        elif kind == "G":
            self.column = max(1, first) - 1
        elif kind in "JK":
            self._erase(kind, first)
        self.row = min(max(self.row, 0), self.height - 1)
        self.column = min(max(self.column, 0), self.width)

    def _erase(self, kind: str, which: int) -> None:
        cursor = self.row * self.width + self.column
        first, last = {0: (cursor, None), 1: (0, cursor + 1)}.get(which, (0, None))
        if kind == "K":
            begin, end = self.row * self.width, (self.row + 1) * self.width
            first, last = max(first, begin), min(end if last is None else last, end)
        for place in range(first, self.width * self.height if last is None else last):
            self.rows[place // self.width][place % self.width] = " "


class PseudoTerminal:
    """A program on a terminal of so many columns and lines; leaving the context kills what is left of it."""

    def __init__(
        self,
        words: Sequence[object],
        folder: Path,
        size: tuple[int, int] = (80, 24),
        environment: Mapping[str, str] | None = None,
        before: Callable[[], None] | None = None,
    ) -> None:
        """`words` follow `atout`. `before` is called in the new process, before the program begins."""
        width, height = size
        self._keyboard, terminal = pty.openpty()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))
        usual = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES", "NO_COLOR")}

        def begin() -> None:
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)
            if before is not None:
                before()

        self._process = subprocess.Popen(
            [*ATOUT, *map(str, words)],
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            cwd=folder,
            env={**usual, "TERM": "xterm-256color", "ATOUT_LANGUAGE": "en", **(environment or {})},
            start_new_session=True,
            preexec_fn=begin,
        )
        os.close(terminal)
        self._cells, self._unread = Cells(width, height), b""
        self.frames: list[str] = []
        """The pictures of a program that uses the whole screen, from the first one on."""
        self.lines = ""
        """Everything that was written, without control sequences."""
        self.modes = {"25"}
        """The private modes of the terminal that are on: 25 is the cursor, 1049 the alternate screen."""
        self._before: str | None = None
        """What was visible before a picture that is not drawn in full yet."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        os.close(self._keyboard)

    @property
    def screen(self) -> str:
        """What is visible now."""
        return self._cells.text if self._before is None else self._before

    @property
    def is_running(self) -> bool:
        return self._process.poll() is None

    def press(self, *keys: str) -> None:
        """Type keys by their names, or letters."""
        os.write(self._keyboard, "".join(KEYS.get(key, key) for key in keys).encode())

    def type(self, line: str) -> None:
        self.press(line, "\r")

    def press_until(self, key: str, what: str, check: Callable[[str], bool]) -> str:
        """Press a key again and again, where one that comes too early is not heard and one too many does no harm."""
        ends = time.monotonic() + PATIENCE
        while time.monotonic() < ends:
            self.press(key)
            if self.settles(check, 0.3):
                return self.screen
        raise AssertionError(f"never seen: {what}\n{self.screen}")

    def take_over(self, check: Callable[[str], bool]) -> str:
        """Press Enter where somebody takes over the keyboard: after a pause, because it does not count at once."""
        ends = time.monotonic() + PATIENCE
        while time.monotonic() < ends:
            self.settles(lambda _: False, PAUSE)
            self.press("enter")
            if self.settles(check, 3 * PAUSE):
                return self.screen
        raise AssertionError(f"nobody can take over\n{self.screen}")

    def resize(self, width: int, height: int) -> None:
        """The window gets another size, and is drawn again by the program."""
        self._cells = Cells(width, height)
        fcntl.ioctl(self._keyboard, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))

    def wait(self, what: str, check: Callable[[str], bool] | str) -> str:
        """Read until the screen fulfils the check, or shows the text; returns the screen."""
        found = self.settles(check, PATIENCE)
        assert found, f"never seen: {what}\n{self.screen}"
        return self.screen

    def settles(self, check: Callable[[str], bool] | str, seconds: float) -> bool:
        """Whether the screen fulfils the check, or shows the text, within so many seconds."""
        ends = time.monotonic() + seconds
        while True:
            if check in self.screen if isinstance(check, str) else check(self.screen):
                return True
            if time.monotonic() > ends or not self._read():
                return False

    def wait_for_end(self) -> int:
        """Read to the end of the program; its exit code."""
        ends = time.monotonic() + PATIENCE
        while self._read() or self._process.poll() is None:
            assert time.monotonic() < ends, f"it does not end\n{self.screen}"
        return self._process.wait()

    def end(self) -> None:
        """As the system ends a program, or `kill` does."""
        self._process.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """As a power cut would end it."""
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    def _read(self) -> bool:
        """Read what is there, or wait a moment for it; False at the end of the output."""
        if not select.select([self._keyboard], [], [], 0.1)[0]:
            return True
        try:
            raw = os.read(self._keyboard, 1 << 16)
        except OSError:  # how Linux says that the other side is closed
            return False
        if raw:
            self._show(raw)
        return bool(raw)

    def _show(self, raw: bytes) -> None:
        whole = self._unread + raw
        text = whole.decode("utf-8", "ignore")  # without a letter that is not there in full
        cut = UNFINISHED.search(text)
        text = text[: cut.start()] if cut else text
        self._unread, place = whole[len(text.encode()) :], 0
        for found in CONTROL.finditer(text):
            self._text(text[place : found.start()])
            place = found.end()
            if found["kind"]:
                self._control(found["mark"], found["numbers"], found["kind"])
        self._text(text[place:])

    def _text(self, text: str) -> None:
        self._cells.write(text)
        self.lines += text.replace("\r", "")

    def _control(self, mark: str, numbers: str, kind: str) -> None:
        if mark == "?" and numbers == "2026":
            if kind == "$p":  # "can you show whole pictures only?"
                with suppress(OSError):
                    os.write(self._keyboard, b"\x1b[?2026;2$y")
            elif kind == "h":
                self._before = self._cells.text
            elif kind == "l":
                self._before = None
                self.frames.append(self._cells.text)
        elif mark == "?" and kind in "hl":
            (self.modes.update if kind == "h" else self.modes.difference_update)(numbers.split(";"))
        elif not mark:
            self._cells.control(kind, [int(number or 0) for number in re.split("[;:]", numbers)] if numbers else [])
