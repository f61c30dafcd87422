"""Examinations of bots: a conformance kit for any bot, and positions with moves that no decent player makes."""

from atout.exam.blunder_suite import Blunder, blunders, suite
from atout.exam.conformance import Examination, examine
from atout.exam.report import CHECKS, Failure, Report

__all__ = ["CHECKS", "Blunder", "Examination", "Failure", "Report", "blunders", "examine", "suite"]
