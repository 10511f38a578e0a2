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

from paddock.core.beside import Steps
from paddock.core.extras import need
from paddock.core.i18n import _
from paddock.core.rooms import Rules, names
from paddock.core.title import Title
from paddock.kernel import compiling
from paddock.kernel.calls import Rollouts
from paddock.kernel.checking import with_checks, with_steps
from paddock.kernel.closure import digest, source
from paddock.kernel.events import with_events
from paddock.kernel.mode import loading

ABSENT = "paddock.kernel.absent"
# Copied in this order, before and after the title's own modules
FIRST = (
    "paddock.kernel.chance",
    "paddock.kernel.choices",
    "paddock.kernel.events",
    "paddock.kernel.scale",
    "paddock.kernel",
    ABSENT,
)
DERIVED = "paddock.kernel.derived"  # with the contents of the title's modules as globals
LOOPS = "paddock.kernel.loops"
ROLLOUTS = "paddock.kernel.rollouts"
# The entry points, each source with the contents of those before it as globals
ENTRIES = (
    "paddock.kernel.network",
    "paddock.kernel.entries",
    ROLLOUTS,
    "paddock.kernel.survey",
    "paddock.kernel.vector",
    "paddock.kernel.learning",
    "paddock.kernel.noting",
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
    "kernel": frozenset((*names(Rules), "again", "drawing", "foreseen", "undecide", "why_not")),
    "invariants": frozenset(("broken",)),
    "study": frozenset(("standing", "holdings", "give")),
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
    name: str,
    suffix: str,
    importing: Callable[..., Any],
    more: Mapping[str, Any],
    change: Callable[[ast.Module], ast.Module] = lambda tree: tree,
) -> ModuleType:
    """Execute a module's source again under another name, with a ``change`` of it and ``more`` globals."""
    path = source(name)
    module = ModuleType(f"{name}__{suffix}")
    module.__file__ = str(path)
    module.__dict__.update({k: v for k, v in more.items() if not k.startswith("__")})
    module.__dict__["__builtins__"] = {**builtins.__dict__, "__import__": importing}
    sys.modules[module.__name__] = module  # needed to resolve annotations and to pickle classes
    try:
        tree = ast.parse(path.read_text("utf-8"))
        exec(compile(change(tree), str(path), "exec"), module.__dict__)
    except BaseException:
        del sys.modules[module.__name__]
        raise
    return module


class Copies:
    """The module copies of one compiled mode. Their imports of each other find the copies."""

    def __init__(self, suffix: str, modules: Sequence[str]) -> None:
        self.suffix = suffix
        self.modules = modules  # all modules that will be copied
        self.made: dict[str, ModuleType] = {}

    def copy(
        self, name: str, more: Mapping[str, Any] = MappingProxyType({}), checked: bool = False
    ) -> ModuleType:
        """Copy a module, after the modules that it imports.

        A ``checked`` copy checks every number that it writes to a field.
        """
        change = [with_checks] if checked else []
        self.made[name] = _copy(name, self.suffix, partial(self._import, name), more, *change)
        return self.made[name]

    def _import(
        self, by: str, imported: str, globals: Any = None, locals: Any = None, names: Any = (), level: int = 0
    ) -> ModuleType:
        """Import a module for the module ``by``; an ``ImportError`` says what to write instead."""
        names = names or ()
        if level:
            raise ImportError(f"{by}: a kernel module imports by full names, without dots before them")
        if imported in self.modules:
            if not names:
                raise ImportError(
                    f"{by}: write from {' import '.join(imported.rsplit('.', 1))}, not import {imported}"
                )
            return self._copy_of(imported, by)
        copies = {name: f"{imported}.{name}" for name in names if f"{imported}.{name}" in self.modules}
        module_copies = {name: self._copy_of(module, by) for name, module in copies.items()}
        with loading():  # in plain mode
            module = __import__(imported, fromlist=names)
        for name in names:
            if name not in module_copies and hasattr(getattr(module, name, None), "kernel_code"):
                raise ImportError(f"{by} needs {name} of {imported}, kernel code: name it in {LISTS}")
        if not module_copies:
            return module
        whole = ModuleType(imported)  # the package, with the copies instead of its modules
        whole.__dict__.update(vars(module) | module_copies)
        return whole

    def _copy_of(self, name: str, by: str) -> ModuleType:
        """Return the copy of a module for the module ``by``, which is copied after it."""
        if name not in self.made:
            raise ImportError(f"{by} needs {name}: name it earlier in {LISTS}")
        return self.made[name]


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
        """Compile an entry point, and keep its code in our own folder."""
        impl: Any = CacheImpl
        before = impl._locator_classes
        impl._locator_classes = [compiling.Keeper(folder), *before]
        try:
            compiled = numba.njit(nogil=True, error_model="numpy", cache=True, boundscheck=bounds)(function)
            return compiling.watched(compiling.once(compiled, folder), label)
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


