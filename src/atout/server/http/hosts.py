"""The names of this server: a request for another one is refused.

A page of an attacker may let its own name point to this machine after it was loaded (DNS rebinding); its requests then
reach this server as if they were of the same origin, but with the attacker's name in `Host`. An address in place of a
name cannot be used for that.
"""

from __future__ import annotations

import ipaddress
import re

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection

from atout.server.errors import ApiError
from atout.server.settings import ServerSettings, parts

ANY = "*"
LOCALHOST = "localhost"
HOST = re.compile(r"(\[(?P<address>[0-9a-f:.]+)\]|(?P<name>[a-z0-9_-][a-z0-9._-]*))(:[0-9]{0,5})?")
"""A `Host` header in lower case: a name or an address, and a port."""
SCHEMES = ("http", "https")
FORWARDED = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip")
"""Headers that proxies add."""


class Hosts:
    """Names by which the server may be called: this machine's own, and those in the settings, origins and public URL.

    >>> hosts = Hosts(ServerSettings(hosts="Play.example", origins="https://cards.example:8443"))
    >>> [hosts.knows(name) for name in ("localhost:8000", "[::1]:8000", "play.example", "cards.example")]
    [True, True, True, True]
    >>> [hosts.knows(name) for name in ("evil.example", "192.168.1.7", "localhost.evil.example", "")]
    [False, False, False, False]
    >>> home = Hosts(ServerSettings(host="0.0.0.0"))
    >>> [home.knows(name) for name in ("192.168.1.7:8000", "[fe80::7]:8000", "evil.example")]
    [True, True, False]
    """

    def __init__(self, settings: ServerSettings) -> None:
        names = [settings.host, *parts(settings.hosts)]
        origins = [*parts(settings.origins), settings.public_url]
        self._names = {name_of(name) for name in names} | {_name_in(origin) for origin in origins}
        self._is_any = ANY in names
        bound = _address(settings.host)
        self._is_any_address = bound is not None and bound.is_unspecified
        """It listens on all addresses of the machine, so it may be called by any."""

    def knows(self, host: str) -> bool:
        name = name_of(host)
        if not name:
            return False
        is_address = _address(name) is not None
        return self._is_any or is_local(host) or name in self._names or (self._is_any_address and is_address)

    def refusal(self, headers: Headers, needs_host: bool = True) -> ApiError | None:
        """Why a request with these headers is refused; None if it is not. HTTP/1.0 does not need a `Host`."""
        hosts = headers.getlist("host")
        if not hosts and not needs_host:
            return None
        if len(hosts) != 1:
            return ApiError(400, "no-host", "a request has one Host header")
        if not self.knows(hosts[0]):
            name = name_of(hosts[0])[:100]
            return ApiError(421, "unknown-host", f"this server is not called {name!r}; ATOUT_HOSTS lists its names")
        return None


def name_of(host: str) -> str:
    """The name or address in a `Host` header, without port and brackets; empty if there is none.

    >>> [name_of(host) for host in ("Play.Example:8000", "[::1]:80", "::1", "127.0.0.1", "play.example.", "[", ":80")]
    ['play.example', '::1', '::1', '127.0.0.1', 'play.example', '', '']
    >>> {name_of(host) for host in ("[::1].evil.example", "localhost:80@evil.example", "localhost:80:80", "a b", "[a]")}
    {''}
    """
    host = host.strip().lower()
    if _address(host) is not None:
        return host
    found = HOST.fullmatch(host)
    if found is None:
        return ""
    inside, name = found["address"], found["name"]
    return name.removesuffix(".") if inside is None else inside if _address(inside) is not None else ""


def netloc_in(origin: str) -> tuple[str, str]:
    """Scheme and `Host` of an origin; both empty if it is none: it has no path, no user and no other scheme.

    >>> netloc_in("https://play.example:8443"), netloc_in("http://[::1]:80")
    (('https', 'play.example:8443'), ('http', '[::1]:80'))
    >>> {netloc_in(text) for text in ("null", "ftp://a.b", "http://a.b/", "http://a.b@c.d", "http://a.b:80:80", "a.b")}
    {('', '')}
    """
    scheme, _, host = origin.lower().partition("://")
    return (scheme, host) if scheme in SCHEMES and HOST.fullmatch(host) else ("", "")


def is_local(host: str) -> bool:
    """Whether a `Host` header or an address is one by which a machine calls itself.

    >>> [is_local(host) for host in ("localhost:80", "127.0.0.1", "127.9.9.9", "[::1]:80", "::ffff:127.0.0.1", "a.b")]
    [True, True, True, True, True, False]
    """
    name = name_of(host)
    address = _address(name)
    if isinstance(address, ipaddress.IPv6Address):
        address = address.ipv4_mapped or address
    return name == LOCALHOST or (address is not None and address.is_loopback)


def is_from_here(request: HTTPConnection) -> bool:
    """Whether a request comes from this machine to this machine, and not through a proxy on it."""
    client = request.client.host if request.client else ""
    host = request.headers.get("host", "")
    address = _address(name_of(host))
    is_own = is_local(host) or (address is not None and address.is_unspecified)  # 0.0.0.0 opens this machine, too
    return is_own and is_local(client) and not any(name in request.headers for name in FORWARDED)


def _name_in(origin: str) -> str:
    return name_of(netloc_in(origin.rstrip("/"))[1])


def _address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None
