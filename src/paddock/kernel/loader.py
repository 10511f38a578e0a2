"""Loads a title's rules in plain mode, or in compiled mode with Numba and a cache on disk.

Plain mode uses the modules themselves. For compiled mode, the source of each module is executed again under
another module name: there ``rule`` compiles, and imports find the compiled copies. The plain modules do not
change. Numba does not notice when a called function changes, so the name of its cache folder contains a hash
of all sources of the rules.
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

from paddock.core.extras import need
from paddock.core.i18n import _
from paddock.core.rooms import Rules, names
from paddock.core.title import Title
from paddock.kernel import compiling
from paddock.kernel.closure import digest, source
from paddock.kernel.events import with_events
from paddock.kernel.mode import loading

ABSENT = "paddock.kernel.absent"
# Copied in this order, before and after the title's own modules
FIRST = (
    "paddock.kernel.chance",
    "paddock.kernel.events",
    "paddock.kernel.scale",
    "paddock.kernel",
    ABSENT,
)
DERIVED = "paddock.kernel.derived"  # with the contents of the title's modules as globals
LOOPS = "paddock.kernel.loops"
# The entry points, each source with the contents of those before it as globals
ENTRIES = ("paddock.kernel.entries", "paddock.kernel.survey", "paddock.kernel.vector")
# Functions of a title that are cached on their own: an entry point that is compiled later finds them
# there, in a quarter of the time for The Great Race.
CACHED = frozenset(
    (
        "start",
        "who",
        "legal",
        "apply",
        "run_chance",
        "hide",
        "redeal",
        "undecide",
        "policy",
        "scores",
        "observe",
    )
)
CONTRACT = (*names(Rules), "broken", "observe")
LISTS = "Title.kernel or Title.policy"  # in error messages
_lock = threading.RLock()
_kernels: dict[tuple[Title, bool, bool], ModuleType] = {}  # by title, compiled and tell


def _copy(name: str, suffix: str, importing: Callable[..., Any], more: Sequence[ModuleType]) -> ModuleType:
    """Execute a module's source again under another name, with the contents of ``more`` as globals."""
    path = source(name)
    made = ModuleType(f"{name}__{suffix}")
    made.__file__ = str(path)
    for other in more:
        made.__dict__.update({k: v for k, v in other.__dict__.items() if not k.startswith("__")})
    made.__dict__["__builtins__"] = {**builtins.__dict__, "__import__": importing}
    sys.modules[made.__name__] = made  # needed to resolve annotations and to pickle classes
    try:
        exec(compile(path.read_text("utf-8"), str(path), "exec"), made.__dict__)
    except BaseException:
        del sys.modules[made.__name__]
        raise
    return made


class Copies:
    """The module copies of one compiled mode. Their imports of each other find the copies."""

    def __init__(self, suffix: str, modules: Sequence[str]) -> None:
        self.suffix = suffix
        self.modules = modules  # all modules that will be copied
        self.made: dict[str, ModuleType] = {}

    def copy(self, name: str, *more: ModuleType) -> ModuleType:
        """Copy a module, after the modules that it imports."""
        self.made[name] = _copy(name, self.suffix, partial(self._import, name), more)
        return self.made[name]

    def _import(
        self, by: str, wanted: str, globals: Any = None, locals: Any = None, names: Any = (), level: int = 0
    ) -> ModuleType:
        """Import a module for the module ``by``; an ``ImportError`` says what to write instead."""
        names = names or ()
        if level:
            raise ImportError(f"{by}: a kernel module imports by full names, without dots before them")
        for inside in (wanted, *(f"{wanted}.{name}" for name in names)):
            if inside in self.modules and not (inside == wanted and names):
                raise ImportError(f"{by}: import what you need by name: from {inside} import …")
        if wanted in self.made:
            return self.made[wanted]
        if wanted in self.modules:
            raise ImportError(f"{by} needs {wanted}: name it earlier in {LISTS}")
        with loading():  # in plain mode
            module = __import__(wanted, fromlist=names)
        for name in names:
            if hasattr(getattr(module, name, None), "kernel_code"):
                raise ImportError(f"{by} needs {name} of {wanted}, kernel code: name it in {LISTS}")
        return module


