"""The page: built files, and the one document that knows every address."""

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
"""Files with a digest in their names: what was fetched once is good for ever."""
OTHERS = ("api", "ws", "healthz", "metrics")
"""Addresses of the server's own; an unknown one below them is no page."""
LANDING = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Atout</title>
<h1>Atout</h1><p>A table server for Njet! and Null &amp; nichtig. It runs; a page to play on is not installed here.</p>
<ul><li><a href="/api/openapi.json">The REST interface, as OpenAPI</a></li>
<li><a href="/api/tables">Open tables</a></li><li><a href="/api/editions">What can be played</a></li>
<li><a href="/healthz">Health</a></li></ul></html>
"""


class Page(StaticFiles):
    """Unknown addresses get the document: `/t/…` and `/replay/…` are the page's own. A missing file stays missing."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        path = "index.html" if path == "." else path
        if path.startswith("."):
            raise HTTPException(404)  # what the build noted for itself
        try:
            response = await super().get_response(path, scope)
        except HTTPException as error:
            if error.status_code != 404 or not is_address(path):
                raise
            response = await super().get_response("index.html", scope)
        kept = path.startswith(HASHED)
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable" if kept else "no-cache"
        return response


def is_address(path: str) -> bool:
    """Whether a path that is no file may be an address of the page.

    >>> is_address("t/Wv3sM1qz"), is_address("assets/gone.js"), is_address("favicon.ico"), is_address("api/nothing")
    (True, False, False, False)
    """
    first, _, rest = path.partition("/")
    return first not in OTHERS and not path.startswith(HASHED) and (bool(rest) or "." not in first)


def page_route(static: Path = STATIC) -> BaseRoute:
    """The built page; where it was not built, a few words."""
    if (static / "index.html").is_file():
        return Mount("/", GZipMiddleware(Page(directory=static), minimum_size=1024))
    return Route("/", landing)


async def landing(_request: Request) -> Response:
    return HTMLResponse(LANDING)
