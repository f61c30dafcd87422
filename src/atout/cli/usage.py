"""Errors of a command line in the reader's language.

Typer explains mistakes in a command line in English. The frequent ones have a text in the catalogues (`cli.usage.…`);
others stay as Typer writes them. Errors of the library have a code where a player meets them (`cli.error.…`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path
from types import ModuleType
from typing import Any

import typer

from atout.cli.help import fixed_words
from atout.errors import AtoutError, BotError
from atout.i18n import reader, reason_of, say

WRONG_USAGE: Any = typer.BadParameter.__bases__[0]
"""The class of all of Typer's errors about a command line. It has a public name in some versions only."""
FORMS = {
    "least": r"Invalid value for (?P<name>.+?): Input should be greater than or equal to (?P<n>\S+)",
    "most": r"Invalid value for (?P<name>.+?): Input should be less than or equal to (?P<n>\S+)",
    "range": r"Invalid value for (?P<name>.+?): (?P<text>.+) is not in the range (?P<n>.+)\.",
    "integer": r"Invalid value for (?P<name>.+?): (?:Input should be a valid integer.*|.+ is not a valid integer\.)",
    "missing": r"Missing (?:argument|option|parameter) (?P<name>.+?)\.",
    "like": r"No such option: (?P<name>\S+) \(Possible options: (?P<like>.+)\)",
    "option": r"No such option: (?P<name>\S+)",
    "command": r"No such command (?P<name>.+?)\.",
    "value": r"Option (?P<name>.+) requires an argument\.",
    "extra": r"Got unexpected extra arguments?(?:\(s\))? \((?P<text>.+)\)",
}
"""What Typer writes, by the text of the catalogues that says the same."""


def error_text(error: AtoutError) -> str:
    """An error by its code and parameters; in its own English words if the catalogues have no text for it."""
    texts, key = reader(), f"cli.error.{error.code}"
    if texts.language == "en" or not error.code or not texts.has(key):
        return str(error)
    values = {name: reason_of(one) if isinstance(one, Exception) else one for name, one in error.parameters.items()}
    return texts.t(key, **values)


def hinted(error: AtoutError) -> str:
    """The text of an error with a hint, where a bot could not be found: where it was searched, and what is near."""
    hints = bot_hints(error) if isinstance(error, BotError) else ()
    return "; ".join((error_text(error), *hints))


def bot_hints(error: BotError) -> Iterator[str]:
    """Hints for a level that is not known, a module that is not there, or a class that its module does not have."""
    from atout.bots import LEVELS

    cause = error.__cause__
    if error.code == "bot":
        name = str(error.parameters["text"])[1:-1]
        if name.isidentifier() and Path(f"{name}.py").is_file():
            yield say("cli.hint.bot.file", name=name)
        else:
            yield from _near(name, list(LEVELS))
        return
    asked = re.match(r"bot: '(.+):(\w+)' cannot be made", str(error))
    if asked is None:
        return
    module, class_name = asked.groups()
    if isinstance(cause, ModuleNotFoundError) and f"{module}.".startswith(f"{cause.name}."):
        yield say("cli.hint.bot.searched", folder=Path.cwd())
        yield from _near(module, [file.stem for file in Path.cwd().glob("*.py")])
    elif isinstance(cause, AttributeError) and isinstance(cause.obj, ModuleType) and cause.name == class_name:
        found = [name for name, one in vars(cause.obj).items() if isinstance(one, type) and hasattr(one, "choose")]
        if found:
            yield say("cli.hint.bot.classes", module=module, names=", ".join(found))


def _near(name: str, known: list[str]) -> Iterator[str]:
    """The known name that is most like a given one, if any is."""
    for one in get_close_matches(name, known, 1):
        yield say("cli.hint.bot.near", name=one)


def usage_text(message: str) -> str:
    """A message of Typer in the reader's language, if the catalogues have it."""
    texts = reader()
    for form, pattern in FORMS.items():
        found = re.fullmatch(pattern, message, re.DOTALL)
        if found is not None and texts.language != "en":
            return texts.t(f"cli.usage.{form}", **found.groupdict())
    return message


def explain(error: Any) -> None:
    """Print how the command is used and what is wrong, on standard error."""
    texts, context = reader(), getattr(error, "ctx", None)
    if texts.language == "en" or type(error).__name__ == "NoArgsIsHelpError":  # its message is the help itself
        error.show()
        return
    if context is not None:
        typer.echo(fixed_words(context.get_usage()), err=True)
        typer.echo(f"{texts.t('cli.usage.help', command=f'{context.command_path} --help')}\n", err=True)
    typer.echo(f"{texts.t('cli.word.error')} {usage_text(error.format_message())}", err=True)
