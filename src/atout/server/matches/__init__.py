"""Finished matches: their summaries, the statistics over them, and what their players show of them to everybody."""
