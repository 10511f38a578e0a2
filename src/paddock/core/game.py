"""The one object people meet: a game as a fold over its log."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from operator import index
from typing import Any, Protocol, SupportsIndex

from paddock.core.errors import (
    BadMove,
    BadOption,
    BadPosition,
    IllegalMove,
    PaddockError,
    brief,
    clean_name,
    quoted,
)
from paddock.core.i18n import _
from paddock.core.options import Options
from paddock.core.series import RoundResult, Standings, standings
from paddock.core.title import Move, Title, title
from paddock.core.words import CHANCE

Event = tuple[int, int, int, int]  # a code of the title's rules and three small integers


class ChanceSource(Protocol):
    """Where a game's chance comes from."""

    def below(self, n: int) -> int:
        """A fair draw from 0 … n−1."""


@dataclass(frozen=True)
class Entry:
    """One line of a log: an intent of a seat, or an outcome of chance (``by`` is CHANCE)."""

    by: int
    what: int


@dataclass(frozen=True)
class Told:
    """What one entry of the log led to: the events, of round ``round`` (from 0)."""

    entry: int  # index in the log
    round: int
    events: tuple[Event, ...]


@dataclass(frozen=True)
class Result:
    """The end of a series: its tables, and the players who share the first place."""

    standings: Standings
    winners: tuple[int, ...]


class LegalMoves:
    """The legal moves of a seat, lazily typed; ``in`` takes a move, its notation or its id."""

    def __init__(self, title: Title, ids: Sequence[int]) -> None:
        self._title = title
        self.ids = tuple(ids)

    def __len__(self) -> int:
        return len(self.ids)

    def __iter__(self) -> Iterator[Move]:
        return (self._title.text.move(id) for id in self.ids)

    def __contains__(self, move: object) -> bool:
        try:
            return move_id(self._title, move) in self.ids
        except PaddockError:
            return False

    def __repr__(self) -> str:
        return f"<LegalMoves {' '.join(str(m) for m in self)}>"


def move_id(title: Title, move: object) -> int:
    """The id of a move given as a typed value, a notation or an id; raises ``BadMove``."""
    if isinstance(move, str):
        return title.text.parse_move(move).id
    id = move if isinstance(move, SupportsIndex) else getattr(move, "id", None)
    if isinstance(id, SupportsIndex) and not isinstance(id, bool) and 0 <= index(id) < title.rules.ACTIONS:
        return index(id)
    raise BadMove(f"{quoted(move)} is not a move of {title.label}")


@dataclass(frozen=True)
class Seen:
    """What the holders of the hands ``eyes`` know: the state with everything else wiped.

    Views, legal lists, drawings and bots take this and nothing else.
    """

    title: Title
    options: Options
    setup: Any
    state: Any  # hidden for ``eyes``
    eyes: int  # bitmask of seats; 0 is a spectator
    rounds: tuple[RoundResult, ...]  # finished before this one
    names: tuple[str, ...]  # of the players

    @property
    def deciders(self) -> tuple[int, ...]:
        """The seats that must decide now."""
        return seats_of(self.title.rules.who(self.state, self.setup))

    def legal(self, seat: int) -> list[int]:
        """The ids of the legal moves of ``seat``; empty when it need not decide.

        Raises ``PaddockError`` for a seat that is none of the eyes.
        """
        if not self.eyes >> seat & 1:
            raise PaddockError(f"these eyes do not hold {self.title.seat_name} {seat + 1}")
        if seat not in self.deciders:
            return []
        out = [0] * (self.title.rules.ACTIONS + 1)
        return out[: self.title.rules.legal(self.state, self.setup, seat, out)]

    def seat_name(self, seat: int) -> str:
        """The player's name, with the seat's number where a seat is more than its player."""
        name = self.names[self.options.owners[seat]]
        return name if self.title.seat_name == self.title.player_name else f"{name} ({seat + 1})"


def seats_of(mask: int) -> tuple[int, ...]:
    """The seats of a bitmask, chance left out."""
    return tuple(seat for seat in range(CHANCE) if mask >> seat & 1)


