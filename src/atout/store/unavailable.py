"""What the log says of a database that cannot be used now: each reason, once a minute at most."""

from __future__ import annotations

import logging
import time

from atout.errors import Unavailable

log = logging.getLogger(__name__)

SECONDS = 60.0
_logged_at: dict[str, float] = {}


def logged(failure: Exception, cause: Exception) -> Exception:
    """The failure; if it is that the database cannot be used now, the log says what the database said."""
    if isinstance(failure, Unavailable):
        # Only the first line: details follow it, which may quote what was stored.
        reason = str(cause).partition("\n")[0] or type(cause).__name__
        now = time.monotonic()
        if now - _logged_at.get(reason, -SECONDS) >= SECONDS:
            _logged_at[reason] = now
            log.warning("the database cannot be used now", extra={"reason": reason})
    return failure
