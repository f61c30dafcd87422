"""Examinations of bots: whether they may sit down at a table, whoever wrote them."""

from atout.exam.conformance import Examination, examine
from atout.exam.report import CHECKS, Failure, Report

__all__ = ["CHECKS", "Examination", "Failure", "Report", "examine"]
