"""What the API says of a table: each answer is made once for all who see the same."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Annotated

from fastapi import Depends, Request
from starlette.datastructures import State
from starlette.responses import Response
from starlette.types import Scope

from paddock.core.i18n import _, language
from paddock.tables import Forbidden, Table, Tables
from paddock.tables.rights import watch
from paddock.web.api.telling import Telling
from paddock.web.caches import Current
from paddock.web.heads import only_looks
from paddock.web.model import Guest, Models, guest_of
from paddock.web.steps import prepare
from paddock.web.streams import News

SEATED = Guest()  # whoever has a seat asks for none


def at(table: Table, mine: Sequence[int], player: int | None) -> int | None:
    """Return the player whose view is shown; None for a spectator.

    That is the given ``player``, else one of yours who must decide, else your first. ``mine`` are your
    players. Raises ``Forbidden`` for a player who is not yours.
    """
    if player is None:
        awaited = [index for index in table.awaited() if index in mine]
        return next(iter(awaited or mine), None)
    if player not in mine:
        raise Forbidden(_("you do not hold that player"))
    return player


class Looking:
    """Returns tables as they are now, made once for all who see the same."""

    def __init__(self, state: State, scope: Scope) -> None:
        self._tables: Tables = state.tables
        self._only = only_looks(scope)
        self.models: Models = state.models
        self._telling: Telling = state.telling
        self._told: Current[tuple[object, ...], News] = state.told

    async def table(self, id: str, who: str | None, player: int | None = None, status: int = 200) -> Response:
        """Return a ``TableOut``. Whoever asks counts as present. Raises ``NoTable`` and ``Forbidden``."""
        if not self._only:
            await self._tables.timers.seen(id, who)
        news = await self.news(id, who, player)
        return Response(news.data, status, media_type="application/json")

    async def news(self, id: str, who: str | None, player: int | None = None) -> News:
        """Return a ``TableOut`` as it is now. Raises ``NoTable`` and ``Forbidden``."""
        table = await self._tables.table(id)
        watch(table, who)
        if table.fully_visible:
            await prepare(self.models, table, at(table, table.players_of(who), player), chat=True)
        mine = tuple(table.players_of(who))
        eyes, host = at(table, mine, player), who is not None and table.host == who
        guest = SEATED if mine else guest_of(table, who)

        def make() -> News:
            left, now = partial(self._tables.left, table), self._tables.runtime.now()
            return self._telling.of(table, self.models, eyes, mine, host, guest, left, now)

        return self._told.of(table, (id, eyes, mine, host, guest, language.get()), make)


async def looking(request: Request) -> Looking:
    """Return the view of this server's tables."""
    return Looking(request.app.state, request.scope)


Look = Annotated[Looking, Depends(looking)]
