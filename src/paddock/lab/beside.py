"""``study A --beside B``: what is different between two sets of rules, measured on the same deals."""

from __future__ import annotations

import csv
import io
import json
import math
import shlex
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from paddock.bots.network import Network
from paddock.core.defaults import STUDY_GAMES
from paddock.core.errors import BadOption, whole
from paddock.core.i18n import _
from paddock.core.options import Options
from paddock.core.title import Title
from paddock.core.title import title as find_title
from paddock.core.wording import number
from paddock.kernel.entries import NETWORK
from paddock.kernel.source import Seed, seed_number
from paddock.kernel.survey import LAPS
from paddock.lab import measures
from paddock.lab.differences import (
    AGREE,
    CHAPTERS,
    DISAGREE,
    EVENTS,
    FEW,
    LEAD,
    SEATS,
    SKILL,
    WORTH,
    Difference,
    Gap,
    Quantity,
    flag,
    gap,
    pairs,
)
from paddock.lab.figures import Estimate, change, figure
from paddock.lab.learn import Player, Pupil, learn, minutes_each, pupils
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

NETWORKS = "networks"  # in files: who played
FORMAT = 1  # of ``Beside.json``
LEAST_GAMES = FEW * REPEATS  # of each side: with fewer no figure has enough deals


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
    players: Mapping[str, Player] = field(default_factory=dict)  # with --learn: the networks, by side
    gaps: tuple[Gap, ...] = ()  # with --learn: what levels and networks say of each figure

    @cached_property
    def flags(self) -> tuple[Difference, ...]:
        """The differences that are more than chance, the clearest first."""
        flagged = [difference for difference in self.differences if difference.flagged]
        return tuple(sorted(flagged, key=lambda difference: -difference.strength))

    def judged(self, verdict: str) -> tuple[Gap, ...]:
        """Return the figures on which levels and networks AGREE or DISAGREE, the clearest first."""
        chosen = [of for of in self.gaps if of.verdict == verdict]
        return tuple(sorted(chosen, key=lambda of: -max(of.level.strength, of.network.strength)))

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
    def about_players(self) -> list[str]:
        """How each network came to be, and how strong it is: a sentence each."""
        return [player.about(side.upper(), self.level) for side, player in self.players.items()]

    @property
    def agreement(self) -> str:
        """On how many figures levels and networks agree and disagree, as a sentence."""
        return _(
            "{level} and networks agree on {n} figures that differ, and disagree on {m} of {figures}."
        ).format(
            level=self.level.capitalize(),
            n=len(self.judged(AGREE)),
            m=len(self.judged(DISAGREE)),
            figures=len(self.gaps),
        )

    @property
    def rows(self) -> list[dict[str, Any]]:
        """A row for each figure, for files; with --learn, another one for what networks say of it."""
        verdicts = {of.level.name: of for of in self.gaps}
        return [
            {
                "players": players,
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
                "verdict": verdicts[of.name].verdict if of.name in verdicts else "",
                "deals": of.change.n,
                "command": self.command,
            }
            for players, differences in (
                (self.level, self.differences),
                (NETWORKS, [of.network for of in self.gaps]),
            )
            for of in differences
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
            "differences": [_plain_difference(of) for of in self.differences],
            "networks": {
                "players": {side: _plain_player(player) for side, player in self.players.items()},
                "differences": [
                    {**_plain_difference(of.network), "verdict": of.verdict, "gap": json_figure(of.change)}
                    for of in self.gaps
                ],
                "disagreements": [of.sentence(self.level) for of in self.judged(DISAGREE)],
            },
            "places": {
                side: [[json_figure(of) for of in row] for row in rows] for side, rows in self.places.items()
            },
            "options": {value: [json_figure(of) for of in row] for value, row in self.alone},
        }
        return json.dumps(plain, ensure_ascii=False, indent=1, allow_nan=False) + "\n"

    def __str__(self) -> str:
        lines = [f"A: {self.a.words}", f"B: {self.b.words}", ""]
        lines += [of.sentence for of in self.flags] or [_("Nothing is different beyond chance.")]
        if self.players:
            lines += ["", *self.about_players, "", self.agreement]
            lines += [of.sentence(self.level) for of in self.judged(DISAGREE)]
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


def _plain_difference(of: Difference) -> dict[str, Any]:
    return {
        **{key: value for key, value in asdict(of).items() if key not in ("a", "b", "change")},
        "saved": None if math.isnan(of.saved) else of.saved,
        **{key: json_figure(getattr(of, key)) for key in ("a", "b", "change")},
    }


