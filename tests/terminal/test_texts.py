"""Every text that the terminal and the paper name is in the catalogues, in all languages."""

from __future__ import annotations

import re
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
