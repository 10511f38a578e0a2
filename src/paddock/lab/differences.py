"""Figures of two sides and their differences: how each is said, and where two kinds of players disagree."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from paddock.core.i18n import _, mark
from paddock.core.intervals import half_width
from paddock.lab.figures import Estimate, Floats, Ratio, apart, change, figure, shown
from paddock.lab.flags import holm, tail

RATE = 0.01  # how probable a report with a false flag is, if nothing is different
FEW = 30  # deals with an observation, without which a figure says nothing
SEATS, LENGTH, SKILL, LEAD, END, WORTH, EVENTS = (
    "seats", "length", "skill", "lead", "end", "worth", "events",
)  # fmt: skip
CHAPTERS = {
    "decisions": LENGTH, "rounds": LENGTH, "choices": LENGTH, "forced": LENGTH,
    "lead_changes": LEAD, "last_change": LEAD, "half_time": LEAD, "last_leader": LEAD,
    "margin": END, "shared": END, "unwon": END, "deal": END, "first": SEATS, "pole": SEATS,
}  # fmt: skip
# How a difference is said: upwards, downwards. {what} is the label of the figure
SENTENCES = {
    "": (
        mark("{what}: {change} more in B, {b} instead of {a}."),
        mark("{what}: {change} less in B, {b} instead of {a}."),
    ),
    "points": (
        mark("{what} makes {change} points more over a fair share in B: {b} instead of {a}."),
        mark("{what} makes {change} points less over a fair share in B: {b} instead of {a}."),
    ),
    "wins": (
        mark("{what} wins {change} more of the games in B, over a fair share: {b} instead of {a}."),
        mark("{what} wins {change} less of the games in B, over a fair share: {b} instead of {a}."),
    ),
    "more": (
        mark("One more {what} is worth {change} points more in B: {b} instead of {a}."),
        mark("One more {what} is worth {change} points less in B: {b} instead of {a}."),
    ),
    "leader": (
        mark("{what} as leader is worth {change} points more in B: {b} instead of {a}."),
        mark("{what} as leader is worth {change} points less in B: {b} instead of {a}."),
    ),
    "less": (
        mark("One {what} less is worth {change} points more in B: {b} instead of {a}."),
        mark("One {what} less is worth {change} points less in B: {b} instead of {a}."),
    ),
    "lap": (
        mark("{what}: the later winner is {change} places further back in B, {b} instead of {a}."),
        mark("{what}: the later winner is {change} places further ahead in B, {b} instead of {a}."),
    ),
    "events": (
        mark("{what}: {change} times more a game in B, {b} instead of {a}."),
        mark("{what}: {change} times less a game in B, {b} instead of {a}."),
    ),
}
# What a figure is called where several kinds are listed together
WORDS = {
    "points": mark("{what}, points"),
    "wins": mark("{what}, wins"),
    "more": mark("{what}, one more"),
    "less": mark("{what}, one less"),
    "lap": mark("{what}, place of the later winner"),
}
NOTHING = mark("One more {what} is worth nothing in B, {b} points; in A it is {a}.")
AGREE, DISAGREE = "agree", "disagree"  # verdicts on a ``Gap``


@dataclass(frozen=True)
class Quantity:
    """A figure of one side: where it belongs, what it is called, how a difference is said, and its value."""

    chapter: str
    label: str
    kind: str  # a key of ``SENTENCES``
    ratio: Ratio


@dataclass(frozen=True)
class Difference:
    """A figure of both sides. ``change`` is B less A, from pairs of the same deals."""

    name: str
    chapter: str
    label: str
    kind: str
    a: Estimate
    b: Estimate
    change: Estimate
    saved: float  # the part of the games that the same deals save; below 0: they cost some
    probability: float  # of so large a difference, if there is none
    flagged: bool = False  # more than chance, after the correction for the number of all figures

    @property
    def strength(self) -> float:
        """The difference in units of its error."""
        return abs(self.change.value) / self.change.error if self.change.error else math.inf

    @property
    def sentence(self) -> str:
        """What is different, as a plain sentence."""
        size = self.change
        if size.value < 0:
            size = replace(size, value=-size.value, low=-size.high, high=-size.low)
        words = {"what": self.label, "change": shown(size), "a": apart(self.a)[0], "b": apart(self.b)[0]}
        if self.kind == "more" and self.b.low <= 0 <= self.b.high and not self.a.low <= 0 <= self.a.high:
            return _(NOTHING).format(**{**words, "b": shown(self.b)})
        return _(SENTENCES[self.kind][self.change.value < 0]).format(**words)

    @property
    def words(self) -> str:
        """The label where several kinds of figures are listed together."""
        return _(WORDS[self.kind]).format(what=self.label) if self.kind in WORDS else self.label


@dataclass(frozen=True)
class Gap:
    """What two kinds of players say of a difference: levels, and networks that learned the rules.

    ``change`` is the difference among networks less that among levels, from the same deals.
    """

    level: Difference
    network: Difference
    change: Estimate
    probability: float  # of so large a gap, if there is none
    flagged: bool = False

    @property
    def verdict(self) -> str:
        """AGREE, DISAGREE, or empty if neither is beyond chance."""
        level, network = self.level, self.network
        if level.flagged and network.flagged and level.change.value * network.change.value > 0:
            return AGREE
        return DISAGREE if self.flagged and (level.flagged or network.flagged) else ""

    def sentence(self, level: str) -> str:
        """Return what both say, as a plain sentence."""
        return _("{what}, B less A: {change} with {level}, but {other} with networks.").format(
            what=self.level.words,
            change=shown(self.level.change, sign=True),
            level=level,
            other=shown(self.network.change, sign=True),
        )


@dataclass(frozen=True)
class Pair:
    """A figure of both sides as it is measured."""

    a: Quantity
    b: Quantity

    @property
    def value(self) -> float:
        """B less A."""
        return self.b.ratio.value - self.a.ratio.value

    @property
    def pulls(self) -> Floats:
        """By how much each deal pulls the difference from its value."""
        return self.b.ratio.pulls - self.a.ratio.pulls

    @property
    def n(self) -> int:
        """The number of deals with an observation on both sides, at most."""
        return min(self.a.ratio.n, self.b.ratio.n)

    def difference(self, name: str, command: str) -> Difference:
        """Return the figure of both sides, and B less A; it is not flagged yet."""
        a, b, pulls = self.a, self.b, self.pulls
        apart_variance = float(a.ratio.pulls.var() + b.ratio.pulls.var())
        return Difference(
            name, a.chapter, a.label, a.kind,
            figure(name, a.label, a.ratio, command), figure(name, a.label, b.ratio, command),
            change(name, a.label, b.ratio, a.ratio, command),
            1 - float(pulls.var()) / apart_variance if apart_variance else math.nan,
            _probability(self.value, pulls, self.n),
        )  # fmt: skip


def _probability(value: float, pulls: Floats, n: int) -> float:
    """Return how probable so large a value is, if there is nothing."""
    error = float(pulls.std(ddof=1)) / math.sqrt(len(pulls))
    return tail(value / error, n - 1) if error > 0 else float(value == 0)


def pairs(a: Mapping[str, Quantity], b: Mapping[str, Quantity]) -> dict[str, Pair]:
    """Return the figures that both sides have, in enough deals."""
    made = {name: Pair(a[name], b[name]) for name in a if name in b}
    return {name: pair for name, pair in made.items() if pair.n >= FEW}


def gap(name: str, level: Pair, network: Pair, command: str) -> Gap:
    """Compare the difference among levels with that among networks; nothing is flagged yet."""
    value, pulls, n = network.value - level.value, network.pulls - level.pulls, min(level.n, network.n)
    error, of_level = half_width(pulls), level.difference(name, command)
    made = replace(of_level.change, value=value, error=error, low=value - error, high=value + error, n=n)
    return Gap(of_level, network.difference(name, command), made, _probability(value, pulls, n))


def flag(
    differences: Sequence[Difference], gaps: Sequence[Gap]
) -> tuple[tuple[Difference, ...], tuple[Gap, ...]]:
    """Flag what is more than chance, after a correction for the number of all figures together.

    The gaps are those of some of the differences.
    """
    figures: tuple[Difference | Gap, ...] = (*differences, *(gap.network for gap in gaps), *gaps)
    stands = iter(holm([of.probability for of in figures], RATE))
    levels = {of.name: replace(of, flagged=next(stands)) for of in differences}
    networks = [replace(gap.network, flagged=next(stands)) for gap in gaps]
    return tuple(levels.values()), tuple(
        replace(gap, level=levels[gap.level.name], network=network, flagged=next(stands))
        for gap, network in zip(gaps, networks, strict=True)
    )
