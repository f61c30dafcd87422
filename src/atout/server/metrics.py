"""Metrics for Prometheus: counters, gauges and latency histograms.

With several workers a scrape reaches any one of them. `prometheus_client` then keeps every worker's values in files of
a common folder, which the supervisor names in the environment, and `/metrics` adds them up: counters of workers that
have ended stay in the sum, as counters must; their gauges do not.
"""

from __future__ import annotations

import os

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

disable_created_metrics()

CONTENT_TYPE = CONTENT_TYPE_LATEST
WORKERS_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""The environment variable with the folder; unset for a single process."""
QUICK = (0.0005, 0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.125, 0.25, 0.5, 1.0, 2.0, 5.0)
"""Upper bounds in seconds, for what people should not notice."""
SLOW = (0.01, 0.03, 0.1, 0.3, 0.6, 1.0, 2.0, 5.0, 10.0, 30.0)
"""Upper bounds in seconds, for bots that think."""


class Metrics:
    """The metrics of one worker."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self.commands = self._counter("commands", "Commands of guests that were carried out.")
        self.events = self._counter("events", "Events stored.")
        self.refusals = self._counter("refusals", "Commands that were refused.")
        self.conflicts = self._counter("conflicts", "Appends refused because another worker was first.")
        self.bot_decisions = self._counter("bot_decisions", "Decisions of bots that were carried out.")
        self.bot_failures = self._counter("bot_failures", "Decisions made at random because a bot failed.")
        self.connections_opened = self._counter("connections_opened", "WebSockets opened.")
        self.slow_readers = self._counter("slow_readers", "WebSockets dropped because the client did not read.")
        self.errors = self._counter("errors", "Requests and messages that failed unexpectedly.")
        self.unavailable = self._counter("unavailable", "Times the database could not be reached.")
        self.tables = self._gauge("tables", "Tables in memory.")
        self.connections = self._gauge("connections", "WebSockets open.")
        self.bots_waiting = self._gauge("bots_waiting", "Decisions that bots have not made yet.")
        self.command_seconds = self._histogram(
            "command_seconds", "From a command's arrival until it is durable and sent to everybody.", QUICK
        )
        self.append_seconds = self._histogram("append_seconds", "From an append until it is durable.", QUICK)
        self.request_seconds = self._histogram("request_seconds", "HTTP requests.", QUICK)
        self.bot_seconds = self._histogram("bot_seconds", "From asking a bot until its choice, waiting included.", SLOW)

    def text(self) -> bytes:
        """The metrics of all workers in the text format of Prometheus (`CONTENT_TYPE`)."""
        if not os.environ.get(WORKERS_FOLDER):
            return generate_latest(self._registry)
        registry = CollectorRegistry()
        MultiProcessCollector(registry)
        return generate_latest(registry)

    def _counter(self, name: str, text: str) -> Counter:
        return Counter(f"atout_{name}", text, registry=self._registry)

    def _gauge(self, name: str, text: str) -> Gauge:
        return Gauge(f"atout_{name}", text, registry=self._registry, multiprocess_mode="livesum")

    def _histogram(self, name: str, text: str, bounds: tuple[float, ...]) -> Histogram:
        return Histogram(f"atout_{name}", text, registry=self._registry, buckets=bounds)


def forget_worker(pid: int) -> None:
    """Drop the gauges of a worker that has ended; called by the supervisor."""
    mark_process_dead(pid)
