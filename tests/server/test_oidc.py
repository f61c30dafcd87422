"""OpenID Connect against a small provider written here, whose tokens are signed without the server's library."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa

from atout.errors import UsageError
from atout.server import oidc
from atout.server.oidc import Confirmed, Flow, OidcCookies, check_oidc
from atout.server.settings import ServerSettings
from tests.server.authenticator import to_base64
from tests.server.background import Background, serve_in_background
from tests.server.busy_pool import busy_pool

Json = dict[str, Any]
CLIENT, SECRET = "atout-here", "a secret of both"


class Provider:
    """Issues codes and tokens. `claims` replaces what an ID token says; None removes it. `more` is told beside it."""

    def __init__(self, back: str = "https://play.example/api/sign-in/oidc/back") -> None:
        self.back = back
        self.key = rsa.generate_private_key(65_537, 2048)
        self.signs_with = self.key
        self.claims: Json = {}
        self.more: Json = {}
        self.codes: dict[str, tuple[str, str]] = {}
        """The challenge and the nonce of each code that was not used."""
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def answer(self, body: Json, status: int = 200) -> None:
                data = json.dumps(body).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def do_GET(self) -> None:
                if provider.handle_get(self):
                    return
                if self.path == "/userinfo":
                    is_asked_well = self.headers["Authorization"] == "Bearer x"
                    self.answer(provider.more, 200 if provider.more and is_asked_well else 401)
                    return
                self.answer(provider.keys() if self.path == "/keys" else provider.metadata())

            def do_POST(self) -> None:
                form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
                token = provider.token({name: value[0] for name, value in form.items()}, self.headers["Authorization"])
                self.answer(token or {"error": "invalid_grant"}, 200 if token else 400)

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def handle_get(self, handler: BaseHTTPRequestHandler) -> bool:
        """Whether a request was answered here: that of a browser."""
        return False

    def metadata(self) -> Json:
        return {
            "issuer": self.url,
            "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": f"{self.url}/token",
            "jwks_uri": f"{self.url}/keys",
            "userinfo_endpoint": f"{self.url}/userinfo",
        }

    def keys(self) -> Json:
        numbers = self.key.public_key().public_numbers()
        key = {"kty": "RSA", "kid": "1", "use": "sig", "alg": "RS256"}
        n, e = numbers.n.to_bytes(256, "big"), numbers.e.to_bytes(3, "big")
        return {"keys": [{**key, "n": to_base64(n), "e": to_base64(e)}]}

    def authorize(self, address: str) -> Json:
        """Somebody says yes at the provider; returns what the browser brings back."""
        asked = {name: value[0] for name, value in parse_qs(urlsplit(address).query).items()}
        assert asked["client_id"] == CLIENT
        assert asked["redirect_uri"] == self.back
        assert (asked["response_type"], asked["code_challenge_method"]) == ("code", "S256")
        assert asked["scope"] == "openid profile email"
        code = f"code {len(self.codes)} {time.time()}"
        self.codes[code] = asked["code_challenge"], asked["nonce"]
        return {"code": code, "state": asked["state"]}

    def token(self, form: Json, authorization: str) -> Json | None:
        if authorization != "Basic " + base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode():
            return None
        challenge, nonce = self.codes.pop(form["code"], ("", ""))
        if to_base64(hashlib.sha256(form["code_verifier"].encode()).digest()) != challenge:
            return None
        now = int(time.time())
        claims = {
            "iss": self.url, "aud": CLIENT, "sub": "ann", "iat": now, "exp": now + 300, "nonce": nonce,
            "name": "Ann Example", "email": "ann@club.example",
        }  # fmt: skip
        said = {name: value for name, value in (claims | self.claims).items() if value is not None}
        parts = [to_base64(json.dumps(part).encode()) for part in ({"alg": "RS256", "kid": "1"}, said)]
        signature = self.signs_with.sign(".".join(parts).encode(), padding.PKCS1v15(), hashes.SHA256())
        return {"access_token": "x", "token_type": "Bearer", "id_token": ".".join([*parts, to_base64(signature)])}


@pytest.fixture(scope="module")
def provider() -> Provider:
    return Provider()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, provider: Provider) -> Iterator[Background]:
    folder: Path = tmp_path_factory.mktemp("oidc")
    with serve_in_background(
        f"sqlite:///{folder}/atout.db", folder, oidc_issuer=provider.url, oidc_client=CLIENT, oidc_secret=SECRET,
        oidc_name="Club", public_url="https://play.example", sign_ins_per_hour=100_000,
    ) as running:  # fmt: skip
        yield running


def patiently(request: Callable[[], httpx.Response]) -> httpx.Response:
    """The answer to a request, repeated while attempts to sign in are limited: that is decided before anything else."""
    while (answer := request()).status_code == 429:
        time.sleep(0.2)
    return answer


class Device:
    """A browser."""

    def __init__(self, server: Background, provider: Provider) -> None:
        self.http, self.provider = httpx.Client(base_url=server.url), provider

    def begin(self, purpose: str) -> Json:
        answer = patiently(lambda: self.http.post("/api/sign-in/oidc", json={"purpose": purpose}))
        assert answer.status_code == 200, answer.text
        return self.provider.authorize(answer.json()["address"])

    def back(self, brought: Json) -> str:
        """Where the page goes on."""
        answer = patiently(lambda: self.http.get("/api/sign-in/oidc/back", params=brought))
        assert answer.status_code == 302
        return str(answer.headers["location"]).removeprefix("/settings#oidc-")

    def go(self, purpose: str) -> str:
        return self.back(self.begin(purpose))

    def shown(self, purpose: str) -> httpx.Response:
        """What the page shows and asks before anything is done."""
        return self.http.get(f"/api/sign-in/oidc/confirmed/{purpose}")

    def keep(self) -> httpx.Response:
        """Agree to keep the name by what was shown."""
        return self.http.post("/api/account/oidc", json={"id": self.shown("keep").json().get("id", "")})

    def sign_in(self, join: str = "ask") -> httpx.Response:
        """Agree to sign in by what was shown."""
        id = self.shown("sign-in").json().get("id", "x")
        return patiently(lambda: self.http.post("/api/sign-in", json={"oidc": id, "join": join}))


@pytest.fixture
def device(server: Background, provider: Provider) -> Iterator[Callable[[], Device]]:
    """Makes browsers, which are closed in the end."""
    with ExitStack() as stack:

        def make() -> Device:
            made = Device(server, provider)
            stack.callback(made.http.close)
            return made

        yield make


@pytest.mark.slow
def test_a_name_is_kept_by_an_account_elsewhere(device: Callable[[], Device], provider: Provider) -> None:
    laptop, phone = device(), device()
    assert laptop.http.get("/api/sign-in/ways").json() == {"oidc": "Club"}
    laptop.http.post("/api/guest", json={"name": "Ann"})
    assert phone.go("sign-in") == "sign-in"
    assert phone.sign_in().json()["code"] == "unknown-identity", "nobody is kept by it yet"
    assert laptop.go("keep") == "keep"
    id = laptop.shown("keep").json()["id"]
    assert laptop.keep().json()["oidc_since"] > 0
    again = laptop.http.post("/api/account/oidc", json={"id": id})
    assert (again.status_code, "before" in again.json()["message"]) == (403, True), "a confirmation counts once"
    assert phone.go("sign-in") == "sign-in"
    assert phone.sign_in().json() == {"name": "Ann", "joined": False}
    assert phone.sign_in().status_code == 403
    assert phone.http.get("/api/guest").json()["name"] == "Ann"
    assert laptop.http.delete("/api/account/oidc").json()["code"] == "last-way"
    stranger = device()
    stranger.http.post("/api/guest", json={"name": "Eve"})
    assert stranger.go("keep") == "keep"
    assert stranger.keep().json()["code"] == "identity-taken"
    lines = laptop.http.get("/api/guest/everything").text.splitlines()
    kept = next(found for line in lines if (found := json.loads(line))["kind"] == "oidc")
    assert (kept["issuer"], kept["subject"]) == (provider.url, "ann")
    made = laptop.http.post("/api/account/code").json()
    assert laptop.http.post("/api/account/code/keep", json=made).status_code == 204
    assert laptop.http.delete("/api/account/oidc").status_code == 204
    assert laptop.http.get("/api/account").json()["oidc_since"] is None


def test_attacks(device: Callable[[], Device], provider: Provider) -> None:
    ann = device()
    ann.http.post("/api/guest", json={"name": "Ann"})
    good = ann.begin("keep")
    eve = device()
    assert eve.back(good) == "failed", "a code of another browser: nobody is signed in as somebody else"
    hers = eve.begin("sign-in")
    assert ann.back(hers) == "failed", "the state of another browser: nobody is lured into another account"
    fresh = ann.begin("keep")
    assert ann.back({**fresh, "state": "x"}) == "failed"
    again = ann.begin("keep")
    cookies = dict(ann.http.cookies)
    assert ann.back(again) == "keep"
    for name, value in cookies.items():
        ann.http.cookies.set(name, value, domain="127.0.0.1")
    assert ann.back(again) == "failed", "a replay"
    assert ann.go("keep") == "keep"
    assert ann.sign_in().status_code == 403, "confirmed for something else"
    mallory = device()
    mallory.http.post("/api/guest", json={"name": "Mallory"})
    for name, value in ann.http.cookies.items():
        if name.endswith("oidc"):
            mallory.http.cookies.set(name, value)
    id = ann.shown("keep").json()["id"]
    assert mallory.http.post("/api/account/oidc", json={"id": id}).status_code == 403, "confirmed for another guest"
    assert mallory.shown("keep").status_code == 403, "who it is, is nobody else's business"
    hour = 3600
    now = int(time.time())
    wrong: tuple[Json, ...] = (
        {"aud": "another-client"}, {"aud": [CLIENT, "another-client"]}, {"iss": "https://evil.example"},
        {"nonce": "x"}, {"nonce": None}, {"exp": now - hour}, {"iat": now + hour}, {"sub": None}, {"sub": ""},
        {"sub": 7}, {"sub": "x" * 300}, {"sub": "a\0b"}, {"sub": "\u200b"}, {"azp": "another-client"},
    )  # fmt: skip
    try:
        for claims in wrong:
            provider.claims = claims
            assert ann.go("keep") == "failed", claims
        provider.claims = {}
        provider.signs_with = rsa.generate_private_key(65_537, 2048)
        assert ann.go("keep") == "failed", "signed by somebody else"
    finally:
        provider.claims, provider.signs_with = {}, provider.key
    denied = ann.begin("keep")
    assert ann.back({"error": "access_denied", "state": denied["state"]}) == "failed"
    assert ann.keep().status_code == 403
    assert ann.go("keep") == "keep", "and without an attack it works"


def test_only_a_page_of_this_server_can_begin(device: Callable[[], Device]) -> None:
    """Else any page could link an account to a name, or sign somebody in, by a link."""
    ann = device()
    ann.http.post("/api/guest", json={"name": "Ann"})
    body = {"purpose": "keep"}
    own = str(ann.http.base_url).rstrip("/")
    for purpose in ("keep", "sign-in"):
        answer = ann.http.get("/api/sign-in/oidc", params={"for": purpose})
        assert (answer.status_code, answer.headers.get("set-cookie")) == (404, None), "a link begins nothing"
    foreign: tuple[Json, ...] = (
        {"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"}, {"Origin": own + ".evil.example"},
    )  # fmt: skip
    for headers in foreign:
        answer = ann.http.post("/api/sign-in/oidc", json=body, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (403, "foreign-origin"), headers
        assert "set-cookie" not in answer.headers
    form = ann.http.post("/api/sign-in/oidc", data=body)
    assert form.status_code == 415, "a form can be sent from anywhere"
    assert device().http.post("/api/sign-in/oidc", json=body).status_code == 401, "nobody is there to be kept"
    ann.http.headers["Origin"] = own
    assert ann.go("sign-in") == "sign-in", "and a page of this server goes the whole way"
    assert ann.shown("sign-in").json()["name"] == "Ann Example"


def test_pictures_in_foreign_pages_use_up_no_attempts(provider: Provider, tmp_path: Path) -> None:
    """A browser loads them with the visitor's address, but without the cookie of a sign-in that was begun."""
    settings: Json = {"oidc_issuer": provider.url, "oidc_client": CLIENT, "oidc_secret": SECRET, "oidc_name": "Club"}
    with (
        serve_in_background(
            f"sqlite:///{tmp_path}/atout.db",
            tmp_path,
            public_url="https://play.example",
            sign_ins_per_hour=3,
            **settings,
        ) as server,
        Device(server, provider).http as http,
    ):
        for _ in range(12):
            answer = http.get("/api/sign-in/oidc/back", headers={"Sec-Fetch-Site": "cross-site"})
            assert answer.status_code == 302
        assert http.post("/api/sign-in", json={"code": "x"}).status_code == 403, "not 429"


