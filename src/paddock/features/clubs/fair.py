"""The cards of an evening: how they follow from its secret, and what a server tells of it when it is over."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass as checked_dataclass

from paddock.bots.fair import Proof, Race, check_mixed, is_secret
from paddock.core.errors import PaddockError
from paddock.core.i18n import _, pgettext

MOST = 999  # deals: whoever checks a file need not trust it


def name_of(evening: str, deal: int) -> str:
    """Return the name of a deal, without the numbers of browsers."""
    return f"paddock evening 1 {evening} {deal}"


def said(evening: str, deal: int, mixed: str) -> str:
    """Return the name of a deal, from which its key follows by the secret of the evening."""
    return f"{name_of(evening, deal)} {mixed}"


@checked_dataclass(frozen=True)
class ToldEntrant:
    """Somebody who has played."""

    number: int
    lot: str


@checked_dataclass(frozen=True)
class ToldEvening:
    """An evening that is over, as the server tells it: ``GET /api/v1/evenings/EVENING``."""

    id: str
    title: str
    revision: int
    options: str
    level: str
    deal: Annotated[int, Field(ge=0, le=MOST)]  # that was the last
    commitment: str
    secret: str
    mixed: str
    entrants: tuple[ToldEntrant, ...]


def proof(told: Mapping[str, Any]) -> Proof | None:
    """Return what a server tells of an evening as a proof; None if it is about something else.

    Raises ``PaddockError`` if the evening is not over, or if the numbers of its browsers are not those that
    were mixed in.
    """
    if "entrants" not in told:
        return None
    try:
        evening = TypeAdapter(ToldEvening).validate_python(dict(told))
    except ValidationError:
        evening = None
    if evening is None or not is_secret(evening.secret):
        words = _("this is not about an evening that is over: give the answer of /api/v1/evenings/EVENING")
        raise PaddockError(words)
    check_mixed({entrant.number: entrant.lot for entrant in evening.entrants}, evening.mixed)
    races = (
        Race(
            said(evening.id, deal, evening.mixed),
            pgettext("of an evening", "deal {n}").format(n=deal),
            evening.title,
            evening.revision,
            evening.options,
            evening.level,
        )
        for deal in range(1, evening.deal + 1)
    )
    return Proof(evening.id, evening.commitment, evening.secret, tuple(races))
