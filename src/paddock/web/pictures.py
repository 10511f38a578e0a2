"""The pictures of links: drawn in a worker process, one at a time, and kept while they show the same."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass
from pathlib import Path

from paddock.core.i18n import _, catalogues, language
from paddock.tables import Busy
from paddock.tables.tasks import background
from paddock.tables.workers import Visitor, Workers, visitor
from paddock.web.caches import Recent
from paddock.web.raster import Picture, png

KEPT = 64  # pictures of about 100 kB in memory
MOST = 8  # that wait
LONGEST_S = 60.0  # for one; half a second on an idle machine, and a second to start the process
PAINTER = Visitor(browser="pictures")  # asks the workers, so that visitors can do other long work meanwhile


@dataclass(frozen=True)
class _Key:
    picture: Picture
    language: str
    catalogues: Path


@dataclass
class _Order:
    """A picture that is being drawn or waits."""

    key: _Key
    done: asyncio.Future[bytes]


class Pictures:
    """Draws pictures in a worker process. Use it in one event loop only."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._kept: Recent[_Key, bytes] = Recent(KEPT)
        self._waiting: OrderedDict[Hashable, _Order] = OrderedDict()
        self._now: _Order | None = None  # being drawn

    async def png(self, place: Hashable, picture: Picture) -> bytes:
        """Return a picture as a PNG.

        ``place`` is what it belongs to, such as a table. Of the pictures that wait for one place only the
        latest is drawn, and everybody who waits gets that. Raises ``Busy``, and ``Stopped`` if the worker
        cannot finish.
        """
        key = _Key(picture, language.get(), catalogues.get())
        if kept := self._kept.get(key):
            return kept
        if self._now is not None and self._now.key == key:
            return await asyncio.shield(self._now.done)
        place = place, key.language, key.catalogues
        order = self._waiting.get(place)
        if order is not None:
            order.key = key
        elif len(self._waiting) >= MOST:
            raise Busy(_("the server has too much to do at the moment: try again in a minute"))
        else:
            order = self._waiting[place] = _Order(key, asyncio.get_running_loop().create_future())
            order.done.add_done_callback(lambda done: done.cancelled() or done.exception())
        if self._now is None:
            self._next()
        return await asyncio.shield(order.done)

    def _next(self) -> None:
        """Begin with the picture that has waited longest."""
        self._now = self._waiting.popitem(last=False)[1] if self._waiting else None
        if self._now is not None:
            background(self._draw(self._now), "picture")

    async def _draw(self, order: _Order) -> None:
        key = order.key
        visitor.set(PAINTER)
        language.set(key.language)
        catalogues.set(key.catalogues)
        try:
            data = await self._workers.wait(png, key.picture, longest=LONGEST_S)
        except Exception as error:
            order.done.set_exception(error)
        except BaseException:
            order.done.cancel()
            raise
        else:
            order.done.set_result(self._kept.keep(key, data))
        finally:
            self._next()
