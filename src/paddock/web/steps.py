"""The steps of a replay: which positions it shows, and from whose view."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import urlencode

from starlette.exceptions import HTTPException

from paddock.core.i18n import _
from paddock.core.log import EventLog
from paddock.tables import Table
from paddock.tables.replaying import LONG_LOG
from paddock.tables.threads import off_loop
from paddock.web.links import link
from paddock.web.model import Models, Scene
from paddock.web.values import number

T = TypeVar("T")
ALL, NONE = "all", "none"  # values of «eyes», besides the seats from 1


@dataclass(frozen=True, kw_only=True)
class StepLinks:
    """A step as a page shows it, with the addresses of others (None: not there)."""

    at: int
    of: int | None  # the last one; None while the page hides what comes later
    entry: int  # before it, this number of log entries has been played
    url: str  # of the replay
    here: str
    first: str | None
    previous: str | None
    next: str | None
    last: str | None


@dataclass(frozen=True)
class Step:
    """One step of the replay of a table, as some eyes see it."""

    path: str  # of the replay's address
    stops: tuple[int, ...]  # before each step, this number of log entries has been played
    at: int
    eyes: str  # a seat from 1, ALL or NONE
    scene: Scene
    over: bool
    spoilers: bool = True  # whether the page may tell of later steps

    @property
    def before(self) -> int:
        """The number of log entries that the step before has played."""
        return self.stops[self.at - 1] if self.at else 0

    def url(self, at: int, eyes: str | None = None) -> str:
        """Return the address of another step, from the same view or another one."""
        return self._address(at, eyes or self.eyes, self.spoilers)

    def hiding(self) -> str:
        """Return the address of this step without what comes later, or, if that is hidden, with it."""
        return self._address(self.at, self.eyes, not self.spoilers)

    def _address(self, at: int, eyes: str, spoilers: bool) -> str:
        query = {"step": at, "eyes": eyes} | ({} if spoilers else {"spoilers": "no"})
        return f"{self.path}?{urlencode(query)}"

    def links(self) -> StepLinks:
        """Return where this step is, and the addresses of others."""
        at, last = self.at, len(self.stops) - 1
        return StepLinks(
            at=at,
            of=last if self.spoilers else None,
            entry=self.stops[at],
            url=self.path,
            here=self.url(at),
            first=self.url(0) if at else None,
            previous=self.url(at - 1) if at else None,
            next=self.url(at + 1) if at < last else None,
            last=self.url(last) if at < last and self.spoilers else None,
        )


def stops(table: Table) -> tuple[int, ...]:
    """Return the stops of a replay. The last one is the end of the game.

    A move begins a new step if chance was drawn or something was told since the last one.
    """
    chance = table.game.log.chance()
    batches = table.events_for(None)
    told = set(batches.entries if isinstance(batches, EventLog) else (item.entry for item in batches))
    out: list[int] = []
    for n, by_chance in enumerate(chance):
        if not by_chance and (not out or chance[n - 1] or n - 1 in told):
            out.append(n)
    return (*out, len(chance))


async def step(table: Table, query: Mapping[str, str], page: str = "replay") -> Step:
    """Run ``step_of``, in a thread if the log is long."""
    return await in_thread(table, step_of, table, query, page)


async def in_thread(table: Table, work: Callable[..., T], *args: Any) -> T:
    """Run work on a finished table that takes as long as its log: in a thread if that is long.

    It takes a fifth of a second at most, which is too little for a worker process.
    """
    return await off_loop(work, *args) if len(table.game.log) > LONG_LOG else work(*args)


async def prepare(models: Models, table: Table, player: int | None, *, chat: bool) -> None:
    """Make the model of a finished game, in a thread if its log is long; ``models.of`` then finds it."""
    if table.fully_visible:
        await in_thread(table, lambda: models.of(table, player, chat=chat))


def step_of(table: Table, query: Mapping[str, str], page: str = "replay") -> Step:
    """Return the step that an address asks for, by default the first one with all hands open.

    ``step`` is its number; ``entry`` asks for the first step after this log entry, else the last one;
    ``eyes`` says whose view; ``spoilers=no`` asks for a page that tells nothing of later steps.
    Raises a 409 while the game is being played, and a 400 for anything else that is wrong.
    """
    if not table.fully_visible:
        raise HTTPException(409, _("This game is still being played: its replay opens when it is over."))
    found, spoilers = stops(table), page != "replay" or query.get("spoilers") != "no"
    if "entry" in query:
        entry = number(query, "entry")
        at = next((i for i, played in enumerate(found) if played > entry), len(found) - 1)
    else:
        at = _number(query, len(found) - 1, spoilers=spoilers) if "step" in query else 0
    seats, eyes = table.options.seats, query.get("eyes", ALL)
    masks = {ALL: (1 << seats) - 1, NONE: 0} | {str(seat + 1): 1 << seat for seat in range(seats)}
    if eyes not in masks:
        raise HTTPException(400, _("“eyes” is a seat from 1 to {n}, “all” or “none”.").format(n=seats))
    game = table.at(found[at])
    scene = Scene(game.seen(masks[eyes]), game.events_for(masks[eyes]))
    return Step(link(f"/t/{table.id}/{page}"), found, at, eyes, scene, game.over, spoilers)


def _number(query: Mapping[str, str], last: int, *, spoilers: bool) -> int:
    """Return the number of the step that an address asks for. Without spoilers, a refusal has no number."""
    if spoilers:
        return number(query, "step", most=last)
    if (at := number(query, "step")) > last:
        raise HTTPException(400, _("There is no such step."))
    return at


def at_stop(stops: Sequence[int], entry: int) -> int:
    """Return the first step that has played so many log entries."""
    return min(bisect_left(stops, entry), len(stops) - 1)
