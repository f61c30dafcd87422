"""Matches among bots: reproducible, on all cores; simulations, and tournaments that tell which bot is stronger."""

from atout.arena.runners import RUNNERS, Runner, make_runner
from atout.arena.settings import ArenaSettings, parse_budget
from atout.arena.simulate import Simulation
from atout.arena.tournament import Tournament

__all__ = ["RUNNERS", "ArenaSettings", "Runner", "Simulation", "Tournament", "make_runner", "parse_budget"]
