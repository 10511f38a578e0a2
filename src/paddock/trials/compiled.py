"""The same games compiled: equal results, every bound, and a study of them."""

from __future__ import annotations

import random

import numpy as np

from paddock.core.title import Title
from paddock.kernel.bulk import play, secrecy_checks
from paddock.kernel.watch import random_options, watch
from paddock.lab.study import study
from paddock.trials.trial import Fault, Trial, bound_of, rules_file, some_options

DECISIONS = 200_000
SAME = 4  # games in each mode
SECRET_GAMES = 200
STUDIED = 100


def same(title: Title, seed: int) -> str:
    """Games of random moves and of *Club* are the same in both modes."""
    for index in range(2):
        options = some_options(title, seed, index)
        for thirds in ((), [3] * options.players):
            fast, slow = (
                play(title, options, SAME, seed, thirds=thirds, compiled=mode) for mode in (True, False)
            )
            for what in ("scores", "places", "decisions"):
                if not np.array_equal(getattr(fast, what), getattr(slow, what)):
                    by = "Club" if thirds else "random moves"
                    raise Fault(
                        "policy.py" if thirds else "rules.py",
                        f"{what} of games by {by} differ, compiled and plain: is a number too large for its "
                        f"field, or a row read beyond its end? ({options.text or 'default options'})",
                    )
    return f"{4 * SAME} games"


def bounds(title: Title, seed: int) -> str:
    """Every number fits into its field, and every declared bound and invariant holds."""
    decisions = games = 0
    for watched in watch(title, DECISIONS, seed):
        if watched.broken:
            raise Fault(rules_file(title), watched.broken, cause=bound_of(watched.broken))
        decisions, games = decisions + watched.decisions, games + watched.games
    return f"{decisions} decisions in {games} games"


def secrecy(title: Title, seed: int) -> str:
    """No secret is in views, moves and previews."""
    checks = 0
    for index in range(4):
        options = random_options(title, random.Random(f"{seed} {index} secrets"))
        done = secrecy_checks(title, options, seed + index, SECRET_GAMES)
        if done < 0:
            raise Fault(
                "rules.py",
                f"hide(), redeal() or foreseen() let a secret through, {options.text}, game {-1 - done}",
            )
        checks += done
    return f"{checks} checks"


def studied(title: Title, seed: int) -> str:
    """A study of the title can be made."""
    made = study(title, games=STUDIED, seed=seed)
    return f"{made.games} games of {made.level}"


COMPILED = (
    Trial("both modes", "rules.py", same),
    Trial("bounds", "rules.py", bounds),
    Trial("secrets, compiled", "rules.py", secrecy),
    Trial("study", "study.py", studied),
)
