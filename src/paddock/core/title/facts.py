"""What a title is: a few facts, and modules («rooms») that are imported when they are first needed.

``core/rooms/`` has the protocol and the default of each room; ``Rooms`` in its ``table.py`` lists them.
``PROTOCOL`` is the version of these protocols, except those for pages. A title states the version that it
was written for. At the end is the notation of submissions.

An earlier revision of the rules may be a title of its own, in the package ``revisionN`` of the title: tables
and records of that revision are played with it. What that package lacks is taken from the title.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache, cached_property, lru_cache
from importlib import import_module
from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from paddock.core.bounds import SPARE, filled
from paddock.core.errors import BadMove, IllegalMove, OutOfBounds, PaddockError, brief, quoted, whole
from paddock.core.i18n import ENGLISH, _, language
from paddock.core.log import Event, EventBatch
from paddock.core.places import file_in, module_in
from paddock.core.rooms import above
from paddock.core.rooms.basics import Move, names
from paddock.core.rooms.rules import Rules, nothing_foreseen, seen_whole
from paddock.core.rooms.table import Rooms
from paddock.core.words import CHANCE, LINK

if TYPE_CHECKING:
    from paddock.core.clauses import Rulebook
    from paddock.core.options import Options

PROTOCOL = 1


def minutes(decisions: int) -> int:
    """Return how long a table needs for so many decisions, at ten seconds each, in steps of five minutes."""
    return 5 * max(1, round(decisions * 10 / 60 / 5))


@dataclass(frozen=True)
class Preset:
    """Options that go well together. ``minutes`` is about how long a table of people needs."""

    name: str  # in commands
    label: str  # for display
    says: str  # one sentence
    minutes: int
    options: str  # ``name=value`` words; every other option has its default

    @property
    def values(self) -> dict[str, str]:
        """The options by name, as texts for ``Options.read``."""
        return dict(word.split("=", 1) for word in self.options.split())


@dataclass(frozen=True)
class Title(Rooms):
    """A game that Paddock can play. Creating a ``Title`` does not import its rules."""

    name: str  # in commands and URLs
    label: str  # for display
    tagline: str
    package: str
    options: type[Options]
    revision: int = 1  # of the rules; part of every record
    round_name: str = "race"  # the word for one game of the series
    player_name: str = "player"  # the word for a player
    seat_name: str = "player"  # the word for a seat
    kernel: tuple[str, ...] = ("rules",)  # the modules of its rules, dependencies first
    policy: tuple[str, ...] = ("policy",)  # the modules of the room ``policy``, if any, dependencies first
    oldest: int = 1  # the oldest revision of the rules that it can still play
    protocol: int = PROTOCOL
    presets: tuple[Preset, ...] = field(default=(), hash=False)
    base: str = ""  # of an earlier revision: the package that has what its own one lacks; see ``at``

    def __post_init__(self) -> None:
        """Give the options ``players`` and ``rounds`` by the words of the title, unless they have them.

        Raises ``TypeError`` if there is no option for the number of players.
        """
        options: Any = self.options
        for name, word in (("players", self.players_option), ("rounds", self.rounds_option)):
            if name in options.model_fields or hasattr(options, name):
                continue
            if word in options.model_fields:
                setattr(options, name, property(attrgetter(word)))
            elif name == "rounds":
                options.rounds = 1
            else:
                raise TypeError(
                    f"the options of {self.name} need one called {word}, or player_name another word"
                )

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle a title as its fields; rooms are imported again. See also ``discovery``."""
        return Title, tuple(getattr(self, fact.name) for fact in fields(self))

    def __deepcopy__(self, memo: Any) -> Title:
        return self

    @property
    def players_option(self) -> str:
        """The name of the option for the number of players."""
        return f"{self.player_name}s"

    @property
    def rounds_option(self) -> str:
        """The name of the option for the number of games in the series."""
        return f"{self.round_name}s"

    @property
    def one_round(self) -> dict[str, int]:
        """The option for a single game; empty for a title that plays nothing else."""
        return {self.rounds_option: 1} if self.rounds_option in self.options.model_fields else {}

    def usual_names(self, players: int) -> tuple[str, ...]:
        """Return the names of so many players who give none: Driver 1, Driver 2, …"""
        return tuple(f"{self.player_name.capitalize()} {i + 1}" for i in range(players))

    def preset(self, name: str) -> Preset:
        """Return the preset ``name``; raise ``PaddockError`` with the known names."""
        for preset in self.presets:
            if preset.name == name:
                return preset
        if not self.presets:
            raise PaddockError(_("{title} has no presets").format(title=self.label))
        raise PaddockError(
            _("{title} has no preset “{name}”; the presets are {names}").format(
                title=self.label, name=brief(name), names=", ".join(p.name for p in self.presets)
            )
        )

    def at(self, revision: int) -> Title:
        """Return the title that plays what was begun by this revision, from ``oldest`` to ``revision``.

        That is the next one that the package has as ``revisionN``, N being at least this number, else this
        title. Its options convert older ones: see ``Options.of_revision``.
        """
        return _title_at(self, revision)

    def module(self, name: str) -> str:
        """Return the full name of the module ``name``: of the title's package, else of ``base``."""
        own = module_in(self.package, name)
        return own if not self.base or find_spec(own) else module_in(self.base, name)

    def file(self, name: str) -> Traversable:
        """Return the file or folder ``name``: of the title's package, else of ``base``."""
        own = file_in(self.package, name)
        has_file = not self.base or own.is_file() or own.is_dir()
        return own if has_file else file_in(self.base, name)

    def room(self, name: str) -> Any:
        """Import the module ``name`` as it is; return None if the title does not have it.

        Rooms are attributes, with types and defaults. This is for a title's own modules, in its templates.
        """
        return import_module(self.module(name)) if self.has_room(name) else None

    def has_room(self, name: str) -> bool:
        """Whether the title has the room ``name``, which is not imported."""
        return find_spec(self.module(name)) is not None

    @cached_property
    def rules(self) -> Rules:
        """The last module of the rules, with defaults for what it leaves out."""
        own = import_module(self.module(self.kernel[-1]))
        if all(hasattr(own, name) for name in names(Rules)):
            return cast(Rules, own)
        return above.kernel().whole_rules(self)

    @cached_property
    def again(self) -> Callable[[Any, Any], None]:
        """The function that starts the next game of a series from the final state of the last one.

        It is the rules' ``again(s, g)`` if something, such as the dealer, carries over to the next game;
        else their ``start``.
        """
        return cast(Callable[[Any, Any], None], getattr(self.rules, "again", self.rules.start))

    @cached_property
    def foreseen(self) -> Callable[[Any, Any, int, int], int]:
        """The function that says whether another link may follow a move in the same submission.

        It is the rules' ``foreseen(s, g, seat, move)``: 1 if the seat can predict everything that follows
        from the move. A title without it has no chains.
        """
        return getattr(self.rules, "foreseen", nothing_foreseen)

    @cached_property
    def event_for(self) -> Callable[[Any, int, Event], Event | None]:
        """The function that filters an event for ``eyes``: complete, with HIDDEN numbers, or None.

        It is the rules' ``event_for(g, eyes, event)``. By default only the seats that saw an event get it.
        """
        return getattr(self.rules, "event_for", seen_whole)

    def legal(self, s: Any, g: Any, seat: int) -> list[int]:
        """Return the ids of the legal moves of a seat that must decide.

        Raises ``OutOfBounds`` for more than ``ACTIONS``, and for ids that are not below it.
        """
        most = self.rules.ACTIONS
        out = [0] * (most + SPARE)
        n = self.rules.legal(s, g, seat, out)
        ids = out[:n]
        if n and (needed := max(n, max(ids) + 1)) > most:
            raise OutOfBounds("ACTIONS", needed, most)
        return ids

    def outcomes(self, s: Any, g: Any) -> dict[int, int]:
        """Return the possible outcomes of chance that is due, with their weights.

        Raises ``OutOfBounds`` for none, or more than ``OUTCOMES``.
        """
        most = self.rules.OUTCOMES
        out, weights = [0] * (most + SPARE), [0] * (most + SPARE)
        n = self.rules.outcomes(s, g, out, weights)
        if n < 1 or n > most:
            raise OutOfBounds("OUTCOMES", n, most)
        if (total := sum(weights[:n])) < 1:
            raise OutOfBounds("weights", total, total)
        return dict(zip(out[:n], weights[:n], strict=True))

    def results(self, s: Any, g: Any) -> tuple[list[int], list[int]]:
        """Return the scores and the places of all ``MAX_SEATS`` seats at the end of a game.

        Raises ``OutOfBounds`` if the rules write those of more seats.
        """
        rules, most = self.rules, self.rules.MAX_SEATS
        scores: list[int] = filled("MAX_SEATS", most, lambda out: rules.scores(s, g, out))
        places: list[int] = filled("MAX_SEATS", most, lambda out: rules.places(s, g, out))
        return scores, places

    def refused(self, s: Any, g: Any, seat: int, move: int) -> IllegalMove | None:
        """Return the error for an illegal move of a seat that must decide; None if it is legal."""
        code = self.refusals.why(s, g, seat, move)
        return IllegalMove(*self.text.refusal(s, g, seat, code, move)) if code else None

    def sentences(self, g: Any, batch: EventBatch, names: Sequence[str]) -> list[tuple[int, Event, str]]:
        """Return the events of a batch that have a sentence: (place in the batch, event, sentence).

        ``names`` are the names of the seats (``Seen.seat_names``).
        """
        sentences = (
            (place, event, self.text.line(g, event, names)) for place, event in enumerate(batch.events)
        )
        return [(place, event, sentence) for place, event, sentence in sentences if sentence]

    def setup_of(self, options: Options) -> Any:
        """Return the kernel's ``Setup`` for these options, cached. Do not modify it.

        Raises ``OutOfBounds`` for more seats than ``MAX_SEATS``.
        """
        return _setup_of(self, options)

    @property
    def rulebook(self) -> Rulebook:
        """The rules in the current language, from RULES.md and RULES.de.md; in English if not translated."""
        return _rulebook(self, language.get())

    def rules_with(self, options: Options) -> Rulebook:
        """Return the rules by which a game of these options is played: clauses name their changed numbers."""
        from paddock.core.options import changes  # imported late: not needed to play

        changed = changes(options)
        if not changed:
            return self.rulebook
        notes: dict[str, list[str]] = {}
        for change in changed:
            notes.setdefault(change.clause, []).append(_("Here: {change}.").format(change=change.words))
        head = _("Changed numbers: {changes}.").format(changes="; ".join(change.words for change in changed))
        return self.rulebook.noted(head, notes)


