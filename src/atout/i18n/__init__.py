"""Texts in three languages, for the terminal and for paper: the page's own catalogues, and a few texts it lacks.

`data/page.<language>.json` is written from the page's catalogues (`python -m atout.web_export`): a text is translated
once. `data/terminal.<language>.json` has what only the terminal and the paper say; its keys begin with `terminal.` or
`paper.`. `data/cli.<language>.json` has the help and the errors of the command line (`cli.`), and
`data/mail.<language>.json` what the server writes in mails (`mail.`).
The functions are those of the page (`web/src/i18n/index.svelte.ts`).
"""

from __future__ import annotations

import errno
import json
import os
import re
import socket
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources

from atout.errors import UsageError

LANGUAGES = ("en", "fr", "de")
AND = {"en": "and", "fr": "et", "de": "und"}
HOLE = re.compile(r"\{(\w+)\}")
BEFORE_A_NAME = re.compile(r"(\bd|qu)e \{(who|name|author)\}", re.IGNORECASE)
IS_ELIDED = re.compile(r"[aeiouœæ]|h[eiouœy]|y[^aeiouy]")
"""Names before which French drops a vowel: those that begin with one, or with an h that is not heard."""


@cache
def catalogue(language: str) -> Mapping[str, str]:
    """All texts of a language by key."""
    folder = resources.files(__package__).joinpath("data")
    texts: dict[str, str] = {}
    for part in ("page", "terminal", "cli", "mail"):
        texts |= json.loads(folder.joinpath(f"{part}.{language}.json").read_text(encoding="utf-8"))
    return texts


def preferred(wanted: str | None = None, environment: Mapping[str, str] | None = None) -> str:
    """The language asked for, else that of the environment, else English.

    >>> preferred("de"), preferred(None, {"LANG": "fr_CH.UTF-8"}), preferred(None, {"LANG": "C"})
    ('de', 'fr', 'en')
    """
    if wanted is not None:
        if wanted not in LANGUAGES:
            raise UsageError(say("cli.error.language", text=repr(wanted[:20]), allowed=", ".join(LANGUAGES)))
        return wanted
    variables = os.environ if environment is None else environment
    for name in ("ATOUT_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        if variables.get(name):
            tag = variables[name][:2].lower()
            return tag if tag in LANGUAGES else "en"
    return "en"


class Texts:
    """The texts of one language.

    >>> texts = Texts("de")
    >>> texts.t("prompt.veto"), texts.count("count.tricks", 1), texts.listed(["Ada", "Jonas", "Ines"])
    ('Dein Veto', '1 Stich', 'Ada, Jonas und Ines')
    """

    def __init__(self, language: str = "en") -> None:
        self.language = language
        self._texts = catalogue(language)

    def has(self, key: str) -> bool:
        return key in self._texts

    def t(self, key: str, **values: object) -> str:
        """The text of a key, with `{name}` filled in."""
        text = self._texts[key]
        return fill(elided(text, values) if self.language == "fr" else text, values)

    def count(self, key: str, n: float, **values: object) -> str:
        """The text for a number of things, in the plural form of the language."""
        one = abs(n) < 2 if self.language == "fr" else abs(n) == 1
        return self.t(f"{key}.{'one' if one else 'other'}", n=self.number(n), **values)

    def sentence(self, key: str, who: str | None, **values: object) -> str:
        """A sentence about somebody: its `.you` form for the reader (None), its `.name` form for anybody else."""
        return self.t(f"{key}.you", **values) if who is None else self.t(f"{key}.name", who=who, **values)

    def number(self, n: float, places: int | None = None) -> str:
        """A number with a real minus sign and the language's decimal sign; with so many places, if they are given."""
        text = f"{n:.{places}f}" if places is not None else f"{n:g}" if isinstance(n, float) else str(n)
        return text.replace("-", "−").replace(".", "." if self.language == "en" else ",")

    def listed(self, words: Iterable[str]) -> str:
        *first, last = list(words) or [""]
        return f"{', '.join(first)} {AND[self.language]} {last}" if first else last


_reader = "en"


def speak(language: str) -> None:
    """From now on `say` answers in this language. Only a command line calls it, once; a server and a library do not."""
    global _reader
    _reader = language


def reader() -> Texts:
    """The texts of the language that the process speaks; English unless somebody asked for another."""
    return Texts(_reader)


def say(key: str, **values: object) -> str:
    """A text in the language that the process speaks: errors, and what a command reports."""
    return reader().t(key, **values)


REASONS = {
    errno.ENOENT: "missing",
    errno.EACCES: "forbidden",
    errno.EPERM: "forbidden",
    errno.EISDIR: "folder",
    errno.ENOTDIR: "no-folder",
    errno.ENOSPC: "full",
    errno.EDQUOT: "quota",
    errno.EFBIG: "large",
    errno.EROFS: "read-only",
    errno.ENAMETOOLONG: "long",
    errno.EBADF: "closed",
    errno.ECONNREFUSED: "refused",
    errno.ETIMEDOUT: "timeout",
}
"""Why a file or a connection cannot be used: the errors of the operating system that have a text (`cli.reason.…`)."""


def reason_of(error: BaseException) -> str:
    """Why something outside failed, in the language that the process speaks; else in the system's own words.

    >>> reason_of(FileNotFoundError(2, "ENOENT")), reason_of(ValueError("bad")), reason_of(OSError(5, "Input error"))
    ('No such file or directory', 'bad', 'Input error')
    """
    inner = getattr(error, "reason", None)  # of an error of urllib
    if isinstance(inner, Exception):
        return reason_of(inner)
    if not isinstance(error, OSError):
        return str(error)
    if isinstance(error, socket.gaierror):
        return say("cli.reason.address")
    if isinstance(error, TimeoutError):
        return say("cli.reason.timeout")
    name = REASONS.get(error.errno or 0)
    return say(f"cli.reason.{name}") if name else str(error.strerror or error)


def elided(text: str, values: Mapping[str, object]) -> str:
    """French: `de {who}` becomes `d’{who}`, and `que {who}` becomes `qu’{who}`, where the name wants it.

    >>> [elided("choix de {who}", {"who": name}) for name in ("Inès", "Élodie", "Hugo", "Bruno", "Hans", "Yann")]
    ['choix d’{who}', 'choix d’{who}', 'choix d’{who}', 'choix de {who}', 'choix de {who}', 'choix de {who}']
    """

    def shortened(found: re.Match[str]) -> str:
        name = unicodedata.normalize("NFD", str(values.get(found[2], ""))).casefold()
        plain = "".join(letter for letter in name if not unicodedata.combining(letter))
        return f"{found[1]}’{{{found[2]}}}" if IS_ELIDED.match(plain) else found[0]

    return BEFORE_A_NAME.sub(shortened, text)


def fill(text: str, values: Mapping[str, object]) -> str:
    return HOLE.sub(lambda hole: str(values.get(hole[1], hole[0])), text)
