"""The built page: static files, and `index.html` for every address of the page."""

from __future__ import annotations

from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

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


class Page(StaticFiles):
    """Unknown paths get `index.html`: `/t/…` and `/replay/…` are addresses of the page. A missing file is 404."""

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
        is_hashed = path.startswith(HASHED)
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable" if is_hashed else "no-cache"
        return response


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
        return Mount("/", GZipMiddleware(Page(directory=static), minimum_size=1024))
    return Route("/", landing)


async def landing(_request: Request) -> Response:
    return HTMLResponse(LANDING)
