"""Replays partial records: chooses a value for each «?» in turn, and backtracks after a dead end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from paddock.core.errors import BadRecord, PaddockError
from paddock.core.game import ChanceSource, Game
from paddock.core.i18n import _
from paddock.core.log import Entry
from paddock.core.rooms.records import Guide
from paddock.core.source import weighted
from paddock.core.transcript import is_face_down
from paddock.core.words import CHANCE, HIDDEN
from paddock.records.record import Line, Record, replay

MOST_TRIES = 12  # replays without progress before giving up

Choose = Callable[[Game, Line, int, Mapping[int, int]], int]  # returns an id for a «?», given the weights


def filled(record: Record, choose: Choose) -> Game:
    """Replay a record with the values that ``choose`` returns for each «?».

    Raises ``BadRecord`` with the first illegal line, or the first «?» for something that the eyes saw.
    """
    face_down: list[int] = []  # lines of hidden commitments in the open decision

    def hidden(game: Game, line: Line, i: int) -> int:
        """Return what a «?» of a line is; raise ``PaddockError`` if the eyes of the record saw it."""
        assert line.by is not None
        if line.by != CHANCE:
            face_down.append(line.number)
        id = choose(game, line, i, possible(game, line.by))
        if not unseen(game, record, line.by, id):
            raise PaddockError(_("the seats in “eyes” saw this: it cannot be “?”"))
        return id

    def revealed(game: Game, line: Line, before: Sequence[int]) -> None:
        """Raise ``BadRecord`` for a hidden commitment that the last one of its decision has revealed."""
        if line.by is None or line.by == CHANCE or is_face_down(game, before, line.by):
            return
        if face_down:
            raise BadRecord(face_down[0], _("this was revealed later: it cannot be “?”"))

    return replay(record, hidden, revealed)


def possible(game: Game, by: int) -> dict[int, int]:
    """Return the possible outcomes or legal moves now: id → weight."""
    return game.outcomes() if by == CHANCE else dict.fromkeys(game.legal(by).ids, 1)


def unseen(game: Game, record: Record, by: int, id: int) -> bool:
    """Whether this entry is hidden from the viewer of the record when it is applied."""
    return record.eyes is None or game.shown(record.eyes, Entry(by, id)) == HIDDEN


def drawn(weights: Mapping[int, int], rng: ChanceSource) -> int:
    """Draw an id by weight; return 0 if there is none, which the replay then refuses."""
    return weighted(rng, weights) if weights else 0


GuideOf = Callable[[Sequence[Line]], Guide | None]


def guided(record: Record, rng: ChanceSource, guide_of: GuideOf) -> Game:
    """Fill in every «?» at random, by the weights of a guide for each round.

    If a line is illegal, the last 1, 2, 4, … choices are undone until the replay gets further. Raises
    ``BadRecord`` with the line that no attempt passed.
    """
    chosen: list[int] = []
    furthest, tries = -1, 0
    while tries < MOST_TRIES:
        attempt = _Try(record, rng, guide_of, chosen)
        try:
            return filled(record, attempt.choose)
        except BadRecord as fault:
            # The header is compared with the game last, after all lines.
            reached = fault.line if fault.line > record.result_line else record.last_line + 1
            if reached > furthest:
                furthest, tries, refused = reached, 0, fault
            if not attempt.chosen:
                break
            chosen = attempt.chosen[: -(1 << tries)]
            tries += 1
    raise refused


class _Try:
    """One attempt. Its first choices are ``kept`` from the attempt before."""

    def __init__(self, record: Record, rng: ChanceSource, guide_of: GuideOf, chosen: Sequence[int]) -> None:
        self.record = record
        self.rng = rng
        self.guide_of = guide_of
        self.kept = chosen
        self.chosen: list[int] = []
        # The lines of each round; the first list is for lines before any heading.
        self.rounds: list[list[Line]] = [[]]
        self.place: dict[int, tuple[int, int]] = {}  # line number → (round, index in it)
        for line in record.lines:
            if line.by is None:
                self.rounds.append([])
            else:
                self.place[line.number] = len(self.rounds) - 1, len(self.rounds[-1])
                self.rounds[-1].append(line)
        self.guides: dict[int, Guide | None] = {}

    def choose(self, game: Game, line: Line, i: int, weights: Mapping[int, int]) -> int:
        """Return the value for a «?»."""
        n = len(self.chosen)
        self.chosen.append(self.kept[n] if n < len(self.kept) else self._draw_value(game, line, i, weights))
        return self.chosen[-1]

    def _draw_value(self, game: Game, line: Line, i: int, weights: Mapping[int, int]) -> int:
        """Draw what a «?» is: by the guide of its round if there is one, else by the weights alone."""
        assert line.by is not None
        weights = {id: n for id, n in weights.items() if unseen(game, self.record, line.by, id)} or weights
        round, index = self.place[line.number]
        if round not in self.guides:
            self.guides[round] = self.guide_of(self.rounds[round])
        guide = self.guides[round]
        if guide is None or not weights:
            return drawn(weights, self.rng)
        whole = game.seen((1 << game.options.seats) - 1).state
        guided_weights = {id: n for id, n in guide.weigh(whole, index, i, weights).items() if n > 0}
        return drawn(guided_weights or weights, self.rng)
