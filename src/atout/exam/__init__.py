"""Examinations of bots: whether they may sit down at a table, whoever wrote them, and whether they shame themselves."""

from atout.exam.conformance import Examination, examine
from atout.exam.report import CHECKS, Failure, Report
from atout.exam.shameful import Lapse, lapses, suite

__all__ = ["CHECKS", "Examination", "Failure", "Lapse", "Report", "examine", "lapses", "suite"]
