"""One request to the REST interface, and what describes an operation of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from atout.server.errors import ApiError
from atout.server.http.context import Context
from atout.server.http.responses import json_response
from atout.server.identity import COOKIE, SECURE_COOKIE, Identity
from atout.server.matches.turns import Turns

Handler = Callable[["Call"], Awaitable[Any]]


MAX_DIGITS = 5
"""Digits that a number in a path or a query may have."""


def number_of(text: str, digits: int = MAX_DIGITS) -> int | None:
    """A whole number of at most so many decimal digits, as a path or a query has it; None for any other text.

    >>> number_of("12"), number_of("0"), number_of(""), number_of("-1"), number_of("123456"), number_of("x")
    (12, 0, None, None, None, None)
    """
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= digits else None


class Call:
    """One request with its body, decoded and checked."""

    def __init__(self, context: Context, request: Request, body: Any) -> None:
        self.context, self.request, self.body = context, request, body
        self.store = context.hub.store
        self._cookie: tuple[str, int] | None = None
        self.known: str | None = None
        """The guest of the request; None without a valid cookie."""
        self.is_void = False
        """The cookie is that of a guest who was forgotten, or of a session that was ended."""
        self.identity: Identity | None = None
        """Whom the cookie names, with the session of an account; None without a valid cookie."""

    async def identify(self) -> None:
        """Find the guest. One who was forgotten, or whose session was ended, counts as unknown, on every worker."""
        found = self.context.identity_of(self.request)
        if found is not None:
            self.is_void = await self.store.cookie_state(found.guest, found.session_hash) != "good"
            self.identity = None if self.is_void else found
            self.known = None if self.is_void else found.guest
            if self.known is not None:
                self.context.hub.presence.note(self.known)

    @property
    def guest(self) -> str:
        if self.known is None:
            raise ApiError(401, "no-guest", "introduce yourself first: POST /api/guest")
        return self.known

    def path(self, name: str) -> str:
        return str(self.request.path_params[name])

    def replay_turn(self) -> AbstractAsyncContextManager[None]:
        """Replays of stored matches are computed one at a time (`Turns`)."""
        return self._take(self.context.turns)

    def upload_turn(self) -> AbstractAsyncContextManager[None]:
        """So are those of records that a request brings, in a queue of their own."""
        return self._take(self.context.upload_turns)

    def _take(self, turns: Turns) -> AbstractAsyncContextManager[None]:
        return turns.take(self.context.caller(self.request), self.context.network(self.request), self._hung_up)

    async def _hung_up(self) -> None:
        """Return when the client is gone; the body of the request was read before."""
        while (await self.request.receive())["type"] != "http.disconnect":
            pass

    @property
    def is_secure(self) -> bool:
        """Whether cookies are for https only."""
        secure = self.context.settings.secure
        return secure == "always" or (secure == "auto" and self.request.url.scheme == "https")

    def set_cookie(self, value: str, age: int) -> None:
        """Give the guest's browser a cookie with the response."""
        self._cookie = value, age

    def clear_cookie(self) -> None:
        """Take the guest's cookie away with the response."""
        self.set_cookie("", 0)

    def respond(self, result: Any, status: int) -> Response:
        """The response that a handler's result means."""
        if isinstance(result, Response):
            response = result
        elif result is None:
            response = Response(status_code=204)
        else:
            response = json_response(result, status)
        if self._cookie is not None:
            value, age = self._cookie
            is_secure = self.is_secure
            name = SECURE_COOKIE if is_secure else COOKIE
            response.set_cookie(name, value, max_age=age, secure=is_secure, httponly=True, samesite="lax")
            if is_secure and COOKIE in self.request.cookies:  # of an earlier version
                response.delete_cookie(COOKIE, secure=True, httponly=True, samesite="lax")
        return response


class Operation(Struct, frozen=True):
    method: str
    path: str
    handler: Handler
    summary: str
    gives: Any = None
    takes: Any = None
    status: int = 200
    tag: str = "tables"
    needs_guest: bool = True
    query: tuple[str, ...] = ()
    media: str = "application/json"
    most: int = 0
    """The largest body in bytes, where it may be larger than the setting allows in general."""
    is_long: bool = False
    """The response is worth compressing. It is encoded and compressed in a thread."""
