"""What a server tells of a day that is over, with which anybody can check its cards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass as checked_dataclass

from paddock.bots.fair import Proof, Race, is_secret
from paddock.core.errors import PaddockError
from paddock.core.i18n import _
from paddock.features.daily.rules import Deal, is_day, said


@checked_dataclass(frozen=True)
class ToldRace(Deal):
    """A race of a day, as the server tells it."""

    par: int | None = None
    par_level: str | None = None


@checked_dataclass(frozen=True)
class ToldDay:
    """A day that is over, as the server tells it: ``GET /api/v1/daily/DAY``."""

    day: str
    commitment: str
    secret: str
    races: tuple[ToldRace, ...]


def read_day(told: Mapping[str, Any]) -> ToldDay:
    """Read a day as the server tells it; raise ``PaddockError`` if it is none, or is not over."""
    try:
        races = [{"day": told["day"], **_known(race)} for race in told["races"]]
        day = TypeAdapter(ToldDay).validate_python(
            {name: told[name] for name in ("day", "commitment", "secret")} | {"races": races}
        )
    except (ValueError, KeyError, TypeError, ValidationError):
        sentence = _("this is not about a day: give the answer of /api/v1/daily/DAY, for a day that is over")
        raise PaddockError(sentence) from None
    if not (is_day(day.day) and is_secret(day.secret)):
        raise PaddockError(_("the secret of this day is not public yet: it is shown when the day is over"))
    return day


def _known(race: Mapping[str, Any]) -> dict[str, Any]:
    names = "title", "revision", "options", "player", "level", "par", "par_level"
    return {name: race[name] for name in names}


def proof(told: Mapping[str, Any]) -> Proof | None:
    """Return what a server tells of a day as a proof; None if it is about something else.

    Raises ``PaddockError`` if the day is not over.
    """
    if "races" not in told:
        return None
    day = read_day(told)
    return Proof(day.day, day.commitment, day.secret, tuple(map(race_of, day.races)))


def race_of(deal: Deal) -> Race:
    """Return the race of a deal, to be checked."""
    name = said(deal.day, deal.title)
    return Race(name, deal.day, deal.title, deal.revision, deal.options, deal.level, deal.player)
