"""``paddock admin situations``: counts the moments of finished games."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer

from paddock.core.errors import PaddockError
from paddock.core.i18n import _, plural
from paddock.features import operated
from paddock.terminal.output import aside, out

admin = typer.Typer()


@admin.command()
def situations(
    most: Annotated[
        int | None, typer.Option(min=1, help="At most this many games, the oldest first.")
    ] = None,
) -> None:
    """Count the moments of finished games that players meet again and again, and ask the strongest bot.

    Games that are counted already are left out, so run it every night.
    """
    url = operated().database_url
    games, moments, refused = asyncio.run(count_games(url, most))
    words = plural("{n} game counted", "{n} games counted", games)
    out.print(
        _("{games}, with {moments}").format(games=words, moments=plural("{n} moment", "{n} moments", moments))
    )
    if refused:
        raise typer.Exit(1)


async def count_games(url: str | None, most: int | None) -> tuple[int, int, int]:
    """Count the moments of games; return how many games, moments, and games that cannot be counted."""
    from paddock.bots import BotPool
    from paddock.core.title import titles
    from paddock.features import FEATURES
    from paddock.features.situations.service import PlayerMoments
    from paddock.store import Store
    from paddock.tables import Tables

    store = await Store.open(url, migrate=False)
    tables = Tables(store, BotPool(), services=[feature.service for feature in FEATURES if feature.service])
    try:
        service, games, moments, refused = tables.service(PlayerMoments), 0, 0, 0
        names = [name for name, title in titles().items() if title.situations]
        for id in (await service.uncounted(names))[:most]:
            try:
                moments += await service.count(id)
                games += 1
            except PaddockError as error:
                refused += 1
                aside.print(_("game {id} is not counted: {reason}").format(id=id, reason=str(error)))
        return games, moments, refused
    finally:
        await tables.close()
        await store.close()
