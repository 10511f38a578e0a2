"""A study as one self-contained HTML page, without script, for screens of any size and for paper."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from paddock.core.i18n import _, pgettext
from paddock.core.wording import number
from paddock.lab.figures import Estimate, shown
from paddock.lab.page import NumberTable, Section, page
from paddock.lab.pictures import bars, curve, dots, stack
from paddock.lab.study import Study
from paddock.lab.survey import REPEATS

GLANCE = ("decisions", "rounds", "choices", "lead_changes", "half_time", "pole", "first", "skill", "deal")
TILES = 8
DRAWN = ("decisions", "lead_changes", "half_time", "first", "deal")  # what options change, as pictures


def report(study: Study) -> str:
    """Return the study as an HTML page. The same study gives the same page."""
    return page(
        "study.html", study.title, played=study, glance=_glance(study), sections=list(_sections(study))
    )


def _known_figures(figures: Sequence[Estimate]) -> list[Estimate]:
    return [estimate for estimate in figures if not math.isnan(estimate.value)]


def _glance(study: Study) -> list[Estimate]:
    """Return the figures for the top; the front of the grid says more than the first decision."""
    figures = _known_figures([study[name] for name in GLANCE])
    return [figure for figure in figures if figure.name != "first" or len(figures) <= TILES]


def _sections(study: Study) -> Iterator[Section]:
    """Yield the sections of the page, in their order."""
    yield _length(study)
    yield _choices(study)
    yield _lead(study)
    yield _end(study)
    yield _seats(study)
    if study.series["levels.wins"]:
        yield _levels(study)
    yield _deal(study)
    if study.series["events"]:
        yield _events(study)
    yield _options(study)


def _length(study: Study) -> Section:
    """Return the section on how many decisions a game has."""
    usual = max(study.series["length"], key=lambda estimate: estimate.value)
    sentence = _("Mean {mean}; most often {usual}.").format(mean=shown(study["decisions"]), usual=usual.label)
    return Section(
        "length",
        _("How long it takes"),
        [
            _(
                "A decision is a move that a {seat} must make, even if only one is legal. "
                "At a table, reckon with about ten seconds for each."
            ).format(seat=_(study.title.seat_name))
        ],
        [bars(_("Decisions in a game"), sentence, _("decisions"), study.series["length"])],
        _known_figures([study["decisions"], study["rounds"]]),
    )


def _choices(study: Study) -> Section:
    """Return the section on how many legal moves there are, and when."""
    return Section(
        "choices",
        _("What there is to decide"),
        [
            _(
                "More legal moves are more to think about; a decision with one legal move is none. The "
                "picture shows when in a game there is much to choose from."
            )
        ],
        [
            curve(
                _("Legal moves at a decision, in the course of a game"),
                _("Mean {mean}.").format(mean=shown(study["choices"])),
                _("up to this part of the game"),
                study.series["choices"],
                first=1 / len(study.series["choices"]),
            )
        ],
        [study["choices"], study["forced"]],
    )


def _lead(study: Study) -> Section:
    """Return the section on who leads, how often that changes, and what it is worth."""
    return Section(
        "lead",
        _("Who leads"),
        [
            _(
                "Whoever is further ahead than all others leads; in a tie, the leader keeps "
                "the lead. If an early leader nearly always wins, the rest of the game "
                "decides little. If an early leader wins no more than a fair share, the "
                "early game decides little."
            )
        ],
        [
            bars(
                _("Lead changes in a game"),
                _("Mean {mean}.").format(mean=shown(study["lead_changes"])),
                _("lead changes"),
                study.series["lead_changes"],
            ),
            curve(
                _("How often the leader goes on to win"),
                _("At half-time {share}.").format(share=shown(study["half_time"])),
                _("who leads after this part wins"),
                study.series["leader_wins"],
                fair=_fair(study),
            ),
        ],
        _known_figures([study[name] for name in ("lead_changes", "last_change", "half_time", "last_leader")]),
    )


def _end(study: Study) -> Section:
    """Return the section on margins, shared wins and games without a winner."""
    return Section(
        "end",
        _("How it ends"),
        [_("How close the first two are, and how often the rules name no winner or several.")],
        figures=[
            estimate
            for estimate in _known_figures([study[name] for name in ("margin", "shared", "unwon")])
            if estimate.error
        ],
    )


def _fair(study: Study) -> float:
    """Return the mean share of the wins of a seat."""
    wins = study.series["seats.wins"]
    return sum(win.value for win in wins) / len(wins)


def _seats(study: Study) -> Section:
    """Return the section on what a seat, the first decision and a place on the grid are worth."""
    title, fair, series = study.title, _fair(study), study.series
    pictures = []
    for name, caption, word in (
        ("seats.wins", _("Wins by seat"), _(title.seat_name)),
        ("turns.wins", _("Wins by who decides first"), _("order of the first decision")),
        ("grid.wins", _("Wins by place on the grid"), _("place on the grid")),
    ):
        if series[name]:
            labelled = [replace(estimate, label=f"{word} {estimate.label}") for estimate in series[name]]
            if len(word) > 12:
                labelled = [
                    replace(estimate, label=pgettext("as a label", "number {n}").format(n=estimate.label))
                    for estimate in series[name]
                ]
            pictures.append(dots(caption, _best(labelled), word, labelled, line=fair))
    points = [
        replace(estimate, label=f"{_(title.player_name)} {estimate.label}")
        for estimate in series["players.points"]
    ]
    mean = sum(estimate.value for estimate in points) / len(points)
    pictures.append(dots(_("Points by player"), _best(points), _(title.player_name), points, line=mean))
    return Section(
        "seats",
        _("Whether the seat matters"),
        [
            _(
                "The line is the fair share. A seat whose interval does not touch it has an advantage or a "
                "disadvantage, unless it is the one in twenty that misses by chance."
            )
        ],
        pictures,
        _known_figures([study["first"], study["pole"]]),
    )


def _best(figures: Sequence[Estimate]) -> str:
    best = max(_known_figures(figures), key=lambda estimate: estimate.value)
    return _("Most: {label}, {value}.").format(label=best.label, value=shown(best))


def _levels(study: Study) -> Section:
    """Return the section on what one player of another level gets."""
    wins, points = study.series["levels.wins"], study.series["levels.points"]
    return Section(
        "levels",
        _("Whether skill matters"),
        [
            _(
                "One player of another level takes part, in every seat equally often. The picture shows what "
                "that player gets over a fair share. The further from 0, the more the game rewards skill. "
                "The second command plays a match of the same levels, with deals of its own."
            )
        ],
        [
            dots(_("Wins over a fair share"), _best(wins), _("line-up"), wins, line=0, sign=True),
            dots(_("Points over a fair share"), _best(points), _("line-up"), points, line=0, sign=True),
        ],
        [study["skill"]],
        commands=[study.match_command],
    )


def _deal(study: Study) -> Section:
    """Return the section on how much of the result the deal explains."""
    rows = [(_("Everybody plays {level}").format(level=study.level.capitalize()), study.series["parts.same"])]
    if study.series["parts.mixed"]:
        rows.append((_("Half of the players are one level weaker"), study.series["parts.mixed"]))
    sentence = _("The deal explains {share}.").format(share=shown(study["deal"]))
    return Section(
        "deal",
        _("How much of the result was the deal"),
        [
            _(
                "Every deal was played twice. What chance decides before the first decision was the same "
                "both times: cards, lots, the set-up. What follows, later cards and dice included, was not. "
                "If players get about as many points both times, the deal decides. The picture divides the "
                "variance of a player's points into what the level, the seat and the deal explain, and the "
                "rest."
            ),
            _(
                "In the second line-up half of the players, in all combinations, play at the weaker level: "
                "so the picture also says how much skill weighs against luck. Bots vary their play less than "
                "people do, which makes the deal look more decisive."
            ),
        ],
        [stack(_("What explains the points"), sentence, rows)],
        [study["deal"]],
        notes=[_("A part that is shown as less than 0 cannot be told from 0.")],
    )


def _events(study: Study) -> Section:
    """Return the section on how often each event happens."""
    most_frequent = sorted(study.series["events.games"], key=lambda estimate: -estimate.value)
    by_code = {estimate.name.rpartition(".")[2]: estimate for estimate in study.series["events"]}
    rows = []
    for estimate in most_frequent:
        of = by_code[estimate.name.rpartition(".")[2]]
        rows.append((estimate.label, shown(of), shown(estimate)))
    head = (_("What"), _("times a game"), _("games with it"))
    return Section(
        "events",
        _("How often things happen"),
        [_("A rule that hardly ever matters still has to be explained: is it worth it?")],
        [dots(_("Games in which it happens"), "", _("What"), most_frequent, line=0)],
        tables=[NumberTable(_("How often things happen"), head, rows)],
    )


def _options(study: Study) -> Section:
    """Return the section on what the other values of each option change."""
    pictures = []
    for name in DRAWN:
        figures = [
            replace(effect.figures[name], label=f"{effect.option}={effect.value}")
            for effect in study.changes
            if not math.isnan(effect.figures[name].value)
        ]
        if figures:
            caption = pgettext("noun", "Change: {what}").format(what=study[name].label)
            pictures.append(dots(caption, "", _("option"), figures, line=0, sign=True))
    names = [
        name for name, figure in study.figures.items() if name != "skill" and not math.isnan(figure.value)
    ]
    rows = [
        (
            f"{change.option}={change.value}",
            *(shown(change.figures[name], sign=True) for name in names),
            change.command,
        )
        for change in study.changes
    ]
    head = (_("option"), *(study[name].label for name in names), _("its figures"))
    count = sum(not math.isnan(change.figures[name].value) for change in study.changes for name in names)
    notes = []
    if study.same:
        notes.append(
            _("These values did not change a single game of this level: {values}.").format(
                values=", ".join(study.same)
            )
        )
    if study.refused:
        notes.append(
            _("These need other options, so study them together: {values}.").format(
                values=", ".join(value for value, _why in study.refused)
            )
        )
    return Section(
        "options",
        _("What each option changes"),
        [
            _(
                "Each option takes each of its other values, one at a time, in {games} games of the same "
                "deals. The figures are differences to this study's own options."
            ).format(games=number(study.changes[0].figures["decisions"].n * REPEATS, ","))
            if study.changes
            else _("No option has another value that changes a game."),
            _(
                "These are {n} differences, and one interval in twenty misses the true value. So an interval "
                "that only just excludes 0 proves little: study that option with more games."
            ).format(n=count),
        ],
        pictures,
        tables=[NumberTable(_("All differences"), head, rows, wide=True)] if rows else [],
        notes=notes,
    )
