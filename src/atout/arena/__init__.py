"""Games among bots: many of them, reproducible, on all cores; and tournaments that say who is stronger."""

from atout.arena.runners import ENGINES, Engine, make_engine
from atout.arena.settings import Settings, parse_budget
from atout.arena.simulate import Simulation
from atout.arena.tournament import Tournament

__all__ = ["ENGINES", "Engine", "Settings", "Simulation", "Tournament", "make_engine", "parse_budget"]
