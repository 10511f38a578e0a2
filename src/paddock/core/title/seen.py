"""What the owners of some seats know, and how far they can predict a chain of moves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from paddock.core.bounds import filled
from paddock.core.errors import BadMove, PaddockError
from paddock.core.i18n import _
from paddock.core.rooms import above
from paddock.core.series import RoundResult
from paddock.core.title.facts import Moves, Title, chain_over, links_of, move_id, seats_of
from paddock.core.words import HIDDEN

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from paddock.core.options import Options
    from paddock.core.source import ChanceSource


@dataclass(frozen=True)
class Seen:
    """What the owners of the seats ``eyes`` know: a state without everyone else's secrets.

    Views, legal moves, previews, drawings and bots get this and nothing else.

        >>> import paddock
        >>> seen = paddock.start("lacorsa", drivers=4, seed=7).seen(1 << 2)
        >>> seen.deciders, seen.seat_names[2]
        ((0, 1, 2, 3), 'Driver 3 (3)')
        >>> seen.legal(2)
        [0, 2, 4, 7, 9, 10, 11, 12, 14, 16, 19, 21, 22, 23, 24]
        >>> int(seen.mask().sum()), seen.vector().shape
        (15, (446,))
        >>> seen.sample(paddock.Seeded(1)).legal(2).ids == tuple(seen.legal(2))
        True
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
        return self.title.legal(self.state, self.setup, seat)

    def secret(self, seat: int) -> bool:
        """Return whether others do not see at once what ``seat`` chooses.

        So it is where several decide, and where the rules hide the move:

        >>> import paddock
        >>> paddock.start("lacorsa", drivers=4, seed=7).seen(1).secret(0)
        True
        >>> paddock.start("rasant", players=4, seed=7).seen(1).secret(0)
        False
        """
        if len(self.deciders) > 1:
            return True
        shown = self.title.rules.seen
        return any(shown(self.state, self.setup, 0, seat, move) == HIDDEN for move in self.legal(seat))

    def vector(self, seat: int | None = None) -> npt.NDArray[np.float32]:
        """Return what ``seat`` sees as an array of numbers from −1 to 1, of the title's ``FEATURES``.

        ``seat`` is optional if ``eyes`` has only one. docs/observations.md says what each number is. Raises
        ``PaddockError`` for a seat that is not in ``eyes``.
        """
        import numpy as np  # imported late: not needed to play

        room, looks = self.title.features, self._seen_seat(seat)
        row = filled("FEATURES", room.FEATURES, lambda out: room.observe(self.state, self.setup, looks, out))
        return np.array(row, np.float32)

    def mask(self, seat: int | None = None) -> npt.NDArray[np.bool_]:
        """Return for every move id whether it is a legal move of ``seat`` now, as an array of ``ACTIONS``.

        ``seat`` is optional if ``eyes`` has only one. Raises ``PaddockError`` for a seat that is not in
        ``eyes``.
        """
        import numpy as np  # imported late: not needed to play

        mask = np.zeros(self.title.rules.ACTIONS, np.bool_)
        mask[self.legal(self._seen_seat(seat))] = True
        return mask

    def sample(self, rng: ChanceSource) -> Any:
        """Return a ``Game`` that these seats may be in: all that they cannot know is dealt again.

        Cards are dealt as chance deals them, subject to what the seats know; a hidden commitment becomes any
        legal move of that hand. What comes after is drawn from the sample's own stream: ``rng``, such as
        ``paddock.Seeded(7)``, is asked for its seed only, and chance that is due is drawn at once.

        The game starts here, like that of ``paddock.position``: its log is empty, so nothing can be undone
        and no record can be written, and it knows nothing of the moves before. Everything else works. Raises
        ``PaddockError`` if ``rng`` is no chance source.
        """
        return above.kernel().sample(self, rng)

    def _seen_seat(self, seat: int | None) -> int:
        """Return the seat, or the only one in ``eyes``; raise ``PaddockError`` if the eyes do not have it."""
        seats = seats_of(self.eyes)
        if seat is None and len(seats) == 1:
            return seats[0]
        if seat is None:
            raise PaddockError(_("name the seat: this view shows what {n} seats know").format(n=len(seats)))
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
        svg = self.title.draw.svg
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
            own_deciders = [decider for decider in self.deciders if self.eyes >> decider & 1]
            if len(own_deciders) != 1:
                raise BadMove(
                    _("name the seat: {n} seats of this view must decide").format(n=len(own_deciders))
                )
            seat = own_deciders[0]
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