def test_nothing_is_done_before_it_was_shown_and_agreed_to(device: Callable[[], Device], provider: Provider) -> None:
    provider.claims = {"sub": "bea", "name": "Bea \u202eExample", "email": "bea@club.example"}
    try:
        bea, phone = device(), device()
        bea.http.post("/api/guest", json={"name": "Bea"})
        assert bea.go("keep") == "keep"
        shown = bea.shown("keep").json()
        expected = {"name": "Bea Example", "mail": "bea@club.example", "number": "", "provider": "Club", "keeps": ""}
        assert shown == {"id": shown["id"], **expected}
        assert bea.shown("sign-in").status_code == bea.shown("x").status_code == 403, "it was begun for something else"
        assert bea.http.get("/api/account").json()["is_kept"] is False, "nothing is linked yet"
        for body in ({}, {"id": ""}, {"id": "x"}):
            assert bea.http.post("/api/account/oidc", json=body).status_code in (403, 422), "not what was shown"
        first = shown["id"]
        assert bea.go("keep") == "keep"
        old = bea.http.post("/api/account/oidc", json={"id": first})
        assert old.status_code == 403, "somebody agreed to what they were shown before"
        assert bea.http.delete("/api/sign-in/oidc").status_code == 204, "no"
        assert bea.shown("keep").status_code == bea.keep().status_code == 403
        assert bea.http.get("/api/account").json()["is_kept"] is False
        assert bea.go("keep") == "keep"
        cookies, second = dict(bea.http.cookies), bea.shown("keep").json()["id"]
        assert bea.http.delete("/api/sign-in/oidc").status_code == 204
        for name, value in cookies.items():
            bea.http.cookies.set(name, value, domain="127.0.0.1")
        kept_back = bea.http.post("/api/account/oidc", json={"id": second})
        assert kept_back.status_code == 403, "a copy of the cookie is of no use after no"
        bea.http.cookies.clear()
        bea.http.cookies.set("atout", cookies["atout"])
        assert bea.go("keep") == "keep"
        assert bea.keep().status_code == 201

        phone.http.post("/api/guest", json={"name": "Phone"})
        assert phone.go("sign-in") == "sign-in"
        assert phone.shown("sign-in").json()["keeps"] == "Bea", "as whom one would be signed in"
        assert phone.http.get("/api/guest").json()["name"] == "Phone", "nobody was signed in yet"
        assert phone.sign_in().json() == {"name": "Bea", "joined": False}
    finally:
        provider.claims = {}


