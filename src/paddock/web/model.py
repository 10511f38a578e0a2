"""The model of a table: everything that one player or a spectator sees, as typed data.

Pages, API responses and the digests of the event streams are made from it. It has no sentences: these are
made later, in the language of the request. The facts of one browser (its players, who is at the device) and
the times on running clocks are added later too. So everybody who sees the same shares one model.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from operator import attrgetter
from sys import maxsize
from typing import Any, Literal, TypeAlias

from paddock.core.i18n import Sentence, language
from paddock.core.lesson import LEARNER, Lesson, lesson
from paddock.core.log import Event, EventBatch
from paddock.core.options import Options
from paddock.core.title import Preview, Seen, Title
from paddock.core.words import CHANCE
from paddock.tables import Kind, Player, Table, Terms, cards, claims, clock, forced, lessons, orders, undo
from paddock.tables.cards import FairCards
from paddock.tables.table import ForcedMove
from paddock.tables.talk import Said, lines_for
from paddock.web.caches import Current, Recent

MOST_STORY = 60  # lines of the story on a page and in an API response; the record has all
MODELS = 2048  # kept in memory; for more viewers at once, each heartbeat of a stream makes one again
USUAL = 128  # batches of events that a reader was told: who was told more takes the place of several
SENTENCES = 8192  # batches of events whose sentences are kept
Phase = Literal["lobby", "play", "over"]
Sitting = Literal["person", "bot", "open"]  # of a player; "open" is a person's seat that nobody has taken


@dataclass(frozen=True)
class Scene:
    """A position of a game as a player sees it, and the events that the player was told."""

    seen: Seen
    batches: Sequence[EventBatch]
    forced: Sequence[ForcedMove] = ()  # moves that were played by themselves
    heard: int = 0  # ``heard_by`` of the events

    @property
    def view(self) -> Any:
        """The title's view, in the current language; cached."""
        if (view := self._views.get(language.get())) is None:
            view = self._views[language.get()] = self.seen.title.view.view(self.seen)
        return view

    @cached_property
    def _views(self) -> dict[str, Any]:
        return {}

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The name of every seat."""
        return tuple(self.seen.seat_names)

    def sentences(self, batch: EventBatch) -> Sequence[tuple[int, Event, str]]:
        """``Title.sentences`` of a batch, in the current language; cached."""
        return _sentences(self.seen.title, self.seen.options, batch, self.names, language.get())

    def reasons(self, i: int) -> list[ForcedMove]:
        """Return the forced moves that are told between the batches ``i - 1`` and ``i``."""
        if not self.forced:
            return []
        after = self.batches[i - 1].entry if i else -1
        until = self.batches[i].entry if i < len(self.batches) else maxsize
        return [it for it in self.forced if after < it.entry <= until]


@lru_cache(SENTENCES)
def _sentences(
    title: Title, options: Options, batch: EventBatch, names: tuple[str, ...], _language: str
) -> Sequence[tuple[int, Event, str]]:
    return title.sentences(title.setup_of(options), batch, names)


@dataclass(frozen=True)
class Person:
    """A player, with what everybody may know."""

    index: int
    name: str
    seats: tuple[int, ...]
    kind: Sitting
    bot: str | None  # the level of a bot
    host: bool
    ready: bool
    stand_in: bool
    muted: bool
    removed: bool  # whether the host removed the person who had the seat: nobody new gets it
    timed: bool
    runs: bool  # whether the clock is running


@dataclass(frozen=True)
class Decision:
    """A decision of one seat, open or committed but still changeable."""

    seat: int
    first: Preview  # the position before any move, without the commitments of the seat's player
    committed: int | None  # the id of the move
    reveals: bool  # all others have committed
    at_once: bool = False  # its only move is being played: a page does not ask for it
    mark: str = ""  # tells what the player sees, without all commitments, from any other position
    said: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)  # JSON of it, by language


# What a player sees, the same without their own commitments (None: nothing to decide), and the decisions.
Deciding: TypeAlias = tuple[Seen, Seen | None, tuple[Decision, ...]]


@dataclass(frozen=True)
class SeatOrders:
    """The standing orders of a seat: the active ones, and the stored reasons why others were dropped."""

    seat: int
    active: tuple[str, ...]
    dropped: tuple[Sentence | str, ...]


@dataclass(frozen=True)
class UndoRequest:
    """A request to undo the last move."""

    player: int
    consents: tuple[int, ...]
    awaited: tuple[int, ...]


@dataclass(frozen=True)
class SeatRequest:
    """A request to play an open seat."""

    player: int
    number: int
    name: str  # of whoever asks
    consents: tuple[int, ...]
    awaited: tuple[int, ...]
    agreed: bool


@dataclass(frozen=True)
class Guest:
    """How a browser without a seat gets one in a running game."""

    asking: int | None = None  # the number of its open request
    back: int | None = None  # the seat that it had last and may take again
    removed: bool = False  # whether the host opened that seat


@dataclass(frozen=True)
class Common:
    """The fields of a ``Model`` that are the same for all who look at a version of a table."""

    phase: Phase
    running: bool
    over: bool
    winners: tuple[int, ...]
    deciders: tuple[int, ...]
    committed: tuple[int, ...]
    awaited: tuple[int, ...]
    people: tuple[Person, ...]
    undo: UndoRequest | None
    claims: tuple[SeatRequest, ...]
    offers: tuple[int, ...]
    undoer: int | None


@dataclass(frozen=True)
class Sight:
    """The fields of a ``Model`` that only one player sees, or a spectator: all that programs are told."""

    player: int | None  # None: a spectator
    scene: Scene
    free: Seen | None  # what the player sees, without their own commitments
    decisions: tuple[Decision, ...]
    orders: tuple[SeatOrders, ...]
    news: int | None  # the first unread log entry that told the player something
    lesson: Lesson | None
    said: tuple[Said, ...]


@dataclass(frozen=True)
class Model:
    """A table as one player or a spectator sees it: ``Common``, ``Sight``, and what only pages show.

    ``digest`` leaves out the fields with ``repr=False``, because they never change, follow from other fields,
    or are hashed separately.
    """

    id: str
    title: Title = field(repr=False)
    options: Options = field(repr=False)
    kind: Kind
    phase: Phase
    terms: Terms
    abandoned: bool
    embed: bool  # whether other sites may show it, if the server allows any
    fault: Sentence | None  # why the game cannot be continued
    stalled: str | None
    origin: str | None
    rematch: str | None
    rematch_of: str | None
    running: bool
    over: bool
    winners: tuple[int, ...]
    decision: int
    deciders: tuple[int, ...]
    committed: tuple[int, ...]  # seats
    awaited: tuple[int, ...]  # players
    people: tuple[Person, ...]
    undo: UndoRequest | None
    claims: tuple[SeatRequest, ...]
    offers: tuple[int, ...]  # the open seats of a running game that somebody new may ask for
    undoer: int | None = field(repr=False)  # the player who may request an undo
    # What only this player sees
    player: int | None  # None: a spectator
    scene: Scene = field(repr=False)
    free: Seen | None = field(repr=False)
    decisions: tuple[Decision, ...] = field(repr=False)
    orders: tuple[SeatOrders, ...]
    news: int | None
    fresh: int | None  # the same, but only since the player's last move
    moved: bool  # whether the player (a spectator: anybody) has made a move
    lesson: Lesson | None
    said: tuple[Said, ...] = field(repr=False)
    deal: str | None = None  # with whose chance it is played, and whether it counts there: as in ``Table``
    counts: bool | None = None
    cards: FairCards | None = field(default=None, repr=False)

    @cached_property
    def position(self) -> bytes:
        """A digest of the game as this player sees it."""
        digest = hashlib.blake2b(digest_size=16)
        for seen in (self.scene.seen, self.free):
            if seen:
                digest.update(seen.state.present() + repr((seen.eyes, seen.rounds, seen.names)).encode())
        # Whatever changes the game, and so its events, raises ``decision``.
        facts = (self.decision, self.fault, self.stalled, len(self.scene.batches))
        digest.update(repr(facts).encode())
        return digest.digest()

    @cached_property
    def digest(self) -> bytes:
        """A digest of everything that this player sees."""
        said = [(line.n, line.player, line.channel, line.line) for line in self.said]
        return hashlib.blake2b(self.position + repr((self, said)).encode(), digest_size=16).digest()

    def seats_of(self, player: int) -> tuple[int, ...]:
        """Return the seats of a player."""
        return self.people[player].seats


def short_digest(*parts: object) -> str:
    """Return a digest of 64 bits, in hex. Each part must have a stable ``repr``."""
    return hashlib.blake2b(repr(parts).encode(), digest_size=8).hexdigest()


def phase(table: Table) -> Phase:
    """Return whether a table is in the lobby, in play or over."""
    if table.phase == "lobby":
        return "lobby"
    return "over" if table.fully_visible or table.game.over else "play"


def company(table: Table, mine: Collection[int]) -> bool:
    """Whether the table has, or is open to, people besides the players ``mine``."""
    return table.kind.race and any(p.bot is None and p.index not in mine for p in table.players)


def common_of(table: Table, undoer: int | None) -> Common:
    """Return what all who look at the table see of it; ``undoer`` is the player who may request an undo."""
    game, asked = table.game, table.undo
    return Common(
        phase=phase(table),
        running=table.running,
        over=game.over,
        winners=game.result.winners if game.result else (),
        deciders=tuple(game.deciders) if table.running else (),
        committed=tuple(sorted(table.pending)),
        awaited=tuple(table.awaited()),
        people=tuple(_person(table, p) for p in table.players),
        undo=None
        if asked is None
        else UndoRequest(
            asked.player, tuple(sorted(asked.consents)), tuple(undo.awaited_consents(table, asked))
        ),
        claims=_requests(table),
        offers=claims.offers(table),
        undoer=undoer,
    )


def sight_of(
    table: Table,
    player: int | None,
    batches: Sequence[EventBatch],
    said: Sequence[Said],
    deciding: Deciding,
) -> Sight:
    """Return what the player (None: a spectator) sees.

    ``batches`` and ``said`` are the events and messages that they were told; ``deciding`` is from
    ``decisions_of``.
    """
    seen, free, decisions = deciding
    seats = () if player is None else table.seats_of(player)
    return Sight(
        player=player,
        scene=Scene(seen, batches, forced.told(table, seats), heard_by(table, player)),
        free=free,
        decisions=decisions,
        orders=tuple(
            SeatOrders(seat, tuple(orders.standing(table, seat)), tuple(orders.reasons(table, seat)))
            for seat in seats
        ),
        news=None if player is None else _first(batches, table.players[player].read_up_to),
        lesson=_lesson(table, player),
        said=tuple(said),
    )


def model_of(table: Table, player: int | None, common: Common, sight: Sight) -> Model:
    """Return the table as the player (None: a spectator) sees it."""
    last = _last_move(table, player)
    read = 0 if player is None else table.players[player].read_up_to
    return Model(
        **vars(common),
        **vars(sight),
        id=table.id,
        title=table.title,
        options=table.options,
        kind=table.kind,
        deal=table.deal,
        counts=table.counts,
        terms=table.terms,
        abandoned=table.abandoned,
        embed=table.embed or table.kind.record,  # an uploaded record has no host, and no secrets
        fault=table.fault,
        stalled=table.stalled,
        origin=table.origin,
        rematch=table.rematch,
        rematch_of=table.rematch_of,
        decision=table.decision,
        fresh=_first(sight.scene.batches, max(last or 0, read)),
        moved=last is not None,
        cards=cards.shown(table),
    )


def heard_by(table: Table, player: int | None) -> int:
    """Return a number that players share who were told the same events so far: −1 for all, or their eyes."""
    game = table.game
    return -1 if game.events.public and not hasattr(game.title.rules, "event_for") else table.eyes(player)


def decisions_of(table: Table, player: int | None) -> Deciding:
    """Return what the player sees, and what they must decide or may still change.

    Between them is what they see without their commitments, None if there is nothing to decide.
    """
    seen = table.seen(player)
    deciders = table.game.deciders if table.running and not lessons.waits(table) else ()
    mine = [] if player is None else [seat for seat in table.seats_of(player) if seat in deciders]
    if player is None or not mine:
        return seen, None, ()
    committed = any(seat in table.pending for seat in table.seats_of(player))
    free = table.choosing(player) if committed else seen
    bare = table.game.seen(table.eyes(player)) if table.pending else seen
    mark = hashlib.blake2b(bare.state.present(), digest_size=2).hexdigest()
    return (
        seen,
        free,
        tuple(
            Decision(
                seat,
                free.preview((), seat),
                table.pending.get(seat),
                table.reveals(seat),
                seat not in table.pending and forced.at_once(table, seat),
                mark,
            )
            for seat in mine
        ),
    )


def _person(table: Table, p: Player) -> Person:
    return Person(
        index=p.index,
        name=p.name,
        seats=tuple(table.seats_of(p.index)),
        kind="bot" if p.bot else "person" if p.holder or table.kind.record else "open",
        bot=p.bot,
        host=p.holder is not None and p.holder == table.host,
        ready=p.ready,
        stand_in=p.stand_in,
        muted=p.muted,
        removed=p.removed_by is not None,
        timed=p.bank_ms is not None,
        runs=clock.ticking(table, p.index),
    )


def _requests(table: Table) -> tuple[SeatRequest, ...]:
    return tuple(
        SeatRequest(
            claim.player,
            claim.number,
            claim.name,
            claim.consents,
            tuple(claims.awaited(table, claim)),
            claims.agreed(table, claim),
        )
        for claim in table.claims
    )


def guest_of(table: Table, holder: str | None) -> Guest:
    """Return how a browser gets a seat; it is asked for each browser, because models know none."""
    asked, back = claims.of(table, holder), claims.way_back(table, holder)
    removed = back is not None and table.players[back].removed_by is not None
    return Guest(None if asked is None else asked.number, back, removed)


def _undoer(table: Table) -> int | None:
    """Return the player who may request an undo; None if nobody may."""
    at = forced.last_chosen(table)
    if at < 0:
        return None
    mover = table.options.owners[table.game.log[at].by]
    return mover if undo.possible(table, table.players[mover].holder) else None


def _last_move(table: Table, player: int | None) -> int | None:
    """Return the entry of the last move that the player (None: anybody) chose; None if there is none."""
    game, by_itself = table.game, {it.entry for it in table.forced}
    for index in range(len(game.log) - 1, -1, -1):
        by = game.log[index].by
        mine = by != CHANCE and (player is None or game.options.owners[by] == player)
        if mine and index not in by_itself:
            return index
    return None


def _first(batches: Sequence[EventBatch], since: int) -> int | None:
    """Return the first entry at or after ``since`` that has a batch of events; None if there is none."""
    i = bisect_left(batches, since, key=attrgetter("entry"))
    return batches[i].entry if i < len(batches) else None


def _lesson(table: Table, player: int | None) -> Lesson | None:
    return lesson(table.game) if table.kind.lesson and player == LEARNER else None


# The cache


@dataclass(frozen=True)
class _Told:
    """The events that a pair of eyes was told, as far as the log was when they were asked for last."""

    undone: int  # rows of the stored log that undo requests took back; events before them may be others
    entries: int  # of the log
    length: int  # of ``Game.events``
    batches: Sequence[EventBatch]


def told(sight: Sight | Model) -> float:
    """Return the size of what somebody sees, in a cache."""
    return shares(sight.scene.batches)


def shares(batches: Sequence[EventBatch]) -> float:
    """Return the size of what a reader was told, in a cache: about 500 bytes each."""
    return max(1.0, len(batches) / USUAL)


class Models:
    """Builds models, and caches the last one for each player and for spectators at each table."""

    def __init__(self) -> None:
        self._recent: Current[tuple[str, int | None, bool], Model] = Current(MODELS, told)
        self._sights: Current[tuple[str, int | None, bool], Sight] = Current(MODELS, told)
        self._common: Current[str, Common] = Current(MODELS)
        self._deciding: Current[tuple[str, int | None], Deciding] = Current(MODELS)
        self._undoers: Recent[str, tuple[tuple[object, ...], int | None]] = Recent(MODELS)
        self._told: Recent[tuple[str, int], _Told] = Recent(MODELS, lambda told: shares(told.batches))

    def of(self, table: Table, player: int | None, *, chat: bool = False) -> Model:
        """Return the table as the player sees it now, with or without the chat."""
        chat = chat and bool(table.talk)

        def make() -> Model:
            return model_of(table, player, self.common(table), self.sight(table, player, chat=chat))

        return self._recent.of(table, (table.id, player, chat), make)

    def sight(self, table: Table, player: int | None, *, chat: bool = False) -> Sight:
        """Return what the player sees now, as ``of`` does: for whoever needs no more."""
        chat = chat and bool(table.talk)

        def make() -> Sight:
            said = lines_for(table, player) if chat else ()
            deciding = self._decided(table, player)
            return sight_of(table, player, self._batches(table, player), said, deciding)

        return self._sights.of(table, (table.id, player, chat), make)

    def forget(self, ids: Collection[str]) -> None:
        """Forget tables that have left memory: what a long game has told takes more than the game."""
        kept: list[Recent[Any, Any]] = [
            self._recent, self._sights, self._common, self._deciding, self._undoers, self._told
        ]  # fmt: skip
        for one in kept:
            one.forget(ids)

    def decisions(self, table: Table, player: int) -> tuple[Decision, ...]:
        """Return what the player must decide now or may still change."""
        return self._decided(table, player)[2]

    def _decided(self, table: Table, player: int | None) -> Deciding:
        return self._deciding.of(table, (table.id, player), lambda: decisions_of(table, player))

    def common(self, table: Table) -> Common:
        """Return what everybody sees, found once for all who look at a version of a table."""
        return self._common.of(table, table.id, lambda: common_of(table, self._undoer(table)))

    def _undoer(self, table: Table) -> int | None:
        """``_undoer``, which reads the game, again only after a change of what it depends on."""
        people = tuple(player.holder for player in table.players)
        about = table.rows, table.running, table.kind, table.forced, table.undo is None, people
        kept = self._undoers.get(table.id)
        if kept is None or kept[0] != about:
            kept = self._undoers.keep(table.id, (about, _undoer(table)))
        return kept[1]

    def _batches(self, table: Table, player: int | None) -> Sequence[EventBatch]:
        """Return what a player has heard (``Table.events_for``). What was told before is kept: only what is
        new is read from the log, unless moves were taken back.
        """
        game, eyes = table.game, heard_by(table, player)
        undone, entries = table.rows - len(game.log), len(game.log)
        kept = self._told.get((table.id, eyes))
        if kept is None or kept.undone != undone or kept.entries > entries:
            kept = _Told(undone, 0, 0, ())
        if kept.length < len(game.events):
            new = game.events_for(table.eyes(player), kept.length)
            kept = _Told(undone, entries, len(game.events), [*kept.batches, *new])
            self._told.keep((table.id, eyes), kept)
        return kept.batches
