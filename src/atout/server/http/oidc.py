"""Signing in at a provider of OpenID Connect, if the operator named one: there and back."""

from __future__ import annotations

import logging

from starlette.responses import RedirectResponse, Response

from atout.errors import UsageError
from atout.protocol import accounts as p
from atout.server.errors import ApiError
from atout.server.http.call import Call, Operation
from atout.server.http.responses import json_response
from atout.server.identity import hashed
from atout.server.oidc import COOKIE, FLOW_SECONDS, Confirmed, Flow, OidcFailed, Purpose
from atout.tables.guards import tidied

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
    """Where to go at the provider. The browser gets a cookie that it must bring back.

    This is no link, so that no page of another site can begin it: that would let somebody be signed in, or their name
    be kept, by an account that is not theirs.
    """
    if not call.context.oidc.name:
        raise ApiError(400, "no-oidc", "this server has no provider of OpenID Connect")
    purpose: Purpose = call.body.purpose
    if purpose == "keep" and call.known is None:
        raise ApiError(401, "no-guest", "introduce yourself first: POST /api/guest")
    call.context.check_sign_in(call.request)
    try:
        provider = call.context.oidc
        flow, address = await provider.ask(provider.begin, purpose, _who(call), call.context.now())
    except UsageError as error:
        raise ApiError(501, "no-oidc", str(error)) from None
    except Exception as error:  # the provider cannot be reached, or says nonsense
        log.warning("the provider of OpenID Connect does not answer", extra={"error": type(error).__name__})
        raise ApiError(502, "oidc-unreachable", "the provider does not answer; try again later") from None
    return _with_cookie(call, json_response(p.OidcAddress(address)), flow)


async def back(call: Call) -> Response:
    """The browser comes back. What it brings is checked; then the page shows who it is, and asks."""
    query, now = call.request.query_params, call.context.now()
    flow = call.context.oidc_cookies.flow(call.request.cookies.get(_name(call), ""), now)
    if flow is not None:  # without it nothing is asked of anybody, and a picture in a foreign page would count
        call.context.check_sign_in(call.request)
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


def confirmed_in(call: Call, purpose: str) -> Confirmed:
    """Who it is, as the provider confirmed for this purpose and for the guest of this browser."""
    found = call.context.oidc_cookies.confirmed(call.request.cookies.get(_name(call), ""), call.context.now())
    if found is None or found.purpose != purpose or found.who != _who(call):
        raise ApiError(403, "oidc-failed", "the provider did not confirm that in this browser, or too long ago")
    return found


def agreed_in(call: Call, purpose: Purpose, id: str) -> Confirmed:
    """The same, if it is what somebody was shown: the browser may have come back once more since."""
    found = confirmed_in(call, purpose)
    if found.id != id:
        raise ApiError(403, "oidc-failed", "this is not what the provider confirmed last in this browser; begin again")
    return found


async def oidc_confirmed(call: Call) -> p.OidcConfirmed:
    """Who came back from the provider, to be shown before anything is done with it."""
    found = confirmed_in(call, call.path("purpose"))
    keeper = await call.store.identified(found.issuer, found.subject)
    profile = None if keeper is None else await call.store.guest(keeper)
    number = "" if found.name or found.mail else tidied(found.subject)
    keeps = "" if profile is None else profile.name
    return p.OidcConfirmed(found.id, call.context.oidc.name, found.name, found.mail, number, keeps)


async def drop_confirmed(call: Call) -> Response:
    """No: what was begun or confirmed in this browser is of no use any more."""
    found = call.context.oidc_cookies.confirmed(call.request.cookies.get(_name(call), ""), call.context.now())
    if found is not None:
        await call.store.use_challenge(hashed(f"oidc {found.id}"))
    return _with_cookie(call, Response(status_code=204), None)


async def use_up(call: Call, confirmed: Confirmed) -> None:
    """After everything else was checked: a confirmation counts once."""
    if not await call.store.use_challenge(hashed(f"oidc {confirmed.id}")):
        raise ApiError(403, "oidc-failed", "this confirmation was used before")


OIDC_OPERATIONS = (
    Operation("GET", "/api/sign-in/ways", ways_in, "Ways to sign in besides passkeys and codes", p.WaysIn,
              tag="account", needs_guest=False),
    Operation("POST", "/api/sign-in/oidc", begin, "Where to go at the provider of OpenID Connect", p.OidcAddress,
              p.BeginOidc, tag="account", needs_guest=False),
    Operation("DELETE", "/api/sign-in/oidc", drop_confirmed, "Do nothing with what the provider confirmed", status=204,
              tag="account", needs_guest=False),
    Operation("GET", "/api/sign-in/oidc/back", back, "Come back from the provider", status=302, tag="account",
              needs_guest=False, query=("code", "state")),
    Operation("GET", "/api/sign-in/oidc/confirmed/{purpose}", oidc_confirmed, "Who came back from the provider",
              p.OidcConfirmed, tag="account", needs_guest=False),
)  # fmt: skip
