"""The analysis of a game as plain data: what each move cost, the biggest swings, the cost by player; and of a
position or an unfinished game, what each move would cost now.

``judging.py`` makes it. The unit is points of the race. Each race of a series is judged by itself: the
standings are sums of points, but that somebody defends a lead is not taken into account.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from itertools import groupby
from typing import Any, ClassVar

from pydantic import ConfigDict, TypeAdapter, ValidationError

from paddock.bots.ledger import Amount, Kind, LedgerAccount, LedgerMoment, accounts
from paddock.core.defaults import SLIPS
from paddock.core.errors import PaddockError
from paddock.core.game import Game
from paddock.core.i18n import _, pgettext, plural
from paddock.core.intervals import t_value
from paddock.core.title import Title, notation
from paddock.core.wording import number

# Of the JSON form. Before format 4, only *Clubs* played on; format 2 had no moments; in format 1, errors were
# standard errors
FORMAT = 4
MOST_SWINGS = 10
LEAST = 0.005  # points: less is 0 in print
PIECE = 500  # judgements or moments that are read at a time


@dataclass(frozen=True)
class Judgement:
    """What one move cost.

    ``best`` was chosen in some worlds, and ``cost`` was measured in others, so that luck in the choice does
    not add to the cost. The cost may therefore be negative. If the move itself was chosen, cost and error
    are 0. An analysis that an earlier version made has no gain, and one by *Clubs* alone no figures by model.
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid", allow_inf_nan=False)

    entry: int  # index in the log
    round: int  # from 0
    seat: int  # from 0
    move: str  # in notation
    best: str  # the move that seems best
    cost: float  # mean difference between the two, in points
    error: float  # half the width of the 95 % interval of the cost
    worlds: int  # in which the move was tried
    gain: float = 0.0  # mean difference between the move and what the models play there, in points
    gain_error: float = 0.0  # half the width of its 95 % interval
    costs: tuple[float, ...] = ()  # the cost by model; empty if the move itself was chosen
    errors: tuple[float, ...] = ()  # half the width of their 95 % intervals

    @property
    def agreed(self) -> bool:
        """Whether the move costs points whichever model plays on."""
        return self.cost > 0 and all(cost > 0 for cost in self.costs)


@dataclass(frozen=True)
class MoveCost:
    """What a legal move of a seat that must decide now would cost.

    As in a ``Judgement``, the worlds that choose the best move do not measure. A move that was tried in fewer
    worlds was clearly worse in these. The best move costs 0.
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid", allow_inf_nan=False)

    seat: int  # from 0
    move: str  # in notation
    cost: float  # mean difference to the best move, in points
    error: float  # half the width of the 95 % interval of the cost
    worlds: int  # in which the move was tried


@dataclass(frozen=True)
class Analysis:
    """What the moves of a game cost.

    ``judgements``: all decisions with more than one legal move, in the order of the log. ``choices``: what
    the seats that must decide now can do, by seat, the best first; none in a finished game. ``moments``: what
    the finished races were worth to the players; none in an analysis by an earlier version. ``models``: who
    plays on, by name.
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid", allow_inf_nan=False)

    title: str
    entries: int  # of the log
    worlds: int  # for one decision, at most
    seed: str
    judgements: tuple[Judgement, ...]
    format: int = FORMAT
    choices: tuple[MoveCost, ...] = ()
    moments: tuple[LedgerMoment, ...] = ()
    models: tuple[str, ...] = ("club",)

    def dump(self) -> str:
        """Return the analysis as a line of JSON; ``load`` reads it."""
        return "".join(_WRITER.iterencode(asdict(self)))  # in one call, no other thread could run meanwhile

    @classmethod
    def load(cls, text: str) -> Analysis:
        """Read what ``dump`` wrote, also in older formats; raise ``PaddockError`` for anything else."""
        try:
            fields = _read(text)
        except ValidationError as error:
            raise PaddockError(
                _("this is not an analysis: {fault}").format(fault=error.errors()[0]["msg"])
            ) from None
        entries = [judgement.entry for judgement in fields.judgements]
        ordered = sorted(set(entries)) == entries and all(0 <= entry < fields.entries for entry in entries)
        if not 1 <= fields.format <= FORMAT or not (ordered and _in_order(fields.moments, fields.entries)):
            raise PaddockError(_("this analysis has another format: make it again"))
        return _from_format_1(fields) if fields.format == 1 else replace(fields, format=FORMAT)


