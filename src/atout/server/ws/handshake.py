"""The WebSocket handshake: the application's endpoint decides whether a connection may open a session."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol
from urllib.parse import unquote

from starlette.requests import HTTPConnection
from starlette.responses import Response
from websockets.datastructures import Headers
from websockets.http11 import Request
from websockets.http11 import Response as HandshakeResponse
from websockets.server import ServerProtocol

from atout.server.metrics import Metrics
from atout.server.ws.heartbeat import Heartbeat

if TYPE_CHECKING:
    from atout.server.ws.connection import Connection

ENDPOINT = "endpoint"
"""The key under which the application leaves its `Endpoint` in the state of its lifespan."""
SWITCHING_PROTOCOLS = 101


class MessageHandler(Protocol):
    """What answers the messages of one connection."""

    async def handle(self, text: bytes) -> None:
        """Answer a message. The next one is handled when this call is done."""

    def closed(self) -> None:
        """No more messages will come. Called once, after the last call of `handle`."""


OpenSession = Callable[["Connection"], MessageHandler | None]
"""Makes the session of a connection; None if the connection was closed instead."""


class Endpoint(Protocol):
    """The application, as a connection sees it."""

    heartbeat: Heartbeat
    metrics: Metrics

    @property
    def unread_bytes(self) -> int:
        """What may wait for a slow reader."""

    def accept(self, request: HTTPConnection) -> Response | OpenSession:
        """A response that turns the connection away, or what opens its session."""


def shake_hands(
    protocol: ServerProtocol, request: Request, endpoint: Endpoint, client: tuple[str, int] | None
) -> OpenSession | None:
    """Answer the request that came from this address and port; None if the connection was turned away."""
    path, _, query = request.path.partition("?")
    headers = [
        (name.lower().encode("latin-1"), value.encode("latin-1", "replace"))
        for name, value in request.headers.raw_items()
    ]
    scope = {
        "type": "websocket",
        "path": unquote(path),
        "query_string": query.encode(),
        "headers": headers,
        "client": client,
    }
    response, open_session = protocol.accept(request), None
    request.headers.clear()  # the parser keeps the request as long as the connection lives
    if response.status_code == SWITCHING_PROTOCOLS:
        accepted = endpoint.accept(HTTPConnection(scope))
        if isinstance(accepted, Response):
            response = _refusal(accepted)
        else:
            open_session = accepted
    protocol.send_response(response)
    return open_session


def _refusal(response: Response) -> HandshakeResponse:
    headers = Headers([(name.decode("latin-1"), value.decode("latin-1")) for name, value in response.raw_headers])
    headers["Connection"] = "close"
    return HandshakeResponse(response.status_code, "Refused", headers, bytes(response.body))
