"""JSON responses."""

from __future__ import annotations

import math
from typing import Any

import msgspec
from starlette.responses import Response

from atout.protocol.rest import Problem
from atout.server.errors import ApiError

_encode = msgspec.json.Encoder().encode


def json_response(value: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    return Response(_encode(value), status, headers, "application/json")


def problem(error: ApiError) -> Response:
    """The response to a request that is refused or failed."""
    headers: dict[str, str] = {}
    if error.status in (429, 503):
        headers["Retry-After"] = str(max(1, math.ceil(error.parameters.get("seconds", 1))))
    return json_response(Problem(error.code, error.message, error.parameters), error.status, headers)