_READER = TypeAdapter(Analysis)
_PARTS: dict[str, TypeAdapter[Any]] = {
    "judgements": TypeAdapter(tuple[Judgement, ...]),
    "moments": TypeAdapter(tuple[LedgerMoment, ...]),
}
_WRITER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def _read(text: str) -> Analysis:
    """Return what a text says. Raises ``ValidationError``.

    Its lists are read piece by piece: no other thread can run while one is read, and that of a championship
    takes a tenth of a second. Their entries contain no objects, and ``dump`` writes no spaces.
    """
    left, fields = text, dict[str, Any]()
    try:
        for name, reader in _PARTS.items():
            start = left.index(f'"{name}":[{{') + len(name) + 4
            end = left.index("}]", start) + 1
            entries = left[start + 1 : end - 1].split("},{")
            pieces = (entries[at : at + PIECE] for at in range(0, len(entries), PIECE))
            words = ("[{" + "},{".join(piece) + "}]" for piece in pieces)
            fields[name] = tuple(item for piece in words for item in reader.validate_json(piece, strict=True))
            left = left[:start] + left[end:]
        return replace(_READER.validate_json(left, strict=True), **fields)
    except ValueError:  # it is short, of another version, or none at all: say so of the whole
        return _READER.validate_json(text, strict=True)


def _in_order(moments: Sequence[LedgerMoment], entries: int) -> bool:
    """Whether the moments are those of a log with so many entries, in its order, all with as many players."""
    places = [(moment.round, moment.entry) for moment in moments]
    sizes = {len(numbers) for moment in moments for numbers in (moment.values, moment.errors)}
    return sorted(set(places)) == places and all(0 <= at <= entries for _, at in places) and len(sizes) <= 1


def _from_format_1(old: Analysis) -> Analysis:
    """Return an analysis with intervals for its standard errors."""
    measured = old.worlds - old.worlds // 2  # the worlds that did not choose the best move
    t = t_value(max(1, measured - 1))
    judgements = tuple(
        replace(judgement, error=round(t * judgement.error, 4)) for judgement in old.judgements
    )
    return replace(old, judgements=judgements, format=FORMAT)


@dataclass(frozen=True)
class JudgedSubmission:
    """A submission, with the judgements of its moves together: costs are added."""

    entry: int  # index of its first move in the log
    last: int  # and of its last one
    round: int
    seat: int
    text: str  # all its moves in notation
    worst: int  # index in the log of the move that cost most
    move: str  # and the move
    best: str  # what was better
    cost: float
    error: float
    lost: float  # what was clearly lost, beside what the models play there
    among: tuple[ModelCost, ...]  # the cost by model; empty if there is one model, or nothing was better
    gained: float = 0.0  # what was clearly gained on what the models play there
    gained_error: float = 0.0  # half the width of its 95 % interval
    counted: float = 0.0  # what a mistake adds to the cost of its player

    @property
    def mistake(self) -> bool:
        """Whether all of the interval of the cost is above 0, and it costs points whoever plays on."""
        return self.cost > self.error and all(part.cost > 0 for part in self.among)

    @property
    def depends(self) -> bool:
        """Whether it clearly costs points if one model plays on, and gains some if another does; or the other
        way round."""
        signs = [part.cost > 0 for part in self.among]
        return any(signs) and not all(signs) and any(abs(part.cost) > part.error for part in self.among)

    @property
    def sentence(self) -> str:
        """The verdict for a player."""
        if self.depends:
            return _("Beside {best}, it depends on the others: {words}").format(
                best=self.best, words=", ".join(part.sentence for part in self.among)
            )
        if self.mistake and self.counted < self.cost - LEAST:
            counted = number(self.counted, ".2f")
            return _("{sentence} · adds {counted} to the total: an earlier chance counts already").format(
                sentence=self._verdict, counted=counted
            )
        return self._verdict

    @property
    def _verdict(self) -> str:
        if self.mistake and self.move != self.text:
            return _("Best: {best} instead of {move} · this cost {cost}").format(
                best=self.best, move=self.move, cost=points(self.cost, self.error)
            )
        if self.mistake:
            return _("Best: {best} · this cost {cost}").format(
                best=self.best, cost=points(self.cost, self.error)
            )
        if self.cost > 0:
            return _("No clear difference to {best}: {cost}").format(
                best=self.best, cost=points(self.cost, self.error)
            )
        return _("Best move")


