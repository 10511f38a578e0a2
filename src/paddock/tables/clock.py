"""Clocks: a bank of time for every player, and an increment after each of their decisions.

Only those who are awaited are charged, from ``Table.opened_at`` on: when the decision was opened, or
when the clocks were last written down. While they run they are written down every few seconds, so
that what runs while a server dies is lost for no more than that, and always to the good of those
awaited; its downtime costs nobody anything. They run on from the moment that a server starts, also
at tables that nobody looks at: see ``Tables.start_bots``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

from paddock.core.errors import BadOption
from paddock.core.i18n import _
from paddock.tables.table import Table

SHORTEST, LONGEST = 10, 30 * 86400  # seconds of a bank
MOST = 86400  # seconds of an increment
_CLOCK = re.compile(r"([0-9]{1,7})(?:\+([0-9]{1,5}))?")


@dataclass(frozen=True)
class Clock:
    """What everybody begins with, and what each own decision adds; in seconds."""

    bank: int
    increment: int

    def __str__(self) -> str:
        return f"{self.bank}+{self.increment}"


def read(text: str) -> Clock | None:
    """The clock of ``600+10`` or ``600``; None for an empty text, untimed. Raises ``BadOption``."""
    if not text:
        return None
    found = _CLOCK.fullmatch(text)
    clock = Clock(int(found[1]), int(found[2] or 0)) if found else None
    if clock is None or not SHORTEST <= clock.bank <= LONGEST or clock.increment > MOST:
        raise BadOption(
            [
                _("clock={clock}: write BANK+INCREMENT in seconds, as in 600+10, or nothing").format(
                    clock=text[:32]
                )
            ]
        )
    return clock


def full(text: str) -> int | None:
    """The milliseconds that a player begins with; None where the table is untimed."""
    clock = read(text)
    return clock.bank * 1000 if clock else None


def ticking(table: Table, player: int) -> bool:
    """Whether the player's clock runs: a person is awaited, and no bot stands in."""
    who = table.players[player]
    return who.bank_ms is not None and who.person and not who.stand_in and player in table.awaited()


def left(table: Table, player: int, now: datetime) -> int | None:
    """The milliseconds that the player has left, never below 0; None where the table is untimed."""
    bank = table.players[player].bank_ms
    if bank is None or table.opened_at is None or not ticking(table, player):
        return bank
    spent = max(now - table.opened_at, timedelta())  # the system's clock may have been set back
    return max(0, bank - spent // timedelta(milliseconds=1))


def charged(table: Table, now: datetime) -> dict[int, int]:
    """What is left now to everybody whose clock runs."""
    return {
        who.index: rest
        for who in table.players
        if ticking(table, who.index) and (rest := left(table, who.index, now)) is not None
    }


def answered(table: Table, player: int, now: datetime) -> int | None:
    """What the player has once this decision is answered, the increment included; None: untimed."""
    rest, clock = left(table, player, now), read(table.clock)
    return None if rest is None or clock is None else rest + clock.increment * 1000


def rhythm(table: Table) -> float:
    """Seconds between two times that running clocks are written down: a hundredth of the bank."""
    clock = read(table.clock)
    return min(600.0, max(10.0, clock.bank / 100)) if clock else 600.0