def _compilers(folder: Path, label: str) -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
    """Return the Numba decorators for inner functions and entry points.

    Entry points and the functions ``CACHED`` are cached in ``folder``. ``label`` names the title if they are
    compiled.
    """
    import numba  # imported late: plain mode does not need it
    from numba.extending import register_jitable

    def entry(function: Any) -> Any:
        config: Any = numba.config
        before, config.CACHE_DIR = config.CACHE_DIR, str(folder)
        try:
            made = numba.njit(nogil=True, error_model="numpy", cache=True)(function)
            return compiling.watched(compiling.once(made, folder), label)
        finally:
            config.CACHE_DIR = before

    inner = register_jitable(error_model="numpy")

    def rule(function: Any) -> Any:
        return entry(function) if function.__name__ in CACHED else inner(function)

    return rule, entry


def own_modules(title: Title) -> tuple[str, ...]:
    """Return the modules of the title that are loaded: its kernel, and the optional ones that it has."""
    study = ("study",) if title.has_room("study") else ()
    policy = title.policy if title.has_room("policy") else ()
    features = ("features",) if title.has_room("features") else ()
    invariants = ("invariants",) if title.has_room("invariants") else ()
    own = (*title.kernel, *invariants, *study, *policy, *features)
    return tuple(f"{title.package}.{name}" for name in own)


def cache_folder(title: Title, tell: bool) -> Path:
    """Return the cache folder for the compiled rules of a title; its name has a hash of their sources."""
    import numba

    name = digest(
        (*FIRST, *own_modules(title), DERIVED, LOOPS, *ENTRIES),
        within=("paddock", title.package.partition(".")[0]),
        also=f"{numba.__version__} {tell} {Path(__file__).read_text('utf-8')}",
    )
    return platformdirs.user_cache_path("paddock") / "kernels" / f"{title.name}-{name}"


def say_compiling(title: Title, entry: str) -> None:
    """Log that worker processes are about to compile this entry point, unless it is in the cache."""
    compiling.say_ahead(title.label, cache_folder(title, tell=False), entry)


def load_kernel(title: Title, *, compiled: bool, tell: bool = False) -> ModuleType:
    """Load a title's kernel as one module. Compiled functions are compiled when they are first called.

    In plain mode it has ``start``, ``legal``, ``playout``, … for plain records. In compiled mode it has the
    entry points of ``ENTRIES`` for arrays of records; with ``tell``, the records have a buffer for events.
    In both modes it has ``State`` and the title's bounds. Raises ``PaddockError`` in compiled mode without
    Numba.
    """
    if compiled:
        need("fast", _("compiled play"))
    with _lock:  # the first of several threads loads it
        key = (title, compiled, tell and compiled)
        if key not in _kernels:
            _kernels[key] = _compiled(title, tell) if compiled else _plain(title)
        return _kernels[key]


def _plain(title: Title) -> ModuleType:
    made = [import_module(name) for name in (ABSENT, *own_modules(title))]
    derived = _with_own(_copy(DERIVED, f"{title.name}_plain", __import__, made), made)
    return _copy(LOOPS, f"{title.name}_plain", __import__, [derived, *made])


@cache
def whole_rules(title: Title) -> ModuleType:
    """Return the last module of a title's rules in plain mode, with defaults for what it leaves out."""
    own = import_module(f"{title.package}.{title.kernel[-1]}")
    return _with_own(_copy(DERIVED, f"{title.name}_rules", __import__, [import_module(ABSENT), own]), [own])


def _with_own(derived: ModuleType, modules: Sequence[ModuleType]) -> ModuleType:
    """Return the derived functions, which from now on use the title's own where it has them."""
    for module in modules:
        vars(derived).update({name: vars(module)[name] for name in CONTRACT if name in vars(module)})
    return derived


def _compiled(title: Title, tell: bool) -> ModuleType:
    own = own_modules(title)
    inner, entry = _compilers(cache_folder(title, tell), title.label)
    copies = Copies(
        f"{title.name}_compiled{'_tell' if tell else ''}", (*FIRST, *own, DERIVED, LOOPS, *ENTRIES)
    )
    with loading(inner, tell):
        made = [copies.copy(name) for name in (*FIRST, *own)][len(FIRST) - 1 :]
        loops = copies.copy(LOOPS, _with_own(copies.copy(DERIVED, *made), made), *made)
    vars(loops).setdefault("again", loops.start)  # as ``Title.again``
    if tell:
        loops.State.dtype = with_events(loops.State.dtype, loops.MAX_EVENTS)
    module = loops
    with loading(entry, tell):
        for name in ENTRIES:
            module = copies.copy(name, module)
    return module