@dataclass(frozen=True)
class ModelCost:
    """What a submission costs if one model plays on."""

    model: str
    cost: float
    error: float  # half the width of its 95 % interval

    @property
    def sentence(self) -> str:
        """The cost, or the gain, in words."""
        costs, gains, unclear = {
            "champion": (
                _("costs {cost} among Champions"),
                _("gains {cost} among Champions"),
                _("no clear difference among Champions: {cost}"),
            ),
            "slipping": (
                _("costs {cost} among Clubs that slip"),
                _("gains {cost} among Clubs that slip"),
                _("no clear difference among Clubs that slip: {cost}"),
            ),
        }.get(
            self.model,
            (
                _("costs {cost} among Clubs"),
                _("gains {cost} among Clubs"),
                _("no clear difference among Clubs: {cost}"),
            ),
        )
        words = unclear if abs(self.cost) <= self.error else costs if self.cost > 0 else gains
        return words.format(cost=figure(abs(self.cost), self.error))


@dataclass(frozen=True)
class Cost:
    """What the mistakes of a player cost together, where a chance that is missed again counts once."""

    player: int
    cost: float
    error: float
    decisions: int  # that were judged
    mistakes: int


def points(cost: float, error: float) -> str:
    """Return a cost with its 95 % interval as words."""
    return _("{cost} points").format(cost=figure(cost, error))


def figure(cost: float, error: float) -> str:
    """Return a cost with its 95 % interval."""
    return f"{number(cost, '.2f')} ± {number(error, '.2f')}"


def turns(analysis: Analysis, game: Game) -> list[JudgedSubmission]:
    """Return the submissions that were judged, in the order of the game's log."""
    log, out = game.log, []
    for first, group in groupby(analysis.judgements, lambda judgement: submission(game, judgement.entry)):
        links = list(group)
        worst = max(links, key=lambda link: link.cost)
        last = first
        while last + 1 < len(log) and log[last + 1].linked:
            last += 1
        gain, gain_error = sum(link.gain for link in links), math.hypot(*(link.gain_error for link in links))
        out.append(
            JudgedSubmission(
                first,
                last,
                worst.round,
                worst.seat,
                notation(game.title, game.setup, [entry.what for entry in log[first : last + 1]]),
                worst.entry,
                worst.move,
                worst.best,
                sum(link.cost for link in links),
                math.hypot(*(link.error for link in links)),
                -gain if gain < -gain_error else 0.0,
                _among(analysis.models, links),
                gain if gain > gain_error else 0.0,
                gain_error,
            )
        )
    return _counted(out, game.options.owners)


def _among(models: Sequence[str], links: Sequence[Judgement]) -> tuple[ModelCost, ...]:
    """Return what the moves of a submission cost by model."""
    parts = [link for link in links if link.costs]
    return tuple(
        ModelCost(
            model, sum(link.costs[m] for link in parts), math.hypot(*(link.errors[m] for link in parts))
        )
        for m, model in enumerate(models)
        if parts and len(models) > 1
    )


