"""How players are called when it is their turn, and the messages that wait to be sent."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from paddock.store.sealed import new_secrets

revision = "0018"
down_revision = "0017"


def _moment() -> sa.DateTime:
    return sa.DateTime(timezone=True)


def _of_table(name: str, *, nullable: bool = False) -> tuple[sa.Column[str], sa.ForeignKeyConstraint]:
    key = sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=f"fk_{name}_table_id", ondelete="CASCADE")
    return sa.Column("table_id", sa.String(32), nullable=nullable), key


def upgrade() -> None:
    """Create the tables, and the secrets of this database."""
    op.create_table(
        "reach",
        sa.Column("holder", sa.String(64), nullable=False),
        sa.Column("language", sa.String(16), nullable=False),
        sa.Column("site", sa.Text, nullable=False),
        sa.Column("everywhere", sa.Boolean, nullable=False, server_default=sa.true()),
        sa.Column("zone", sa.String(64), nullable=False, server_default="UTC"),
        sa.Column("quiet_from", sa.Integer),
        sa.Column("quiet_to", sa.Integer),
        sa.Column("remind", sa.Integer, nullable=False, server_default="3600"),
        sa.Column("calendar", sa.String(64)),
        sa.PrimaryKeyConstraint("holder", name="pk_reach"),
    )
    op.create_index("ix_reach_calendar", "reach", ["calendar"])
    op.create_table(
        "channels",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("holder", sa.String(64), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("made_at", _moment(), nullable=False),
        sa.Column("keys", sa.Text, nullable=False, server_default=""),
        sa.Column("confirmed_at", _moment()),
        sa.Column("fault", sa.Text, nullable=False, server_default=""),
        sa.Column("failed_at", _moment()),
        sa.PrimaryKeyConstraint("id", name="pk_channels"),
    )
    op.create_index("ix_channels_holder", "channels", ["holder"])
    op.create_table(
        "wanted",
        sa.Column("holder", sa.String(64), nullable=False),
        *_of_table("wanted"),
        sa.Column("wanted", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("holder", "table_id", name="pk_wanted"),
    )
    op.create_index("ix_wanted_table_id", "wanted", ["table_id"])
    op.create_table(
        "outbox",
        sa.Column("channel_id", sa.String(32), nullable=False),
        sa.Column("about", sa.String(64), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("holder", sa.String(64), nullable=False),
        sa.Column("made_at", _moment(), nullable=False),
        sa.Column("due", _moment(), nullable=False),
        *_of_table("outbox", nullable=True),
        sa.Column("decision", sa.Integer, nullable=False, server_default="0"),
        sa.Column("tries", sa.Integer, nullable=False, server_default="0"),
        sa.Column("claim", sa.String(32)),
        sa.PrimaryKeyConstraint("channel_id", "about", "kind", name="pk_outbox"),
        sa.ForeignKeyConstraint(
            ["channel_id"], ["channels.id"], name="fk_outbox_channel_id", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_outbox_due", "outbox", ["due"])
    op.create_index("ix_outbox_table_id", "outbox", ["table_id"])
    op.create_table(
        "asked",
        sa.Column("address_hash", sa.String(64), nullable=False),
        sa.Column("at", _moment(), nullable=False),
        sa.PrimaryKeyConstraint("address_hash", name="pk_asked"),
    )
    sealed = op.create_table(
        "sealed",
        sa.Column("name", sa.String(16), nullable=False),
        sa.Column("secret", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_sealed"),
    )
    op.bulk_insert(sealed, [{"name": name, "secret": secret} for name, secret in new_secrets().items()])
