"""A ladder as one self-contained HTML page."""

from __future__ import annotations

from collections.abc import Iterator

from paddock.core.i18n import _, pgettext
from paddock.core.pages import Chart
from paddock.core.wording import number
from paddock.lab.crosstable import Ladder
from paddock.lab.figures import Estimate, shown
from paddock.lab.page import NumberTable, Section, page
from paddock.lab.pictures import cross, dots
from paddock.lab.results import POINTS, WINS


def report(ladder: Ladder) -> str:
    """Return the ladder as an HTML page. The same ladder gives the same page."""
    return page("ladder.html", ladder.title, played=ladder, sections=list(_sections(ladder)))


def _sections(ladder: Ladder) -> Iterator[Section]:
    """Yield the sections of the page: a table for each mix, then the numbers, then all matches."""
    mixes = [(_("One among the others"), 1)]
    if ladder.players > 3:
        mixes.append((_("Half and half"), ladder.players // 2))
    for heading, count in mixes:
        yield Section(
            "alone" if count == 1 else "half",
            heading,
            [
                _(
                    "What the bot of a row gets over the fair share, the mean of all players of the same "
                    "games: it is {one} of {players} players, and the bot of the column is all others."
                ).format(one=count, players=ladder.players),
                _("A cell without colour does not show which of the two is better: its interval contains 0."),
            ],
            [table(ladder, count, by) for by in (POINTS, WINS)],
        )
    yield _standing(ladder)
    yield _orders(ladder)


def table(ladder: Ladder, count: int, by: str) -> Chart:
    """Return the picture of a cross-table: the bot of a row is ``count`` of the players."""
    size = range(len(ladder.bots))
    cells = [[ladder.over(i, k, count, by) if i != k else None for k in size] for i in size]
    caption = _("Wins over the fair share") if by == WINS else _("Points over the fair share")
    figures = [figure for row in cells for figure in row if figure]
    best = max(figures, key=lambda figure: figure.value)
    sentence = _("Most: {label}, {value}.").format(label=best.label, value=shown(best, sign=True))
    return cross(
        caption,
        sentence,
        (pgettext("axis of a table of bots", "one"), pgettext("axis of a table of bots", "among")),
        ladder.bots,
        cells,
    )


def _standing(ladder: Ladder) -> Section:
    """Return the section with one number for each bot: ratings, α-Rank, gains of exploiters."""
    pictures, notes = [], []
    paragraphs = [
        _(
            "α-Rank is the part of the time for which a population plays each bot, if now and then somebody "
            "tries another one, and what does better spreads. Bots that beat each other in a cycle share it."
        )
    ]
    if isinstance(ladder.ratings, str):
        notes.append(ladder.ratings)
    else:
        paragraphs.insert(
            0,
            _(
                "A rating says how often a bot comes in before another, if one number is all there is to "
                "say: the model of Plackett and Luce, fitted to the places of all games by openskill. 25 is "
                "the start."
            ),
        )
        rated = [
            Estimate(name, name, rating.value, rating.error, rating.value - rating.error,
                     rating.value + rating.error, ladder.games, False, ladder.command)
            for name, rating in zip(ladder.bots, ladder.ratings, strict=True)
        ]  # fmt: skip
        mean = sum(rating.value for rating in rated) / len(rated)
        pictures.append(dots(_("Ratings"), _most_words(rated), _("bot"), rated, line=mean))
    pictures.append(dots("α-Rank", _most_words(ladder.alpha_ranks), _("bot"), ladder.alpha_ranks, line=0))
    if gains := [rating for rating in ladder.gains if rating]:
        paragraphs.append(
            _(
                "An exploiter is a network that has learned to beat one bot. What it gains "
                "at a table full of that bot says how well the bot stands up to somebody who "
                "has studied it."
            )
        )
        pictures.append(
            dots(_("What an exploiter gains"), _most_words(gains), _("bot"), gains, line=0, sign=True)
        )
    return Section("numbers", _("One number for each bot"), paragraphs, pictures, notes=notes)


def _most_words(figures: list[Estimate]) -> str:
    best = max(figures, key=lambda figure: figure.value)
    return _("Most: {label}, {value}.").format(label=best.label, value=shown(best))


def _orders(ladder: Ladder) -> Section:
    """Return the section on cycles and reversals, with the table of all matches."""
    head = (_("players"), _("points over the fair share"), _("wins over the fair share"), _("games"))
    rows = [
        (
            ladder.over(i, k, count).label,
            ladder.cell(i, k, count, POINTS),
            ladder.cell(i, k, count, WINS),
            number(ladder.match(i, k, count)[0].games, ","),
        )
        for i, k in ladder.pairs
        for count in ladder.counts
    ]
    return Section(
        "orders",
        _("Why one number is not enough"),
        ladder.not_transitive,
        tables=[NumberTable(_("All matches"), head, rows, wide=True)],
        notes=ladder.notes[1:],
    )
