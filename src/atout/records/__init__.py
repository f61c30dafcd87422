"""Records in files (JSON Lines): reading, verifying against the rules, and replaying step by step."""

from atout.records.frames import to_frame
from atout.records.lines import MAX_LINE, numbered_lines
from atout.records.replay import Replay, ReplayStep, make_replay
from atout.records.round_replay import make_round_replay
from atout.records.verify import Verifier

__all__ = [
    "MAX_LINE",
    "Replay",
    "ReplayStep",
    "Verifier",
    "make_replay",
    "make_round_replay",
    "numbered_lines",
    "to_frame",
]
