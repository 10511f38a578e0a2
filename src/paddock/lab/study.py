"""``study``: plays a title with compiled levels, and measures it for who designs or balances it."""

from __future__ import annotations

import json
import math
import re
import shlex
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from types import MappingProxyType
from typing import Any

import numpy as np

from paddock.core.defaults import STUDY_GAMES
from paddock.core.errors import BadOption, whole
from paddock.core.i18n import _, pgettext
from paddock.core.options import LONGEST_WORD, Options
from paddock.core.title import Title
from paddock.core.title import title as find_title
from paddock.core.wording import number
from paddock.kernel.source import Seed
from paddock.kernel.survey import CHANGES, DECISIONS, PARTS
from paddock.lab import measures
from paddock.lab.figures import Estimate, Ratio, change, figure, jackknife, shown
from paddock.lab.measures import Measure
from paddock.lab.survey import REPEATS, GamesSample, compiled_levels, halves, one_among, play_survey

FORMAT = 2  # of ``Study.json``; it grows when a name or a meaning changes
SEED = 0
LEAST = 40  # games
# What part of the games a line-up of several levels, and another value of an option, gets
LADDER, OPTIONS = 4, 8
MOST_VALUES = 12  # of an integer option that is studied
MOST_BARS = 30
NOTHING = Ratio(np.zeros(2), np.zeros(2))  # a figure that this title does not have
SAMPLE = re.compile(r"[\w,/-]{1,24}")  # of an option that is a text: not a whole deck or map


@dataclass(frozen=True)
class OptionEffect:
    """What another value of an option changes: differences to the study's own options, by measure."""

    option: str
    value: str
    command: str
    figures: Mapping[str, Estimate]


@dataclass(frozen=True)
class Study:
    """What was measured. ``figures`` has the main ones by name, ``series`` those that belong together."""

    title: Title
    options: str  # as words
    games: int
    deals: int
    seed: str
    level: str  # of all players, unless a figure's name says otherwise
    command: str
    match_command: str  # plays a match of one stronger player among weaker ones; empty with a single level
    figures: Mapping[str, Estimate]
    series: Mapping[str, tuple[Estimate, ...]]
    changes: tuple[OptionEffect, ...]
    same: tuple[str, ...]  # values that do not change a single game of these levels
    refused: tuple[tuple[str, str], ...]  # values that these options do not allow, and why

    def __getitem__(self, name: str) -> Estimate:
        return self.figures[name]

    @property
    def json(self) -> str:
        """All numbers as JSON, with 12 digits; one that does not exist is null."""
        plain = {
            "format": FORMAT,
            "title": self.title.name,
            "revision": self.title.revision,
            "options": self.options,
            "games": self.games,
            "deals": self.deals,
            "seed": self.seed,
            "level": self.level,
            "command": self.command,
            "figures": {name: json_figure(estimate) for name, estimate in self.figures.items()},
            "series": {
                name: [json_figure(estimate) for estimate in row] for name, row in self.series.items()
            },
            "changes": [
                {
                    "option": effect.option,
                    "value": effect.value,
                    "command": effect.command,
                    "figures": {name: json_figure(of) for name, of in effect.figures.items()},
                }
                for effect in self.changes
            ],
            "same": list(self.same),
            "refused": dict(self.refused),
        }
        return json.dumps(plain, ensure_ascii=False, indent=1, allow_nan=False) + "\n"

    def __str__(self) -> str:
        shown_figures = [estimate for estimate in self.figures.values() if not math.isnan(estimate.value)]
        width = max(len(estimate.label) for estimate in shown_figures)
        lines = [f"{estimate.label:<{width}}  {shown(estimate)}" for estimate in shown_figures]
        sentence = _("{games} games of {level}, each deal played twice, seed {seed}; ± is a 95 % interval")
        last = sentence.format(games=number(self.games, ","), level=self.level, seed=self.seed)
        return "\n".join([f"{self.title.name} {self.options}", *lines, last])


def json_figure(estimate: Estimate) -> dict[str, Any]:
    """Return a figure for JSON; the last digits may depend on the machine."""
    plain_values = asdict(estimate)
    for name, value in plain_values.items():
        if isinstance(value, float):
            plain_values[name] = None if math.isnan(value) else float(f"{value:.12g}")
    return plain_values


