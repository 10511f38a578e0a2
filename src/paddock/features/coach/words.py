"""What the coach says. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from paddock.bots.analysis import LEAST, figure, signed
from paddock.bots.hints import Hint, MoveMade
from paddock.core.i18n import _, plural
from paddock.core.title import Seen
from paddock.core.wording import number


@dataclass(frozen=True)
class MoveLine:
    """A move and what it is worth."""

    move: str  # in notation
    label: str
    worth: str  # beside the best
    good: bool


@dataclass(frozen=True)
class LinkLine:
    """A link of a move that has several."""

    move: str  # in notation
    label: str


def matters(seen: Seen, seat: int) -> str:
    """Return what matters in a decision, from the facts that its player sees."""
    said = str(seen.title.page.matters(seen, seat))
    legal = len(seen.legal(seat))
    if legal == 1:
        return _("Only one move is possible.")
    choices = plural("You can choose from {n} move.", "You can choose from {n} moves.", legal)
    return f"{said} {choices}".strip()


def label(seen: Seen, seat: int, move: str) -> str:
    """Return a move as on its button, without its consequence."""
    text = seen.title.text
    return str(text.label(seen, seat, text.parse_move(seen.setup, move).id)).partition(": ")[0]


def lines(hint: Hint, seen: Seen, seat: int) -> list[MoveLine]:
    """Return the moves, the best first."""
    return [
        MoveLine(
            move.move,
            label(seen, seat, move.move),
            signed(0.0 - move.behind, move.error) if n else _("best"),
            move.good,
        )
        for n, move in enumerate(hint.moves)
    ]


def whole(seen: Seen, seat: int, links: Sequence[str]) -> list[LinkLine]:
    """Return the links of a chain in order; none if it has one."""
    out = list[LinkLine]()
    for move in links if len(links) > 1 else ():
        out.append(LinkLine(move, label(seen, seat, move)))
        seen = seen.preview([move], seat).seen
    return out


def good(hint: Hint, shown: Sequence[MoveLine]) -> str:
    """Return a sentence about the good moves."""
    if len(shown) == 1:
        return ""
    if len(hint.good) == 1:
        return _("One move is clearly best:")
    if len(hint.good) == len(hint.moves) and not hint.more:
        return _("No move is clearly better than another:")
    return _("These are about as good as each other:")


def worth(hint: Hint) -> str:
    """Return what the best move is worth, in a sentence."""
    return _(
        "The best is worth {points} points over the mean of all players, the others so much more or less."
    ).format(points=signed(hint.worth, hint.error))


def measured(hint: Hint, short: bool) -> str:
    """Return what the best move is worth, and who played on, in sentences; if the hint is a ``short`` one,
    also how often."""
    return " ".join([worth(hint), _models(hint), *[_few(hint)] * short])


def _few(hint: Hint) -> str:
    """Return in how many games the best moves were tried, in a sentence."""
    return _(
        "There is time for few games here: {n} for each of the best moves. A server plays many more."
    ).format(n=number(hint.games))


def _models(hint: Hint) -> str:
    """Return who played on, in a sentence."""
    if "champion" in hint.models:
        return _("Half of the imagined games were played on by Clubs, half by Champions.")
    if "slipping" in hint.models:
        return _("The imagined games were played on by Clubs, half of them with a slip now and then.")
    return _("The imagined games were played on by bots of one kind.")


def made(cost: MoveMade, seen: Seen, seat: int) -> str:
    """Return what a submission cost, in a sentence; ``seen`` is before the move of it that cost most."""
    move, best = (label(seen, seat, notation) for notation in (cost.move, cost.best))
    if cost.best == cost.move or abs(cost.cost) < LEAST:
        return _("Your last move, “{move}”: nothing better was found.").format(move=move)
    points = figure(cost.cost, cost.error)
    if cost.cost > cost.error:
        words = _("Your last move, “{move}”, cost about {cost} points; better: “{best}”.")
    else:
        words = _("Your last move, “{move}”: no clear difference to “{best}” ({cost} points).")
    return words.format(move=move, cost=points, best=best)
