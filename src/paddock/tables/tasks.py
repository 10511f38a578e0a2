"""Background tasks of tables."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable
from contextvars import copy_context
from typing import Any

from paddock.core.i18n import ENGLISH, language
from paddock.tables.workers import SERVER, visitor


def background(work: Coroutine[Any, Any, None], name: str) -> asyncio.Task[None]:
    """Start a task that may outlive its request, without the request's language and visitor."""
    context = copy_context()
    context.run(language.set, ENGLISH)
    context.run(visitor.set, SERVER)
    return asyncio.create_task(work, name=name, context=context)


async def end(tasks: Iterable[asyncio.Task[Any] | None]) -> None:
    """Cancel tasks, and wait until they have given back what they hold, such as a database connection."""
    running = [task for task in tasks if task]
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)
