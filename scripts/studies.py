"""Make the reports in docs/studies again, or say which are out of date.

    python scripts/studies.py                    all of them
    python scripts/studies.py rasant --games 4000
    python scripts/studies.py --check

``made.json`` beside them keeps what the check needs: the first games of each study, which rules and bots must
still play in the same way, and a digest of the code that makes reports. Comments and imports do not count.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from paddock.core.options import Options
from paddock.core.title import Title, title
from paddock.core.words import CHANCE
from paddock.kernel.chance import stream
from paddock.kernel.source import seed_number
from paddock.lab import study
from paddock.lab.report import report
from paddock.lab.survey import compiled_levels

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs/studies"
MADE = "made.json"
SOURCES = ROOT / "src/paddock"
CODE = (
    "kernel/survey.py",
    "lab/figures.py",
    "core/intervals.py",
    "lab/measures.py",
    "lab/page.py",
    "lab/pictures.py",
    "lab/report.py",
    "lab/study.py",
    "lab/survey.py",
    "parts/chart.py",
)  # and study.py of every title
TEMPLATES = ("page.html", "study.css", "study.html")
LARGEST = 300_000  # bytes of a report
SEED, GAMES = 7, 20_000
DEALS = 2  # that the check plays again, twice each


@dataclass(frozen=True)
class Kept:
    """A report that is kept."""

    name: str
    title: str
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def page(self) -> str:
        return f"{self.name}.html"


KEPT = (
    Kept("lacorsa", "lacorsa"),
    Kept("lacorsa-large-grid", "lacorsa", {"drivers": 8, "large_grid": "yes"}),
    Kept("rasant", "rasant"),
    Kept("great_race", "great_race"),
)


def code() -> str:
    """Return a digest of the code that makes reports, without comments, docstrings and imports."""
    total = hashlib.sha256()
    for source in [*(SOURCES / name for name in CODE), *sorted(SOURCES.glob("games/*/bots/study.py"))]:
        tree = ast.parse(source.read_text("utf-8"))
        for node in ast.walk(tree):
            body = getattr(node, "body", None)
            first = body[0] if isinstance(body, list) and body else None
            if isinstance(body, list):
                node.body = [one for one in body if not isinstance(one, ast.Import | ast.ImportFrom)]  # type: ignore[attr-defined]
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                first.value = ast.Constant(None)
        total.update(ast.unparse(tree).encode())
    for name in TEMPLATES:
        total.update((SOURCES / "lab/templates" / name).read_bytes())
    return total.hexdigest()[:16]


def first_games(found: Title, options: Options, deals: int = DEALS) -> list[list[int]]:
    """Play the first games of a study in plain mode; return decisions, legal moves and scores of each."""
    rules, g = found.rules, found.setup_of(options)
    level, thirds = compiled_levels(found)[-1]
    assert thirds == 3, level  # the policy makes all decisions
    policy, out = found.room("policy").policy, [0] * (max(rules.ACTIONS, rules.OUTCOMES) + 1)
    games = []
    for game in range(2 * deals):
        s, rng = rules.State(), [0]
        stream(seed_number(SEED), game // 2, rng)
        rules.start(s, g)
        decisions = moves = 0
        while waiting := rules.who(s, g):
            if waiting >> CHANCE:
                rules.run_chance(s, g, rng)
                continue
            if not decisions:
                stream(seed_number(f"{SEED} choices"), game, rng)
            seat = (waiting & -waiting).bit_length() - 1
            n = rules.legal(s, g, seat, out)
            decisions, moves, move = decisions + 1, moves + n, out[0]
            if n > 1:
                hidden = s.copy()
                rules.hide(hidden, g, options.eyes(options.owners[seat]))
                move = policy(hidden, g, seat, out, n, rng)
            rules.apply(s, g, seat, move)
        scores = [0] * rules.MAX_SEATS
        rules.scores(s, g, scores)
        games.append([decisions, moves, *scores[: options.seats]])
    return games


def single(kept: Kept) -> tuple[Title, Options]:
    """Return the title of a report, and the options of its games."""
    found = title(kept.title)
    return found, found.options.read({found.rounds_option: 1, **kept.options})


def stale() -> list[str]:
    """Return a sentence for each report that is missing, or that the code of today would make differently."""
    file = FOLDER / MADE
    made = json.loads(file.read_text("utf-8")) if file.is_file() else {}
    faults = []
    for kept in KEPT:
        known = made.get(kept.name)
        if known is None or not (FOLDER / kept.page).is_file():
            faults.append(f"{kept.page}: missing")
        elif known["code"] != code():
            faults.append(f"{kept.page}: the code that makes reports has changed")
        elif known["games"] != first_games(*single(kept)):
            faults.append(f"{kept.page}: the rules or the bots play differently")
    return faults


def make(kept: Kept, games: int) -> str:
    """Write a report; return a line about it."""
    made = study(kept.title, kept.options, games, SEED)
    page = report(made)
    if len(page.encode()) > LARGEST:
        raise SystemExit(f"{kept.page}: {len(page.encode())} bytes are too many")
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / kept.page).write_text(page, "utf-8")
    file = FOLDER / MADE
    known = json.loads(file.read_text("utf-8")) if file.is_file() else {}
    known[kept.name] = {"code": code(), "games": first_games(*single(kept))}
    lines = [f" {json.dumps(name)}: {json.dumps(known[name])}" for name in sorted(known)]
    file.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
    return f"{kept.page}: {made.games} games, {len(page.encode()):,} bytes"


def main() -> int:
    """Make the reports that the command line names, or check all; return 1 if one is out of date."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"default: {' '.join(k.name for k in KEPT)}")
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--check", action="store_true", help="only say which are out of date")
    given = parser.parse_args()
    if given.check:
        faults = stale()
        print("\n".join(faults) or "docs/studies is up to date")
        return bool(faults)
    if unknown := set(given.names) - {kept.name for kept in KEPT}:
        parser.error(f"no report {', '.join(sorted(unknown))}")
    for kept in KEPT:
        if not given.names or kept.name in given.names:
            print(make(kept, given.games), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
