"""Loads a title's rules into either life: as they are, or compiled by Numba and cached on disk.

Plain, the modules are used as they are. For the compiled life the source of each is run again under
another module name, with ``rule`` meaning «compile» and an import that finds the copies: functions bind to
compiled ones, and the plain modules stay as they are. Numba does not notice that a callee changed, so its
cache lies in a folder named by a digest of every source that the rules are made of.
"""

from __future__ import annotations

import builtins
import sys
import threading
from collections.abc import Callable, Sequence
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import platformdirs

from paddock.core.title import Title
from paddock.kernel.closure import digest, source
from paddock.kernel.events import with_events
from paddock.kernel.mode import loading

# Copied in this order, before and after the title's own
FIRST = ("paddock.kernel.chance", "paddock.kernel.events", "paddock.kernel", "paddock.kernel.absent")
LOOPS, ENTRIES = "paddock.kernel.loops", "paddock.kernel.entries"
_lock = threading.RLock()


def _copy(name: str, suffix: str, importing: Callable[..., Any], more: Sequence[ModuleType]) -> ModuleType:
    """Run a module's source again under another name, with what is in ``more`` among its globals."""
    path = source(name)
    made = ModuleType(f"{name}__{suffix}")
    made.__file__ = str(path)
    for other in more:
        made.__dict__.update({k: v for k, v in other.__dict__.items() if not k.startswith("__")})
    made.__dict__["__builtins__"] = {**builtins.__dict__, "__import__": importing}
    sys.modules[made.__name__] = made  # annotations are looked up there, and pickled classes
    try:
        exec(compile(path.read_text("utf-8"), str(path), "exec"), made.__dict__)
    except BaseException:
        del sys.modules[made.__name__]
        raise
    return made


class Copies:
    """The copies of one compiled life: what they import of each other is that of the copies."""

    def __init__(self, suffix: str, modules: Sequence[str]) -> None:
        self.suffix = suffix
        self.modules = modules  # all that will be copied
        self.made: dict[str, ModuleType] = {}

    def copy(self, name: str, *more: ModuleType) -> ModuleType:
        """The copy of a module, after those that it imports."""
        self.made[name] = _copy(name, self.suffix, partial(self._import, name), more)
        return self.made[name]

    def _import(
        self, by: str, wanted: str, globals: Any = None, locals: Any = None, names: Any = (), level: int = 0
    ) -> ModuleType:
        """What an import statement of the module ``by`` finds; raises ``ImportError`` with what to write."""
        names = names or ()
        if level:
            raise ImportError(f"{by}: a kernel module imports by full names, without dots before them")
        for inside in (wanted, *(f"{wanted}.{name}" for name in names)):
            if inside in self.modules and not (inside == wanted and names):
                raise ImportError(f"{by}: import what you need by name: from {inside} import …")
        if wanted in self.made:
            return self.made[wanted]
        if wanted in self.modules:
            raise ImportError(f"{by} needs {wanted}: name it earlier in Title.kernel")
        with loading():  # the plain life
            module = __import__(wanted, fromlist=names)
        for name in names:
            if hasattr(getattr(module, name, None), "kernel_code"):
                raise ImportError(f"{by} needs {name} of {wanted}, kernel code: name it in Title.kernel")
        return module


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


def own_modules(title: Title) -> tuple[str, ...]:
    """The title's own modules of either life: its kernel, its invariants, and its policy where it has one."""
    more = ["invariants", *(["policy"] if title.room("policy") else [])]
    return tuple(f"{title.package}.{name}" for name in (*title.kernel, *more))


def cache_folder(title: Title, tell: bool) -> Path:
    """Where the compiled rules of a title lie: named by all the sources they are made of."""
    import numba

    name = digest(
        (*FIRST, *own_modules(title), LOOPS, ENTRIES),
        within=("paddock", title.package.partition(".")[0]),
        also=f"{numba.__version__} {tell} {Path(__file__).read_text('utf-8')}",
    )
    return platformdirs.user_cache_path("paddock") / "kernels" / f"{title.name}-{name}"


@cache
def load_kernel(title: Title, *, compiled: bool, tell: bool = False) -> ModuleType:
    """A title's functions and loops in one life, as one module; compiled ones compile when called.

    Plain: ``start``, ``legal``, ``playout``, … over plain records. Compiled: the entry points of
    entries.py over arrays of records; with ``tell`` the records have room for events. In either,
    ``State`` and the title's bounds.
    """
    with _lock:
        own = own_modules(title)
        if not compiled:
            made = [import_module(name) for name in ("paddock.kernel.absent", *own)]
            return _copy(LOOPS, f"{title.name}_plain", __import__, made)
        inner, entry = _compilers(cache_folder(title, tell))
        copies = Copies(f"{title.name}_compiled{'_tell' if tell else ''}", (*FIRST, *own, LOOPS, ENTRIES))
        with loading(inner, tell):
            made = [copies.copy(name) for name in (*FIRST, *own)][len(FIRST) - 1 :]
            loops = copies.copy(LOOPS, *made)
        if tell:
            loops.State.dtype = with_events(loops.State.dtype, loops.MAX_EVENTS)
        with loading(entry, tell):
            return copies.copy(ENTRIES, loops)
