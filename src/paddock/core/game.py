"""``Game``: the state of a series, computed from its log of moves and chance outcomes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import EllipsisType
from typing import TYPE_CHECKING, Any

from paddock.core.errors import BadMove, BadOption, OutOfBounds, PaddockError, clean_name, quoted, whole
from paddock.core.i18n import Sentence, _, mark
from paddock.core.legal import LegalMoves as LegalMoves
from paddock.core.log import Entry, Event, EventBatch, EventLog, Log, Snapshot
from paddock.core.outcomes import Outcomes
from paddock.core.series import RoundResult, Standings, standings
from paddock.core.source import ChanceSource as ChanceSource
from paddock.core.source import System, drawn, source_of
from paddock.core.title import Move, Moves, Seen, Title, chain_over, links_of, move_id, seats_of
from paddock.core.transcript import Made, moves_of, readable_transcript, transcript
from paddock.core.words import CHANCE

if TYPE_CHECKING:
    from paddock.core.options import Options

SPACING = 128  # entries between two snapshots; the latest two submissions always have one
MOST_LINKS = 100  # the most moves in one submission
_ONLY = mark("{name}: {reason}, so the only possible move is played.")


@dataclass(frozen=True)
class Result:
    """The result of a series: the final standings, and the players who share first place."""

    standings: Standings
    winners: tuple[int, ...]


class Game:
    """A series of games of one title, with its log.

    With a chance source, outcomes are drawn as soon as they are due. Without one they must be added
    with ``append``, as a replay does. ``names`` are the names of all players, or empty for the default
    names; any other number raises ``BadOption``.

    A game is not safe to be shared by threads: give each its own ``fork``, or use a lock.

        >>> import paddock
        >>> game = paddock.start("rasant", players=2, names=["Ana", "Ben"], seed=3)
        >>> game.deciders
        (0,)
        >>> game.legal(0)
        <LegalMoves r70 b20 b30 b120 y100 y130>
        >>> events = game.play(0, "r70")
        >>> game.story[-1]
        'Ana leads red 70.'
        >>> game.undo()
        [Entry(by=0, what=6, linked=False)]
        >>> game.over, game.result
        (False, None)
    """

    def __init__(
        self,
        title: Title,
        options: Options,
        chance: ChanceSource | None = None,
        names: Sequence[str] = (),
    ) -> None:
        self._sit(title, options, chance, names)
        self._start()
        self._begin()

    def _sit(self, title: Title, options: Options, chance: ChanceSource | None, names: Sequence[str]) -> None:
        """Set what a game has before its state."""
        self.title = title
        self.options = options
        self.chance = chance
        usual = title.usual_names(options.players)
        wanted = list(names or usual)
        if len(wanted) != options.players or not all(isinstance(name, str) for name in wanted):
            raise BadOption([_("names: give {n} texts, or none").format(n=options.players)])
        self.names = tuple(clean_name(name) or default for name, default in zip(wanted, usual, strict=True))
        self.setup = title.setup_of(options)
        self.log = Log()
        self.events = EventLog()  # all events, secrets included; ``events_for`` filters them
        self.rounds: list[RoundResult] = []

    def _start(self) -> None:
        """Set the state at the start of a round, before any chance."""
        self._state = self.title.rules.State()
        self.title.rules.start(self._state, self.setup)

    def _begin(self) -> None:
        """Prepare to play from ``_state``, with an empty log."""
        self.linkable = -1  # the seat that may extend the last submission, or −1
        self._told = 0  # how many events the last move told, or the chance that was due at once
        self._digest: int | None = None
        self._snapshots = [self._snapshot()]
        self._settle()

    @classmethod
    def from_state(
        cls,
        title: Title,
        options: Options,
        state: Any,
        rounds: Sequence[RoundResult],
        chance: ChanceSource | None = None,
        names: Sequence[str] = (),
    ) -> Game:
        """Create a game that starts from ``state`` after the finished ``rounds``, with an empty log."""
        game = cls.__new__(cls)
        game._sit(title, options, chance, names)
        game.rounds = list(rounds)
        if state is None:
            game._start()
        else:
            game._state = state
        game._begin()
        return game

    # What can happen now

    @property
    def over(self) -> bool:
        """Whether the whole series is over."""
        return len(self.rounds) == self.options.rounds

    @property
    def deciders(self) -> tuple[int, ...]:
        """The seats that must decide now; several if they decide simultaneously."""
        return seats_of(self._who())

    @property
    def chance_due(self) -> bool:
        """Whether the next entry is a chance outcome."""
        return bool(self._who() >> CHANCE)

    def _who(self) -> int:
        return 0 if self.over else self.title.rules.who(self._state, self.setup)

    def outcomes(self) -> Outcomes:
        """Return the possible chance outcomes and their integer weights; empty if no chance is due.

        ``outcomes().names`` has the notation of each, and ``outcomes().id_of("R")`` the id of a notation.
        """
        return Outcomes(self._outcomes(), self.title, self.setup, self.heading)

    def _outcomes(self) -> dict[int, int]:
        return self.title.outcomes(self._state, self.setup) if self.chance_due else {}

    @property
    def heading(self) -> str:
        """What chance decides now, as in records (``deal 1``); empty if no chance is due."""
        return self.title.text.chance_heading(self._state, self.setup) if self.chance_due else ""

    def legal(self, seat: int) -> LegalMoves:
        """Return all legal moves of ``seat``; none if it has nothing to decide now.

        Raises ``BadMove`` for a seat that does not exist, as ``play`` and ``view`` do.

            >>> import paddock
            >>> moves = paddock.start("lacorsa", drivers=4, seed=7).legal(0)
            >>> moves
            <LegalMoves 1 3 5 6 8 9 10 11>
            >>> moves[-1].id, str(moves[-1]), "12" in moves
            (11, '11', False)
        """
        seat = self._seat(seat)
        seen = self.seen(1 << seat)
        return LegalMoves(seen, seat, () if self.over else seen.legal(seat))

    def only(self, seat: int) -> tuple[int, Sentence] | None:
        """Return the id of the only legal move of ``seat``, and a sentence that says why it is the only one.

        None if there is a choice, or if a move that comes by itself would tell the others of a hand: see the
        room ``forced.py`` of the title. For example:

            >>> import paddock
            >>> game = paddock.start("rasant", seed=7)
            >>> game.only(0) is None
            True
        """
        legal = self.legal(seat)
        if len(legal) != 1 or not (room := self.title.forced):
            return None
        seen, move = self.seen(0), legal.ids[0]
        reason = room.why(seen, seat, move)
        return None if reason is None else (move, Sentence(_ONLY, name=seen.seat_name(seat), reason=reason))

    def why(self, seat: int, move: Move | str | int) -> PaddockError | None:
        """Return the error that ``play`` would raise for this move; None if it is legal.

        For example:

            >>> import paddock
            >>> game = paddock.start("lacorsa", drivers=4, seed=7)
            >>> print(game.why(0, "12"))
            LC-3.1 the hand holds no 12
            >>> game.why(0, "11") is None
            True
        """
        try:
            self._check(self._seat(seat), move)
        except PaddockError as error:
            return error
        return None

    def _seat(self, seat: object) -> int:
        """Convert any integer type to a seat number; raise ``BadMove`` if there is no such seat."""
        n, number = self.options.seats, whole(seat)
        if number is not None and 0 <= number < n:
            return number
        raise BadMove(
            _("there is no seat {seat}: the seats are 0 to {last}").format(seat=quoted(seat), last=n - 1)
        )

    def _check(self, seat: int, move: Move | str | int) -> int:
        """Return the id of a move if the seat may play it now; raise ``BadMove`` or ``IllegalMove``."""
        word = _(self.title.seat_name)
        if self.over:
            raise BadMove(_("the game is over"))
        if seat not in self.deciders:
            awaited = ", ".join(f"{word} {s + 1}" for s in self.deciders) or _("chance")
            raise BadMove(
                _("{seat} has nothing to decide now: the game waits for {awaited}").format(
                    seat=f"{word} {seat + 1}", awaited=awaited
                )
            )
        id = move_id(self.title, self.setup, move)
        if refused := self.title.refused(self._state, self.setup, seat, id):
            raise refused
        return id

    # Playing

    def play(self, seat: int, moves: Moves) -> list[Event]:
        """Play one move, or several as one submission; return the events that follow, chance included.

        A submission ends at the latest at the next chance, reveal or decision of another seat.
        Raises ``BadMove`` or ``IllegalMove`` for the first illegal move; then no move is played.

            >>> import paddock
            >>> game = paddock.start("rasant", players=2, seed=3)
            >>> game.play(0, "r70")
            [Event(code=2, a=0, b=6, c=0, eyes=-1)]
            >>> game.play(0, "b20")
            Traceback (most recent call last):
                ...
            paddock.core.errors.BadMove: player 1 has nothing to decide now: the game waits for player 2
        """
        seat = self._seat(seat)
        first, *links = _links(moves)
        id, length, before = self._check(seat, first), len(self.log), len(self.events)
        self._keep()
        try:
            self._apply(seat, id)
            for n, link in enumerate(links, 1):
                if self.linkable != seat:
                    raise BadMove(chain_over(n))
                self._apply(seat, self._check(seat, link), linked=True)
            self._settle()
        except BaseException:  # a fault of the title or of the chance source, or Ctrl-C, too
            self._rewind(length)
            raise
        return [event for batch in self.events[before:] for event in batch.events]

    def append(self, entry: Entry) -> None:
        """Apply the next entry of a log: a legal move or a possible chance outcome.

        Raises ``BadMove`` or ``IllegalMove``, and then changes nothing.
        """
        if not isinstance(entry, Entry):
            raise BadMove(_("{what} is not a log entry").format(what=quoted(entry)))
        if entry.by != CHANCE:
            seat = self._seat(entry.by)
            id = self._check(seat, entry.what)
            if not entry.linked:
                self._keep()
            elif self.linkable != seat:
                raise BadMove(_("there is no open submission to add this move to"))
            self._apply(seat, id, linked=entry.linked)
            self._settle()
        elif not self.chance_due:
            raise BadMove(_("no chance outcome is expected here"))
        else:
            outcome = whole(entry.what)
            if entry.linked or outcome is None or not self._outcomes().get(outcome):
                raise BadMove(_("this outcome is not possible here"))
            self._apply(CHANCE, outcome)
            self._settle()

    def _apply(self, by: int, id: int, *, linked: bool = False) -> None:
        """Apply an entry that has been validated."""
        s, g = self._state, self.setup
        foreseen = by != CHANCE and self.title.foreseen(s, g, by, id)
        s.events = []
        self.title.rules.apply(s, g, by, id)
        self._told += len(s.events)
        if by != CHANCE:
            self._check_told()
        if s.events:
            self.events.append(len(self.log), len(self.rounds), s.events)
        s.events = None
        self.log.append(Entry(by, id, linked))
        self.linkable = by if foreseen and self.title.rules.who(s, g) == 1 << by else -1
        self._digest = None

    def _keep(self) -> None:
        """Take a snapshot before a submission. Keep the latest two, and one in ``SPACING`` entries before."""
        snapshots = self._snapshots
        if snapshots[-1].at < len(self.log):
            snapshots.append(self._snapshot())
            if len(snapshots) > 3 and snapshots[-3].at - snapshots[-4].at < SPACING:
                del snapshots[-3]

    def _snapshot(self) -> Snapshot:
        state = self._state.tobytes()
        return Snapshot(len(self.log), len(self.rounds), self.linkable, self._who(), state)

    def _rewind(self, length: int) -> None:
        """Shorten the log to ``length``: restore a snapshot and replay the entries after it."""
        while self._snapshots[-1].at > length:
            self._snapshots.pop()
        snapshot = self._snapshots[-1]
        entries = self.log[snapshot.at : length]
        self._state = self.title.rules.State.frombytes(snapshot.state)
        del self.rounds[snapshot.rounds :]
        self.log.cut(snapshot.at)
        self.events.cut(snapshot.at)
        self.linkable, self._digest, self._told = snapshot.linkable, None, 0
        chance, self.chance = self.chance, None
        for entry in entries:
            self._apply(entry.by, entry.what, linked=entry.linked)
            self._settle()
        self.chance = chance

    def _settle(self) -> None:
        """Start the next round if one is over, and draw all chance that is due."""
        while not self.over:
            who, seats = self._who(), self.options.seats
            if not who >> CHANCE:
                self._check_told()
                if who >> seats:
                    raise OutOfBounds("MAX_SEATS", who.bit_length(), seats)
            if not who:
                self.rounds.append(self._round_result())
                if not self.over:
                    self.title.again(self._state, self.setup)
            elif who >> CHANCE and self.chance:
                self._apply(CHANCE, self.draw(self.chance).what)
            else:
                return

    def _check_told(self) -> None:
        """Check how many events a move told, or all chance that was due at once."""
        events_told, self._told = self._told, 0
        if events_told > (most := self.title.rules.MAX_EVENTS):
            raise OutOfBounds("MAX_EVENTS", events_told, most)

    def draw(self, chance: ChanceSource) -> Entry:
        """Draw an outcome from ``chance`` by weight, and return it without applying it."""
        return Entry(CHANCE, drawn(chance, self, self._outcomes()))

    def _round_result(self) -> RoundResult:
        n, (scores, places) = self.options.seats, self.title.results(self._state, self.setup)
        return RoundResult(tuple(scores[:n]), tuple(places[:n]))

    def undo(self) -> list[Entry]:
        """Undo the last submission and the chance after it; return its moves.

        Raises ``BadMove`` if there is no submission. A seeded chance source is not rewound, so chance
        is drawn again.
        """
        start = self.log.submission()
        if start < 0:
            raise BadMove(_("there is nothing to undo"))
        moves = [entry for entry in self.log[start:] if entry.by != CHANCE]
        self._rewind(start)
        return moves

    def at(self, length: int) -> Game:
        """Return a copy of the game after the first ``length`` entries of its log, without a chance source.

        Raises ``PaddockError`` if the log is shorter.
        """
        count = whole(length)
        if count is None or not 0 <= count <= len(self.log):
            raise PaddockError(
                _("choose a log entry between {first} and {n}").format(first=0, n=len(self.log))
            )
        copied = self.fork(chance=None)
        if count < len(self.log):
            copied._rewind(count)
        return copied

    def deciders_before(self, entry: int) -> tuple[int, ...]:
        """Return the seats that had to decide before an entry of the log."""
        who = next((snapshot.who for snapshot in self._snapshots if snapshot.at == entry), None)
        return self.at(entry).deciders if who is None else seats_of(who)

    def fork(self, *, chance: ChanceSource | EllipsisType | None = ...) -> Game:
        """Return an independent copy of the game, with another future.

        ``chance`` draws what is not drawn yet: by default the operating system, or nobody if the game has no
        chance source. ``copy.deepcopy(game.chance)`` gives both games the same future. All that is hidden now
        stays as it is: for a search, deal it again with ``seen.sample``.
        """
        copied = type(self).__new__(type(self))
        copied.__dict__.update(self.__dict__)
        copied.log, copied.events, copied.rounds = self.log.copy(), self.events.copy(), list(self.rounds)
        copied._snapshots = list(self._snapshots)
        copied._state = self._state.copy()
        if isinstance(chance, EllipsisType):
            copied.chance = self.chance and System()
            return copied
        copied.chance = None if chance is None else source_of(chance)
        copied._settle()
        return copied

    @property
    def from_position(self) -> bool:
        """Whether the log begins in a position, or in a sample, and not at the start of the series."""
        first, start = self._snapshots[0], self.title.rules.State()
        self.title.rules.start(start, self.setup)
        return bool(first.rounds) or first.state != start.tobytes()

    def __eq__(self, other: object) -> bool:
        """Whether title, options, names, log and state are equal; chance sources are not compared."""
        return isinstance(other, Game) and self._identity() == other._identity()

    __hash__ = None  # type: ignore[assignment]  # mutable

    def _identity(self) -> tuple[Any, ...]:
        return self.title, self.options, self.names, self.log, self.rounds, self._state.tobytes()

    # What players see

    def seen(self, eyes: int, pending: Mapping[int, int] | None = None) -> Seen:
        """Return what the owners of the seats ``eyes`` (a bitmask) know together.

        ``pending`` holds the commitments (seat to move id) of an open simultaneous decision that are
        not in the log yet. It is never complete: the last commitment reveals them all.
        """
        state = self._state.copy()
        for seat, move in (pending or {}).items():
            self.title.rules.apply(state, self.setup, seat, move)
        self.title.rules.hide(state, self.setup, eyes)
        rounds = tuple(self.rounds)
        return Seen(self.title, self.options, self.setup, state, eyes, rounds, self.names)

    def shown(self, eyes: int, entry: Entry) -> int:
        """Return what ``eyes`` see of an entry when it is applied: its ``what``, or HIDDEN."""
        return self.title.rules.seen(self._state, self.setup, eyes, entry.by, entry.what)

    def whole(self) -> Any:
        """Return a copy of the state with all its secrets, which no player may see."""
        return self._state.copy()

    def events_for(self, eyes: int, since: int = 0) -> Sequence[EventBatch]:
        """Return the events as the owners of the seats ``eyes`` learned of them.

        Those before the batch ``since`` of ``events`` are left out.
        """
        if self.events.public and not hasattr(self.title.rules, "event_for"):
            return self.events[since:] if since else self.events
        out = []
        for batch in self.events[since:] if since else self.events:
            events = [self.title.event_for(self.setup, eyes, event) for event in batch.events]
            if known_events := tuple(event for event in events if event is not None):
                out.append(EventBatch(batch.entry, batch.round, known_events))
        return out

    def view(self, seats: int | Iterable[int] | None = None) -> Any:
        """Return the title's view for one seat, several seats together, or None (a spectator)."""
        seats_given = () if seats is None else seats if isinstance(seats, Iterable) else (seats,)
        seats_held = {self._seat(seat) for seat in seats_given}
        return self.title.view.view(self.seen(sum(1 << seat for seat in seats_held)))

    def standings(self) -> Standings:
        """Return the standings after the finished rounds."""
        return standings(self.options, self.rounds)

    @property
    def team_names(self) -> tuple[str, ...]:
        """The name of every team, made of its players' names; empty if there are no teams."""
        teams = self.options.teams
        return tuple(
            " & ".join(name for name, team in zip(self.names, teams, strict=True) if team == number)
            for number in range(len(set(teams)))
        )

    @property
    def result(self) -> Result | None:
        """The final standings and the winners; None while the series is running."""
        if not self.over:
            return None
        tables = self.standings()
        return Result(tables, tuple(line.who for line in tables.players if line.rank == 1))

    @property
    def story(self) -> list[str]:
        """All events as sentences, the oldest first, secrets included."""
        return self.story_for((1 << self.options.seats) - 1)

    def story_for(self, eyes: int, since: int = 0) -> list[str]:
        """Return the events that the seats ``eyes`` learned of, as sentences, from log entry ``since`` on."""
        names = self.seen(0).seat_names
        return [
            sentence
            for batch in self.events_for(eyes)
            if batch.entry >= since
            for _place, _event, sentence in self.title.sentences(self.setup, batch, names)
        ]

    def moves(self) -> list[Made]:
        """Return all moves of the log: who made it, its notation and a sentence. Secret ones are included.

        The log is replayed each time.
        """
        return moves_of(self)

    def transcript(self, eyes: int | None) -> str:
        """Return the story as text, as the owners of the seats ``eyes`` (a bitmask) saw it; None: with all
        secrets, 0: as a spectator saw it.

        Each move is a line with its notation, ``?`` if the eyes did not see it, and under it what happened.
        Outcomes of chance are there if the eyes saw them. The log is replayed each time. Raises
        ``PaddockError`` if ``eyes`` is no bitmask of seats.
        """
        return readable_transcript(self, eyes)

    def information_state(self, seat: int) -> str:
        """Return what the player of ``seat`` was shown up to now, as text: its options, then every entry.

        Two games have the same text if and only if that player, with perfect memory, cannot tell them apart.
        An entry that it did not see is ``?``. The log is replayed each time.
        """
        seat, title = self._seat(seat), self.title
        eyes = self.options.eyes(self.options.owners[seat])
        head = f"{title.name}/{title.revision} {self.options.text} {title.seat_name}={seat + 1}"
        game = self.at(0)
        if self.from_position:
            results = "/".join(f"{r.places}:{r.scores}" for r in game.rounds)
            head += f" results={results} state={game.seen(eyes).state.present().hex()}"
        return "\n".join([head, *transcript(game, self.log, eyes)])

    # Positions

    @property
    def position(self) -> str:
        """The complete position as one line of text; ``paddock.position(text)`` parses it."""
        return f"{self.title.name}/{self.title.revision} {self.options.text} {self.position_words}"

    @property
    def position_words(self) -> str:
        """The position without title and options: the finished rounds and the state of the current one."""
        results = "/".join(
            ",".join(f"{p}:{s}" for p, s in zip(r.places, r.scores, strict=True)) for r in self.rounds
        )
        state = "" if self.over else f" {self.title.text.position(self._state, self.setup)}"
        return f"results={results or '-'}{state}"

    @property
    def digest(self) -> int:
        """A 64-bit hash of the position."""
        if self._digest is None:
            self._digest = digest_of(self.position)
        return self._digest

    def __repr__(self) -> str:
        return f"paddock.position({self.position!r})"

    def _repr_svg_(self) -> str | None:
        """The drawing for a notebook, as a spectator sees the game; None if the title has no drawings."""
        return self.seen(0)._repr_svg_()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        """What a notebook shows and saves: what a spectator sees, not ``repr``, which has all hands."""
        return self.seen(0)._repr_mimebundle_()


def digest_of(position: str) -> int:
    """Return a 64-bit hash of a position text."""
    return int.from_bytes(hashlib.blake2b(position.encode(), digest_size=8).digest(), "big")


def _links(moves: Any) -> list[Any]:
    """Return the moves of a submission as a list; raise ``BadMove`` for too many or none."""
    links = links_of(moves)
    if not 0 < len(links) <= MOST_LINKS:
        raise BadMove(too_many_links())
    return links


def too_many_links() -> str:
    """Return the message for a submission with too many moves or none."""
    return _("a submission has 1 to {n} moves").format(n=MOST_LINKS)
