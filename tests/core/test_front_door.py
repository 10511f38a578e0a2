"""``import paddock``: what it offers, and what it leaves for later."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import version

import pytest

import paddock


def fresh(program: str) -> str:
    """Return what a program prints in a new process."""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_subpackages_need_no_import_of_their_own() -> None:
    program = """
import sys, paddock
late = [name for name in ("bots", "envs", "lab", "records") if f"paddock.{name}" in sys.modules]
print(late, type(paddock.bots.bot("lacorsa", "club")).__name__, paddock.records.read.__name__)
print(paddock.lab.study.__name__, paddock.envs.vector.__name__)
"""
    assert fresh(program) == "[] Club read\nstudy vector"


def test_everything_public_is_there() -> None:
    assert {*paddock.__all__, "bots", "envs", "lab", "records", "__version__"} <= set(dir(paddock))
    for name in paddock.__all__:
        getattr(paddock, name)
    assert paddock.__version__ == version("paddock")
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        paddock.nothing  # type: ignore[attr-defined]


def test_chance_can_be_played_with_public_names_alone() -> None:
    game = paddock.Game(paddock.title("rasant"), paddock.title("rasant").options.read({}))
    source, twin = paddock.Seeded(7), paddock.start("rasant", seed=7)
    while game.outcomes():
        drawn = game.draw(source)
        game.append(paddock.Entry(paddock.CHANCE, drawn.what))
    assert game == twin
    assert 0 <= paddock.System().below(3) < 3
