"""The live tables on the home page: everybody may watch them."""

from __future__ import annotations

from fastapi import Request

from paddock.core.i18n import _, plural
from paddock.features.watching.service import Watching
from paddock.tables import Table, Tables
from paddock.web.guard import holder
from paddock.web.lines import ListedTable, names_at, rounds
from paddock.web.links import link


async def shown(request: Request) -> list[ListedTable]:
    """Return the lines of the public games with a board at which others play."""
    tables: Tables = request.app.state.tables
    service = tables.service(Watching)
    live = [table for table in await service.wall.live() if not table.players_of(holder(request))]
    watching = await service.of(live)
    return [_line(table, watching.get(table.id, 0)) for table in live]


def _line(table: Table, watching: int) -> ListedTable:
    """Return a line of the public games to watch, as a spectator sees them."""
    free = sum(p.bot is None and p.holder is None for p in table.players)
    facts = [*rounds(table), table.title.text.status(table.seen(None))]
    facts += [plural("{n} open seat", "{n} open seats", free)] if free else []
    if watching:
        facts.append(plural("{n} person is watching", "{n} people are watching", watching))
    return ListedTable(
        url=link(f"/t/{table.id}"),
        title=table.title.label,
        names=_("with {names}").format(names=names_at(table)),
        facts=_(", ").join(facts[:-1] if watching else facts),
        status=facts[-1] if watching else _("running: you can watch"),
    )
