"""What is stored of clubs and evenings: who organises them, who plays, what was dealt, what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from sqlalchemy import ForeignKeyConstraint, Index, String, Table

from paddock.core.i18n import mark
from paddock.store.columns import columns
from paddock.store.kinds import Kind, Seal, known
from paddock.store.rows import Browser, Hash, Id, Name, Word
from paddock.store.schema import metadata

# A table of an evening while others may still play its cards, and afterwards
PLAYED = known(
    Kind(
        "evening",
        race=True,
        seal=Seal(
            watch=mark("others still play these cards: this table opens when all have played them"),
            move=mark(
                "a seat of an evening stays with its browser: to play on another device, link that device "
                "under “My games”"
            ),
            analyse=mark("others still play these cards: this can be analysed when all have played them"),
        ),
    )
)
OPENED = known(Kind("duplicate", race=True))

JOINING, RUNNING, OVER = "joining", "running", "over"  # the phases of an evening
LIVE, DAYS = "live", "days"  # how it is played
ROBIN, SWISS = "robin", "swiss"  # who meets whom


@dataclass(frozen=True)
class ClubRow:
    """A club."""

    id: Id  # who knows it finds its home
    name: Name
    made: datetime
    shown: bool = False  # whether search engines may list its pages
    key: int = 0  # counts the links for organisers: only the last one is good
    colours: Word = ""  # of its pennant, see ``pennant.py``; empty: those of its name


@dataclass(frozen=True)
class RacerRow:
    """A browser that shows its races of the day to the club where it plays."""

    club: Id
    holder: Browser


@dataclass(frozen=True)
class OrganiserRow:
    """A browser that organises a club, or an evening without one."""

    of: Id  # of the club or the evening
    holder: Browser


@dataclass(frozen=True)
class EveningRow:
    """An evening: some deals that every table plays."""

    id: Id  # who knows it can join
    name: Name
    title: Annotated[str, String(64)]
    revision: int  # of the title's rules
    options: str  # as in ``Options.text``
    level: Annotated[str, String(32)]  # of the bots
    deals: int
    style: Word  # LIVE or DAYS
    system: Word  # ROBIN or SWISS
    clock: Annotated[str, String(32)]  # of its tables
    minutes: int  # that a deal may take, or with DAYS hours for all of them; 0: any time
    pause: int  # seconds between two deals
    pace: Word  # of its bots: see ``Terms``
    secret: Hash  # 256 random bits in hex: all chance follows from it; nobody may know it before the end
    made: datetime
    club: Id | None = None
    planned: datetime | None = None  # when it shall begin
    guests: str = ""  # the names that may come, a line each; empty: everybody with the link
    phase: Word = JOINING
    deal: int = 0  # that is played, or was last, from 1
    resting: bool = False  # whether its tables are over, and the next deal waits
    next_at: datetime | None = None  # when the next thing is due: the end of a deal, or the next deal
    began: datetime | None = None
    ended: datetime | None = None  # since when everybody may know the secret
    mixed: Hash | None = None  # the hash of the numbers of those who were there at the start
    key: int = 0  # as in ``ClubRow``

    @property
    def called_off(self) -> bool:
        """Whether it ended before it began."""
        return self.phase == OVER and self.mixed is None


@dataclass(frozen=True)
class EntrantRow:
    """Somebody who plays at an evening."""

    evening: Id
    number: int  # from 1, in the order in which they came
    name: Name
    holder: Browser | None
    lot: Hash  # the number of their browser that is mixed with the secret; empty if it came later
    came: datetime
    gone: bool = False  # they play no further deals
    barred: bool = False  # they cannot come back by themselves


@dataclass(frozen=True)
class DealtRow:
    """A table that plays a deal of an evening."""

    evening: Id
    deal: int
    table: int  # from 0
    level: Annotated[str, String(32)]  # of its bots
    made: bool = False
    table_id: Id | None = None  # None: it is not made, was deleted, or nobody but bots plays
    alone: bool = False  # only bots play, to complete the field
    over: bool = False
    entries: int = 0  # of its log, when it was over


@dataclass(frozen=True)
class SeatRow:
    """A seat of such a table, and what came of it."""

    evening: Id
    deal: int
    table: int
    seat: int  # the player, from 0
    entrant: int | None = None  # None: a bot
    points: int | None = None  # None: the game is not over
    bot_from: int | None = None  # after how many entries of the log a bot first played on; None: it did not
    asked: int | None = None  # then: decisions in which there was a choice, see ``paddock.tables.played``
    own: int | None = None  # and those of them that the entrant made; both None: not counted


_KEY = {"primary_key": True}
_NUMBER = {"primary_key": True, "autoincrement": False}
clubs = Table("clubs", metadata, *columns(ClubRow, id=_KEY))

club_organisers = Table(
    "club_organisers",
    metadata,
    *columns(OrganiserRow, of=_KEY, holder=_KEY),
    Index("ix_club_organisers_holder", "holder"),
)

club_racers = Table(
    "club_racers",
    metadata,
    *columns(RacerRow, club=_KEY, holder=_KEY),
    ForeignKeyConstraint(["club"], ["clubs.id"], name="fk_club_racers_club", ondelete="CASCADE"),
    Index("ix_club_racers_holder", "holder"),
)

evenings = Table(
    "evenings",
    metadata,
    *columns(EveningRow, id=_KEY),
    ForeignKeyConstraint(["club"], ["clubs.id"], name="fk_evenings_club", ondelete="SET NULL"),
    Index("ix_evenings_club", "club"),
    Index("ix_evenings_phase", "phase"),
)

evening_entrants = Table(
    "evening_entrants",
    metadata,
    *columns(EntrantRow, evening=_KEY, number=_NUMBER),
    ForeignKeyConstraint(
        ["evening"], ["evenings.id"], name="fk_evening_entrants_evening", ondelete="CASCADE"
    ),
    Index("ix_evening_entrants_holder", "holder"),
    Index("ix_evening_entrants_once", "evening", "holder", unique=True),
)

evening_tables = Table(
    "evening_tables",
    metadata,
    *columns(DealtRow, evening=_KEY, deal=_NUMBER, table=_NUMBER),
    ForeignKeyConstraint(["evening"], ["evenings.id"], name="fk_evening_tables_evening", ondelete="CASCADE"),
    ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_evening_tables_table_id", ondelete="SET NULL"),
    Index("ix_evening_tables_table_id", "table_id"),
)

evening_seats = Table(
    "evening_seats",
    metadata,
    *columns(SeatRow, evening=_KEY, deal=_NUMBER, table=_NUMBER, seat=_NUMBER),
    ForeignKeyConstraint(
        ["evening", "deal", "table"],
        ["evening_tables.evening", "evening_tables.deal", "evening_tables.table"],
        name="fk_evening_seats_table",
        ondelete="CASCADE",
    ),
)
