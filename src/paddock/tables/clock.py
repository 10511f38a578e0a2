"""Clocks: every player has a time bank, and gets an increment after each decision.

A clock runs while the table waits for its player and a server runs. ``TablePresence.saved`` is when the
decision was opened, or when the clocks were last saved, in the seconds that the server has run;
``Table.opened_at`` is the date of that, for those who want to know when a clock ends. Running clocks are
saved every few seconds. If the server dies, players get back the time since the last save. Downtime is not
charged, nor is time in which a server stood still. Clocks continue when a server starts, even at tables that
nobody is watching: see ``Tables.start_bots``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from paddock.core.errors import BadOption
from paddock.core.i18n import _
from paddock.tables.table import Table

SHORTEST, LONGEST = 10, 30 * 86400  # limits of the time on a clock, in seconds
MOST = 86400  # seconds in an increment
_CLOCK = re.compile(r"([0-9]{1,7})(?:\+([0-9]{1,5}))?")


@dataclass(frozen=True)
class Clock:
    """The initial time bank and the increment per decision, in seconds."""

    bank: int
    increment: int

    def __str__(self) -> str:
        return f"{self.bank}+{self.increment}"


def read(text: str) -> Clock | None:
    """Parse ``600+10`` or ``600``; return None (untimed) for an empty text. Raises ``BadOption``."""
    if not text:
        return None
    match = _CLOCK.fullmatch(text)
    clock = Clock(int(match[1]), int(match[2] or 0)) if match else None
    if clock is None or not SHORTEST <= clock.bank <= LONGEST or clock.increment > MOST:
        raise BadOption(
            [
                _("clock={clock}: write BANK+INCREMENT in seconds, as in 600+10, or nothing").format(
                    clock=text[:32]
                )
            ],
            said=[("", _("choose a clock of the list"))],
        )
    return clock


def full(text: str) -> int | None:
    """Return the initial bank in milliseconds; None if the table is untimed."""
    clock = read(text)
    return clock.bank * 1000 if clock else None


def ticking(table: Table, player: int) -> bool:
    """Whether the player's clock is running: a person must decide, and no bot stands in."""
    who = table.players[player]
    return who.bank_ms is not None and who.person and not who.stand_in and player in table.awaited()


def left(table: Table, player: int, spent: int) -> int | None:
    """Return the milliseconds that the player has left, at least 0; None if the table is untimed.

    ``spent`` is that of the ``Context``.
    """
    bank = table.players[player].bank_ms
    return max(0, bank - spent) if bank is not None and ticking(table, player) else bank


def charged(table: Table, spent: int) -> dict[int, int]:
    """Return the milliseconds left for every player whose clock is running."""
    return {
        who.index: bank_left
        for who in table.players
        if ticking(table, who.index) and (bank_left := left(table, who.index, spent)) is not None
    }


def answered(table: Table, player: int, spent: int) -> int | None:
    """Return the bank after the player's decision, with the increment, in milliseconds; None if untimed."""
    bank_left, clock = left(table, player, spent), read(table.terms.clock)
    return None if bank_left is None or clock is None else bank_left + clock.increment * 1000


def rhythm(table: Table) -> float:
    """Return the seconds between two saves of running clocks: a hundredth of the bank."""
    clock = read(table.terms.clock)
    return min(600.0, max(10.0, clock.bank / 100)) if clock else 600.0
