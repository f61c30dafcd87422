"""The positions of the exam: no shameful action is called fine, and no good one is called wrong."""

from __future__ import annotations

import pytest

from atout.exam.blunder_suite import suite
from atout.exam.position import Position
from atout.study.effort import effort_of

from .exam_positions import judged

SECONDS = 2.0
BUDGET = effort_of(SECONDS)
