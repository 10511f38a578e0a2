"""Random games by the plain rules: every number fits, and the rules can go on from every state."""

from __future__ import annotations

import re
from functools import cached_property
from types import ModuleType

from paddock.bots import bot
from paddock.core.game import Game
from paddock.core.rooms.table import Rooms, Spare
from paddock.core.title import Title
from paddock.core.words import CHANCE
from paddock.kernel.loader import load_kernel, whole_rules
from paddock.kernel.source import Seeded
from paddock.trials.trial import Fault, NotTried, Trial, some_options, walk

GAMES = 20
MOST = 400  # decisions of each
CLUB_GAMES = 4
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
    states = 0
    for index in range(GAMES):
        for game in walk(title, seed, index, MOST):
            _check(game, own, derived)
            states += 1
        for result in game.rounds:
            if not all(rules.MIN_SCORE <= score <= rules.MAX_SCORE for score in result.scores):
                raise Fault(
                    "rules.py", f"scores {result.scores}: MIN_SCORE and MAX_SCORE allow no such score"
                )
    return f"{states} states of {GAMES} games"


def _check(game: Game, own: ModuleType, derived: ModuleType) -> None:
    """Check the state of a game."""
    s, g = game._state, game.setup
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
        raise Fault("rules.py", f"not true: {derived.INVARIANTS[code]} ({played})")


def club(title: Title, seed: int) -> str:
    """Let *Club* play every seat from what it sees; each of its moves must be legal."""
    if not title.has_room("policy"):
        raise NotTried("the title has no policy.py")
    player, decisions = bot(title.name, "club"), 0
    for index in range(CLUB_GAMES):
        chance = Seeded(seed, index)
        game = Game(title, some_options(title, seed, index), chance)
        while not game.over:
            seat = game.deciders[0]
            seen = game.seen(game.options.eyes(game.options.owners[seat]))
            legal = seen.legal(seat)
            move = player.choose(seen, seat, legal, chance)
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
