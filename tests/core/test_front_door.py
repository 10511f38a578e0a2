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


HEAVY = ("numpy", "numba", "pydantic", "jinja2", "rich", "typer", "importlib.metadata", "concurrent.futures")


def test_the_import_is_light() -> None:
    """NumPy alone takes longer than all that a script needs at its start."""
    program = f"""
import sys, paddock
print([name for name in {HEAVY} if name in sys.modules])
print(sorted(name for name in sys.modules if name.startswith("paddock.games")))
"""
    assert fresh(program) == "[]\n[]"


def test_games_are_played_without_numpy() -> None:
    """Only compiled play and arrays need it: not a game, its views, its story and positions."""
    program = """
import sys, paddock
for name in paddock.titles():
    game = paddock.start(name, seed=1)
    for _ in range(20):
        seat = game.deciders[0]
        game.play(seat, game.legal(seat)[0])
    paddock.position(game.position), game.view(0), game.story, game.undo()
print("numpy" in sys.modules, "numba" in sys.modules)
"""
    assert fresh(program) == "False False"


@pytest.mark.parametrize("name", ["lacorsa", "rasant", "great_race"])
def test_a_drawing_for_a_seat_and_for_a_spectator(name: str) -> None:
    game = paddock.start(name, seed=1)
    assert paddock.svg(game).startswith("<svg")
    assert paddock.svg(game) == game.seen(0)._repr_svg_()
    assert paddock.svg(game, 1) == game.seen(1 << 1)._repr_svg_()
    assert (paddock.svg(game, 1) == paddock.svg(game)) == (name == "great_race")  # it draws no hands
    assert paddock.svg(game, (0, 1)) == game.seen(3)._repr_svg_()


def test_a_drawing_that_cannot_be_made_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    game = paddock.start("lacorsa", seed=1)
    with pytest.raises(paddock.BadMove, match="there is no seat 9"):
        paddock.svg(game, 9)
    with pytest.raises(paddock.PaddockError, match=r"give a game, as paddock\.start returns it, not 'x'"):
        paddock.svg("x")  # type: ignore[arg-type]
    monkeypatch.setattr(game.title.draw, "svg", None)
    with pytest.raises(paddock.PaddockError, match="LACORSA has no drawings"):
        paddock.svg(game)


def test_everything_public_is_there() -> None:
    assert {*paddock.__all__, "bots", "envs", "lab", "records", "__version__"} <= set(dir(paddock))
    for name in paddock.__all__:
        getattr(paddock, name)
    assert paddock.__version__ == version("paddock-games")
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
