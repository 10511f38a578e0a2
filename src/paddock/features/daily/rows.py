"""What is stored of the race of the day: the days with their secrets, what is raced, and who has tried."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from sqlalchemy import ForeignKeyConstraint, Index, String, Table

from paddock.core.i18n import mark
from paddock.store.columns import columns
from paddock.store.kinds import Kind, Seal, known
from paddock.store.rows import Browser, Hash, Id, Name
from paddock.store.schema import metadata

# What a table of such a race is: an attempt; when the day is told, one that counts, and all others
DAILY = known(
    Kind(
        "daily",
        seal=Seal(
            watch=mark(
                "this is somebody’s attempt at the race of the day: others see it when the day is over"
            ),
            move=mark(
                "an attempt at the race of the day stays with its browser: to play on "
                "another device, link that device under “My games”"
            ),
            analyse=mark("others still play these cards: this can be analysed when the day is over"),
        ),
    )
)
RACED = known(Kind("raced"))
PRACTICE = known(Kind("practice"))


@dataclass(frozen=True)
class DayRow:
    """A day of the daily race."""

    day: Annotated[str, String(10)]  # 2026-11-26
    secret: Hash  # 256 random bits in hex: its cards follow from it; nobody may know it before it is told
    told: datetime | None = None  # since when everybody may know it: the day is over then, for good


@dataclass(frozen=True)
class DealRow:
    """What a title races on a day: see ``rules.py``."""

    day: Annotated[str, String(10)]
    title: Annotated[str, String(64)]
    revision: int  # of the title's rules
    options: str  # as in ``Options.text``
    player: int  # whom the people play
    level: Annotated[str, String(32)]  # of the bots
    par: int | None = None  # points of a strong bot in that seat; nobody may know them before the day ends
    par_level: Annotated[str, String(32)] | None = None  # of that bot


@dataclass(frozen=True)
class ParRow:
    """The par of such a race while it is measured. Like the par, it is secret until the day ends."""

    day: Annotated[str, String(10)]
    title: Annotated[str, String(64)]
    level: Annotated[str, String(32)]  # of the bot that plays for the people
    log: str  # of the race so far, as its server writes it
    owner: Id | None  # the server that measures it, if that one runs: see ``leases.py``


@dataclass(frozen=True)
class AttemptRow:
    """The attempt of a browser at a race of a day."""

    day: Annotated[str, String(10)]
    title: Annotated[str, String(64)]
    holder: Browser
    name: Name
    begun: datetime
    table_id: Id | None = None  # None: its table was deleted
    ended: datetime | None = None  # in time, so that it counts
    points: int | None = None
    place: int | None = None
    settled: bool = False  # the day was told before its race was over: it gets no result any more


@dataclass(frozen=True)
class RacedRow:
    """A browser that was forgotten has had its attempt at a race of a day that is not told yet."""

    day: Annotated[str, String(10)]
    title: Annotated[str, String(64)]
    mark: Hash  # of the browser, with the secret of the day: ``mark_of`` of ``store.py`` here


_KEY = {"primary_key": True}
daily_days = Table("daily_days", metadata, *columns(DayRow, day=_KEY))

daily_deals = Table(
    "daily_deals",
    metadata,
    *columns(DealRow, day=_KEY, title=_KEY),
    ForeignKeyConstraint(["day"], ["daily_days.day"]),
)

# Pars that are being measured; a row is deleted when its par is stored.
daily_pars = Table(
    "daily_pars",
    metadata,
    *columns(ParRow, day=_KEY, title=_KEY),
    ForeignKeyConstraint(["day", "title"], ["daily_deals.day", "daily_deals.title"]),
)

daily_attempts = Table(
    "daily_attempts",
    metadata,
    *columns(AttemptRow, day=_KEY, title=_KEY, holder=_KEY),
    ForeignKeyConstraint(["day", "title"], ["daily_deals.day", "daily_deals.title"]),
    ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_daily_attempts_table_id", ondelete="SET NULL"),
    Index("ix_daily_attempts_holder", "holder"),
    Index("ix_daily_attempts_table_id", "table_id"),
)

# Who has had an attempt and was forgotten; deleted when the day is told.
daily_raced = Table(
    "daily_raced",
    metadata,
    *columns(RacedRow, day=_KEY, title=_KEY, mark=_KEY),
    ForeignKeyConstraint(["day", "title"], ["daily_deals.day", "daily_deals.title"]),
)