@cache
def _title_at(title: Title, revision: int) -> Title:
    """Return the title with the rules of a revision: those of a folder, or the newest ones."""
    for number in range(revision, title.revision):
        package = f"{title.package}.revision{number}"
        if find_spec(package):
            earlier: Title = import_module(f"{package}.rulebook").TITLE
            if (earlier.name, earlier.revision) != (title.name, number):
                raise ImportError(f"{package}.rulebook: TITLE is {earlier.name}/{earlier.revision}")
            return replace(earlier, package=package, base=title.package)
    return title


@cache
def _rulebook(title: Title, code: str) -> Rulebook:
    """Return the rules in a language, in English where they are not translated."""
    from paddock.core.clauses import load  # imported late: not needed to play

    rules = title.file("RULES.md")
    if code == ENGLISH:
        return load(rules.read_text("utf-8"))
    own = title.package if rules == files(title.package) / "RULES.md" else title.base
    translation = files(own) / f"RULES.{code}.md"  # an earlier revision has that of its own rules
    english = _rulebook(title, ENGLISH)
    return load(translation.read_text("utf-8"), english) if translation.is_file() else english


@lru_cache(maxsize=256)
def _setup_of(title: Title, options: Options) -> Any:
    if options.seats > title.rules.MAX_SEATS:
        raise OutOfBounds("MAX_SEATS", options.seats, title.rules.MAX_SEATS)
    return title.setup.setup(options)


