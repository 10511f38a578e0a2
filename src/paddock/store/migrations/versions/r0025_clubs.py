"""Clubs and their evenings: who organises them, who plays, what was dealt, and what came of it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "clubs",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("made", sa.DateTime(timezone=True), nullable=False),
        sa.Column("shown", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("key", sa.Integer, nullable=False, server_default="0"),
        sa.PrimaryKeyConstraint("id", name="pk_clubs"),
    )
    op.create_table(
        "club_organisers",
        sa.Column("of", sa.String(32), nullable=False),
        sa.Column("holder", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("of", "holder", name="pk_club_organisers"),
    )
    op.create_index("ix_club_organisers_holder", "club_organisers", ["holder"])
    op.create_table(
        "evenings",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("title", sa.String(64), nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("level", sa.String(32), nullable=False),
        sa.Column("deals", sa.Integer, nullable=False),
        sa.Column("style", sa.String(16), nullable=False),
        sa.Column("system", sa.String(16), nullable=False),
        sa.Column("clock", sa.String(32), nullable=False),
        sa.Column("minutes", sa.Integer, nullable=False),
        sa.Column("pause", sa.Integer, nullable=False),
        sa.Column("pace", sa.String(16), nullable=False),
        sa.Column("secret", sa.String(64), nullable=False),
        sa.Column("made", sa.DateTime(timezone=True), nullable=False),
        sa.Column("club", sa.String(32)),
        sa.Column("planned", sa.DateTime(timezone=True)),
        sa.Column("guests", sa.Text, nullable=False, server_default=""),
        sa.Column("phase", sa.String(16), nullable=False, server_default="joining"),
        sa.Column("deal", sa.Integer, nullable=False, server_default="0"),
        sa.Column("resting", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("next_at", sa.DateTime(timezone=True)),
        sa.Column("began", sa.DateTime(timezone=True)),
        sa.Column("ended", sa.DateTime(timezone=True)),
        sa.Column("mixed", sa.String(64)),
        sa.Column("key", sa.Integer, nullable=False, server_default="0"),
        sa.PrimaryKeyConstraint("id", name="pk_evenings"),
        sa.ForeignKeyConstraint(["club"], ["clubs.id"], name="fk_evenings_club", ondelete="SET NULL"),
    )
    op.create_index("ix_evenings_club", "evenings", ["club"])
    op.create_index("ix_evenings_phase", "evenings", ["phase"])
    op.create_table(
        "evening_entrants",
        sa.Column("evening", sa.String(32), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("holder", sa.String(64)),
        sa.Column("lot", sa.String(64), nullable=False),
        sa.Column("came", sa.DateTime(timezone=True), nullable=False),
        sa.Column("gone", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.PrimaryKeyConstraint("evening", "number", name="pk_evening_entrants"),
        sa.ForeignKeyConstraint(
            ["evening"], ["evenings.id"], name="fk_evening_entrants_evening", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_evening_entrants_holder", "evening_entrants", ["holder"])
    op.create_index("ix_evening_entrants_once", "evening_entrants", ["evening", "holder"], unique=True)
    op.create_table(
        "evening_tables",
        sa.Column("evening", sa.String(32), nullable=False),
        sa.Column("deal", sa.Integer, nullable=False),
        sa.Column("table", sa.Integer, nullable=False),
        sa.Column("level", sa.String(32), nullable=False),
        sa.Column("made", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("table_id", sa.String(32)),
        sa.Column("alone", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("over", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("entries", sa.Integer, nullable=False, server_default="0"),
        sa.PrimaryKeyConstraint("evening", "deal", "table", name="pk_evening_tables"),
        sa.ForeignKeyConstraint(
            ["table_id"], ["tables.id"], name="fk_evening_tables_table_id", ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["evening"], ["evenings.id"], name="fk_evening_tables_evening", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_evening_tables_table_id", "evening_tables", ["table_id"])
    op.create_table(
        "evening_seats",
        sa.Column("evening", sa.String(32), nullable=False),
        sa.Column("deal", sa.Integer, nullable=False),
        sa.Column("table", sa.Integer, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("entrant", sa.Integer),
        sa.Column("points", sa.Integer),
        sa.Column("bot_from", sa.Integer),
        sa.PrimaryKeyConstraint("evening", "deal", "table", "seat", name="pk_evening_seats"),
        sa.ForeignKeyConstraint(
            ["evening", "deal", "table"],
            ["evening_tables.evening", "evening_tables.deal", "evening_tables.table"],
            name="fk_evening_seats_table",
            ondelete="CASCADE",
        ),
    )
