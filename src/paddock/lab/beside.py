"""``study A --beside B``: what is different between two sets of rules, measured on the same deals."""

from __future__ import annotations

import csv
import io
import json
import math
import shlex
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from paddock.core.defaults import STUDY_GAMES
from paddock.core.errors import BadOption, whole
from paddock.core.i18n import _, mark
from paddock.core.options import Options
from paddock.core.title import Title
from paddock.core.title import title as find_title
from paddock.core.wording import number
from paddock.kernel.source import Seed
from paddock.kernel.survey import LAPS
from paddock.lab import measures
from paddock.lab.figures import Estimate, Ratio, apart, change, figure, shown
from paddock.lab.flags import holm, tail
from paddock.lab.results import check_parquet
from paddock.lab.study import LADDER, LEAST, OPTIONS, SEED, json_figure, main_measures, option_words
from paddock.lab.survey import (
    REPEATS,
    GamesSample,
    compiled_levels,
    item_names,
    one_among,
    play_survey,
    round_word,
)
from paddock.lab.worth import worths

FORMAT = 1  # of ``Beside.json``
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
NOTHING = mark("One more {what} is worth nothing in B, {b} points; in A it is {a}.")


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


@dataclass(frozen=True)
class Side:
    """A set of rules: A or B."""

    title: Title
    options: Options
    given: Mapping[str, Any]  # the options that were named

    @property
    def words(self) -> str:
        """The title and the options that were named, as in a command."""
        return shlex.join([self.title.name, *words_of(self.given)])


@dataclass(frozen=True)
class Beside:
    """What was measured of both sides."""

    a: Side
    b: Side
    games: int  # of the main line-up of each side
    deals: int
    seed: str
    level: str
    command: str
    differences: tuple[Difference, ...]
    places: Mapping[str, tuple[tuple[Estimate, ...], ...]]  # by side: by round, of those who end 1st, 2nd, …
    alone: tuple[tuple[str, tuple[Estimate, ...]], ...]  # what each of several options changes alone
    alone_names: tuple[str, ...]  # of the figures of ``alone``

    @cached_property
    def flags(self) -> tuple[Difference, ...]:
        """The differences that are more than chance, the clearest first."""
        flagged = [difference for difference in self.differences if difference.flagged]
        return tuple(sorted(flagged, key=lambda difference: -difference.strength))

    def __getitem__(self, name: str) -> Difference:
        return {difference.name: difference for difference in self.differences}[name]

    @cached_property
    def saved(self) -> float:
        """The part of the games that the same deals save, in the median over the figures; NaN without any."""
        saved = [of.saved for of in self.differences if of.chapter != WORTH and not math.isnan(of.saved)]
        return float(np.median(saved)) if saved else math.nan

    @property
    def pairing(self) -> str:
        """How much the same deals save, as a sentence."""
        if self.saved < 0.01:
            return _("The same deals save no games here: the two sides use chance in different ways.")
        sentence = _("The same deals for both sides save {share} of the games that a difference needs.")
        return sentence.format(share=f"{number(100 * self.saved, '.0f')} %")

    @property
    def rows(self) -> list[dict[str, Any]]:
        """A row for each figure, for files."""
        return [
            {
                "chapter": of.chapter,
                "name": of.name,
                "label": of.label,
                "a": of.a.value,
                "a_error": of.a.error,
                "b": of.b.value,
                "b_error": of.b.error,
                "difference": of.change.value,
                "error": of.change.error,
                "low": of.change.low,
                "high": of.change.high,
                "share": of.change.percent,
                "saved": of.saved,
                "probability": of.probability,
                "flagged": of.flagged,
                "sentence": of.sentence if of.flagged else "",
                "deals": of.change.n,
                "command": self.command,
            }
            for of in self.differences
        ]

    @property
    def csv(self) -> str:
        """The rows as CSV, with a head."""
        text = io.StringIO()
        lines = csv.DictWriter(text, list(self.rows[0]), lineterminator="\n")
        lines.writeheader()
        lines.writerows(self.rows)
        return text.getvalue()

    def write_parquet(self, file: Path) -> None:
        """Write the rows as Parquet; raise ``PaddockError`` if a package for it is missing."""
        check_parquet()
        import pyarrow
        from pyarrow import parquet

        parquet.write_table(pyarrow.Table.from_pylist(self.rows), file)

    @property
    def json(self) -> str:
        """All numbers as JSON; one that does not exist is null."""
        plain = {
            "format": FORMAT,
            "a": _plain_side(self.a),
            "b": _plain_side(self.b),
            "games": self.games,
            "deals": self.deals,
            "seed": self.seed,
            "level": self.level,
            "command": self.command,
            "saved": None if math.isnan(self.saved) else self.saved,
            "flags": [of.sentence for of in self.flags],
            "differences": [
                {
                    **{key: value for key, value in asdict(of).items() if key not in ("a", "b", "change")},
                    "saved": None if math.isnan(of.saved) else of.saved,
                    **{key: json_figure(getattr(of, key)) for key in ("a", "b", "change")},
                }
                for of in self.differences
            ],
            "places": {
                side: [[json_figure(of) for of in row] for row in rows] for side, rows in self.places.items()
            },
            "options": {value: [json_figure(of) for of in row] for value, row in self.alone},
        }
        return json.dumps(plain, ensure_ascii=False, indent=1, allow_nan=False) + "\n"

    def __str__(self) -> str:
        lines = [f"A: {self.a.words}", f"B: {self.b.words}", ""]
        lines += [of.sentence for of in self.flags] or [_("Nothing is different beyond chance.")]
        sentence = _(
            "{n} of {figures} figures differ; {games} games of {level} on each side, seed {seed}; "
            "± is a 95 % interval"
        )
        lines += ["", self.pairing]
        lines.append(
            sentence.format(
                n=len(self.flags),
                figures=len(self.differences),
                games=number(self.games, ","),
                level=self.level,
                seed=self.seed,
            )
        )
        return "\n".join(lines)


