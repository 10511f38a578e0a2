"""The terms of a table: what is chosen when it is made.

A term is declared here once: its name, type and default, its bounds, the type of its column if a text is
short, and what the API says of it. The schema, rows, tables in memory, models, forms and the API take it from
here. What else a new term needs: a migration, its control in ``setup.html``, its words in ``web/people.py``,
and the code that does what it says.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, get_args, get_type_hints

from pydantic import Field
from sqlalchemy import String

PACES = ("human", "instant")


@dataclass(frozen=True)
class Terms:
    """What is chosen when a table is made, and stays the same in a rematch. The API keeps this order."""

    listed: Annotated[bool, Field(description="Whether the table is public.")] = False
    pace: Annotated[
        str, String(16), Field(pattern=f"^({'|'.join(PACES)})$", description="How fast its bots move.")
    ] = "human"
    clock: Annotated[
        str,
        String(32),
        Field(max_length=64, description="BANK+INCREMENT in seconds; empty: untimed.", examples=["600+10"]),
    ] = ""
    grace: Annotated[
        int,
        Field(ge=0, le=30 * 86400, description="Seconds of absence after which a bot stands in; 0: never."),
    ] = 0


HINTS = get_type_hints(Terms, include_extras=True)
MOST: dict[str, int] = {  # the upper bounds of the numbers
    name: bound.le
    for name, hint in HINTS.items()
    for bound in get_args(hint)[-1].metadata
    if hasattr(bound, "le")
}
