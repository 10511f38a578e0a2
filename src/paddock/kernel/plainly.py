"""Rollouts without a compiler: the source of the compiled ones, in steps, with lists in place of arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from paddock.core.beside import Steps
from paddock.core.bounds import SPARE
from paddock.core.options import Options
from paddock.core.title import Title
from paddock.kernel import calls
from paddock.kernel.loader import load_kernel, plain_rollouts
from paddock.kernel.source import Seed, seed_number

SEEN = 1  # where ``rollouts`` expects the hidden state; its other states are buffers


class PlainStates(list[Any]):
    """Plain states that are copied when they are set, as those of an array are."""

    def __setitem__(self, at: Any, state: Any) -> None:
        super().__setitem__(at, state.copy())


@dataclass(frozen=True)
class PlainEnds:
    """The ends of rollouts: the scores of all seats by move and world, and the decisions of all together."""

    scores: dict[tuple[int, int], list[float]]
    decisions: int


def rollouts_in_steps(
    title: Title,
    options: Options,
    hidden: Any,
    eyes: int,
    seat: int,
    moves: Sequence[int],
    worlds: range,
    seed: Seed,
    slips: int,
    limit: int | None = None,
) -> Steps[PlainEnds]:
    """Play the game on as ``rollouts`` of bulk.py does, in the same worlds, and yield after every decision.

    The policy plays on; one in ``slips`` of its moves is random (0: none).
    """
    rules, kernel = title.rules, load_kernel(title, compiled=False)
    states = PlainStates(rules.State() for _ in range(4))
    states[SEEN] = hidden
    seats: Any = [options.eyes(owner) for owner in options.owners]
    scores, places = (
        {(i, w): [0.0] * rules.MAX_SEATS for i in range(len(moves)) for w in range(len(worlds))}
        for _ in range(2)
    )
    space: Any = [0] * (max(rules.ACTIONS, rules.OUTCOMES, rules.MAX_SEATS) + SPARE)
    lists: Any = {"moves": list(moves), "scores": scores, "places": places, "rng": [0]}
    lists["expected"] = [0.0] * (rules.MAX_SEATS + SPARE)
    decisions = yield from plain_rollouts(title)(
        calls.Rollouts(
            ss=states, gg=[title.setup_of(options)], knows=eyes, seat=seat, eyes=seats,
            by=calls.PlaysOn(_NO_NETWORKS, _NO_NETWORKS, -1, slips), seed=seed_number(seed),
            first=worlds.start, worlds=len(worlds), limit=kernel.HORIZON if limit is None else limit,
            out=space, **lists,
        )
    )  # fmt: skip
    return PlainEnds({at: row[: options.seats] for at, row in scores.items()}, decisions)


_NO_NETWORKS: Any = None
