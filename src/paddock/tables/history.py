"""«My games»: the finished games of a browser, and what they add up to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeVar

from pydantic import ValidationError

from paddock.bots.analysis import Analysis
from paddock.bots.ledger import LedgerAccount, Total
from paddock.core.errors import PaddockError
from paddock.core.i18n import language
from paddock.store import HistoryStore, Past
from paddock.store.history import GameRows, past
from paddock.tables.analysing import ACCOUNT, Analysed, Analysing, findings
from paddock.tables.archive import MOST, GamesFile, PastGame, Rival, fitting, read, stored
from paddock.tables.built import Built
from paddock.tables.errors import Busy, Stopped
from paddock.tables.registry import Registry
from paddock.tables.results import results_of
from paddock.tables.runtime import Runtime
from paddock.tables.table import Table
from paddock.tables.threads import off_loop

V = TypeVar("V")
SUMMARY = 50_000  # bytes in memory of what a page says of all games, and of some of them
COUNTED = 10  # games of older versions that one look at the page counts
ASKED = 50  # of which so many are asked for, as some may be unreadable


@dataclass(frozen=True)
class Read:
    """What was read of the finished games of a browser."""

    holder: str
    rows: GameRows
    archive: str | None  # the games that it has brought from elsewhere


@dataclass(frozen=True)
class Opponent:
    """Another player of a finished game."""

    name: str
    bot: str | None  # the level of a bot
    place: int  # 0: none
    holder: str | None = None  # who has the seat; nobody knows it of a game that was brought from elsewhere

    @property
    def key(self) -> tuple[str, str]:
        """Equal for those who count as the same."""
        if self.bot:
            return "bot", self.bot
        return ("browser", self.holder) if self.holder else ("name", self.name.casefold())


@dataclass(frozen=True)
class Finished:
    """A finished game of a browser, which played one of its seats."""

    id: str
    title: str
    ended: datetime
    place: int  # 0: none
    points: int
    kept: bool | None  # whether its time never ran out; None without a clock
    judged: int | None  # decisions that an analysis has judged
    cost: float | None  # what they cost, in points
    others: tuple[Opponent, ...]
    here: bool = True  # whether this server has the table
    account: LedgerAccount | None = None  # where the points came from, in an analysed game

    @property
    def players(self) -> int:
        """How many played."""
        return 1 + len(self.others)


@dataclass(frozen=True)
class GamesTally:
    """What some games add up to."""

    games: int
    wins: int
    place: float | None  # the average; None if no game has one
    field: float  # how many played, on average
    timed: int
    kept: int  # of those: in how many the time never ran out
    judged: int  # decisions that were judged, in all analysed games
    error: float | None  # what such a decision costs on average, in points


@dataclass(frozen=True)
class Rivalry:
    """The games against one opponent, or against all bots of a level."""

    name: str  # the newest
    bot: str | None
    games: int
    ahead: int  # games in which the browser had the better place
    behind: int


def tally(games: Sequence[Finished]) -> GamesTally:
    """Add games up; there must be one."""
    placed = [game.place for game in games if game.place]
    timed = [game.kept for game in games if game.kept is not None]
    known = [(game.judged, game.cost) for game in games if game.judged and game.cost is not None]
    judged = sum(count for count, _cost in known)
    return GamesTally(
        len(games),
        placed.count(1),
        sum(placed) / len(placed) if placed else None,
        sum(game.players for game in games) / len(games),
        len(timed),
        sum(timed),
        judged,
        sum(cost for _count, cost in known) / judged if judged else None,
    )


def by_title(games: Iterable[Finished]) -> dict[str, GamesTally]:
    """Add the games of each title up, the one that was played most first."""
    found: dict[str, list[Finished]] = {}
    for game in games:
        found.setdefault(game.title, []).append(game)
    ordered = sorted(found.items(), key=lambda one: (-len(one[1]), one[0]))
    return {title: tally(some) for title, some in ordered}


def sums(games: Iterable[Finished]) -> dict[str, Total]:
    """Add up where the points came from, for each title; points of two titles cannot be added."""
    found: dict[str, list[LedgerAccount]] = {}
    for game in games:
        if game.account:
            found.setdefault(game.title, []).append(game.account)
    ordered = sorted(found.items(), key=lambda one: (-len(one[1]), one[0]))
    return {title: Total.of(accounts) for title, accounts in ordered}


def rivalries(games: Iterable[Finished]) -> list[Rivalry]:
    """Return the opponents, people first, and those first whom the browser has met most often.

    Several bots of one level in a game count once for each.
    """
    names: dict[tuple[str, str], Opponent] = {}
    met, ahead, behind = Counter[tuple[str, str]](), Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for game in games:
        for other in game.others:
            names.setdefault(other.key, other)
            met[other.key] += 1
            mine, theirs = game.place or 100, other.place or 100
            ahead[other.key] += mine < theirs
            behind[other.key] += mine > theirs
    found = [
        Rivalry(other.name, other.bot, met[key], ahead[key], behind[key]) for key, other in names.items()
    ]
    return sorted(found, key=lambda one: (one.bot is not None, -one.games, one.name))


class History:
    """The finished games of browsers."""

    def __init__(
        self,
        store: HistoryStore,
        registry: Registry,
        analysing: Analysing,
        runtime: Runtime,
        built: Built,
    ) -> None:
        self._store = store
        self._registry = registry
        self._analysing = analysing
        self._runtime = runtime
        self._built = built
        self._unreadable: set[str] = set()  # games that cannot be counted
        analysing.readers.append(self.judged)

    async def stamp(self, holder: str) -> tuple[object, ...]:
        """Return what is another one when the finished games of a browser are."""
        return await self._store.stamp(holder)

    async def read(self, holder: str) -> Read:
        """Read the finished games of a browser: ``games_in`` makes sense of them."""
        return Read(holder, await self._store.read(holder, MOST), await self._store.archive(holder))

    async def of(self, holder: str | None) -> list[Finished]:
        """Return the finished games of a browser, the newest first."""
        return await off_loop(games_in, await self.read(holder)) if holder else []

    async def made(
        self,
        holder: str,
        key: Hashable,
        make: Callable[[list[Finished]], V],
        size: Callable[[V], int] = lambda _made: SUMMARY,
    ) -> V:
        """Return what ``make`` makes of the finished games of a browser, as ``Built.of`` does."""
        return await self._built.of(
            ("games", holder, key, language.get()),
            await self.stamp(holder),
            lambda: self.read(holder),
            lambda found: make(games_in(found)),
            size,
        )

    async def judged(self, table: Table, analysis: Analysis) -> None:
        """Note what an analysis says of the players of a game."""
        analysed = await off_loop(Analysed.of, analysis, table)
        await self._store.judge(table.id, await off_loop(findings, analysed))

    async def count(self, holder: str) -> int:
        """Count some games of older versions, which have stored no results; return how many are left."""
        ids = [id for id in await self._store.uncounted(holder, ASKED) if id not in self._unreadable]
        for id in ids[:COUNTED]:
            try:
                table = await self._registry.peek(id)
                found = results_of(table, table.touched_at)
            except (Busy, Stopped):  # another time
                break
            except PaddockError:
                found = []
            if not found:
                self._unreadable.add(id)
                continue
            # when a clock ran out was not noted then
            await self._store.add(id, [replace(one, kept=None) for one in found])
            with suppress(PaddockError):
                if analysed := await self._analysing.of(table):
                    await self._store.judge(id, findings(analysed))
        return max(0, len(ids) - COUNTED)

    async def bring(self, holder: str, text: str) -> tuple[GamesFile, int, int]:
        """Add the games of a file to those of a browser; return it, how many are new, and how many left out.

        Of more games than one browser may have, or of more text than is kept, the oldest are left out.
        Raises ``BadOption``.
        """
        given = await off_loop(read, text)
        new, left_out, text = await off_loop(_more, await self.read(holder), given)
        if text:
            await self._store.keep_archive(holder, text, self._runtime.now())
        return given, new, left_out


def _more(found: Read, given: GamesFile) -> tuple[int, int, str]:
    """Return how many games of a file are new, how many are left out, and what is to be stored.

    The text is that of the games that a browser has brought, before or now; empty if nothing is new.
    """
    known = {game.id for game in games_in(found)}
    before = read(found.archive).games if found.archive else []
    new = {game.game: game for game in given.games if game.game not in known}
    if not new:
        return 0, 0, ""
    every = sorted([*before, *new.values()], key=lambda game: game.ended, reverse=True)
    kept = fitting(every)
    return sum(game.game in new for game in kept), len(every) - len(kept), stored(kept)


def games_in(found: Read) -> list[Finished]:
    """Return the games of a browser in what was read of it, the newest first. Takes long for many.

    Games in which it played several seats are left out: it was its own opponent there.
    """
    games = [_finished(game, found.holder) for game in past(found.rows)]
    mine = [game for game in games if game]
    known = {game.id for game in mine}
    brought = read(found.archive).games if found.archive else []
    mine += [_of_file(game) for game in brought if game.game not in known]
    return sorted(mine, key=lambda game: (game.ended, game.id), reverse=True)[:MOST]


def file(games: Sequence[Finished], name: str, number: int | None) -> str:
    """Return the games of a browser as a file, which contains nothing that opens a seat."""
    return GamesFile(name=name, number=number, games=[_in_file(game) for game in games]).model_dump_json()


def _finished(game: Past, holder: str) -> Finished | None:
    """Return a stored game as that of a browser; None if it played several seats, or none."""
    mine = [player for player in game.players if player.holder == holder]
    if len(mine) != 1:
        return None
    me = mine[0].result
    others = tuple(
        Opponent(player.name, player.bot, player.result.place, player.holder)
        for player in game.players
        if player is not mine[0]
    )
    account = None
    with suppress(ValidationError):  # another version has written it
        account = ACCOUNT.validate_json(me.account) if me.account else None
    facts = me.ended_at, me.place, me.total, me.kept, me.judged, me.cost
    return Finished(game.id, game.title, *facts, others, account=account)


def _of_file(game: PastGame) -> Finished:
    others = tuple(Opponent(one.name, one.bot, one.place) for one in game.others)
    return Finished(
        game.game,
        game.title,
        game.ended,
        game.place,
        game.points,
        game.clock,
        game.judged,
        game.cost,
        others,
        here=False,
    )


def _in_file(game: Finished) -> PastGame:
    return PastGame(
        game=game.id,
        title=game.title,
        ended=game.ended,
        place=game.place,
        points=game.points,
        clock=game.kept,
        judged=game.judged,
        cost=game.cost,
        others=[Rival(name=one.name, bot=one.bot, place=one.place) for one in game.others],
    )
