"""Makes the puzzles of a title: bots play, and decisions with one best move are checked in more worlds, with
every model of the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from paddock import records
from paddock.bots import Bot
from paddock.bots.judging import SURE, JudgedDecision, check, decisions
from paddock.bots.puzzles import (
    CHOICES,
    AnswerCost,
    Puzzle,
    Set,
    Source,
    checked,
    decision_at,
    game_of,
    puzzling,
    weighed,
)
from paddock.bots.registry import ROOKIE, bot, levels
from paddock.core.defaults import WORLDS
from paddock.core.errors import PaddockError
from paddock.core.game import Game
from paddock.core.i18n import _, plural
from paddock.core.log import Entry
from paddock.core.options import Options
from paddock.core.title import Title
from paddock.core.title import title as find_title
from paddock.kernel.loader import say_compiling
from paddock.kernel.source import Seeded
from paddock.parts.club import Club

TIMES = 16  # as many worlds check an answer
DATE = "2026-01-01"  # of the records, which need one
A_GAME = 3  # puzzles of one game at most, so that a set has many games
GLANCE = 1.0  # standard errors of a lead in an eighth of the worlds, below which a decision is left
CANDIDATES = 40  # decisions of one game that are tried, so that a long game does not take for ever
ANSWERS = 5  # of each level to a puzzle, which say how difficult it is
OTHERS = (  # the names of the cars or crews in the games
    "Alba", "Bruno", "Carla", "Dario", "Elsa", "Fausto", "Gilda", "Ivo", "Lina", "Marco", "Nora", "Otto",
)  # fmt: skip


@dataclass
class MadePuzzles:
    """The puzzles of a title, and how they were found."""

    sources: list[Source] = field(default_factory=list)
    games: int = 0
    tried: int = 0  # decisions
    clear: int = 0  # with one best move, which the bot did not play
    kept: int = 0  # of these, with the same best move in more worlds, whoever plays on
    before: int = 0  # puzzles that the set had
    stayed: int = 0  # of these, that hold when they are checked again
    themes: Counter[str] = field(default_factory=Counter)

    def __str__(self) -> str:
        counts = _(", ").join(f"{theme} {n}" for theme, n in sorted(self.themes.items()))
        known = _("{stayed} of {before} known puzzles stayed. ").format(
            stayed=self.stayed, before=self.before
        )
        sentence = plural(
            "{n} game, {tried} decisions, {clear} with a clear best move. {kept} of these "
            "stayed the best in {times} times the worlds, whoever plays on. The set has {counts}.",
            "{n} games, {tried} decisions, {clear} with a clear best move. {kept} of these "
            "stayed the best in {times} times the worlds, whoever plays on. The set has {counts}.",
            self.games,
            tried=str(self.tried),
            clear=str(self.clear),
            kept=str(self.kept),
            times=str(TIMES),
            counts=counts or "0",
        )
        return (known if self.before else "") + str(sentence)


def make(
    name: str,
    *,
    each: int = 12,
    games: int = 400,
    worlds: int = WORLDS,
    seed: int = 0,
    known: Set | None = None,
    progress: Callable[[int], Any] | None = None,
) -> MadePuzzles:
    """Return puzzles of a title: ``each`` for every theme, those ``known`` included, from so many games of
    *Clubs* at most.

    A decision is a puzzle if it has three moves or more, if its best move leads all others by three standard
    errors, if the bot played another one, and if the best move stays the best in sixteen times the worlds
    under every model of the others, by a tenth of a point. Those that are known are checked again. Raises
    ``PaddockError`` for a title without themes, and without Numba.
    """
    title = find_title(name)
    room = puzzling(title)
    if room is None:
        raise PaddockError(_("{title} has no puzzles").format(title=title.label))
    counts = MadePuzzles()
    if known:
        _keep(known, counts, TIMES * worlds, f"{seed} known")
    for number in range(games):
        if all(counts.themes[theme] >= each for theme in room.THEMES):
            break
        options = title.options.read(dict(room.GAMES[number % len(room.GAMES)]))
        rng = Seeded(f"{seed} puzzles {number}")
        game = played(title, options, rng, Club(), OTHERS[: options.players])
        if not number:
            check(worlds)
            say_compiling(title, "rollouts")
        counts.games += 1
        puzzles = tuple(_puzzles_of_game(game, counts, each, worlds, f"{seed} {number}", rng))
        if puzzles:
            counts.sources.append(Source(_record(game, puzzles[-1].entry), puzzles))
        if progress:
            progress(1)
    return counts


def played(title: Title, options: Options, rng: Seeded, bot: Bot, names: Sequence[str] = ()) -> Game:
    """Return a game in which a bot plays all seats; ``rng`` is for it and for chance."""
    game = Game(title, options, rng, names)
    while not game.over:
        for seat in game.deciders:
            seen = game.seen(options.eyes(options.owners[seat]))
            game.play(seat, bot.choose(seen, seat, seen.legal(seat), rng))
    return game


def _puzzles_of_game(
    game: Game, counts: MadePuzzles, most_of_theme: int, worlds: int, seed: str, rng: Seeded
) -> Iterator[Puzzle]:
    """Find the puzzles of a game, in the order of its log."""
    room, title = puzzling(game.title), game.title
    assert room
    themes_wanted = {theme for theme in room.THEMES if counts.themes[theme] < most_of_theme}
    candidates = [
        candidate
        for candidate in decisions(game)
        if len(candidate.legal) >= CHOICES and room.theme(candidate.seen, candidate.seat, candidate.move)
    ]
    puzzles = list[Puzzle]()
    for decision in sorted(candidates, key=lambda _one: rng.below(1 << 30))[:CANDIDATES]:
        if len(puzzles) == A_GAME:
            break
        counts.tried += 1
        if weighed(decision, worlds // 8, f"{seed} glance")[1] < GLANCE:
            continue
        costs, lead = weighed(decision, worlds, seed)
        best = title.text.parse_move(game.setup, costs[0].move).id
        theme = room.theme(decision.seen, decision.seat, best)
        if theme not in themes_wanted or lead < SURE or best == decision.move:
            continue
        counts.clear += 1
        checked_costs = checked(decision, best, TIMES * worlds, f"{seed} again")
        if checked_costs is None:
            continue
        counts.kept += 1
        counts.themes[theme] += 1
        if counts.themes[theme] >= most_of_theme:
            themes_wanted.discard(theme)
        puzzles.append(_puzzle(decision, theme, checked_costs))
    yield from sorted(puzzles, key=lambda puzzle: puzzle.entry)


def _keep(known: Set, counts: MadePuzzles, worlds: int, seed: str) -> None:
    """Keep the known puzzles that hold when they are checked again."""
    by_game = dict[str, list[Puzzle]]()
    for puzzle, record in known.puzzles.values():
        by_game.setdefault(record, [])
        counts.before += 1
        game = game_of(record, puzzle.entry)
        text = game.title.text
        ids = [text.parse_move(game.setup, move).id for move in (puzzle.played, puzzle.best)]
        decision = decision_at(game, Entry(puzzle.seat, ids[0]))
        if decision is None or len(decision.legal) < CHOICES:
            continue
        costs = checked(decision, ids[1], worlds, seed)
        if costs:
            by_game[record].append(_puzzle(decision, puzzle.theme, costs))
            counts.stayed += 1
            counts.themes[puzzle.theme] += 1
    counts.sources += [Source(record, tuple(puzzles)) for record, puzzles in by_game.items() if puzzles]


def _puzzle(decision: JudgedDecision, theme: str, costs: tuple[AnswerCost, ...]) -> Puzzle:
    seen = decision.seen
    move = str(seen.title.text.move(seen.setup, decision.move))
    return Puzzle(decision.entry, decision.seat, theme, move, costs, round(_wrong(decision, costs), 2))


def _wrong(decision: JudgedDecision, costs: Sequence[AnswerCost]) -> float:
    """Return the mean share of wrong answers over the levels. A Rookie answers at random."""
    seen, text = decision.seen, decision.seen.title.text
    right = {text.parse_move(seen.setup, cost.move).id for cost in costs if cost.right}
    shares = [1 - len(right) / len(decision.legal)]
    for level in levels(seen.title):
        if level.name != ROOKIE:
            player = bot(seen.title, level.name)
            answers = [
                player.choose(seen, decision.seat, decision.legal, Seeded(n, decision.entry))
                for n in range(ANSWERS)
            ]
            shares.append(sum(answer not in right for answer in answers) / ANSWERS)
    return sum(shares) / len(shares)


def _record(game: Game, entry: int) -> str:
    """Return the record of a game up to the decision at an entry, and no further."""
    until = game.at(entry)
    return records.write(until, date=DATE, players=[(name, "club") for name in until.names])
