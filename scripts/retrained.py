"""Measure what training alone changes: Champion's network beside one that went on learning the same rules.

    python scripts/retrained.py lacorsa
    python scripts/retrained.py great_race --option map=usa-west --updates 10 --games 1000

``study --beside --learn`` sees nothing of it: its intervals are those of the games.
"""

from __future__ import annotations

import argparse
from dataclasses import replace

from paddock.core.title import title
from paddock.lab.beside import Comparing, Lesson, side_of
from paddock.lab.learn import pupils
from paddock.lab.survey import REPEATS


def main() -> None:
    """Train, play and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("title")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--updates", type=int, default=30)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args()
    found, options = title(given.title), dict(word.split("=", 1) for word in given.option)
    a, b = side_of(found, options), side_of(found, options)
    (pupil,) = pupils((found, a.options))
    lesson = Lesson((replace(pupil, knows=True), replace(pupil, knows=False)), 0, given.updates, ())
    made = Comparing(a, b, {}, given.games // REPEATS, given.seed, None, lesson).compare()
    print("\n".join(made.about_players))
    differ = [of.network for of in made.gaps if of.network.flagged]
    print(f"{len(differ)} of {len(made.gaps)} figures differ")
    for difference in differ:
        print(difference.sentence)


if __name__ == "__main__":
    main()
