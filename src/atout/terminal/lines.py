"""Input and output of a match in the terminal: whole lines of plain text, fit for a screen reader and for tests.

Nothing is drawn over. A no-break space keeps two words on one line when a long line is folded.
"""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from contextlib import suppress
from io import TextIOWrapper
from typing import TextIO

if sys.platform == "win32":
    import msvcrt
else:
    import termios

WIDTH = 88
TOGETHER = "\u00a0"
CURTAIN = 200
"""Empty lines that push a hand out of sight before somebody else takes the keyboard, at least: more than a window has
that is made as tall as the screen meanwhile."""
HELD = 1.0
"""Seconds without an Enter before one takes over the keyboard: more than a key that is held needs to repeat itself."""
ASCII = str.maketrans({"×": "x", "−": "-", "–": "-", "…": "...", "§": "par. "})
"""Replacements for a terminal that has only ASCII."""


class Lines:
    """Writes lines to one stream and asks for lines from another."""

    def __init__(self, source: TextIO, target: TextIO) -> None:
        self._source, self._target = source, target
        for stream in (source, target):
            if isinstance(stream, TextIOWrapper):
                stream.reconfigure(errors="replace")
        self._only_ascii = not _can_write("×−–…§", target)
        self._width = min(WIDTH, shutil.get_terminal_size((WIDTH, 24)).columns) if _has_width(target) else WIDTH

    def say(self, *texts: str) -> None:
        """Each text becomes a line, folded when it is long."""
        for text in texts:
            self._write(folded(text, self._width) + "\n")

    def say_as_is(self, text: str) -> None:
        """A line to be copied: never folded."""
        self._write(f"{text}\n")

    def ask(self, prompt: str) -> str | None:
        """Show the prompt, and read a line as `read` does."""
        self.prompt(prompt)
        return self.read()

    def prompt(self, prompt: str) -> None:
        """Show a prompt, without the end of its line."""
        self._write(folded(prompt, self._width) + prompt[len(prompt.rstrip()) :])
        self._target.flush()

    def read(self) -> str | None:
        """What was typed, without spaces around it; None at the end of input and after Ctrl-C."""
        try:
            line = self._source.readline()
        except KeyboardInterrupt:
            line = ""
        if not line:
            self._write("\n")
            return None
        return line.strip()

    def discard(self) -> bool:
        """Forget what was typed ahead on a terminal; whether there is one."""
        if not self._source.isatty():
            return False
        if sys.platform == "win32":
            while msvcrt.kbhit():
                msvcrt.getwch()
        else:
            with suppress(OSError, termios.error):
                termios.tcflush(self._source, termios.TCIFLUSH)
        return True

    def flush(self) -> None:
        """Write out what is buffered, before something that takes long."""
        self._target.flush()

    def draw_curtain(self) -> None:
        """Push everything that can be seen out of sight, however tall the window is now."""
        self._write("\n" * max(CURTAIN, _height(self._target)))

    def _write(self, text: str) -> None:
        text = text.replace(TOGETHER, " ")
        self._target.write(text.translate(ASCII) if self._only_ascii else text)


def _has_width(target: TextIO) -> bool:
    """Whether the width is known: a terminal has one, and anything else has the one in COLUMNS."""
    return target.isatty() or os.environ.get("COLUMNS", "").isdecimal()


def _height(target: TextIO) -> int:
    """The lines of a terminal; 0 for anything else. LINES in the environment may be older than the window."""
    try:
        return os.get_terminal_size(target.fileno()).lines
    except (OSError, ValueError):
        return 0


def folded(text: str, width: int) -> str:
    """A long line as several; those after the first are indented further."""
    indent = " " * (len(text) - len(text.lstrip(" ")))
    return textwrap.fill(text, width, subsequent_indent=indent + "    ", break_long_words=False, break_on_hyphens=False)


def _can_write(text: str, target: TextIO) -> bool:
    try:
        text.encode(target.encoding or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
