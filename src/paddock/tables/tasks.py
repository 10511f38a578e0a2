"""Background tasks of tables."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
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
