"""Loads a title's rules in plain mode, or in compiled mode with Numba and a cache on disk.

Plain mode uses the modules themselves. For compiled mode, the source of each module is executed again under
another module name: there ``rule`` compiles, and imports find the compiled copies. The plain modules do not
change. Modules stay modules: the loops and entry points get only the names of ``CONTRACT``. Numba does not
notice when a called function changes, so the name of its cache folder contains a hash of all sources.
"""

from __future__ import annotations

import ast
import builtins
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from dis import get_instructions
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any

import platformdirs

from paddock.core.extras import need
from paddock.core.i18n import _
from paddock.core.rooms import Rules, names
from paddock.core.title import Title
from paddock.kernel import compiling
from paddock.kernel.checking import with_checks
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
ENTRIES = (
    "paddock.kernel.network",
    "paddock.kernel.entries",
    "paddock.kernel.survey",
    "paddock.kernel.vector",
    "paddock.kernel.learning",
    "paddock.kernel.searching",
)
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
        "observe_short",
    )
)
LISTS = "Title.kernel or Title.policy"  # in error messages
# What is read from each room of a title; "kernel" are the modules of its rules. Every other name stays in its
# module.
CONTRACT: Mapping[str, frozenset[str]] = {
    "kernel": frozenset((*names(Rules), "again", "foreseen", "undecide", "why_not")),
    "invariants": frozenset(("broken",)),
    "study": frozenset(("standing",)),
    "policy": frozenset(("policy", "HORIZON", "estimate")),
    "features": frozenset(("observe",)),
    "short_features": frozenset(("observe_short", "output", "secured", "SHORT_FEATURES", "OUTPUTS")),
}
# What the last module of the rules may leave out, and what makes it callable there
DERIVED_RULES: Mapping[str, str] = {
    "start": "", "outcomes": "", "run_chance": "", "places": "", "hide": "", "redeal": "", "seen": "",
    "MAX_EVENTS": "", "legal": "legal = listing(why_not, ACTIONS)", "clear": "clear = clearing(State)",
}  # fmt: skip
_lock = threading.RLock()
_kernels: dict[tuple[Title, bool, bool], ModuleType] = {}  # by title, compiled and tell


def _copy(
    name: str, suffix: str, importing: Callable[..., Any], more: Mapping[str, Any], checked: bool = False
) -> ModuleType:
    """Execute a module's source again under another name, with ``more`` among its globals.

    A ``checked`` copy checks every number that it writes to a field.
    """
    path = source(name)
    made = ModuleType(f"{name}__{suffix}")
    made.__file__ = str(path)
    made.__dict__.update({k: v for k, v in more.items() if not k.startswith("__")})
    made.__dict__["__builtins__"] = {**builtins.__dict__, "__import__": importing}
    sys.modules[made.__name__] = made  # needed to resolve annotations and to pickle classes
    try:
        tree = ast.parse(path.read_text("utf-8"))
        exec(compile(with_checks(tree) if checked else tree, str(path), "exec"), made.__dict__)
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

    def copy(
        self, name: str, more: Mapping[str, Any] = MappingProxyType({}), checked: bool = False
    ) -> ModuleType:
        """Copy a module, after the modules that it imports."""
        self.made[name] = _copy(name, self.suffix, partial(self._import, name), more, checked)
        return self.made[name]

    def _import(
        self, by: str, wanted: str, globals: Any = None, locals: Any = None, names: Any = (), level: int = 0
    ) -> ModuleType:
        """Import a module for the module ``by``; an ``ImportError`` says what to write instead."""
        names = names or ()
        if level:
            raise ImportError(f"{by}: a kernel module imports by full names, without dots before them")
        if wanted in self.modules:
            if not names:
                raise ImportError(
                    f"{by}: write from {' import '.join(wanted.rsplit('.', 1))}, not import {wanted}"
                )
            return self._copy_of(wanted, by)
        copies = {name: f"{wanted}.{name}" for name in names if f"{wanted}.{name}" in self.modules}
        made = {name: self._copy_of(module, by) for name, module in copies.items()}
        with loading():  # in plain mode
            module = __import__(wanted, fromlist=names)
        for name in names:
            if name not in made and hasattr(getattr(module, name, None), "kernel_code"):
                raise ImportError(f"{by} needs {name} of {wanted}, kernel code: name it in {LISTS}")
        if not made:
            return module
        whole = ModuleType(wanted)  # the package, with the copies instead of its modules
        whole.__dict__.update(vars(module) | made)
        return whole

    def _copy_of(self, wanted: str, by: str) -> ModuleType:
        """Return the copy of a module for the module ``by``, which is copied after it."""
        if wanted not in self.made:
            raise ImportError(f"{by} needs {wanted}: name it earlier in {LISTS}")
        return self.made[wanted]


