"""Models of the API's responses."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from paddock.web.api.terms import shows_terms


class AnswerShape(BaseModel):
    """Base of all responses: every field is always present."""

    model_config = ConfigDict(frozen=True, json_schema_serialization_defaults_required=True)


class Fault(AnswerShape):
    """An error: a sentence for people, and the id of the rules clause if the rules forbid the request."""

    error: str
    clause: str | None = None


class TitleOut(AnswerShape):
    """A summary of a title."""

    name: str
    label: str
    tagline: str
    revision: int = Field(description="The revision of its rules.")
    player_name: str
    seat_name: str
    round_name: str


class OptionOut(AnswerShape):
    """One option of a title."""

    name: str
    label: str = Field(description="What pages call it.")
    kind: str = Field(
        description="choice, boolean, integer, string, array or data (a name or the text of a file)."
    )
    choices: list[Any]
    values: list[tuple[str, str, str]] = Field(
        description="Values that pages offer: as written, a name, and a sentence, which may be empty."
    )
    least: float | None
    most: float | None
    default: str
    help: str
    write: str = Field(description="What can be written besides those values; often empty.")
    clause: str
    advanced: bool
    rulebook: bool = Field(description="Whether it is a number of the rules, and its default the rulebook's.")
    step: int = Field(description="A whole number is a multiple of this.")


class LevelOut(AnswerShape):
    """A level of a bot."""

    name: str
    label: str
    sentence: str


class TitleFull(TitleOut):
    """A title with its options, its levels of bots and the schema of its view."""

    options: list[OptionOut]
    levels: list[LevelOut]
    view_schema: dict[str, Any] = Field(description="JSON schema of the field “view” of its tables.")


class ChapterOut(AnswerShape):
    """A chapter of the rules."""

    id: str
    title: str
    clauses: list[str]


class ClauseOut(AnswerShape):
    """A clause of the rules."""

    id: str
    text: str
    source: str
    ruling: bool = Field(
        description="Whether this is our own decision because the sources are silent or disagree."
    )


class RulesOut(AnswerShape):
    """The rules of a title."""

    title: str
    revision: int
    chapters: list[ChapterOut]
    clauses: list[ClauseOut]


class PlayerOut(AnswerShape):
    """A player, with what everybody may know."""

    index: int
    name: str
    kind: Literal["person", "bot", "open"] = Field(
        description="“open”: nobody has the seat; in a running game a bot plays it."
    )
    bot: str | None = Field(description="The level if this is a bot, else null.")
    seats: list[int]
    yours: bool
    host: bool
    ready: bool = Field(description="Whether the player has said in the lobby that they are ready.")
    stand_in: bool = Field(description="Whether a bot plays for the person, who is away or out of time.")
    muted: bool
    removed: bool = Field(
        description="Whether the host removed the person who had the seat: nobody new gets it."
    )
    clock_ms: int | None = Field(description="The time left on a stopped clock, in milliseconds.")
    clock_ends: datetime | None = Field(description="When a running clock will run out, to the second.")


class MoveOut(AnswerShape):
    """A legal move. In some titles it is a link of a chain of moves."""

    move: str = Field(description="The move in notation: submit this.")
    label: str = Field(description="The text of its button, with its consequence.")
    cost: dict[str, int] = Field(description="What it costs; empty if it costs nothing.")


class ChainOut(AnswerShape):
    """A chain of moves that the title suggests, such as the cheapest way to a destination."""

    moves: list[str] = Field(description="Its moves in notation: submit these.")
    label: str
    cost: dict[str, int] = Field(description="What all its moves cost together.")


class AskOut(AnswerShape):
    """What one of your seats must decide, or may still change."""

    seat: int
    decision: int
    moves: list[MoveOut]
    ready: list[ChainOut] = Field(description="Chains that the title suggests.")
    committed: str | None = Field(description="The committed move; another submission replaces it.")
    reveals: bool = Field(description="Whether all others have committed, so that this move reveals all.")


class PreviewOut(AnswerShape):
    """The position after a chain of moves, as far as the seat can know it. Nothing is played."""

    seat: int
    decision: int = Field(description="The number of the open decision: send it with the move.")
    view: dict[str, Any] = Field(
        description="The view after the moves, without a last one whose outcome is unknown."
    )
    moves: list[MoveOut] = Field(description="The possible next moves; empty if the chain has ended.")
    ready: list[ChainOut] = Field(description="Chains that the title suggests from here.")
    ended: bool


class StandingOut(AnswerShape):
    """One line of the standings."""

    who: int = Field(description="The index of the player or team, from 0.")
    rank: int = Field(description="From 1; 0 for a player or team without a place in any round.")
    total: int
    rounds: list[int]
    places: list[int]


class StandingsOut(AnswerShape):
    """The standings after the finished rounds, the best first."""

    players: list[StandingOut]
    teams: list[StandingOut]


class LineOut(AnswerShape):
    """A line of the story."""

    entry: int = Field(description="The log entry that it tells of, from 0.")
    round: int = Field(description="The round, from 0.")
    text: str


class TalkOut(AnswerShape):
    """A chat message."""

    at: datetime
    player: int | None = Field(description="Who wrote it; null for a message from the table itself.")
    channel: str = Field(description="“table”, or “team:N”, which only that team can read.")
    text: str
    phrase: str = Field(description="Which one of the fixed list it is; empty for any other message.")


class OfferOut(AnswerShape):
    """A standing order, given or available."""

    text: str = Field(description="The order: submit this.")
    label: str


class OrdersOut(AnswerShape):
    """The standing orders of one of your seats. Nobody else sees them."""

    seat: int
    given: list[OfferOut] = Field(description="The active orders; the first one that fits plays the move.")
    offers: list[OfferOut] = Field(description="The orders that you can give now.")
    dropped: list[str] = Field(description="Why orders were dropped; cleared when you give or cancel one.")


class UndoOut(AnswerShape):
    """A request to undo the last move."""

    player: int
    consents: list[int] = Field(description="The players who have agreed.")
    awaited: list[int] = Field(description="The players who still have to agree.")


class ClaimOut(AnswerShape):
    """A request to play an open seat of a running game."""

    player: int = Field(description="The open seat.")
    number: int = Field(description="The number of the request: agree to it, or decline it, by this.")
    name: str = Field(description="The name of whoever asks.")
    consents: list[int] = Field(description="The players who have agreed.")
    awaited: list[int] = Field(description="The players who still have to agree.")


class TableLine(AnswerShape):
    """A table in a list."""

    id: str
    title: str
    phase: Literal["lobby", "play", "over"]
    names: list[str]
    open_seats: int
    round: int
    rounds: int
    your_turn: bool
    watching: int = Field(description="People who watch it, if it is listed and runs.")


class TablesOut(AnswerShape):
    """The public tables of others, and yours."""

    listed: list[TableLine]
    yours: list[TableLine]


@shows_terms
class TableHead(AnswerShape):
    """How a table begins. Terms that are not named here follow after the clock."""

    id: str
    title: str
    revision: int
    options: dict[str, Any] = Field(
        description="Long data is replaced by its digest: get it from GET /data/{digest}."
    )
    kind: str
    deal: str | None = Field(description="Other tables with this deal have the same chance.")
    counts: bool | None = Field(
        description="Whether it counts in that deal; null while it may, and at other tables."
    )
    phase: Literal["lobby", "play", "over"]
    pace: str
    listed: bool
    abandoned: bool
    frozen: str | None = Field(description="Why the game cannot be continued; null if it can.")
    stalled: str | None = Field(description="Why the bots do not move; null if they do.")
    clock: str = Field(description="BANK+INCREMENT in seconds; empty if untimed.")


class ProofOut(AnswerShape):
    """What proves the cards of a table: its record has it all when the game is over."""

    name: str = Field(description="The name of the race, from which its key follows by the secret.")
    commitment: str = Field(description="The SHA-256 of the secret, in hex.")
    secret: str | None = Field(description="The secret, in hex; null until the game is over.")


class TableOut(TableHead):
    """A table as one player or a spectator sees it now."""

    proof: ProofOut | None = Field(description="The secret from which all chance follows; null without.")
    rematch: str | None
    rematch_of: str | None
    you: list[int] = Field(description="Your players.")
    player: int | None = Field(description="The player whose view this is; null for a spectator.")
    host: bool = Field(description="Whether you are the host.")
    players: list[PlayerOut]
    status: str
    decision: int = Field(description="The number of the open decision: send it with a move.")
    deciders: list[int] = Field(description="The seats that must decide now.")
    committed: list[int] = Field(description="Those of them that have committed a move.")
    awaited: list[int] = Field(description="The players who still have to decide.")
    asks: list[AskOut]
    orders: list[OrdersOut]
    undo: UndoOut | None
    claims: list[ClaimOut] = Field(description="The open requests for seats.")
    asking: int | None = Field(description="The number of your own open request; null if you have none.")
    back: int | None = Field(description="The open seat that was yours: claim it, and nobody must agree.")
    can_undo: bool = Field(description="Whether you may request an undo of the last move.")
    view: dict[str, Any] = Field(
        description="What the player sees of the game; “view_schema” of the title describes it."
    )
    standings: StandingsOut
    winners: list[int] = Field(description="The winners of the whole series; empty until it is over.")
    story: list[LineOut] = Field(description="The last lines, the oldest first.")
    news: int | None = Field(
        description="The first log entry that you have not read; null if you have read all."
    )
    talk: list[TalkOut]
    digest: str = Field(description="A digest of all fields above. The stream sends it when it changes.")


class ReplayOut(AnswerShape):
    """A finished game after a number of log entries."""

    entry: int = Field(description="The number of log entries that are played.")
    entries: int = Field(description="The number of log entries of the whole game.")
    seat: int | None = Field(description="The seat whose view this is; null: all hands are open.")
    view: dict[str, Any]
    story: list[LineOut]
    standings: StandingsOut


class AmountOut(AnswerShape):
    """A number of points."""

    points: float
    error: float = Field(description="Half the width of its 95 % interval.")


class Submitted(AnswerShape):
    """The result of a submission: it waits for other players («committed»), it was played («played»), or
    it had already been received («duplicate»)."""

    status: str
    sentence: str
    decision: int = Field(description="The number of the decision that is open now.")
    asks: list[AskOut] = Field(description="What your seats must decide now.")
    table: TableOut = Field(description="The table as the player of the seat sees it now.")


class TokenOut(AnswerShape):
    """A personal token, without the token itself."""

    label: str
    made_at: datetime
    used_at: datetime | None = Field(description="When it was last used, to the hour.")


class NewToken(AnswerShape):
    """A new personal token. It is shown only once. Send it as «Authorization: Bearer …»."""

    label: str
    token: str


class RecoveryOut(AnswerShape):
    """A secret that moves a player to another browser. It works once."""

    secret: str
    path: str = Field(description="The page to open in the other browser.")
