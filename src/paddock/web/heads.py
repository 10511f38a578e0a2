"""HEAD, as monitors and link checkers ask: what GET answers, without the body, and without what GET does."""

from __future__ import annotations

import asyncio
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEAD = "paddock.head"  # in the scope of a request that was HEAD, and is answered as GET


def only_looks(scope: Scope) -> bool:
    """Whether a request is HEAD: by it nobody counts as present, and nothing as read."""
    return HEAD in scope


class Heads:
    """Answers HEAD at every address that answers GET, with the same checks and the same price.

    Nothing runs after the headers, so a stream does not begin. Cookies are not given: whoever asks for the
    headers has not chosen a language, or come in by a link.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self.app(scope, receive, send)
            return
        start: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

        async def begin(message: Message) -> None:
            if not start.done():
                start.set_result(message)
            await asyncio.Event().wait()  # for the end of the task: nobody takes a body

        scope = {**scope, "method": "GET", HEAD: True}
        answering: asyncio.Future[Any] = asyncio.ensure_future(self.app(scope, receive, begin))
        try:
            await asyncio.wait({answering, start}, return_when=asyncio.FIRST_COMPLETED)
            if answering.done():
                answering.result()  # an error, or a client that has left
                return
        finally:
            answering.cancel()
            await asyncio.wait({answering})
        headers = [header for header in start.result()["headers"] if header[0].lower() != b"set-cookie"]
        await send({**start.result(), "headers": headers})
        await send({"type": "http.response.body", "body": b""})
