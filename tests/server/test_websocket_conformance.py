"""The core of the Autobahn test suite for WebSocket servers (RFC 6455), frame by frame, against the real server.

Autobahn's server echoes. Here a command that is refused under its id takes the place of an echo. The numbers in the
names of the cases are those of the suite.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.background import serve_in_background
from tests.server.wire import (
    BINARY,
    CLOSE,
    CONT,
    HELLO,
    PING,
    PONG,
    TEXT,
    Got,
    Host,
    Wire,
    close_frame,
    command,
    frame,
)

MESSAGE_BYTES = 100_000
"""Room for all three encodings of a length."""
PROTOCOL_ERROR, INVALID_DATA, TOO_BIG = 1002, 1007, 1009
KOSME = "κόσμε"


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    folder: Path = tmp_path_factory.mktemp("conformance")
    with serve_in_background(f"sqlite:///{folder}/atout.db", folder, message_bytes=MESSAGE_BYTES) as server:
        yield Host(server.url)


@pytest.fixture
def wire(host: Host) -> Iterator[Wire]:
    with host.wire() as wire:
        yield wire.open()


def pieces(data: bytes, size: int, opcode: int = TEXT) -> list[bytes]:
    """A message in frames of this size."""
    parts = [data[at : at + size] for at in range(0, len(data), size)]
    last = len(parts) - 1
    return [frame(CONT if at else opcode, part, fin=at == last) for at, part in enumerate(parts)]


def assert_answers(wire: Wire, *ids: str) -> None:
    for id in ids:
        message = wire.message()
        assert (message["type"], message["id"]) == ("refusal", id)


def assert_alive(wire: Wire) -> None:
    """Nothing else was sent before, and the next command is answered."""
    wire.send(frame(TEXT, command("alive")))
    assert_answers(wire, "alive")


def assert_closes(wire: Wire, code: int | None) -> None:
    """The next frame is a close frame, and the last one."""
    got = wire.frames()
    assert [each.opcode for each in got] == [CLOSE]
    assert got[0].code == code


# -------------------------------------------------------------------- 1: messages and lengths


@pytest.mark.slow
@pytest.mark.parametrize("length", [100, 125, 126, 127, 128, 255, 256, 65_535, 65_536, MESSAGE_BYTES])
@pytest.mark.parametrize("size", [0, 997], ids=["whole", "cut"])
def test_1_lengths(wire: Wire, length: int, size: int) -> None:
    wire.send(frame(TEXT, command("x").ljust(length)), size)
    assert_answers(wire, "x")
    assert_alive(wire)


@pytest.mark.parametrize("opcode", [TEXT, BINARY])
def test_1_an_empty_message(wire: Wire, opcode: int) -> None:
    wire.send(frame(opcode))
    assert wire.message()["code"] == "bad-message"
    assert_alive(wire)


def test_1_a_binary_message_is_read_like_a_text(wire: Wire) -> None:
    wire.send(frame(BINARY, command("x")))
    assert_answers(wire, "x")
    wire.send(frame(BINARY, b"\xff\xfe"))
    assert wire.message()["code"] == "bad-message"
    assert_alive(wire)


@pytest.mark.parametrize(("length", "length_bytes"), [(60, 2), (60, 8), (125, 2), (300, 8)])
def test_1_a_length_longer_than_it_need_be_is_read(wire: Wire, length: int, length_bytes: int) -> None:
    """RFC 6455 demands the shortest encoding of the sender, and nothing of the receiver."""
    wire.send(frame(TEXT, command("x").ljust(length), length_bytes=length_bytes))
    assert_answers(wire, "x")
    assert_alive(wire)


@pytest.mark.parametrize("length", [MESSAGE_BYTES + 1, 2**31, 2**32, 2**63 - 1, 2**63, 2**64 - 1])
def test_1_too_long_a_message_is_refused_by_its_length(wire: Wire, length: int) -> None:
    wire.send(b"\x81\xff" + struct.pack("!Q", length))
    assert_closes(wire, TOO_BIG)


def test_1_too_long_a_message_in_fragments(wire: Wire) -> None:
    wire.send(b"".join(pieces(b" " * (MESSAGE_BYTES + 1), 10_000)))
    assert_closes(wire, TOO_BIG)


# -------------------------------------------------------------------- 2: pings and pongs


@pytest.mark.parametrize("data", [b"", b"Hello", b"\x00\xff\xfe\xfd\xfc\xfb\x00\xff", b"\xfe" * 125])
@pytest.mark.parametrize("size", [0, 1], ids=["whole", "byte by byte"])
def test_2_a_ping_is_answered_alike(wire: Wire, data: bytes, size: int) -> None:
    wire.send(frame(PING, data), size)
    assert wire.frame() == Got(PONG, data)
    assert_alive(wire)


def test_2_5_too_long_a_ping(wire: Wire) -> None:
    wire.send(frame(PING, b"\xfe" * 126))
    assert_closes(wire, PROTOCOL_ERROR)


@pytest.mark.parametrize("data", [b"", b"unsolicited"])
def test_2_7_a_pong_is_ignored(wire: Wire, data: bytes) -> None:
    wire.send(frame(PONG, data))
    wire.send(frame(PING, b"ping"))
    assert wire.frame() == Got(PONG, b"ping")
    assert_alive(wire)


@pytest.mark.parametrize("size", [0, 1], ids=["whole", "byte by byte"])
def test_2_10_ten_pings_are_answered_in_order(wire: Wire, size: int) -> None:
    wire.send(b"".join(frame(PING, b"payload-%d" % at) for at in range(10)), size)
    assert [wire.frame() for _ in range(10)] == [Got(PONG, b"payload-%d" % at) for at in range(10)]
    assert_alive(wire)


# -------------------------------------------------------------------- 3, 4: reserved bits and opcodes


@pytest.mark.parametrize("reserved", range(1, 8))
@pytest.mark.parametrize("opcode", [TEXT, BINARY, PING, PONG, CLOSE])
def test_3_reserved_bits(wire: Wire, reserved: int, opcode: int) -> None:
    data = struct.pack("!H", 1000) if opcode == CLOSE else b"x"
    wire.send(frame(opcode, data, reserved=reserved))
    assert_closes(wire, PROTOCOL_ERROR)


def test_3_a_reserved_bit_in_a_continuation(wire: Wire) -> None:
    wire.send(frame(TEXT, b"a", fin=False) + frame(CONT, b"b", reserved=4))
    assert_closes(wire, PROTOCOL_ERROR)


@pytest.mark.parametrize("opcode", [3, 4, 5, 6, 7, 11, 12, 13, 14, 15])
@pytest.mark.parametrize("data", [b"", b"reserved opcode"])
def test_4_reserved_opcodes(wire: Wire, opcode: int, data: bytes) -> None:
    wire.send(frame(opcode, data))
    assert_closes(wire, PROTOCOL_ERROR)


@pytest.mark.parametrize(
    "bad",
    [
        frame(3),
        frame(PING, b"x", reserved=5),
        frame(CONT, b"x"),
        frame(TEXT, b"x", mask=None),
        frame(PING, b"x" * 126),
        frame(TEXT, b"\xff"),
        b"\x81\xff" + struct.pack("!Q", MESSAGE_BYTES + 1),
        close_frame(999),
        close_frame(1000),
    ],
    ids=["opcode", "bits", "continuation", "unmasked", "long ping", "not UTF-8", "long text", "close code", "close"],
)
@pytest.mark.parametrize("size", [0, 1], ids=["one segment", "byte by byte"])
def test_4_messages_before_the_end_are_answered_before_it(wire: Wire, bad: bytes, size: int) -> None:
    """3.2, 4.1.3, 5.15 and others: what was right before a protocol error counts."""
    messages = b"".join(frame(TEXT, command(id)) for id in ("one", "two", "three"))
    wire.send(messages + bad, size)
    assert_answers(wire, "one", "two", "three")
    got = wire.frames()
    assert [each.opcode for each in got] == [CLOSE]


# -------------------------------------------------------------------- 5: fragments


@pytest.mark.parametrize("opcode", [PING, PONG])
def test_5_1_a_control_frame_in_fragments(wire: Wire, opcode: int) -> None:
    wire.send(frame(opcode, b"frag", fin=False) + frame(CONT, b"ment"))
    assert_closes(wire, PROTOCOL_ERROR)


def test_5_a_close_frame_in_fragments(wire: Wire) -> None:
    wire.send(frame(CLOSE, struct.pack("!H", 1000), fin=False) + frame(CONT))
    assert_closes(wire, PROTOCOL_ERROR)


@pytest.mark.parametrize("opcode", [TEXT, BINARY])
@pytest.mark.parametrize("size", [0, 1], ids=["whole", "byte by byte"])
def test_5_3_a_message_in_two_fragments(wire: Wire, opcode: int, size: int) -> None:
    wire.send(b"".join(pieces(command("x"), 25, opcode)), size)
    assert_answers(wire, "x")
    assert_alive(wire)


@pytest.mark.parametrize("size", [0, 1], ids=["whole", "byte by byte"])
def test_5_6_control_frames_between_fragments(wire: Wire, size: int) -> None:
    first, second, third = pieces(command("x"), 20)
    wire.send(first + frame(PING, b"one") + second + frame(PONG, b"?") + frame(PING, b"two") + third, size)
    assert [wire.frame(), wire.frame()] == [Got(PONG, b"one"), Got(PONG, b"two")]
    assert_answers(wire, "x")
    assert_alive(wire)


def test_5_a_ping_between_fragments_does_not_count_as_part_of_the_message(wire: Wire) -> None:
    """The message so far is as long as a message may be."""
    text = command("x").ljust(MESSAGE_BYTES)
    wire.send(frame(TEXT, text, fin=False) + frame(PING, b"p" * 125) + frame(CONT))
    assert wire.frame() == Got(PONG, b"p" * 125)
    assert_answers(wire, "x")
    assert_alive(wire)


@pytest.mark.parametrize("fin", [True, False])
def test_5_9_a_continuation_of_nothing(wire: Wire, fin: bool) -> None:
    wire.send(frame(CONT, b"x", fin=fin))
    assert_closes(wire, PROTOCOL_ERROR)


def test_5_14_a_continuation_after_a_whole_message(wire: Wire) -> None:
    wire.send(b"".join(pieces(command("x"), 25)) + frame(CONT, b"x", fin=False))
    assert_answers(wire, "x")
    assert_closes(wire, PROTOCOL_ERROR)


@pytest.mark.parametrize("opcode", [TEXT, BINARY])
def test_5_18_a_message_within_a_message(wire: Wire, opcode: int) -> None:
    wire.send(frame(TEXT, b"a", fin=False) + frame(opcode, b"b"))
    assert_closes(wire, PROTOCOL_ERROR)


def test_5_19_pings_between_fragments_are_answered_at_once(wire: Wire) -> None:
    first, second, third = pieces(command("x"), 20)
    wire.send(first + second + frame(PING, b"now"))
    assert wire.frame() == Got(PONG, b"now")
    wire.send(third)
    assert_answers(wire, "x")


def test_5_empty_fragments_are_part_of_a_message(wire: Wire) -> None:
    wire.send(frame(TEXT, fin=False) + frame(CONT, command("x"), fin=False) + frame(CONT, fin=False) + frame(CONT))
    assert_answers(wire, "x")
    assert_alive(wire)


def test_5_a_message_byte_by_byte(wire: Wire) -> None:
    wire.send(b"".join(pieces(command("x"), 1)))
    assert_answers(wire, "x")
    assert_alive(wire)


# -------------------------------------------------------------------- 6: UTF-8

VALID = [
    "é",
    KOSME,
    "\u20ac",
    "\ud7ff\ue000",
    "\ufeff",
    "\ufffd\ufffe\uffff",
    "\U00010000",
    "🂡🃏",
    "\U0010ffff",
]
INVALID = {
    "a lone continuation byte": b"\x80",
    "a lone start byte": b"\xc3",
    "a sequence cut short": b"\xe2\x82",
    "a start byte and no continuation": b"\xe2A",
    "overlong /": b"\xc0\xaf",
    "overlong / in three bytes": b"\xe0\x80\xaf",
    "overlong / in four bytes": b"\xf0\x80\x80\xaf",
    "overlong NUL": b"\xc0\x80",
    "a high surrogate": b"\xed\xa0\x80",
    "a low surrogate": b"\xed\xbf\xbf",
    "a pair of surrogates": b"\xed\xa0\x80\xed\xb0\x80",
    "above U+10FFFF": b"\xf4\x90\x80\x80",
    "five bytes": b"\xf8\x88\x80\x80\x80",
    "six bytes": b"\xfc\x84\x80\x80\x80\x80",
    "0xFE": b"\xfe",
    "0xFF": b"\xff",
    "6.3.1": b"\xce\xba\xe1\xbd\xb9\xcf\x83\xce\xbc\xce\xb5\xed\xa0\x80edited",
}


@pytest.mark.parametrize("text", VALID)
@pytest.mark.parametrize("size", [1, 2, 3, 1000])
def test_6_utf8_may_be_cut_anywhere(wire: Wire, text: str, size: int) -> None:
    wire.send(b"".join(pieces(command(text), size)))
    assert_answers(wire, text)
    assert_alive(wire)


@pytest.mark.parametrize("bad", INVALID.values(), ids=INVALID)
@pytest.mark.parametrize("size", [1, 1000], ids=["fragments", "whole"])
def test_6_what_is_not_utf8_closes_with_1007(wire: Wire, bad: bytes, size: int) -> None:
    text = b'{"do":"act","id":"' + bad + b'","action":"nothing"}'
    wire.send(b"".join(pieces(text, size)))
    assert_closes(wire, INVALID_DATA)


@pytest.mark.parametrize("bad", INVALID.values(), ids=INVALID)
def test_6_at_the_end_of_a_message(wire: Wire, bad: bytes) -> None:
    wire.send(frame(TEXT, bad))
    assert_closes(wire, INVALID_DATA)


def test_6_4_it_closes_before_the_message_is_complete(wire: Wire) -> None:
    """Nothing that could follow would make it UTF-8."""
    wire.send(frame(TEXT, KOSME.encode(), fin=False) + frame(CONT, b"\xf4\x90\x80\x80", fin=False))
    assert_closes(wire, INVALID_DATA)


def test_6_the_first_error_counts(wire: Wire) -> None:
    wire.send(frame(TEXT, b"\xff") + frame(PING, b"x") + close_frame(1000))
    assert_closes(wire, INVALID_DATA)


# -------------------------------------------------------------------- 7: closing


@pytest.mark.parametrize(
    "code", [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999, 4000, 4999]
)
def test_7_7_close_codes_are_echoed(wire: Wire, code: int) -> None:
    wire.send(close_frame(code))
    assert_closes(wire, code)


@pytest.mark.parametrize("code", [0, 1, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65_535])
def test_7_9_wrong_close_codes(wire: Wire, code: int) -> None:
    wire.send(close_frame(code))
    assert_closes(wire, PROTOCOL_ERROR)


def test_7_3_1_a_close_frame_without_code(wire: Wire) -> None:
    wire.send(frame(CLOSE))
    assert_closes(wire, None)


def test_7_3_2_a_close_frame_of_one_byte(wire: Wire) -> None:
    wire.send(frame(CLOSE, b"\x03"))
    assert_closes(wire, PROTOCOL_ERROR)


@pytest.mark.parametrize("reason", [b"Hello World!", b"*" * 123, (KOSME * 12).encode()[:122]])
@pytest.mark.parametrize("size", [0, 1], ids=["whole", "byte by byte"])
def test_7_3_4_close_reasons(wire: Wire, reason: bytes, size: int) -> None:
    wire.send(close_frame(1000, reason), size)
    assert_closes(wire, 1000)


def test_7_3_6_too_long_a_close_reason(wire: Wire) -> None:
    wire.send(close_frame(1000, b"*" * 124))
    assert_closes(wire, PROTOCOL_ERROR)


@pytest.mark.parametrize("bad", INVALID.values(), ids=INVALID)
def test_7_5_a_close_reason_that_is_not_utf8(wire: Wire, bad: bytes) -> None:
    wire.send(close_frame(1000, bad))
    assert_closes(wire, INVALID_DATA)


@pytest.mark.parametrize(
    "more", [close_frame(1000), frame(PING, b"x"), frame(TEXT, command("late")), frame(3), b"\xff" * 5000]
)
def test_7_1_what_follows_a_close_frame_is_ignored(wire: Wire, more: bytes) -> None:
    wire.send(close_frame(1000) + more)
    assert_closes(wire, 1000)


def test_7_1_5_a_close_frame_within_a_message(wire: Wire) -> None:
    wire.send(frame(TEXT, b"a", fin=False) + close_frame(1000) + frame(CONT, b"b"))
    assert_closes(wire, PROTOCOL_ERROR)


def test_7_a_message_after_a_good_bye_of_the_server_is_ignored(host: Host) -> None:
    """It waits for the other close frame and then closes the connection."""
    with host.wire() as wire:
        wire.send(host.shake_hands())
        wire.head()
        wire.send(frame(TEXT, b"no hello"))
        assert wire.message()["type"] == "refusal"
        assert wire.message()["type"] == "bye"
        closed = wire.frame()
        assert closed is not None
        assert closed.code == 1000
        wire.send(frame(TEXT, HELLO) + frame(TEXT, command("late")) + close_frame(1000))
        assert wire.frame() is None


# -------------------------------------------------------------------- masks


@pytest.mark.parametrize("opcode", [TEXT, BINARY, PING, PONG, CLOSE])
def test_frames_of_clients_are_masked(wire: Wire, opcode: int) -> None:
    data = struct.pack("!H", 1000) if opcode == CLOSE else b"x"
    wire.send(frame(opcode, data, mask=None))
    assert_closes(wire, PROTOCOL_ERROR)


def test_an_unmasked_continuation(wire: Wire) -> None:
    wire.send(frame(TEXT, b"a", fin=False) + frame(CONT, b"b", mask=None))
    assert_closes(wire, PROTOCOL_ERROR)


@pytest.mark.parametrize("mask", [b"\0\0\0\0", b"\xff\xff\xff\xff", b"\x01\x02\x03\x04"])
def test_any_mask_will_do(wire: Wire, mask: bytes) -> None:
    wire.send(frame(TEXT, command("x"), mask=mask))
    assert_answers(wire, "x")


# -------------------------------------------------------------------- the handshake


@pytest.mark.parametrize("size", [0, 1, 7], ids=["one segment", "byte by byte", "cut"])
def test_a_hello_may_follow_the_handshake_at_once(host: Host, size: int) -> None:
    with host.wire() as wire:
        wire.send(host.shake_hands() + frame(TEXT, HELLO) + frame(TEXT, command("x")), size)
        assert wire.head().startswith(b"HTTP/1.1 101 ")
        assert wire.message()["type"] == "welcome"
        assert_answers(wire, "x")
        assert_alive(wire)


def test_what_follows_a_refused_handshake_is_ignored(host: Host) -> None:
    with host.wire() as wire:
        wire.send(host.shake_hands().replace(b"atout=", b"atout=x") + frame(TEXT, HELLO))
        assert wire.head().startswith(b"HTTP/1.1 401 ")


@pytest.mark.parametrize("version", ["1.0", "2.0"])
def test_other_versions_of_http_open_no_websocket(host: Host, version: str) -> None:
    with host.wire() as wire:
        wire.send(host.shake_hands(version) + frame(TEXT, HELLO))
        status, _, headers = wire.head().partition(b"\r\n")
        assert status.split()[1] == b"400"
        assert b"connection: close" in headers.lower()


def test_the_answer_to_another_version_says_why(host: Host) -> None:
    with host.wire() as wire:
        wire.send(host.shake_hands("1.0"))
        length = next(line for line in wire.head().lower().split(b"\r\n") if line.startswith(b"content-length:"))
        body = wire.rest()
        assert len(body) == int(length.split(b":")[1])
        assert json.loads(body)["code"] == "bad-request"
        assert "HTTP/1.1" in json.loads(body)["message"]
