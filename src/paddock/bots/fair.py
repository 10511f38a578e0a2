"""Fair cards: all chance of a race follows from one secret, and so does what its bots play.

What is played by such a secret says its hash before, and the secret itself after the last race.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from paddock.bots.interface import Bot
from paddock.bots.registry import bot
from paddock.core.errors import PaddockError
from paddock.core.game import MOST_LINKS, Game
from paddock.core.i18n import _
from paddock.core.log import Entry
from paddock.core.options import Options
from paddock.core.title import Seen, Title
from paddock.core.title import title as find_title
from paddock.core.words import CHANCE
from paddock.kernel.keyed import Keyed, Places
from paddock.kernel.source import Seeded
from paddock.records import Record
from paddock.records.proof import mix

_SECRET = re.compile(r"[0-9a-f]{64}")


def new_secret() -> str:
    """Return a random secret of 256 bits in hex."""
    return secrets.token_hex(32)


def is_secret(text: str) -> bool:
    """Whether a text is such a secret."""
    return _SECRET.fullmatch(text) is not None


def commitment(secret: str) -> str:
    """Return what is shown of a secret before its day is over: the SHA-256 of its 32 bytes, in hex."""
    return hashlib.sha256(bytes.fromhex(secret)).hexdigest()


def keyed(secret: str, said: str) -> Keyed:
    """Return the chance of a race: ``said`` names the race, and nothing else has this name."""
    return Keyed(hmac.digest(bytes.fromhex(secret), said.encode(), "sha256"))


# Bots


def answer(chance: Keyed, player: Bot, seen: Seen, seat: int) -> tuple[int, ...]:
    """Return what a bot submits at a decision: a move, and more links while its chain is open."""
    links: list[int] = []
    legal: Sequence[int] = seen.legal(seat)
    while True:
        links.append(player.choose(seen, seat, legal, Seeded(bot_seed(chance, seen, seat))))
        after = seen.preview(links[-1:], seat)
        seen, legal = after.seen, after.legal
        if after.ended or len(links) == MOST_LINKS:
            return tuple(links)


def bot_seed(chance: Keyed, seen: Seen, seat: int) -> int:
    """Return the seed for a bot's decision. It follows from what the seat sees, and not from the time."""
    head = f"bot {seat} {len(seen.rounds)} "
    return chance.seed(head.encode() + seen.state.present())


def seen_by(game: Game, seat: int) -> Seen:
    """Return what the player of a seat knows; what others commit at the same time is not a part of it."""
    return game.seen(game.options.eyes(game.options.owners[seat]))


# Results


def points_of(game: Game, player: int) -> int:
    """Return the points of a player after a race."""
    return next(line.total for line in game.standings().players if line.who == player)


def place_of(game: Game, player: int) -> int:
    """Return the place of a player after a race; 0 for none."""
    return next(line.rank for line in game.standings().players if line.who == player)


# Checking


@dataclass(frozen=True)
class Race:
    """A race that is said to follow from a secret."""

    said: str  # its name, as in ``keyed``
    label: str  # what people call it
    title: str
    revision: int  # of its rules
    options: str  # as in ``Options.text``
    level: str  # of its bots; empty: their moves do not follow from the secret
    person: int | None = None  # the only player who is no bot; None: those without a level in the record

    @property
    def read(self) -> tuple[Title, Options]:
        """The title and the options."""
        title = find_title(self.title).at(self.revision)
        return title, title.options.read_text(self.options, revision=title.revision)

    def people(self, record: Record) -> frozenset[int]:
        """Return the players whose moves do not follow from the secret."""
        if self.person is not None:
            return frozenset((self.person,))
        if not self.level:
            return frozenset(range(len(record.players)))
        return frozenset(player for player, (_name, level) in enumerate(record.players) if level is None)


@dataclass(frozen=True)
class Proof:
    """What a server tells when all is over."""

    name: str  # of the day or the evening
    commitment: str  # that it says it has shown before
    secret: str
    races: tuple[Race, ...]

    def holds(self, noted: str = "") -> bool:
        """Whether the secret has the hash that somebody noted before, or else the one in the proof."""
        return commitment(self.secret) == (noted.strip().lower() or self.commitment)


@dataclass(frozen=True)
class Checked:
    """How much of a record follows from the secret."""

    outcomes: int
    moves: int  # of bots
    fault: str  # where it does not; empty if all of it does


