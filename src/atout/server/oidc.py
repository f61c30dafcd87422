"""OpenID Connect, by the library `authlib`: an account at the provider that the operator named is a way into one here.

begin:   a cookie with state, nonce and verifier (PKCE), signed ──► the browser goes to the provider
back:    the state is this browser's, not seen before ─► code for token ─► signature, issuer, audience, time, nonce
finish:  a cookie with who it was, signed ──► the page shows whose account it is, and asks before anything is done

Only the issuer and the subject are kept. Name and mail address are asked for to be shown, because somebody may be
signed in at the provider as another person without knowing it; they are in that cookie alone, for some minutes.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import logging
from collections.abc import Callable, Mapping, Sequence
from threading import BoundedSemaphore
from typing import Any, Literal, ParamSpec, TypeVar
from urllib.parse import urlsplit

import itsdangerous
import msgspec

from atout.errors import UsageError
from atout.server.identity import new_id
from atout.server.own_thread import in_own_thread
from atout.server.settings import ServerSettings
from atout.tables.guards import tidied

log = logging.getLogger("atout.oidc")

SECONDS = 10.0
ALL_SECONDS = 25.0
"""What the provider's answers to one step may take together, with the lookup of its name."""
MAX_ASKING = 20
"""How many people may wait for the provider at a time."""
FLOW_SECONDS = 600.0
"""How long somebody may take at the provider, and to answer what becomes of the guest here."""
BACK = "/api/sign-in/oidc/back"
COOKIE = "atout-oidc"
ALGORITHMS = ["RS256", "PS256", "ES256", "EdDSA"]
"""Signatures that only the provider can make."""
LEEWAY = 60
"""Seconds by which clocks may differ."""
SCOPE = "openid profile email"
NAMES = ("name", "preferred_username", "nickname")
"""Claims with what somebody is called, the best first."""
MAX_SHOWN = 100
"""Letters of a name or an address that are shown."""
NEEDS_EXTRA = "OpenID Connect needs the package authlib: pip install 'atout[oidc]'"
Purpose = Literal["keep", "sign-in"]
P = ParamSpec("P")
T = TypeVar("T")
Content = TypeVar("Content", "Flow", "Confirmed")


class OidcFailed(Exception):
    """The provider did not confirm who somebody is; the text is for the log."""


class Flow(msgspec.Struct, frozen=True):
    """What a browser that went to the provider has to bring back."""

    purpose: Purpose
    state: str
    nonce: str
    verifier: str
    who: str
    """The guest there, as a hash; empty without one."""
    at: float

    def has_state(self, state: str) -> bool:
        """Whether a state is the one that was made for this browser."""
        return hmac.compare_digest(self.state.encode(), state.encode())


class Confirmed(msgspec.Struct, frozen=True):
    """Who it is, as the provider confirmed a short while ago."""

    purpose: Purpose
    id: str
    issuer: str
    subject: str
    who: str
    at: float
    name: str = ""
    """What the provider calls them; for display alone."""
    mail: str = ""


class OidcCookies:
    """Signs and reads the cookie of a browser that is on its way. It is good for a few minutes."""

    def __init__(self, keys: Sequence[bytes]) -> None:
        self._signer = itsdangerous.Signer(list(reversed(keys)), salt="atout oidc", digest_method=hashlib.sha256)

    def write(self, content: Flow | Confirmed) -> str:
        """The value of the cookie."""
        body = itsdangerous.encoding.base64_encode(msgspec.json.encode(content))
        return self._signer.sign(type(content).__name__.encode() + b"~" + body).decode()

    def flow(self, cookie: str, now: float) -> Flow | None:
        """What the browser has to bring back; None if it did not begin here, or too long ago."""
        return self._read(cookie, Flow, now)

    def confirmed(self, cookie: str, now: float) -> Confirmed | None:
        """Who it is; None if nobody confirmed that, or too long ago."""
        return self._read(cookie, Confirmed, now)

    def _read(self, cookie: str, type: type[Content], now: float) -> Content | None:
        try:
            name, _, body = self._signer.unsign(cookie).partition(b"~")
            if name.decode() != type.__name__:
                return None
            found = msgspec.json.decode(itsdangerous.encoding.base64_decode(body), type=type)
        except (itsdangerous.BadData, msgspec.MsgspecError, UnicodeDecodeError):
            return None
        return found if 0 <= now - found.at <= FLOW_SECONDS else None


def check_oidc(settings: ServerSettings) -> None:
    """Raise `UsageError` if a provider is named and the library is missing: before the server starts."""
    if settings.oidc_issuer:
        _library()


