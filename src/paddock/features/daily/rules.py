"""The daily race: what follows from the secret of a day."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from paddock.bots.fair import answer, keyed, points_of, seen_by
from paddock.bots.registry import WORKS, bot, usual
from paddock.core.extras import has
from paddock.core.game import Game
from paddock.core.log import Entry
from paddock.core.options import Options
from paddock.core.title import Title
from paddock.core.title import title as find_title
from paddock.kernel.keyed import Keyed

_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)


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


def said(day: str, title: str) -> str:
    """Return the name of a race of the day, from which its key follows by the secret."""
    return f"paddock daily 1 {day} {title}"


def source(day: str, title: str, secret: str) -> Keyed:
    """Return the chance of a race of the day."""
    return keyed(secret, said(day, title))


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
