"""What a title is: a few facts, and modules («rooms») that are imported when they are first needed.

Each room implements a protocol of ``rooms.py``; its names can also be imported from here. ``PROTOCOL`` is the
version of these protocols, except those for pages. A title states the version that it was written for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache, cached_property, lru_cache
from importlib import import_module
from importlib.resources import files
from importlib.util import find_spec
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from paddock.core.errors import BadMove, IllegalMove, PaddockError, brief, quoted, whole
from paddock.core.i18n import _, use_packages
from paddock.core.log import Event, EventBatch
from paddock.core.rooms import Chain as Chain
from paddock.core.rooms import Chains as Chains
from paddock.core.rooms import Dropped as Dropped
from paddock.core.rooms import Features as Features
from paddock.core.rooms import Invariants as Invariants
from paddock.core.rooms import Maps as Maps
from paddock.core.rooms import Move as Move
from paddock.core.rooms import Order as Order
from paddock.core.rooms import Orders as Orders
from paddock.core.rooms import Refusals as Refusals
from paddock.core.rooms import Rules as Rules
from paddock.core.rooms import SetupRoom as SetupRoom
from paddock.core.rooms import Text as Text
from paddock.core.rooms import View as View
from paddock.core.rooms import names
from paddock.core.series import RoundResult
from paddock.core.words import CHANCE, LINK

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from paddock.core.clauses import Rulebook
    from paddock.core.game import Game
    from paddock.core.options import Options
    from paddock.core.pages import Drawings
    from paddock.core.source import ChanceSource

PROTOCOL = 1


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
class Title:
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
    presets: tuple[Preset, ...] = ()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle an installed title as its name, any other as its fields; rooms are imported again."""
        if titles().get(self.name) is self:
            return title, (self.name,)
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

    def preset(self, name: str) -> Preset:
        """Return the preset ``name``; raise ``PaddockError`` with the known names."""
        for preset in self.presets:
            if preset.name == name:
                return preset
        if not self.presets:
            raise PaddockError(_("{title} has no presets").format(title=self.label))
        raise PaddockError(
            _("{title} has no preset «{name}»; the presets are {names}").format(
                title=self.label, name=brief(name), names=", ".join(p.name for p in self.presets)
            )
        )

    def room(self, name: str) -> Any:
        """Import the room (a module) ``name``; return None if the title does not have it."""
        return import_module(f"{self.package}.{name}") if self.has_room(name) else None

    def has_room(self, name: str) -> bool:
        """Whether the title has the room ``name``, which is not imported."""
        return find_spec(f"{self.package}.{name}") is not None

    def _completed_room(self, name: str) -> Any:
        """Import the room ``name``, with the defaults of ``paddock.parts.usual`` for what it leaves out."""
        # By their names, as the rooms of a title: core imports nothing from kernel and parts
        return import_module("paddock.parts.usual").completed(self, name)

    @cached_property
    def rules(self) -> Rules:
        """The last module of the rules, with defaults for what it leaves out."""
        own = import_module(f"{self.package}.{self.kernel[-1]}")
        if all(hasattr(own, name) for name in names(Rules)):
            return cast(Rules, own)
        return cast(Rules, import_module("paddock.kernel.loader").whole_rules(self))

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
        return getattr(self.rules, "foreseen", _nothing_foreseen)

    @cached_property
    def event_for(self) -> Callable[[Any, int, Event], Event | None]:
        """The function that filters an event for ``eyes``: complete, with HIDDEN numbers, or None.

        It is the rules' ``event_for(g, eyes, event)``. By default only the seats that saw an event get it.
        """
        return getattr(self.rules, "event_for", _seen_whole)

    def refused(self, s: Any, g: Any, seat: int, move: int) -> IllegalMove | None:
        """Return the error for an illegal move of a seat that must decide; None if it is legal."""
        code = self.refusals.why(s, g, seat, move)
        return IllegalMove(*self.text.refusal(s, g, seat, code, move)) if code else None

    def sentences(self, g: Any, batch: EventBatch, names: Sequence[str]) -> list[tuple[int, Event, str]]:
        """Return the events of a batch that have a sentence: (place in the batch, event, sentence).

        ``names`` are the names of the seats (``Seen.seat_names``).
        """
        told = ((place, event, self.text.line(g, event, names)) for place, event in enumerate(batch.events))
        return [(place, event, sentence) for place, event, sentence in told if sentence]

    def setup_of(self, options: Options) -> Any:
        """Return the kernel's ``Setup`` for these options, cached. Do not modify it."""
        return _setup_of(self, options)

    @cached_property
    def refusals(self) -> Refusals:
        return cast(Refusals, self._completed_room("refusals"))

    @cached_property
    def setup(self) -> SetupRoom:
        return cast(SetupRoom, self._completed_room("setup"))

    @cached_property
    def text(self) -> Text:
        return cast(Text, self._completed_room("text"))

    @cached_property
    def view(self) -> View:
        return cast(View, self._completed_room("view"))

    @cached_property
    def draw(self) -> Drawings | None:
        return cast("Drawings | None", self.room("draw"))

    @cached_property
    def features(self) -> Features:
        return cast(Features, self._completed_room("features"))

    @cached_property
    def invariants(self) -> Invariants:
        return cast(Invariants, self._completed_room("invariants"))

    @cached_property
    def chains(self) -> Chains | None:
        return cast("Chains | None", self.room("chains"))

    @cached_property
    def orders(self) -> Orders | None:
        return cast("Orders | None", self.room("orders"))

    @cached_property
    def maps(self) -> Maps | None:
        return cast("Maps | None", self.room("maps"))

    @cached_property
    def rulebook(self) -> Rulebook:
        """The rules, parsed from the title's RULES.md."""
        from paddock.core.clauses import load  # imported late: not needed to play

        return load(files(self.package).joinpath("RULES.md").read_text("utf-8"))