class Provider:
    """The provider that the operator named. `begin` and `finish` ask it over the network and block: see `ask`."""

    def __init__(self, settings: ServerSettings) -> None:
        self._settings = settings
        self.issuer = settings.oidc_issuer
        self._metadata: dict[str, Any] | None = None
        self._asking = BoundedSemaphore(MAX_ASKING)

    @property
    def name(self) -> str:
        """What people call it; empty if there is none."""
        return self._settings.oidc_name or urlsplit(self.issuer).hostname or ""

    async def ask(self, work: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """Call `begin` or `finish` in a thread of its own: however long the provider takes, nothing else waits for it.

        `OidcFailed` if it takes too long, or if many wait for it already.
        """
        if not self._asking.acquire(blocking=False):
            raise OidcFailed("too many wait for the provider")

        def counted() -> T:
            try:
                return work(*arguments, **named)
            finally:
                self._asking.release()

        try:
            async with asyncio.timeout(ALL_SECONDS):
                return await in_own_thread(counted)
        except TimeoutError:
            raise OidcFailed("the provider takes too long") from None

    def begin(self, purpose: Purpose, who: str, now: float) -> tuple[Flow, str]:
        """What the browser has to bring back, and the address where it goes first."""
        flow = Flow(purpose, new_id(), new_id(), new_id() + new_id(), who, now)  # RFC 7636: 43 letters at least
        with self._session() as session:
            address, _ = session.create_authorization_url(
                self._find(session)["authorization_endpoint"],
                state=flow.state,
                nonce=flow.nonce,
                code_verifier=flow.verifier,
            )
        return flow, str(address)

    def finish(self, flow: Flow, code: str, now: float) -> Confirmed:
        """Who came back; `OidcFailed` if anything about it is wrong."""
        try:
            with self._session() as session:
                metadata = self._find(session)
                token = session.fetch_token(
                    metadata["token_endpoint"], code=code, code_verifier=flow.verifier, timeout=SECONDS
                )
                keys = _json(session, metadata["jwks_uri"])
                claims = self._claims(token, keys, flow.nonce, now)
                subject = claims["sub"]
                name, mail = shown(claims)
                if not name and not mail:
                    name, mail = shown(self._more(session, metadata, subject))
        except OidcFailed:
            raise
        except Exception as error:  # whatever a provider sends: the libraries raise many kinds
            raise OidcFailed(type(error).__name__) from None
        return Confirmed(flow.purpose, new_id(), self.issuer, subject, flow.who, now, name, mail)

    def _session(self) -> Any:
        settings = self._settings
        return _library()(
            settings.oidc_client,
            settings.oidc_secret,
            scope=SCOPE,
            redirect_uri=settings.public_url.rstrip("/") + BACK,
            code_challenge_method="S256",
        )

    def _find(self, session: Any) -> dict[str, Any]:
        """Where the provider's parts are, as it says itself; asked once."""
        if self._metadata is None:
            found = _json(session, self.issuer.rstrip("/") + "/.well-known/openid-configuration")
            if found.get("issuer") != self.issuer:
                raise OidcFailed("the provider calls itself otherwise than oidc_issuer (ATOUT_OIDC_ISSUER)")
            is_https = urlsplit(self.issuer).scheme == "https"
            for part in ("authorization_endpoint", "token_endpoint", "jwks_uri"):
                if is_https and not str(found.get(part, "")).startswith("https://"):
                    raise OidcFailed(f"the provider names no {part} with https")
            self._metadata = found
        return self._metadata

    def _more(self, session: Any, metadata: dict[str, Any], subject: str) -> dict[str, Any]:
        """What the provider says of somebody beside the ID token; nothing if it does not, or of somebody else.

        It is only shown, so a provider that cannot say it holds nobody up.
        """
        address = str(metadata.get("userinfo_endpoint", ""))
        if not address.startswith("https://" if urlsplit(self.issuer).scheme == "https" else "http"):
            return {}
        try:
            answer = session.request("GET", address, timeout=SECONDS)
            answer.raise_for_status()
            found = answer.json()
        except Exception as error:  # whatever a provider sends
            log.info("the provider tells no name", extra={"error": type(error).__name__})
            return {}
        return found if isinstance(found, dict) and found.get("sub") == subject else {}

    def _claims(self, token: dict[str, Any], keys: dict[str, Any], nonce: str, now: float) -> Any:
        """What an ID token says whose signature and claims are right."""
        from authlib.oidc.core import CodeIDToken
        from joserfc import jwt
        from joserfc.jwk import KeySet

        if "id_token" not in token:
            raise OidcFailed("there is no ID token")
        found = jwt.decode(token["id_token"], KeySet.import_key_set(keys), algorithms=ALGORITHMS)  # type: ignore[arg-type]
        client = self._settings.oidc_client
        options = {"iss": {"essential": True, "value": self.issuer}, "aud": {"essential": True, "value": client}}
        params = {"nonce": nonce, "client_id": client, "access_token": token.get("access_token")}
        claims = CodeIDToken(found.claims, found.header, options, params)
        claims.validate(now=int(now), leeway=LEEWAY)
        subject = claims["sub"]
        if not isinstance(subject, str) or not 0 < len(subject) <= 255 or not subject.isprintable():
            raise OidcFailed("the subject is no text of up to 255 letters that can be shown")
        return claims


def shown(claims: Mapping[str, Any]) -> tuple[str, str]:
    """Name and mail address as a provider says them, for display: empty if it does not. An address that the provider
    calls unverified is left out, because anybody could have typed it.

    >>> shown({"name": " Ann\u202e ", "email": "ann@club.example"}), shown({"name": 7, "preferred_username": "ann"})
    (('Ann', 'ann@club.example'), ('ann', ''))
    >>> shown({"email": "bob@club.example", "email_verified": False})
    ('', '')
    """

    def text(claim: str) -> str:
        value = claims.get(claim)
        return tidied(value[: 2 * MAX_SHOWN])[:MAX_SHOWN] if isinstance(value, str) else ""

    is_verified = str(claims.get("email_verified", True)).lower() != "false"
    return next(filter(None, map(text, NAMES)), ""), text("email") if is_verified else ""


def _json(session: Any, url: str) -> dict[str, Any]:
    answer = session.request("GET", url, withhold_token=True, timeout=SECONDS)
    answer.raise_for_status()
    found: dict[str, Any] = answer.json()
    return found


def _library() -> Any:
    try:
        from authlib.integrations.requests_client import OAuth2Session
    except ModuleNotFoundError:
        raise UsageError(NEEDS_EXTRA) from None
    return OAuth2Session
