"""Settings of the server: each is an environment variable `ATOUT_<NAME>`; the command line overrides some."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta, Struct
from msgspec.inspect import FloatType, IntType, StrType, type_info

from atout.bots import TABLE_SECONDS
from atout.errors import UsageError

PREFIX = "ATOUT_"
Port = Annotated[int, Meta(ge=0, le=65535)]
Many = Annotated[int, Meta(ge=1, le=10_000_000)]
Seconds = Annotated[float, Meta(ge=0, le=3600)]


class ServerSettings(Struct, frozen=True, kw_only=True):
    """The defaults suit a small machine and a group of friends."""

    host: str = "127.0.0.1"
    port: Port = 8000
    """0: any free port; the first line of output names it."""
    database: str = "sqlite:///atout.db"
    workers: Annotated[int, Meta(ge=1, le=64)] = 1
    """Processes; more than one needs PostgreSQL."""
    keys: str = ""
    """Secrets that sign cookies, separated by commas: the first signs, all are accepted. Empty: the key file's."""
    key_file: str = ""
    """One key per line; created with a new database. Empty: beside the SQLite file, else `atout.key`."""
    lost_key: str = ""
    """The name of a key that is lost, as the server says it when it refuses to start with another one: accept that one.
    All guests without an account lose their names, seats and matches; accounts have to sign in again."""
    origins: str = ""
    """Further origins whose pages may use this server, separated by commas: https://play.example."""
    hosts: str = ""
    """Further names of this server, separated by commas: play.example; * for any. It knows localhost, `host` and the
    hosts of `origins` anyway; if it listens on all addresses (0.0.0.0 or ::), also every address in place of a name."""
    proxies: str = "127.0.0.1"
    """Addresses of reverse proxies whose X-Forwarded-* is trusted, separated by commas; * for any."""
    secure: Literal["auto", "always", "never"] = "auto"
    """Whether cookies are for https only; auto: if the request came by https."""
    metrics_token: Annotated[str, Meta(min_length=16)] = ""
    """With it (`Authorization: Bearer …`) /metrics can be read from anywhere. Empty: only from this machine."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    bot_processes: Annotated[int, Meta(ge=0, le=256)] = 0
    """Processes for bots, per worker; 0: the number of cores divided by the workers."""
    bot_warm: bool = True
    """Start the bots' processes with the worker, not when the first bot is asked."""
    bot_seconds: Annotated[float, Meta(gt=0, le=60)] = TABLE_SECONDS
    """Budget of a search bot for one decision."""
    bot_pace: Annotated[float, Meta(ge=0, le=10)] = 1.0
    """Factor for the time after which a bot's decision is shown. Below 1 the time may show how hard the decision was,
    and so something of the bot's cards; with 0 it always does. For tests and measurements."""
    guests_per_hour: Many = 60
    """New guests from one address (IPv6: from one /64)."""
    sign_ins_per_hour: Many = 30
    """Attempts to sign in from one address (IPv6: from one /64), by passkey or recovery code, good or not."""
    asks_per_hour: Many = 60
    """Requests to be friends, invitations to tables, and new links of one guest."""
    reports_per_day: Many = 10
    """Reports of one guest; from one address (IPv6: from one /64) three times as many."""
    tables_per_hour: Many = 60
    """New tables of one guest."""
    tables_per_guest: Many = 50
    """Unfinished tables a guest may be at, as host or player."""
    connections: Many = 10_000
    """WebSockets per worker."""
    connections_per_guest: Many = 20
    """WebSockets per guest and worker."""
    connections_per_table: Many = 100
    connections_per_address: Many = 200
    """Connections per address (IPv6: per /64) and worker, HTTP and WebSocket; those of `proxies` are not counted."""
    message_bytes: Annotated[int, Meta(ge=512, le=1_000_000)] = 8192
    """Largest message of a client on a WebSocket."""
    body_bytes: Annotated[int, Meta(ge=1024, le=10_000_000)] = 65_536
    """Largest body of a request."""
    header_bytes: Annotated[int, Meta(ge=1024, le=1_000_000)] = 32_768
    """Largest head of a request: its first line and its headers."""
    url_bytes: Annotated[int, Meta(ge=256, le=1_000_000)] = 8192
    header_seconds: Annotated[float, Meta(gt=0, le=3600)] = 10.0
    """How long a connection may take to send the head of a request, and a new one to begin with it."""
    body_seconds: Annotated[float, Meta(gt=0, le=3600)] = 30.0
    """How long the body of a request may take to arrive, and how long a client may stop reading a response."""
    commands_per_second: Annotated[float, Meta(gt=0, le=100_000)] = 20.0
    """Rate limit per guest and worker, on average; three seconds' worth may come at once."""
    requests_per_second: Annotated[float, Meta(gt=0, le=100_000)] = 20.0
    """Rate limit per guest and worker, and per address (IPv6: /64) for all without a valid cookie together; on average,
    three seconds' worth may come at once."""
    unread_bytes: Annotated[int, Meta(ge=16_384, le=100_000_000)] = 262_144
    """What may wait for a slow reader, all bytes counted; then it is dropped, and may resume."""
    hello_seconds: Annotated[float, Meta(gt=0, le=3600)] = 10.0
    """How long a connection may take to say hello."""
    absent_seconds: Seconds = 10.0
    """After a table was loaded or started: players not connected by then are away."""
    reload_seconds: Seconds = 2.0
    """A player is away only after being disconnected for this long: pages are reloaded."""
    keep_days: Annotated[float, Meta(ge=0, le=36_500)] = 365.0
    """A table untouched for so long is deleted, finished or not; its records are kept. 0: never."""
    nudge_seconds: Annotated[float, Meta(gt=0, le=86_400)] = 60.0
    """How long a decision is due until its player is nudged."""
    nudge_private: bool = False
    """Whether webhooks and push services may be in private networks, and called without https: for a server at home."""
    nudge_contact: str = ""
    """A mailto: or https: address of the operator, which push services are told."""
    public_url: str = ""
    """The address of this server as people open it, https://play.example: for links in mails and invitations, and for
    the way back from a provider of OpenID Connect."""
    smtp: str = ""
    """The server that sends mail: smtps://user:password@mail.example:465, or smtp://… with STARTTLS; a server on this
    machine needs neither (smtp://localhost:25). Empty: nobody is nudged by mail."""
    smtp_from: str = ""
    """The sender of mails: atout@play.example."""
    mails_per_hour: Many = 10
    """Mails to one address that was confirmed, and requests of one guest to confirm another."""
    mail_asks_per_hour: Many = 20
    """Requests to confirm an address from one network: an IPv4 address, or an IPv6 /64."""
    mail_asks_in_all: Many = 200
    """The same from everybody, in an hour."""
    oidc_issuer: str = ""
    """A provider of OpenID Connect with whose accounts people may keep their name: https://id.example. Empty: none."""
    oidc_client: str = ""
    """The id of this server at the provider."""
    oidc_secret: str = ""
    """The secret that belongs to it."""
    oidc_name: Annotated[str, Meta(max_length=40)] = ""
    """What people call the provider; empty: the name of its host."""
    drain_seconds: Annotated[int, Meta(ge=1, le=600)] = 5
    """How long a worker may take to finish what it has begun, when it is told to stop."""

    @classmethod
    def read(cls, environment: Mapping[str, str] = os.environ, **chosen: Any) -> ServerSettings:
        """The settings from the environment; values in `chosen` that are not None take precedence."""
        values: dict[str, Any] = {}
        for name in cls.__struct_fields__:
            if chosen.get(name) is not None:
                values[name] = chosen[name]
            elif environment.get(PREFIX + name.upper(), "") != "":
                values[name] = environment[PREFIX + name.upper()]
        for name, value in values.items():
            _check(cls, name, value)
        settings = msgspec.convert(values, cls, strict=False)
        if settings.workers > 1 and settings.database.startswith("sqlite:"):
            raise UsageError(
                f"workers: {settings.workers} is not allowed with SQLite, which serves one process; "
                "expected 1, or a database postgresql://…"
            )
        _check_together(settings)
        return settings

    def to_environment(self) -> dict[str, str]:
        """The settings as environment variables, for worker processes."""
        return {PREFIX + name.upper(): str(getattr(self, name)) for name in self.__struct_fields__}


