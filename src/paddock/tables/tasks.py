"""Background tasks of tables."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextvars import copy_context
from typing import Any

from paddock.core.i18n import ENGLISH, language


def background(work: Coroutine[Any, Any, None], name: str) -> asyncio.Task[None]:
    """Start a task that may outlive the request that started it, without that request's language."""
    context = copy_context()
    context.run(language.set, ENGLISH)
    return asyncio.create_task(work, name=name, context=context)