Moves: TypeAlias = Move | str | int | Sequence[Move | str | int]  # one, or several as one submission


def links_of(moves: Any) -> list[Any]:
    """Return the moves of a submission as a list."""
    several = isinstance(moves, Sequence) and not isinstance(moves, str | bytes | bytearray | memoryview)
    return list(moves) if several else [moves]


def notation(title: Title, setup: Any, moves: Sequence[int]) -> str:
    """Return the moves of one submission in notation."""
    return LINK.join(str(title.text.move(setup, move)) for move in moves)


def split_notation(text: str) -> list[str]:
    """Split the notation of one submission into its moves. Spaces around the separators do not matter."""
    return [move.strip() for move in text.split(LINK.strip())]


def chain_over(links: int) -> str:
    """Return the message for links after the end of a chain."""
    return _("the chain ends with move {n}: send the moves up to there, then look again").format(n=links)


@lru_cache(maxsize=4096)
def seats_of(mask: int) -> tuple[int, ...]:
    """Return the seats in a bitmask, without chance."""
    return tuple(seat for seat in range(CHANCE) if mask >> seat & 1)


def move_id(title: Title, setup: Any, move: object) -> int:
    """Return the id of a typed move, a notation or an id; raise ``BadMove``."""
    if isinstance(move, str):
        return title.text.parse_move(setup, move).id
    id = whole(move)
    if id is None:
        id = whole(getattr(move, "id", None))
    if id is not None and 0 <= id < title.rules.ACTIONS:
        return id
    raise BadMove(
        _("{move} is not a move of {title}: give a notation, an id or a move of its list").format(
            move=quoted(move), title=title.label
        )
    )