def _nothing_foreseen(s: Any, g: Any, seat: int, move: int) -> int:
    return 0


def _seen_whole(g: Any, eyes: int, event: Event) -> Event | None:
    return event.for_eyes(eyes)


@lru_cache(maxsize=256)
def _setup_of(title: Title, options: Options) -> Any:
    return title.setup.setup(options)


@dataclass(frozen=True)
class Seen:
    """What the owners of the seats ``eyes`` know: a state without everyone else's secrets.

    Views, legal moves, previews, drawings and bots get this and nothing else.
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
        """Return the ids of the legal moves of ``seat``; empty if it has nothing to decide.

        Raises ``PaddockError`` for a seat that is not in ``eyes``.
        """
        if self._seen_seat(seat) not in self.deciders:
            return []
        out = [0] * (self.title.rules.ACTIONS + 1)
        return out[: self.title.rules.legal(self.state, self.setup, seat, out)]

    def vector(self, seat: int | None = None) -> npt.NDArray[np.float32]:
        """Return what ``seat`` sees as an array of numbers from −1 to 1, of the title's ``FEATURES``.

        ``seat`` is optional if ``eyes`` has only one. docs/observations.md says what each number is. Raises
        ``PaddockError`` for a seat that is not in ``eyes``.
        """
        import numpy as np  # imported late: not needed to play

        out = [0.0] * self.title.features.FEATURES
        self.title.features.observe(self.state, self.setup, self._seen_seat(seat), out)
        return np.array(out, np.float32)

    def mask(self, seat: int | None = None) -> npt.NDArray[np.bool_]:
        """Return for every move id whether it is a legal move of ``seat`` now, as an array of ``ACTIONS``.

        ``seat`` is optional if ``eyes`` has only one. Raises ``PaddockError`` for a seat that is not in
        ``eyes``.
        """
        import numpy as np  # imported late: not needed to play

        mask = np.zeros(self.title.rules.ACTIONS, np.bool_)
        mask[self.legal(self._seen_seat(seat))] = True
        return mask

    def sample(self, rng: ChanceSource) -> Game:
        """Return one of the games that these seats may be in: all that they cannot know is dealt again.

        Cards are dealt as chance deals them, subject to what the seats know; a hidden commitment becomes any
        legal move of that hand. What comes after is drawn from the sample's own stream: ``rng``, such as
        ``paddock.Seeded(7)``, is asked for its seed only, and chance that is due is drawn at once.

        The game starts here, like that of ``paddock.position``: its log is empty, so nothing can be undone
        and no record can be written, and it knows nothing of the moves before. Everything else works. Raises
        ``PaddockError`` if ``rng`` is no chance source.
        """
        # By its name, as the rooms of a title: core imports nothing from the kernel
        return cast("Game", import_module("paddock.kernel.sampling").sample(self, rng))

    def _seen_seat(self, seat: int | None) -> int:
        """Return the seat, or the only one in ``eyes``; raise ``PaddockError`` if the eyes do not have it."""
        seats = seats_of(self.eyes)
        if seat is None and len(seats) == 1:
            return seats[0]
        if seat is None:
            raise PaddockError(_("name the seat: this view is that of {n} seats").format(n=len(seats)))
        if seat not in seats:
            raise PaddockError(
                _("this view does not include {word} {n}").format(word=_(self.title.seat_name), n=seat + 1)
            )
        return seat

    def seat_name(self, seat: int) -> str:
        """Return the player's name, with the seat's number if seats and players are different things."""
        name = self.names[self.options.owners[seat]]
        return name if self.title.seat_name == self.title.player_name else f"{name} ({seat + 1})"

    @property
    def seat_names(self) -> list[str]:
        """The name of every seat, as sentences use it."""
        return [self.seat_name(seat) for seat in range(self.options.seats)]

    def _repr_svg_(self) -> str | None:
        """The drawing for a notebook, with the hands of these seats; None if the title has no drawings."""
        svg = getattr(self.title.draw, "svg", None)
        return svg(self.title.view.view(self)) if svg else None

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        """What a notebook shows and saves: the drawing and, where it cannot be shown, the board as text."""
        bundle = {"text/plain": "\n".join([*self.title.text.board(self), self.title.text.status(self)])}
        drawing = self._repr_svg_()
        return bundle | {"image/svg+xml": drawing} if drawing else bundle

    def preview(self, moves: Moves = (), seat: int | None = None) -> Preview:
        """Return the position after the chain ``moves``, without playing it.

        ``seat`` is optional if only one seat in ``eyes`` must decide. Raises ``BadMove`` for links after the
        end of a chain, and ``IllegalMove`` for an illegal link.
        """
        if seat is None:
            mine = [decider for decider in self.deciders if self.eyes >> decider & 1]
            if len(mine) != 1:
                raise BadMove(_("name the seat: {n} of these must decide").format(n=len(mine)))
            seat = mine[0]
        if not self.legal(seat):
            raise BadMove(_("{seat} has nothing to decide now").format(seat=self.seat_name(seat)))
        seen, ended, rules = self, False, self.title.rules
        for n, move in enumerate(links_of(moves), 1):
            if ended:
                raise BadMove(chain_over(n - 1))
            id = move_id(self.title, self.setup, move)
            if refused := self.title.refused(seen.state, self.setup, seat, id):
                raise refused
            if not self.title.foreseen(seen.state, self.setup, seat, id):
                ended = True
                continue
            state = seen.state.copy()
            rules.apply(state, self.setup, seat, id)
            rules.hide(state, self.setup, self.eyes)
            seen = replace(seen, state=state)
            ended = seen.deciders != (seat,)
        legal = () if ended else tuple(seen.legal(seat))
        chains = self.title.chains
        costs = tuple(chains.cost(seen, seat, id) if chains else _FREE for id in legal)
        return Preview(seen, seat, legal, costs, ended)


_FREE: Mapping[str, int] = MappingProxyType({})


@dataclass(frozen=True)
class Preview:
    """The position after a chain of moves, as far as the seat can predict it.

    ``seen`` is the position after the links, without the last one if the seat cannot predict its effect.
    """

    seen: Seen
    seat: int
    legal: tuple[int, ...]  # the next links; empty if the chain has ended
    costs: tuple[Mapping[str, int], ...]  # of each link in ``legal``: name → amount
    ended: bool

    @property
    def view(self) -> Any:
        """The title's view after the links."""
        return self.seen.title.view.view(self.seen)


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


