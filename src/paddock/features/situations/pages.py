"""Moments that come again and again: on “My games”, and at a moment of a replay."""

from __future__ import annotations

from collections.abc import Sequence

from fastapi import Request

from paddock.core.title import titles
from paddock.features.situations import words
from paddock.features.situations.service import PlayerMoments, people_of
from paddock.features.situations.words import MomentLine
from paddock.tables import Table, Tables
from paddock.web.guard import holder
from paddock.web.steps import Step, in_thread


async def of_browser(request: Request) -> Sequence[MomentLine] | None:
    """Return what is said on “My games”; None if there is nothing."""
    browser, tables = holder(request), request.app.state.tables
    sums = await tables.service(PlayerMoments).of(browser) if browser else []
    return words.lines(sums, list(titles().values())) or None


async def of_step(request: Request, tables: Tables, table: Table, at: Step) -> MomentLine | None:
    """Return what is said of the moment that a replay shows; None for who has not played this seat."""
    browser, room = holder(request), table.title.situations
    own_players = set(table.players_of(browser)) & people_of(table)
    if room is None or browser is None or not own_players or at.over:
        return None
    (player,) = own_players
    kinds = await in_thread(table, kinds_at, table, player, at)
    if not kinds:
        return None
    sums = await tables.service(PlayerMoments).of(browser, table.title.name)
    return words.of_moment((kind for kind in sums if kind.kind in kinds), table.title)


def kinds_at(table: Table, player: int, at: Step) -> set[str]:
    """Return the kinds of the moment that a step shows, from what this player saw."""
    room, game = table.title.situations, table.at(at.stops[at.at])
    seen = game.seen(table.options.eyes(player))
    own_seats = set(table.seats_of(player)) & set(game.deciders)
    return {kind for seat in own_seats for kind in (room.choices(seen, seat) if room else ())}
