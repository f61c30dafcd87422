"""Loading editions: the four that come with Atout, and house rules from a file.

A file with house rules may start from a published edition and give only what differs:

    id = "niet-no-trump"
    base = "niet-2015"
    name = "Niet! with a no-trump cell"

    [board]
    trump = ["red", "yellow", "blue", "green", "none"]
"""

from __future__ import annotations

import copy
import tomllib
from functools import cache
from importlib import resources
from itertools import islice
from pathlib import Path
from threading import Lock
from typing import Any

import msgspec

from atout.editions.checks import check
from atout.editions.explain import explain, shown
from atout.editions.schema import Edition
from atout.errors import EditionError

PUBLISHED = ("njet-1997", "njet-2007", "niet-2015", "nichtig")
MOST_PROBLEMS = 20
MAX_PROBLEM = 200
"""Letters that a problem is told with."""
MAX_FILE = 64 * 1024
"""The largest file that is read, in bytes."""
MAX_DEPTH = 16
"""How deep tables and lists may be nested; editions have less than half of that."""
MAX_VALUES = 1000
"""Fields and entries of lists in all; editions have less than half of that."""


@cache
def _published_tree(name: str) -> dict[str, Any]:
    text = resources.files(__package__).joinpath("data", f"{name}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


_CONVERTING = Lock()
"""msgspec looks into a type at its first use, and two threads that do so at once end the process."""


@cache
def published(name: str) -> Edition:
    """One of the four published editions, by its permanent id."""
    if name not in PUBLISHED:
        allowed = ", ".join(PUBLISHED)
        raise EditionError(
            f"edition: {name!r} is not known; allowed: {allowed}, or the path of a .toml file",
            "edition",
            text=repr(name[:40]),
            allowed=allowed,
        )
    return _build(_published_tree(name), name)


def load(name: str | Path) -> Edition:
    """An edition by its id, or from a file."""
    file = file_of(name)
    return published(str(name)) if file is None else load_file(file)


def file_of(name: str | Path) -> Path | None:
    """The file that is meant, if the name ends in `.toml` or has a path separator; None for an id.

    >>> file_of("niet-2015"), file_of("house.toml")
    (None, PosixPath('house.toml'))
    """
    text = str(name)
    is_file = isinstance(name, Path) or text.endswith(".toml") or "/" in text or "\\" in text
    return Path(name) if is_file else None


def edition_name(id: str) -> str:
    """The name of an edition, as on the page: with its year, if the game has several. House rules have their id.

    >>> edition_name("niet-2015"), edition_name("nichtig"), edition_name("my-own-rules")
    ('Niet! 2015', 'Null & nichtig', 'my-own-rules')
    """
    if id not in PUBLISHED:
        return id[:40]
    name, year = published(id).name, id.rpartition("-")[2]
    return f"{name} {year}" if year.isdecimal() and year not in name else name


def load_file(path: Path) -> Edition:
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_FILE + 1)
    except OSError as error:
        message = f"{path}: cannot be read: {error.strerror or error}"
        raise EditionError(message, "read", path=path, reason=error) from None
    if len(raw) > MAX_FILE:
        raise EditionError(f"{path}: larger than {MAX_FILE // 1024} KiB; an edition is a page of TOML")
    try:
        tree = tomllib.loads(raw.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise EditionError(f"{path}: not UTF-8 text: byte {error.start} is {raw[error.start]:#04x}") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise EditionError(f"{path}: not TOML: {error}") from None
    return from_tree(tree, str(path))


def from_tree(tree: dict[str, Any], source: str) -> Edition:
    """An edition from plain data; every error message begins with `source`."""
    check_size(tree, source)
    tree = dict(tree)
    base = tree.pop("base", None)
    if base is not None:
        if base not in PUBLISHED:
            raise EditionError(f"{source}: base: {shown(base)} is not known; allowed: {', '.join(PUBLISHED)}")
        if tree.get("id") is None:
            raise EditionError(f"{source}: id: missing; house rules need an id of their own")
        if tree.get("game", _published_tree(base)["game"]) != _published_tree(base)["game"]:
            raise EditionError(f"{source}: game: {shown(tree['game'])} is not the game of its base {base}")
        tree = _merged(_published_tree(base), tree)
    edition = _build(tree, source, base)
    if edition.id in PUBLISHED and edition != published(edition.id):
        raise EditionError(
            f"{source}: id: {edition.id!r} belongs to the published edition; choose another id for house rules"
        )
    return edition


def check_size(tree: dict[str, Any], source: str) -> None:
    """Refuse what is deeper or larger than any edition, before anything else looks at it: it may come from anybody."""
    level: list[Any] = [tree]
    values = 0
    for _ in range(MAX_DEPTH):
        values += sum(map(len, level))
        if values > MAX_VALUES:
            raise EditionError(f"{source}: more than {MAX_VALUES} fields and entries of lists in all are not allowed")
        inside = [one.values() if isinstance(one, dict) else one for one in level]
        level = [value for values_of_one in inside for value in values_of_one if isinstance(value, dict | list)]
        if not level:
            return
    raise EditionError(f"{source}: tables or lists are nested more than {MAX_DEPTH} deep; allowed: {MAX_DEPTH} at most")


def to_tree(edition: Edition) -> dict[str, Any]:
    """Plain data that `from_tree` reads back; this is how a record carries house rules."""
    tree: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(edition))
    return tree


def _merged(base: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    """Tables are merged, everything else is replaced."""
    result = dict(base)
    for key, value in change.items():
        old = result.get(key)
        result[key] = _merged(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return result


def _build(tree: dict[str, Any], source: str, base: str | None = None) -> Edition:
    """The edition; all mistakes are named at once."""
    problems: list[str] = []
    edition: Edition | None = None
    model = _published_tree(base) if base else {}
    with _CONVERTING:
        while edition is None:
            try:
                edition = msgspec.convert(tree, Edition)
            except msgspec.ValidationError as error:
                problem = explain(error, tree, Edition)
                if problem in problems or len(problems) == MOST_PROBLEMS:
                    break
                if not problems:
                    tree = copy.deepcopy(tree)  # it is repaired, to look for further mistakes
                problems.append(problem)
                if not _repair(tree, problem, model):
                    break
    if edition is not None:
        problems += islice(check(edition), MOST_PROBLEMS - len(problems))
    if not problems:
        assert edition is not None
        return edition
    if base is None and any(": missing" in problem for problem in problems) and source not in PUBLISHED:
        hint = f'base: not given; to change only some rules, begin with base = "{PUBLISHED[-2]}"'
        problems = [*problems[: MOST_PROBLEMS - 1], hint]
    problems = [one if len(one) <= MAX_PROBLEM else one[: MAX_PROBLEM - 1] + "…" for one in problems]
    raise EditionError(f"{source}: " + ("\n  " if len(problems) > 1 else "").join(["", *problems]))


def _repair(tree: dict[str, Any], problem: str, base: dict[str, Any]) -> bool:
    """Replace the field of a problem by that of the base, or take it out; False if that fails."""
    steps = problem.partition(": ")[0].partition("[")[0].split(".")
    inner, model = tree, base
    for step in steps[:-1]:
        if not isinstance(inner.get(step), dict):
            return False
        inner, model = inner[step], model.get(step, {}) if isinstance(model, dict) else {}
    if isinstance(model, dict) and steps[-1] in model:
        inner[steps[-1]] = copy.deepcopy(model[steps[-1]])
    elif steps[-1] in inner:
        del inner[steps[-1]]
    else:
        return False
    return True
