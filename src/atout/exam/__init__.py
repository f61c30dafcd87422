"""Exams for bots: positions in which one does not do certain things."""
