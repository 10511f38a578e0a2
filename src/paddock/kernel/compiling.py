"""Says when a title is compiled, which takes a while: through the logger ``paddock``, once in a process.

What comes from the cache is not compiled, so nothing is said. Processes that need the same function at the
same time wait for the one that compiles it.
"""

from __future__ import annotations

import logging
import tempfile
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock

from paddock.core.i18n import _

log = logging.getLogger("paddock")
_said: set[str] = set()
_labels: dict[Any, str] = {}  # the labels of the titles, by entry point


def say(label: str) -> None:
    """Log that the title with this label is being compiled."""
    if label not in _said:
        _said.add(label)
        sentence = _("Compiling {title}: this takes up to a minute, but only the first time")
        log.info(sentence.format(title=label))


def watched(entry: Any, label: str) -> Any:
    """Return an entry point of the title with this label, and say when Numba compiles it."""
    from numba.core import event

    class Listener(event.Listener):
        def on_start(self, event: Any) -> None:
            if label := _labels.get(event.data["dispatcher"]):
                say(label)

        def on_end(self, event: Any) -> None:
            """Nothing is said at the end."""

    if not _labels:
        event.register("numba:compile", Listener())  # type: ignore[no-untyped-call]
    _labels[entry] = label
    return entry


@dataclass(frozen=True)
class Keeper:
    """Tells Numba to keep what it compiles in ``folder``, wherever Paddock is installed.

    Numba's own locators add the path of the source. The name of this folder has a hash of all sources, so two
    installations of one version share what was compiled. It has the methods of Numba's ``_CacheLocator``.
    """

    folder: Path
    place: str = ""

    def from_function(self, function: Any, file: str) -> Keeper | None:
        """Return the keeper of one function; None if nothing can be written into the folder."""
        keeper = Keeper(self.folder, f"{Path(file).parent.name}-{function.__code__.co_firstlineno}")
        try:
            keeper.ensure_cache_path()
        except OSError:
            return None
        return keeper

    def ensure_cache_path(self) -> None:
        """Make the folder; raise ``OSError`` if nothing can be written into it."""
        self.folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=self.folder).close()

    def get_cache_path(self) -> str:
        """Return the folder."""
        return str(self.folder)

    def get_source_stamp(self) -> str:
        """Return what changes with the source: nothing, because the folder does."""
        return ""

    def get_disambiguator(self) -> str:
        """Return what tells functions of one name in files of one name apart."""
        return self.place


def once(entry: Any, folder: Path) -> Any:
    """Return a dispatcher that compiles in one process at a time: the next finds the result in ``folder``.

    It compiles once for all kinds of integers: Numba compiles ``apply`` again for a constant seat.
    """
    from numba.core.compiler_lock import global_compiler_lock
    from numba.core.types import IntegerLiteral, int8, int16, int32, int64

    compile = entry.compile
    lock = folder / f"{entry.py_func.__name__}.lock"

    def widened(kind: Any) -> Any:
        return int64 if kind in (int8, int16, int32) or isinstance(kind, IntegerLiteral) else kind

    def locked(signature: tuple[Any, ...]) -> Any:
        """Return the compiled function for these types; one process at a time compiles it."""
        kinds = tuple(widened(kind) for kind in signature)
        if kinds in entry.overloads:
            return entry.overloads[kinds].entry_point
        # This thread compiles a caller. Whoever has the file waits until it has compiled that.
        if global_compiler_lock.is_locked():  # type: ignore[no-untyped-call]
            return compile(kinds)
        with ExitStack() as stack:
            with suppress(OSError):  # such as a cache that may only be read
                folder.mkdir(parents=True, exist_ok=True)
                stack.enter_context(FileLock(lock))
            return compile(kinds)

    entry.compile = locked
    return entry


def say_ahead(label: str, folder: Path, entry: str) -> None:
    """Say it before worker processes compile ``entry``: nobody reads their logs."""
    if not any(folder.rglob(f"*.{entry}-*.nbi")):
        say(label)
