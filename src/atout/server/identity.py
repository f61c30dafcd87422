"""Guests' identities without passwords: a guest's id in a signed cookie.

    __Host-atout = <guest's id> "." <time of signing, in seconds> "." <HMAC-SHA-256 of both, base64url>
    __Host-atout = <guest's id> "~" <session> "." <time> "." <HMAC-SHA-256>             signed in to an account

Where the cookie is not for https only it is called `atout`, because browsers refuse the prefix then. `itsdangerous`
signs and checks it. Keys are rotated by putting a new one first: it signs from then on, the others are still accepted.
The database knows the keys by fingerprints, so that no server starts with others by mistake.
"""

from __future__ import annotations

import hashlib
import logging
import os
import secrets
from collections.abc import Sequence
from pathlib import Path

import itsdangerous
from msgspec import Struct

from atout.errors import UsageError
from atout.server.settings import ServerSettings
from atout.store import KeyCheck, Store
from atout.store.open import sqlite_file
from atout.store.private import make_private

log = logging.getLogger("atout.identity")

COOKIE = "atout"
SECURE_COOKIE = "__Host-atout"
"""The name of a cookie for https only: no other host, and no page without https, can set it."""
MAX_AGE = 400 * 86_400
"""Seconds a cookie is valid: as long as browsers keep it at most."""
KEY_BYTES = 32


def new_id() -> str:
    """A random id that cannot be guessed: for guests, tables and links."""
    return secrets.token_urlsafe(16)


def new_address() -> str:
    """A random address of a finished match. It is no secret, but nobody can go through all of them."""
    return secrets.token_urlsafe(9)


def hashed(token: str) -> bytes:
    """The hash under which a secret is stored, so that nobody who reads the database can use it.

    Secrets are seat links, sessions, challenges, recovery codes and the tokens in mails. They are random and long, so a
    fast hash is enough. Ids that must not tell whom they stand for are made of it as well: those of channels and of
    people in lists, which contain a guest's random id. A mail address that was refused is not random: its hash only
    keeps the address itself out of the database.
    """
    return hashlib.sha256(token.encode()).digest()


SESSION = "~"
"""Stands between a guest's id and the session in a cookie; neither contains it."""


class Identity(Struct, frozen=True):
    """Whom a cookie names: a guest and, if they have an account, the session of the device."""

    guest: str
    session: str = ""

    @property
    def session_hash(self) -> bytes:
        """Under which the session is stored; empty without one."""
        return hashed(self.session) if self.session else b""


def cookie_of(headers: Sequence[str]) -> str | None:
    """The guest's cookie in the `Cookie` headers of a request; None without one.

    If there is one with the safer name, it alone counts. If a name comes twice with different values, another host of
    the same domain may have planted one of them; nobody can tell which, so neither counts.

    >>> cookie_of(["a=1; atout=x"]), cookie_of(["atout=x; __Host-atout=y"]), cookie_of(["atout=x", "atout=z"])
    ('x', 'y', None)
    """
    pairs = [pair.strip().partition("=") for header in headers for pair in header.split(";")]
    for name in (SECURE_COOKIE, COOKIE):
        values = {value for found, _, value in pairs if found == name}
        if values:
            return values.pop() if len(values) == 1 else None
    return None


class Signer:
    """Signs and checks the cookies of guests."""

    def __init__(self, keys: Sequence[bytes]) -> None:
        newest_last = list(reversed(keys))
        self._signer = itsdangerous.Signer(newest_last, key_derivation="none", digest_method=hashlib.sha256)

    def sign(self, guest: str, now: float, session: str = "") -> str:
        """The value of a guest's cookie."""
        who = f"{guest}{SESSION}{session}" if session else guest
        return self._signer.sign(f"{who}.{int(now)}").decode()

    def guest(self, cookie: str | None, now: float) -> str | None:
        """The guest of a cookie; None if its signature is wrong, or if it is too old."""
        found = self.identity(cookie, now)
        return None if found is None else found.guest

    def identity(self, cookie: str | None, now: float) -> Identity | None:
        """Whom a cookie names; None if its signature is wrong, or if it is too old."""
        try:
            text = self._signer.unsign(cookie or "").decode()
        except itsdangerous.BadSignature:
            return None
        who, _, signed = text.rpartition(".")
        if now - int(signed) > MAX_AGE:
            return None
        guest, _, session = who.partition(SESSION)
        return Identity(guest, session)


class Challenges:
    """Makes and recognises challenges for passkeys. A challenge is signed, so that nothing is stored before its answer.

    It says for what it was made and for whose browser (`who`: the guest there, or what a cookie calls the browser). Its
    answer is accepted once.
    """

    SECONDS = 300.0

    def __init__(self, keys: Sequence[bytes]) -> None:
        self._signer = itsdangerous.Signer(list(reversed(keys)), salt="atout challenge", digest_method=hashlib.sha256)

    def make(self, purpose: str, who: str, now: float) -> bytes:
        """A new challenge."""
        return self._signer.sign(f"{purpose}~{_short(who)}~{new_id()}~{int(now)}")

    def is_good(self, challenge: bytes, purpose: str, who: str, now: float) -> bool:
        """Whether a challenge was made here, a short while ago, for this purpose and this browser."""
        try:
            text = self._signer.unsign(challenge).decode()
        except (itsdangerous.BadSignature, UnicodeDecodeError):
            return False
        made_for, guest, _, made = text.split("~")
        return (made_for, guest) == (purpose, _short(who)) and 0 <= now - int(made) <= self.SECONDS


