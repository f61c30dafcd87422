"""The man page, from the same texts as `--help`: `python -m atout.cli.man` writes docs/atout.1."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer
from typer.main import get_group

from atout.cli import app
from atout.cli.examples import EXAMPLES, EXIT_CODES
from atout.cli.help import translate
from atout.i18n import say, speak

PAGE = Path("docs/atout.1")


def man_page() -> str:
    """The page in the language of troff."""
    speak("en")
    group: Any = get_group(app)
    translate(group, "atout")
    lines = ['.TH ATOUT 1 "" "Atout" "User Commands"', ".SH NAME", "atout \\- Njet! and Null & nichtig"]
    lines += [".SH SYNOPSIS", ".B atout", "COMMAND [OPTIONS]", ".SH DESCRIPTION", _escaped(group.help or "")]
    lines.append(".SH COMMANDS")
    for name, command in _commands(group):
        lines += _command(name, command)
    lines.append(".SH EXIT STATUS")
    for code in EXIT_CODES:
        lines += [".TP", f".B {code}", _escaped(say(f"cli.exit.{code}"))]
    lines += [".SH ENVIRONMENT", ".TP", ".B ATOUT_LANGUAGE, LANG", "Language of the terminal: en, fr or de."]
    lines += [".TP", ".B NO_COLOR", "No colours; letters and symbols say the same."]
    return "\n".join(lines) + "\n"


def _commands(group: Any) -> list[tuple[str, Any]]:
    found = []
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            found += [(f"{name} {inner}", one) for inner, one in command.commands.items()]
        else:
            found.append((name, command))
    return found


def _command(name: str, command: Any) -> list[str]:
    translate(command, name)
    lines = [f".SS atout {name}", _escaped(" ".join((command.help or "").split()))]
    for one in command.params:
        if one.param_type_name == "argument" or getattr(one, "hidden", False) or one.name == "help":
            continue
        lines += [".TP", f".B {_escaped(', '.join(one.opts))}", _escaped(one.help or "")]
    lines += [".PP", "Examples:", ".nf", *(_escaped(f"  {line}") for line in EXAMPLES.get(name, ())), ".fi"]
    return lines


def _escaped(text: str) -> str:
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{text}" if text.startswith((".", "'")) else text


def main() -> None:
    PAGE.write_text(man_page(), encoding="utf-8")
    typer.echo(f"written to {PAGE}")


if __name__ == "__main__":
    main()