def proof_in(record: Record) -> Proof | None:
    """Return what a record proves of its own chance; None if it does not.

    Raises ``PaddockError`` if the numbers of its browsers are not those that were mixed in.
    """
    fair = record.fair
    if fair is None:
        return None
    check_mixed(fair.numbers, fair.mixed)
    title, options = record.title, record.options
    race = Race(fair.said, fair.name, title.name, title.revision, options.text, fair.level)
    return Proof(fair.name, fair.commitment, fair.secret, (race,))


def check_mixed(numbers: Mapping[int, str], mixed: str) -> None:
    """Raise ``PaddockError`` if other numbers of browsers were mixed in than these."""
    if mixed and mix(numbers) != mixed:
        raise PaddockError(_("the numbers of the browsers are not those that were mixed with the secret"))


@dataclass(frozen=True)
class Due:
    """What a record says of one draw: where chance is due, what is possible there, and what came."""

    place: str
    came: int
    possible: tuple[tuple[int, str, int], ...]  # number, notation, weight


class _Looking:
    """A chance source that only notes what is due."""

    def __init__(self) -> None:
        self._places = Places()
        self.due: tuple[str, Mapping[int, int]] = "", {}

    def below(self, n: int) -> int:
        return 0

    def pick(self, game: Game, weights: Mapping[int, int]) -> int:
        self.due = self._places.of(game), {outcome: weight for outcome, weight in weights.items() if weight}
        return next(iter(self.due[1]))


def draws(record: Record) -> list[Due]:
    """Return every draw of a complete record, by the rules; raise ``BadRecord``.

    Who knows the key can see from it which outcome is due: see ``Keyed``.
    """
    game, looking, found = Game(record.title, record.options), _Looking(), []
    text, setup = game.title.text, game.setup
    for entry in record.game().log:
        if entry.by == CHANCE:
            game.draw(looking)
            place, weights = looking.due
            possible = tuple((what, str(text.outcome(setup, what)), n) for what, n in weights.items())
            found.append(Due(place, entry.what, possible))
        game.append(entry)
    return found


def check(record: Record, proof: Proof) -> tuple[Race, Checked]:
    """Check a record; return the race that it is, or is most like, and how much follows from the secret.

    A bot that came in for somebody has the choices of a person here. Raises ``PaddockError`` if no race of
    the proof has the title and the options of the record.
    """
    played = record.title.name, record.options
    races = [race for race in proof.races if (race.title, race.read[1]) == played]
    if not races:
        raise PaddockError(_("this record is not from {name}").format(name=proof.name))
    found = [(race, check_race(record, race, proof.secret)) for race in races]
    return max(found, key=lambda pair: (not pair[1].fault, pair[1].outcomes + pair[1].moves))


def check_race(record: Record, race: Race, secret: str) -> Checked:
    """Check whether the cards and dice of a record of a race, and the moves of its bots, follow from the
    secret."""
    people, outcomes, moves = race.people(record), 0, 0
    for number, game, entry, expected in _expected(record, race, secret):
        outcomes += entry.by == CHANCE
        moves += entry.by != CHANCE and game.options.owners[entry.by] not in people
        if expected != entry.what:
            return Checked(outcomes, moves, _fault(game, number, entry, expected))
    return Checked(outcomes, moves, "")


def _expected(record: Record, race: Race, secret: str) -> Iterator[tuple[int, Game, Entry, int]]:
    """Yield the entries of a record, with the game before each, and what should be in its place."""
    title, options = race.read
    game, chance = Game(title, options), keyed(secret, race.said)
    people, player = race.people(record), bot(title, race.level) if race.level else None
    open_seats: dict[int, Seen] = {}  # who has not answered the open decision, with what they saw then
    for number, entry in enumerate(record.game().log, 1):
        expected = entry.what
        if entry.by == CHANCE:
            expected = game.draw(chance).what
        else:
            if not entry.linked:
                open_seats = open_seats or {seat: seen_by(game, seat) for seat in game.deciders}
                seen = open_seats.pop(entry.by)
            if player and options.owners[entry.by] not in people:
                rng = Seeded(bot_seed(chance, seen, entry.by))
                expected = player.choose(seen, entry.by, seen.legal(entry.by), rng)
            seen = seen.preview([entry.what], entry.by).seen
        yield number, game, entry, expected
        game.append(entry)


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
