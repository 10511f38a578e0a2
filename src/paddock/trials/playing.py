"""Random games by the plain rules: every number fits, and the rules can go on from every state."""

from __future__ import annotations

import re
from collections import Counter
from functools import cached_property
from types import ModuleType
from typing import Any

from paddock.bots import bot
from paddock.core.game import Game
from paddock.core.rooms.table import Rooms, Spare
from paddock.core.title import Title
from paddock.core.words import CHANCE
from paddock.kernel.loader import load_kernel, whole_rules
from paddock.kernel.source import Seeded
from paddock.trials.trial import ENDLESS, Fault, NotTried, Trial, rules_file, some_options, walk

GAMES = 20
MOST = 400  # decisions of each
CLUB_GAMES = 4
MOST_UNASKED = 5  # games in which a seat need not be asked
_CLAUSE = re.compile(r"[A-Z]{2}-\d+(?:\.\d+)?")


def rooms(title: Title, seed: int) -> str:
    """Import every room that the title has; what options and refusals cite must be in its rules."""
    found = [
        name for name, room in vars(Rooms).items() if isinstance(room, Spare | cached_property | property)
    ]
    for name in found:
        getattr(title, name)
    known = {*title.rulebook.clauses, *(chapter.id for chapter in title.rulebook.chapters)}
    cited = [("rulebook.py", row.clause) for row in title.options.describe()]
    cited += [("refusals.py", clause) for clause, _sentence in getattr(title.refusals, "REASONS", ())]
    for room, text in cited:
        if unknown := set(_CLAUSE.findall(text)) - known:
            raise Fault(room, f"RULES.md has no clause {min(unknown)}")
    own = sum(title.has_room(name) for name in found)
    return f"RULES.md with {len(title.rulebook.clauses)} clauses, and {own} optional rooms"


def random_games(title: Title, seed: int) -> str:
    """Play random games with random options, and check each state."""
    own, derived, rules = load_kernel(title, compiled=False), whole_rules(title), title.rules
    states, asked, seated = 0, Counter[int](), Counter[int]()
    for index in range(GAMES):
        for game in walk(title, seed, index, MOST):
            _check(game, own, derived)
            states += 1
        asked.update({entry.by for entry in game.log})
        seated.update(range(game.options.seats))
        for result in game.rounds:
            if not all(isinstance(score, int) for score in result.scores):
                raise Fault(rules_file(title), f"scores {result.scores}: write whole numbers, with // for /")
            if not all(rules.MIN_SCORE <= score <= rules.MAX_SCORE for score in result.scores):
                raise Fault(
                    "rules.py", f"scores {result.scores}: MIN_SCORE and MAX_SCORE allow no such score"
                )
    for seat, games in seated.items():
        if games > MOST_UNASKED and not asked[seat]:
            raise Fault(rules_file(title), f"who() never asks seat {seat}, which took part in {games} games")
    return f"{states} states of {GAMES} games"


def _check(game: Game, own: ModuleType, derived: ModuleType) -> None:
    """Check the state of a game."""
    s, g = game.whole(), game.setup
    played = f"with {game.options.text or 'the default options'}"
    try:
        s.tobytes()
    except OverflowError as error:
        raise Fault("rules.py", f"{error} ({played})") from None
    if game.over:
        return
    waiting = game._who()
    if waiting >> CHANCE and waiting != 1 << CHANCE:
        raise Fault("rules.py", f"who() says that chance and a seat are due at the same time ({played})")
    if game.title.has_room("invariants") and (code := own.broken(s, g)):
        raise Fault("invariants.py", f"not true: {game.title.invariants.INVARIANTS[code]} ({played})")
    if code := derived.every_broken(s, g):
        raise Fault("rules.py", f"not true: {derived.INVARIANTS[code]} ({played})", cause="invariants")
    for seat in game.deciders:
        _check_moves(game.title, s, g, seat)


def _check_moves(title: Title, s: Any, g: Any, seat: int) -> None:
    """Compare the list of a seat's moves with the reasons that forbid moves."""
    ids, why, reasons = title.legal(s, g, seat), title.refusals.why, title.refusals.CODES
    if len(set(ids)) < len(ids) or min(ids) < 0:
        raise Fault("rules.py", f"legal() lists {ids} for seat {seat}: each move once, from 0 on")
    if why(s, g, seat, ids[0]):
        raise Fault("rules.py", f"legal() lists move {ids[0]} of seat {seat}, and why_not() forbids it")
    for move in [id for id in range(title.rules.ACTIONS) if id not in ids][:1]:
        if not 0 < (code := why(s, g, seat, move)) < reasons:
            says = f"why_not() returns {code} for move {move} of seat {seat}, which legal() does not list"
            raise Fault("refusals.py", f"{says}; REASONS has the codes 1 to {reasons - 1}")


def club(title: Title, seed: int) -> str:
    """Let *Club* play every seat from what it sees; each of its moves must be legal."""
    if not title.has_room("policy"):
        raise NotTried("the title has no policy.py")
    player, decisions = bot(title.name, "club"), 0
    for index in range(CLUB_GAMES):
        chance = Seeded(seed, index)
        game, before = Game(title, some_options(title, seed, index), chance), decisions
        while not game.over:
            seat, most = game.deciders[0], title.rules.MAX_DECISIONS * game.options.rounds
            if decisions - before > most:
                raise Fault(
                    rules_file(title), f"{ENDLESS} {title.rules.MAX_DECISIONS} decisions", cause=ENDLESS
                )
            seen = game.seen(game.options.eyes(game.options.owners[seat]))
            legal = seen.legal(seat)
            move = player.choose(seen, seat, legal, chance)
            if not legal:
                raise Fault("rules.py", f"seat {seat} must decide and has no legal move", cause="invariants")
            if move not in legal:
                raise Fault("policy.py", f"the policy returns {move}, which is not among {legal}")
            game.play(seat, move)
            decisions += 1
    return f"{decisions} decisions in {CLUB_GAMES} games"


PLAYING = (
    Trial("rooms", "rulebook.py", rooms),
    Trial("random games", "rules.py", random_games),
    Trial("Club", "policy.py", club),
)
