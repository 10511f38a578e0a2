"""Server processes that have loaded their modules: forks of one process that has, which takes seconds."""

from __future__ import annotations

import importlib
import io
import multiprocessing
import os
import sys
from collections.abc import Mapping, Sequence
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import psutil
import pytest

import costs

FORKS = "forkserver" in multiprocessing.get_all_start_methods()


def run(said: Connection, environment: Mapping[str, str], arguments: Sequence[str]) -> None:
    """Be ``paddock`` with these arguments, with its output in ``said``."""
    for number in (1, 2):
        os.dup2(said.fileno(), number)
    said.close()
    for stream in (sys.stdout, sys.stderr):
        assert isinstance(stream, io.TextIOWrapper)
        stream.reconfigure(line_buffering=True)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["paddock", *arguments]
    multiprocessing.current_process().name = "MainProcess"  # it stands for a process of its own
    if path := environment.get("PYTHONPATH"):
        find_more(path.split(os.pathsep))
    from paddock.server import serve
    from web.seeded import serve_seeded  # it reads the environment

    serve.warm = lambda app: None  # what others wait for is loaded, and the rest is made when it is asked for
    serve_seeded()


def find_more(folders: list[str]) -> None:
    """Find the titles in these folders too, as a process does that starts with them."""
    from paddock.core.title import titles

    sys.path[:0] = folders
    importlib.invalidate_caches()
    titles.cache_clear()


class Fork:
    """One of them, with the methods of ``subprocess.Popen`` that tests use."""

    def __init__(self, arguments: Sequence[str], environment: Mapping[str, str]) -> None:
        context: Any = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(["web.loaded"])
        heard, said = context.Pipe(duplex=False)
        self._process = context.Process(target=run, args=(said, environment, arguments))
        added = os.environ.get("PYTHONPATH", "").split(os.pathsep)  # the folder of a title, in some tests
        with pytest.MonkeyPatch.context() as patch:  # for the process that forks, if it is not there yet
            patch.setattr(sys, "path", [folder for folder in sys.path if folder not in added])
            patch.setenv("PYTHONPATH", str(Path(__file__).parents[1]))
            self._process.start()
        said.close()
        self.stdout = os.fdopen(os.dup(heard.fileno()), encoding="utf-8")
        heard.close()
        self.pid: int = self._process.pid
        costs.others.setdefault(parent := _parent(), psutil.Process(parent))

    @property
    def returncode(self) -> int | None:
        """How it ended, as ``Popen`` has it."""
        code: int | None = self._process.exitcode
        return code

    def poll(self) -> int | None:
        """Return how it ended; None if it runs."""
        return self.returncode

    def wait(self) -> int | None:
        """Wait until it has ended; return how."""
        self._process.join()
        return self.returncode

    def kill(self) -> None:
        """End it as a power cut would."""
        self._process.kill()

    def send_signal(self, number: int) -> None:
        """Send it a signal."""
        if self.poll() is None:
            os.kill(self.pid, number)


def _parent() -> int:
    """Return the process of which they are forks."""
    one: Any = forkserver._forkserver  # type: ignore[attr-defined]  # nothing public says it
    number: int = one._forkserver_pid
    return number
