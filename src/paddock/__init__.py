"""Paddock: racing tabletop games, played, studied and researched.

Start a game of a title, and ask it what may happen now:

    >>> import paddock
    >>> game = paddock.start("lacorsa", drivers=4, races=7, seed=7)
    >>> game.deciders
    (0, 1, 2, 3)

``paddock.bots``, ``paddock.records``, ``paddock.lab``, ``paddock.envs`` and ``paddock.tasks`` need no import
of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paddock.core.defaults import SECONDS, WORLDS
from paddock.core.errors import (
    BadMove,
    BadOption,
    BadPosition,
    BadRecord,
    IllegalMove,
    PaddockError,
    quoted,
)
from paddock.core.game import Game
from paddock.core.i18n import _
from paddock.core.legal import LegalMoves
from paddock.core.log import Entry, Event
from paddock.core.outcomes import Outcomes
from paddock.core.position import position as _position
from paddock.core.rooms import above as _above
from paddock.core.title import Preview, Seen, Title, title, titles
from paddock.core.transcript import Made
from paddock.core.words import CHANCE
from paddock.kernel.serving import Serving
from paddock.kernel.source import Seed, Seeded, System

if TYPE_CHECKING:
    from paddock import bots as bots
    from paddock import envs as envs
    from paddock import lab as lab
    from paddock import records as records
    from paddock import tasks as tasks
    from paddock.bots import Bot
    from paddock.bots.analysis import Analysis
    from paddock.lab import Match

    __version__: str

__all__ = [
    "CHANCE",
    "BadMove",
    "BadOption",
    "BadPosition",
    "BadRecord",
    "Entry",
    "Event",
    "Game",
    "IllegalMove",
    "LegalMoves",
    "Made",
    "Outcomes",
    "PaddockError",
    "Preview",
    "Seed",
    "Seeded",
    "Seen",
    "System",
    "Title",
    "analyse",
    "match",
    "position",
    "start",
    "svg",
    "title",
    "titles",
]

_LATE = ("arena", "bots", "envs", "lab", "records", "tasks")  # subpackages that take time to import

_above.register_kernel(Serving())  # core imports nothing from the kernel


def __getattr__(name: str) -> Any:
    """Import a subpackage, or look up ``__version__``, when it is first used."""
    if name in _LATE:
        return import_module(f"paddock.{name}")
    if name == "__version__":
        from importlib.metadata import version

        from paddock.core.extras import DISTRIBUTION

        return version(DISTRIBUTION)
    raise AttributeError(f"module 'paddock' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATE, "__version__"})


def start(name: str, /, *, seed: Seed | None = None, names: Sequence[str] = (), **options: Any) -> Game:
    """A new game of the title ``name``, its first chance drawn.

    ``seed`` makes its chance repeatable; without one it comes from the operating system. ``names`` are
    those of the players. Raises ``PaddockError`` for an unknown title, ``BadOption`` with every fault.

        >>> import paddock
        >>> game = paddock.start("rasant", players=2, names=["Ana", "Ben"], seed=3)
        >>> game.deciders, game.names
        ((0,), ('Ana', 'Ben'))
        >>> paddock.start("rasant", players=9)
        Traceback (most recent call last):
            ...
        paddock.core.errors.BadOption: players=9: write a whole number from 2 to 5 (RA-1.3)
    """
    found_title = title(name)
    return Game(found_title, found_title.options.read(options), _source(seed), names)


def position(text: str, /, *, seed: Seed | None = None, names: Sequence[str] = ()) -> Game:
    """The game that stands in a position, as ``Game.position`` writes it; raises ``BadPosition``.

    For example:

        >>> import paddock
        >>> game = paddock.start("rasant", players=2, seed=3)
        >>> paddock.position(game.position).legal(0) == game.legal(0)
        True
    """
    return _position(text, _source(seed), names)


def svg(game: Game, seat: int | Iterable[int] | None = None) -> str:
    """Return a drawing of the table as an SVG text, with the hands of ``seat``.

    ``seat`` is one seat, several seats together, or None for a spectator. Raises ``BadMove`` for a seat that
    does not exist, and ``PaddockError`` if the title has no drawings.

        >>> import paddock
        >>> drawing = paddock.svg(paddock.start("lacorsa", drivers=4, seed=7), seat=0)
        >>> drawing.startswith("<svg")
        True
    """
    draw = _game(game).title.draw.svg
    if draw is None:
        raise PaddockError(_("{title} has no drawings").format(title=game.title.label))
    return draw(game.view(seat))


def match(
    title: Title | str,
    bots: Sequence[Bot | str],
    games: int,
    seed: Seed = 0,
    *,
    options: Mapping[str, Any] | None = None,
    seconds: float = SECONDS,
    processes: int | None = None,
    cluster: str | None = None,
    to: Path | str | None = None,
    luck: int = 0,
    progress: Callable[[int], Any] | None = None,
) -> Match:
    """Play a match between bots, and return its results: see ``paddock.lab.match``.

    For example:

        >>> import paddock
        >>> result = paddock.match("rasant", ["club", "rookie"], games=2, seed=1, processes=1)
        >>> [(figure.bot, figure.wins) for figure in result.figures]
        [('club', 1.0), ('rookie', 0.0)]
    """
    from paddock.lab import match  # imported late: not needed to play

    return match(
        title,
        bots,
        games,
        seed,
        options=options,
        seconds=seconds,
        processes=processes,
        cluster=cluster,
        to=to,
        luck=luck,
        progress=progress,
    )


def analyse(
    game: Game | str,
    *,
    worlds: int = WORLDS,
    seed: int | str = 0,
    processes: int | None = None,
    progress: Callable[[int, int], Any] | None = None,
) -> Analysis:
    """Say what the moves of a game cost, and what those that can be played now would cost.

    ``game`` is a game, finished or not, or a position as ``Game.position`` writes it. The result has a
    judgement of each decision with more than one legal move, a choice for each legal move of the seats that
    must decide now, in points of the race, and what finished races were worth at each moment;
    docs/analysis.md says what the figures mean. ``worlds`` is the most for one decision, from 8. The same
    seed gives the same figures. The moves that were made are judged in ``processes``, by default one for each
    core. ``progress`` is called with the number of decisions and
    moments measured since the last call, and the number of all.

    Raises ``PaddockError`` without the extra ``fast`` (Numba) and for a title that has no bot to play games
    on with, and ``BadPosition``.
    """
    from paddock.bots.judging import analyse  # imported late: not needed to play

    if isinstance(game, str):
        game = position(game)
    return analyse(_game(game), worlds=worlds, seed=seed, processes=processes, progress=progress)


def _game(value: object) -> Game:
    """Return a game as it is; raise ``PaddockError`` for anything else."""
    if isinstance(value, Game):
        return value
    sentence = _("give a game, as paddock.start returns it, not {what}")
    raise PaddockError(sentence.format(what=quoted(value)))


def _source(seed: Seed | None) -> Seeded | System:
    return System() if seed is None else Seeded(seed)
