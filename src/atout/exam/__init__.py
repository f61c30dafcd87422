"""Examinations of bots: a conformance kit for any bot, and positions with moves that no decent player makes."""

from atout.exam.conformance import Examination, examine
from atout.exam.report import CHECKS, Failure, Report
from atout.exam.shameful import Blunder, blunders, suite

__all__ = ["CHECKS", "Blunder", "Examination", "Failure", "Report", "blunders", "examine", "suite"]
