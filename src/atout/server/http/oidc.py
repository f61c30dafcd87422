"""Signing in at a provider of OpenID Connect, if the operator named one: there and back."""

from __future__ import annotations

import logging

from starlette.responses import RedirectResponse, Response

from atout.errors import UsageError
from atout.protocol import accounts as p
from atout.server.errors import ApiError
from atout.server.http.call import Call, Operation
from atout.server.identity import hashed
from atout.server.oidc import COOKIE, FLOW_SECONDS, Confirmed, Flow, OidcFailed, Purpose

log = logging.getLogger("atout.oidc")

PAGE = "/settings#oidc-"
"""Where the page goes on; what follows says with what."""


def _name(call: Call) -> str:
    return f"__Host-{COOKIE}" if call.is_secure else COOKIE


def _with_cookie(call: Call, response: Response, content: Flow | Confirmed | None) -> Response:
    value = "" if content is None else call.context.oidc_cookies.write(content)
    age = 0 if content is None else int(FLOW_SECONDS)
    response.set_cookie(_name(call), value, max_age=age, secure=call.is_secure, httponly=True, samesite="lax")
    return response


def _who(call: Call) -> str:
    return hashed(f"oidc {call.known}").hex() if call.known else ""


async def ways_in(call: Call) -> p.WaysIn:
    """Ways to sign in besides passkeys and codes."""
    return p.WaysIn(call.context.oidc.name)


async def begin(call: Call) -> Response:
    """Go to the provider. The browser gets a cookie that it must bring back."""
    if not call.context.oidc.name:
        raise ApiError(400, "no-oidc", "this server has no provider of OpenID Connect")
    call.context.check_sign_in(call.request)
    purpose: Purpose = "keep" if call.request.query_params.get("for") == "keep" else "sign-in"
    try:
        provider = call.context.oidc
        flow, address = await provider.ask(provider.begin, purpose, _who(call), call.context.now())
    except UsageError as error:
        raise ApiError(501, "no-oidc", str(error)) from None
    except Exception as error:  # the provider cannot be reached, or says nonsense
        log.warning("the provider of OpenID Connect does not answer", extra={"error": type(error).__name__})
        return RedirectResponse(f"{PAGE}failed", 302)
    return _with_cookie(call, RedirectResponse(address, 302), flow)


async def back(call: Call) -> Response:
    """The browser comes back. What it brings is checked; then the page asks for what it was begun for."""
    call.context.check_sign_in(call.request)
    query, now = call.request.query_params, call.context.now()
    flow = call.context.oidc_cookies.flow(call.request.cookies.get(_name(call), ""), now)
    try:
        if flow is None:
            raise OidcFailed("it was not begun in this browser, or too long ago")
        if not flow.has_state(query.get("state", "")):
            raise OidcFailed("the state is not this browser's")
        if not query.get("code"):
            raise OidcFailed("there is no code")
        if not await call.store.use_challenge(hashed(f"oidc {flow.state}")):
            raise OidcFailed("it was used before")
        confirmed = await call.context.oidc.ask(call.context.oidc.finish, flow, query["code"], now)
    except OidcFailed as error:
        log.info("a sign-in by OpenID Connect failed", extra={"error": str(error)[:100]})
        return _with_cookie(call, RedirectResponse(f"{PAGE}failed", 302), None)
    return _with_cookie(call, RedirectResponse(f"{PAGE}{flow.purpose}", 302), confirmed)


def confirmed_in(call: Call, purpose: Purpose) -> Confirmed:
    """Who it is, as the provider confirmed for this purpose and for the guest of this browser."""
    found = call.context.oidc_cookies.confirmed(call.request.cookies.get(_name(call), ""), call.context.now())
    if found is None or found.purpose != purpose or found.who != _who(call):
        raise ApiError(403, "oidc-failed", "the provider did not confirm that in this browser, or too long ago")
    return found


async def use_up(call: Call, confirmed: Confirmed) -> None:
    """After everything else was checked: a confirmation counts once."""
    if not await call.store.use_challenge(hashed(f"oidc {confirmed.id}")):
        raise ApiError(403, "oidc-failed", "this confirmation was used before")


OIDC_OPERATIONS = (
    Operation("GET", "/api/sign-in/ways", ways_in, "Ways to sign in besides passkeys and codes", p.WaysIn,
              tag="account", needs_guest=False),
    Operation("GET", "/api/sign-in/oidc", begin, "Go to the provider of OpenID Connect", status=302, tag="account",
              needs_guest=False, query=("for",)),
    Operation("GET", "/api/sign-in/oidc/back", back, "Come back from the provider", status=302, tag="account",
              needs_guest=False, query=("code", "state")),
)  # fmt: skip
