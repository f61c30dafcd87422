"""The page of a public match, `/m/{address}`: the built page with a head that messengers understand, and its picture.

An address that is not public gets the same page as any other that leads nowhere, with status 404.
"""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from atout.protocol.rest import SharedMatch
from atout.server.http.context import Context
from atout.server.http.sharing import find_shared
from atout.server.http.static import LANDING, STATIC
from atout.server.matches.picture import LANGUAGES, Language, about, headline, names_of

PICTURE = ".png"
SECONDS = 300
"""How long a browser or messenger may keep a picture without asking again."""
LOCALES = {"en": "en_GB", "fr": "fr_FR", "de": "de_DE"}


def shared_route(context: Callable[[], Context]) -> Route:
    """The route of public matches."""

    async def shared_page(request: Request) -> Response:
        address = str(request.path_params["address"])
        is_picture = address.endswith(PICTURE)
        shared = await find_shared(context(), address.removesuffix(PICTURE))
        language = _language(request)
        if is_picture:
            if shared is None:
                raise HTTPException(404)
            picture = await context().pictures.of(shared.match, language)
            headers = {"Cache-Control": f"public, max-age={SECONDS}", "Cross-Origin-Resource-Policy": "cross-origin"}
            return Response(picture, headers=headers, media_type="image/png")
        headers = {"Cache-Control": "no-cache"}
        if shared is None:
            return HTMLResponse(_page(), 404, headers)
        return HTMLResponse(with_head(_page(), shared.match, str(request.base_url), language), headers=headers)

    return Route("/m/{address}", shared_page)


def _language(request: Request) -> Language:
    asked = request.query_params.get("lang", "")
    return next((language for language in LANGUAGES if language == asked), "en")


def _page() -> str:
    built = STATIC / "index.html"
    return built.read_text(encoding="utf-8") if built.is_file() else LANDING


def with_head(page: str, match: SharedMatch, base: str, language: Language) -> str:
    """The page with a title and Open Graph tags of a match; `base` is the address of the server."""
    names = names_of(match, language)
    title = " ".join(headline(match, language, names))
    points = ", ".join(f"{name} {total}" for name, total in zip(names, match.summary.totals, strict=True))
    description = f"{about(match, language)}. {points}"
    query = "" if language == "en" else f"?lang={language}"
    url = f"{base}m/{match.address}"
    tags = {
        "og:type": "website",
        "og:site_name": "Atout",
        "og:title": title,
        "og:description": description,
        "og:url": url + query,
        "og:locale": LOCALES[language],
        "og:image": f"{url}{PICTURE}{query}",
        "og:image:type": "image/png",
        "og:image:width": "1200",
        "og:image:height": "630",
        "og:image:alt": f"{title}. {points}",
    }
    head = "".join(f'<meta property="{name}" content="{escape(text)}">\n' for name, text in tags.items())
    head += '<meta name="twitter:card" content="summary_large_image">\n<meta name="robots" content="noindex">\n'
    return page.replace("<title>Atout</title>", f"<title>{escape(title)} · Atout</title>\n{head}", 1)
