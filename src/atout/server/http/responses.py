"""JSON responses."""

from __future__ import annotations

import gzip
import math
from collections.abc import Mapping
from typing import Any

import msgspec
from starlette.responses import Response

from atout.protocol.rest import Problem
from atout.server.errors import ApiError

GZIP_LEVEL = 4
"""Higher levels take several times as long for a few per cent."""
LEAST_COMPRESSED = 4096
"""Bytes from which a response is worth compressing."""
_encode = msgspec.json.Encoder().encode


def json_response(value: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    return Response(_encode(value), status, headers, "application/json")


def problem(error: ApiError) -> Response:
    """The response to a request that is refused or failed."""
    headers: dict[str, str] = {}
    if error.status in (429, 503):
        headers["Retry-After"] = str(max(1, math.ceil(error.parameters.get("seconds", 1))))
    return json_response(Problem(error.code, error.message, error.parameters), error.status, headers)


def accepts_gzip(headers: Mapping[str, str]) -> bool:
    return "gzip" in headers.get("accept-encoding", "")


def compress(response: Response, headers: Mapping[str, str]) -> Response:
    """The response, compressed in place if the request with these headers accepts that; to be called in a thread."""
    response.headers.add_vary_header("Accept-Encoding")
    body = bytes(response.body)
    if len(body) >= LEAST_COMPRESSED and accepts_gzip(headers):
        response.body = gzip.compress(body, GZIP_LEVEL, mtime=0)
        response.headers["Content-Encoding"] = "gzip"
        response.headers["Content-Length"] = str(len(response.body))
    return response