class Game:
    """A series of one title, from its log.

    With a chance source, outcomes are drawn as soon as they are due; without one they are
    appended by hand (``append``), as a replay does. ``names`` are those of the players, all or none:
    raises ``BadOption`` for another number.
    """

    def __init__(
        self,
        title: Title,
        options: Options,
        chance: ChanceSource | None = None,
        names: Sequence[str] = (),
    ) -> None:
        self.title = title
        self.options = options
        self.chance = chance
        usual = [f"{title.player_name.capitalize()} {i + 1}" for i in range(options.players)]
        given = list(names or usual)
        if len(given) != options.players or not all(isinstance(name, str) for name in given):
            raise BadOption([f"names: give {options.players} texts, or none"])
        self.names = tuple(clean_name(name) or other for name, other in zip(given, usual, strict=True))
        self.setup = title.setup.setup(options)
        self.log: list[Entry] = []
        self.told: list[Told] = []
        self.rounds: list[RoundResult] = []
        self._state = title.rules.State()
        self._past: list[tuple[Any, int, int]] = []  # before each intent: state, rounds, length of the log
        self._out = [0] * (max(title.rules.ACTIONS, title.rules.OUTCOMES) + 1)
        title.rules.start(self._state, self.setup)
        self._settle()

    # What may happen now

    @property
    def over(self) -> bool:
        """Whether the whole series is over."""
        return len(self.rounds) == self.options.rounds

    @property
    def deciders(self) -> tuple[int, ...]:
        """The seats that must decide now; several where the rules say «simultaneously»."""
        return seats_of(self._who())

    @property
    def chance_due(self) -> bool:
        """Whether an outcome of chance is awaited."""
        return bool(self._who() >> CHANCE)

    def _who(self) -> int:
        return 0 if self.over else self.title.rules.who(self._state, self.setup)

    def outcomes(self) -> dict[int, int]:
        """The possible outcomes and their integer weights; empty where no chance is due."""
        if not self.chance_due:
            return {}
        weights = self._out[:]
        n = self.title.rules.outcomes(self._state, self.setup, self._out, weights)
        return dict(zip(self._out[:n], weights[:n], strict=True))

    @property
    def heading(self) -> str:
        """What chance decides now, as records write it (``deal 1``); empty where no chance is due."""
        return self.title.text.chance_heading(self._state, self.setup) if self.chance_due else ""

    def legal(self, seat: int) -> LegalMoves:
        """The legal moves of ``seat``, all of them; none when it need not decide.

        Raises ``BadMove`` for a seat that there is not, as ``play`` and ``view`` do.
        """
        seat = self._seat(seat)
        ids = [] if self.over else self.seen(1 << seat).legal(seat)
        return LegalMoves(self.title, ids)

    def why(self, seat: int, move: Move | str | int) -> PaddockError | None:
        """What forbids the move: ``BadMove`` or ``IllegalMove``; None when it is legal."""
        try:
            self._check(self._seat(seat), move)
        except PaddockError as error:
            return error
        return None

    def _seat(self, seat: object) -> int:
        """The seat as an ``int``, which numbers of other libraries become; raises ``BadMove``."""
        n = self.options.seats
        if isinstance(seat, SupportsIndex) and not isinstance(seat, bool) and 0 <= index(seat) < n:
            return index(seat)
        raise BadMove(f"there is no seat {quoted(seat)}: the seats are 0 to {n - 1}")

    def _check(self, seat: int, move: Move | str | int) -> int:
        word = self.title.seat_name
        if self.over:
            raise BadMove(_("the game is over"))
        if seat not in self.deciders:
            awaited = ", ".join(f"{word} {s + 1}" for s in self.deciders) or "chance"
            raise BadMove(
                _("{seat} has nothing to decide now: awaited is {awaited}").format(
                    seat=f"{word} {seat + 1}", awaited=awaited
                )
            )
        id = move_id(self.title, move)
        code = self.title.refusals.why(self._state, self.setup, seat, id)
        if code:
            raise IllegalMove(*self.title.text.refusal(code, id))
        return id

    # What follows

    def play(self, seat: int, move: Move | str | int) -> list[Event]:
        """Make a move; returns the events it led to, chance included. Raises what ``why`` says."""
        seat = self._seat(seat)
        id = self._check(seat, move)
        self._past.append((self._state.copy(), len(self.rounds), len(self.log)))
        before = len(self.told)
        self._apply(seat, id)
        self._settle()
        return [event for told in self.told[before:] for event in told.events]

    def append(self, entry: Entry) -> None:
        """Take the next entry of a log: a move (checked as ``play`` does) or a possible outcome.

        Raises ``BadMove`` and ``IllegalMove``; nothing has changed then.
        """
        if entry.by != CHANCE:
            self.play(entry.by, entry.what)
        elif not self.chance_due:
            raise BadMove("no chance is due here")
        elif not self.outcomes().get(entry.what):
            raise BadMove("this outcome is not possible here")
        else:
            self._apply(CHANCE, entry.what)
            self._settle()

    def _apply(self, by: int, what: int) -> None:
        s = self._state
        self.title.rules.apply(s, self.setup, by, what)
        events = tuple(tuple(s.event[i, j] for j in range(4)) for i in range(s.told))
        if events:
            self.told.append(Told(len(self.log), len(self.rounds), events))
        self.log.append(Entry(by, what))

    def _settle(self) -> None:
        """Start the next round when one is over, and draw the chance that is due."""
        while not self.over:
            who = self._who()
            if not who:
                self.rounds.append(self._round_result())
                if not self.over:
                    self.title.again(self._state, self.setup)
            elif who >> CHANCE and self.chance:
                self._apply(CHANCE, self.draw(self.chance).what)
            else:
                return

    def draw(self, chance: ChanceSource) -> Entry:
        """The outcome that falls now, drawn from ``chance`` by its weight and not yet taken."""
        weighted = self.outcomes()
        x = chance.below(sum(weighted.values()))
        for outcome, weight in weighted.items():
            if x < weight:
                return Entry(CHANCE, outcome)
            x -= weight
        raise AssertionError("chance drew beyond its weights")

    def _round_result(self) -> RoundResult:
        n, out = self.options.seats, [0] * self.title.rules.MAX_SEATS
        self.title.rules.scores(self._state, self.setup, out)
        scores = tuple(out[:n])
        self.title.rules.places(self._state, self.setup, out)
        return RoundResult(scores, tuple(out[:n]))

    def undo(self) -> Entry:
        """Take back the last intent and the chance that followed it; returns the intent.

        Raises ``BadMove`` where there is none. A seeded chance goes on from where it is: it falls anew.
        """
        if not self._past:
            raise BadMove("there is nothing to undo")
        self._state, rounds, length = self._past.pop()
        entry = self.log[length]
        del self.rounds[rounds:], self.log[length:]
        while self.told and self.told[-1].entry >= length:
            self.told.pop()
        return entry

    def fork(self) -> Game:
        """The same game again: what happens to one does not happen to the other."""
        twin = copy(self)
        twin.log, twin.told, twin.rounds = list(self.log), list(self.told), list(self.rounds)
        twin._past = list(self._past)
        twin._state = self._state.copy()
        return twin

    # What is seen

    def seen(self, eyes: int, pending: Mapping[int, int] | None = None) -> Seen:
        """What the holders of the hands ``eyes`` (a bitmask of seats) know.

        ``pending`` are commitments (seat to move id) of an open simultaneous decision that
        are not in the log yet; never all that are awaited, for the last one reveals them.
        """
        state = self._state.copy()
        for seat, move in (pending or {}).items():
            self.title.rules.apply(state, self.setup, seat, move)
        self.title.rules.hide(state, self.setup, eyes)
        rounds = tuple(self.rounds)
        return Seen(self.title, self.options, self.setup, state, eyes, rounds, self.names)

    def shown(self, eyes: int, entry: Entry) -> int:
        """What ``eyes`` see of an entry in the moment it is taken: its ``what``, or HIDDEN."""
        return self.title.rules.seen(self._state, self.setup, eyes, entry.by, entry.what)

    def view(self, seats: int | Iterable[int] | None = None) -> Any:
        """The title's view for one seat, several, or None (a spectator)."""
        given = () if seats is None else seats if isinstance(seats, Iterable) else (seats,)
        held = {self._seat(seat) for seat in given}
        return self.title.view.view(self.seen(sum(1 << seat for seat in held)))

    def standings(self) -> Standings:
        """The tables after the finished rounds."""
        return standings(self.options, self.rounds)

    @property
    def team_names(self) -> tuple[str, ...]:
        """What every team is called: its players. Empty where there are no teams."""
        teams = self.options.teams
        return tuple(
            " & ".join(name for name, team in zip(self.names, teams, strict=True) if team == which)
            for which in range(len(set(teams)))
        )

    @property
    def result(self) -> Result | None:
        """The tables and the winners; None while the series goes on."""
        if not self.over:
            return None
        tables = self.standings()
        return Result(tables, tuple(line.who for line in tables.players if line.rank == 1))

    @property
    def story(self) -> list[str]:
        """What happened, a sentence an event, the oldest first."""
        names = [self.seen(0).seat_name(seat) for seat in range(self.options.seats)]
        lines = (self.title.text.line(e, names) for told in self.told for e in told.events)
        return [line for line in lines if line]

    # What it is

    @property
    def position(self) -> str:
        """The whole position as a line of text; ``position(text)`` reads it back strictly."""
        results = "/".join(
            ",".join(f"{p}:{s}" for p, s in zip(r.places, r.scores, strict=True)) for r in self.rounds
        )
        head = f"{self.title.name}/{self.title.revision} {self.options.text} results={results or '-'}"
        return head if self.over else f"{head} {self.title.text.position(self._state, self.setup)}"

    @property
    def digest(self) -> int:
        """64 bits of the position: equal positions, equal digests."""
        return int.from_bytes(hashlib.blake2b(self.position.encode(), digest_size=8).digest(), "big")

    def __repr__(self) -> str:
        return f"paddock.position({self.position!r})"

    def _repr_svg_(self) -> str:
        return self.title.draw.svg(self.view(range(self.options.seats)))


