"""Errors as HTTP responses: a status code, and a `Problem` for programs and people."""

from __future__ import annotations

from typing import Any

from atout.errors import AtoutError, EditionError, GuestForgotten, NoTable, Refused, Unavailable


class ApiError(AtoutError):
    """A request that is refused or fails."""

    def __init__(self, status: int, code: str, message: str, **parameters: Any) -> None:
        self.status, self.code, self.message, self.parameters = status, code, message, parameters
        super().__init__(message)


MAX_MESSAGE = 500
"""Letters of a message that come from what somebody sent."""
REFUSED_STATUS = {
    "bad-settings": 422,
    "bad-name": 422,
    "no-seat": 403,
    "host-only": 403,
    "no-spectators": 403,
    "is-private": 403,
    "no-round": 404,
}


def as_api_error(error: AtoutError) -> ApiError:
    """The error as the client is told: nothing of the server's internals."""
    if isinstance(error, ApiError):
        return error
    if isinstance(error, Refused):
        reason = error.reason[:MAX_MESSAGE]  # what is wrong with house rules is a parameter, too
        return ApiError(REFUSED_STATUS.get(error.code, 409), error.code, reason, **error.parameters)
    if isinstance(error, NoTable):
        return ApiError(404, "no-table", "there is no such table")
    if isinstance(error, GuestForgotten):
        return ApiError(401, "no-guest", "you were forgotten; introduce yourself again: POST /api/guest")
    if isinstance(error, Unavailable):
        return ApiError(503, "try-again", "the database cannot be reached just now; try again in a moment")
    if isinstance(error, EditionError):
        return ApiError(422, "bad-settings", str(error)[:MAX_MESSAGE], problem=str(error))
    return ApiError(500, "internal", "something went wrong on the server; it was logged")
