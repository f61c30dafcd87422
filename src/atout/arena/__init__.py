"""Games among bots: many of them, reproducible, on all cores."""

from atout.arena.simulate import Simulation

__all__ = ["Simulation"]
