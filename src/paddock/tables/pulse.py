"""Notices that the server stood still, and that the clock of its machine was set."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from paddock.store import Unavailable
from paddock.tables.runtime import BEAT, Runtime
from paddock.tables.timers import Timers
from paddock.tables.upkeep import Upkeep

log = logging.getLogger("paddock.tables")
SET = timedelta(seconds=5)  # by which the date may differ from what was expected, until it counts as set
FAR = timedelta(minutes=1)  # by which dates were wrong that are worth correcting


@dataclass(frozen=True)
class ClockStep:
    """The clock of the machine was set by so much; from ``begun`` to ``ended`` are the dates before that."""

    begun: datetime
    ended: datetime
    by: timedelta
    sure: bool  # whether those were right: something kept the clock right then


class Dates:
    """Compares the date with a clock that only goes forward."""

    def __init__(self, now: datetime, elapsed: float, sure: bool) -> None:
        self._begun = self._now = now
        self._elapsed = elapsed
        self._sure = sure

    def look(self, now: datetime, elapsed: float, sure: bool) -> ClockStep | None:
        """Return how the clock was set since the last look; None if it was not."""
        ended = self._now + timedelta(seconds=elapsed - self._elapsed)
        step = ClockStep(self._begun, ended, now - ended, self._sure) if abs(now - ended) >= SET else None
        if step:
            self._begun, self._sure = now, sure
        self._now, self._elapsed, self._sure = now, elapsed, self._sure or sure
        return step


class Pulse:
    """Looks every second, once ``run`` is running."""

    def __init__(self, runtime: Runtime, timers: Timers, upkeep: Upkeep) -> None:
        self._runtime = runtime
        self._timers = timers
        self._upkeep = upkeep
        self.reset: list[Callable[[], None]] = []  # told when the clock was set
        self._dates = Dates(runtime.now(), runtime.elapsed(), runtime.synchronised())
        self._lag = runtime.elapsed() - runtime.served()
        self._wrong: list[ClockStep] = []  # whose dates are not corrected yet
        self.set_at = runtime.elapsed()  # ``Runtime.elapsed`` when the clock was set, or the server started

    async def run(self) -> None:
        """Look again and again."""
        while True:
            await asyncio.sleep(BEAT)  # not the sleep of the runtime: this tells how time passes there
            try:
                await self.beat()
            except Unavailable:
                pass  # the next one does it
            except Exception:
                log.exception("could not look at the clock")

    async def beat(self) -> None:
        """Look now. After a standstill or a new date, save all running clocks, with the date of their end.

        What was dated by a clock that nothing kept right, as on a machine without a battery until it has a
        network, gets the date that it should have had: else it would look as old as that clock was wrong.
        """
        runtime = self._runtime
        now, elapsed = runtime.now(), runtime.elapsed()
        step, lag = self._dates.look(now, elapsed, runtime.synchronised()), elapsed - runtime.served()
        stood_still, self._lag = lag > self._lag + BEAT, lag
        if step or stood_still:
            self._timers.again()
        if step:
            for reset in self.reset:
                reset()
            self.set_at = elapsed
            log.warning("the clock of this machine was set by %.0f seconds", step.by.total_seconds())
            if not step.sure and abs(step.by) >= FAR:
                self._wrong.append(step)
        while self._wrong:
            step = self._wrong[0]
            await self._upkeep.redate(step.begun, step.ended, step.by)
            self._wrong.pop(0)
