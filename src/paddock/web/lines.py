"""Tables as lines of a list: those of a browser, and those of others that everybody may find."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from fastapi import Request

from paddock.core.i18n import _, pgettext, plural
from paddock.tables import Table, Tables
from paddock.tables.restore import CLOSED
from paddock.web.feature import Feature, named
from paddock.web.links import link


@dataclass(frozen=True, kw_only=True)
class ListedTable:
    """A table in a list: a link, and what is said of it."""

    url: str
    title: str  # the label of its title
    names: str
    facts: str
    status: str


@dataclass(frozen=True)
class LobbyLine:
    """A lobby that everybody may find."""

    url: str
    name: str
    status: str


async def due(request: Request, browser: str | None) -> list[tuple[Table, datetime]]:
    """Return the games that await a browser, and since when: read once for a page, whose bar counts them."""
    if browser is None:
        return []
    tables: Tables = request.app.state.tables
    if not hasattr(request.state, "due"):
        request.state.due = await tables.waiting(browser)
    games: list[tuple[Table, datetime]] = request.state.due
    return games


def mine(
    table: Table, me: str | None, now: datetime, features: Sequence[Feature], waited: str = ""
) -> ListedTable:
    """Return a line of «your tables»; ``waited`` says for how long it has been this browser's turn."""
    title, seats = table.title, table.players_of(me)
    what = _(table.kind.label) if table.kind.label else named(features, table, now)
    others = [player.name for player in table.players if player.index not in seats and player.name]
    facts = [what]
    if table.running:
        facts += rounds(table)
        if len(seats) == 1:
            facts += title.page.standing(table.view(None), seats[0])
    if table.game.over or table.fully_visible:
        status = pgettext("status of a table", "finished")
    elif table.fault is CLOSED:
        status = pgettext("status of a table", "closed")
    elif table.abandoned:
        status = pgettext("status of a table", "abandoned")
    elif table.phase == "lobby":
        status = _("in the lobby")
    elif set(table.awaited()) & set(seats):
        status = _("your turn for {time}").format(time=waited) if waited else _("your turn")
    else:
        status = pgettext("status of a table", "running")
    return ListedTable(
        url=link(f"/t/{table.id}"),
        title=title.label,
        names=_("with {names}").format(names=_(", ").join(others)) if others else "",
        facts=_(", ").join(filter(None, facts)),
        status=status,
    )


def rounds(table: Table) -> list[str]:
    """Return how far a running game is, if it has several rounds."""
    count = table.options.rounds
    n = min(len(table.game.rounds) + 1, count)
    words = _("{word} {n} of {of}")
    return [words.format(word=_(table.title.round_name), n=n, of=count)] if count > 1 else []


def lobby(table: Table) -> LobbyLine:
    """Return a line of the public lobbies."""
    free = sum(p.bot is None and p.holder is None for p in table.players)
    words = [plural("{n} open seat", "{n} open seats", free), _("in the lobby")]
    return LobbyLine(link(f"/t/{table.id}"), _called(table), _(", ").join(words))


def _called(table: Table) -> str:
    return _("{title} with {names}").format(title=table.title.label, names=names_at(table))


def names_at(table: Table) -> str:
    """Return the names of all who play at a table."""
    return _(", ").join(p.name for p in table.players if p.bot or p.holder)
