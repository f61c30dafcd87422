"""The application: routes, lifespan, error responses, and the endpoint for WebSockets."""

from __future__ import annotations

import asyncio
import gc
import hmac
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp

from atout.errors import AtoutError
from atout.protocol.rest import Health
from atout.server import logs
from atout.server.errors import ApiError, as_api_error
from atout.server.http.call import Call, Operation
from atout.server.http.connection import LIMITS, ConnectionLimits, proxy_check
from atout.server.http.context import Context
from atout.server.http.hosts import is_from_here
from atout.server.http.middleware import AtoutMiddleware
from atout.server.http.openapi import description
from atout.server.http.operations import OPERATIONS
from atout.server.http.responses import compress, json_response, problem
from atout.server.http.shared_page import shared_route
from atout.server.http.static import page_route
from atout.server.identity import Challenges, Signer, agree_on_keys
from atout.server.live.bot_pool import Pool
from atout.server.live.hub import Hub
from atout.server.metrics import CONTENT_TYPE, Metrics
from atout.server.oidc import OidcCookies
from atout.server.settings import ServerSettings
from atout.server.ws.handshake import ENDPOINT, Endpoint, OpenSession
from atout.server.ws.heartbeat import Heartbeat
from atout.server.ws.session import Sessions
from atout.store import open_store
from atout.warm import cores

log = logging.getLogger("atout.app")

HEALTH_SECONDS = 1.0
CLIENT_CLOSED = 499
"""The status in the log for a client that hung up, as nginx has it; nobody receives it."""