def _plain_side(side: Side) -> dict[str, Any]:
    return {"title": side.title.name, "revision": side.title.revision, "options": side.options.short}


def words_of(options: Mapping[str, Any]) -> list[str]:
    """Return options as ``name=value`` words."""
    return option_words(options)[1::2]


def beside(
    title: Title | str,
    options: Mapping[str, Any] | None = None,
    other: Title | str | None = None,
    other_options: Mapping[str, Any] | None = None,
    games: int = STUDY_GAMES,
    seed: Seed = SEED,
    *,
    progress: Callable[[int, int], Any] | None = None,
) -> Beside:
    """Play two sets of rules with the same bots on the same deals, and return what is different.

    A is ``title`` with ``options``. B is the same with ``other_options`` changed; or the title ``other``, for
    as many players, with those of ``options`` that it has and ``other_options``. The same arguments give the
    same report, on any number of cores. ``progress`` is called with the number of games finished since the
    last call, and the number of all games. Raises ``PaddockError`` if an argument is wrong.
    """
    number_of_games = whole(games)
    if number_of_games is None or number_of_games < LEAST:
        sentence = _("games={games}: give a whole number from {least}")
        raise BadOption([sentence.format(games=games, least=LEAST)])
    a_title, given = find_title(title), dict(options or {})
    b_title, changed = find_title(other or a_title), dict(other_options or {})
    a = _side(a_title, given)
    kept = given
    if b_title is not a_title:
        kept = {name: value for name, value in given.items() if name in b_title.options.model_fields}
        kept = {b_title.players_option: a.options.players, **kept}
    b = _side(b_title, {**kept, **changed})
    if a_title is b_title and a.options == b.options:
        raise BadOption([_("--beside: both sides are the same; name an option that B changes, or a title")])
    if b_title is not a_title:
        b = replace(b, given=changed)
    return _Comparing(a, b, changed, -(-number_of_games // REPEATS), seed, progress).compare()


def _side(title: Title, given: Mapping[str, Any]) -> Side:
    """Return a side; raise ``BadOption`` if it is no single game."""
    rounds = title.rounds_option
    if str(given.get(rounds, 1)) != "1":
        sentence = _("{option}={value}: a study plays single games, so leave this option out")
        raise BadOption([sentence.format(option=rounds, value=given[rounds])])
    return Side(title, title.options.read({**title.one_round, **given}), given)


class _Comparing:
    """A comparison on its way."""

    def __init__(
        self,
        a: Side,
        b: Side,
        changed: Mapping[str, Any],
        deals: int,
        seed: Seed,
        progress: Callable[[int, int], Any] | None,
    ) -> None:
        self.a, self.b, self.changed, self.deals, self.seed = a, b, changed, deals, seed
        self.few = max(LEAST // REPEATS, deals // LADDER)  # deals for the line-ups of two levels
        strengths = [dict(compiled_levels(side.title)) for side in (a, b)]
        self.levels = [level for level in strengths[0] if level in strengths[1]]
        if not self.levels:
            sentence = _("{a} and {b} have no level in common that can be compiled")
            raise BadOption([sentence.format(a=a.title.name, b=b.title.name)])
        self.strengths = {
            id(side): [levels[level] for level in self.levels]
            for side, levels in zip((a, b), strengths, strict=True)
        }
        words = ["paddock", "study", a.title.name, *option_words(a.given)]
        other = words_of(changed) if a.title is b.title else [b.title.name, *words_of(changed)]
        words += ["--beside", shlex.join(other), "--games", str(deals * REPEATS), "--seed", str(seed)]
        self.command = shlex.join(words)
        self.alone = self._alone()
        total = len(self.alone) * max(LEAST // REPEATS, deals // OPTIONS)
        total += sum(
            deals * (1 + _gives(side.title)) + (self.few if self.levels[1:] else 0) for side in (a, b)
        )
        self.progress: Callable[[int], Any] | None = (
            (lambda done: progress(done, total * REPEATS)) if progress else None
        )

    def _alone(self) -> list[tuple[str, Side]]:
        """Return each option of several that B changes, and A with this option alone."""
        if self.a.title is not self.b.title or len(self.changed) < 2:
            return []
        sides = []
        for name, value in self.changed.items():
            try:
                sides.append((f"{name}={value}", _side(self.a.title, {**self.a.given, name: value})))
            except BadOption:  # it needs another of them
                continue
        return sides

    def _play(self, side: Side, deals: int, line_ups: list[list[int]], *, gives: bool = False) -> GamesSample:
        return play_survey(
            side.title, side.options, deals, self.seed, line_ups, self.strengths[id(self._own(side))],
            progress=self.progress, gives=gives,
        )  # fmt: skip

    def _own(self, side: Side) -> Side:
        """Return the side whose levels a variant of A plays with."""
        return self.b if side is self.b else self.a

    def _top(self, side: Side) -> list[list[int]]:
        return [[len(self.levels) - 1] * side.options.players]

    def compare(self) -> Beside:
        """Play and compare."""
        samples = {id(side): self._play(side, self.deals, self._top(side)) for side in (self.a, self.b)}
        a_has, b_has = (dict(self._quantities(side, samples[id(side)])) for side in (self.a, self.b))
        differences = [
            self._difference(name, a_has[name], b_has[name])
            for name in a_has
            if name in b_has and min(a_has[name].ratio.n, b_has[name].ratio.n) >= FEW
        ]
        stands = holm([of.probability for of in differences], RATE)
        flagged = (replace(of, flagged=stand) for of, stand in zip(differences, stands, strict=True))
        main = samples[id(self.a)]
        names, alone = self._options(main)
        return Beside(
            self.a, self.b, self.deals * REPEATS, self.deals, str(self.seed), self.levels[-1], self.command,
            tuple(flagged),
            {key: self._places(samples[id(side)]) for key, side in (("a", self.a), ("b", self.b))},
            alone, names,
        )  # fmt: skip

    def _quantities(self, side: Side, sample: GamesSample) -> Iterator[tuple[str, Quantity]]:
        """Yield the figures of a side by name."""
        title, room = side.title, side.title.study
        for seat in range(side.options.seats):
            label = f"{_(title.seat_name).capitalize()} {seat + 1}"
            yield (
                f"seats.points.{seat + 1}",
                Quantity(SEATS, label, "points", measures.seat_points(seat)(sample)),
            )
            yield f"seats.wins.{seat + 1}", Quantity(SEATS, label, "wins", measures.seat_wins(seat)(sample))
        for name, (label, measure) in main_measures(title).items():
            yield name, Quantity(CHAPTERS[name], label, "", measure(sample))
        if self.levels[1:]:
            mixed = self._play(side, self.few, one_among(1, 0, side.options.players))
            won = measures.over_fair(1, measures.got_wins, percent=True)
            yield (
                "skill",
                Quantity(SKILL, _("Wins of one stronger player, over a fair share"), "", won(mixed)),
            )
        yield "comebacks", Quantity(LEAD, _("Won from the back half"), "", measures.comebacks(sample))
        yield "drama", Quantity(LEAD, _("How far back the winner was"), "", measures.drama(sample))
        for lap in range(LAPS if room else 0):
            label = f"{round_word(title).capitalize()} {lap + 1}"
            yield f"laps.{lap + 1}", Quantity(LEAD, label, "lap", measures.place_in(lap, 1)(sample))
        names = item_names(title)
        dealt = sample if not _gives(title) else self._play(side, self.deals, self._top(side), gives=True)
        labels = [(group, item) for group, items in names.items() for item in items]
        for (item, more), ratio in worths(dealt, [*map(len, names.values())]).items():
            group, label = labels[item]
            kind = ("leader" if group == "leaders" else "more") if more else "less"
            yield f"worth.{group}.{label}.{kind}", Quantity(WORTH, label, kind, ratio)
        for code, label in room.EVENTS.items() if room else ():
            yield f"events.{label}", Quantity(EVENTS, _(label), "events", measures.happens(code)(sample))

    def _difference(self, name: str, a: Quantity, b: Quantity) -> Difference:
        """Compare a figure of both sides."""
        made = change(name, a.label, b.ratio, a.ratio, self.command)
        pulls = b.ratio.pulls - a.ratio.pulls
        apart_variance = float(a.ratio.pulls.var() + b.ratio.pulls.var())
        error = float(pulls.std(ddof=1)) / math.sqrt(len(pulls))
        if error > 0:
            probability = tail(made.value / error, made.n - 1)
        else:
            probability = float(made.value == 0)
        return Difference(
            name, a.chapter, a.label, a.kind,
            figure(name, a.label, a.ratio, self.command), figure(name, a.label, b.ratio, self.command), made,
            1 - float(pulls.var()) / apart_variance if apart_variance else math.nan, probability,
        )  # fmt: skip

    def _places(self, sample: GamesSample) -> tuple[tuple[Estimate, ...], ...]:
        """Return the mean places by round, of the seats that end first, second, …"""
        rows = []
        for lap in range(LAPS):
            if (sample.laps[:, :, lap] > 0).any((1, 2)).sum() < FEW:
                break
            rows.append(
                tuple(
                    figure(
                        f"places.{lap + 1}.{place}", str(lap + 1), measures.place_in(lap, place)(sample), ""
                    )
                    for place in range(1, sample.places.shape[-1] + 1)
                )
            )
        return tuple(rows)

    def _options(
        self, own: GamesSample
    ) -> tuple[tuple[str, ...], tuple[tuple[str, tuple[Estimate, ...]], ...]]:
        """Return the names of figures, and what each option of several changes of them alone."""
        least = max(LEAST // REPEATS, self.deals // OPTIONS)
        names = main_measures(self.a.title)
        first = own.part(slice(0, least))
        rows = []
        for value, side in self.alone:
            sample = self._play(side, least, self._top(side))
            rows.append(
                (
                    value,
                    tuple(
                        change(name, label, measure(sample), measure(first), self.command)
                        for name, (label, measure) in names.items()
                    ),
                )
            )
        return tuple(label for label, _measure in names.values()), tuple(rows)


def _gives(title: Title) -> bool:
    """Whether a title gives its items by lot in games of their own, because its rules do not."""
    return hasattr(title.study, "give")
