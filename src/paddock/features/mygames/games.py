"""The finished games of a browser, and what they add up to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from pydantic import ValidationError

from paddock.bots.ledger import LedgerAccount, Total
from paddock.core.title import titles
from paddock.features.mygames.archive import MOST, GamesFile, PastGame, Rival, read, written
from paddock.features.mygames.results import ACCOUNT
from paddock.features.mygames.store import GameRows, PastRow, past


@dataclass(frozen=True)
class GamesRead:
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
    counts: bool = True  # whether it is a bot, or a person who made most of their decisions

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
    counts: bool = True  # whether its person made most of the decisions
    left: bool = False  # whether a bot made the last
    hinted: bool = False  # whether its person was given hints: then it does not count
    device: bool = False  # whether it was played on a device, without a server
    changed: bool = False  # whether numbers of the rules were changed: then it does not count

    @property
    def players(self) -> int:
        """How many played."""
        return 1 + len(self.others)


@dataclass(frozen=True)
class GamesTally:
    """What some games add up to: those that count."""

    games: int
    wins: int
    place: float | None  # the average; None if no game has one
    field: float | None  # how many played, on average; None if no game counts
    timed: int
    kept: int  # of those: in how many the time never ran out
    judged: int  # decisions that were judged, in all analysed games
    error: float | None  # what such a decision costs on average, in points
    left: int  # games that were left, whether they count or not


@dataclass(frozen=True)
class Rivalry:
    """The games against one opponent, or against all bots of a level."""

    name: str  # the newest
    bot: str | None
    games: int
    ahead: int  # games in which the browser had the better place
    behind: int


def tally(every: Sequence[Finished]) -> GamesTally:
    """Add games up."""
    games = [game for game in every if game.counts]
    placed = [game.place for game in games if game.place]
    timed = [game.kept for game in games if game.kept is not None]
    known = [(game.judged, game.cost) for game in games if game.judged and game.cost is not None]
    judged = sum(count for count, _cost in known)
    return GamesTally(
        len(games),
        placed.count(1),
        sum(placed) / len(placed) if placed else None,
        sum(game.players for game in games) / len(games) if games else None,
        len(timed),
        sum(timed),
        judged,
        sum(cost for _count, cost in known) / judged if judged else None,
        sum(game.left for game in every),
    )


def by_title(games: Iterable[Finished]) -> dict[str, GamesTally]:
    """Add the games of each title up, the one that was played most first."""
    games_of: dict[str, list[Finished]] = {}
    for game in games:
        games_of.setdefault(game.title, []).append(game)
    ordered = sorted(games_of.items(), key=lambda of: (-len(of[1]), of[0]))
    return {title: tally(some) for title, some in ordered}


def sums(games: Iterable[Finished]) -> dict[str, Total]:
    """Add up where the points came from, for each title; points of two titles cannot be added."""
    accounts_of: dict[str, list[LedgerAccount]] = {}
    for game in games:
        if game.account and game.counts:
            accounts_of.setdefault(game.title, []).append(game.account)
    ordered = sorted(accounts_of.items(), key=lambda of: (-len(of[1]), of[0]))
    return {title: Total.of(accounts) for title, accounts in ordered}


def rivalries(games: Iterable[Finished]) -> list[Rivalry]:
    """Return the opponents, people first, and those first whom the browser has met most often.

    Several bots of one level in a game count once for each. Only games count that both have played.
    """
    names: dict[tuple[str, str], Opponent] = {}
    met, ahead, behind = Counter[tuple[str, str]](), Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for game in games:
        for other in game.others if game.counts else ():
            if not other.counts:
                continue
            names.setdefault(other.key, other)
            met[other.key] += 1
            place, others_place = game.place or 100, other.place or 100
            ahead[other.key] += place < others_place
            behind[other.key] += place > others_place
    opponents = [
        Rivalry(other.name, other.bot, met[key], ahead[key], behind[key]) for key, other in names.items()
    ]
    return sorted(opponents, key=lambda rivalry: (rivalry.bot is not None, -rivalry.games, rivalry.name))


def games_in(stored: GamesRead) -> list[Finished]:
    """Return the games of a browser in what was read of it, the newest first. Takes long for many.

    Games in which it played several seats are left out: it was its own opponent there.
    """
    here = [_finished(row, stored.holder) for row in past(stored.rows)]
    games = [game for game in here if game]
    known = {game.id for game in games}
    brought = read(stored.archive).games if stored.archive else []
    games += [_of_file(game) for game in brought if game.game not in known]
    return sorted(games, key=lambda game: (game.ended, game.id), reverse=True)[:MOST]


def file(games: Sequence[Finished], name: str, number: int | None) -> str:
    """Return the games of a browser as a file, which contains nothing that opens a seat."""
    return written(GamesFile(name=name, number=number, games=[_in_file(game) for game in games]))


def _finished(game: PastRow, holder: str) -> Finished | None:
    """Return a stored game as that of a browser; None if it played several seats, or none."""
    seats = [player for player in game.players if player.holder == holder]
    if len(seats) != 1:
        return None
    ended = seats[0].result
    others = tuple(
        Opponent(
            player.name,
            player.bot,
            player.result.place,
            player.holder,
            counts=player.bot is not None or player.result.counts,
        )
        for player in game.players
        if player is not seats[0]
    )
    account = None
    with suppress(ValidationError):  # another version has written it
        account = ACCOUNT.validate_json(ended.account) if ended.account else None
    facts = ended.ended_at, ended.place, ended.total, ended.kept, ended.judged, ended.cost
    hinted, left = game.kind.hinted, bool(ended.left_game)
    known = titles().get(game.title)
    changed = known is not None and known.options.changed_in(game.options)
    counts = ended.counts and not hinted and not changed
    return Finished(
        game.id,
        game.title,
        *facts,
        others,
        account=account,
        counts=counts,
        left=left,
        hinted=hinted,
        changed=changed,
    )


def _of_file(game: PastGame) -> Finished:
    others = tuple(Opponent(rival.name, rival.bot, rival.place, counts=rival.counts) for rival in game.others)
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
        counts=game.counts and not game.hinted,
        left=game.left,
        hinted=game.hinted,
        device=game.device,
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
        counts=game.counts,
        left=game.left,
        hinted=game.hinted,
        device=game.device,
        others=[
            Rival(name=other.name, bot=other.bot, place=other.place, counts=other.counts)
            for other in game.others
        ],
    )
