"""A title that is compiled is named once in the log, and not if it comes from the cache."""

from __future__ import annotations

import logging
import multiprocessing
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import pytest
from filelock import FileLock
from numba.core.compiler_lock import global_compiler_lock
from numba.core.types import int8, int64

from paddock.core.title import Title
from paddock.kernel import compiling
from paddock.kernel.bulk import play
from paddock.kernel.loader import load_kernel, say_compiling

from .tiny import Maker, Options, tiny

__all__ = ["tiny"]


def test_it_is_kept_alike_wherever_paddock_is_installed(tmp_path: Path) -> None:
    def rule() -> None: ...

    keeper = compiling.Keeper(tmp_path / "kernels")
    one, other, apart = (
        keeper.from_function(rule, f"/{at}/rules.py") for at in ("a/tiny", "b/tiny", "a/big")
    )
    assert one and one == other != apart
    assert one.get_cache_path() == str(tmp_path / "kernels")
    (tmp_path / "file").touch()
    assert compiling.Keeper(tmp_path / "file").from_function(rule, "/a/tiny/rules.py") is None


def test_threads_share_one_kernel(tiny: Maker) -> None:
    title = tiny.title("shared")
    with ThreadPoolExecutor(4) as threads:
        loaded = list(threads.map(lambda _: load_kernel(title, compiled=True), range(4)))
    assert {id(kernel) for kernel in loaded} == {id(load_kernel(title, compiled=True, tell=False))}


Answer = tuple[int, list[tuple[str, str]], tuple[int, int]]


def compiled(title: Title, answers: multiprocessing.Queue[Answer]) -> None:
    """Play in threads. Answer how often the entry point was not in the cache, what was said, and for how many
    kinds of arguments ``apply`` and ``legal`` were compiled."""
    said = list[tuple[str, str]]()

    class Heard(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            said.append((record.name, record.getMessage()))

    logger = logging.getLogger("paddock")
    logger.addHandler(Heard())
    logger.setLevel(logging.INFO)
    kernel = load_kernel(title, compiled=True)
    assert not said
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda _: play(title, Options(), 10, seed=1, threads=2), range(4)))
    misses = sum(kernel.play_many.stats.cache_misses.values())
    answers.put((misses, said, (len(kernel.apply.overloads), len(kernel.legal.overloads))))


@pytest.mark.slow("a title of its own is compiled")
def test_of_two_processes_and_their_threads_only_one_compiles(
    tiny: Maker, caplog: pytest.LogCaptureFixture
) -> None:
    """The others wait, find the result in the cache, and say nothing."""
    title, forking = tiny.title("twice"), multiprocessing.get_context("fork")
    answers = forking.Queue()
    both = [forking.Process(target=compiled, args=(title, answers)) for _ in range(2)]
    for process in both:
        process.start()
    (none, nothing, _loaded), (once, said, overloads) = sorted(answers.get() for _ in both)
    for process in both:
        process.join()
    assert (none, once) == (0, 1) and nothing == []
    ((name, message),) = said
    assert name == "paddock" and message.startswith(f"Compiling {title.label}: ")
    # ``apply`` has a constant seat for chance, and other ones for moves: one function serves both
    assert overloads == (1, 1)
    with caplog.at_level(logging.INFO, logger="paddock"):  # this process is another one
        say_compiling(title, "play_many")
        play(title, Options(), 10, seed=1)
        assert caplog.messages == []
        say_compiling(title, "rollouts")  # as before worker processes: this is not in the cache yet
        say_compiling(title, "contest")
        assert len(caplog.messages) == 1


def test_what_compiles_a_caller_does_not_wait_for_a_thread_that_waits_for_it(tmp_path: Path) -> None:
    entry = SimpleNamespace(py_func=max, overloads={}, compile=lambda kinds: kinds)
    compiling.once(entry, tmp_path)
    with FileLock(tmp_path / "max.lock"), global_compiler_lock:
        assert entry.compile((int8,)) == (int64,)
