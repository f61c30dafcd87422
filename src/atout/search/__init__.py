"""Compiled search: playouts, flat Monte Carlo, ISMCTS, guided MCTS, network lookahead, and solvers with open cards."""
