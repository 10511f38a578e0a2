"""Compiled rules are found again wherever their sources are."""

from __future__ import annotations

import sys

import pytest

from paddock.kernel import loader
from paddock.kernel.bulk import Bench

from .tiny import Maker, Options, tiny

__all__ = ["tiny"]


def test_a_title_that_is_installed_somewhere_else_is_not_compiled_again(
    tiny: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    title, package = tiny.title("moved"), tiny.folder / "moved"
    found = []
    for place in ("here", "there"):
        (tiny.folder / place).mkdir()
        package = package.rename(tiny.folder / place / "moved")
        for name in [name for name in sys.modules if name.partition(".")[0] == "moved"]:
            monkeypatch.delitem(sys.modules, name)
        monkeypatch.syspath_prepend(package.parent)
        loader._kernels.clear()  # as in another process
        bench = Bench(title, Options())
        bench.kernel.start(bench.ss[0], bench.gg[0])
        stats = bench.kernel.start.stats
        found.append((sum(stats.cache_misses.values()), sum(stats.cache_hits.values())))
    assert found == [(1, 0), (0, 1)]
