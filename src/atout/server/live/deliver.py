"""Delivers nudges over HTTP: encrypted to a browser's push service, or as JSON to a webhook.

Both addresses are chosen by guests, so a request never goes where only this machine or its network can reach: the name
is looked up once, every address it has must be public, and the connection goes to the address that was checked. Nor can
whoever answers there hold anything up: a delivery has a deadline, and nothing but itself waits for it.
"""

from __future__ import annotations

import asyncio
import base64
import ipaddress
import ssl
from functools import cache
from typing import Any
from urllib.parse import urlsplit

import h11
import msgspec

from atout.errors import UsageError
from atout.server.own_thread import look_up

SECONDS = 10.0
"""What a whole delivery may take, from the lookup of the name to the status of the answer."""
PIECE = 4096
MAX_URL = 1000
TTL = 12 * 3600
"""Seconds for which a push service keeps a message for a browser that is not there."""
GONE = (404, 410)
"""What a push service says of a subscription that is no more."""
GLOBAL_UNICAST = ipaddress.IPv6Network("2000::/3")
"""All of IPv6 that is given to anybody (IANA's registry); the rest has a special meaning, or none."""
NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
"""IPv4 addresses as networks with IPv6 alone see them (RFC 6052): the last four bytes."""
Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class NotAllowed(UsageError):
    """The address may not be called from here."""


def is_public(address: str) -> bool:
    """Whether an address is anybody's: not this machine's, not of a private network, not one with a special meaning.

    >>> [is_public(one) for one in ("93.184.216.34", "127.0.0.1", "10.0.0.1", "169.254.169.254", "::ffff:127.0.0.1")]
    [True, False, False, False, False]
    >>> [is_public(one) for one in ("2606:4700::1111", "64:ff9b::5db8:d822", "64:ff9b::a9fe:a9fe", "fec0::1")]
    [True, True, False, False]
    """
    found: Address = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address):
        in_nat64 = ipaddress.IPv4Address(int(found) % 2**32) if found in NAT64 else None
        inside = found.ipv4_mapped or found.sixtofour or in_nat64
        if inside is None and found not in GLOBAL_UNICAST:
            return False
        found = inside or found
    return found.is_global and not found.is_multicast


def check_url(url: str, allow_private: bool) -> tuple[bool, str, int, str]:
    """Whether it is https, host, port and path of an address that may be called; `NotAllowed` if it may not."""
    parts = urlsplit(url)
    try:
        port = parts.port
    except ValueError:
        port = -1
    is_https = parts.scheme == "https"
    is_plain = url.isascii() and url.isprintable() and " " not in url
    if not parts.hostname or parts.username or len(url) > MAX_URL or port == -1 or not is_plain:
        raise NotAllowed("the address cannot be read; expected https://host/path")
    if not is_https and not (allow_private and parts.scheme == "http"):
        raise NotAllowed("the address must begin with https://")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return is_https, parts.hostname, port or (443 if is_https else 80), path


async def post(url: str, body: bytes, headers: dict[str, str], allow_private: bool) -> int:
    """Send a request and return the status; redirects are not followed. `TimeoutError` after `SECONDS`."""
    is_https, host, port, path = check_url(url, allow_private)
    async with asyncio.timeout(SECONDS):
        found = await look_up(host, port)
        if not allow_private and not all(map(is_public, found)):
            raise NotAllowed(f"{host} is not a public address; the operator may allow it: ATOUT_NUDGE_PRIVATE")
        tls: dict[str, Any] = {"ssl": tls_context(), "server_hostname": host} if is_https else {}
        reader, writer = await asyncio.open_connection(found[0], port, **tls)
        try:
            return await _ask(reader, writer, _request(url, path, body, headers), body)
        finally:
            writer.transport.abort()


def _request(url: str, path: str, body: bytes, headers: dict[str, str]) -> h11.Request:
    always = {"Host": urlsplit(url).netloc, "Content-Length": str(len(body)), "Connection": "close"}
    return h11.Request(method="POST", target=path, headers=list({**always, **headers}.items()))


async def _ask(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: h11.Request, body: bytes) -> int:
    """Send a request and wait for the status of its answer. What follows the headers is not read."""
    http = h11.Connection(h11.CLIENT)
    for part in (request, h11.Data(body), h11.EndOfMessage()):
        writer.write(http.send(part) or b"")
    await writer.drain()
    while not isinstance(event := http.next_event(), h11.Response):
        if event is h11.NEED_DATA:
            http.receive_data(await reader.read(PIECE))
    return event.status_code


@cache
def tls_context() -> ssl.SSLContext:
    """How servers are known whose names were looked up here: by certificates of public authorities."""
    return ssl.create_default_context()


# ---------------------------------------------------------------- web push


def new_key() -> bytes:
    """A private key that signs push messages (VAPID), as PEM."""
    vapid = _vapid()()
    vapid.generate_keys()
    pem: bytes = vapid.private_pem()
    return pem


def public_key(private: bytes) -> str:
    """The public key that browsers subscribe with, as base64url."""
    from cryptography.hazmat.primitives import serialization

    point = (
        _vapid()
        .from_pem(private)
        .public_key.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
    )
    return base64.urlsafe_b64encode(point).rstrip(b"=").decode()


async def push(subscription: dict[str, Any], text: bytes, key: bytes, contact: str, allow_private: bool) -> int:
    """Encrypt a message for a browser, sign it, and hand it to the browser's push service."""
    body, headers = await asyncio.to_thread(_encrypted, subscription, text, key, contact)
    return await post(subscription["endpoint"], body, headers, allow_private)


def _encrypted(subscription: dict[str, Any], text: bytes, key: bytes, contact: str) -> tuple[bytes, dict[str, str]]:
    from pywebpush import WebPusher

    parts = urlsplit(subscription["endpoint"])
    claims = {"aud": f"{parts.scheme}://{parts.netloc}", "sub": contact}
    signed = _vapid().from_pem(key).sign(claims)
    body: bytes = WebPusher(subscription).encode(text, content_encoding="aes128gcm")["body"]
    return body, {"Content-Encoding": "aes128gcm", "TTL": str(TTL), "Urgency": "normal", **signed}


async def hook(url: str, message: dict[str, str], allow_private: bool) -> int:
    """Send a message to a webhook as JSON."""
    headers = {"Content-Type": "application/json", "User-Agent": "Atout"}
    return await post(url, msgspec.json.encode(message), headers, allow_private)


def _vapid() -> Any:
    try:
        from py_vapid import Vapid02
    except ModuleNotFoundError:
        raise UsageError("push messages need the package pywebpush: pip install 'atout[server]'") from None
    return Vapid02
