"""Samples of worlds with weights: flattening, means, standard errors."""

from __future__ import annotations

import math

import numpy as np

from atout.search.gain import Float64Array


def flattened(log_weights: Float64Array, enough: float, flatten: float) -> Float64Array:
    """Weights that add up to 1, with an effective sample size of at least `enough` of their number.

    >>> flattened(np.array([0.0, 0.0]), 0.5, 0.8).tolist()
    [0.5, 0.5]
    """
    logs = log_weights - log_weights.max()
    while True:
        weights = np.exp(logs)
        weights /= weights.sum()
        if 1 / (weights**2).sum() >= enough * len(weights):
            return np.asarray(weights, np.float64)
        logs = logs * flatten


def mean_and_error(values: Float64Array, weights: Float64Array) -> tuple[float, float]:
    """A weighted mean and its standard error."""
    mean = float(weights @ values)
    spread = float(weights**2 @ (values - mean) ** 2)
    effective = 1 / float((weights**2).sum())
    return mean, math.sqrt(spread * effective / max(effective - 1, 0.5))
