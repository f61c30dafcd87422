"""The built page: static files, and `index.html` for every address of the page."""

from __future__ import annotations

import gzip
from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from atout.server.http.responses import accepts_gzip

STATIC = Path(__file__).parents[1] / "static"
HASHED = "assets/"
"""Files with a digest in their names, which browsers may cache for ever."""
SERVER_PATHS = ("api", "ws", "healthz", "metrics")
"""First parts of the server's own paths; an unknown path below them is 404, not the page."""
LANDING = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Atout</title>
<h1>Atout</h1><p>A table server for Njet! and Null &amp; nichtig. It runs; a page to play on is not installed here.</p>
<ul><li><a href="/api/openapi.json">The REST interface, as OpenAPI</a></li>
<li><a href="/api/tables">Open tables</a></li><li><a href="/api/editions">What can be played</a></li>
<li><a href="/healthz">Health</a></li></ul></html>
"""


COMPRESSED = ("text/", "application/javascript", "application/json", "application/manifest+json", "image/svg+xml")
"""Beginnings of the types of files that are sent compressed; pictures and fonts are compressed already."""
LEAST_COMPRESSED = 1024
LEVEL = 9
"""Each file is compressed once."""


class Page(StaticFiles):
    """Unknown paths get `index.html`: `/t/…` and `/replay/…` are addresses of the page. A missing file is 404."""

    def __init__(self, directory: Path) -> None:
        super().__init__(directory=directory)
        self._compressed: dict[str, tuple[str, bytes]] = {}
        """By path: the file's etag and its bytes. There are no more of them than files."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        path = "index.html" if path == "." else path
        if path.startswith("."):
            raise HTTPException(404)  # notes of the build
        try:
            response = await super().get_response(path, scope)
        except HTTPException as error:
            if error.status_code != 404 or not is_address(path):
                raise
            response = await super().get_response("index.html", scope)
        if isinstance(response, FileResponse) and (response.media_type or "").startswith(COMPRESSED):
            response = await self._packed(response, Headers(scope=scope))
        is_hashed = path.startswith(HASHED)
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable" if is_hashed else "no-cache"
        return response

    async def _packed(self, response: FileResponse, headers: Headers) -> Response:
        """The response with the file compressed, if the browser reads that and wants the whole file."""
        response.headers.add_vary_header("Accept-Encoding")
        is_long = int(response.headers["content-length"]) >= LEAST_COMPRESSED
        if not (is_long and accepts_gzip(headers)) or "range" in headers:
            return response
        path, etag = str(response.path), response.headers["etag"]
        known = self._compressed.get(path)
        if known is None or known[0] != etag:
            known = self._compressed[path] = etag, await run_in_threadpool(_compressed, Path(path))
        packed = Response(known[1], response.status_code, response.headers)
        packed.headers["Content-Encoding"] = "gzip"
        packed.headers["Content-Length"] = str(len(known[1]))
        return packed


def _compressed(path: Path) -> bytes:
    return gzip.compress(path.read_bytes(), LEVEL, mtime=0)


def is_address(path: str) -> bool:
    """Whether a path that names no file may be an address of the page.

    >>> is_address("t/Wv3sM1qz"), is_address("assets/gone.js"), is_address("favicon.ico"), is_address("api/nothing")
    (True, False, False, False)
    """
    first, _, rest = path.partition("/")
    return first not in SERVER_PATHS and not path.startswith(HASHED) and (bool(rest) or "." not in first)


def page_route(static: Path = STATIC) -> BaseRoute:
    """The built page; where it was not built, a short document with links."""
    if (static / "index.html").is_file():
        return Mount("/", Page(static))
    return Route("/", landing)


async def landing(_request: Request) -> Response:
    return HTMLResponse(LANDING)
