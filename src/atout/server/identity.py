"""Who asks, without passwords: a guest's id in a cookie that nobody else can make.

    atout = <guest> "." <when, in seconds> "." <HMAC-SHA-256 of both, base64url>

Keys are rotated by putting a new one first: it signs from then on, the others are still accepted.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import re
import secrets
from collections.abc import Sequence
from pathlib import Path

from atout.errors import UsageError
from atout.server.settings import ServerSettings

COOKIE = "atout"
MAX_AGE = 400 * 86_400
"""The longest browsers keep a cookie."""
KEY_BYTES = 32
_SHAPE = re.compile(r"([A-Za-z0-9_-]{16,32})\.([0-9]{1,12})\.([A-Za-z0-9_-]{43})", re.ASCII)


def new_id() -> str:
    """Unguessable: for guests, tables, links."""
    return secrets.token_urlsafe(16)


def at_device(guest: str, player: int) -> str:
    """Who plays from a guest's device: the guest, or one of those it is handed on to (a shared table)."""
    return f"{guest}+{player}" if player else guest


def owner(guest: str) -> str:
    """The guest whose device somebody plays from; ids have no plus.

    >>> owner(at_device("Wv3sM1qzX0kq8kQm", 2)), owner("Wv3sM1qzX0kq8kQm")
    ('Wv3sM1qzX0kq8kQm', 'Wv3sM1qzX0kq8kQm')
    """
    return guest.partition("+")[0]


def hashed(token: str) -> bytes:
    """How a seat link is kept."""
    return hashlib.sha256(token.encode()).digest()


class Signer:
    """Makes and checks cookies."""

    def __init__(self, keys: Sequence[bytes]) -> None:
        self._keys = list(keys)

    def sign(self, guest: str, now: float) -> str:
        text = f"{guest}.{int(now)}"
        return f"{text}.{self._mac(self._keys[0], text)}"

    def guest(self, cookie: str | None, now: float) -> str | None:
        """The guest of a cookie; None if it is not ours, or too old."""
        match = _SHAPE.fullmatch(cookie or "")
        if match is None or now - int(match[2]) > MAX_AGE:
            return None
        text = f"{match[1]}.{match[2]}"
        good = [hmac.compare_digest(self._mac(key, text), match[3]) for key in self._keys]
        return match[1] if any(good) else None

    @staticmethod
    def _mac(key: bytes, text: str) -> str:
        return base64.urlsafe_b64encode(hmac.digest(key, text.encode(), "sha256")).decode().rstrip("=")


def find_keys(settings: ServerSettings) -> list[bytes]:
    """From the settings, or from the key file, which is made if need be; nobody else may read it."""
    if settings.keys:
        return _parse(settings.keys.split(","), "keys (ATOUT_KEYS)")
    path = key_path(settings)
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        pass
    except OSError as error:
        raise UsageError(f"key_file: {path} cannot be made: {error.strerror}") from None
    else:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(secrets.token_hex(KEY_BYTES) + "\n")
    try:
        return _parse(path.read_text(encoding="ascii").split(), f"key_file: {path}")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"key_file: {path} cannot be read: {error}") from None


def key_path(settings: ServerSettings) -> Path:
    if settings.key_file:
        return Path(settings.key_file)
    if settings.database.startswith("sqlite:///"):
        return Path(settings.database.removeprefix("sqlite:///") + ".key")
    return Path("atout.key")


def _parse(texts: Sequence[str], where: str) -> list[bytes]:
    keys = [text.strip() for text in texts]
    if not keys or any(len(key) < KEY_BYTES for key in keys):
        raise UsageError(f"{where}: every key has {KEY_BYTES} letters at least; right would be random ones")
    return [key.encode() for key in keys]
