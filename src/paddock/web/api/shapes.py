"""The shapes of the API's answers, as its OpenAPI description names them."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field


class Shape(BaseModel):
    """A shape whose every field is always there."""

    model_config = ConfigDict(frozen=True, json_schema_serialization_defaults_required=True)


class Fault(Shape):
    """A refusal: a sentence for people, and the clause of the rules where it is they that refuse."""

    error: str
    clause: str | None = None


class TitleOut(Shape):
    """A title, in short."""

    name: str
    label: str
    tagline: str
    revision: int = Field(description="Of its rules.")
    player_name: str
    seat_name: str
    round_name: str


class OptionOut(Shape):
    """One way in which a game can be set up."""

    name: str
    kind: str = Field(description="choice, boolean, integer, string, array; data: a name, or a file's text.")
    choices: list[Any]
    least: float | None
    most: float | None
    default: str
    help: str
    clause: str
    advanced: bool


class LevelOut(Shape):
    """A strength that a bot can play at."""

    name: str
    label: str
    sentence: str


class TitleFull(TitleOut):
    """A title with all that a game of it can be set up with."""

    options: list[OptionOut]
    levels: list[LevelOut]
    view_schema: dict[str, Any] = Field(description="JSON schema of the «view» of its tables.")


class ChapterOut(Shape):
    """A chapter of the rules."""

    id: str
    title: str
    clauses: list[str]


class ClauseOut(Shape):
    """One numbered rule."""

    id: str
    text: str
    source: str
    ruling: bool = Field(description="Our own decision, where the sources are silent or disagree.")


class RulesOut(Shape):
    """The rules of a title."""

    title: str
    revision: int
    chapters: list[ChapterOut]
    clauses: list[ClauseOut]


class PlayerOut(Shape):
    """Who plays, and what everybody may know of it."""

    index: int
    name: str
    kind: Literal["person", "bot", "open"] = Field(description="«open» is a person's seat to be taken.")
    bot: str | None = Field(description="The level of a bot.")
    seats: list[int]
    yours: bool
    host: bool
    ready: bool = Field(description="In the lobby.")
    stand_in: bool = Field(description="A bot plays for the person, who is away or out of time.")
    muted: bool
    clock_ms: int | None = Field(description="Left on a clock that stands, in milliseconds.")
    clock_ends: datetime | None = Field(
        description="When a clock that runs will have run out, to the second."
    )


class MoveOut(Shape):
    """A legal move, which may be a link of a chain."""

    move: str = Field(description="In notation, as it is submitted.")
    label: str = Field(description="With its consequence, as a button says it.")
    cost: dict[str, int] = Field(description="What it costs, where the title's chains cost anything.")


class ChainOut(Shape):
    """A ready chain: a destination, say, with its cheapest way."""

    moves: list[str] = Field(description="Its links in notation, as they are submitted.")
    label: str
    cost: dict[str, int] = Field(description="Of all its links.")


class AskOut(Shape):
    """What one of your seats must decide, or may still change."""

    seat: int
    decision: int
    moves: list[MoveOut]
    ready: list[ChainOut] = Field(description="Ready chains, where the title knows any.")
    committed: str | None = Field(description="What it has committed; another submission replaces it.")
    reveals: bool = Field(description="All others have committed: this is the last.")


class PreviewOut(Shape):
    """Where a chain of moves leads, as far as its seat can tell. Nothing is played."""

    seat: int
    decision: int = Field(description="The one that is open: a submission names it.")
    view: dict[str, Any] = Field(description="After the links, but for a last one that cannot be foreseen.")
    moves: list[MoveOut] = Field(description="The next links; none where the chain has ended.")
    ready: list[ChainOut] = Field(description="Ready chains that go on from here.")
    ended: bool


class StandingOut(Shape):
    """One line of the standings."""

    who: int = Field(description="Player or team, from 0.")
    rank: int = Field(description="From 1; 0 for who had no place in any round.")
    total: int
    rounds: list[int]
    places: list[int]


class StandingsOut(Shape):
    """The tables after the finished rounds, the best first."""

    players: list[StandingOut]
    teams: list[StandingOut]


class LineOut(Shape):
    """A line of the story."""

    entry: int = Field(description="Of the log, from 0.")
    round: int = Field(description="From 0.")
    text: str


class TalkOut(Shape):
    """A line of talk."""

    at: datetime
    player: int | None = Field(description="Null: the table itself.")
    channel: str = Field(description="«table», or «team:N»: read by that team alone.")
    text: str


class OfferOut(Shape):
    """A standing order that a seat can give now."""

    text: str = Field(description="As it is sent.")
    label: str


class OrdersOut(Shape):
    """The standing orders of one of your seats. Nobody else sees them."""

    seat: int
    given: list[OfferOut] = Field(description="Those that stand; the first that fits answers.")
    offers: list[OfferOut]
    dropped: list[str] = Field(description="Why orders were dropped, until you give or cancel one.")


class UndoOut(Shape):
    """A request to take the last move back."""

    player: int
    consents: list[int]
    awaited: list[int] = Field(description="The players whose consent is awaited.")


class TableLine(Shape):
    """A table in a list."""

    id: str
    title: str
    phase: Literal["lobby", "play", "over"]
    names: list[str]
    open_seats: int
    round: int
    rounds: int
    your_turn: bool


class TablesOut(Shape):
    """Tables to find: those of others that are listed, and yours."""

    listed: list[TableLine]
    yours: list[TableLine]


class TableOut(Shape):
    """A table as one player, or a spectator, sees it now."""

    id: str
    title: str
    revision: int
    options: dict[str, Any] = Field(description="Long data by its digest: GET /data/{digest} has it whole.")
    kind: str
    phase: Literal["lobby", "play", "over"]
    pace: str
    listed: bool
    abandoned: bool
    frozen: str | None = Field(description="Why it cannot be continued.")
    stalled: str | None = Field(description="Why its bots no longer move.")
    clock: str = Field(description="Empty where untimed, else BANK+INCREMENT in seconds.")
    grace: int = Field(description="Seconds of absence after which a bot stands in; 0 is never.")
    rematch: str | None
    rematch_of: str | None
    you: list[int] = Field(description="The players whom you hold.")
    player: int | None = Field(description="Through whose eyes this is seen; null is a spectator.")
    host: bool = Field(description="Whether you are the host.")
    players: list[PlayerOut]
    status: str
    decision: int = Field(description="Which decision is open: submissions name it.")
    deciders: list[int] = Field(description="The seats that decide now.")
    committed: list[int] = Field(description="Those of them that have.")
    awaited: list[int] = Field(description="The players who still must decide.")
    asks: list[AskOut]
    orders: list[OrdersOut]
    undo: UndoOut | None
    can_undo: bool = Field(description="Whether you may ask to take the last move back.")
    view: dict[str, Any] = Field(description="As the title's «view_schema» says.")
    standings: StandingsOut
    winners: list[int] = Field(description="Of the whole series, once it is over.")
    story: list[LineOut] = Field(description="The end of it, the oldest first.")
    news: int | None = Field(description="The first entry of the story that you have not seen.")
    talk: list[TalkOut]
    digest: str = Field(description="Of all the above: what the stream sends when it changes.")


class ReplayOut(Shape):
    """A moment of a finished game."""

    entry: int
    entries: int
    seat: int | None = Field(description="Whose hand alone is open; null: all are.")
    view: dict[str, Any]
    story: list[LineOut]
    standings: StandingsOut


class Submitted(Shape):
    """What became of a submission: it waits for the others («committed»), it stands («played»), or it
    had arrived before («duplicate»)."""

    status: str
    sentence: str


class TokenOut(Shape):
    """A personal token, without the token itself."""

    label: str
    made_at: datetime
    used_at: datetime | None = Field(description="To the hour.")


class NewToken(Shape):
    """A personal token, shown this once. Send it as «Authorization: Bearer …»."""

    label: str
    token: str


class RecoveryOut(Shape):
    """The secret that moves a player to another browser, once."""

    secret: str
    path: str = Field(description="The page that does it, to be opened in the other browser.")