GROUP = "paddock.titles"


@cache
def titles() -> dict[str, Title]:
    """Return every title that can be played, by name; all are found by their entry points.

    A title that was written for another version of the title protocol is left out: ``title`` says why.
    """
    found = {name: one for name, one in _installed().items() if one.protocol == PROTOCOL}
    use_packages(one.package.partition(".")[0] for one in found.values())
    return found


def _installed() -> dict[str, Title]:
    from importlib.metadata import entry_points  # imported late: it is slow to import

    return {e.name: cast(Title, e.load()) for e in sorted(entry_points(group=GROUP), key=lambda e: e.name)}


def title(name: Title | str) -> Title:
    """Return the title ``name``, or a title as it is; raise ``PaddockError`` with the known names."""
    if isinstance(name, Title):
        return name
    if not isinstance(name, str):
        raise PaddockError(_no_title(quoted(name)))
    found = titles().get(name)
    if found is None and (unfit := _installed().get(name)):
        raise PaddockError(
            _(
                "{name} was written for version {theirs} of the title protocol, but this version of "
                "Paddock uses {ours}: install a matching release of {package}"
            ).format(name=name, theirs=unfit.protocol, ours=PROTOCOL, package=unfit.package.partition(".")[0])
        )
    if found is None:
        raise PaddockError(_no_title(f"«{brief(name)}»"))
    return found


def _no_title(name: str) -> str:
    return _("there is no title {name}; the titles are {titles}").format(
        name=name, titles=", ".join(titles())
    )