def position(text: str, chance: ChanceSource | None = None, names: Sequence[str] = ()) -> Game:
    """The game that stands in a position; raises ``BadPosition`` listing every fault."""
    head, *rest = text.split() or [""]
    name, _slash, revision = head.partition("/")
    try:
        found = title(name)
    except PaddockError as error:
        raise BadPosition([str(error)]) from None
    if revision != str(found.revision):
        raise BadPosition([f"«{brief(head)}»: this Paddock reads {found.name}/{found.revision}"])
    words: dict[str, str] = {}
    faults = []
    for word in rest:
        key, equals, value = word.partition("=")
        if not equals or key in words:
            faults.append(f"«{brief(word)}»: write each field once, as name=value")
        words[key] = value
    try:
        option_words = {k: words.pop(k) for k in list(words) if k in found.options.model_fields}
        options = found.options.read(option_words)
    except BadOption as error:
        raise BadPosition([*faults, *error.faults]) from None
    results, wrong = _results(words.pop("results", ""), found, options)
    faults += wrong
    if faults:
        raise BadPosition(faults)
    game = Game(found, options, None, names)
    game.rounds = results
    if not game.over:
        game._state = found.text.parse_position(words, game.setup)
    elif words:
        raise BadPosition([f"«{'», «'.join(words)}»: the series is over, nothing follows the results"])
    if game.position != text:
        raise BadPosition([f"write it as: {game.position}"])
    game.chance = chance
    game._settle()
    return game


def _results(text: str, found: Title, options: Options) -> tuple[list[RoundResult], list[str]]:
    """The finished rounds of a position, and their faults."""
    if text == "-":
        return [], []
    setup, rounds = found.setup.setup(options), []
    for part in text.split("/"):
        try:
            pairs = [tuple(map(int, pair.split(":"))) for pair in part.split(",")]
            places, scores = zip(*((p, s) for p, s in pairs), strict=True)
        except ValueError:
            wanted = "write place:score for each seat, rounds separated by /, or -"
            return [], [f"results={brief(text)}: {wanted}"]
        if len(places) != options.seats or any(not 0 <= p <= options.seats for p in places):
            return [], [f"results={brief(part)}: there are {options.seats} seats, each with its place"]
        if fault := found.text.result_fault(places, scores, setup):
            return [], [f"results={brief(part)}: {fault}"]
        rounds.append(RoundResult(places=places, scores=scores))
    if len(rounds) > options.rounds:
        return [], [f"results={brief(text)}: the series has {options.rounds} rounds only"]
    return rounds, []
