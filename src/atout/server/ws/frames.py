"""The two frames that nearly all are (RFC 6455, 5.2): a short text of a client, and whatever a server says.

All others are `websockets`' business; these it takes ten times as long for.
"""

from __future__ import annotations

try:
    from websockets.speedups import apply_mask
except ImportError:  # where it was not compiled
    from websockets.utils import apply_mask


def framed(text: bytes) -> bytes:
    """A message in one frame, unmasked as a server's are."""
    size = len(text)
    if size < 126:
        return b"\x81%c%b" % (size, text)
    if size < 1 << 16:
        return b"\x81\x7e%b%b" % (size.to_bytes(2, "big"), text)
    return b"\x81\x7f%b%b" % (size.to_bytes(8, "big"), text)


def short_text(data: bytes) -> bytes | None:
    """The message, if these bytes are one masked text frame of less than 126 bytes: what a move is.

    >>> short_text(bytes.fromhex("8182 00000000") + b"hi")
    b'hi'
    """
    if not 6 <= len(data) < 132 or data[0] != 0x81 or data[1] != 0x80 | (len(data) - 6):
        return None
    return apply_mask(data[6:], data[2:6])


def is_whole(data: bytes) -> bool:
    """Whether these bytes end where a frame does, if they begin where one does.

    >>> one = framed(b"x" * 200)
    >>> is_whole(one + one), is_whole(one + one[:3])
    (True, False)
    """
    at = 0
    while at + 2 <= len(data):
        size, masked = data[at + 1] & 0x7F, data[at + 1] & 0x80
        more = {126: 2, 127: 8}.get(size, 0)
        at += 2
        if more:
            size = int.from_bytes(data[at : at + more], "big")
        at += more + (4 if masked else 0) + size
    return at == len(data)
