"""Validation for new tables: names, bots, starting positions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextvars import copy_context

from paddock.bots import levels
from paddock.core.errors import BadOption
from paddock.core.game import Game
from paddock.core.i18n import Sentence, _, catalogues, language, languages, pgettext
from paddock.core.options import Options
from paddock.core.title import Title
from paddock.core.wording import either
from paddock.core.words import CHANCE, NAMELESS
from paddock.store.terms import MOST, PACES, Terms
from paddock.tables import clock
from paddock.tables.fold import decision_start
from paddock.tables.names import cut_marks, cut_unseen, printable, same, shortened
from paddock.tables.table import Player, Table

ME, OPEN = "me", "open"
# Default names of bots.
GUESTS = (
    "Alba",
    "Bruno",
    "Carla",
    "Dario",
    "Elsa",
    "Fausto",
    "Gilda",
    "Ivo",
    "Lina",
    "Marco",
    "Nora",
    "Otto",
)
LONGEST_NAME = 24
LONGEST_MOVE = 64  # characters in a move
_ID = re.compile(r"[A-Za-z0-9_-]{1,32}")
LONGEST_KEY = 64  # characters
_KEY = re.compile(rf"[!-~]{{1,{LONGEST_KEY}}}")


def is_id(text: str) -> bool:
    """Whether the text has the form of a table id."""
    return _ID.fullmatch(text) is not None


def is_key(text: str) -> bool:
    """Whether the text is a valid key for a submission."""
    return _KEY.fullmatch(text) is not None


def clean(name: str) -> str:
    """Clean a name: one line of at most 24 visible characters; empty if nothing is left."""
    return shortened(" ".join(cut_unseen(cut_marks(printable(name))).split()), LONGEST_NAME).rstrip()


def check_terms(terms: Terms) -> None:
    """Raise ``BadOption`` for the first term that is invalid."""
    if terms.pace not in PACES:
        raise BadOption([_("pace: choose {paces}").format(paces=either(PACES))])
    for name, longest in MOST.items():
        if not 0 <= getattr(terms, name) <= longest:
            raise BadOption([_("{name}: choose 0 to {n}").format(name=name, n=longest)])
    clock.read(terms.clock)


def nameless(title: Title) -> str:
    """Return the name of a person who gives none: the word for players, if a language has no better one."""
    role = pgettext(NAMELESS, title.player_name)
    return (_(title.player_name) if role == title.player_name else role).capitalize()


def usual_name(title: Title, bot: str | None, index: int) -> str:
    """Return the default name of a bot of a level, or (None) of a person."""
    labels = {level.name: level.label for level in levels(title)}
    word = nameless(title) if bot is None else labels.get(bot, bot)
    return f"{word} {index + 1}"


def has_usual_name(title: Title, who: Player) -> bool:
    """Whether a player has the default name of their seat, in the language of whoever took it."""

    def usual(code: str) -> str:
        language.set(code)
        return usual_name(title, who.bot, who.index)

    return any(copy_context().run(usual, code) == who.name for code in languages(catalogues.get()))


def free_usual_name(table: Table, who: Player, bot: str | None = None) -> str:
    """Return the default name for a person, or for a bot of a level, in this seat."""
    return free_name(table.players, who, usual_name(table.title, bot, who.index))


def free_name(players: Sequence[Player], who: Player, name: str) -> str:
    """Return the name, with a number added if another player has it."""
    free, n = name, 2
    while name_taken(players, who, free):
        free, n = f"{name} ({n})", n + 1
    return free


def name_taken(players: Sequence[Player], who: Player, name: str) -> bool:
    """Whether another player has a name that looks like this one."""
    return any(p.index != who.index and same(p.name, name) for p in players)


def place(table: Table, who: Player) -> Sentence:
    """Return what a seat is called, as in «driver 2»."""
    # Translators: what a seat is called: “driver 2”
    return Sentence("{word} {n}", word=Sentence(table.title.player_name), n=who.index + 1)


def people(
    title: Title,
    options: Options,
    seats: Sequence[str],
    names: Sequence[str],
    holder: str,
    *,
    lobby: bool = False,
) -> list[Player]:
    """Create the players of a new table; raise ``BadOption`` with every fault.

    ``seats`` has "me", the level of a bot or, in a lobby, "open" for each player.
    """
    n = options.players
    choices = [ME, *([OPEN] if lobby else []), *(level.name for level in levels(title))]
    faults = []
    if len(seats) != n:
        word = _(title.players_option)
        faults.append(_("seats: give {n} {word}, not {m}").format(n=n, m=len(seats), word=word))
    if OPEN in seats and not lobby:
        faults.append(_("only a lobby can have open seats: create one with lobby=true"))
    faults += [
        _("{word} {number}: “{who}” cannot play; choose {choices}").format(
            word=_(title.player_name), number=i + 1, who=who[:32], choices=either(choices)
        )
        for i, who in enumerate(seats)
        if who not in choices and who != OPEN
    ]
    if len(names) > n:
        faults.append(_("give {n} names, not {m}").format(n=n, m=len(names)))
    if faults:
        raise BadOption(faults)
    cleaned = [clean(name) for name in names] + [""] * (n - len(names))
    bots = [None if who in (ME, OPEN) else who for who in seats]
    return [
        Player(i, cleaned[i] or usual_name(title, bots[i], i), bots[i], holder if who == ME else None)
        for i, who in enumerate(seats)
    ]


def cut(table: Table, entry: int) -> Game:
    """Return the game before the decision of log entry ``entry`` (from 0).

    Chance outcomes that were due there are kept. Raises ``BadOption`` if nothing is left to decide.
    """
    log = table.game.log
    if not 0 <= entry <= len(log):
        raise BadOption([_("choose a log entry between 0 and {n}").format(n=len(log))])
    while entry < len(log) and log[entry].by == CHANCE:
        entry += 1
    game = table.at(decision_start(table.game, entry) if entry < len(log) else entry)
    if game.over or not game.deciders:
        raise BadOption([_("nothing is left to decide after that log entry: choose an earlier one")])
    return game
