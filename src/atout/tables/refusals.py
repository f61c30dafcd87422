"""Refusals: why a table does not carry out a command. Every code with its text.

An action that a rule of the game forbids keeps the code and the paragraph of the game (`atout.game.refusals`).
"""

from __future__ import annotations

from atout.errors import ActionError, IllegalAction, Refused

TEXTS = {
    # the table
    "not-open": "there is no such table",
    "is-open": "the table is open already",
    "bad-settings": "{problem}",
    "bad-secret": "the secret is 64 hexadecimal digits",
    "bad-entropy": "entropy is {most} bytes at most, as hexadecimal digits",
    "bad-name": "a name has 1 to {most} letters",
    "bad-command-id": "a command's id has {most} letters at most",
    "not-waiting": "that is possible only before the match starts",
    "not-playing": "that is possible only while the match is played; it is {status}",
    "not-over": "that is possible only after the match",
    "is-over": "the match is over",
    "no-round": "round {number} is not finished, or there is none",
    "is-paused": "the table is paused",
    "not-paused": "the table is not paused",
    "server-only": "only the server may do that",
    "guests-only": "only a guest can do that",
    "host-only": "only the host may do that",
    # seats
    "no-such-seat": "there is no seat {seat}; the seats are 0 to {last}",
    "no-seat": "you have no seat at this table",
    "already-seated": "you have seat {seat} already",
    "seat-taken": "seat {seat} is taken",
    "seat-kept": "seat {seat} is kept for somebody",
    "no-free-seat": "no seat is free",
    "seats-open": "seats {seats} are not filled",
    "not-level": "a seat is open or one of these bots: {levels}",
    "stood-in": "a bot plays for you; reclaim your seat first",
    "not-stood-in": "no bot plays for you",
    "not-away": "seat {seat} needs no bot: its player is there, or a bot plays it already",
    "clock-decides": "at this table the clock decides when a bot plays for somebody",
    "no-vacation": "only a pause at a table with days per move can have an end",
    "time-is-up": "your time for this match is used up; a bot plays on",
    # decisions
    "no-such-action": "{problem}",
    "not-your-seat": "you have seat {seat}",
    "stale": "that decision has passed",
    "too-late": "the time for this decision is up; a bot makes it",
    "nobody-there": "only bots are left; the table waits for its players",
    "not-a-bot": "seat {seat} decides for itself",
    "has-chosen": "you have chosen already; withdraw the choice to change it",
    "nothing-chosen": "you have chosen nothing that could be withdrawn",
    # offers, talk, watching
    "offer-open": "another offer is open: {what}",
    "no-offer": "no offer is open",
    "has-answered": "you have agreed already",
    "no-takebacks": "at this table nothing is taken back",
    "nothing-to-take-back": "only your own last action can be taken back, while nothing was uncovered since",
    "was-declined": "that takeback was declined",
    "no-chat": "at this table there is no chat",
    "bad-text": "a message has 1 to {most} letters",
    "too-fast": "too fast: at most {most} in {seconds} seconds",
    "too-many-changes": "this table was changed {most} times, and only moves are left",
    "no-hints": "at this table there are no hints",
    "not-asked": "nothing is asked of you now",
    "no-spectators": "nobody may watch this table",
    "is-private": "the match is over; those who played it can look back at it",
    "no-leave": "at this table nobody's cards may be watched",
    "is-seated": "you have a seat, and see its cards and no others",
    "takes-no-requests": "seat {seat} takes no requests to watch",
    "watch-declined": "seat {seat} has declined",
    "asks-already": "you have asked seat {seat} already",
    "no-such-watcher": "nobody asked to watch under that number",
    "one-hand": "you have seen the cards of seat {seat}, and nobody sees two hands in one match",
    "has-watched": "they have seen the cards of seat {seat}, and nobody sees two hands",
    "too-many-spectators": "no more than {most} may ask to watch",
    "already-done": "that command was carried out already",
    "rematch-made": "the rematch is at table {table}",
}


class AlreadyDone(Refused):
    """The command was carried out before; `numbers` are its events. Its sender is sent an acknowledgement."""

    def __init__(self, first: int, last: int) -> None:
        self.numbers = range(first, last + 1)
        super().__init__("already-done", TEXTS["already-done"], parameters={"first": first, "last": last})


def refuse(code: str, **parameters: object) -> Refused:
    """The refusal with this code, its parameters filled into its text.

    >>> raise refuse("seat-taken", seat=2)
    Traceback (most recent call last):
    ...
    atout.errors.Refused: seat 2 is taken
    """
    return Refused(code, TEXTS[code].format(**parameters), parameters=parameters)


def refused_by_rule(error: ActionError) -> Refused:
    """A refusal by a rule of the game, as a refusal of the table. Only the acting seat gets it."""
    if isinstance(error, IllegalAction):
        reason = f"{error.reason}; allowed: {error.allowed}" if error.allowed else error.reason
        return Refused(error.code, reason, error.paragraph, {"action": error.action, **error.parameters})
    return refuse("no-such-action", problem=str(error))