def _check_together(settings: ServerSettings) -> None:
    """Raise `UsageError` for settings that need others, and for addresses that cannot be read."""
    needed = {"smtp": ("smtp_from", "public_url"), "oidc_issuer": ("oidc_client", "oidc_secret", "public_url")}
    for name, others in needed.items():
        for other in others:
            if getattr(settings, name) and not getattr(settings, other):
                raise UsageError(f"{name} ({PREFIX}{name.upper()}) needs {other} ({PREFIX}{other.upper()}) as well")
    for name, may_have_path in (("public_url", False), ("oidc_issuer", True)):
        url = getattr(settings, name)
        if url and not _is_address(url, may_have_path):
            expected = (
                "expected https://host" if may_have_path else "expected https://host or http://host:port, no path"
            )
            raise UsageError(f"{name} ({PREFIX}{name.upper()}): {url[:80]!r} is not allowed; {expected}")


def _is_address(url: str, may_have_path: bool) -> bool:
    """Whether a setting is the address of a site that a browser can open.

    >>> [_is_address(url, False) for url in ("https://play.example", "http://kitchen.local:8000/", "http://[::1]:80")]
    [True, True, True]
    >>> [_is_address(url, False) for url in ("play.example", "https://play.example/atout", "http://a b", "http://u:p@a.b")]
    [False, False, False, False]
    >>> _is_address("https://id.example/realms/home", True), _is_address("http://a.b:99999", False)
    (True, False)
    """
    try:
        parsed = urlsplit(url)
        has_host = bool(parsed.hostname) and parsed.port != 0
    except ValueError:
        return False
    is_plain = not (parsed.query or parsed.fragment or parsed.username or any(map(str.isspace, url)))
    return parsed.scheme in ("http", "https") and has_host and is_plain and (may_have_path or parsed.path in ("", "/"))


