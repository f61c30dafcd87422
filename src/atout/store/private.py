"""Files that only their owner may read: databases, backups and keys. They hold the cards of running matches."""

from __future__ import annotations

import logging
import os
import stat
from contextlib import suppress
from pathlib import Path

log = logging.getLogger(__name__)

PRIVATE = 0o600
OTHERS = stat.S_IRWXG | stat.S_IRWXO


def create_private(path: Path) -> None:
    """Create an empty file for its owner alone, unless it exists. Errors are left to whoever opens it."""
    with suppress(OSError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE))


def make_private(path: Path) -> None:
    """Take away other users' rights on an existing file, and log that."""
    try:
        mode = stat.S_IMODE(path.stat().st_mode)
        if mode & OTHERS:
            path.chmod(mode & ~OTHERS)
            log.warning("others may not use a file any more", extra={"file": path.name, "mode_before": f"{mode:04o}"})
    except FileNotFoundError:
        pass
    except OSError as error:
        log.warning("others may use a file", extra={"file": path.name, "error": error.strerror})