def _compilers(folder: Path, label: str, checked: bool) -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
    """Return the Numba decorators for inner functions and entry points.

    Entry points and the functions ``CACHED`` are cached in ``folder``. ``label`` names the title if they are
    compiled. ``checked`` code raises ``IndexError`` where it would write or read beyond the end of a row.
    """
    import numba  # imported late: plain mode does not need it
    from numba.core.caching import CacheImpl
    from numba.extending import register_jitable

    bounds = checked or None  # None: as the variable NUMBA_BOUNDSCHECK says

    def entry(function: Any) -> Any:
        impl: Any = CacheImpl
        before = impl._locator_classes
        impl._locator_classes = [compiling.Keeper(folder), *before]
        try:
            made = numba.njit(nogil=True, error_model="numpy", cache=True, boundscheck=bounds)(function)
            return compiling.watched(compiling.once(made, folder), label)
        finally:
            impl._locator_classes = before

    inner = register_jitable(error_model="numpy", boundscheck=bounds)

    def rule(function: Any) -> Any:
        return entry(function) if function.__name__ in CACHED else inner(function)

    return rule, entry


def _suffix(title: Title, mode: str) -> str:
    """Return what the names of copied modules end with: different for each revision of a title."""
    return f"{title.name}{title.revision if title.base else ''}_{mode}"


def _rooms(title: Title) -> dict[str, tuple[str, ...]]:
    """Return the rooms of ``CONTRACT`` that the title has, with their modules."""
    several = {"kernel": title.kernel, "policy": title.policy}
    return {
        room: tuple(title.module(name) for name in several.get(room, (room,)))
        for room in CONTRACT
        if room == "kernel" or title.has_room(room)
    }


def own_modules(title: Title) -> tuple[str, ...]:
    """Return the modules of the title that are loaded: its kernel, and the optional ones that it has."""
    return tuple(module for modules in _rooms(title).values() for module in modules)


def _own(title: Title, made: Mapping[str, ModuleType]) -> dict[str, Any]:
    """Return what the title has of ``CONTRACT``; ``made`` are its modules in one of the modes.

    Raises ``ImportError`` if a module of a room has something else under a name of its contract than the last
    module of the room that has the name.
    """
    found: dict[str, Any] = {}
    for room, modules in _rooms(title).items():
        for name in sorted(CONTRACT[room]):
            having = [module for module in modules if hasattr(made[module], name)]
            for module in having:
                if getattr(made[module], name) is not getattr(made[having[-1]], name):
                    raise ImportError(
                        f"{module} and {having[-1]} mean different things by {name}, a name of the contract: "
                        f"rename that of {module}"
                    )
            if having:
                found[name] = getattr(made[having[-1]], name)
    return found


def cache_folder(title: Title, tell: bool) -> Path:
    """Return the cache folder for the compiled rules of a title; its name has a hash of their sources."""
    import numba

    checks = getattr(numba.config, "BOUNDSCHECK", None)  # the variable NUMBA_BOUNDSCHECK
    name = digest(
        (*FIRST, *own_modules(title), DERIVED, LOOPS, *ENTRIES, "paddock.kernel.checking"),
        also=f"{numba.__version__} {checks} {tell} {Path(__file__).read_text('utf-8')}",
    )
    return platformdirs.user_cache_path("paddock") / "kernels" / f"{title.name}-{name}"


