"""Help for a newcomer: a welcome, a lesson when a decision comes up for the first time, the commands."""

from __future__ import annotations

from atout.game.view import SECRET_NAMES
from atout.i18n import Texts
from atout.terminal.describe import Scene, letters
from atout.terminal.lines import TOGETHER
from atout.terminal.phrases import without_accents

COMMANDS = ("hint", "view", "undo", "save", "quit", "help")
"""Their English words, which are understood in every language."""
AT_SERVER = ("hint", "view", "undo", "yes", "no", "quit", "help")
"""The same at a server's table; `yes` and `no` answer a proposal."""
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
    if word in ("q", "exit"):
        return "quit"
    known = (*COMMANDS, *AT_SERVER, REVIEW)
    names = {without_accents(texts.t(f"terminal.plain.command.{command}")): command for command in known}
    names |= {command: command for command in known}
    if word in names:
        return names[word]
    begun = {command for name, command in names.items() if len(word) >= SHORTEST and name.startswith(word)}
    return begun.pop() if len(begun) == 1 else ""


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
        parts.append(scene.text("nichtig-teams"))
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
    """Everything that may be typed, a line each. Some commands mean something else at a server's table."""
    lines = [scene.text("can-type")]
    lines.append("  " + scene.titled(scene.text("help.number"), scene.text("help.number.text")))
    lines.append("  " + scene.titled(scene.text("help.words"), scene.text("help.words.text", example=example)))
    lines.append("  " + scene.titled("?", scene.text("help.ask.text")))
    known = AT_SERVER if at_server else COMMANDS
    for command in known:
        word = command_word(scene, command) + (f" [{scene.text('file')}]" if command == "save" else "")
        where = "server" if at_server and command in ("undo", "quit", "yes", "no") else "text"
        lines.append("  " + scene.titled(word, scene.text(f"help.{command}.{where}")))
    if command_word(scene, "help") != "help":
        lines.append(scene.text("help.english", words=", ".join(known)))
    return lines
