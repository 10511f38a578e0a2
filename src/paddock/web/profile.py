"""What a browser is called at the next table: a name, and the number of a car with its colour.

Both are in cookies: the server knows them only while it answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote, unquote

from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from paddock.core.i18n import _, mark
from paddock.tables.make import clean
from paddock.web.cookies import NAME, NUMBER, drop, keep

# The racing colours of the numbers; A style sheet paints them.
COLOURS: Sequence[str] = (
    mark("red"),
    mark("silver"),
    mark("green"),
    mark("papaya"),
    mark("blue"),
    mark("white"),
    mark("yellow"),
    mark("black"),
    mark("sky blue"),
    mark("burgundy"),
    mark("plum"),
    mark("sand"),
)
NUMBERS = len(COLOURS)  # the numbers to choose from


@dataclass(frozen=True)
class Profile:
    """What a browser is called; an empty name and the number 0 mean that it has not said."""

    name: str = ""
    number: int = 0

    @property
    def colour(self) -> str:
        """The colour of the number, in words."""
        return _(COLOURS[self.number - 1]) if self.number else ""


def profile_of(request: HTTPConnection) -> Profile:
    """Return what the browser of a request is called."""
    name = clean(unquote(request.cookies.get(NAME, "")))
    return Profile(name, number_of(request.cookies.get(NUMBER, "")))


def number_of(text: str) -> int:
    """Return the number in a text; 0 if there is none."""
    known = text.isascii() and text.isdigit() and len(text) < 3 and 1 <= int(text) <= NUMBERS
    return int(text) if known else 0


def remember_profile(request: Request, response: Response, profile: Profile) -> None:
    """Set the cookies; what is empty is forgotten."""
    for cookie, value in ((NAME, quote(profile.name)), (NUMBER, str(profile.number or ""))):
        if value:
            keep(request, response, cookie, value)
        else:
            drop(response, cookie)