def parts(text: str) -> list[str]:
    """The parts of a setting that is a list.

    >>> parts("https://play.example, https://cards.example,")
    ['https://play.example', 'https://cards.example']
    """
    return [part.strip() for part in text.split(",") if part.strip()]


def _check(cls: type[ServerSettings], name: str, value: Any) -> None:
    """Raise `UsageError` for a wrong value, which is quoted."""
    kind = get_type_hints(cls, include_extras=True)[name]
    try:
        msgspec.convert(value, kind, strict=False)
    except msgspec.ValidationError:
        said = f"{name} ({PREFIX}{name.upper()}): {str(value)[:40]!r} is not allowed"
        raise UsageError(f"{said}; expected {_allowed(kind)}") from None


def _allowed(kind: Any) -> str:
    """The values that a setting may have.

    >>> _allowed(Port), _allowed(bool), _allowed(Literal["auto", "always", "never"])
    ('a whole number from 0 to 65535', 'true or false', 'auto, always or never')
    >>> _allowed(Annotated[float, Meta(gt=0, le=60)]), _allowed(Annotated[str, Meta(min_length=16)])
    ('a number above 0, at most 60', '16 letters or more')
    """
    if get_origin(kind) is Literal:
        *others, last = get_args(kind)
        return f"{', '.join(others)} or {last}"
    found = type_info(kind)
    if isinstance(found, IntType | FloatType):
        number = "a whole number" if isinstance(found, IntType) else "a number"
        most = found.le
        return (
            f"{number} above {found.gt}, at most {most}" if found.ge is None else f"{number} from {found.ge} to {most}"
        )
    if isinstance(found, StrType):
        least, most = found.min_length, found.max_length
        return f"{most} letters at most" if least is None else f"{least} letters or more"
    return "true or false"
