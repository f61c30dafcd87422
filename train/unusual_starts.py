"""Matches of a training run that start unusually (`atout/batch/starts.py`)."""

from __future__ import annotations

from typing import Any

import torch

from atout.batch.starts import start_all
from train.config import Learning
from train.matches import Matches


class UnusualStarts:
    """Which matches start unusually: drawn once, so that the shares stay the same."""

    def __init__(self, matches: Matches, learning: Learning, scales: Any) -> None:
        self._matches = matches
        device = matches.device
        self._late, self._extreme = (
            (torch.rand(matches.size, device=device) < share).long() for share in (learning.late, learning.extreme)
        )
        self._deviations = scales.round().long().clamp_min(1)
        self.is_used = learning.late + learning.extreme > 0

    def apply(self) -> None:
        """After a step: change the matches and rounds that have just begun."""
        if not self.is_used:
            return
        batch, progress = self._matches.batch, self._matches.progress
        marks = (self._late, self._extreme, self._deviations)
        if self._matches.device == "cuda":
            from atout.batch.device_starts import start_on_device

            start_on_device(batch, progress, *marks)
        else:
            arrays = [mark.numpy() for mark in marks]
            start_all(batch.states, batch.rules, batch.which, batch.rngs, batch.logs, batch.progress, *arrays)