def test_who_it_is_is_told_as_well_as_the_provider_can(device: Callable[[], Device], provider: Provider) -> None:
    nothing = {"name": None, "email": None}
    cases: tuple[tuple[Json, Json, tuple[str, str, str]], ...] = (
        ({"email_verified": False}, {}, ("Ann Example", "", "")),
        ({**nothing, "preferred_username": "ann"}, {}, ("ann", "", "")),
        (nothing, {}, ("", "", "ann")),
        (nothing, {"sub": "ann", "name": "Ann", "email": "a@b.example"}, ("Ann", "a@b.example", "")),
        (nothing, {"sub": "eve", "name": "Eve"}, ("", "", "ann")),
        ({"name": "x" * 500, "email": 7}, {}, ("x" * 100, "", "")),
    )
    try:
        for claims, more, expected in cases:
            provider.claims, provider.more = claims, more
            phone = device()
            assert phone.go("sign-in") == "sign-in"
            shown = phone.shown("sign-in").json()
            assert (shown["name"], shown["mail"], shown["number"]) == expected, claims
    finally:
        provider.claims, provider.more = {}, {}


def test_a_refused_account_changes_nothing(device: Callable[[], Device], provider: Provider) -> None:
    """The natural mistake on a second device: the provider's account keeps another name already."""
    provider.claims = {"sub": "cid"}
    try:
        laptop, phone = device(), device()
        for browser in (laptop, phone):
            browser.http.post("/api/guest", json={"name": "Cid"})
        opened = phone.http.post("/api/tables", json={"settings": {"edition": "nichtig", "players": 3}}).json()["table"]
        before = phone.http.cookies["atout"]
        assert laptop.go("keep") == phone.go("keep") == "keep"
        assert laptop.keep().status_code == 201
        assert phone.keep().json()["code"] == "identity-taken"
        assert phone.http.cookies["atout"] == before
        account = phone.http.get("/api/account")
        assert account.status_code == 200, "the cookie is as good as before"
        assert account.json()["is_kept"] is False
        assert [card["table"] for card in phone.http.get("/api/tables/mine").json()["tables"]] == [opened]
        assert phone.http.post("/api/guest", json={"name": "Cid"}).status_code == 200
        assert phone.http.cookies["atout"].partition(".")[0] == before.partition(".")[0], "still the same guest"
    finally:
        provider.claims = {}


