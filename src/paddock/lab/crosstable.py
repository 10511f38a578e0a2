"""The cross-table of a ladder: who gets what among whom, one number for each bot, and where none will do."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache, cached_property
from itertools import zip_longest
from typing import Any

import numpy as np

from paddock.core.errors import PaddockError
from paddock.core.i18n import _, pgettext, plural
from paddock.core.ratings import Rating, check_ratings, rate
from paddock.core.title import Title
from paddock.core.wording import number
from paddock.kernel.source import seed_number
from paddock.lab.alpharank import alpha_rank
from paddock.lab.exploiter import Exploiter
from paddock.lab.figures import Estimate, Floats, shown
from paddock.lab.results import POINTS, WINS, Figure, Match, points_over, wins_over
from paddock.lab.transitivity import Reversal, cycles, reversal

RESAMPLES = 400  # of the deals, for the intervals of α-Rank
FORM = 1  # of the JSON
SHOWN = 5  # cycles in words
GAP = "  "  # between the columns of a table


@dataclass(frozen=True, order=True)
class Meeting:
    """Two bots at one table: ``count`` players are ``one``, and all others ``other`` (their indices)."""

    one: int
    other: int
    count: int


def counts(players: int) -> list[int]:
    """Return how many of the players are the same bot in the matches of a pair."""
    return sorted({1, players // 2, players - players // 2, players - 1})


@dataclass(frozen=True, eq=False, repr=False)
class Ladder:
    """Every bot among every other. ``print(ladder)`` shows the table, and ``lines(60)`` fits it to a width.

    ``paddock.lab.ladder_report.report`` returns it as an HTML page.
    """

    title: Title
    options: str
    seed: int
    bots: tuple[str, ...]  # their names
    players: int
    by: str  # what a bot is judged by: ``points`` or ``wins``
    matches: Mapping[Meeting, Match]
    command: str  # plays it again
    exploiters: Mapping[str, Exploiter] = field(default_factory=dict)  # of some bots

    @property
    def games(self) -> int:
        """The number of games of all matches."""
        return sum(match.games for match in self.matches.values())

    @property
    def counts(self) -> list[int]:
        """How many players of a game are the same bot."""
        return counts(self.players)

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """All pairs of different bots, in both orders."""
        return [(i, k) for i in range(len(self.bots)) for k in range(len(self.bots)) if i != k]

    def match(self, bot: int, rival: int, count: int) -> tuple[Match, int]:
        """Return the match with ``count`` players ``bot`` among ``rival``, and its index in the match."""
        if played := self.matches.get(Meeting(bot, rival, count)):
            return played, 0
        return self.matches[Meeting(rival, bot, self.players - count)], 1

    def figure(self, bot: int, rival: int, count: int) -> Figure:
        """Return what a bot achieved as ``count`` of the players of a game, the others being ``rival``."""
        match, index = self.match(bot, rival, count)
        return match.figures[index]

    def by_deal(self, bot: int, rival: int, count: int) -> Floats:
        """Return what a bot got over the fair share, by deal."""
        match, index = self.match(bot, rival, count)
        return match.by_deal(index, self.by)

    def over(self, bot: int, rival: int, count: int, by: str = "") -> Estimate:
        """Return what a bot got over the fair share, with its interval; ``by`` as in the ladder."""
        figure, by = self.figure(bot, rival, count), by or self.by
        deals = self.match(bot, rival, count)[0].deals
        if by == WINS:
            numbers = figure.wins_over, figure.wins_error, figure.wins_low, figure.wins_high
        else:
            value, error = figure.points_over, figure.points_error
            numbers = value, error, value - error, value + error
        name = f"{by}.{count}.{self.bots[bot]}.{self.bots[rival]}"
        label = _("{one} among {others}").format(one=self.group(bot, count), others=self.group(rival, -count))
        return Estimate(name, label, *numbers, deals, by == WINS, self.command)

    def group(self, bot: int, count: int) -> str:
        """Return a bot and how many players it is: «3 × club». A negative number says how many it is not."""
        n = count % self.players
        return self.bots[bot] if n == 1 else f"{n} × {self.bots[bot]}"

    @cached_property
    def beats(self) -> frozenset[tuple[int, int]]:
        """The pairs (winner, loser): the winner gets more in every mix of the two, clear of its interval."""
        return frozenset(
            (i, k) for i, k in self.pairs if all(self.over(i, k, count).low > 0 for count in self.counts)
        )

    @cached_property
    def cycles(self) -> list[tuple[int, ...]]:
        """The cycles of bots of which each beats the next, and the last the first."""
        return cycles(len(self.bots), self.beats)

    @cached_property
    def reversals(self) -> list[Reversal]:
        """Where a bot beats another, and yet gets less than it among a third."""
        tried = [
            reversal(winner, loser, third, self.by_deal(winner, third, 1), self.by_deal(loser, third, 1))
            for winner, loser in sorted(self.beats)
            for third in range(len(self.bots))
            if third not in (winner, loser)
        ]
        return [reversal_found for reversal_found in tried if reversal_found]

    @cached_property
    def ratings(self) -> list[Rating] | str:
        """The ratings of the bots by openskill; without that package, a sentence that says how to get it."""
        try:
            check_ratings()
        except PaddockError as missing:
            return str(missing)
        return rate(len(self.bots), self._places())

    def _places(self) -> Iterator[tuple[Sequence[int], Sequence[int]]]:
        """Yield the bots and places of all games: the first game of every match, then the second of each."""
        streams = [
            zip(
                np.array([meeting.one, meeting.other])[match.bots].tolist(),
                match.places.tolist(),
                strict=True,
            )
            for meeting, match in self.matches.items()
        ]
        for games in zip_longest(*streams):
            yield from (game for game in games if game)

    @cached_property
    def alpha_ranks(self) -> list[Estimate]:
        """The share of a population that plays each bot. Its interval comes from drawing the deals again."""
        parts = alpha_rank(self._advantages())
        low, high = np.quantile(parts[1:], (0.025, 0.975), axis=0)
        if min(match.deals for match in self.matches.values()) < 2:
            low, high = np.full_like(low, math.nan), np.full_like(high, math.nan)
        return [
            Estimate(
                f"alpha.{name}", name, value, (end - start) / 2, start, end, self.games, True, self.command
            )
            for name, value, start, end in zip(
                self.bots, parts[0].tolist(), low.tolist(), high.tolist(), strict=True
            )
        ]

    def _advantages(self) -> Floats:
        """Return what ``alpha_rank`` needs: of the deals as they were, then of RESAMPLES draws of them.

        The unit is the standard deviation of what a player gets. Mixes that were not played are on a line
        between their neighbours that were.
        """
        seed, size, unit = seed_number(f"{self.seed} ranks"), len(self.bots), self._spread()
        table = np.zeros((1 + RESAMPLES, size, size, self.players - 1))

        @cache
        def draws(deals: int) -> Floats:
            """The same deals in every match: one that is lucky for a bot is lucky for its rivals, too."""
            return (
                np.random.default_rng(seed).multinomial(deals, np.full(deals, 1 / deals), RESAMPLES) / deals
            )

        for (i, k), count in (
            (pair, count) for pair in self.pairs if pair[0] > pair[1] for count in self.counts
        ):
            # From the difference to the mean of the game to that between the two bots
            advantage = self.by_deal(i, k, count) * self.players / (self.players - count) / unit
            table[:, i, k, count - 1] = [advantage.mean(), *(draws(len(advantage)) @ advantage)]
        for i, k in self.pairs:
            if i > k:
                for n, by_count in enumerate(table[:, i, k]):
                    by_count[:] = np.interp(
                        range(1, self.players), self.counts, by_count[np.array(self.counts) - 1]
                    )
                    table[n, k, i] = -by_count[::-1]
        return table

    def _spread(self) -> float:
        """Return the standard deviation of what a player gets over the mean of a game."""
        values = [match.wins if self.by == WINS else match.points for match in self.matches.values()]
        return (
            float(
                np.concatenate(
                    [points_got - points_got.mean(1, keepdims=True) for points_got in values]
                ).std()
            )
            or 1.0
        )

    # What is said in words, in the terminal and on the page

    def sections(self) -> Iterator[tuple[str, list[int], str]]:
        """Yield the tables: (heading, how many players the bot of a row is, ``points`` or ``wins``)."""
        others, half = self.players - 1, self.players // 2
        alone = plural("One among {n} other", "One among {n} others", others)
        halves = (
            _("{n} among {m} others").format(n=half, m=self.players - half) if half * 2 < self.players else
            _("Half and half, {n} of each").format(n=half)
        )  # fmt: skip
        fair = _("over the fair share of {share} %").format(share=number(100 / self.players, ".3g"))
        for count, words in {1: alone, half: halves}.items() if half > 1 else [(1, alone)]:
            yield _("{mix}: points over the fair share").format(mix=words), [count], POINTS
            yield (
                pgettext("share of games won", "{mix}: wins {fair}").format(mix=words, fair=fair),
                [count],
                WINS,
            )

    def cell(self, bot: int, rival: int, count: int, by: str) -> str:
        """Return a cell of a table; a dash for a bot among itself."""
        if bot == rival:
            return "–"
        figure = self.figure(bot, rival, count)
        return wins_over(figure) if by == WINS else points_over(figure)

    @property
    def standing(self) -> list[list[str]]:
        """The table with one number for each bot: rating and α-Rank; its first row has the heads."""
        head, rows = [_("bot")], [[name] for name in self.bots]
        if not isinstance(self.ratings, str):
            head.append(_("rating"))
            for row, rating in zip(rows, self.ratings, strict=True):
                row.append(f"{number(rating.value, '.1f')} ± {number(rating.error, '.1f')}")
        head.append("α-Rank")
        for row, part in zip(rows, self.alpha_ranks, strict=True):
            row.append(shown(part))
        if self.exploiters:
            head.append(_("exploiter gains"))
            for row, gain in zip(rows, self.gains, strict=True):
                row.append(shown(gain, sign=True) if gain else "–")
        return [head, *rows]

    @property
    def gains(self) -> list[Estimate | None]:
        """What the exploiter of each bot gets over the fair share; None without one."""
        return [self._gain(self.exploiters[name]) if name in self.exploiters else None for name in self.bots]

    def _gain(self, exploiter: Exploiter) -> Estimate:
        """Return what an exploiter gets over the fair share, in what the ladder is judged by."""
        value, error = exploiter.points_over, exploiter.points_error
        numbers = value, error, value - error, value + error
        if self.by == WINS:
            low, high = exploiter.wins_low, exploiter.wins_high
            numbers = exploiter.wins_over, (high - low) / 2, low, high
        n = exploiter.games // self.players
        return Estimate(
            f"exploiter.{exploiter.bot}", exploiter.bot, *numbers, n, self.by == WINS, self.command
        )

    @property
    def not_transitive(self) -> list[str]:
        """What the table says about orders: cycles, and bots that lose to one that gains less elsewhere."""
        sentences = [
            _(
                "Levels are not transitive: who beats whom need not follow one order. A bot beats another if "
                "it gets more in every mix of the two, clear of its interval."
            )
        ]
        for cycle in self.cycles[:SHOWN]:
            steps = _(" beats ").join(self.bots[k] for k in (*cycle, cycle[0]))
            sentences.append(_("A cycle: {steps}.").format(steps=steps))
        if len(self.cycles) > SHOWN:
            sentences.append(_("Cycles in all: {n}.").format(n=len(self.cycles)))
        if not self.cycles:
            sentences.append(_("This table has no cycle."))
        for case in self.reversals:
            sentence = _("{one} beats {other}, and yet gets less than it among {third}: by {less}.")
            percent = self.by == WINS
            less = Estimate(
                "",
                "",
                case.less,
                case.error,
                case.less - case.error,
                case.less + case.error,
                0,
                percent,
                "",
            )
            winner, loser, third = (self.bots[k] for k in (case.one, case.other, case.third))
            sentences.append(sentence.format(one=winner, other=loser, third=third, less=shown(less)))
        return sentences

    @property
    def notes(self) -> list[str]:
        """What is said at the end: how much was played, who forfeited, and what is missing."""
        least, most = (extreme(match.games for match in self.matches.values()) for extreme in (min, max))
        each = (
            number(least, ",")
            if least == most
            else _("{least} to {most}").format(least=number(least, ","), most=number(most, ","))
        )
        sentences = [
            plural(
                "{matches} match of {each} games, seats rotated, seed {seed}; ± and () are 95 % intervals "
                "over deals, and one in twenty misses.",
                "{matches} matches of {each} games each, seats rotated, seed {seed}; ± and () are 95 % "
                "intervals over deals, and one in twenty misses.",
                len(self.matches),
                matches=str(len(self.matches)),
                each=each,
                seed=str(self.seed),
            ),
            _("α-Rank: by {by}.").format(
                by=pgettext("share of games won", "wins") if self.by == WINS else _("points")
            ),
        ]
        for exploiter in self.exploiters.values():
            sentence = _(
                "The exploiter of {bot} was trained against it: {label}; {games} games of "
                "one at a table full of that bot."
            )
            sentences.append(
                sentence.format(bot=exploiter.bot, label=exploiter.label, games=number(exploiter.games, ","))
            )
        if isinstance(self.ratings, str):
            sentences.append(self.ratings)
        return sentences + [note for match_played in self.matches.values() for note in match_played.notes[1:]]

    def lines(self, width: int = 0) -> list[str]:
        """Return the lines of the text; tables are at most ``width`` columns wide, if that is possible."""
        lines = [f"{self.title.name} {self.options}"]
        for heading, sizes, by in self.sections():
            rows = [
                [name, *(self.cell(i, k, sizes[0], by) for k in range(len(self.bots)))]
                for i, name in enumerate(self.bots)
            ]
            lines += ["", heading, *grid([["", *self.bots], *rows], width)]
        lines += ["", *grid(self.standing, width), "", *self.not_transitive, "", *self.notes]
        return lines

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def __repr__(self) -> str:
        return f"<Ladder of {', '.join(self.bots)}: {self.games} games of {self.title.name}>"

    @property
    def json(self) -> str:
        """All numbers as JSON."""
        pairs = [
            {
                "bot": self.bots[i],
                "among": self.bots[k],
                "players": count,
                "others": self.players - count,
                **{
                    name: _number(value)
                    for name, value in asdict(self.figure(i, k, count)).items()
                    if name != "bot"
                },
            }
            for i, k in self.pairs
            for count in self.counts
        ]
        rated = [] if isinstance(self.ratings, str) else self.ratings
        data = {
            "format": FORM,
            "title": self.title.name,
            "revision": self.title.revision,
            "options": self.options,
            "seed": self.seed,
            "by": self.by,
            "players": self.players,
            "games": self.games,
            "command": self.command,
            "bots": list(self.bots),
            "pairs": pairs,
            "ratings": {name: asdict(number) for name, number in zip(self.bots, rated, strict=False)},
            "alpha_rank": {
                name: {key: _number(getattr(reversal_found, key)) for key in ("value", "low", "high")}
                for name, reversal_found in zip(self.bots, self.alpha_ranks, strict=True)
            },
            "exploiters": {
                name: {key: _number(value) for key, value in asdict(exploiter).items()}
                for name, exploiter in self.exploiters.items()
            },
            "beats": [[self.bots[i], self.bots[k]] for i, k in sorted(self.beats)],
            "cycles": [[self.bots[k] for k in cycle] for cycle in self.cycles],
            "reversals": [
                {**{key: self.bots[getattr(reversal_found, key)] for key in ("one", "other", "third")},
                 "less": reversal_found.less, "error": reversal_found.error}
                for reversal_found in self.reversals
            ],
        }  # fmt: skip
        return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def _number(value: Any) -> Any:
    """Return a value for JSON, which has no NaN."""
    return None if isinstance(value, float) and math.isnan(value) else value


def grid(rows: Sequence[Sequence[str]], width: int) -> list[str]:
    """Return a table as lines: in ``width`` columns, cells break before their interval, then the table does.

    The first row has the heads, the first column the names. Without ``width``, nothing breaks.
    """
    lines = _table_lines(rows)
    if width and max(map(len, lines)) > width:
        lines = _table_lines([line for row in rows for line in _cells_in_two_rows(row)])
    if width and max(map(len, lines)) > width and len(rows[0]) > 2:
        half = (len(rows[0]) + 1) // 2
        left, right = [row[:half] for row in rows], [[row[0], *row[half:]] for row in rows]
        lines = [*grid(left, width), "", *grid(right, width)]
    return lines


def _cells_in_two_rows(row: Sequence[str]) -> list[list[str]]:
    """Return a row of cells as two rows, the second with the intervals, if there are any."""
    parts = [[cell.partition(mark)[::2] for mark in (" ± ", " (") if mark in cell] for cell in row]
    if not any(parts):
        return [list(row)]
    above = [part[0][0] if part else cell for part, cell in zip(parts, row, strict=True)]
    return [above, [cell[len(up) :].strip() for up, cell in zip(above, row, strict=True)]]


def _table_lines(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows as lines of columns, all but the first to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        GAP.join(f"{cell:{'>' if i else '<'}{widths[i]}}" for i, cell in enumerate(row)).rstrip()
        for row in rows
    ]
