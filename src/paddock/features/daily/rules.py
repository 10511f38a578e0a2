"""The daily race: what follows from the secret of a day, and how anybody checks it afterwards."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from pydantic import TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass as checked_dataclass

from paddock.bots.fair import answer, bot_seed, keyed, points_of, seen_by
from paddock.bots.registry import WORKS, bot, usual
from paddock.core.errors import PaddockError
from paddock.core.extras import has
from paddock.core.game import Game
from paddock.core.i18n import _
from paddock.core.log import Entry
from paddock.core.options import Options
from paddock.core.title import Seen, Title
from paddock.core.title import title as find_title
from paddock.core.words import CHANCE
from paddock.kernel.keyed import Keyed
from paddock.kernel.source import Seeded
from paddock.records import Record

_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_SECRET = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class Deal:
    """What is played on a day: by the secret of the day, everything else in the game follows."""

    day: str  # 2026-11-26
    title: str
    revision: int  # of its rules
    options: str  # as in ``Options.text``
    player: int  # whom the people play
    level: str  # of the bots that play the others

    @property
    def read(self) -> tuple[Title, Options]:
        """The title and the options."""
        title = find_title(self.title).at(self.revision)
        return title, title.options.read_text(self.options, revision=title.revision)


# Days and secrets


def day_of(now: datetime) -> str:
    """Return the day of a moment: days begin at midnight UTC."""
    return now.astimezone(UTC).date().isoformat()


def shifted(day: str, days: int) -> str:
    """Return the day so many days later."""
    return (date.fromisoformat(day) + timedelta(days=days)).isoformat()


def end_of(day: str) -> datetime:
    """Return the moment at which a day ends."""
    return datetime.combine(date.fromisoformat(shifted(day, 1)), datetime.min.time(), UTC)


def is_day(text: str) -> bool:
    """Whether a text is a day."""
    if not _DAY.fullmatch(text):
        return False
    try:
        return date.fromisoformat(text) < date.max
    except ValueError:
        return False


def source(day: str, title: str, secret: str) -> Keyed:
    """Return the chance of a race of the day."""
    return keyed(secret, f"paddock daily 1 {day} {title}")


def deal_of(title: Title, day: str, secret: str) -> Deal:
    """Return the race of a title on a day: its first preset, and a seat that changes from day to day."""
    values = title.presets[0].values if title.presets else title.one_round
    options = title.options.read(values)
    player = source(day, title.name, secret).seed(b"player") % options.players
    return Deal(day, title.name, title.revision, options.text, player, usual(title))


# Par


def par_level(title: Title) -> str:
    """Return the level that makes the par here: *Works*, or the usual one without the compiler."""
    return WORKS if has("fast") else usual(title)


def further(
    deal: Deal, secret: str, log: Sequence[Entry], level: str, seconds: float
) -> tuple[list[Entry], int | None]:
    """Play the race of a day on from ``log``, with a bot of this level in the seat of the people.

    Return the log after about so many seconds, and the points if the race is over.
    """
    title, options = deal.read
    game, chance = Game(title, options), source(deal.day, deal.title, secret)
    for entry in log:
        game.append(entry)
    ours, theirs = bot(title, level), bot(title, deal.level)
    until = time.monotonic() + seconds
    while not game.over and time.monotonic() < until:
        if game.chance_due:
            game.append(game.draw(chance))
            continue
        chosen = {
            seat: answer(chance, ours if mine(deal, game, seat) else theirs, seen_by(game, seat), seat)
            for seat in game.deciders
        }
        for seat, links in chosen.items():
            game.play(seat, links)
    return list(game.log), points_of(game, deal.player) if game.over else None


def mine(deal: Deal, game: Game, seat: int) -> bool:
    """Whether a seat is that of the people."""
    return game.options.owners[seat] == deal.player


# Checking


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

    def race(self, title: str) -> ToldRace:
        """Return the race of a title; raise ``PaddockError`` if there was none."""
        for race in self.races:
            if race.title == title:
                return race
        raise PaddockError(_("there was no race of {title} on {day}").format(day=self.day, title=title))


@dataclass(frozen=True)
class DayCheck:
    """How much of a record follows from the secret of its day."""

    outcomes: int
    moves: int  # of bots
    fault: str  # where it does not; empty if all of it does


def read_day(text: str) -> ToldDay:
    """Read a day as the server tells it; raise ``PaddockError`` if it is none, or is not over."""
    try:
        said: Any = json.loads(text)
        races = [{"day": said["day"], **_known(race)} for race in said["races"]]
        day = TypeAdapter(ToldDay).validate_python(
            {name: said[name] for name in ("day", "commitment", "secret")} | {"races": races}
        )
    except (ValueError, KeyError, TypeError, ValidationError):
        sentence = _("this is not about a day: give the answer of /api/v1/daily/DAY, for a day that is over")
        raise PaddockError(sentence) from None
    if not (is_day(day.day) and _SECRET.fullmatch(day.secret)):
        raise PaddockError(_("the secret of this day is not public yet: it is shown when the day is over"))
    return day


def _known(race: dict[str, Any]) -> dict[str, Any]:
    names = "title", "revision", "options", "player", "level", "par", "par_level"
    return {name: race[name] for name in names}


def check(record: Record, deal: Deal, secret: str) -> DayCheck:
    """Check whether the cards and dice of a record, and the moves of its bots, follow from the secret.

    Raises ``PaddockError`` if it is a record of something else.
    """
    title, options = deal.read
    if (record.title.name, record.options) != (title.name, options):
        raise PaddockError(_("this record is not from the race of {day}").format(day=deal.day))
    log = record.game().log
    game, chance, player = Game(title, options), source(deal.day, deal.title, secret), bot(title, deal.level)
    outcomes = moves = 0
    open_seats: dict[int, Seen] = {}  # who has not answered the open decision, with what they saw then
    for number, entry in enumerate(log, 1):
        if entry.by == CHANCE:
            outcomes += 1
            expected = game.draw(chance).what
        else:
            if not entry.linked:
                open_seats = open_seats or {seat: seen_by(game, seat) for seat in game.deciders}
                seen = open_seats.pop(entry.by)
            expected = entry.what
            if not mine(deal, game, entry.by):
                moves += 1
                rng = Seeded(bot_seed(chance, seen, entry.by))
                expected = player.choose(seen, entry.by, seen.legal(entry.by), rng)
            seen = seen.preview([entry.what], entry.by).seen
        if expected != entry.what:
            return DayCheck(outcomes, moves, _fault(game, number, entry, expected))
        game.append(entry)
    return DayCheck(outcomes, moves, "")


def _fault(game: Game, number: int, entry: Entry, expected: int) -> str:
    text, setup = game.title.text, game.setup
    if entry.by == CHANCE:
        words = _("entry {n}: “{heading}” should be {expected}, and is {found}")
        named = [str(text.outcome(setup, what)) for what in (expected, entry.what)]
        return words.format(n=number, heading=game.heading, expected=named[0], found=named[1])
    words = _("entry {n}: the bot of {word} {seat} plays {expected} here, and not {found}")
    named = [str(text.move(setup, what)) for what in (expected, entry.what)]
    seat, word = entry.by + 1, _(game.title.seat_name)
    return words.format(n=number, word=word, seat=seat, expected=named[0], found=named[1])
