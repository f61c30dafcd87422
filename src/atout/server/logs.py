"""Logging: one JSON object per line on standard error, without cookies, tokens, table ids or bodies."""

from __future__ import annotations

import datetime
import logging
import sys
from typing import Any

import msgspec

from atout.server.settings import ServerSettings

_PLAIN = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "color_message", "taskName"}


class JsonFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "at": datetime.datetime.fromtimestamp(record.created, datetime.UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "from": record.name,
            "event": record.getMessage(),
            "process": record.process,
        }
        line |= {key: value for key, value in record.__dict__.items() if key not in _PLAIN}
        if record.exc_info:
            line["trace"] = self._trace(record)
        return msgspec.json.encode(line, enc_hook=str).decode()

    def _trace(self, record: logging.LogRecord) -> str:
        """The type and the places of an error; not its message, which may quote anything."""
        assert record.exc_info is not None
        kind, _, trace = record.exc_info
        places: list[str] = []
        while trace is not None:
            code = trace.tb_frame.f_code
            places.append(f"{code.co_filename.rsplit('/', 1)[-1]}:{trace.tb_lineno} {code.co_name}")
            trace = trace.tb_next
        return f"{kind.__name__ if kind else 'error'} at {' < '.join(reversed(places[-12:]))}"


def set_up(settings: ServerSettings) -> None:
    """Configure logging in this process. Of uvicorn's own lines only warnings are kept: others contain table ids."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("atout").setLevel(settings.log_level.upper())
    logging.getLogger("uvicorn").setLevel(logging.WARNING)
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access"):
        logging.getLogger(name).handlers.clear()
        logging.getLogger(name).propagate = True