def _counted(judged: Sequence[JudgedSubmission], owners: Sequence[int]) -> list[JudgedSubmission]:
    """Return the submissions with what each mistake adds to the cost of its player.

    A cost has two parts: what the move lost beside what the models play there, which is gone for good; and
    what the best move would have gained on that, a chance. Who misses a chance often stands before it again,
    so of a race only the largest one counts. Together the mistakes of a race cost what was lost by them, and
    that chance: what the race could still give.
    """
    largest, out = dict[tuple[int, int], float](), []
    for turn in judged:
        if turn.mistake:
            race, lost = (owners[turn.seat], turn.round), min(turn.lost, turn.cost)
            chance, before = turn.cost - lost, largest.get((owners[turn.seat], turn.round), 0.0)
            largest[race] = max(before, chance)
            out.append(replace(turn, counted=lost + largest[race] - before))
        else:
            out.append(turn)
    return out


def submission(game: Game, entry: int) -> int:
    """Return the index of the first move of the submission that a log entry belongs to."""
    while game.log[entry].linked:
        entry -= 1
    return entry


def swings(judged: Sequence[JudgedSubmission], most: int = MOST_SWINGS) -> list[JudgedSubmission]:
    """Return the mistakes that add most to the cost of their players, the worst first."""
    mistakes = [turn for turn in judged if turn.mistake and turn.counted >= LEAST]
    return sorted(mistakes, key=lambda turn: (-turn.counted, turn.entry))[:most]


def costs(judged: Sequence[JudgedSubmission], owners: Sequence[int]) -> list[Cost]:
    """Return the cost of every player. ``owners`` are the players of the seats."""
    out = []
    for player in range(max(owners) + 1):
        own_turns = [turn for turn in judged if owners[turn.seat] == player]
        mistakes = [turn for turn in own_turns if turn.mistake]
        out.append(
            Cost(
                player,
                sum(turn.counted for turn in mistakes),
                math.hypot(*(turn.error for turn in mistakes)),
                len(own_turns),
                len(mistakes),
            )
        )
    return out


def ledger(analysis: Analysis, game: Game) -> list[LedgerAccount]:
    """Return where the points of every player came from, over all races; empty without moments."""
    if not analysis.moments:
        return []
    finished = {moment.round for moment in analysis.moments}
    gains = [
        (judgement.seat, judgement.gain, judgement.gain_error)
        for judgement in analysis.judgements
        if judgement.round in finished
    ]
    return accounts(analysis.moments, game.log, game.options.owners, gains)


def kind_names() -> dict[Kind, str]:
    """Return the words for the parts of an account, in the order in which they are shown."""
    return {
        "start": pgettext("where points came from", "Start"),
        "deal": pgettext("where points came from", "Deal"),
        "draws": _("Draws and dice"),
        "hidden": _("Hidden cards"),
        "others": _("Others’ moves"),
        "skill": _("Own decisions"),
    }


def account_lines(account: LedgerAccount, cost: Cost) -> list[tuple[str, Amount]]:
    """Return the lines of an account, which add up to its result, with their words.

    What the own decisions gained is what they would have gained without mistakes, less the mistakes.
    """
    lines = [(name, account.parts[kind]) for kind, name in kind_names().items() if kind != "skill"]
    skill = account.parts["skill"]
    without = Amount(skill.points + cost.cost, math.hypot(skill.error, cost.error))
    return [*lines, (_("Own moves without mistakes"), without), mistakes_line(cost)]


def mistakes_line(cost: Cost) -> tuple[str, Amount]:
    """Return the line of an account that says what the mistakes took away, with its words."""
    return _("Mistakes"), Amount(0.0 - cost.cost, cost.error)


def model_words(analysis: Analysis, title: Title) -> str:
    """Return who played on, and how many games, as sentences."""
    if "champion" in analysis.models:
        template = _(
            "Each decision was tried in up to {games} games. Half of them were played on by Clubs, half by "
            "Champions. A mistake costs points among both."
        )
    elif "slipping" in analysis.models:
        template = _(
            "Each decision was tried in up to {games} games. Half of them were played on by Clubs, half by "
            "Clubs that slip: one in {slips} of their moves is random. A mistake costs points among both."
        )
    elif not title.has_room("policy"):
        template = _(
            "Each decision was tried in up to {games} games. All were played on with random moves: so the "
            "costs say less."
        )
    else:
        template = _(
            "Each decision was tried in up to {games} games. All were played on by Clubs: among others, "
            "another move may be better."
        )
    tried = max((judged.worlds for judged in analysis.judgements), default=analysis.worlds)
    return template.format(games=number(tried), slips=SLIPS)


