"""Processes that tests have started: which of them run, and with which commands.

Any may end at any moment, so each question leaves out those that just have.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from contextlib import suppress

import psutil


def wait_for(condition: Callable[[], object]) -> None:
    """Wait until something is so; pytest's limit of time ends it."""
    while not condition():
        time.sleep(0.02)


def running(processes: Iterable[psutil.Process]) -> list[psutil.Process]:
    """Return those that run."""
    found = []
    for one in processes:
        with suppress(psutil.Error):
            found += [one] if one.is_running() and one.status() != psutil.STATUS_ZOMBIE else []
    return found


def with_command(processes: Iterable[psutil.Process], word: str) -> list[psutil.Process]:
    """Return those with a word in their command."""
    found = []
    for one in processes:
        with suppress(psutil.Error):
            found += [one] if word in " ".join(one.cmdline()) else []
    return found