def _plain_player(player: Player) -> dict[str, Any]:
    return {
        "begin": player.learned.begin,
        "updates": player.learned.updates,
        "games": player.learned.games,
        "strength": json_figure(player.strength),
        "before": player.before and json_figure(player.before),
    }


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
    learn: float | None = None,
    updates: int | None = None,
    progress: Callable[[int, int], Any] | None = None,
) -> Beside:
    """Play two sets of rules with the same bots on the same deals, and return what is different.

    A is ``title`` with ``options``. B is the same with ``other_options`` changed; or the title ``other``, for
    as many players, with those of ``options`` that it has and ``other_options``. The same arguments give the
    same report, on any number of cores. With ``learn``, networks play the same deals, too: *Champion*'s where
    it learned these rules, else one that learns them first; all of them together for so many minutes, or each
    for so many ``updates``, which can be repeated. ``progress`` is called with the number of games finished
    since the last call, and the number of all games. Raises ``PaddockError`` if an argument is wrong.
    """
    number_of_games = whole(games)
    if number_of_games is None or number_of_games < LEAST_GAMES:
        sentence = _("games={games}: give a whole number from {least}")
        raise BadOption([sentence.format(games=games, least=LEAST_GAMES)])
    a_title, given = find_title(title), dict(options or {})
    b_title, changed = find_title(other or a_title), dict(other_options or {})
    a = side_of(a_title, given)
    kept = given
    if b_title is not a_title:
        kept = {name: value for name, value in given.items() if name in b_title.options.model_fields}
        kept = {b_title.players_option: a.options.players, **kept}
    b = side_of(b_title, {**kept, **changed})
    if a_title is b_title and a.options == b.options:
        raise BadOption([_("--beside: both sides are the same; name an option that B changes, or a title")])
    if b_title is not a_title:
        b = replace(b, given=changed)
    lesson = _lesson(a, b, learn, updates) if learn is not None or updates is not None else None
    return Comparing(a, b, changed, -(-number_of_games // REPEATS), seed, progress, lesson).compare()


@dataclass(frozen=True)
class Lesson:
    """What the networks of both sides are to learn."""

    pupils: tuple[Pupil, ...]
    minutes: float  # of each that learns
    updates: int | None
    words: tuple[str, ...]  # in the command


def _lesson(a: Side, b: Side, minutes: float | None, updates: int | None) -> Lesson:
    """Return what is to be learned; raise ``PaddockError`` where there is no recipe, or no time."""
    if updates is not None and (whole(updates) or 0) < 1:
        raise BadOption([_("updates={updates}: give a whole number from 1").format(updates=updates)])
    of_sides = pupils((a.title, a.options), (b.title, b.options))
    each = minutes_each(1.0 if minutes is None else minutes, of_sides)
    words = ("--learn", f"{minutes:g}") if minutes is not None else ()
    return Lesson(tuple(of_sides), each, updates, words)


def side_of(title: Title, given: Mapping[str, Any]) -> Side:
    """Return a side; raise ``BadOption`` if it is no single game."""
    rounds = title.rounds_option
    if str(given.get(rounds, 1)) != "1":
        sentence = _("{option}={value}: a study plays single games, so leave this option out")
        raise BadOption([sentence.format(option=rounds, value=given[rounds])])
    return Side(title, title.options.read({**title.one_round, **given}), given)


class Comparing:
    """A comparison on its way."""

    def __init__(
        self,
        a: Side,
        b: Side,
        changed: Mapping[str, Any],
        deals: int,
        seed: Seed,
        progress: Callable[[int, int], Any] | None,
        lesson: Lesson | None = None,
    ) -> None:
        self.lesson = lesson
        self.a, self.b, self.changed, self.deals, self.seed = a, b, changed, deals, seed
        self.few = max(LEAST // REPEATS, deals // LADDER)  # deals for the line-ups of two levels
        thirds = {side.title.name: dict(compiled_levels(side.title)) for side in (a, b)}
        self.levels = [level for level in thirds[a.title.name] if level in thirds[b.title.name]]
        if not self.levels:
            sentence = _("{a} and {b} have no level in common that can be compiled")
            raise BadOption([sentence.format(a=a.title.name, b=b.title.name)])
        self.strengths = {name: [of[level] for level in self.levels] for name, of in thirds.items()}
        words = ["paddock", "study", a.title.name, *option_words(a.given)]
        other = words_of(changed) if a.title is b.title else [b.title.name, *words_of(changed)]
        words += ["--beside", shlex.join(other), "--games", str(deals * REPEATS), "--seed", str(seed)]
        words += lesson.words if lesson else ()
        self.command = shlex.join(words)
        self.alone = self._alone()
        total = len(self.alone) * max(LEAST // REPEATS, deals // OPTIONS)
        twice = 2 if lesson else 1
        total += sum(
            twice * deals * (1 + _gives(side.title)) + (self.few if self.levels[1:] else 0) for side in (a, b)
        )
        if lesson:
            total += sum(self.few * (1 if of.knows or not of.begin else 2) for of in lesson.pupils)
        self.total = total * REPEATS
        self.progress: Callable[[int], Any] | None = (
            (lambda done: progress(done, self.total)) if progress else None
        )

    def _alone(self) -> list[tuple[str, Side]]:
        """Return each option of several that B changes, and A with this option alone."""
        if self.a.title is not self.b.title or len(self.changed) < 2:
            return []
        sides = []
        for name, value in self.changed.items():
            try:
                sides.append((f"{name}={value}", side_of(self.a.title, {**self.a.given, name: value})))
            except BadOption:  # it needs another of them
                continue
        return sides

    def _play(
        self,
        side: Side,
        deals: int,
        line_ups: list[list[int]],
        *,
        gives: bool = False,
        network: Network | None = None,
    ) -> GamesSample:
        """Play games of a side; in line-ups, its network has the number behind the levels."""
        return play_survey(
            side.title, side.options, deals, self.seed, line_ups,
            [*self.strengths[side.title.name], NETWORK], progress=self.progress, gives=gives,
            networks=[network] if network else [],
        )  # fmt: skip

    def _top(self, side: Side, network: Network | None = None) -> list[list[int]]:
        """Return the line-up of the strongest level alone, or of the side's network."""
        return [[len(self.levels) - (network is None)] * side.options.players]

    def compare(self) -> Beside:
        """Play and compare."""
        sides = {"a": self.a, "b": self.b}
        samples = {key: self._play(side, self.deals, self._top(side)) for key, side in sides.items()}
        levels = pairs(*(dict(self._of_levels(side, samples[key])) for key, side in sides.items()))
        players = self._players()
        of_networks = [dict(self._of_network(sides[key], player)) for key, player in players.items()]
        networks = pairs(*of_networks) if players else {}
        differences, gaps = flag(
            [pair.difference(name, self.command) for name, pair in levels.items()],
            [
                gap(name, levels[name], pair, self.command)
                for name, pair in networks.items()
                if name in levels
            ],
        )
        names, alone = self._options(samples["a"])
        return Beside(
            self.a, self.b, self.deals * REPEATS, self.deals, str(self.seed), self.levels[-1], self.command,
            differences, {key: self._places(sample) for key, sample in samples.items()}, alone, names,
            players, gaps,
        )  # fmt: skip

    def _players(self) -> dict[str, Player]:
        """Train the networks that must learn; return who plays each side, and how strong it is."""
        if not self.lesson:
            return {}
        seed = seed_number(f"{self.seed} learn")
        players = {}
        for key, side, pupil in zip("ab", (self.a, self.b), self.lesson.pupils, strict=True):
            learned = learn(
                pupil, seed, minutes=self.lesson.minutes, updates=self.lesson.updates, progress=self._trained
            )
            before = self._strength(side, pupil.begin) if pupil.begin and not pupil.knows else None
            players[key] = Player(learned, self._strength(side, learned.network), before)
        return players

    def _trained(self, games: int) -> None:
        """Count games of a training: how many they are shows only on the way."""
        self.total += games
        if self.progress:
            self.progress(games)

    def _strength(self, side: Side, network: Network) -> Estimate:
        """Return the points over the fair share of a network, one among players of the strongest level."""
        top = len(self.levels)
        line_ups = one_among(top, top - 1, side.options.players)
        sample = self._play(side, self.few, line_ups, network=network)
        got = measures.over_fair(top, measures.got_points)(sample)
        return figure("strength", _("Points over the fair share"), got, self.command)

    def _of_levels(self, side: Side, sample: GamesSample) -> Iterator[tuple[str, Quantity]]:
        """Yield the figures of a side by name, where levels play."""
        yield from self._quantities(side, sample, None)
        if self.levels[1:]:
            mixed = self._play(side, self.few, one_among(1, 0, side.options.players))
            won = measures.over_fair(1, measures.got_wins, percent=True)(mixed)
            yield "skill", Quantity(SKILL, _("Wins of one stronger player, over a fair share"), "", won)

    def _of_network(self, side: Side, player: Player) -> Iterator[tuple[str, Quantity]]:
        """Yield the figures of a side by name, where its network plays at all seats."""
        network = player.learned.network
        yield from self._quantities(
            side, self._play(side, self.deals, self._top(side, network), network=network), network
        )

    def _quantities(
        self, side: Side, sample: GamesSample, network: Network | None
    ) -> Iterator[tuple[str, Quantity]]:
        """Yield the figures of a side by name, from games of one kind of players."""
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
        yield "comebacks", Quantity(LEAD, _("Won from the back half"), "", measures.comebacks(sample))
        yield "drama", Quantity(LEAD, _("How far back the winner was"), "", measures.drama(sample))
        for lap in range(LAPS if room else 0):
            label = f"{round_word(title).capitalize()} {lap + 1}"
            yield f"laps.{lap + 1}", Quantity(LEAD, label, "lap", measures.place_in(lap, 1)(sample))
        names = item_names(title)
        dealt = sample
        if _gives(title):
            dealt = self._play(side, self.deals, self._top(side, network), gives=True, network=network)
        labels = [(group, item) for group, items in names.items() for item in items]
        for (item, more), ratio in worths(dealt, [*map(len, names.values())]).items():
            group, label = labels[item]
            kind = ("leader" if group == "leaders" else "more") if more else "less"
            yield f"worth.{group}.{label}.{kind}", Quantity(WORTH, label, kind, ratio)
        for code, label in room.EVENTS.items() if room else ():
            yield f"events.{label}", Quantity(EVENTS, _(label), "events", measures.happens(code)(sample))

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
