"""A WebSocket client that sends any bytes and shows every frame: no library stands between it and the server."""

from __future__ import annotations

import base64
import json
import os
import select
import socket
import struct
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

import httpx

from tests.server.background import PATIENCE

CONT, TEXT, BINARY, CLOSE, PING, PONG = 0x0, 0x1, 0x2, 0x8, 0x9, 0xA
HELLO = b'{"do":"hello"}'


@dataclass
class Got:
    """A frame of the server."""

    opcode: int
    data: bytes

    @property
    def code(self) -> int | None:
        """The code of a close frame."""
        assert self.opcode == CLOSE, self
        return struct.unpack("!H", self.data[:2])[0] if self.data else None


def frame(
    opcode: int,
    data: bytes = b"",
    *,
    fin: bool = True,
    reserved: int = 0,
    mask: bytes | None = b"\x12\x9a\x05\xe7",
    length_bytes: int | None = None,
) -> bytes:
    """A frame as asked for, right or wrong. `length_bytes` is 0, 2 or 8; None for the shortest that fits."""
    if length_bytes is None:
        length_bytes = 0 if len(data) < 126 else 2 if len(data) < 65_536 else 8
    first = (0x80 if fin else 0) | reserved << 4 | opcode
    mask_bit = 0 if mask is None else 0x80
    if length_bytes == 0:
        head = struct.pack("!BB", first, mask_bit | len(data))
    elif length_bytes == 2:
        head = struct.pack("!BBH", first, mask_bit | 126, len(data))
    else:
        head = struct.pack("!BBQ", first, mask_bit | 127, len(data))
    if mask is None:
        return head + data
    return head + mask + bytes(byte ^ mask[at % 4] for at, byte in enumerate(data))


def close_frame(code: int, reason: bytes = b"") -> bytes:
    return frame(CLOSE, struct.pack("!H", code) + reason)


def command(id: str) -> bytes:
    """A command that is refused under its id: the nearest thing to an echo."""
    return json.dumps({"do": "act", "id": id, "action": "nothing"}, ensure_ascii=False).encode()


def handshake(path: str, host: str, cookie: str, version: str = "1.1") -> bytes:
    key = base64.b64encode(os.urandom(16)).decode()
    lines = [
        f"GET {path} HTTP/{version}", f"Host: {host}", f"Cookie: {cookie}", "Upgrade: websocket",
        "Connection: Upgrade", f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13",
    ]  # fmt: skip
    return "\r\n".join([*lines, "", ""]).encode()


class Host:
    """A guest of a server with a table, who opens wires to it."""

    def __init__(self, url: str) -> None:
        self.url = url
        with httpx.Client(base_url=url, timeout=PATIENCE) as http:
            http.post("/api/guest", json={"name": "Ann"}).raise_for_status()
            settings = {"edition": "nichtig", "players": 3}
            opened = http.post("/api/tables", json={"settings": settings})
            opened.raise_for_status()
            self.table: str = opened.json()["table"]
            self.cookie = f"atout={http.cookies['atout']}"

    def wire(self, receive_bytes: int | None = None) -> Wire:
        return Wire(self, receive_bytes)

    def shake_hands(self, version: str = "1.1") -> bytes:
        return handshake(f"/ws/{self.table}", urlsplit(self.url).netloc, self.cookie, version)


class Wire:
    """A TCP connection to the server; a WebSocket after `open`."""

    def __init__(self, host: Host, receive_bytes: int | None = None) -> None:
        self._host, address = host, urlsplit(host.url)
        assert address.hostname is not None
        self.socket = socket.socket()
        if receive_bytes is not None:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
        self.socket.settimeout(PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.connect((address.hostname, address.port))
        self._received = b""

    def __enter__(self) -> Wire:
        return self

    def __exit__(self, *_error: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.socket.close()

    def open(self) -> Wire:
        """Shake hands, say hello, and wait for the welcome."""
        self.send(self._host.shake_hands())
        assert self.head().startswith(b"HTTP/1.1 101 ")
        self.send(frame(TEXT, HELLO))
        assert self.message()["type"] == "welcome"
        return self

    def send(self, data: bytes, size: int = 0) -> None:
        """Send bytes; in pieces of this size, unless it is 0. The server may hang up before it has read all."""
        with suppress(BrokenPipeError, ConnectionResetError):
            for at in range(0, len(data), size or len(data)):
                self.socket.sendall(data[at : at + (size or len(data))])

    def head(self) -> bytes:
        """The head of an HTTP answer."""
        while b"\r\n\r\n" not in self._received:
            assert self._receive(), "the server hung up"
        head, _, self._received = self._received.partition(b"\r\n\r\n")
        return head

    def frame(self) -> Got | None:
        """The next frame; None when the server has closed the connection."""
        head = self._take(2)
        if head is None:
            return None
        assert head[0] & 0x70 == 0, "reserved bits"
        assert head[0] & 0x80, "the server sends no fragments"
        assert head[1] & 0x80 == 0, "a server does not mask"
        length = head[1]
        if length >= 126:
            more = self._take(2 if length == 126 else 8)
            assert more is not None
            length = int.from_bytes(more, "big")
        data = self._take(length)
        assert data is not None
        return Got(head[0] & 0x0F, data)

    def frames(self) -> list[Got]:
        """All frames until the server closes the connection."""
        return list(iter(self.frame, None))

    def message(self) -> Any:
        got = self.frame()
        assert got is not None, "the server hung up"
        assert got.opcode == TEXT, got
        return json.loads(got.data)

    def wait_for_reset(self) -> None:
        """Wait, without reading, until the server has dropped the connection."""
        poll = select.poll()
        poll.register(self.socket, 0)
        assert poll.poll(PATIENCE * 1000), "still connected"

    def rest(self) -> bytes:
        """All bytes until the server closes the connection."""
        while self._receive():
            pass
        return self._received

    def _take(self, count: int) -> bytes | None:
        while len(self._received) < count:
            if not self._receive():
                assert not self._received, "half a frame"
                return None
        taken, self._received = self._received[:count], self._received[count:]
        return taken

    def _receive(self) -> bool:
        try:
            data = self.socket.recv(65_536)
        except ConnectionResetError:  # it has closed before it read all that was sent
            return False
        self._received += data
        return bool(data)
