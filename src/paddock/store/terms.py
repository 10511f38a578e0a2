"""The terms of a table: what is chosen when it is made.

A term is declared here once: its name, type and default, its bounds, the type of its column if a text is
short, its words on pages, and what the API says of it. The schema, rows, tables in memory, models, the set-up
page, the lobby and the API take it from here. What else a new term needs: a migration, and the code that does
what it says.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, get_args, get_type_hints

from pydantic import Field
from sqlalchemy import String

from paddock.core.i18n import mark

PACES = ("human", "instant")


@dataclass(frozen=True)
class TermWords:
    """What pages say of a term: messages to translate."""

    label: str
    help: str
    # A value as forms write it → its words on the set-up page, and in the lobby if they are others there.
    # Without them, ``web/terms.py`` says what there is to choose
    values: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    of_bots: bool = False  # whether it is about bots, and so beside the options; the lobby does not show it


@dataclass(frozen=True)
class Terms:
    """What is chosen when a table is made, and stays the same in a rematch. The API keeps this order."""

    listed: Annotated[
        bool,
        TermWords(
            mark("This table"),
            mark("Private: only people with the link can find it. Listed: it is shown on the start page."),
            {
                "no": (mark("private"), mark("can be found only by its link")),
                "yes": (mark("listed"), mark("is listed on the start page")),
            },
        ),
        Field(description="Whether the table is public."),
    ] = False
    pace: Annotated[
        str,
        String(16),
        TermWords(
            mark("Bots answer"),
            mark("How fast they answer says nothing about their hands."),
            {"human": (mark("at a human pace"), ""), "instant": (mark("at once"), "")},
            of_bots=True,
        ),
        Field(pattern=f"^({'|'.join(PACES)})$", description="How fast its bots move."),
    ] = "human"
    clock: Annotated[
        str,
        String(32),
        TermWords(
            mark("Clock"),
            mark("Everybody’s time for all their decisions. When it runs out, a bot plays on."),
        ),
        Field(max_length=64, description="BANK+INCREMENT in seconds; empty: untimed.", examples=["600+10"]),
    ] = ""
    grace: Annotated[
        int,
        TermWords(
            mark("A bot stands in for whoever is away"),
            mark(
                "A bot plays while the table waits for somebody who has been away this long. They take over "
                "again when they return."
            ),
        ),
        Field(ge=0, le=30 * 86400, description="Seconds of absence after which a bot stands in; 0: never."),
    ] = 0
    fair: Annotated[
        bool,
        TermWords(
            mark("Fair cards"),
            mark(
                "All cards and dice follow from a secret whose hash you see before the start, so that "
                "anybody can check them afterwards. But whoever runs this server can know them ahead."
            ),
            {
                "no": (mark("drawn by the server"), ""),
                "yes": (mark("can be checked after the game"), ""),
            },
        ),
        Field(
            description="Whether all chance follows from a secret, whose hash is told in the lobby, and from "
            "a number of each browser. It needs a lobby."
        ),
    ] = False


HINTS = get_type_hints(Terms, include_extras=True)
TERM_WORDS = {
    name: next(one for one in get_args(hint) if isinstance(one, TermWords)) for name, hint in HINTS.items()
}
MOST: dict[str, int] = {  # the upper bounds of the numbers
    name: bound.le
    for name, hint in HINTS.items()
    for bound in get_args(hint)[-1].metadata
    if hasattr(bound, "le")
}
