"""Deduplication: the latest commands of a guest, packed in one bytes object because a server keeps four per table."""

from __future__ import annotations

REMEMBERED = 16
"""Commands remembered per guest; a client repeats only commands that were not acknowledged."""
_BEGINS, _ENDS = b"\xff", b"\xfe"
"""Around an id; neither occurs in UTF-8."""
Done = bytes
"""Oldest first, each as its id and the numbers of its first and last event."""


def numbers_of(done: Done, command: str) -> tuple[int, int] | None:
    """The first and last event of a command, if it is remembered.

    >>> numbers_of(with_event(with_event(b"", "a", 7), "a", 8), "a")
    (7, 8)
    """
    wanted = _name(command)
    at = done.find(wanted)
    if at < 0:
        return None
    first, last = done[at + len(wanted) :].partition(_BEGINS)[0].split()
    return int(first), int(last)


def with_event(done: Done, command: str, number: int) -> Done:
    """Add an event of a command; the oldest command is forgotten when there are too many."""
    name, first = _name(command), number
    if name in done:
        known = numbers_of(done, command)
        assert known is not None
        first = known[0] if known[1] == number - 1 else number
        done = done.replace(b"%b%d %d" % (name, *known), b"", 1)
    if done.count(_BEGINS) == REMEMBERED:
        done = done[done.index(_BEGINS, 1) :]
    return b"%b%b%d %d" % (done, name, first, number)


def _name(command: str) -> bytes:
    return b"%b%b%b" % (_BEGINS, command.encode(errors="surrogatepass"), _ENDS)
