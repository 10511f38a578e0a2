"""The report of ``study --beside`` as one HTML page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from paddock.core.i18n import _
from paddock.core.pages import Chart
from paddock.lab.beside import Beside
from paddock.lab.differences import (
    AGREE,
    DISAGREE,
    END,
    EVENTS,
    LEAD,
    LENGTH,
    SEATS,
    SKILL,
    WORTH,
    Difference,
)
from paddock.lab.figures import Estimate, apart, shown
from paddock.lab.page import NumberTable, Section, page
from paddock.lab.pictures import dots
from paddock.lab.survey import round_word


def report(made: Beside) -> str:
    """Return the comparison as an HTML page. The same comparison gives the same page."""
    return page("beside.html", made.a.title, played=made, sections=list(_sections(made)))


def _sections(made: Beside) -> Iterator[Section]:
    """Yield the chapters that have figures."""
    for id, heading, says in (
        (SEATS, _("Seats"), _("What a seat gets over a fair share, the mean of all seats of the same game.")),
        (
            LENGTH,
            _("Length and decisions"),
            _("How long a game takes, and how much there is to choose from at a decision."),
        ),
        (SKILL, _("Skill"), _("What one player of the next stronger level wins among weaker ones.")),
        (
            LEAD,
            _("The lead, comebacks and drama"),
            _(
                "A comeback is a win from the back half of the field at half-time. How far back the winner "
                "was, on average over the rounds, says how dramatic the game is: 0 % always led, 100 % was "
                "always last."
            ),
        ),
        (END, _("The end"), _("How close it is, and how much of the result was the deal.")),
        (
            WORTH,
            _("What each item is worth"),
            _(
                "What one more of an item, or one less, changes the points of its seat, if chance gives it. "
                "Where every seat gets as many, one more replaces an average one."
            ),
        ),
        (EVENTS, _("How often things happen"), _("Times a game.")),
    ):
        rows = [of for of in made.differences if of.chapter == id]
        if rows:
            tables = [_table(heading, rows)]
            if id == LEAD:
                tables += [_places(made, side) for side in made.places if made.places[side]]
            yield Section(id, heading, [says], _pictures(id, rows), tables=tables)
    if made.players:
        yield _networks(made)
    if made.alone:
        yield _alone(made)


def _table(caption: str, rows: Sequence[Difference]) -> NumberTable:
    """Return the figures of both sides, and their differences."""
    head = (_("figure"), "A", "B", _("B less A"), _("beyond chance"))
    return NumberTable(
        caption,
        head,
        [
            (of.words, shown(of.a), shown(of.b), shown(of.change, sign=True), "✓" if of.flagged else "")
            for of in rows
        ],
        wide=True,
    )


def _pictures(chapter: str, rows: Sequence[Difference]) -> list[Chart]:
    """Return the pictures of a chapter: a picture has figures of one unit."""
    pictures = []
    if chapter == WORTH:
        for kind, caption in (
            ("more", _("Points for one more")),
            ("less", _("Points for one less")),
            ("leader", _("Points for a leader")),
        ):
            for side, of_side in (("A", [of.a for of in rows if of.kind == kind]),
                                  ("B", [of.b for of in rows if of.kind == kind])):  # fmt: skip
                if of_side:
                    pictures.append(dots(f"{caption}: {side}", "", _("item"), of_side, line=0, sign=True))
    kinds = {"points": _("Points, B less A"), "wins": _("Wins, B less A"), "lap": _("Place, B less A"),
             "events": _("Times a game, B less A")}  # fmt: skip
    for kind, caption in kinds.items():
        changes = [replace(of.change, label=of.label) for of in rows if of.kind == kind]
        if changes:
            pictures.append(dots(caption, "", _("figure"), changes, line=0, sign=True))
    shares = [of.change for of in rows if of.kind == "" and of.change.percent]
    if shares:
        pictures.append(dots(_("Shares, B less A"), "", _("figure"), shares, line=0, sign=True))
    return pictures


def _places(made: Beside, side: str) -> NumberTable:
    """Return the mean places by round."""
    rows = made.places[side]
    places = len(rows[0]) if rows else 0
    head = (_("at the start of"), *(_("later {place}").format(place=place + 1) for place in range(places)))
    title = (made.a if side == "a" else made.b).title
    word = round_word(title)
    return NumberTable(
        _("Places by round: {side}").format(side=side.upper()),
        head,
        [(f"{word} {lap + 1}".strip(), *(apart(of)[0] for of in row)) for lap, row in enumerate(rows)],
        wide=True,
    )


def _networks(made: Beside) -> Section:
    """Return the chapter on what networks say, beside levels."""
    verdicts = {AGREE: _("agree"), DISAGREE: _("disagree"), "": ""}
    head = (
        _("figure"),
        _("{level}, B less A").format(level=made.level.capitalize()),
        _("networks, B less A"),
        _("verdict"),
    )
    rows = [
        (
            of.level.words,
            shown(of.level.change, sign=True),
            shown(of.network.change, sign=True),
            verdicts[of.verdict],
        )
        for of in made.gaps
    ]
    return Section(
        "networks",
        _("What networks say that learned the rules"),
        [
            _(
                "They play the same deals as {level}. Both agree where both differences are beyond chance "
                "and have the same sign. They disagree where one of them is, and so is the distance between "
                "both. Intervals are those of the games: another training gives another network."
            ).format(level=made.level.capitalize()),
        ],
        tables=[NumberTable(_("Both players"), head, rows, wide=True)],
    )


def _alone(made: Beside) -> Section:
    """Return the chapter on what each of several options changes alone."""

    def cells(row: Sequence[Estimate]) -> list[str]:
        return [shown(of, sign=True) for of in row]

    return Section(
        "options",
        _("What each option changes"),
        [
            _(
                "B changes several options. Here A takes each of them alone, on an eighth of the same deals: "
                "the differences to A."
            )
        ],
        tables=[
            NumberTable(
                _("All differences"),
                (_("option"), *made.alone_names),
                [(value, *cells(row)) for value, row in made.alone],
                wide=True,
            )
        ],
    )