def study(
    title: Title | str,
    options: Mapping[str, Any] | None = None,
    games: int = STUDY_GAMES,
    seed: Seed = SEED,
    *,
    progress: Callable[[int, int], Any] | None = None,
) -> Study:
    """Play a title with its compiled levels, and return what was measured.

    Single games (no series) of the strongest such level, ``games`` rounded up to whole deals; a quarter as
    many for each line-up of several levels; an eighth for every other value of an option. The same arguments
    give the same study, on any number of cores. ``progress`` is called with the number of games finished
    since the last call, and the number of all games. Raises ``PaddockError`` if an argument is wrong.
    """
    found = find_title(title)
    number = whole(games)
    if number is None or number < LEAST:
        sentence = _("games={games}: give a whole number from {least}")
        raise BadOption([sentence.format(games=games, least=LEAST)])
    return _Studying(found, dict(options or {}), -(-number // REPEATS), seed, progress).study()


def main_measures(title: Title) -> dict[str, tuple[str, Measure]]:
    """Return the main measures of a title: name → (label, measure)."""
    first = _("Wins of the first seat to decide, over a fair share")
    rounds = (
        (_(title.study.ROUNDS).capitalize(), measures.happens(title.study.ROUND))
        if title.study
        else (pgettext("noun", "Rounds"), lambda sample: NOTHING)
    )
    return {
        "decisions": (_("Decisions"), measures.decisions),
        "rounds": rounds,
        "choices": (_("Legal moves at a decision"), measures.choices),
        "forced": (_("Decisions with one legal move"), measures.forced),
        "lead_changes": (_("Lead changes"), measures.lead_changes),
        "last_change": (_("Last lead change, part of the game"), measures.last_change),
        "half_time": (_("The leader at half-time wins"), measures.leader_wins(measures.HALF)),
        "last_leader": (_("The leader at the end wins"), measures.leader_wins(PARTS)),
        "margin": (_("Points between first and second"), measures.margin),
        "shared": (_("The first place is shared"), measures.shared),
        "unwon": (_("Nobody wins"), measures.unwon),
        "first": (first, measures.advantage(measures.turns)),
        "pole": (
            _("Wins from the front of the grid, over a fair share"),
            measures.advantage(measures.grid),
        ),
        "deal": (_("Share of the points that the deal explains"), measures.deal),
    }


class _Studying:
    """One study on its way."""

    def __init__(
        self,
        title: Title,
        options_given: dict[str, Any],
        deals: int,
        seed: Seed,
        progress: Callable[[int, int], Any] | None,
    ) -> None:
        self.title, self.given, self.deals, self.seed = title, options_given, deals, seed
        rounds = title.rounds_option
        if str(options_given.get(rounds, 1)) != "1":
            sentence = _("{option}={value}: a study plays single games, so leave this option out")
            raise BadOption([sentence.format(option=rounds, value=options_given[rounds])])
        self.options = self._read({})
        self.levels = compiled_levels(title)
        self.strengths = [thirds for _name, thirds in self.levels]
        self.top = len(self.levels) - 1
        self.least = max(LEAST // REPEATS, deals // OPTIONS)  # deals for a value of an option
        self.room = title.study
        self.command = self._command(deals, {})
        self.same: list[str] = []
        self.refused: list[tuple[str, str]] = []
        self.variants = list(self._variants())
        # Line-ups in ``_mixed_levels``: two for each two neighbours, and one half and half.
        mixed = 2 * self.top + bool(self.top)
        self.total = REPEATS * (
            deals + mixed * max(LEAST // REPEATS, deals // LADDER) + len(self.variants) * self.least
        )
        self.progress: Callable[[int], Any] | None = (
            (lambda done: progress(done, self.total)) if progress else None
        )

    def _read(self, changed: Mapping[str, Any]) -> Options:
        return self.title.options.read({**self.title.one_round, **self.given, **changed})

    def _command(self, deals: int, changed: Mapping[str, str]) -> str:
        """Return the command that plays so many deals, and shows their figures."""
        words = ["paddock", "study", self.title.name, *option_words({**self.given, **changed})]
        words += ["--games", str(deals * REPEATS), "--seed", str(self.seed)]
        return shlex.join(words)

    def _match_command(self) -> str:
        """Return the command of a match of one player of the second weakest level among the weakest."""
        if not self.top:
            return ""
        (weak, _thirds), (strong, _more) = self.levels[:2]
        bots = [strong, *[weak] * (self.options.players - 1)]
        return shlex.join(["paddock", "match", self.title.name, *bots, *option_words(self.given)])

    def _variants(self) -> Iterator[tuple[str, str, Options]]:
        """Yield every other value of the options that have a handful of them: (option, value, options)."""
        setup_and_owners = self.title.setup_of(self.options).tobytes(), self.options.owners
        for name, value in other_values(self.title, self.options):
            try:
                options = self._read({name: value})
            except BadOption as error:
                self.refused.append((f"{name}={value}", str(error)))
                continue
            if (self.title.setup_of(options).tobytes(), options.owners) == setup_and_owners:
                self.same.append(f"{name}={value}")
            else:
                yield name, value, options

    def _level(self, k: int) -> str:
        return self.levels[k][0].capitalize()

    def _play(self, options: Options, deals: int, line_ups: list[list[int]]) -> GamesSample:
        return play_survey(
            self.title, options, deals, self.seed, line_ups, self.strengths, progress=self.progress
        )

    def study(self) -> Study:
        """Play and measure."""
        players = self.options.players
        sample = self._play(self.options, self.deals, [[self.top] * players])
        figures, series = self._main(sample), self._series(sample)
        figures |= self._mixed_levels(series)
        series["parts.same"] = self._variance_parts("parts.same", sample)
        changes = tuple(self._option_effects(sample.part(slice(0, self.least))))
        options, level = self.options, self.levels[self.top][0]
        return Study(
            self.title, options.short, self.deals * REPEATS, self.deals, str(self.seed), level, self.command,
            self._match_command(), MappingProxyType(figures), MappingProxyType(series), changes,
            tuple(self.same), tuple(self.refused),
        )  # fmt: skip

    def _figure(self, name: str, label: str, ratio: Ratio) -> Estimate:
        return figure(name, label, ratio, self.command)

    def _main(self, sample: GamesSample) -> dict[str, Estimate]:
        return {
            name: self._figure(name, label, measure(sample))
            for name, (label, measure) in main_measures(self.title).items()
        }

    def _series(self, sample: GamesSample) -> dict[str, tuple[Estimate, ...]]:
        """Return the figures that belong together."""
        series: dict[str, tuple[Estimate, ...]] = {}
        length = sample.numbers[..., DECISIONS]
        series["length"] = self._bars("length", length)
        series["lead_changes"] = self._bars("lead_changes", sample.numbers[..., CHANGES])
        percent = [f"{100 * k // PARTS} %" for k in range(PARTS + 1)]
        series["choices"] = self._row("choices", percent[1:], measures.choices_in, sample, range(PARTS))
        series["leader_wins"] = self._row(
            "leader_wins", percent, measures.leader_wins, sample, range(PARTS + 1)
        )
        seats = range(1, self.options.seats + 1)
        for name, rank in (("seats", measures.seats), ("turns", measures.turns), ("grid", measures.grid)):
            has_ranks = name == "seats" or (
                rank(sample).any() and (rank(sample) != measures.seats(sample)).any()
            )
            of = f"{name}.wins"
            series[of] = (
                self._row(of, map(str, seats), partial(measures.wins_of, rank), sample, seats)
                if has_ranks
                else ()
            )
        players = range(self.options.players)
        names = [str(player + 1) for player in players]
        series["players.points"] = self._row("players.points", names, measures.points, sample, players)
        events = {code: _(label) for code, label in self.room.EVENTS.items()} if self.room else {}
        events = {code: label for code, label in events.items() if sample.event_counts[..., code].any()}
        for name, measure in (("events", measures.happens), ("events.games", measures.games_with)):
            series[name] = self._row(name, events.values(), measure, sample, events)
        return series

    def _row(
        self, name: str, labels: Any, measure: Callable[[int], Measure], sample: GamesSample, keys: Any
    ) -> tuple[Estimate, ...]:
        return tuple(
            self._figure(f"{name}.{key}", label, measure(key)(sample))
            for label, key in zip(labels, keys, strict=True)
        )

    def _bars(self, name: str, values: Any) -> tuple[Estimate, ...]:
        """Return how often each value, or range of values, occurs; rare ones at both ends are together."""
        lowest, highest = (int(end) for end in np.percentile(values, (0.25, 99.75)))
        width = next(n for n in _widths() if (highest - lowest) // n < MOST_BARS)
        lowest -= lowest % width
        edges = [*range(lowest, highest + 1, width)]
        bars = []
        for edge in edges:
            low = -math.inf if edge == edges[0] else edge
            high = math.inf if edge == edges[-1] else edge + width
            label = str(edge) if width == 1 else f"{edge}–{edge + width - 1}"
            if edge == edges[0] and (values < edge).any():
                label = f"≤ {edge + width - 1}"
            if edge == edges[-1] and (values >= edge + width).any():
                label = f"≥ {edge}"
            inside = measures.per_game((values >= low) & (values < high), share=True)
            bars.append(self._figure(f"{name}.{edge}", label, inside))
        return tuple(bars)

    def _mixed_levels(self, series: dict[str, tuple[Estimate, ...]]) -> dict[str, Estimate]:
        """Play line-ups of two levels; return the figures of the strongest against the weakest."""
        players, deals = self.options.players, max(LEAST // REPEATS, self.deals // LADDER)
        skill = NOTHING
        over, wins = [], []
        series["parts.mixed"] = ()
        for k in range(self.top):
            for level, other_level in ((k + 1, k), (k, k + 1)):
                sample = self._play(self.options, deals, one_among(level, other_level, players))
                name = f"{self.levels[level][0]}_among_{self.levels[other_level][0]}"
                label = f"1 {self._level(level)}, {players - 1} {self._level(other_level)}"
                measure = measures.over_fair(level, measures.got_points)
                won = measures.over_fair(level, measures.got_wins, percent=True)
                over.append(self._figure(f"levels.points.{name}", label, measure(sample)))
                wins.append(self._figure(f"levels.wins.{name}", label, won(sample)))
                if k == 0 and level > other_level:
                    skill = won(sample)
            if k == 0:
                mixed = self._play(self.options, deals, halves(k + 1, k, players))
                series["parts.mixed"] = self._variance_parts("parts.mixed", mixed)
        series["levels.points"], series["levels.wins"] = tuple(over), tuple(wins)
        label = _("Wins of one stronger player, over a fair share")
        return {"skill": self._figure("skill", label, skill)}

    def _variance_parts(self, name: str, sample: GamesSample) -> tuple[Estimate, ...]:
        """Return what explains the variance of the points."""
        values, errors = (
            array.tolist()
            for array in jackknife(sample.deals, lambda mask: measures.components(sample.part(mask)))
        )
        labels = {
            "level": _("the level"),
            "seat": _("the seat"),
            "deal": _("the deal"),
            "rest": _("all that follows"),
        }
        return tuple(
            Estimate(
                name, label, value, error, value - error, value + error, sample.deals, True, self.command
            )
            for name, label, value, error in zip(
                (f"{name}.{key}" for key in labels), labels.values(), values, errors, strict=True
            )
        )

    def _option_effects(self, own_sample: GamesSample) -> Iterator[OptionEffect]:
        """Yield what each other value of an option changes, measured on the same deals."""
        for option, value, options in self.variants:
            sample = self._play(options, self.least, [[self.top] * options.players])
            command = self._command(self.least, {option: value})
            if sample.same(own_sample):
                self.same.append(f"{option}={value}")
                continue
            figures = {
                name: change(name, label, measure(sample), measure(own_sample), command)
                for name, (label, measure) in main_measures(self.title).items()
            }
            yield OptionEffect(option, value, command, MappingProxyType(figures))


def option_words(options: Mapping[str, Any]) -> list[str]:
    """Return options as words of a command."""
    words = []
    for name, value in options.items():
        text = str(value)
        if len(text) > LONGEST_WORD or text.split() != [text]:
            text = f"@{name}.txt"  # a map or a deck of the user's own
        words += ["-o", f"{name}={text}"]
    return words


def _widths() -> Iterator[int]:
    """Yield 1, 2, 5, 10, 20, 50, …"""
    n = 1
    while True:
        yield from (n, 2 * n, 5 * n)
        n *= 10


def other_values(title: Title, options: Options) -> Iterator[tuple[str, str]]:
    """Yield every other value of each option that has a handful: yes and no, choices, small numbers, samples.

    Of the numbers of the rules only the rulebook's is another value, where they are changed.

    Samples of options that are texts come from ``SAMPLES`` in the title's ``invariants.py``.
    """
    samples = title.invariants.SAMPLES
    now = dict(word.split("=", 1) for word in _every_word(options))
    for row in title.options.describe():
        name, kind = row.name, row.kind
        values: list[str] = []
        if row.rulebook:
            values = [row.default]
        elif name in samples:
            values = [value for value in samples[name] if SAMPLE.fullmatch(value)]
        elif kind == "boolean":
            values = ["no", "yes"]
        elif kind == "choice":
            values = [str(value) for value in row.choices]
        elif len(row.numbers) <= MOST_VALUES:
            values = [str(value) for value in row.numbers]
        if name != title.rounds_option:
            yield from ((name, value) for value in values if value != now[name])


def _every_word(options: Options) -> Iterator[str]:
    """Yield ``name=value`` of every option, also those that ``short`` leaves out."""
    for name, value in options.named.items():
        if isinstance(value, bool):
            value = "yes" if value else "no"
        elif isinstance(value, (tuple, list)):
            value = ",".join(map(str, value))
        yield f"{name}={value}"
