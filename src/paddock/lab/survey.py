"""Games of compiled levels, measured while they are played: the raw numbers of a study."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from paddock.bots import levels, thirds
from paddock.bots.network import Network, stacked, thought
from paddock.core.bounds import SPARE
from paddock.core.errors import BadOption
from paddock.core.i18n import _
from paddock.core.options import Options
from paddock.core.title import Title
from paddock.kernel import calls
from paddock.kernel import survey as kernel
from paddock.kernel.bulk import Bench, cores, eyes_by_seat, in_threads
from paddock.kernel.events import CODES
from paddock.kernel.loader import load_kernel
from paddock.kernel.source import Seed, seed_number
from paddock.lab.rows import win_shares

REPEATS = 2  # games of a deal
CHUNK = 250  # deals that a thread plays at a time
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class GamesSample:
    """Games of D deals, each played R times, with P players and S seats. Every array begins with (D, R).

    What chance decides before the first decision is the same in all games of a deal; the rest is not.
    """

    level: Ints  # (…, P): the place of the player's level in the line-ups
    owners: tuple[int, ...]  # the player of every seat
    scores: Ints  # (…, S)
    places: Ints  # (…, S)
    event_counts: Ints  # (…, CODES): how often each event was told
    numbers: Ints  # (…, NUMBERS), as in kernel/survey.py; so are the next four
    turns: Ints  # (…, S)
    grid: Ints  # (…, S)
    leaders: Ints  # (…, PARTS + 1)
    moves: Ints  # (…, PARTS, 2)
    laps: npt.NDArray[np.int8]  # (…, LAPS, S)
    items: npt.NDArray[np.int16]  # (…, S, items)

    @property
    def deals(self) -> int:
        """The number of deals."""
        return len(self.scores)

    @property
    def players(self) -> int:
        """The number of players."""
        return int(self.level.shape[-1])

    @property
    def wins(self) -> npt.NDArray[np.float64]:
        """The share of the win by seat, shape (…, S)."""
        return win_shares(self.places)

    def by_player(self, by_seat: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        """Add up an array over the seats of every player."""
        out = np.zeros(self.level.shape)
        for seat, owner in enumerate(self.owners):
            out[..., owner] += by_seat[..., seat]
        return out

    def part(self, deals: Any) -> GamesSample:
        """Return some of the deals, by a slice or a mask."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return GamesSample(**{name: v if name == "owners" else v[deals] for name, v in values.items()})

    def same(self, other_sample: GamesSample) -> bool:
        """Whether both samples have the same games with the same results."""
        return self.owners == other_sample.owners and all(
            np.array_equal(getattr(self, field.name), getattr(other_sample, field.name))
            for field in fields(self)
            if field.name != "owners"
        )


def item_names(title: Title) -> dict[str, tuple[str, ...]]:
    """Return what chance gives to the seats of a title, by group: the items in the order of ``holdings``."""
    names = getattr(title.study, "items", None)
    return names() if names else {}


def round_word(title: Title) -> str:
    """Return the title's word for a round, such as a lap; empty if it has none."""
    return _(getattr(title.study, "A_ROUND", title.study.ROUNDS)) if title.study else ""


def compiled_levels(title: Title) -> list[tuple[str, int]]:
    """Return the levels that can play compiled, the weakest first: (name, thirds)."""
    names = []
    for level in levels(title):
        try:
            names.append((level.name, thirds(title, level.name)))
        except BadOption:
            continue
    return names


def one_among(level: int, other_level: int, players: int) -> list[list[int]]:
    """Return the line-ups with one player of level ``level`` among ``other_level``, in every seat once."""
    return [
        [level if player == place else other_level for player in range(players)] for place in range(players)
    ]


def halves(level: int, other_level: int, players: int) -> list[list[int]]:
    """Return all line-ups in which half of the players, rounded down, are of level ``level``."""
    return [
        [level if player in chosen else other_level for player in range(players)]
        for chosen in combinations(range(players), players // 2)
    ]


def play_survey(
    title: Title,
    options: Options,
    deals: int,
    seed: Seed,
    line_ups: Sequence[Sequence[int]],
    strengths: Sequence[int],
    progress: Callable[[int], Any] | None = None,
    gives: bool = False,
    networks: Sequence[Network] = (),
) -> GamesSample:
    """Play ``deals`` single games (no series) ``REPEATS`` times each, on all cores.

    Game i has the line-up i modulo their number: for each player an index of ``strengths``. These are the
    thirds of the levels, or NETWORK and the index of one of the ``networks``. The result does not depend on
    the number of cores, and the first deals are the same whatever ``deals`` is. ``gives``: the title's
    ``give`` gives items to the seats by lot.
    """
    games, seats = deals * REPEATS, options.seats
    max_seats = title.rules.MAX_SEATS
    level = np.array([line_ups[i % len(line_ups)] for i in range(games)], np.int64)
    follow = np.ascontiguousarray(np.array(strengths)[level][:, list(options.owners)])
    eyes = eyes_by_seat(options)
    seeds = np.array([seed_number(seed), seed_number(f"{seed} choices")])
    shapes = {
        "scores": (max_seats,),
        "places": (max_seats,),
        "event_counts": (CODES,),
        "numbers": (kernel.NUMBERS,),
        "turns": (seats,),
        "grid": (seats,),
        "leaders": (kernel.PARTS + 1,),
        "moves": (kernel.PARTS, 2),
        "laps": (kernel.LAPS, seats),
        "items": (seats, sum(map(len, item_names(title).values()))),
    }
    small = {"laps": np.int8, "items": np.int16}  # they are many
    arrays = {name: np.zeros((games, *shape), small.get(name, np.int64)) for name, shape in shapes.items()}
    round_code = title.study.ROUND if title.study else -1
    nets = stacked(networks, load_kernel(title, compiled=True, tell=True)) if networks else None

    def run(first: int) -> int:
        """Play the games of the deals from ``first`` on into the arrays; return how many they are."""
        part = slice(first * REPEATS, min(first + CHUNK, deals) * REPEATS)
        bench = Bench(title, options, states=2, tell=True)
        progress_of_seats = np.zeros(max_seats + SPARE, np.int64)
        by_decision = [np.zeros(title.rules.MAX_DECISIONS + 1, np.int64) for _ in range(2)]
        call = calls.Survey(
            bench.ss, bench.gg, follow[part], eyes, seeds, first, REPEATS, round_code, int(gives),
            bench.rng, bench.out, progress_of_seats, *by_decision,
            **{name: array[part] for name, array in arrays.items()},
        )  # fmt: skip
        bench.kernel.survey(call, nets, nets and thought(bench.kernel, nets))
        return part.stop - part.start

    for done in in_threads(run, range(0, deals, CHUNK), cores()):
        if progress:
            progress(done)
    arrays["scores"], arrays["places"] = arrays["scores"][:, :seats], arrays["places"][:, :seats]
    shaped = {name: array.reshape(deals, REPEATS, *array.shape[1:]) for name, array in arrays.items()}
    return GamesSample(level.reshape(deals, REPEATS, -1), options.owners, **shaped)
