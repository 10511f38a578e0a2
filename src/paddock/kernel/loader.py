"""Loads a title's rules into either life: as they are, or compiled by Numba and cached on disk."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import platformdirs

from paddock.core.title import Title
from paddock.kernel.life import loading

_KERNEL = ("paddock.kernel.chance", "paddock.kernel.loops")
_ENTRIES = "paddock.kernel.entries"
_FUNCTIONS = (
    "start", "who", "legal", "apply", "outcomes", "run_chance",
    "hide", "redeal", "seen", "places", "scores",
)  # fmt: skip


def _source(module: str) -> Path:
    spec = find_spec(module)
    assert spec is not None and spec.origin is not None
    return Path(spec.origin)


def _load(module: str, suffix: str, replace: dict[str, ModuleType], extra: dict[str, Any]) -> ModuleType:
    """Run a module's source again under another name, with some of its imports replaced.

    Functions bind their callees by module globals, so the copy calls only the copies.
    """
    path = _source(module)
    made = ModuleType(f"{module}__{suffix}", module)
    made.__file__ = str(path)
    sys.modules[made.__name__] = made
    exec(compile(path.read_text("utf-8"), str(path), "exec"), made.__dict__)
    for name, value in list(made.__dict__.items()):
        home = replace.get(getattr(value, "__module__", ""))
        if home is not None and callable(value):
            made.__dict__[name] = home.__dict__[name]
    made.__dict__.update(extra)
    return made
