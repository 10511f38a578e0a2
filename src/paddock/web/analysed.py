"""What a replay shows of the analysis of its game."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from paddock.bots.analysis import Turn, figure
from paddock.core.extras import has
from paddock.core.i18n import _, plural
from paddock.tables import Table
from paddock.tables.analysing import Analysed, Run
from paddock.web.steps import ALL, NONE, Step

State = Literal["none", "waiting", "running", "failed", "done"]
WIDE, HIGH = 1000, 24  # the size of the timeline, in units of its drawing


@dataclass(frozen=True)
class Verdict:
    """A judged submission: of the step that is shown, or a big swing."""

    name: str  # of the seat
    text: str  # the moves
    sentence: str
    mistake: bool
    url: str  # of the step after it
    current: bool  # whether this is the step that is shown
    where: str  # the race, if there are several


@dataclass(frozen=True)
class Mark:
    """A big swing on the timeline, which is ``WIDE`` and ``HIGH``."""

    x: float
    height: float
    url: str  # of the step after it


@dataclass(frozen=True)
class Shown:
    """The analysis as a replay shows it at one step."""

    state: State
    url: str  # to start it
    done: int = 0
    total: int = 0
    fault: str = ""
    verdicts: tuple[Verdict, ...] = ()  # of the moves that led to this step
    swings: tuple[Verdict, ...] = ()
    costs: tuple[tuple[str, str, int, int], ...] = ()  # name, cost, mistakes, decisions
    marks: tuple[Mark, ...] = ()
    at: float = 0.0  # of this step, on the timeline
    costly: str = ""  # the address of the next big swing, and after the last one of the first


def state_of(found: Analysed | None, run: Run | None) -> State:
    """Return how far an analysis is."""
    if found:
        return "done"
    if run is None:
        return "none"
    return "failed" if run.fault else "running" if run.total else "waiting"


def shown(table: Table, step: Step, found: Analysed | None, run: Run | None) -> Shown | None:
    """Return what a step shows of the analysis; None if there is none and the compiler is not installed."""
    state, url = state_of(found, run), f"/t/{table.id}/analyse"
    if found is None:
        if not has("fast"):
            return None
        if run is None:
            return Shown(state, url)
        return Shown(state, url, run.done, run.total, _(run.fault))
    last, worst = len(step.stops) - 1, found.swings
    stops_of = [bisect_right(step.stops, turn.last) for turn in worst]
    most = worst[0].cost if worst else 1.0
    return Shown(
        state,
        url,
        verdicts=tuple(_verdict(table, step, turn) for turn in _of_step(step, found.turns)),
        swings=tuple(_verdict(table, step, turn) for turn in worst),
        costs=tuple(
            (table.players[cost.player].name, figure(cost.cost, cost.error), cost.mistakes, cost.decisions)
            for cost in found.costs
        ),
        marks=tuple(
            Mark(_x(at, last), round(HIGH * max(0.3, turn.cost / most), 1), step.url(at))
            for at, turn in zip(stops_of, worst, strict=True)
        ),
        at=_x(step.at, last),
        costly=step.url(min(stops_of, key=lambda at: (at <= step.at, at))) if worst else "",
    )


def _x(at: int, last: int) -> float:
    return round(WIDE * at / max(1, last), 1)


def _of_step(step: Step, turns: Sequence[Turn]) -> list[Turn]:
    """Return the submissions between the step before and this one, of the seats whose hands are shown."""
    if step.at == 0 or step.eyes == NONE:
        return []
    first = bisect_right(turns, step.before - 1, key=lambda turn: turn.last)
    end = bisect_right(turns, step.stops[step.at] - 1, key=lambda turn: turn.last)
    return [turn for turn in turns[first:end] if step.eyes in (ALL, str(turn.seat + 1))]


def _verdict(table: Table, step: Step, turn: Turn) -> Verdict:
    at = bisect_right(step.stops, turn.last)
    word = _(table.title.round_name).capitalize()
    several = table.options.rounds > 1
    where = _("{round} {n}").format(round=word, n=turn.round + 1) if several else ""
    return Verdict(
        step.scene.names[turn.seat],
        turn.text,
        turn.sentence,
        turn.mistake,
        step.url(at),
        at == step.at,
        where,
    )


def progress(shown: Shown) -> str:
    """Return how far a running analysis is as a sentence."""
    if not shown.total:
        return _("The analysis starts soon.")
    words = {"done": str(shown.done)}
    return plural("{done} of {n} decision analysed", "{done} of {n} decisions analysed", shown.total, **words)
