"""Cookies that identify guests: signed, limited in age, and valid across versions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from atout.server.identity import MAX_AGE, Signer

OLD: dict[str, Any] = json.loads((Path(__file__).parents[1] / "store" / "data" / "old.json").read_text())
KEY = b"k" * 32
GUEST = "Wv3sM1qzX0kq8kQm-_abcd"


def test_cookies_of_an_older_version_are_valid() -> None:
    """Signed by commit b804688, before itsdangerous signed them."""
    signer = Signer([OLD["key"].encode()])
    for cookie in OLD["cookies"].values():
        guest, signed, _ = cookie.split(".")
        assert signer.guest(cookie, float(signed)) == guest
        assert signer.sign(guest, float(signed)) == cookie, "and an older version accepts what is signed today"


def test_a_cookie_is_valid_for_some_time() -> None:
    signer = Signer([KEY])
    cookie = signer.sign(GUEST, 1000.9)
    assert signer.guest(cookie, 1000.0 + MAX_AGE) == GUEST
    assert signer.guest(cookie, 1001.0 + MAX_AGE) is None


@pytest.mark.parametrize(
    "cookie", [None, "", ".", "..", "a.b.c", "é.1.é", f"{GUEST}.1000", f"{GUEST}.1000.", "x" * 9999]
)
def test_what_is_not_signed_is_nobody(cookie: str | None) -> None:
    assert Signer([KEY]).guest(cookie, 1000.0) is None


def test_every_changed_character_breaks_the_signature() -> None:
    signer = Signer([KEY])
    cookie = signer.sign(GUEST, 1000.0)
    for i, character in enumerate(cookie[:-1]):  # the last one holds two unused bits
        changed = cookie[:i] + ("A" if character != "A" else "B") + cookie[i + 1 :]
        assert signer.guest(changed, 1000.0) is None
