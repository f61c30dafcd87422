"""Errors of a command line in the reader's language.

Typer explains mistakes in a command line in English. The frequent ones have a text in the catalogues (`cli.usage.…`);
others stay as Typer writes them. Errors of the library have a code where a player meets them (`cli.error.…`).
"""

from __future__ import annotations

import re
from typing import Any

import typer

from atout.cli.help import fixed_words
from atout.errors import AtoutError
from atout.i18n import reader, reason_of

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