def test_a_name_is_kept_by_one_account_of_a_provider(device: Callable[[], Device], provider: Provider) -> None:
    """Else whoever has a device for a minute could add their own, which nobody would see."""
    cleo = device()
    cleo.http.post("/api/guest", json={"name": "Cleo"})
    try:
        for subject, status in (("cleo", 201), ("mallory", 409), ("cleo", 201)):
            provider.claims = {"sub": subject}
            assert cleo.go("keep") == "keep"
            answer = cleo.keep()
            assert answer.status_code == status, answer.text
        provider.claims = {"sub": "mallory"}
        other = device()
        other.http.post("/api/guest", json={"name": "Mallory"})
        assert other.go("sign-in") == "sign-in"
        assert other.shown("sign-in").json()["keeps"] == ""
    finally:
        provider.claims = {}


def test_no_token_without_a_signature(device: Callable[[], Device], provider: Provider) -> None:
    ann = device()
    ann.http.post("/api/guest", json={"name": "Ann"})
    own = provider.token

    def forged(form: Json, authorization: str) -> Json | None:
        token = own(form, authorization)
        assert token is not None
        head, claims = to_base64(json.dumps({"alg": "none"}).encode()), token["id_token"].split(".")[1]
        return {**token, "id_token": f"{head}.{claims}."}

    provider.token = forged  # type: ignore[method-assign]
    try:
        assert ann.go("keep") == "failed"
    finally:
        provider.token = own  # type: ignore[method-assign]


