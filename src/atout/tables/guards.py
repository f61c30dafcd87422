"""Checks that several commands share: the guest who asks, the status of the table, texts."""

from __future__ import annotations

from atout.game.record import MAX_NAME
from atout.tables.refusals import refuse
from atout.tables.shuffle import MAX_ENTROPY
from atout.tables.state import State

BLANK = "\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
"""Letters and signs without a shape, which Python calls printable."""


def guest(by: str | None) -> str:
    if not by:
        raise refuse("guests-only")
    return by


def server(by: str | None) -> None:
    if by is not None:
        raise refuse("server-only")


def host(state: State, by: str | None) -> None:
    """The server may do what the host may."""
    if by is not None and by != state.host:
        raise refuse("host-only")


def seat_of(state: State, by: str | None) -> int:
    seat = state.seat_of(guest(by))
    if seat is None:
        raise refuse("no-seat")
    return seat


def playing_seat(state: State, by: str | None) -> int:
    """The guest's seat, if no bot plays it for them."""
    seat = seat_of(state, by)
    if state.seats[seat].is_stood_in or state.seats[seat].has_left:
        raise refuse("stood-in")
    return seat


def known_seat(state: State, seat: int) -> int:
    if not 0 <= seat < len(state.seats):
        raise refuse("no-such-seat", seat=seat, last=len(state.seats) - 1)
    return seat


def waiting(state: State) -> None:
    if state.status != "waiting":
        raise refuse("not-waiting")


def playing(state: State) -> None:
    if state.status == "paused":
        raise refuse("is-paused")
    if state.status == "over":
        raise refuse("is-over")
    if state.status != "playing":
        raise refuse("not-playing", status=state.status)


def started(state: State) -> None:
    """`Refused` unless the match is playing or paused."""
    if state.status not in ("playing", "paused"):
        raise refuse("not-playing", status=state.status)


def name(text: str) -> str:
    """A name, tidied: printable characters and single spaces. `Refused` if it is too long or nothing to read."""
    tidy = tidied(text)
    if not is_name(tidy):
        raise refuse("bad-name", most=MAX_NAME)
    return tidy


def is_name(tidy: str) -> bool:
    """Whether a tidied text can be a name: not too long, and with a letter or a digit.

    >>> [is_name(tidied(text)) for text in ("Ann", "\u5c0f", "7", "\u2800", "\u3164", "\u202e", "-", "", "x" * 31)]
    [True, True, True, False, False, False, False, False, False]
    """
    return len(tidy) <= MAX_NAME and any(map(str.isalnum, tidy))


def tidied(text: str) -> str:
    """Printable characters and single spaces; characters that look like nothing count as spaces."""
    shown = (letter if letter.isprintable() and letter not in BLANK else " " for letter in text)
    return " ".join("".join(shown).split())


def entropy(text: str) -> str:
    try:
        brought = bytes.fromhex(text)
    except ValueError:
        brought = None
    if brought is None or len(brought) > MAX_ENTROPY:
        raise refuse("bad-entropy", most=MAX_ENTROPY)
    return brought.hex()
