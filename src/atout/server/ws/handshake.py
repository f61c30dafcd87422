"""The handshake of a socket: the application's `Door` is asked whether it may come in."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, Protocol, TypeVar
from urllib.parse import unquote

from starlette.requests import HTTPConnection
from starlette.responses import Response
from websockets.datastructures import Headers
from websockets.http11 import Request
from websockets.http11 import Response as Answer
from websockets.server import ServerProtocol

DOOR = "door"
"""Where the application leaves its `Door` in the state of its life span."""
Guest = TypeVar("Guest", contravariant=True)
Serve = Callable[[Guest], Coroutine[Any, Any, None]]
"""What serves a socket until its end."""


class Door(Protocol[Guest]):
    """What the application says about a socket that wants to come in."""

    def admit(self, request: HTTPConnection) -> Response | Serve[Guest]:
        """An answer that turns it away, or what serves it until its end."""


def greet(conn: ServerProtocol, request: Request, door: Door[Guest]) -> Serve[Guest] | None:
    """Answer the request; what serves the socket, if it may come in."""
    path, _, query = request.path.partition("?")
    headers = [
        (name.lower().encode("latin-1"), value.encode("latin-1", "replace"))
        for name, value in request.headers.raw_items()
    ]
    scope = {"type": "websocket", "path": unquote(path), "query_string": query.encode(), "headers": headers}
    answer, serve = conn.accept(request), None
    request.headers.clear()  # the protocol's parser keeps the request as long as it lives
    if answer.status_code == 101:
        admitted = door.admit(HTTPConnection(scope))
        if isinstance(admitted, Response):
            answer = _turned_away(admitted)
        else:
            serve = admitted
    conn.send_response(answer)
    return serve


def _turned_away(response: Response) -> Answer:
    headers = Headers([(name.decode("latin-1"), value.decode("latin-1")) for name, value in response.raw_headers])
    headers["Connection"] = "close"
    return Answer(response.status_code, "Refused", headers, bytes(response.body))
