"""The small boards of the page «Watch», each as a spectator sees it."""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass
from typing import Any

from fastapi import Request
from markupsafe import Markup

from paddock.core.i18n import _, language
from paddock.features.watching.service import Wall, Watching
from paddock.tables import Busy, Table, Tables, Unavailable
from paddock.web.lines import names_at, rounds
from paddock.web.links import link
from paddock.web.model import Model, Models, short_digest
from paddock.web.pages import Pages, joined, without_any_still
from paddock.web.present import status

log = logging.getLogger("paddock.watching")
_OWN = re.compile(r'(?<=\bid=")[^"]+')
_NAMED = re.compile(r'(\b(?:id|for|aria-labelledby|aria-controls)="|href="#|url\(#)([^")]+)(?=[")])')


@dataclass(frozen=True)
class SmallBoard:
    """A small board: what everybody sees of a live table."""

    id: str  # of its table
    title: str  # the name of its title
    html: Markup
    moved: str  # the same without the parts that rarely change, for a page that has them
    digest: str


def apart(html: str, name: str) -> str:
    """Return a part of a page whose ids end in ``name``, and so do its references to them.

    Several boards of one title stand on a page, and each drawing has the same ids. What a drawing takes from
    the symbols of the page keeps its name.
    """
    own = set(_OWN.findall(html))
    return _NAMED.sub(lambda found: f"{found[1]}{found[2]}-{name}" if found[2] in own else found[0], html)


def shown(table: Table, model: Model) -> dict[str, Any]:
    """Return what the template of a board gets."""
    return {
        "title": model.title,
        "seen": model.scene.seen,
        "view": model.scene.view,
        "status": status(model),
        "names": names_at(table),
        "facts": _(", ").join(rounds(table)),
        "table_url": link(f"/t/{table.id}"),
        "tv_url": link(f"/t/{table.id}/tv"),
    }


async def boards(request: Request) -> list[SmallBoard]:
    """Return the boards of the live tables. One that cannot be drawn takes no other one away."""
    tables: Tables = request.app.state.tables
    wall, drawn = tables.service(Watching).wall, []
    for table in await wall.live():
        try:
            drawn.append(await _board(request, wall, table))
        except (Busy, Unavailable):
            continue  # at the next look
        except Exception:
            log.exception("cannot draw the board of table %s", table.id)
            wall.leave_out(table.id)
    return drawn


async def _board(request: Request, wall: Wall, table: Table) -> SmallBoard:
    """Return the board of a table, made once for all who read the same language."""
    tables: Tables = request.app.state.tables
    # Models of a table that another server has are not kept: their cache sees changes in memory only.
    here = tables.registry.get(table.id) is not None
    models: Models = request.app.state.outside if here else Models()
    version = models.of(table, None).digest if here else table.version

    async def made() -> SmallBoard:
        pages: Pages = request.app.state.pages
        template = pages.environment.get_template("watching/_board.html")
        html = apart(await joined(template.generate(shown(table, models.of(table, None)))), table.id)
        return SmallBoard(
            table.id, table.title.name, Markup(html), without_any_still(html), short_digest(html)
        )

    board: SmallBoard = await wall.boards.get((table.id, version, language.get()), made)
    return board
