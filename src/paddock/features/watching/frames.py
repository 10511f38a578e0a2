"""Where else a table is shown: in frames on other sites, if it may be, and on a TV."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from fastapi import Request

from paddock.core.i18n import _, mark
from paddock.tables import Forbidden, Table
from paddock.tables.change import Change
from paddock.tables.context import Context
from paddock.web.guard import holder
from paddock.web.links import link, whole
from paddock.web.model import Model

FRAME = 'width="720" height="480" loading="lazy"'


@dataclass(frozen=True)
class Frames:
    """What the pages of a table say about frames on other sites, and the page for a TV."""

    url: str
    allowed: bool
    code: str | None  # for other sites; None while the table does not allow it
    decides: bool  # whether this browser allows or forbids it
    tv_url: str = ""  # for who watches a game


def frames(request: Request, table: Table, model: Model) -> Frames | None:
    """Return what pages show about frames, if the server allows any site, and about TVs; None: nothing."""
    me = holder(request)
    watches = model.running and model.player is None and not table.players_of(me)
    tv_url = link(f"/t/{table.id}/tv") if watches else ""
    if not request.app.state.settings.embed:
        return Frames("", allowed=False, code=None, decides=False, tv_url=tv_url) if tv_url else None
    url = whole(request, f"/t/{table.id}/embed") + ("?step=0" if table.fully_visible else "")
    code = f'<iframe src="{escape(url)}" title="{escape(model.title.label)}" {FRAME}></iframe>'
    host = not table.kind.record and decides(table, me)
    return Frames(link(f"/t/{table.id}/embed"), model.embed, code if model.embed else None, host, tv_url)


def refusal(request: Request, model: Model) -> str | None:
    """Return why other sites cannot show the table; None if they can."""
    if not request.app.state.settings.embed:
        return _("This server does not let other sites show its tables.")
    return None if model.embed else _("The host of this table has not allowed other sites to show it.")


def decides(table: Table, holder: str | None) -> bool:
    """Whether this browser decides if other sites may show the table: the host's, else any player's."""
    return table.host == holder if table.host else bool(table.players_of(holder))


def allow_frames(table: Table, context: Context, holder: str, allowed: bool) -> Change[None]:
    """Say whether other sites may show the table in a frame, if the server allows any.

    That is for the host; at a table without one, for any of its players. Raises ``Forbidden``.
    """
    change = Change(table, context.now, None)
    if not decides(table, holder):
        raise Forbidden(_("only the host decides whether other sites may show this table"))
    if table.embed != allowed:
        change.table(embed=allowed)
        words = (
            mark("Other sites may now show this table."),
            mark("Other sites may no longer show this table."),
        )
        change.announce(words[not allowed])
        change.touch()
    return change
