"""Stores data that options refer to by digest, such as a user's map. Equal data is stored once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import Connection, select

from paddock.core.i18n import _
from paddock.store.errors import StoreError
from paddock.store.inserting import insert_into
from paddock.store.schema import data


def keep(connection: Connection, words: Mapping[str, str]) -> None:
    """Insert words by digest, unless they are stored already."""
    if not words:
        return
    rows = [{"digest": digest, "text": word} for digest, word in sorted(words.items())]
    connection.execute(insert_into(connection, data).on_conflict_do_nothing(), rows)
    if find(connection, list(words)) != words:
        raise StoreError(_("another file with the same digest is already stored: change a character"))


def find(connection: Connection, digests: Sequence[str]) -> dict[str, str]:
    """Return the words of these digests; unknown digests are left out."""
    if not digests:
        return {}
    rows = connection.execute(select(data.c.digest, data.c.text).where(data.c.digest.in_(digests)))
    return {row.digest: row.text for row in rows}