class Application:
    """The server in one worker process."""

    context: Context
    sessions: Sessions

    def __init__(self, settings: ServerSettings) -> None:
        self.settings, self.metrics, self.heartbeat = settings, Metrics(), Heartbeat()
        self._health: asyncio.Task[None] | None = None
        self._health_at = 0.0
        routes: list[BaseRoute] = [self._route(operation) for operation in OPERATIONS]
        routes += [
            Route("/api/openapi.json", self.openapi),
            Route("/healthz", self.health),
            Route("/metrics", self.metrics_text),
            shared_route(lambda: self.context),
            page_route(),
        ]
        handlers: Any = {
            AtoutError: self.refuse,
            HTTPException: self.refuse,
            ClientDisconnect: self.hung_up,
            Exception: self.fail,
        }
        app = Starlette(routes=routes, lifespan=self.life, exception_handlers=handlers)
        self.middleware = AtoutMiddleware(app, settings, self.metrics, lambda request: self.context.check_rate(request))
        self._is_proxy = proxy_check(settings)

    @asynccontextmanager
    async def life(self, _app: Starlette) -> AsyncIterator[dict[str, Endpoint | ConnectionLimits]]:
        settings = self.settings
        store = await open_store(settings.database)
        try:
            keys = await agree_on_keys(settings, store)
        except AtoutError:
            await store.close()
            raise
        processes = settings.bot_processes or max(1, cores() // settings.workers)
        pool = Pool(processes, settings.bot_seconds, is_even=settings.bot_pace > 0)
        hub = Hub(store, settings, pool, self.metrics, keys)
        self.context = Context(hub, settings, Signer(keys), Challenges(keys), oidc_cookies=OidcCookies(keys))
        self.sessions = Sessions(hub, settings)
        await hub.begin()
        beating = asyncio.create_task(self.heartbeat.run())
        if settings.bot_warm:
            hub.start(pool.warm())
        tune_garbage_collector()
        log.info("worker serves", extra={"bots": pool.processes})
        try:
            yield {ENDPOINT: self, LIMITS: ConnectionLimits(settings)}
        finally:
            beating.cancel()
            await hub.close()
            await store.close()
            log.info("worker ended")

    # ---------------------------------------------------------------- requests

    def _route(self, operation: Operation) -> Route:
        async def endpoint(request: Request) -> Response:
            call = Call(self.context, request, await self._body(request, operation))
            await call.identify()
            result = await operation.handler(call)
            if operation.is_long:
                return await run_in_threadpool(respond_long, call, result, operation.status)
            return call.respond(result, operation.status)

        return Route(operation.path, endpoint, methods=[operation.method], name=operation.handler.__name__)

    async def _body(self, request: Request, operation: Operation) -> Any:
        most, body = max(self.settings.body_bytes, operation.most), bytearray()
        async for part in request.stream():
            body += part
            if len(body) > most:
                raise ApiError(413, "too-large", f"a body has {most} bytes at most", most=most)
        if operation.takes is None:
            return None
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            raise ApiError(415, "not-json", "expected a body of JSON, with Content-Type: application/json")
        try:
            return msgspec.json.decode(body, type=operation.takes)
        except msgspec.ValidationError as error:
            raise ApiError(422, "bad-request", str(error)[:300]) from None
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise ApiError(400, "bad-json", f"the body is no JSON: {error}"[:300]) from None

    async def refuse(self, _request: Request, error: Exception) -> Response:
        if isinstance(error, HTTPException):
            codes = {404: ("not-found", "there is nothing here"), 405: ("bad-method", "that cannot be done here")}
            code, message = codes.get(error.status_code, ("bad-request", "that request cannot be answered"))
            response = problem(ApiError(error.status_code, code, message))
            response.headers.update(error.headers or {})
            return response
        assert isinstance(error, AtoutError)
        api_error = as_api_error(error)
        if api_error.status == 503:
            self.metrics.unavailable.inc()
        if api_error.status == 500:
            self.metrics.errors.inc()
            log.error("request failed", extra={"error": type(error).__name__})
        return problem(api_error)

    async def hung_up(self, _request: Request, _error: Exception) -> Response:
        """The client closed the connection before its request was complete: no fault of the server."""
        return Response(status_code=CLIENT_CLOSED)

    async def fail(self, _request: Request, error: Exception) -> Response:
        self.metrics.errors.inc()
        log.error("request failed unexpectedly", exc_info=error)
        return problem(as_api_error(AtoutError()))

    async def openapi(self, _request: Request) -> Response:
        return json_response(description())

    async def health(self, _request: Request) -> Response:
        """Whether the store answers. It is asked once a second at most, however many want to know."""
        now = time.monotonic()
        if self._health is None or (self._health.done() and now >= self._health_at + HEALTH_SECONDS):
            self._health, self._health_at = asyncio.create_task(self.context.hub.store.check()), now
        await asyncio.shield(self._health)
        return json_response(Health("ok"))

    async def metrics_text(self, request: Request) -> Response:
        if not self._may_read_metrics(request):
            message = "metrics can be read from this machine, or with Authorization: Bearer and ATOUT_METRICS_TOKEN"
            raise ApiError(403, "no-metrics", message)
        return Response(self.metrics.text(), media_type=CONTENT_TYPE)

    def _may_read_metrics(self, request: Request) -> bool:
        """Whether a request has the token, or comes from this machine and not through a proxy on it."""
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        if token and self.settings.metrics_token and scheme.lower() == "bearer":
            return hmac.compare_digest(token.strip().encode(), self.settings.metrics_token.encode())
        return is_from_here(request)

    # ---------------------------------------------------------------- WebSockets

    @property
    def unread_bytes(self) -> int:
        return self.settings.unread_bytes

    def accept(self, request: HTTPConnection) -> Response | OpenSession:
        """The endpoint of WebSockets (`ws/handshake.py`): `/ws/{table}`, with a guest's cookie."""
        folder, _, table = request.scope["path"].removeprefix("/").partition("/")
        if folder != "ws" or not table or "/" in table:
            return problem(ApiError(404, "not-found", "there is nothing here"))
        refused = self.middleware.hosts.refusal(request.headers)
        if refused is not None:
            return problem(refused)
        if not self.middleware.is_ours(request.headers, self._is_https(request)):
            return problem(ApiError(403, "foreign-origin", "this page may not connect"))
        found = self.context.identity_of(request)
        if found is None:
            return problem(ApiError(401, "no-guest", "introduce yourself first: POST /api/guest"))
        return lambda connection: self.sessions.open(connection, found.guest, table, found.session_hash)

    def _is_https(self, request: HTTPConnection) -> bool:
        """Whether a trusted proxy says so. For all other requests uvicorn's middleware reads this, in the same way."""
        if request.client is None or not self._is_proxy(request.client.host):
            return False
        return request.headers.getlist("x-forwarded-proto")[-1:] in (["https"], ["wss"])


def respond_long(call: Call, result: Any, status: int) -> Response:
    """Encode and compress a long answer."""
    return compress(call.respond(result, status), call.request.headers)


def tune_garbage_collector() -> None:
    """Make full garbage collections rare: they would traverse all tables, and cost milliseconds each.

    Tables are freed by reference counts (`tests/server/test_memory.py`). Moves leave almost no reference cycles behind,
    handshakes do; so young objects are collected often and old ones seldom. Objects made at the start are never freed,
    and are not traversed at all.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(5_000, 20, 100)


def create() -> ASGIApp:
    """The factory that uvicorn calls in each worker; the settings are in the environment."""
    settings = ServerSettings.read()
    logs.set_up(settings)
    return Application(settings).middleware
