"""``ladder``: every bot plays among every other, as one among the rest and as half and half."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paddock.bots import Bot
from paddock.bots import levels as levels_of
from paddock.bots.registry import CHAMPION, network_of
from paddock.core.defaults import SECONDS
from paddock.core.errors import BadOption, brief, quoted, whole
from paddock.core.i18n import _
from paddock.core.options import value_text
from paddock.core.title import Title
from paddock.core.title import title as find_title
from paddock.core.wording import either
from paddock.kernel.source import Seed, seed_number
from paddock.lab.crosstable import Ladder, Meeting, counts
from paddock.lab.exploiter import kept
from paddock.lab.match import check_count, match
from paddock.lab.plan import entered, make_plan, unused
from paddock.lab.results import POINTS, WINS

NAME = 24  # letters of a bot in tables


def ladder(
    title: Title | str,
    bots: Sequence[Bot | str] = (),
    games: int = 400,
    seed: Seed = 0,
    *,
    levels: Sequence[str] | None = None,
    games_with: Mapping[str, int] | None = None,
    players: int | None = None,
    by: str = POINTS,
    options: Mapping[str, Any] | None = None,
    seconds: float = SECONDS,
    processes: int | None = None,
    cluster: str | None = None,
    folder: Path | str | None = None,
    progress: Callable[[int, int], Any] | None = None,
) -> Ladder:
    """Play every pair of bots in every mix: one among the rest, half and half, and all but one.

    The bots are the ``levels`` of the title, by default all, and ``bots`` from outside: command lines and
    objects, as in ``match``. ``games`` is the number for each match, and ``games_with`` another one for the
    matches with some bots, ``{"works": 200}``; the smallest counts. ``players`` at the table are by default
    as many as the title's options say. ``by`` is what bots are judged by: ``points`` or ``wins``.

    ``folder`` keeps a file for each match: the same call resumes a ladder that was interrupted, and plays
    only what is missing after a change of ``games`` or bots. What ``exploit`` kept there is shown, too.
    ``progress`` is called with the number of games finished since the last call, and the number of all. The
    other arguments are those of ``match``. Raises ``PaddockError`` if an argument is wrong.
    """
    found_title = find_title(title)
    count, values = _players(found_title, players, dict(options or {}))
    everybody = [*(_levels(found_title, values) if levels is None else levels), *bots]
    request = _Given(found_title, everybody, games, dict(games_with or {}), count, values)
    if by not in (POINTS, WINS):
        sentence = _("by={by}: choose {choices}")
        raise BadOption([sentence.format(by=quoted(by), choices=either((POINTS, WINS)))])
    folder_path = Path(folder) if folder is not None else None
    meetings = list(request.meetings())
    all_games = sum(-(-request.size(meeting) // request.count) * request.count for meeting in meetings)
    plans = [
        make_plan(found_title, request.line(meeting), seed, request.values, seconds) for meeting in meetings
    ]
    if folder_path:
        folder_path.mkdir(parents=True, exist_ok=True)
    played = {
        meeting: match(
            found_title,
            request.line(meeting),
            request.size(meeting),
            seed,
            options=request.values,
            seconds=seconds,
            processes=processes,
            cluster=cluster,
            to=folder_path / request.file(meeting, plan.digest) if folder_path else None,
            progress=(lambda n: progress(n, all_games)) if progress else None,
        )
        for meeting, plan in zip(meetings, plans, strict=True)
    }
    outside_labels = [bot if isinstance(bot, str) else type(bot).__name__ for bot in bots]
    words = request.command(seed, by, levels, outside_labels, seconds)
    options_text = plans[0].options.short
    exploiters_kept = kept(folder_path, found_title, plans[0].options, request.labels) if folder_path else {}
    names = dict(zip(request.labels, request.names, strict=True))
    exploiters = {names[label]: exploiter for label, exploiter in exploiters_kept.items()}
    return Ladder(
        found_title,
        options_text,
        seed_number(seed),
        request.names,
        request.count,
        by,
        played,
        words,
        exploiters,
    )


def _players(title: Title, players: int | None, options: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    """Return the number of players, and the options with it; raise ``BadOption``."""
    option = title.players_option
    values = options if players is None else {**options, option: players}
    count = title.options.read({**title.one_round, **values}).players
    if str(options.get(option, count)) != str(count):
        sentence = _("{option}={value}: the ladder has {n} players")
        raise BadOption([sentence.format(option=option, value=options[option], n=count)])
    if count < 2:
        raise BadOption([_("a ladder needs at least two players")])
    return count, {**values, option: count}


def _levels(title: Title, values: dict[str, Any]) -> list[str]:
    """Return the levels of a title, without *Champion* where it has no network for these options."""
    read = title.options.read({**title.one_round, **values})
    names = [level.name for level in levels_of(title)]
    return [name for name in names if name != CHAMPION or network_of(title, name, read) is not None]


@dataclass
class _Given:
    """The arguments that say what is played. Raises ``PaddockError`` if one is wrong."""

    title: Title
    bots: list[Bot | str]
    games: int
    sizes: dict[str, int]
    count: int  # players
    values: dict[str, Any]  # options, with the number of players

    def __post_init__(self) -> None:
        entrants, line_up = entered(self.title, self.bots)
        if len(entrants) < 2 or len(entrants) < len(line_up):
            raise BadOption([_("give at least two different bots or levels, each once")])
        check_count("games", self.games)
        self.labels, names = [entrant.label for entrant in entrants], list[str]()
        for label in self.labels:
            names.append(unused(brief(label, NAME), names))
        self.names = tuple(names)
        for name, size in self.sizes.items():
            if name not in self.labels or not (whole(size) or 0) > 0:
                sentence = _("games with {name}={size}: give a bot of the ladder, and a whole number from 1")
                raise BadOption([sentence.format(name=brief(name, NAME), size=quoted(size))])

    def meetings(self) -> Iterator[Meeting]:
        """Yield every pair of bots in every mix, the quick ones first."""
        for bot in range(len(self.bots)):
            for rival in range(bot):
                for count in counts(self.count):
                    yield Meeting(bot, rival, count)

    def line(self, meeting: Meeting) -> list[Bot | str]:
        """Return the bot of every player."""
        bot, rival = self.bots[meeting.one], self.bots[meeting.other]
        return [bot] * meeting.count + [rival] * (self.count - meeting.count)

    def size(self, meeting: Meeting) -> int:
        """Return the number of games of a match."""
        labels = self.labels[meeting.one], self.labels[meeting.other]
        return min([self.sizes[label] for label in labels if label in self.sizes] or [self.games])

    def file(self, meeting: Meeting, digest: str) -> str:
        """Return the name of the file of a match. With the digest, no other match has it."""
        bot, rival = (re.sub(r"\W+", "-", self.names[k]).strip("-") for k in (meeting.one, meeting.other))
        groups = f"{meeting.count}-{bot}-{self.count - meeting.count}-{rival}"
        return f"{self.title.name}-{groups}-{digest}.csv"

    def command(
        self, seed: Seed, by: str, levels: Sequence[str] | None, outside: Sequence[str], seconds: float
    ) -> str:
        """Return the command that plays it."""
        words = ["paddock", "ladder", self.title.name, *outside]
        words += [] if levels is None else ["--levels", ",".join(levels)]
        words += ["--players", str(self.count)]
        for name, value in self.values.items():
            words += [] if name == self.title.players_option else ["-o", f"{name}={value_text(value)}"]
        words += ["--games", str(self.games)]
        for name, size in self.sizes.items():
            words += ["--games-with", f"{name}={size}"]
        words += [] if seconds == SECONDS else ["--seconds", f"{seconds:g}"]
        words += [] if by == POINTS else ["--by", by]
        return shlex.join([*words, "--seed", str(seed)])
