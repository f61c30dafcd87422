"""Delivers nudges over HTTP: encrypted to a browser's push service, or as JSON to a webhook.

Both addresses are chosen by guests, so a request never goes where only this machine or its network can reach: the name
is looked up once, every address it has must be public, and the connection goes to the address that was checked.
"""

from __future__ import annotations

import base64
import http.client
import ipaddress
import socket
import ssl
from typing import Any
from urllib.parse import urlsplit

import msgspec

from atout.errors import UsageError

SECONDS = 10.0
MAX_URL = 1000
TTL = 12 * 3600
"""Seconds for which a push service keeps a message for a browser that is not there."""
GONE = (404, 410)
"""What a push service says of a subscription that is no more."""
Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class NotAllowed(UsageError):
    """The address may not be called from here."""


class _Pinned(http.client.HTTPConnection):
    """A connection to one address, whatever its name would lead to by now."""

    def __init__(self, host: str, port: int, address: str, is_https: bool) -> None:
        super().__init__(host, port, timeout=SECONDS)
        self._address, self._is_https = address, is_https

    def connect(self) -> None:
        self.sock = socket.create_connection((self._address, self.port), SECONDS)
        if self._is_https:
            self.sock = ssl.create_default_context().wrap_socket(self.sock, server_hostname=self.host)


def is_public(address: str) -> bool:
    """Whether an address is anybody's: not this machine's, not of a private network, not one with a special meaning.

    >>> [is_public(one) for one in ("93.184.216.34", "127.0.0.1", "10.0.0.1", "169.254.169.254", "::ffff:127.0.0.1")]
    [True, False, False, False, False]
    """
    found: Address = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address):
        found = found.ipv4_mapped or found.sixtofour or found
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


def post(url: str, body: bytes, headers: dict[str, str], allow_private: bool) -> int:
    """Send a request and return the status; redirects are not followed. It blocks: call it in a thread."""
    is_https, host, port, path = check_url(url, allow_private)
    found = [str(info[4][0]) for info in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    if not allow_private and not all(map(is_public, found)):
        raise NotAllowed(f"{host} is not a public address; the operator may allow it: ATOUT_NUDGE_PRIVATE")
    connection = _Pinned(host, port, found[0], is_https)
    try:
        connection.request("POST", path, body, headers)
        return connection.getresponse().status
    finally:
        connection.close()


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


def push(subscription: dict[str, Any], text: bytes, key: bytes, contact: str, allow_private: bool) -> int:
    """Encrypt a message for a browser, sign it, and hand it to the browser's push service."""
    from pywebpush import WebPusher

    url = subscription["endpoint"]
    parts = urlsplit(url)
    claims = {"aud": f"{parts.scheme}://{parts.netloc}", "sub": contact}
    signed = _vapid().from_pem(key).sign(claims)
    body = WebPusher(subscription).encode(text, content_encoding="aes128gcm")["body"]
    headers = {"Content-Encoding": "aes128gcm", "TTL": str(TTL), "Urgency": "normal", **signed}
    return post(url, body, headers, allow_private)


def hook(url: str, message: dict[str, str], allow_private: bool) -> int:
    """Send a message to a webhook as JSON."""
    headers = {"Content-Type": "application/json", "User-Agent": "Atout"}
    return post(url, msgspec.json.encode(message), headers, allow_private)


def _vapid() -> Any:
    try:
        from py_vapid import Vapid02
    except ModuleNotFoundError:
        raise UsageError("push messages need the package pywebpush: pip install 'atout[server]'") from None
    return Vapid02
