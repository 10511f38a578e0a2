"""What the server counts: its answers, and the seconds that they took."""

from __future__ import annotations

import time
from collections import Counter

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from paddock.web.links import place
from paddock.web.prices import Prices


def part(path: str) -> str:
    """Return which part of the server a path belongs to; never more than these few words."""
    first = path.split("/", 2)[1] if path.startswith("/") else ""
    return first if first in ("api", "static", "t", "admin", "metrics") else "pages"


class Counts:
    """The answers of the server, and the seconds that they took. Streams count when they begin."""

    def __init__(self) -> None:
        self.answers: Counter[tuple[str, str]] = Counter()  # by part and status
        self.seconds: Counter[str] = Counter()

    def took(self, what: str, seconds: float) -> None:
        """Add the seconds of an answer."""
        self.seconds[what] += seconds  # type: ignore[assignment]  # no integers


class Meter:
    """Counts the answers of the server."""

    def __init__(self, app: ASGIApp, counts: Counts, prices: Prices) -> None:
        self.app = app
        self.counts = counts
        self.prices = prices

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begun = time.perf_counter()
        what = "streams" if self.prices.of(scope).stream else part(place(scope))

        async def counted(message: Message) -> None:
            if message["type"] == "http.response.start":
                self.counts.answers[what, str(message["status"])] += 1
            await send(message)

        try:
            await self.app(scope, receive, counted)
        finally:
            if what != "streams":
                self.counts.took(what, time.perf_counter() - begun)
