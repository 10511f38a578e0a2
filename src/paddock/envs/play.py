"""One series of games, stepped by the compiled rules: what the environments for single games are made of."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from paddock.bots.network import thought
from paddock.core.bounds import SPARE
from paddock.core.errors import PaddockError, quoted
from paddock.core.i18n import _
from paddock.core.options import Options
from paddock.core.series import RoundResult
from paddock.core.title import Seen, Title
from paddock.envs.opponents import Opponents, called_move
from paddock.kernel.bulk import Bench, eyes_by_seat
from paddock.kernel.entries import NETWORK
from paddock.kernel.source import Seeded
from paddock.kernel.vector import BEGIN, CALLED, NOW, OPPONENTS, OUTSIDE, OVER, RENEW

Row = npt.NDArray[np.float32]
Mask = npt.NDArray[np.int8]
_NO_ROW, _NO_MASK, _NO_WEIGHTS = np.zeros(0, np.float32), np.zeros(0, np.int8), np.zeros(0, np.int64)


class Kit:
    """What all games of a title with the same options share: the compiled rules, and who sees what."""

    def __init__(self, title: Title, options: Options, short: bool = False) -> None:
        bench = Bench(title, options)
        self.title, self.options, self.short = title, options, short
        self.kernel, self.gg = bench.kernel, bench.gg
        self.actions, self.features = title.rules.ACTIONS, features_of(title, short)
        self.choices = len(bench.out)
        self.eyes = eyes_by_seat(options)
        self.views = np.array([options.eyes(player) for player in range(options.players)])

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the players, for drawings."""
        return self.title.usual_names(self.options.players)

    def seen(self, record: Any, eyes: int, rounds: Sequence[RoundResult] = ()) -> Seen:
        """Return what the owners of the seats ``eyes`` know together of a state, a compiled record."""
        state, setup = self.title.rules.State().load(record), self.title.setup_of(self.options)
        self.title.rules.hide(state, setup, eyes)
        return Seen(self.title, self.options, setup, state, eyes, tuple(rounds), self.names)


def features_of(title: Title, short: bool) -> int:
    """Return how many numbers an observation has."""
    count: int = title.short_features.SHORT_FEATURES if short else title.features.FEATURES
    return count


@lru_cache(maxsize=64)
def kit_of(title: Title, options: Options, short: bool = False) -> Kit:
    """Return the kit of a title with these options, cached; ``short``: observations are in short."""
    return Kit(title, options, short)


