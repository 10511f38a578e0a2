"""What is said of moments: sentences for “My games” and the replay. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from paddock.bots.registry import label_of
from paddock.core.i18n import _
from paddock.core.intervals import Z
from paddock.core.title import Title
from paddock.core.wording import number
from paddock.features.situations.store import Sums

LEAST = 20  # moments, before anything is said of them
MOST = 3  # kinds of moments on “My games”


@dataclass(frozen=True)
class MomentLine:
    """What is said of the moments of one kind."""

    title: str
    moment: str
    says: str
    costs: str  # empty if that is not known
    own: int  # in percent: the share of moments in which the player made the choice
    own_words: str
    others: int  # and that of the bot
    others_words: str
    level: str


def lines(sums: Iterable[Sums], titles: Sequence[Title]) -> list[MomentLine]:
    """Return the kinds of moments in which a browser clearly differs from the bot, the most so first."""
    known = [(kind, said) for kind in sums if clear(kind) and (said := line(kind, titles))]
    ordered = sorted(known, key=lambda pair: difference(pair[0]), reverse=True)
    return [said for _sums, said in ordered[:MOST]]


def clear(sums: Sums) -> bool:
    """Return whether there are enough moments, and the difference is outside its 95 % interval.

    The interval is that of Agresti and Coull, with two more moments of each choice.
    """
    n, share = sums.moments, (sums.chosen + 2) / (sums.moments + 4)
    half = Z * (share * (1 - share) / (n + 4)) ** 0.5
    return n >= LEAST and difference(sums) > half


def difference(sums: Sums) -> float:
    """Return how far the share of a browser is from that of the bot."""
    return abs(sums.chosen - sums.expected) / sums.moments


def of_moment(sums: Iterable[Sums], title: Title) -> MomentLine | None:
    """Return what is said of a moment of these kinds: of the one with the largest difference."""
    enough = sorted((kind for kind in sums if kind.moments >= LEAST), key=difference, reverse=True)
    return next((said for kind in enough if (said := line(kind, [title]))), None)


def line(sums: Sums, titles: Iterable[Title]) -> MomentLine | None:
    """Return what is said of the moments of a kind; None if no title knows it any more."""
    title = next((title for title in titles if title.name == sums.title), None)
    room = title.situations if title else None
    kind = next((kind for kind in room.SITUATIONS if kind.name == sums.kind), None) if room else None
    if title is None or kind is None:
        return None
    level = _(label_of(sums.level))
    own, others = (round(100 * part / sums.moments) for part in (sums.chosen, sums.expected))
    own_words, others_words = percent(own), percent(others)
    n, value = number(sums.moments), number(kind.value)
    says = _(kind.choice).format(own=own_words, n=n, level=level, others=others_words, value=value)
    return MomentLine(
        title.label, _(kind.moment), says, costs(sums), own, own_words, others, others_words, level
    )


def costs(sums: Sums) -> str:
    """Return what decisions in these moments cost, in a sentence; empty if no analysis tells."""
    if not sums.judged:
        return ""
    return _("Such a decision cost you {cost} points on average.").format(
        cost=number(max(0.0, sums.cost / sums.judged), ".2f")
    )


def percent(share: int) -> str:
    """Return a share in percent."""
    return _("{n}\u00a0%").format(n=share)  # it stays in one line
