"""The built page as files over HTTP, and how it is shown to the person who starts the server."""

from __future__ import annotations

import asyncio
import os
import socket
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette

from atout.errors import UsageError
from atout.server import browser
from atout.server.http import static
from atout.server.http.static import page_route
from atout.server.run import address_of, bind, serve
from atout.server.settings import ServerSettings
from tests.server.background import Background

DOCUMENT = "<!doctype html><title>Atout</title>" + " " * 2000


class Visitor:
    """Asks a folder of files as the server would."""

    def __init__(self, static: Path) -> None:
        self._app = Starlette(routes=[page_route(static)])

    def ask(self, method: str, path: str, headers: dict[str, str] | None = None) -> httpx.Response:
        async def asking() -> httpx.Response:
            transport = httpx.ASGITransport(self._app)
            async with httpx.AsyncClient(transport=transport, base_url="http://atout") as client:
                return await client.request(method, path, headers=headers)

        return asyncio.run(asking())

    def get(self, path: str, headers: dict[str, str] | None = None) -> httpx.Response:
        return self.ask("GET", path, headers)


@pytest.fixture
def page(tmp_path: Path) -> Visitor:
    (tmp_path / "assets").mkdir()
    (tmp_path / ".vite").mkdir()
    (tmp_path / "index.html").write_text(DOCUMENT)
    (tmp_path / "icon.svg").write_text("<svg/>")
    (tmp_path / "assets" / "home-1a2b.js").write_text("export {};")
    (tmp_path / ".vite" / "manifest.json").write_text("{}")
    return Visitor(tmp_path)


@pytest.mark.parametrize("path", ["/", "/t/Wv3sM1qzX0kq8kQmJY5E5A", "/replay/x.y", "/learn", "/no/such/page"])
def test_every_address_of_the_page_gets_the_document(page: Visitor, path: str) -> None:
    answer = page.get(path)
    assert (answer.status_code, answer.text) == (200, DOCUMENT)
    assert answer.headers["content-type"].startswith("text/html")
    assert answer.headers["cache-control"] == "no-cache", "a new version is found at once"
    assert answer.headers["content-encoding"] == "gzip"


@pytest.mark.parametrize("path", ["/api/x", "/ws/x/y", "/assets/gone.js", "/favicon.ico", "/.vite/manifest.json"])
def test_what_is_no_page_is_not_there(page: Visitor, path: str) -> None:
    assert page.get(path).status_code == 404


def test_files_with_a_digest_are_kept_for_ever(page: Visitor) -> None:
    first = page.get("/assets/home-1a2b.js")
    assert "immutable" in first.headers["cache-control"]
    again = page.get("/assets/home-1a2b.js", headers={"If-None-Match": first.headers["etag"]})
    assert again.status_code == 304
    assert page.get("/icon.svg").headers["cache-control"] == "no-cache"


def test_a_file_is_compressed_once(page: Visitor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compressed: list[str] = []
    compress = static._compressed

    def noted(path: Path) -> bytes:
        compressed.append(path.name)
        return compress(path)

    monkeypatch.setattr(static, "_compressed", noted)
    (tmp_path / "font.woff2").write_bytes(b"x" * 5000)
    answers = [page.get(path) for path in ("/", "/learn", "/t/x", "/", "/assets/home-1a2b.js", "/font.woff2")]
    encodings = [answer.headers.get("content-encoding") for answer in answers]
    assert encodings == ["gzip"] * 4 + [None] * 2, "short files and fonts are sent as they are"
    assert compressed == ["index.html"]
    assert {answer.headers["etag"] for answer in answers[:4]} == {answers[0].headers["etag"]}
    assert int(answers[0].headers["content-length"]) < 200
    plain = page.get("/", headers={"Accept-Encoding": "identity"})
    assert (plain.text, plain.headers["vary"]) == (DOCUMENT, "Accept-Encoding")
    part = page.get("/", headers={"Range": "bytes=0-8"})
    assert (part.status_code, part.content) == (206, b"<!doctype")
    assert page.ask("HEAD", "/").headers["content-encoding"] == "gzip"
    (tmp_path / "index.html").write_text(DOCUMENT + "!")
    os.utime(tmp_path / "index.html", (1, 1))
    assert page.get("/").text == DOCUMENT + "!", "a new build is served at once"
    assert compressed == ["index.html"] * 2


def test_nothing_is_changed_there(page: Visitor) -> None:
    assert page.ask("POST", "/learn").status_code == 405


def test_without_a_built_page_the_server_says_so(tmp_path: Path) -> None:
    answer = Visitor(tmp_path).get("/")
    assert "not installed here" in answer.text


def test_a_screen_is_needed_for_a_browser(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    opened: list[str] = []

    def note(address: str) -> bool:
        opened.append(address)
        return True

    monkeypatch.setattr("webbrowser.open", note)
    monkeypatch.setattr("sys.platform", "linux")
    for name in browser.SCREENS:
        monkeypatch.delenv(name, raising=False)
    browser.show("http://127.0.0.1:8000", "Ready")
    assert opened == []
    assert "open this address in a browser.\n\n    http://127.0.0.1:8000\n" in capsys.readouterr().out
    monkeypatch.setenv("DISPLAY", ":0")
    browser.show("http://127.0.0.1:8000", "Ready")
    assert opened == ["http://127.0.0.1:8000"]
    assert "your browser shows it" in capsys.readouterr().out


def test_a_running_atout_is_shown_instead_of_a_second_one(
    lone: Background, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With SQLite the lock of the database decides: `test_files.py`."""
    monkeypatch.setattr(browser, "open_page", lambda address: True)
    host, _, port = lone.url.removeprefix("http://").partition(":")
    serve(ServerSettings(host=host, port=int(port), database="postgresql://nowhere/atall"), open_browser=True)
    assert f"Atout runs already: your browser shows it.\n\n    {lone.url}\n" in capsys.readouterr().out


def test_a_taken_port_is_named_or_another_one_taken() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        assert not browser.is_atout(f"http://127.0.0.1:{port}")
        settings = ServerSettings(port=port)
        with pytest.raises(UsageError, match=rf"127.0.0.1:{port} cannot be served: .*; --port names another"):
            bind(settings)
        with bind(settings, or_any=True) as listener:
            assert listener.getsockname()[1] not in (0, port)


def test_an_address_is_one_a_browser_takes() -> None:
    assert address_of("::1", 8000) == "http://[::1]:8000"
    assert address_of("::", 80) == "http://[::1]:80"