class PlayedSeries:
    """A series of games. With ``asks_chance`` chance is asked like a seat, else it is drawn from a stream.

    ``asked`` is the seat that is asked, CHANCE, or OVER after the end; ``count`` the number of its choices;
    ``finished`` the number of finished rounds; ``waiting`` the bitmask of all seats that must decide now.
    Without ``opponents`` all seats are asked. Copy it before you change it if it is ``shared``.
    """

    __slots__ = ("asked", "count", "finished", "kit", "now", "opponents", "out", "parts", "results", "rngs",
                 "shared", "shown", "ss", "waiting", "weights")  # fmt: skip

    def __init__(self, kit: Kit, asks_chance: bool, opponents: Opponents | None = None) -> None:
        rules, options = kit.title.rules, kit.options
        self.kit, self.opponents, self.shared = kit, opponents, False
        self.parts = opponents.parts if opponents else np.full(options.seats, OUTSIDE)
        self.ss = np.zeros(2, kit.kernel.State.dtype)
        self.rngs = np.zeros((2, 1), np.int64)  # for chance, and for the opponents
        self.out = np.zeros(kit.choices, np.int64)
        self.weights = np.zeros(kit.choices, np.int64) if asks_chance else _NO_WEIGHTS
        self.now = np.zeros(NOW, np.int64)
        self.shown = np.zeros(options.players, np.int64)
        self.results = np.zeros((options.rounds, 2, rules.MAX_SEATS), np.int64)
        self.asked, self.count, self.finished, self.waiting = OVER, 0, 0, 0

    def begin(self, seed: int, index: int, row: Row = _NO_ROW, mask: Mask = _NO_MASK) -> None:
        """Begin the series again, with the chance of stream ``index`` of ``seed``; then as ``take``."""
        self.rngs[:] = Seeded(seed, index).rng, Seeded(seed ^ OPPONENTS, index).rng
        self._advance(0, BEGIN, row, mask)

    def deal_again(self, eyes: int, chance: Seeded) -> None:
        """Replace what ``eyes`` cannot know, as chance deals it, and take back what others have committed in
        secret. The seat that is asked stays the same."""
        kernel, gg, rng = self.kit.kernel, self.kit.gg, np.array(chance.rng)
        kernel.one_undecide(self.ss, gg, eyes)
        kernel.one_redeal(self.ss, gg, eyes, rng, np.zeros_like(self.out))
        self._advance(self.asked, RENEW, _NO_ROW, _NO_MASK)

    def take(self, by: int, id: int, row: Row = _NO_ROW, mask: Mask = _NO_MASK) -> bool:
        """Apply a move or an outcome, and go on until something is asked.

        ``row`` and ``mask`` are zeros, and get the observation and the mask of the seat that is asked.
        Returns False, and changes nothing, if the move or outcome is not possible.
        """
        return 0 <= id < self.kit.choices and self._advance(by, id, row, mask)

    def ask(self, seat: int, row: Row = _NO_ROW, mask: Mask = _NO_MASK) -> None:
        """Ask this seat, of several that must decide now; ``row`` and ``mask`` are as in ``take``."""
        self._advance(seat, RENEW, row, mask)

    def _advance(self, by: int, id: int, row: Row, mask: Mask) -> bool:
        """Call ``advance`` of the kernel until nobody is asked whose opponent chooses here; return what it
        did first."""
        done = self._call(by, id, row, mask)
        while done and self.opponents and self.asked != OVER and self.parts[self.asked] != OUTSIDE:
            self._call(self.asked, self._chosen(self.opponents, self.asked), row, mask)
        return done

    def _chosen(self, opponents: Opponents, seat: int) -> int:
        """Return the move of an opponent: a bot, or a network."""
        kit, part = self.kit, int(self.parts[seat])
        if part == CALLED:
            seen = self.seen(int(kit.eyes[seat]))
            return called_move(opponents.bots[seat], seen, seat, self.choices, self.rngs[1])
        if self.count == 1:
            return int(self.out[0])
        move: int = kit.kernel.one_by_network(
            self.ss, kit.gg, seat, int(kit.eyes[seat]), self.out, self.count, opponents.nets, part - NETWORK,
            thought(kit.kernel, opponents.nets), self.rngs[1], np.zeros(1, np.int64),
        )  # fmt: skip
        return move

    def _call(self, by: int, id: int, row: Row, mask: Mask) -> bool:
        """Call ``advance`` of the kernel with the buffers of this series; return what it does."""
        kit, now = self.kit, self.now
        done: bool = kit.kernel.advance(
            self.ss, kit.gg, kit.options.rounds, self.parts, kit.eyes, kit.views, by, id, self.rngs,
            self.out, self.weights, now, self.shown, self.results,
            kit.short, _sight(row), row, mask,
        )  # fmt: skip
        self.asked, self.count, self.finished, self.waiting = now.tolist()
        return done

    @property
    def choices(self) -> list[int]:
        """The legal moves of the seat that is asked, or the possible outcomes."""
        choices: list[int] = self.out[: self.count].tolist()
        return choices

    def look(self, seat: int, row: Row, eyes: int | None = None) -> None:
        """Write what ``seat`` sees now to ``row``; or what other ``eyes`` would see in its place."""
        seen = int(self.kit.eyes[seat]) if eyes is None else eyes
        self.kit.kernel.one_look(self.ss, self.kit.gg, seat, seen, self.kit.short, _sight(row), row)

    def rounds(self) -> list[RoundResult]:
        """Return the results of the finished rounds."""
        seats = self.kit.options.seats
        return [
            RoundResult(tuple(scores[:seats]), tuple(places[:seats]))
            for scores, places in self.results[: self.finished].tolist()
        ]

    def seen(self, eyes: int) -> Seen:
        """Return what the owners of the seats ``eyes`` know together."""
        return self.kit.seen(self.ss[0], eyes, self.rounds())

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the arrays, and title and options in place of the rules."""
        kit = self.kit
        arrays = self.ss, self.rngs, self.out, self.weights, self.now, self.shown, self.results
        return _unpickled, (kit.title, kit.options, kit.short, self.opponents, *arrays)

    def __deepcopy__(self, memo: Any) -> PlayedSeries:
        copied = object.__new__(PlayedSeries)
        copied.kit, copied.opponents, copied.parts = self.kit, self.opponents, self.parts
        copied.shared = False
        # All bytes: ``copy`` leaves the padding of records undefined, and texts are made of it
        copied.ss = np.frombuffer(bytearray(self.ss.tobytes()), self.ss.dtype)
        copied.rngs, copied.out = self.rngs.copy(), self.out.copy()
        copied.weights, copied.now = self.weights.copy(), self.now.copy()
        copied.shown, copied.results = self.shown.copy(), self.results.copy()
        copied.asked, copied.count, copied.finished = self.asked, self.count, self.finished
        copied.waiting = self.waiting
        return copied


def _sight(row: Row) -> Row:
    """Return a buffer for an observation: of its own for each call, because threads may share a kit."""
    return np.empty(len(row) + SPARE, np.float32)


def _unpickled(
    title: Title, options: Options, short: bool, opponents: Opponents | None, *arrays: Any
) -> PlayedSeries:
    """Return the series that ``PlayedSeries.__reduce__`` took apart; the arrays are in its order."""
    play = PlayedSeries(kit_of(title, options, short), asks_chance=False, opponents=opponents)
    play.ss, play.rngs, play.out, play.weights, play.now, play.shown, play.results = arrays
    play.asked, play.count, play.finished, play.waiting = play.now.tolist()
    return play


RENDER_MODES = ("ansi", "svg")  # the board as text, and as a drawing


def mode_of(mode: str | None) -> str | None:
    """Return a render mode; raise ``PaddockError`` if there is no such mode."""
    if mode is not None and mode not in RENDER_MODES:
        raise PaddockError(_("render_mode={mode}: write ansi or svg").format(mode=quoted(mode)))
    return mode


def render(seen: Seen, mode: str | None) -> str | None:
    """Return the board as text or as an SVG drawing; None without a mode."""
    if mode == "ansi":
        return "\n".join(seen.title.text.board(seen))
    return seen._repr_svg_() if mode == "svg" else None
