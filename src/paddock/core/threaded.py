"""Work beside the event loop in threads and worker processes."""

from __future__ import annotations

from concurrent.futures import Executor, ThreadPoolExecutor

from paddock.core.beside import TaskPool


class Threaded:
    """Threads and worker processes. They start when they are first needed."""

    def executor(self, threads: int, name: str) -> Executor:
        """Return threads."""
        return ThreadPoolExecutor(threads, name)

    def pool(self, workers: int, nice: int = 0) -> TaskPool:
        """Return worker processes."""
        from paddock.core.processes import Pool  # imported late: not every Python has processes

        return Pool(workers, nice)


THREADED = Threaded()
