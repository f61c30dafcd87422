"""From frames to whole messages: `websockets`' parser, with limits on fragments and a check of UTF-8.

`websockets` does this in its own I/O layers, which are not used here. What is wrong is found while parsing, so that the
first error decides the close code, and nothing behind it is parsed: a `UnicodeDecodeError` in `recv_frame` closes the
connection with 1007.
"""

from __future__ import annotations

import codecs
import logging

from websockets.frames import CloseCode, Frame, Opcode
from websockets.server import ServerProtocol

MAX_FRAGMENTS = 128
"""Frames of one message. Empty ones would otherwise cost time and memory without ever being too long together."""
_Utf8Decoder = codecs.getincrementaldecoder("utf-8")
_protocol_log = logging.getLogger("atout.ws.protocol")
_protocol_log.setLevel(logging.WARNING)  # below that level the protocol logs paths and cookies


class _Fragments:
    """The frames so far of a message that comes in several."""

    __slots__ = ("decoder", "parts", "size")

    def __init__(self, opcode: Opcode) -> None:
        self.parts: list[bytes] = []
        self.size = 0
        self.decoder = _Utf8Decoder() if opcode is Opcode.TEXT else None


class MessageProtocol(ServerProtocol):
    """Its events are the request, and then whole messages, each as one frame.

    Control frames are answered and are no events. A text message is UTF-8; a binary one may contain anything.
    """

    def __init__(self, max_size: int) -> None:
        # The parser would count a control frame between fragments as part of the message; so it limits single frames.
        super().__init__(max_size=(None, max_size), logger=_protocol_log)
        self._max_size = max_size
        self._fragments: _Fragments | None = None
        self.frame_count = 0
        """Frames so far, of all kinds."""

    def recv_frame(self, frame: Frame) -> None:
        """Take a frame that was parsed. The event of `websockets` is replaced by that of a whole message, if any."""
        self.frame_count += 1
        super().recv_frame(frame)
        self.events.pop()
        if frame.opcode in (Opcode.TEXT, Opcode.BINARY, Opcode.CONT):
            if self._fragments is None and frame.fin:
                if frame.opcode is Opcode.TEXT:
                    codecs.utf_8_decode(frame.data, "strict", True)
                self.events.append(frame)
            else:
                self._add_fragment(frame)

    def _add_fragment(self, frame: Frame) -> None:
        if self._fragments is None:
            self._fragments = _Fragments(frame.opcode)
        fragments = self._fragments
        fragments.size += len(frame.data)
        if fragments.size > self._max_size:
            self.fail(CloseCode.MESSAGE_TOO_BIG, f"a message has {self._max_size} bytes at most")
        elif len(fragments.parts) == MAX_FRAGMENTS:
            self.fail(CloseCode.MESSAGE_TOO_BIG, f"a message has {MAX_FRAGMENTS} fragments at most")
        else:
            if fragments.decoder is not None:
                fragments.decoder.decode(frame.data, frame.fin)
            fragments.parts.append(bytes(frame.data))
            if frame.fin:
                self.events.append(Frame(Opcode.BINARY, b"".join(fragments.parts)))
                self._fragments = None
