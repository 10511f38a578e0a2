"""What a replay shows of the analysis of its game."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Literal

from paddock.bots.analysis import Analysis, JudgedSubmission, account_lines, mistakes_line, model_words
from paddock.bots.ledger import Amount, LedgerMoment
from paddock.core.defaults import WORLDS
from paddock.core.i18n import _, language
from paddock.core.wording import number
from paddock.features.analyses.service import Run
from paddock.features.analyses.story import GameStory, game_story
from paddock.tables import Table
from paddock.tables.analysing import Analysed
from paddock.web.links import link
from paddock.web.steps import ALL, NONE, Step
from paddock.web.timeline import WIDE, TimelineMark, along

State = Literal["none", "waiting", "running", "failed", "done"]
TALL = 160  # the height of the chart, which is ``WIDE``
MOST_MOMENTS = 2 * WIDE  # in it, about: nobody sees more, and a championship has thirty thousand


@dataclass(frozen=True)
class SubmissionVerdict:
    """A judged submission: of the step that is shown, or a big swing."""

    name: str  # of the seat
    text: str  # the moves
    sentence: str
    mistake: bool
    url: str  # of the step after it
    current: bool  # whether this is the step that is shown
    where: str  # the race, if there are several


@dataclass(frozen=True)
class Ledger:
    """Where the points came from, as a table with a column for each player."""

    players: tuple[str, ...]
    rows: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]  # the words, and by player points and error
    results: tuple[str, ...]  # empty while it runs: then the only line are the mistakes
    mistakes: tuple[tuple[int, int], ...]  # and decisions, by player


@dataclass(frozen=True)
class WorthChart:
    """What the race was worth to each player, from its start to its end: ``WIDE`` and ``TALL``."""

    lines: tuple[tuple[str, str, bool], ...]  # name, path, whether the replay shows what this player sees
    zero: float  # the height of the mean of all players
    most: str  # the points at the upper edge
    least: str  # and at the lower one


@dataclass(frozen=True)
class AnalysisShown:
    """The analysis as a replay shows it at one step."""

    state: State
    url: str  # to start it
    done: int = 0
    total: int = 0
    fault: str = ""
    verdicts: tuple[SubmissionVerdict, ...] = ()  # of the moves that led to this step
    swings: tuple[SubmissionVerdict, ...] = ()
    models: str = ""  # who played on, as sentences
    marks: tuple[TimelineMark, ...] = ()  # the big swings
    at: float = 0.0  # of this step, on the chart
    costly: str = ""  # the address of the next big swing, and after the last one of the first
    results: bool = False  # whether there is something to show; while it runs, of the decisions judged so far
    ledger: Ledger | None = None
    story: GameStory | None = None
    share_url: str = ""  # of the replay, behind the story
    chart: WorthChart | None = None
    rough: bool = False  # whether the chart is
    changed: str = ""  # what the moves and cards that led to this step were worth, if all hands are open

    @property
    def progress(self) -> str:
        """How far a running analysis is, as a sentence."""
        if not self.total:
            return _("The analysis starts soon.")
        return _("{percent} % of the analysis is done.").format(percent=100 * self.done // self.total)


def state_of(analysed: Analysed | None, run: Run | None) -> State:
    """Return how far an analysis is."""
    if analysed:
        return "done"
    if run is None:
        return "none"
    return "failed" if run.fault else "running" if run.total else "waiting"


def marks(shown: AnalysisShown) -> tuple[TimelineMark, ...]:
    """Return what the timeline of a replay marks."""
    return shown.marks


def analysis_shown(
    table: Table, step: Step, analysed: Analysed | None, run: Run | None, me: str | None, base: str
) -> AnalysisShown:
    """Return what a step shows of the analysis.

    The reader is the browser ``me``; ``base`` is the server's scheme and host.

    It takes as long as the log: run it as ``in_thread`` does.
    """
    state, url = state_of(analysed, run), link(f"/t/{table.id}/analyse")
    if analysed is None and run is None:
        return AnalysisShown(state, url)
    done, total, fault = (run.done, run.total, _(run.fault)) if run else (0, 0, "")
    so_far = analysed or (run.so_far if run else None)
    if so_far is None:
        return AnalysisShown(state, url, done, total, fault)
    last, worst = len(step.stops) - 1, so_far.swings
    stops_of = [bisect_right(step.stops, turn.last) for turn in worst]
    most = worst[0].counted if worst else 1.0
    return AnalysisShown(
        state,
        url,
        done,
        total,
        fault,
        verdicts=tuple(_verdict(table, step, so_far, turn) for turn in _of_step(step, so_far.turns)),
        swings=tuple(_verdict(table, step, so_far, turn) for turn in worst),
        models=f"{model_words(so_far.analysis, table.title)} {_short(so_far.analysis)}".strip(),
        marks=tuple(
            TimelineMark(at, turn.counted / most, f"{step.scene.names[turn.seat]}: {turn.text}")
            for at, turn in zip(stops_of, worst, strict=True)
        ),
        at=along(step.at, last),
        costly=step.url(min(stops_of, key=lambda at: (at <= step.at, at))) if worst else "",
        results=bool(so_far.turns or so_far.analysis.moments),
        ledger=_ledger(table, so_far),
        story=_story(table, step, so_far, me),
        share_url=base + link(f"/t/{table.id}/replay"),
        chart=_chart(table, step, so_far),
        rough=so_far.rough,
        changed=_changed(table, step, so_far),
    )


def _short(analysis: Analysis) -> str:
    """Return what is said of an analysis that took less work than that of a server with a compiler."""
    if analysis.worlds >= WORLDS:
        return ""
    return _(
        "These are few games: here, only decisions of people are judged, first those that seem to matter. "
        "A server plays up to {n} from each, and its ± are smaller."
    ).format(n=number(WORLDS))


def _ledger(table: Table, analysed: Analysed) -> Ledger | None:
    """Return the accounts as a table; while there are none, what the mistakes cost so far."""
    costs = analysed.costs
    if analysed.ledger:
        pairs = zip(analysed.ledger, costs, strict=True)
        columns = [account_lines(account, cost) for account, cost in pairs]
    elif analysed.turns:
        columns = [[mistakes_line(cost)] for cost in costs]
    else:
        return None
    rows = []
    for line in zip(*columns, strict=True):
        parts = [part for _name, part in line]
        if any(part.points or part.error for part in parts):
            rows.append((line[0][0], tuple(_cell(part) for part in parts)))
    return Ledger(
        tuple(table.players[cost.player].name for cost in costs),
        tuple(rows),
        tuple(number(account.result, "+.2f") for account in analysed.ledger),
        tuple((cost.mistakes, cost.decisions) for cost in costs),
    )


def _story(table: Table, step: Step, analysed: Analysed, me: str | None) -> GameStory | None:
    """Return the story of the player whose view it is, else of the reader, else of the winner."""
    own = table.players_of(me)
    if step.eyes.isdigit():
        player = analysed.owners[int(step.eyes) - 1]
    else:
        player = own[0] if own else table.game.standings().players[0].who
    return game_story(analysed, table.game, player, you=own == [player])


def _cell(part: Amount) -> tuple[str, str]:
    """Return the points of a line and their error in words; what cannot be else than 0 has no error."""
    if not part.points and not part.error:
        return "0", ""
    return number(part.points, "+.2f"), f"± {number(part.error, '.2f')}"


def _chart(table: Table, step: Step, analysed: Analysed) -> WorthChart | None:
    moments = _thinned(analysed.analysis.moments)
    if not moments:
        return None
    last = len(step.stops) - 1
    most = max(max(moment.values) for moment in moments)
    least = min(min(moment.values) for moment in moments)
    high = TALL / max(most - least, 1e-9)
    shown = analysed.owners[int(step.eyes) - 1] if step.eyes.isdigit() else -1
    lines = []
    for player in range(len(moments[0].values)):
        path, before = "", -1
        for moment in moments:
            x, y = along(bisect_left(step.stops, moment.entry), last), (most - moment.values[player]) * high
            path += f"{'L' if moment.round == before else 'M'}{x:g} {y:.1f}"
            before = moment.round
        lines.append((table.players[player].name, path, player == shown))
    return WorthChart(tuple(lines), round(most * high, 1), number(most, "+.1f"), number(least, "+.1f"))


def _thinned(moments: Sequence[LedgerMoment]) -> Sequence[LedgerMoment]:
    """Return moments for a chart: of a long game only some, besides the first and the last of each race."""
    each = -(-len(moments) // MOST_MOMENTS)
    if each <= 1:
        return moments
    out = list[LedgerMoment]()
    for _round, group in groupby(moments, attrgetter("round")):
        race = list(group)
        out += [*race[:-1:each], race[-1]]
    return out


def _changed(table: Table, step: Step, analysed: Analysed) -> str:
    """Return what the step was worth to every player as a sentence; empty if nothing changed."""
    if step.at == 0 or step.eyes != ALL:
        return ""
    first = bisect_left(analysed.changes, step.before, key=lambda change: change.entry)
    end = bisect_left(analysed.changes, step.stops[step.at], key=lambda change: change.entry)
    parts = [change.points for change in analysed.changes[first:end]]
    totals = [round(sum(amount.points for amount in column), 2) for column in zip(*parts, strict=True)]
    if not any(totals):
        return ""
    names = [player.name for player in table.players]
    words = ", ".join(
        _("{name} {points}").format(name=name, points=number(points, "+.2f"))
        for name, points in zip(names, totals, strict=True)
    )
    return _("Worth in points: {words}").format(words=words)


def _of_step(step: Step, turns: Sequence[JudgedSubmission]) -> list[JudgedSubmission]:
    """Return the submissions between the step before and this one, of the seats whose hands are shown."""
    if step.at == 0 or step.eyes == NONE:
        return []
    first = bisect_right(turns, step.before - 1, key=lambda turn: turn.last)
    end = bisect_right(turns, step.stops[step.at] - 1, key=lambda turn: turn.last)
    return [turn for turn in turns[first:end] if step.eyes in (ALL, str(turn.seat + 1))]


def _why(table: Table, analysed: Analysed, turn: JudgedSubmission) -> str:
    """Return why another move was better than a mistake, as the title says it; empty if it does not."""
    room = table.title.mistakes
    if room is None or not turn.mistake:
        return ""
    key = language.get(), turn.entry
    if key not in analysed.reasons:
        game = table.game
        options, text = game.options, game.title.text
        seen = game.at(turn.worst).seen(options.eyes(options.owners[turn.seat]))
        made, best = (text.parse_move(game.setup, move).id for move in (turn.move, turn.best))
        analysed.reasons[key] = room.why(seen, turn.seat, made, best)
    return analysed.reasons[key]


def _verdict(table: Table, step: Step, analysed: Analysed, turn: JudgedSubmission) -> SubmissionVerdict:
    at = bisect_right(step.stops, turn.last)
    word = _(table.title.round_name).capitalize()
    several = table.options.rounds > 1
    where = _("{round} {n}").format(round=word, n=turn.round + 1) if several else ""
    return SubmissionVerdict(
        step.scene.names[turn.seat],
        turn.text,
        ". ".join(part for part in (turn.sentence, _why(table, analysed, turn)) if part),
        turn.mistake,
        step.url(at),
        at == step.at,
        where,
    )