def _own_contract(title: Title, copies: Mapping[str, ModuleType]) -> dict[str, Any]:
    """Return what the title has of ``CONTRACT``; ``copies`` are its modules in one of the modes.

    Raises ``ImportError`` if a module of a room has something else under a name of its contract than the last
    module of the room that has the name.
    """
    own: dict[str, Any] = {}
    for room, modules in _rooms(title).items():
        for name in sorted(CONTRACT[room]):
            having = [module for module in modules if hasattr(copies[module], name)]
            for module in having:
                if getattr(copies[module], name) is not getattr(copies[having[-1]], name):
                    raise ImportError(
                        f"{module} and {having[-1]} mean different things by {name}, a name of the contract: "
                        f"rename that of {module}"
                    )
            if having:
                own[name] = getattr(copies[having[-1]], name)
    return own


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
            _kernels[key] = _compiled(title, tell) if compiled else _plain_rules(title)
        return _kernels[key]


def _plain_rules(title: Title) -> ModuleType:
    modules = {name: import_module(name) for name in own_modules(title)}
    _check_rules(modules[title.module(title.kernel[-1])])
    copy = partial(_copy, suffix=_suffix(title, "plain"), importing=__import__)
    return copy(LOOPS, more=_derived(copy, import_module(ABSENT), _own_contract(title, modules)))


@cache
def plain_rollouts(title: Title) -> Callable[[Rollouts], Steps[int]]:
    """Return ``rollouts`` of the kernel in plain mode: it takes lists, and yields after every decision.

    Only the policy plays on: a network would take twenty times as long.
    """
    plain = vars(load_kernel(title, compiled=False))
    module = _copy(ROLLOUTS, _suffix(title, "plain"), __import__, plain, with_steps)
    in_steps: Callable[[Rollouts], Steps[int]] = module.rollouts
    return in_steps


def _check_rules(last: ModuleType) -> None:
    """Raise ``ImportError`` if the last module of the rules lacks a name that it needs.

    That is what is not derived; and what is derived, but called by the module: it is no name of the module.
    """
    rule_names = vars(last)
    missing = [name for name in names(Rules) if name not in rule_names and name not in DERIVED_RULES]
    if not rule_names.keys() & {"legal", "why_not"}:
        missing.append("legal or why_not")
    if missing:
        raise ImportError(f"{last.__name__} needs {', '.join(missing)}: see docs/kernel.md")
    for function in list(rule_names.values()):
        if getattr(function, "__globals__", None) is not rule_names or not hasattr(function, "kernel_code"):
            continue
        for name in DERIVED_RULES.keys() & set(function.__code__.co_names) - rule_names.keys():
            if any(
                instruction.opname == "LOAD_GLOBAL" and instruction.argval == name
                for instruction in get_instructions(function)
            ):
                fault = f"{last.__name__}: {function.__name__} calls {name}, which the module lacks"
                raise ImportError(f"{fault}: write {DERIVED_RULES[name] or f'your own {name}'}")


def _derived(
    copy: Callable[..., ModuleType], absent: ModuleType, own: Mapping[str, Any]
) -> Mapping[str, Any]:
    """Return ``own`` and the defaults for what it lacks. The defaults use what the title has, too."""
    derived = vars(copy(DERIVED, more={**vars(absent), **own}))
    derived.update(own)
    derived.setdefault("again", derived["start"])  # as ``Title.again``
    return derived


@cache
def whole_rules(title: Title) -> ModuleType:
    """Return the last module of a title's rules in plain mode, with defaults for what it leaves out."""
    last = import_module(title.module(title.kernel[-1]))
    _check_rules(last)
    rule_names = vars(last)
    rules = _copy(DERIVED, _suffix(title, "rules"), __import__, {**vars(import_module(ABSENT)), **rule_names})
    vars(rules).update({name: rule_names[name] for name in CONTRACT["kernel"] if name in rule_names})
    return rules


def _compiled(title: Title, tell: bool) -> ModuleType:
    """Copy the modules of a title, compile them, and return the last of the entry points' modules."""
    names = own_modules(title)
    inner, entry = _compilers(cache_folder(title, tell), title.label, checked=tell)
    copies = Copies(
        _suffix(title, f"compiled{'_tell' if tell else ''}"), (*FIRST, *names, DERIVED, LOOPS, *ENTRIES)
    )
    with loading(inner, tell):
        for name in (*FIRST, *names):
            copies.copy(name, checked=tell and name in names)
        modules = copies.made
        module = copies.copy(LOOPS, _derived(copies.copy, modules[ABSENT], _own_contract(title, modules)))
    if tell:
        module.State.dtype = with_events(module.State.dtype, module.MAX_EVENTS)
    with loading(entry, tell):
        for name in ENTRIES:
            module = copies.copy(name, vars(module))
    return module
