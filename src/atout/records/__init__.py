"""Records on disk: reading lines of games, verifying them against the rules, and telling them step by step."""

from atout.records.lines import MAX_LINE, numbered_lines
from atout.records.replay import Replay, ReplayStep, make_replay
from atout.records.verify import Verifier

__all__ = ["MAX_LINE", "Replay", "ReplayStep", "Verifier", "make_replay", "numbered_lines"]
