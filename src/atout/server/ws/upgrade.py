"""From HTTP to a WebSocket: the upgrade of a connection, without losing what the client has sent already."""

from __future__ import annotations

import asyncio
import sys
from typing import cast

import msgspec
from httptools import HttpParserUpgrade
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from atout.protocol.rest import Problem

NEEDS_HTTP_1_1 = msgspec.json.encode(Problem("bad-request", "a WebSocket needs HTTP/1.1"))


class UpgradingHttpProtocol(HttpToolsProtocol):
    """uvicorn's HTTP connection, which by itself loses what follows the request, and takes HTTP/1.0 for HTTP/1.1."""

    _segment = b""
    """What was received last."""

    def data_received(self, data: bytes) -> None:
        self._segment = data
        super().data_received(data)
        self._segment = b""

    def handle_websocket_upgrade(self) -> None:
        """Hand the connection over. The `HttpParserUpgrade` that is being handled says where the request ends."""
        if self.parser.get_http_version() != "1.1":
            self._refuse_version()
            return
        upgrade = sys.exception()
        assert isinstance(upgrade, HttpParserUpgrade)
        rest = self._segment[upgrade.args[0] :]
        super().handle_websocket_upgrade()
        if rest:
            cast("asyncio.Protocol", self.transport.get_protocol()).data_received(rest)

    def _refuse_version(self) -> None:
        lines = [
            b"content-type: application/json",
            b"content-length: %d" % len(NEEDS_HTTP_1_1),
            b"connection: close",
        ]
        self.transport.write(STATUS_LINE[400] + b"\r\n".join([*lines, b"", NEEDS_HTTP_1_1]))
        self.transport.close()
