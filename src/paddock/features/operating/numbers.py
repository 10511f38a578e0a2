"""Numbers for Prometheus: what the server counts, and what is in memory at the moment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from importlib.metadata import version

from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    InfoMetricFamily,
    Metric,
    SummaryMetricFamily,
)
from prometheus_client.registry import Collector
from starlette.datastructures import State

from paddock.core.extras import DISTRIBUTION
from paddock.features.operating.guesses import Guesses
from paddock.tables import BOUNDS, Table, Tables
from paddock.web.meter import Counts


def phase(table: Table) -> str:
    """Return one word for how far a table in memory is."""
    if table.fault:
        return "frozen"
    if table.fully_visible:
        return "finished"
    return "lobby" if table.phase == "lobby" else "running"


class _Numbers(Collector):
    """Makes the numbers when somebody asks for them."""

    def __init__(self, state: State, guesses: Guesses) -> None:
        self._state = state
        self._guesses = guesses

    def collect(self) -> Iterator[Metric]:
        """Yield all numbers."""
        yield InfoMetricFamily("paddock", "The version of Paddock.", value={"version": version(DISTRIBUTION)})
        yield from self._answers()
        tables: Tables | None = self._state.tables
        up = GaugeMetricFamily("paddock_database_up", "1 if the database is open.")
        up.add_metric([], float(tables is not None))
        yield up
        if tables is not None:
            yield from _tables(tables)
            yield from _store(tables)

    def _answers(self) -> Iterator[Metric]:
        answers = CounterMetricFamily(
            "paddock_answers", "Answers by part of the server and status.", labels=["part", "status"]
        )
        counted: Counter[str] = Counter()
        counts: Counts = self._state.counts
        for (what, status), count in sorted(counts.answers.items()):
            answers.add_metric([what, status], count)
            counted[what] += count
        yield answers
        times = SummaryMetricFamily(
            "paddock_answer_seconds", "Seconds of answers by part of the server.", labels=["part"]
        )
        for what, seconds in sorted(counts.seconds.items()):
            times.add_metric([what], count_value=counted[what], sum_value=seconds)
        yield times
        streams = GaugeMetricFamily("paddock_streams", "Open event streams.")
        streams.add_metric([], self._state.checks.limits.streams.total)
        yield streams
        wrong = CounterMetricFamily("paddock_wrong_tokens", "Wrong tokens of the operator.")
        wrong.add_metric([], self._guesses.total)
        yield wrong


def _tables(tables: Tables) -> Iterator[Metric]:
    counted = Counter(phase(live.table) for live in tables.registry)
    there = GaugeMetricFamily("paddock_tables", "Tables in memory by phase.", labels=["phase"])
    for word in ("lobby", "running", "finished", "frozen"):
        there.add_metric([word], counted[word])
    yield there
    stalled = GaugeMetricFamily("paddock_stopped_bots", "Tables whose bots stopped because of an error.")
    stalled.add_metric([], sum(bool(live.table.stalled) for live in tables.registry))
    yield stalled


def _store(tables: Tables) -> Iterator[Metric]:
    measured = tables.store.measured
    moves = CounterMetricFamily("paddock_moves", "Moves that were stored, of people and bots.")
    moves.add_metric([], measured.moves)
    yield moves
    total, buckets = 0, []
    for bound, count in zip([*map(str, BOUNDS), "+Inf"], measured.buckets, strict=True):
        total += count
        buckets.append((bound, total))
    times = HistogramMetricFamily("paddock_commit_seconds", "Seconds until a change was stored durably.")
    times.add_metric([], buckets, measured.seconds)
    yield times
    slow = CounterMetricFamily("paddock_slow_statements", "SQL statements that took a quarter of a second.")
    slow.add_metric([], measured.slow)
    yield slow
    failures = CounterMetricFamily("paddock_database_failures", "How often the database did not answer.")
    failures.add_metric([], tables.store.failures)
    yield failures


def metrics(state: State, guesses: Guesses) -> bytes:
    """Return all numbers in the format of Prometheus."""
    registry = CollectorRegistry()
    registry.register(_Numbers(state, guesses))
    ProcessCollector(registry=registry)
    return generate_latest(registry)
