"""The examples in docstrings do what they show."""

from __future__ import annotations

import doctest
import inspect
from importlib import import_module
from pathlib import Path

import pytest

import paddock
from paddock import bots, envs, records
from paddock.core.rooms import Move

SOURCE = Path(paddock.__file__).parent
MODULES = [
    ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts).removesuffix(".__init__")
    for path in sorted(SOURCE.rglob("*.py"))
    if ">>> " in path.read_text("utf-8")
]
FIRST = [  # what people meet first
    paddock.start, paddock.position, paddock.svg, paddock.match, paddock.Game, paddock.Game.play,
    paddock.Game.legal, paddock.Game.why, paddock.Seen, Move, records.read, records.write, records.complete,
    bots.bot, bots.levels, envs.vector, envs.single, envs.aec, envs.open_spiel,
]  # fmt: skip


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_do_what_they_show(name: str) -> None:
    found = doctest.testmod(import_module(name), optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    assert found.attempted and not found.failed


@pytest.mark.parametrize("one", FIRST, ids=lambda one: one.__qualname__)
def test_what_people_meet_first_has_an_example(one: object) -> None:
    """Indented, as code in Markdown: words must stand before it."""
    assert "\n    >>> " in (inspect.getdoc(one) or "")
