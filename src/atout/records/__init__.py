"""Records on disk: reading lines of games, and verifying them against the rules."""

from atout.records.lines import MAX_LINE, numbered_lines
from atout.records.verify import Verifier

__all__ = ["MAX_LINE", "Verifier", "numbered_lines"]
