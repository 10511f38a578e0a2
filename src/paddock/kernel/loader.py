"""Loads a title's rules into either life: as they are, or compiled by Numba and cached on disk.

The source of the rules is run again under another module name with ``rule`` meaning «compile»,
so callees bind by module globals and the plain module stays as it is. Numba does not notice
that a callee changed, so its cache lies in a folder named by a digest of all kernel sources.
"""

from __future__ import annotations

import hashlib
import sys
import threading
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import platformdirs

from paddock.core.title import Title
from paddock.kernel.life import loading

CHANCE, LOOPS, ENTRIES = "paddock.kernel.chance", "paddock.kernel.loops", "paddock.kernel.entries"
_lock = threading.RLock()


def _path(module: str) -> Path:
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        raise ImportError(f"no source of {module}")
    return Path(spec.origin)


def _copy(module: str, suffix: str, copies: dict[str, ModuleType], *more: ModuleType) -> ModuleType:
    """Run a module's source again under another name.

    What it imports from the modules in ``copies`` is replaced by their copies, and the
    functions of ``more`` join its globals.
    """
    path = _path(module)
    made = ModuleType(f"{module}__{suffix}")
    made.__file__ = str(path)
    for other in more:
        made.__dict__.update({k: v for k, v in other.__dict__.items() if not k.startswith("__")})
    sys.modules[made.__name__] = made
    exec(compile(path.read_text("utf-8"), str(path), "exec"), made.__dict__)
    for name, value in list(made.__dict__.items()):
        home = copies.get(getattr(value, "__module__", ""))
        if home is not None and name in home.__dict__:
            made.__dict__[name] = home.__dict__[name]
    copies[module] = made
    return made


def _compilers(folder: Path) -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
    """(inner functions, entry points) as Numba compiles them; its cache goes to ``folder``."""
    import numba  # only to compile: a plain table never waits for it
    from numba.extending import register_jitable

    def entry(function: Any) -> Any:
        config: Any = numba.config
        before, config.CACHE_DIR = config.CACHE_DIR, str(folder)
        try:
            return numba.njit(nogil=True, error_model="numpy", cache=True)(function)
        finally:
            config.CACHE_DIR = before

    return register_jitable(error_model="numpy"), entry


def cache_folder(title: Title, tell: bool) -> Path:
    """Where the compiled rules of a title lie: named by all the sources they are made of."""
    import numba

    digest = hashlib.blake2b(f"{numba.__version__} {tell}".encode(), digest_size=12)
    for module in (
        CHANCE,
        LOOPS,
        ENTRIES,
        "paddock.kernel.record",
        "paddock.core.words",
        f"{title.package}.rules",
        f"{title.package}.invariants",
    ):
        digest.update(_path(module).read_bytes())
    return platformdirs.user_cache_path("paddock") / "kernels" / f"{title.name}-{digest.hexdigest()}"


@cache
def life(title: Title, *, compiled: bool, tell: bool = False) -> ModuleType:
    """A title's functions and loops in one life, as one module; compiled ones compile when called.

    Plain: ``start``, ``legal``, ``playout``, … over plain records. Compiled: the entry points of
    entries.py over arrays of records.
    """
    with _lock:
        suffix = f"{title.name}_{'compiled' if compiled else 'plain'}{'_tell' if tell else ''}"
        inner, entry = _compilers(cache_folder(title, tell)) if compiled else (None, None)
        copies: dict[str, ModuleType] = {}
        with loading(inner, tell):
            _copy(CHANCE, suffix, copies)
            rules = _copy(f"{title.package}.rules", suffix, copies)
            invariants = _copy(f"{title.package}.invariants", suffix, copies)
            loops = _copy(LOOPS, suffix, copies, rules, invariants)
        if not compiled:
            return loops
        with loading(entry, tell):
            return _copy(ENTRIES, suffix, copies, loops)
