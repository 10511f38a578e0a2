"""Work beside the event loop, in one thread, if there are threads: one piece after another.

Python runs in one thread at a time. While another one works, the loop waits up to 5 ms whenever it wakes up,
and as much again for each further thread. More threads would not finish anything earlier. Work that takes
longer than about a fifth of a second belongs into a worker process: see ``workers.py``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor
from contextvars import copy_context
from functools import partial
from typing import ParamSpec, TypeVar

from paddock.core.beside import BesideLoop
from paddock.core.threaded import THREADED

P = ParamSpec("P")
T = TypeVar("T")
_NAME = "paddock-beside"
_thread: Executor = THREADED.executor(1, _NAME)


def work_in(beside: BesideLoop) -> None:
    """Choose where ``off_loop`` works in this process."""
    global _thread
    _thread = beside.executor(1, _NAME)


async def off_loop(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run work in the thread, in the context of who asks; return what it returns."""
    call = partial(copy_context().run, work, *args, **kwargs)
    return await asyncio.get_running_loop().run_in_executor(_thread, call)
