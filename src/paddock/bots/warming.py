"""What must be compiled before a bot can use it: at a table a thread does it, and nobody waits."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from typing import Any


class Warming:
    """Compiles what is asked for, in threads of this process, each thing once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._started = set[Hashable]()
        self._ready = set[Hashable]()

    def ready(self, key: Hashable, name: str, compile: Callable[[], Any]) -> bool:
        """Return whether ``key`` is compiled. The first call starts a thread, whose ``name`` is for logs."""
        with self._lock:
            if key in self._started:
                return key in self._ready
            self._started.add(key)

        def run() -> None:
            compile()
            self._ready.add(key)

        threading.Thread(target=run, name=name, daemon=True).start()
        return False