def ledger_lines(analysis: Analysis, game: Game) -> list[str]:
    """Return the ledger as lines of text, the parts of every player below the result."""
    accounts = ledger(analysis, game)
    if not accounts:
        return []
    lines = ["", _("Where the points came from, over the mean of all players:")]
    costs_of = costs(turns(analysis, game), game.options.owners)
    for account, cost in zip(accounts, costs_of, strict=True):
        result = number(account.result, "+.2f")
        lines.append(_("{name}: {result} points").format(name=game.names[account.player], result=result))
        for words, part in account_lines(account, cost):
            if part.points or part.error:
                lines.append(f"  {words}: {signed(part.points, part.error)}")
    return lines


def signed(points: float, error: float) -> str:
    """Return a number of points that may be lost or won, with its 95 % interval."""
    return f"{number(points, '+.2f')} ± {number(error, '.2f')}"


def mean_error(judged: Sequence[JudgedSubmission]) -> float:
    """Return the mean of ``error`` over the submissions for which another move seemed better; 0 if none."""
    errors = [turn.error for turn in judged if turn.cost or turn.error]
    return sum(errors) / len(errors) if errors else 0.0


def summary_lines(analysis: Analysis, game: Game) -> list[str]:
    """Return the analysis as lines of text: the cost of every player, then the biggest swings."""
    judged = turns(analysis, game)
    names, word = game.seen(0).seat_names, _(game.title.round_name)
    lines = [
        model_words(analysis, game.title),
        plural("{n} decision; ± is a 95 % interval, on average ± {error} points",
               "{n} decisions; ± is a 95 % interval, on average ± {error} points",
               len(judged), error=number(mean_error(judged), ".2f")),
        "",
    ]  # fmt: skip
    for cost in costs(judged, game.options.owners):
        sentence = plural(
            "{name}: {cost} in {decisions} decisions, {n} mistake",
            "{name}: {cost} in {decisions} decisions, {n} mistakes",
            cost.mistakes,
            name=game.names[cost.player],
            cost=points(cost.cost, cost.error),
            decisions=str(cost.decisions),
        )
        lines.append(sentence)
    worst = swings(judged)
    lines += ["", _("The biggest swings:") if worst else _("No move was a clear mistake.")]
    for turn in worst:
        # Translators: {round} is what one game is called: “Race 2”
        template = _("{round} {n}, {name}: {move}").format(
            round=word.capitalize(), n=turn.round + 1, name=names[turn.seat], move=turn.text
        )
        lines.append(f"{template}. {turn.sentence}")
    return lines


def choice_lines(analysis: Analysis, game: Game) -> list[str]:
    """Return what the seats that must decide now can choose as lines of text, the best moves first."""
    names, lines = game.seen(0).seat_names, list[str]()
    for seat, group in groupby(analysis.choices, lambda choice: choice.seat):
        best, *rest = group
        lines.append(_("{name} must decide. Best: {best}").format(name=names[seat], best=best.move))
        for choice in rest[:MOST_SWINGS]:
            cost = points(choice.cost, choice.error)
            lines.append("  " + _("{move} costs {cost}").format(move=choice.move, cost=cost))
        if left := len(rest[MOST_SWINGS:]):
            lines.append("  " + plural("and {n} more", "and {n} more", left))
    return lines


def report(analysis: Analysis, game: Game) -> dict[str, Any]:
    """Return the analysis as data for JSON, with submissions, costs by player and swings."""
    judged = turns(analysis, game)
    return asdict(analysis) | {
        "players": list(game.names),
        "turns": [asdict(turn) | {"mistake": turn.mistake} for turn in judged],
        "costs": [asdict(cost) for cost in costs(judged, game.options.owners)],
        "ledger": [asdict(account) for account in ledger(analysis, game)],
        "swings": [turn.entry for turn in swings(judged)],
    }
