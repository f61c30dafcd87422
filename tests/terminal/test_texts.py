"""Every text that the terminal and the paper name is in the catalogues, in all languages."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import atout
from atout.i18n import LANGUAGES, Texts

ROOT = Path(atout.__file__).parent
NAMED = re.compile(r'\.(t|count|sentence)\(\s*"([a-z0-9.-]+)"')
FORMS = {"t": ("",), "count": (".one", ".other"), "sentence": (".you", ".name")}
KEYS = sorted(
    {
        f"{key}{form}"
        for folder in ("terminal", "paper", "cli")
        for path in (ROOT / folder).rglob("*.py")
        for kind, key in NAMED.findall(path.read_text(encoding="utf-8"))
        if "." in key
        for form in FORMS[kind]
    }
)
PLAIN = re.compile(r'(?:\.(text|plain|amount|say)|\._(t))\(\s*f?"([a-z0-9.-]+)"')
"""Texts of the match line by line, whose keys begin with `terminal.plain.`."""
PLAIN_FORMS = {"amount": FORMS["count"], "say": FORMS["sentence"]}
PLAIN_FILES = ("describe", "events", "guide", "choices", "explain", "hint", "session", "plain", "words")
PLAIN_KEYS = sorted(
    {
        f"terminal.plain.{key}{form}"
        for name in PLAIN_FILES
        for kind, other, key in PLAIN.findall((ROOT / "terminal" / f"{name}.py").read_text(encoding="utf-8"))
        for form in PLAIN_FORMS.get(kind or other, ("",))
    }
)
BY_PHASE = [
    *(f"prompt.{phase}" for phase in ("veto", "veto.note", "team", "team.note", "double", "double.note", "lay")),
    *(f"prompt.{phase}.{form}" for phase in ("discard", "pass") for form in ("one", "other")),
    *(f"prompt.waiting.{phase}" for phase in ("veto", "team", "double", "discard", "pass", "lay", "play")),
]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_is_there(language: str) -> None:
    texts = Texts(language)
    assert len(KEYS) > 60
    assert len(PLAIN_KEYS) > 60
    assert [key for key in (*KEYS, *PLAIN_KEYS, *BY_PHASE) if not texts.has(key)] == []


FRONTS = ("terminal.", "terminal.plain.", "terminal.review.")
WRAPPERS = {f"{re.escape(front)}.+" for front in FRONTS}


def patterns_of_keys() -> Iterator[str]:
    """Every string of the package that may be a key, as a regular expression; what an f-string fills in is anything."""
    for path in ROOT.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and re.fullmatch("[a-z0-9.-]+", node.value)
            ):
                yield re.escape(node.value)
            elif isinstance(node, ast.JoinedStr):
                parts = [re.escape(str(one.value)) if isinstance(one, ast.Constant) else ".+" for one in node.values]
                pattern = "".join(parts)
                if re.match(r"[a-z-]{3}", pattern) and pattern not in WRAPPERS:
                    yield pattern


def test_every_text_of_terminal_and_paper_is_used() -> None:
    """A key is asked for as a whole, or without the front that a function of the terminal adds."""
    used = re.compile("|".join(f"(?:{one})" for one in set(patterns_of_keys())))
    unused = []
    for key in json.loads((ROOT / "i18n" / "data" / "terminal.en.json").read_text(encoding="utf-8")):
        asked = re.sub(r"\.(one|other|you|name)$", "", key)
        if not any(used.fullmatch(one.removeprefix(front)) for one in (key, asked) for front in ("", *FRONTS)):
            unused.append(key)
    assert unused == []
