"""A title that is compiled is named once in the log, and not if it comes from the cache."""

from __future__ import annotations

import logging

import pytest

from paddock.kernel import compiling
from paddock.kernel.bulk import play
from paddock.kernel.loader import load_kernel, say_compiling

from .tiny import Maker, Options, tiny

__all__ = ["tiny"]


def test_it_is_said_once_and_not_of_the_cache(tiny: Maker, caplog: pytest.LogCaptureFixture) -> None:
    title = tiny.title("compiling")
    with caplog.at_level(logging.INFO, logger="paddock"):
        say_compiling(title, "play_many")  # as before worker processes: nothing is in the cache yet
        play(title, Options(), 10, seed=1)
        assert [record.name for record in caplog.records] == ["paddock"]
        assert caplog.messages[0].startswith(f"Compiling {title.label}: ")
        caplog.clear()
        load_kernel.cache_clear()  # as in another process
        compiling._said.clear()
        say_compiling(title, "play_many")
        play(title, Options(), 10, seed=1)
        assert caplog.messages == []
        say_compiling(title, "rollouts")
        assert len(caplog.messages) == 1


def test_it_is_said_when_it_happens(tiny: Maker, caplog: pytest.LogCaptureFixture) -> None:
    title = tiny.title("compiling_now")
    compiling._said.clear()
    with caplog.at_level(logging.INFO, logger="paddock"):
        load_kernel(title, compiled=True)
        assert caplog.messages == []
        play(title, Options(), 10, seed=1)
        assert len(caplog.messages) == 1
