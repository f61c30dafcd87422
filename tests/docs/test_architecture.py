"""docs/architecture.md matches the code: files, functions, packages and folders exist, and a walk stays short."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from tests.docs.test_docs import ROOT

PAGE = ROOT / "docs" / "architecture.md"
TEXT = PAGE.read_text(encoding="utf-8")
PACKAGE = ROOT / "src" / "atout"
WALKS = re.findall(r"^## (One .+)$", TEXT, re.MULTILINE)
MAX_LINES = 20
MENTION = re.compile(r"`([a-z_0-9/]+\.py)(?::([A-Za-z_.]+))?`")
MENTIONS = sorted(set(MENTION.findall(TEXT)))
WEB_MENTION = re.compile(r"`(web/[A-Za-z_0-9./]+\.(?:svelte|ts|js))(?::([A-Za-z_.]+))?`")
WEB_MENTIONS = sorted(set(WEB_MENTION.findall(TEXT)))


@cache
def names_in(file: Path) -> set[str]:
    """Everything a file defines at its top level, and `Class.name` for everything in its classes."""
    names: set[str] = set()

    def collect(body: list[ast.stmt], prefix: str) -> None:
        for node in body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                names.add(prefix + node.name)
            if isinstance(node, ast.ClassDef):
                collect(node.body, f"{prefix}{node.name}.")
            if isinstance(node, ast.Assign | ast.AnnAssign):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                names.update(prefix + target.id for target in targets if isinstance(target, ast.Name))

    collect(ast.parse(file.read_text(encoding="utf-8")).body, "")
    return names


@pytest.mark.parametrize(("file", "name"), MENTIONS, ids=lambda part: part or "file")
def test_every_file_and_function_exists(file: str, name: str) -> None:
    path = PACKAGE / file
    assert path.is_file(), file
    if name:
        assert name in names_in(path), f"{file} has no {name}"


def is_defined(name: str, code: str) -> bool:
    """Whether TypeScript exports a name, or has a class with such a method: `Class.method`."""
    name, _, method = name.partition(".")
    exported = re.search(rf"^export (async )?(function|const|class|interface|type) {name}\b", code, re.MULTILINE)
    is_there = re.compile(rf"^  (async )?{method}\(", re.MULTILINE).search
    return bool(exported and (not method or is_there(code, exported.end())))


@pytest.mark.parametrize(("file", "name"), WEB_MENTIONS, ids=lambda part: part or "file")
def test_every_file_and_function_of_the_page_exists(file: str, name: str) -> None:
    path = ROOT / file
    assert path.is_file(), file
    if name:
        assert is_defined(name, path.read_text(encoding="utf-8")), f"{file} has no {name}"


def test_mentions_are_found() -> None:
    assert len(MENTIONS) > 40
    assert ("game/game.py", "Game.play") in MENTIONS
    assert ("web/src/server/connection.ts", "Connection.do") in WEB_MENTIONS
    assert {file.partition(".")[2] for file, _ in WEB_MENTIONS} >= {"svelte", "ts"}
    every = set(re.findall(r"`((?:web/)?[\w/.]+\.(?:py|svelte|ts|js))\b", TEXT))
    assert every == {file for file, _ in [*MENTIONS, *WEB_MENTIONS]}, "no name of a file is left unchecked"


def test_every_walk_is_announced() -> None:
    assert len(WALKS) >= 6
    begin = TEXT.partition("\n## ")[0]
    for page in ("README.md", "CONTRIBUTING.md"):
        text = " ".join((ROOT / page).read_text(encoding="utf-8").split())
        assert [walk for walk in WALKS if walk.lower() not in text] == [], page
    assert [walk for walk in WALKS if f"[{walk.lower()}](#{walk.lower().replace(' ', '-')})" not in begin] == []


@pytest.mark.parametrize("title", WALKS)
def test_a_walk_is_short(title: str) -> None:
    section = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", TEXT, re.MULTILINE | re.DOTALL)
    assert section, title
    steps = [line for line in section[1].splitlines() if line.strip()]
    assert steps
    assert len(steps) <= MAX_LINES


def test_every_package_is_on_the_map() -> None:
    packages = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    rows = set(re.findall(r"^\| `(\w+)` \|", TEXT, re.MULTILINE))
    assert packages <= rows
    picture = set(re.findall(r"\w+", re.findall(r"```\n(.*?)```", TEXT, re.DOTALL)[0]))
    assert packages <= picture


def test_every_row_of_the_map_exists() -> None:
    rows = re.findall(r"^\| `(\w+)` \|", TEXT, re.MULTILINE)
    missing = [row for row in rows if not ((PACKAGE / row).is_dir() or (PACKAGE / f"{row}.py").is_file())]
    assert missing == []
