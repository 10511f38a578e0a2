"""Work beside the event loop, in one thread: one piece after another.

Python runs in one thread at a time. While another one works, the loop waits up to 5 ms whenever it wakes up,
and as much again for each further thread. More threads would not finish anything earlier. Work that takes
longer than about a fifth of a second belongs into a worker process: see ``workers.py``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
_THREAD = ThreadPoolExecutor(1, "paddock-beside")


async def off_loop(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run work in the thread, in the context of who asks; return what it returns."""
    call = partial(copy_context().run, work, *args, **kwargs)
    return await asyncio.get_running_loop().run_in_executor(_THREAD, call)