def _short(who: str) -> str:
    return hashed(who).hex()[:16] if who else ""


CODE_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32: no letter looks like another or like a digit."""
CODE_GROUPS, CODE_GROUP = 5, 5


def new_code() -> str:
    """A recovery code of 125 random bits, in groups that can be copied by hand."""
    groups = ("".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_GROUP)) for _ in range(CODE_GROUPS))
    return "-".join(groups)


def tidied_code(text: str) -> str:
    """A recovery code as somebody typed it: case, spaces and dashes do not matter, nor letters that look like digits.

    >>> tidied_code(" abcde fghjk-mnpqr-stvwx-yzol1 ")
    'ABCDEFGHJKMNPQRSTVWXYZ011'
    """
    plain = "".join(text.upper().replace("-", "").split())
    return plain.translate(str.maketrans("OIL", "011"))


def code_hash(code: str) -> bytes:
    """What is stored of a recovery code. It has too many bits to be found by trying."""
    return hashed(f"atout recovery {tidied_code(code)}")


def find_keys(settings: ServerSettings) -> list[bytes] | None:
    """The keys of the settings, or of the key file, which only its owner may read; None if there is no such file."""
    if settings.keys:
        return _parse(settings.keys.split(","), _where(settings))
    path = key_path(settings)
    if path.exists() and not path.is_file():
        raise UsageError(f"key_file: {path} is {'a folder' if path.is_dir() else 'no regular file'}; expected a file")
    try:
        keys = _parse(path.read_text(encoding="ascii").split(), _where(settings))
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"key_file: {path} cannot be read: {error}") from None
    make_private(path)  # only now: a file without keys is somebody else's
    return keys


async def agree_on_keys(settings: ServerSettings, store: Store) -> list[bytes]:
    """The keys of this server, if they are those of the database; a missing key file is made beside a new database.

    With other keys all cookies would be void, and the server would take everybody for somebody new.
    """
    is_new = False
    keys = find_keys(settings)
    if keys is None:
        check = await store.use_keys([], True, settings.lost_key)
        if not check.is_accepted and find_keys(settings) is None:  # else another server has just made it
            raise UsageError(_refusal(f"{_where(settings)} is missing, but this database was used with a key", check))
        is_new = check.is_accepted and _make_key_file(key_path(settings))
        keys = find_keys(settings)
        assert keys is not None, "it was there a moment ago"
    check = await store.use_keys([fingerprint_of(key) for key in keys], is_new, settings.lost_key)
    if check.is_retired:
        message = f"{_where(settings)}: the first key was replaced by a later one ({check.name}); list that one first"
        raise UsageError(f"{message}. Other servers do not accept what the old one signs")
    if not check.is_accepted:
        if is_new:
            key_path(settings).unlink()
        raise UsageError(_refusal(f"{_where(settings)}: this database was used with another key", check))
    if check.is_given_up:
        log.warning("the key that signs cookies was replaced; all guests without an account are gone")
    return keys


def fingerprint_of(key: bytes) -> bytes:
    """What the database knows of a key. Nobody can compute the key, or sign a cookie, from it."""
    return hashlib.sha256(b"atout cookie key\0" + key).digest()


def _where(settings: ServerSettings) -> str:
    return "keys (ATOUT_KEYS)" if settings.keys else f"key_file: {key_path(settings)}"


def _refusal(what: str, check: KeyCheck) -> str:
    """Why the server does not start, and what helps."""
    return (
        f"{what} ({check.name}); without that one its guests lose their names, seats and matches. Put the right key "
        "file back, or set ATOUT_KEYS to its key. If nobody has that key any more, start once with "
        f"ATOUT_LOST_KEY={check.name}: all guests without an account are then new guests, and accounts sign in again"
    )


def _make_key_file(path: Path) -> bool:
    """Make a file with a new key; False if another process did so just now."""
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return False
    except OSError as error:
        raise UsageError(f"key_file: {path} cannot be made: {error.strerror}") from None
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(secrets.token_hex(KEY_BYTES) + "\n")
    except OSError as error:
        path.unlink()  # a file without a key would look like one that was lost
        raise UsageError(f"key_file: {path} cannot be written: {error.strerror}; expected room for it") from None
    return True


def key_path(settings: ServerSettings) -> Path:
    if settings.key_file:
        return Path(settings.key_file)
    named = sqlite_file(settings.database)
    if named is None:
        return Path("atout.key")
    beside = Path(f"{named}.key")  # a key that was made beside a symbolic link stays valid
    if named.is_symlink() and not beside.exists():
        return Path(os.path.realpath(named) + ".key")
    return beside


def _parse(texts: Sequence[str], where: str) -> list[bytes]:
    keys = [text.strip() for text in texts]
    if not any(keys):
        raise UsageError(f"{where} has no key in it; put the one back with which this database was used")
    if any(len(key) < KEY_BYTES for key in keys):
        raise UsageError(f"{where}: every key has {KEY_BYTES} letters at least; use random ones")
    return [key.encode() for key in keys]
