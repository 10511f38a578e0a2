"""What is stored of those who want to be called: how, where, and the messages that wait to be sent."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated

from sqlalchemy import ForeignKeyConstraint, Index, String, Table

from paddock.core.i18n import mark
from paddock.store.columns import columns
from paddock.store.rows import NEVER, Browser, Hash, Id, Word
from paddock.store.schema import COUNTED, DATED, metadata

PUSH = "push"  # the kind of a channel that is the subscription of a browser


@dataclass(frozen=True)
class ReachRow:
    """How a browser is called when it is its turn: see ``wishes.py``."""

    holder: Browser
    language: Word
    site: str  # the address of this server, as the browser knows it, without a slash at its end
    everywhere: bool = True  # whether it is called at all its tables, where ``wanted`` says nothing else
    zone: Annotated[str, String(64)] = "UTC"  # of its quiet hours, as in the time zone database
    quiet_from: int | None = None  # minutes after midnight; None: no quiet hours
    quiet_to: int | None = None
    remind: int = 3600  # seconds before a clock runs out; 0: never
    calendar: Hash | None = None  # of the secret in the link of its calendar
    kept_at: datetime = NEVER  # when this was said, or the browser or its calendar was used last: to a month


@dataclass(frozen=True)
class ChannelRow:
    """A way to reach a browser. Nothing is sent before ``confirmed_at``, but the question itself."""

    id: Id
    holder: Browser
    kind: Word  # of a way: see ``ways/``
    address: str = field(repr=False)
    made_at: datetime
    keys: str = field(default="", repr=False)  # of a push subscription: two, in base64, separated by a blank
    confirmed_at: datetime | None = None
    fault: str = ""  # a sentence: why the last message was given up
    failed_at: datetime | None = None


@dataclass(frozen=True)
class WantedRow:
    """Whether a browser is called at one table, whatever it said of all tables."""

    holder: Browser
    table_id: Id
    wanted: bool


@dataclass(frozen=True)
class AskedRow:
    """When an e-mail address was asked whether it agrees; a year ahead once it has stopped that."""

    address_hash: Hash
    at: datetime


@dataclass(frozen=True)
class OutboxRow:
    """A message that waits to be sent on one channel. It is due again when nobody has finished a claim."""

    channel_id: Id
    about: Annotated[str, String(64)]  # TABLE/DECISION, or the kind of a message about no table
    kind: Word  # "turn", "reminder", "test" or "confirm"
    holder: Browser  # who shall get it
    made_at: datetime
    due: datetime
    table_id: Id | None = None
    decision: int = 0
    tries: int = 0
    claim: Id | None = None  # who sends it just now


reach = Table(
    "reach",
    metadata,
    *columns(ReachRow, holder={"primary_key": True}),
    Index("ix_reach_calendar", "calendar"),
)

channels = Table(
    "channels",
    metadata,
    *columns(ChannelRow, id={"primary_key": True}),
    Index("ix_channels_holder", "holder"),
)

wanted = Table(
    "wanted",
    metadata,
    *columns(WantedRow, holder={"primary_key": True}, table_id={"primary_key": True}),
    ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_wanted_table_id", ondelete="CASCADE"),
    Index("ix_wanted_table_id", "table_id"),
)

asked_addresses = Table("asked", metadata, *columns(AskedRow, address_hash={"primary_key": True}))

# Messages to send; a row is written in the transaction of the move that it tells of.
outbox = Table(
    "outbox",
    metadata,
    *columns(
        OutboxRow,
        channel_id={"primary_key": True},
        about={"primary_key": True},
        kind={"primary_key": True},
    ),
    ForeignKeyConstraint(["channel_id"], ["channels.id"], name="fk_outbox_channel_id", ondelete="CASCADE"),
    ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_outbox_table_id", ondelete="CASCADE"),
    Index("ix_outbox_due", "due"),
    Index("ix_outbox_table_id", "table_id"),
)

channels.info.update({DATED: (channels.c.made_at,), COUNTED: mark("{n} ways to be notified")})
outbox.info.update({DATED: ((outbox.c.made_at, outbox.c.due),)})
