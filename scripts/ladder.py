"""Plays the matches of the ladders in docs/bots.md, and writes their results into the page.

    python scripts/ladder.py                        all matches and the endgames
    python scripts/ladder.py "lacorsa works club"   those whose command has these words in a row
    python scripts/ladder.py --list                 only print the commands

A match that was interrupted is resumed from its file in ``build/ladder``. The files do not notice a change of
a bot or of rules: delete those of its matches. ``--games`` replaces the number of games of the chosen ones.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from paddock.bots import levels

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/bots.md"
FILES = ROOT / "build/ladder"
SECTION = re.compile(r"(<!-- ladder: ([^\n]+) -->\n).*?(<!-- end -->\n)", re.DOTALL)
BLOCK = re.compile(r"^```text\n\$ ([^\n]+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
GAMES = re.compile(r" --games \d+")
SEED = 1
CLUB, WORKS = "club", "works"


@dataclass(frozen=True)
class Ladder:
    """The matches of a title with certain options: one bot of each level among bots of each other level."""

    name: str  # of its section in the page
    title: str
    players: int
    options: str
    games: int  # of a match in which all answer at once
    works: int  # of *Works* among Clubs
    searched: int  # of other matches with *Works*

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Yield (one, others), the strongest first; with two players only one of both orders."""
        names = [level.name for level in reversed(levels(self.title))]
        for i, one in enumerate(names):
            for k, other in enumerate(names):
                if i < k or (i > k and self.players > 2):
                    yield one, other

    def command(self, one: str, other: str, games: int | None) -> str:
        """Return the command of a match."""
        if not games:
            games = self.searched if WORKS in (one, other) else self.games
            games = self.works if (one, other) == (WORKS, CLUB) else games
        bots = " ".join([one, *[other] * (self.players - 1)])
        return f"paddock match {self.title} {bots}{self.options} --games {games} --seed {SEED}"


LADDERS = (
    Ladder("LACORSA", "lacorsa", 4, "", 4000, 8000, 800),
    Ladder("LACORSA, Large Grid", "lacorsa", 12, " -o large_grid=yes", 1200, 1200, 120),
    Ladder("Rasant", "rasant", 4, "", 4000, 2000, 400),
    Ladder("The Great Race", "great_race", 2, "", 400, 200, 200),
)
ENDGAMES = "endgames"
ENDGAME = "python scripts/endgame.py"


def key(command: str) -> str:
    """Return what names a match in the page: its command without the number of games."""
    return GAMES.sub("", command)


def play(command: str, files: Path) -> str:
    """Run a command, resuming a match from its file; return what it prints."""
    words = shlex.split(command)
    if words[0] == "paddock":
        files.mkdir(parents=True, exist_ok=True)
        file = files / (re.sub(r"[^\w=]+", "-", key(command).removeprefix("paddock match ")) + ".csv")
        words = [sys.executable, "-c", "from paddock.cli import main; main()", *words[1:], "--to", str(file)]
    else:
        words = [sys.executable, *words[1:]]
    wide = {**os.environ, "COLUMNS": "200"}
    printed = subprocess.run(words, cwd=ROOT, env=wide, check=True, stdout=subprocess.PIPE, text=True).stdout
    lines = [line.rstrip() for line in printed.splitlines() if line and not line.startswith("Written: ")]
    return "\n".join([*lines, ""])


def read(text: str) -> dict[str, tuple[str, str]]:
    """Return the results in a page: key → (command, what it printed)."""
    return {key(command): (command, printed) for command, printed in BLOCK.findall(text)}


def written(text: str, results: Mapping[str, tuple[str, str]]) -> str:
    """Return the page with these results in its sections: a table, and what each command printed."""
    plans = {ladder.name: ladder for ladder in LADDERS}

    def section(found: re.Match[str]) -> str:
        head, name, end = found.groups()
        if name == ENDGAMES:
            return f"{head}\n{_block(results.get(ENDGAME))}{end}"
        lines, blocks = [], []
        for one, other in plans[name].pairs():
            result = results.get(key(plans[name].command(one, other, None)))
            if result:
                lines.append(_line(plans[name], one, other, result[1]))
                blocks.append(_block(result))
        table = [
            "| one | among | points over the fair share | wins | over the fair share | games |",
            "| --- | --- | --- | --- | --- | --- |",
        ]
        return "\n".join([head, *table, *lines, "", ""]) + "".join(blocks) + end

    return SECTION.sub(section, text)


def _block(result: tuple[str, str] | None) -> str:
    return f"```text\n$ {result[0]}\n{result[1]}```\n\n" if result else ""


def _line(ladder: Ladder, one: str, other: str, printed: str) -> str:
    """Return the row of a match in the table of its ladder."""
    labels = {level.name: level.label for level in levels(ladder.title)}
    row = next(line for line in printed.splitlines() if line.startswith(f"{one} "))
    _bot, _points, points_over, wins, wins_over, _lost = re.split(r"\s{2,}", row)
    games = re.search(r"^([\d,]+) games", printed, re.MULTILINE)
    assert games
    rivals = ladder.players - 1
    among = f"{rivals} {labels[other]}s" if rivals > 1 else f"a {labels[other]}"
    return f"| {labels[one]} | {among} | {points_over} | {wins} | {wins_over} | {games[1]} |"


def main() -> int:
    """Play what the command line asks for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, help="of each chosen match")
    parser.add_argument("--to", type=Path, default=FILES, metavar="FOLDER", help="where matches are kept")
    parser.add_argument("--list", action="store_true", help="only print the commands")
    parser.add_argument("words", nargs="*", help="only commands that have one of these")
    given = parser.parse_args()
    commands = [ladder.command(*pair, given.games) for ladder in LADDERS for pair in ladder.pairs()]
    for command in [*commands, ENDGAME]:
        if given.words and not any(words in command for words in given.words):
            continue
        print(f"$ {command}", flush=True)
        if not given.list:
            printed = play(command, given.to)
            print(printed, flush=True)
            text = PAGE.read_text("utf-8")
            PAGE.write_text(written(text, {**read(text), key(command): (command, printed)}), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