@pytest.mark.slow
def test_it_is_off_unless_the_operator_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        serve_in_background(f"sqlite:///{tmp_path}/atout.db", tmp_path) as server,
        httpx.Client(base_url=server.url) as http,
    ):
        assert http.get("/api/sign-in/ways").json() == {"oidc": ""}
        assert http.post("/api/sign-in/oidc", json={"purpose": "sign-in"}).json()["code"] == "no-oidc"
    with pytest.raises(UsageError, match="oidc_client"):
        ServerSettings.read({"ATOUT_OIDC_ISSUER": "https://id.example"})
    wanted = {"ISSUER": "https://id.example", "CLIENT": "a", "SECRET": "b"}
    settings = ServerSettings.read(
        {f"ATOUT_OIDC_{name}": value for name, value in wanted.items()} | {"ATOUT_PUBLIC_URL": "https://play.example"}
    )
    check_oidc(settings)
    monkeypatch.setitem(sys.modules, "authlib.integrations.requests_client", None)
    with pytest.raises(UsageError, match=r"atout\[oidc\]"):
        check_oidc(settings)


def test_the_provider_is_asked_in_a_thread_of_its_own(provider: Provider, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that hangs holds up nobody but those who wait for it, and of them only so many at a time."""
    here = ServerSettings(
        oidc_issuer=provider.url, oidc_client=CLIENT, oidc_secret=SECRET, public_url="https://play.example"
    )
    end = threading.Event()

    async def scenario() -> None:
        with busy_pool():
            monkeypatch.setattr(oidc, "ALL_SECONDS", 60.0)
            asked = oidc.Provider(here)
            flow, address = await asked.ask(asked.begin, "sign-in", "", time.time())
            assert f"state={flow.state}" in address
            monkeypatch.setattr(oidc, "ALL_SECONDS", 0.2)
            waiting = [asyncio.create_task(asked.ask(end.wait)) for _ in range(oidc.MAX_ASKING)]
            await asyncio.sleep(0)
            with pytest.raises(oidc.OidcFailed, match="too many"):
                await asked.ask(end.wait)
            results = await asyncio.gather(*waiting, return_exceptions=True)
            assert {str(one) for one in results} == {"the provider takes too long"}
            end.set()
            monkeypatch.setattr(oidc, "ALL_SECONDS", 60.0)
            while True:  # the threads end one after the other
                with suppress(oidc.OidcFailed):
                    assert await asked.ask(end.wait)
                    return
                await asyncio.sleep(0.01)

    try:
        asyncio.run(scenario())
    finally:
        end.set()


def test_cookies_of_the_way_are_signed_and_short_lived() -> None:
    cookies, others = OidcCookies([b"k" * 32]), OidcCookies([b"e" * 32])
    flow = Flow("keep", "s", "n", "v", "", 1000.0)
    assert cookies.flow(cookies.write(flow), 1001.0) == flow
    assert cookies.flow(cookies.write(flow), 2000.0) is None
    assert cookies.flow(others.write(flow), 1001.0) is None
    assert cookies.confirmed(cookies.write(flow), 1001.0) is None, "one kind is not taken for the other"
    done = Confirmed("keep", "1", "https://id.example", "ann", "", 1000.0, "Ann Example", "ann@club.example")
    assert cookies.confirmed(cookies.write(done), 1001.0) == done
