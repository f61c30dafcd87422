"""The help of the commands in the reader's language.

A text is in the catalogues (`i18n/data/cli.<language>.json`): `cli.play` for a command, `cli.play.seats` for an option
of it, `cli.edition` for an option that several have, by the names of the parameters in Python. The commands of
researchers and of servers have no such texts: their help is in English, where they are written.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from atout.bots.registry import DEFAULT_LEVEL
from atout.cli.examples import EXAMPLES, EXIT_CODES
from atout.errors import UsageError
from atout.i18n import Texts, preferred, reader, reason_of, say, speak

FIXED = {
    "Usage:": "usage",
    "Arguments:": "arguments",
    "Options:": "options",
    "Commands:": "commands",
    "[default: ": "default",
    "required]": "required",
    "Show this message and exit.": "help",
}
"""Typer's own words in a help."""


def told_language(args: list[str]) -> str:
    """The language that the words of a command line ask for; a wrong one is complained about by its command."""
    wanted = None
    for place, word in enumerate(args):
        name, _, value = word.partition("=")
        if name == "--language":
            wanted = value or next(iter(args[place + 1 :]), None)
    try:
        return preferred(wanted)
    except UsageError:
        return preferred()


def help_of(command: str, texts: Texts, parameter: str = "") -> str | None:
    """The help of a command or of its parameter; None if the catalogues have none."""
    name = f"cli.{command.replace(' ', '.')}"
    for key in (f"{name}.{parameter}", f"cli.{parameter}") if parameter else (name,):
        if texts.has(key) and (parameter == "" or texts.has(name)):
            return texts.t(key, level=DEFAULT_LEVEL)
    return None


def epilog(command: str, texts: Texts) -> str:
    """The examples as the end of a command's help, line by line."""
    return f"\b\n{texts.t('cli.word.examples')}\n" + "\n".join(f"  {line}" for line in EXAMPLES[command])


def exit_codes(texts: Texts) -> str:
    lines = "\n".join(f"  {code:>3}  {texts.t(f'cli.exit.{code}')}" for code in EXIT_CODES)
    return f"\b\n{texts.t('cli.word.exit-codes')}\n{lines}"


def translate(command: Any, name: str) -> None:
    """Give a command and its parameters the texts of the reader's language."""
    texts = reader()
    command.help = help_of(name, texts) or command.help
    command.epilog = epilog(name, texts) if name in EXAMPLES else exit_codes(texts) if name == "atout" else None
    for one in command.params:
        help_text = help_of(name, texts, one.name or "")
        if help_text is not None:
            one.help = help_text


def fixed_words(text: str) -> str:
    """A help with Typer's own words in the reader's language."""
    texts = reader()
    if texts.language == "en":
        return text
    for english, key in FIXED.items():
        word = texts.t(f"cli.word.{key}")
        text = text.replace(english, f"[{word}" if english[0] == "[" else f"{word}]" if english[-1] == "]" else word)
    return text


class Command(TyperCommand):
    """A command that speaks the language of `--language` or of the environment from the first word on."""

    group = ""
    """The group it belongs to, if any."""

    @property
    def told_name(self) -> str:
        """Its name with that of its group: `print sheet`."""
        return f"{self.group} {self.name}".strip()

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        speak(told_language(args))
        return super().parse_args(ctx, args)

    def get_help(self, ctx: Any) -> str:
        translate(self, self.told_name)
        return fixed_words(super().get_help(ctx))

    def get_short_help_str(self, limit: int = 45) -> str:
        translate(self, self.told_name)
        return super().get_short_help_str(limit)


class PrintCommand(Command):
    """A command of `atout print`."""

    group = "print"


class PuzzlesCommand(Command):
    """A command of `atout puzzles`."""

    group = "puzzles"


NO_ROOM = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT, errno.EBADF)
"""What systems say where there is no room for an output, or where it was closed."""


@contextmanager
def exit_code_of_the_end() -> Iterator[None]:
    """A command that is interrupted, or whose reader has closed the output, ends with the code that the help names.

    Where the output cannot be written, as on a full disk, a sentence says so; also where no file can have such a name.
    """
    try:
        yield
        sys.stdout.flush()
    except KeyboardInterrupt:
        typer.echo(say("cli.interrupted"), err=True)
        raise typer.Exit(130) from None
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what is still to be written goes nowhere
        raise typer.Exit(141) from None
    except OSError as error:
        if error.filename is not None and error.errno == errno.ENAMETOOLONG:
            reason = reason_of(error)
            raise UsageError(say("cli.error.save.name", path=str(error.filename)[:60], reason=reason)) from None
        if error.filename is not None or error.errno not in NO_ROOM:  # not from writing to standard output
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        raise UsageError(say("cli.error.write", path=say("cli.error.output"), reason=reason_of(error))) from None


class Group(TyperGroup):
    """A group of such commands."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        speak(told_language(args))
        with exit_code_of_the_end():
            return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        with exit_code_of_the_end():
            return super().invoke(ctx)

    def get_help(self, ctx: Any) -> str:
        translate(self, self.name or "atout")
        return fixed_words(super().get_help(ctx))

    def get_short_help_str(self, limit: int = 45) -> str:
        translate(self, self.name or "atout")
        return super().get_short_help_str(limit)
