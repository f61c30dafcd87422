"""Passkeys (WebAuthn), by the library `webauthn`, which is imported when the first passkey is used.

begin:   options with a signed challenge ──► the browser asks its authenticator ──► a credential as JSON
finish:  challenge made here, for this browser, not answered before ─► origin, host, signature, counter (library)
"""

from __future__ import annotations

import hashlib
import ipaddress
import json
from collections.abc import Sequence
from typing import Any

import msgspec

from atout.errors import UsageError
from atout.server.errors import ApiError
from atout.server.http.hosts import name_of
from atout.server.identity import hashed
from atout.store import Passkey

NAME = "Atout"
TIMEOUT_MS = 120_000
NEEDS_EXTRA = "passkeys need the package webauthn: pip install 'atout[server]'"


class Site(msgspec.Struct, frozen=True):
    """The site that passkeys belong to: the server by the name it was called with."""

    host: str
    """Without a port; the id of the relying party."""
    origins: tuple[str, ...]
    """Where a page may be that asks for a passkey."""


class VerifiedPasskey(msgspec.Struct, frozen=True):
    """A passkey's answer that was verified."""

    id: bytes
    sign_count: int
    public_key: bytes = b""


def site_of(host_header: str, scheme: str, origins: Sequence[str]) -> Site:
    """The site of a request. Passkeys belong to names: browsers have none for a bare address.

    >>> site_of("play.example:8443", "https", [])
    Site(host='play.example', origins=('https://play.example:8443',))
    """
    host = name_of(host_header)
    try:
        ipaddress.ip_address(host)
    except ValueError:
        pass
    else:
        raise ApiError(409, "no-passkeys-here", "passkeys need a name in place of an address, such as localhost")
    own = f"{scheme}://{host_header.lower()}"
    # a proxy may not pass the scheme on; a browser has passkeys on https and on localhost only
    https = f"https://{host_header.lower()}"
    more = [origin.rstrip("/") for origin in origins if name_of(origin.partition("://")[2].rstrip("/")) == host]
    return Site(host, tuple(dict.fromkeys([own, https, *more])))


def creation_options(site: Site, guest: str, name: str, challenge: bytes, known: Sequence[Passkey]) -> dict[str, Any]:
    """What the browser is to be asked for a new passkey that can be found without a name."""
    webauthn, structs = _library()
    options = webauthn.generate_registration_options(
        rp_id=site.host,
        rp_name=NAME,
        user_id=hashlib.sha256(f"atout user {guest}".encode()).digest(),
        user_name=name,
        challenge=challenge,
        timeout=TIMEOUT_MS,
        authenticator_selection=structs.AuthenticatorSelectionCriteria(
            resident_key=structs.ResidentKeyRequirement.REQUIRED,
            user_verification=structs.UserVerificationRequirement.PREFERRED,
        ),
        exclude_credentials=[structs.PublicKeyCredentialDescriptor(id=passkey.id) for passkey in known],
    )
    answer: dict[str, Any] = json.loads(webauthn.options_to_json(options))
    return answer


def request_options(site: Site, challenge: bytes) -> dict[str, Any]:
    """What the browser is to be asked for any passkey of this site."""
    webauthn, _ = _library()
    options = webauthn.generate_authentication_options(rp_id=site.host, challenge=challenge, timeout=TIMEOUT_MS)
    answer: dict[str, Any] = json.loads(webauthn.options_to_json(options))
    return answer


def challenge_in(credential: dict[str, Any]) -> bytes:
    """The challenge that a credential answers, as the browser says; the signature covers it."""
    try:
        text = _from_base64(credential["response"]["clientDataJSON"])
        return _from_base64(json.loads(text)["challenge"])
    except (KeyError, TypeError, ValueError, RecursionError):
        raise refused("it cannot be read") from None


def challenge_hash(challenge: bytes) -> bytes:
    """Under which an answered challenge is remembered."""
    return hashed(challenge.hex())


def id_in(credential: dict[str, Any]) -> bytes:
    """The id of the passkey that a credential says it comes from."""
    try:
        return _from_base64(credential["rawId"])
    except (KeyError, TypeError, ValueError):
        raise refused("it cannot be read") from None


def verify_creation(site: Site, credential: dict[str, Any], challenge: bytes) -> VerifiedPasskey:
    """A new passkey, if everything about it is right."""
    webauthn, _ = _library()
    try:
        found = webauthn.verify_registration_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=site.host,
            expected_origin=list(site.origins),
        )
    except Exception as error:  # whatever an attacker sends: the library raises many kinds
        raise refused(_reason(error)) from None
    return VerifiedPasskey(found.credential_id, found.sign_count, found.credential_public_key)


def verify_use(site: Site, credential: dict[str, Any], challenge: bytes, known: Passkey) -> VerifiedPasskey:
    """The use of a known passkey, if everything about it is right."""
    webauthn, _ = _library()
    try:
        found = webauthn.verify_authentication_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=site.host,
            expected_origin=list(site.origins),
            credential_public_key=known.public_key,
            credential_current_sign_count=known.sign_count,
        )
    except Exception as error:
        raise refused(_reason(error)) from None
    return VerifiedPasskey(found.credential_id, found.new_sign_count)


def refused(why: str) -> ApiError:
    return ApiError(403, "bad-passkey", f"this passkey is not accepted: {why}")


def _reason(error: Exception) -> str:
    return str(error)[:120] if type(error).__module__.startswith("webauthn") else "it cannot be read"


def _from_base64(text: str) -> bytes:
    import base64

    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


def _library() -> tuple[Any, Any]:
    try:
        import webauthn
        from webauthn.helpers import structs
    except ModuleNotFoundError:
        raise UsageError(NEEDS_EXTRA) from None
    return webauthn, structs