def say_compiling(title: Title, entry: str) -> None:
    """Log that worker processes are about to compile this entry point, unless it is in the cache."""
    compiling.say_ahead(title.label, cache_folder(title, tell=False), entry)


def load_kernel(title: Title, *, compiled: bool, tell: bool = False) -> ModuleType:
    """Load a title's kernel as one module. Compiled functions are compiled when they are first called.

    In plain mode it has ``start``, ``legal``, ``playout``, … for plain records. In compiled mode it has the
    entry points of ``ENTRIES`` for arrays of records. With ``tell``, the records have a buffer for events,
    a number that does not fit into its field is an ``OverflowError``, as when a plain record is packed, and
    an index beyond the end of a row an ``IndexError``.
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
    made = {name: import_module(name) for name in own_modules(title)}
    _check_rules(made[title.module(title.kernel[-1])])
    copy = partial(_copy, suffix=_suffix(title, "plain"), importing=__import__)
    return copy(LOOPS, more=_derived(copy, import_module(ABSENT), _own(title, made)))


def _check_rules(last: ModuleType) -> None:
    """Raise ``ImportError`` if the last module of the rules lacks a name that it needs.

    That is what is not derived; and what is derived, but called by the module: it is no name of the module.
    """
    own = vars(last)
    missing = [name for name in names(Rules) if name not in own and name not in DERIVED_RULES]
    if not own.keys() & {"legal", "why_not"}:
        missing.append("legal or why_not")
    if missing:
        raise ImportError(f"{last.__name__} needs {', '.join(missing)}: see docs/kernel.md")
    for function in list(own.values()):
        if getattr(function, "__globals__", None) is not own or not hasattr(function, "kernel_code"):
            continue
        for name in DERIVED_RULES.keys() & set(function.__code__.co_names) - own.keys():
            if any(one.opname == "LOAD_GLOBAL" and one.argval == name for one in get_instructions(function)):
                said = f"{last.__name__}: {function.__name__} calls {name}, which the module lacks"
                raise ImportError(f"{said}: write {DERIVED_RULES[name] or f'your own {name}'}")


def _derived(
    copy: Callable[..., ModuleType], absent: ModuleType, own: Mapping[str, Any]
) -> Mapping[str, Any]:
    """Return ``own`` and the defaults for what it lacks. The defaults use what the title has, too."""
    made = vars(copy(DERIVED, more={**vars(absent), **own}))
    made.update(own)
    made.setdefault("again", made["start"])  # as ``Title.again``
    return made


@cache
def whole_rules(title: Title) -> ModuleType:
    """Return the last module of a title's rules in plain mode, with defaults for what it leaves out."""
    last = import_module(title.module(title.kernel[-1]))
    _check_rules(last)
    own = vars(last)
    made = _copy(DERIVED, _suffix(title, "rules"), __import__, {**vars(import_module(ABSENT)), **own})
    vars(made).update({name: own[name] for name in CONTRACT["kernel"] if name in own})
    return made


def _compiled(title: Title, tell: bool) -> ModuleType:
    own = own_modules(title)
    inner, entry = _compilers(cache_folder(title, tell), title.label, checked=tell)
    copies = Copies(
        _suffix(title, f"compiled{'_tell' if tell else ''}"), (*FIRST, *own, DERIVED, LOOPS, *ENTRIES)
    )
    with loading(inner, tell):
        for name in (*FIRST, *own):
            copies.copy(name, checked=tell and name in own)
        made = copies.made
        module = copies.copy(LOOPS, _derived(copies.copy, made[ABSENT], _own(title, made)))
    if tell:
        module.State.dtype = with_events(module.State.dtype, module.MAX_EVENTS)
    with loading(entry, tell):
        for name in ENTRIES:
            module = copies.copy(name, vars(module))
    return module
