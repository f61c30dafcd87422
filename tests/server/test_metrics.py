"""Metrics: one worker's in memory, several workers' added up from their files."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from atout.server.metrics import WORKERS_FOLDER, Metrics

WORKER = """
import os
from atout.server.metrics import Metrics
metrics = Metrics()
metrics.events.inc(3)
metrics.connections.inc(2)
metrics.append_seconds.observe(0.003)
print(os.getpid())
"""
SUM = """
import sys
from atout.server.metrics import Metrics, forget_worker
for pid in sys.argv[1:]:
    forget_worker(int(pid))
sys.stdout.buffer.write(Metrics().text())
"""


def values(text: str) -> dict[str, float]:
    """Samples without labels, and of histograms also the buckets, by name and upper bound."""
    return {
        sample.name + sample.labels.get("le", ""): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def run(program: str, folder: Path, *arguments: str) -> str:
    environment = {**os.environ, WORKERS_FOLDER: str(folder)}
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout


def test_a_single_worker() -> None:
    metrics = Metrics()
    metrics.errors.inc()
    metrics.tables.set(7)
    for seconds in (0.0003, 0.003, 0.004, 9.0):
        metrics.command_seconds.observe(seconds)
    found = values(metrics.text().decode())
    assert found["atout_errors_total"] == 1
    assert found["atout_unavailable_total"] == 0
    assert found["atout_tables"] == 7
    assert found["atout_command_seconds_count"] == 4
    assert [found[f"atout_command_seconds_bucket{le}"] for le in ("0.0005", "0.002", "0.004", "+Inf")] == [1, 1, 3, 4]
    assert values(Metrics().text().decode())["atout_errors_total"] == 0, "each instance counts for itself"


@pytest.mark.slow
def test_several_workers_are_added_up_and_a_dead_one_keeps_its_counters(tmp_path: Path) -> None:
    pids = [run(WORKER, tmp_path).strip() for _ in range(2)]
    both = values(run(SUM, tmp_path))
    assert (both["atout_events_total"], both["atout_connections"]) == (6, 4)
    assert both["atout_append_seconds_count"] == 2
    one = values(run(SUM, tmp_path, pids[0]))
    assert (one["atout_events_total"], one["atout_connections"]) == (6, 2)
