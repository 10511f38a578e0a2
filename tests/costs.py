"""A pytest plugin: what tests cost, and what failed so far.

It prints each failure at once, so that a run which is cut off has named it; and at the end the slowest tests,
the processor time of each folder beside its budget in ``budget.toml``, and the memory of each worker.
``PADDOCK_TEST_COSTS=costs.tsv`` writes of every test the processor and clock seconds, and the MB by which its
worker grew. ``PADDOCK_TEST_HEAVY=write`` writes ``heavy.txt``, the tests that ``make check`` leaves out.
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import psutil
import pytest

HERE = Path(__file__).parent
BUDGET = tomllib.loads((HERE / "budget.toml").read_text("utf-8"))
SHARED = "shared"  # collection, and what lives longer than a test: servers, databases
LONG = 5.0  # processor seconds where all cost their budget; a test above it says why, in its mark ``slow``
SLOWEST = 10
HEAVY = HERE / "heavy.txt"  # test functions of which a case took longer
LIGHT = 0.15  # processor seconds, likewise


others: dict[int, psutil.Process] = {}  # processes whose ended children count, too
_lost = 0.0  # processor seconds of processes that have ended, and that the system does not count for us


def used() -> float:
    """Return the processor seconds of this process and of those children that have ended."""
    return sum(os.times()[:4]) + _lost + sum(sum(one.cpu_times()[:4]) for one in others.values())


def living() -> float:
    """Return the processor seconds of all processes below this one, and of their children that have ended."""
    seconds = 0.0
    for process in psutil.Process().children(recursive=True):
        if process.pid in others:
            continue
        with contextlib.suppress(psutil.Error):
            seconds += sum(process.cpu_times()[:4])
    return seconds


def end(stop: Callable[[], None]) -> None:
    """Stop a browser without losing what it has used: it does not wait for its own processes."""
    global _lost
    before = used() + living()
    stop()
    _lost += max(0.0, before - used() - living())


def largest() -> float:
    """Return the most memory that this process has had, in MB."""
    size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # in bytes on macOS, else in KiB
    return size / 1e6 if sys.platform == "darwin" else size * 1024 / 1e6


def folder(nodeid: str) -> str:
    """Return the line of the budget for a test: the longest folder in it that has the test."""
    path = nodeid.partition("::")[0]
    inside = [name for name in BUDGET["seconds"] if path.startswith(f"{name}/")]
    return max(inside, key=len, default="tests")


def function(nodeid: str) -> str:
    """Return the function of a test, without its case."""
    return nodeid.partition("[")[0].partition("@")[0]


class Worker:
    """Measures where tests run: in each worker, or in the one process."""

    def __init__(self) -> None:
        self.mark = 0.0
        self.whole = False  # a test with a browser is measured once, with all processes
        self.measured = 0.0
        self.memory = largest()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, Any, Any]:
        """Put the processor time of the phase, and the reason for a long one, into its report."""
        report = yield
        if call.when == "call" or not self.whole:
            now = self.now()
            report.processor = now - self.mark
            self.mark = now
        else:
            report.processor = 0.0
        memory = largest()
        report.grown, self.memory = memory - self.memory, memory
        slow = item.get_closest_marker("slow")
        report.reason = slow.args[0] if slow and slow.args else "a browser" if self.whole else ""
        last = item.session.items[-1] is item  # then the teardown ends what the worker has shared
        self.measured += 0 if last and report.when == "teardown" else report.processor
        return report

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        """Start to measure; what happens between tests belongs to none."""
        self.whole = item.get_closest_marker("browser") is not None
        self.mark = self.now()
        return (yield)

    def now(self) -> float:
        """Return what has been used: for tests with a browser also by processes that go on, which takes time
        to find out."""
        return used() + (living() if self.whole else 0.0)

    def result(self) -> tuple[float, float]:
        """Return the processor seconds that belong to no test, and the memory in MB."""
        return used() - self.measured, largest()


class Summary:
    """Collects the figures of all workers, and prints them."""

    def __init__(self, config: pytest.Config, worker: Worker) -> None:
        self.config = config
        self.worker = worker
        self.seconds = Counter[str]()  # of each test
        self.clock = Counter[str]()
        self.grown = Counter[str]()  # MB
        self.reasons: dict[str, str] = {}
        self.workers: dict[str, tuple[float, float]] = {}
        self.open: dict[str, None] = {}  # tests that run, in the order in which they began

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.open[nodeid] = None

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        self.open.pop(nodeid, None)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add up what a test costs; say at once that it failed."""
        if report.when != "teardown":
            self.seconds[report.nodeid] += getattr(report, "processor", 0.0)
            self.clock[report.nodeid] += report.duration
        self.grown[report.nodeid] += getattr(report, "grown", 0.0)
        self.reasons[report.nodeid] = getattr(report, "reason", "")
        if report.failed:
            reason = getattr(getattr(report.longrepr, "reprcrash", None), "message", str(report.longrepr))
            terminal = self.config.pluginmanager.get_plugin("terminalreporter")
            assert terminal
            terminal.ensure_newline()
            terminal.write_line(
                f"FAILED {report.nodeid} ({report.when}) - {reason.partition(chr(10))[0]}", red=True
            )

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: object) -> None:
        """Keep what a worker has measured."""
        if found := getattr(node, "workeroutput", {}).get("costs"):
            self.workers[node.gateway.id] = (found[0], found[1])

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the tests that still ran, the slowest, and the folders that differ from their budget."""
        say = terminalreporter.write_line
        for nodeid in self.open:
            say(f"STILL RUNNING {nodeid}", red=True)
        if not self.config.pluginmanager.has_plugin("dsession"):
            self.workers["this process"] = self.worker.result()
        terminalreporter.section("what the tests cost")
        if to := os.environ.get("PADDOCK_TEST_COSTS"):
            lines = (
                f"{seconds:.3f}\t{self.clock[nodeid]:.3f}\t{self.grown[nodeid]:.0f}\t{nodeid}\n"
                for nodeid, seconds in self.seconds.most_common()
            )
            Path(to).write_text("".join(lines), "utf-8")
        if os.environ.get("PADDOCK_TEST_HEAVY") == "write":
            self.write_heavy()
        say("processor, clock: the slowest tests")
        for nodeid, seconds in self.seconds.most_common(SLOWEST):
            say(f"{seconds:8.1f} s {self.clock[nodeid]:6.1f} s  {nodeid}  {self.reasons[nodeid]}")
        long = LONG * (self.slowness() or 1)
        for nodeid, seconds in self.seconds.most_common():
            if seconds > long and not self.reasons[nodeid]:
                say(
                    f"{seconds:.1f} s without a reason: {nodeid}: mark it slow(reason), or make it shorter",
                    red=True,
                )
        for line in self.folders():
            say(line)
        for name, (_, memory) in sorted(self.workers.items()):
            over = memory > BUDGET["memory"]
            say(f"{name}: {memory:.0f} MB at most{' (over the budget)' if over else ''}", red=over)

    def found(self) -> Counter[str]:
        """Return the processor seconds of each folder."""
        found = Counter[str]()
        for nodeid, seconds in self.seconds.items():
            found[folder(nodeid)] += seconds
        found[SHARED] = sum(rest for rest, _ in self.workers.values())
        return found

    def slowness(self) -> float | None:
        """Return what the whole suite costs here in budgets; None if only a part of it ran."""
        found, budget = self.found(), BUDGET["seconds"]
        return sum(found.values()) / sum(budget.values()) if set(found) == set(budget) else None

    def write_heavy(self) -> None:
        """Name the tests that are not light, if the whole suite ran."""
        if slowness := self.slowness():
            light = LIGHT * slowness
            heavy = {function(nodeid) for nodeid, seconds in self.seconds.items() if seconds > light}
            HEAVY.write_text("".join(f"{name}\n" for name in sorted(heavy)), "utf-8")

    def folders(self) -> list[str]:
        """Return lines that compare the folders with the budget, if all of them ran."""
        found, budget = self.found(), BUDGET["seconds"]
        total, allowed = sum(found.values()), sum(budget.values())
        lines = [f"{total:.0f} s of processor time; the budget of the whole suite is {allowed} s"]
        if not (slowness := self.slowness()):
            return lines  # a part of the tests says nothing about the shares
        for name, seconds in sorted(found.items()):
            fair = budget[name] * slowness  # a slower machine needs more for everything
            if abs(seconds - fair) > max(3, fair / 4):
                lines.append(f"{name}: {seconds:.0f} s; its share of the budget is {fair:.0f} s")
        return lines


def _stop(signal_number: int, frame: object) -> None:
    """End the run as Ctrl-C does, with a summary: ``timeout`` sends this signal."""
    raise KeyboardInterrupt


def register(config: pytest.Config) -> None:
    """Register the plugin: called by the ``pytest_configure`` of ``conftest.py``."""
    worker = Worker()
    if not config.pluginmanager.has_plugin("dsession"):
        config.pluginmanager.register(worker, "costs-worker")
    if hasattr(config, "workerinput"):
        return
    signal.signal(signal.SIGTERM, _stop)
    config.pluginmanager.register(Summary(config, worker), "costs-summary")


def finish(session: pytest.Session) -> None:
    """Send what a worker has measured: called by the ``pytest_sessionfinish`` of ``conftest.py``."""
    worker = session.config.pluginmanager.get_plugin("costs-worker")
    output = getattr(session.config, "workeroutput", None)
    if worker and output is not None:
        output["costs"] = list(worker.result())
