"""Help for a newcomer: a welcome, a lesson when a decision comes up for the first time, the commands."""

from __future__ import annotations

from atout.game.view import SECRET_NAMES
from atout.i18n import Texts
from atout.terminal.describe import Scene, letters, teams
from atout.terminal.lines import TOGETHER
from atout.terminal.phrases import without_accents

COMMANDS = ("hint", "view", "undo", "save", "quit", "help")
"""Their English words, which are understood in every language."""
PARTS = ("board", "piles", "hand", "last", "scores")
"""Commands for one part of the situation; `describe.part` has their answers."""
TABLE = ("pause", "resume", "abandon", "bot", "back")
"""Commands for what is agreed at a server's table."""
AT_SERVER = ("hint", "view", "undo", "yes", "no", *TABLE, "quit", "help")
"""The commands at a server's table; `yes` and `no` answer a proposal."""
REVIEW = "review"
"""The command that is offered after the end of a match."""
SHORTEST = 3
"""A command may be shortened to this many letters, if no other command begins with them."""


def command_word(scene: Scene, command: str) -> str:
    """The word of a command in the reader's language."""
    return scene.text(f"command.{command}")


def command_of(texts: Texts, typed: str) -> str:
    """The English word of the command that is typed, in the reader's language or in English; empty if it is none.

    >>> [command_of(Texts("de"), word) for word in ("Hilfe", "zuruck", "hint", "tip", "trumpf")]
    ['help', 'undo', 'hint', 'hint', '']
    """
    word = without_accents(typed)
    known = dict.fromkeys((*COMMANDS, *PARTS, *AT_SERVER, REVIEW))
    names = {without_accents(other): command for command in known for other in also(texts, command)}
    names |= {without_accents(texts.t(f"terminal.plain.command.{command}")): command for command in known}
    if word in names:
        return names[word]
    if word in known:
        return word
    first = [(without_accents(texts.t(f"terminal.plain.command.{command}")), command) for command in known]
    words = [*first, *((command, command) for command in known)]
    begun = {command for name, command in words if len(word) >= SHORTEST and name.startswith(word)}
    return begun.pop() if len(begun) == 1 else ""


def also(texts: Texts, command: str) -> list[str]:
    """Other words for a command; unlike its own word they cannot be shortened.

    >>> also(Texts(), "quit"), also(Texts(), "undo")
    (['q', 'exit', 'leave'], ['takeback'])
    """
    key = f"terminal.plain.also.{command}"
    return texts.t(key).split(", ") if texts.has(key) else []


def welcome(scene: Scene) -> list[str]:
    """The game in a few lines."""
    view, edition, texts = scene.view, scene.edition, scene.words.texts
    if view["target"]:
        length = texts.count("terminal.show.to", view["target"])
    else:
        length = texts.count("terminal.show.rounds", view["rounds"] or 0)
    lines = [
        scene.text("title", edition=edition.name, n=view["players"], length=length),
        scene.text("at-table", names=scene.listed([_introduced(scene, seat) for seat in range(view["players"])])),
        _njet(scene) if edition.is_njet else _nichtig(scene),
        letters(scene),
    ]
    if not scene.levels or "" in scene.levels:
        lines.append(scene.text("intro", hint=command_word(scene, "hint"), help=command_word(scene, "help")))
    return lines


def _introduced(scene: Scene, seat: int) -> str:
    """A name, for a bot with its level."""
    level = scene.levels[seat] if seat < len(scene.levels) else ""
    key = f"level.{level}"
    shown = scene.words.t(key) if scene.words.texts.has(key) else level
    return f"{scene.label(seat)}{TOGETHER}({shown})" if level else scene.label(seat)


def _njet(scene: Scene) -> str:
    parts = [scene.text("njet", low=scene.edition.deck.low)]
    if scene.view["players"] > 2:
        parts.append(scene.text("njet-sides"))
    return " ".join([*parts, scene.text("most-wins")])


def _nichtig(scene: Scene) -> str:
    parts = [scene.text("nichtig"), scene.text("most-wins")]
    if scene.view["options"].get("teams"):
        parts += [scene.text("nichtig-teams"), *teams(scene)]
    return " ".join(parts)


def lesson(scene: Scene) -> str:
    """What the decision of this phase is about, for somebody who sees it for the first time."""
    phase, low, owed = scene.view["phase"], scene.edition.deck.low, scene.view["owed"]
    if phase in SECRET_NAMES:
        return scene.words.amount(f"lesson.{phase}", owed, who=scene.left())
    return scene.text("lesson.play-piles" if phase == "play" and low is None else f"lesson.{phase}", low=low)


def task(scene: Scene) -> str:
    """The decision in one line."""
    view = scene.view
    parts = [scene.text(f"task.{view['phase']}", who=scene.left())]
    if view["phase"] == "play" and not view["trick"]:
        parts.insert(0, scene.text("task.lead"))
    if view["owed"] > 1:
        parts.append(scene.text("task.left", n=view["owed"]))
    return " ".join(parts)


def commands(scene: Scene, example: str, at_server: bool = False) -> list[str]:
    """Everything that may be typed, a line each. Some commands mean something else at a server's table.

    Without an example there is nothing to choose now.
    """
    lines = [scene.text("can-type")]
    if example:
        lines.append("  " + scene.titled(scene.text("help.number"), scene.text("help.number.text")))
        lines.append("  " + scene.titled(scene.text("help.words"), scene.text("help.words.text", example=example)))
        lines.append("  " + scene.titled("?", scene.text("help.ask.text")))
    known = [*(AT_SERVER if at_server else COMMANDS)]
    known[2:2] = [part for part in PARTS if part != ("piles" if scene.edition.is_njet else "board")]
    lines += ["  " + _command(scene, command, at_server) for command in known]
    lines.append(scene.text("help.short"))
    if command_word(scene, "help") != "help":
        lines.append(scene.text("help.english", words=", ".join(known)))
    return lines


def _command(scene: Scene, command: str, at_server: bool) -> str:
    """A command with what it takes, its other words, and what it does."""
    word = command_word(scene, command)
    takes = {"save": "file", "bot": "who", "pause": "days"}.get(command)
    if takes is not None:
        word += f" [{scene.text(takes)}]"
    if others := also(scene.words.texts, command):
        word += f" ({scene.text('help.also', words=', '.join(others))})"
    where = "server" if at_server and scene.words.texts.has(f"terminal.plain.help.{command}.server") else "text"
    return scene.titled(word, scene.text(f"help.{command}.{where}"))
