"""The file with the games of a browser: what it contains, and how one is read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal, TypeVar

from pydantic import (
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
)
from pydantic_core import to_json

from paddock.core.errors import BadOption
from paddock.core.i18n import _
from paddock.tables.make import LONGEST_NAME, clean
from paddock.web.profile import NUMBERS

MOST_BYTES = 300_000  # of them that are stored for one browser
MOST = 1000  # games of one browser that are read, and that a file may have
Place = Annotated[int, Field(ge=0, le=99)]
Count = Annotated[int, Field(ge=0, le=10**6)]
Word = Annotated[str, StringConstraints(pattern=r"^[a-z0-9_]{1,64}$")]


def _cleaned(value: object) -> object:
    return clean(value[: 4 * LONGEST_NAME]) if isinstance(value, str) else value


Name = Annotated[str, BeforeValidator(_cleaned)]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


P = TypeVar("P", bound=_Part)


class Rival(_Part):
    """Another player of a game."""

    name: Name
    bot: Word | None = Field(None, description="The level of a bot; null for a person.")
    place: Place = Field(description="From 1; 0: without a place.")
    counts: bool = Field(True, description="Whether they made most of their decisions, as a bot does.")


class PastGame(_Part):
    """A finished game."""

    game: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,32}$")] = Field(
        description="The id of its table."
    )
    title: Word
    ended: AwareDatetime
    place: Place = Field(description="From 1; 0: without a place.")
    points: Annotated[int, Field(ge=-(10**9), le=10**9)]
    clock: bool | None = Field(None, description="Whether you never ran out of time; null without a clock.")
    judged: Count | None = Field(None, description="How many of your decisions an analysis has judged.")
    cost: Annotated[float, Field(ge=-(10**6), le=10**6, allow_inf_nan=False)] | None = Field(
        None, description="What those cost beside the best moves, in points."
    )
    counts: bool = Field(True, description="Whether you made most of your decisions; so in older files.")
    left: bool = Field(False, description="Whether you left: a bot made your last decision.")
    hinted: bool = Field(False, description="Whether you were given hints: then it does not count.")
    device: bool = Field(False, description="Whether it was played on a device, without a server.")
    others: Annotated[list[Rival], Field(max_length=32)]


class GamesFile(_Part):
    """All of it."""

    paddock: Literal["my games"] = "my games"
    version: Literal[1] = 1
    name: Name = ""
    number: Annotated[int, Field(ge=1, le=NUMBERS)] | None = None
    games: Annotated[list[PastGame], Field(max_length=MOST)] = []


def read(text: str) -> GamesFile:
    """Return what a file says; raise ``BadOption`` with its first fault."""
    return _parsed(GamesFile, text)


def read_game(text: str) -> PastGame:
    """Return the game that a text says, as files have it; raise ``BadOption`` with its first fault."""
    return _parsed(PastGame, text)


def _parsed(part: type[P], text: str) -> P:
    try:
        return part.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        field = ".".join(str(name)[:32] for name in first["loc"])
        words = _("this is no file of “My games”: “{where}” is wrong or missing")
        if not field:
            words = _("this is no file of “My games”, or not the whole of it")
        raise BadOption([words.format(where=field[:200])]) from None


def merged(game: PastGame, before: PastGame | None) -> PastGame:
    """Return a game of a file as it is to be kept, of which this is known from a file before.

    The file that came last is right. What it does not know stays: an analysis, and who played.
    """
    if before is None:
        return game
    left_out = {other.name for other in before.others if not other.counts}
    others = [
        other.model_copy(update={"counts": other.counts and other.name not in left_out})
        for other in game.others
    ]
    new = {"counts": game.counts and before.counts, "left": game.left or before.left, "others": others}
    new |= {"hinted": game.hinted or before.hinted, "device": game.device or before.device}
    if game.judged is None:
        new |= {"judged": before.judged, "cost": before.cost}
    return game.model_copy(update=new)


def written(file: GamesFile) -> str:
    """Return a file as a text that servers of older versions read, too: without what is as usual."""
    always = {"paddock": file.paddock, "version": file.version, "games": []}
    return to_json(always | file.model_dump(exclude_defaults=True)).decode()


def fitting(games: Sequence[PastGame]) -> list[PastGame]:
    """Return the first of these games: as many as there is room for."""
    fitting_games, room = list[PastGame](), MOST_BYTES
    for game in games[:MOST]:
        room -= len(game.model_dump_json(exclude_defaults=True).encode()) + 1
        if room < 0:
            break
        fitting_games.append(game)
    return fitting_games


def stored(games: Sequence[PastGame]) -> str:
    """Return the text to store of these games."""
    return GamesFile(games=[*games]).model_dump_json(exclude_defaults=True)
