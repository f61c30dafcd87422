"""Middleware around every HTTP request: host and origin check, rate limit, security headers, one log line."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from atout.server.errors import ApiError
from atout.server.http.hosts import Hosts, netloc_in
from atout.server.http.responses import problem
from atout.server.metrics import Metrics
from atout.server.settings import ServerSettings, parts

log = logging.getLogger("atout.http")

SAFE = ("GET", "HEAD", "OPTIONS")
LIMITED = ("/api/", "/m/")
"""Paths whose requests are counted; all others are files."""
POLICY = (
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


class AtoutMiddleware:
    """Wraps the whole application. Log lines name the route, not the path: whoever knows a table's id may enter it."""

    def __init__(
        self,
        app: ASGIApp,
        settings: ServerSettings,
        metrics: Metrics,
        check_rate: Callable[[HTTPConnection], None],
    ) -> None:
        self._app, self._metrics, self._check_rate = app, metrics, check_rate
        self._origins = {origin.rstrip("/") for origin in parts(settings.origins)}
        self._needs_https = settings.secure == "always"
        self.hosts = Hosts(settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status = time.perf_counter(), 0

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if scope["path"].startswith("/api/"):
                    headers.setdefault("Cache-Control", "no-store")
            await send(message)

        refused = self.refusal(scope)
        if refused is not None:
            await problem(refused)(scope, receive, send_with_headers)
        else:
            await self._app(scope, receive, send_with_headers)
        seconds = time.perf_counter() - began
        self._metrics.request_seconds.observe(seconds)
        route = getattr(scope.get("route"), "path", "")
        log.info(
            "request",
            extra={"method": scope["method"], "route": route, "status": status, "ms": round(seconds * 1000, 1)},
        )

    def refusal(self, scope: Scope) -> ApiError | None:
        """Why a request is refused before it reaches the application; None if it is not."""
        headers = Headers(scope=scope)
        refused = self.hosts.refusal(headers, needs_host=scope["http_version"] != "1.0")
        if refused is not None:
            return refused
        if "\0" in scope["path"] or b"%00" in scope["query_string"]:
            return ApiError(400, "bad-request", "a URL contains no NUL byte")  # PostgreSQL refuses it in texts
        if scope["method"] not in SAFE and not self.is_ours(headers, scope["scheme"] == "https"):
            return ApiError(403, "foreign-origin", "this page may not do that here")
        if scope["path"].startswith(LIMITED):
            try:
                self._check_rate(HTTPConnection(scope))
            except ApiError as error:
                return error
        return None

    def is_ours(self, headers: Mapping[str, str], is_https: bool = False) -> bool:
        """Whether a request may act for a guest: no page of another site may.

        Programs other than browsers send no origin. An https page may act even if the request seems to come by http,
        because a proxy may not pass the scheme on; an http page may not act on a server with https.
        """
        origin = headers.get("origin")
        if origin is None:
            return headers.get("sec-fetch-site", "same-origin") in ("same-origin", "none")
        if origin in self._origins:
            return True
        scheme, host = netloc_in(origin)
        if scheme == "http" and (is_https or self._needs_https):
            return False  # a page that anybody on the way could have changed
        return bool(host) and host == headers.get("host", "").lower()
