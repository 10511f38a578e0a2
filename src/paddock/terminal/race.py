"""A game in the terminal, with bots and people. People choose from numbered lines."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from shutil import get_terminal_size
from textwrap import wrap
from typing import Any

from paddock.bots import bot, levels
from paddock.bots.registry import WORKS
from paddock.bots.works import need_works
from paddock.core.errors import BadMove, BadOption, PaddockError, brief
from paddock.core.game import MOST_LINKS, Game, too_many_links
from paddock.core.i18n import _, mark, pgettext
from paddock.core.title import Chain, Preview, Seen, Title, move_id, notation, split_notation
from paddock.core.wording import either
from paddock.kernel.source import Seeded, System

PERSON = "me"
SEND, BACK = "send", "back"  # input that submits a chain, and input that removes its last link
HELP = ("?", "help")  # input that prints the whole board, all moves, and how to write them
BOARD, SMALL_BOARD = 18, 10  # lines of a terminal that are not for the list of moves: a large board is cut
_CONTINUE = mark("So far: {moves}. Add a move, or write “send” to play these, “back” to remove the last one:")

Say = Callable[[str], Any]
Ask = Callable[[str], str]


@dataclass(frozen=True)
class Seats:
    """The players: a bot level or ``me`` for each."""

    players: tuple[str, ...]

    @classmethod
    def read(cls, title: Title, text: str, *, people: bool = True) -> Seats:
        """Parse «club,me,rookie», or without ``people`` «club,rookie»; raise ``BadOption`` with the allowed
        words, and ``PaddockError`` if a level cannot play here."""
        players = tuple(part.strip().lower() for part in text.split(","))
        if WORKS in players:
            need_works()
        choices = [*[PERSON][:people], *(level.name for level in levels(title))]
        faults = [
            _("--seats: “{who}” cannot play; choose {choices}").format(
                who=brief(player), choices=either(choices)
            )
            for player in dict.fromkeys(players)
            if player not in choices
        ]
        if faults:
            raise BadOption(faults)
        return cls(players)

    def names(self, title: Title) -> list[str]:
        """Return a name for every player, such as «Club 2» for a bot or «Driver 1» for a person."""
        words = (_(title.player_name) if player == PERSON else player for player in self.players)
        return [f"{word.capitalize()} {i + 1}" for i, word in enumerate(words)]

    def options(self, title: Title, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return the options with the number of players; raise ``BadOption`` if they give another one."""
        count, count_given = title.players_option, values.get(title.players_option)
        if count_given is not None and str(count_given) != str(len(self.players)):
            sentence = _("{option}={value}: --seats has {n}")
            raise BadOption([sentence.format(option=count, value=count_given, n=len(self.players))])
        return {**values, count: len(self.players)}


def set_up(
    title: Title, seats: Seats, options: Mapping[str, Any], rounds: int | None, seed: int | None
) -> Game:
    """Create a game for these seats, with ``rounds`` games in the series."""
    values, series = seats.options(title, options), title.rounds_option
    if rounds is not None and str(values.setdefault(series, rounds)) != str(rounds):
        raise BadOption(
            [_("{option}={value}: --races says {n}").format(option=series, value=values[series], n=rounds)]
        )
    chance = System() if seed is None else Seeded(seed)
    return Game(title, title.options.read(values), chance, seats.names(title))


def race(game: Game, seats: Seats, seed: int | None, say: Say, ask: Ask) -> None:
    """Play the series to its end. If several seats decide at once, all choose before any move is played."""
    source = System() if seed is None else Seeded(seed, 1)  # stream 0 is the game's chance
    wait = seed is not None  # with a seed, the same command plays the same series
    bots = {
        i: bot(game.title, player, wait=wait) for i, player in enumerate(seats.players) if player != PERSON
    }
    shown_up_to = {
        i: 0 for i, player in enumerate(seats.players) if player == PERSON
    }  # log entries shown to each
    sits = -1  # the person now at the terminal
    while not game.over:
        chosen: list[tuple[int, Sequence[int]]] = []
        for seat in game.deciders:
            player = game.options.owners[seat]
            if player in bots:
                seen = game.seen(game.options.eyes(player))
                chosen.append((seat, [bots[player].choose(seen, seat, seen.legal(seat), source)]))
                continue
            if only := game.only(seat):
                if len(shown_up_to) == 1:
                    _tell(game, game.options.eyes(player), shown_up_to[player], say)
                    shown_up_to[player] = len(game.log)
                say(f"  {only[1]}")
                chosen.append((seat, [only[0]]))
                continue
            if len(shown_up_to) > 1 and player != sits:
                ask(_("Pass the keyboard to {name}, then press Enter. ").format(name=game.names[player]))
            sits = player
            _tell(game, game.options.eyes(player), shown_up_to[player], say)
            shown_up_to[player] = len(game.log)
            chosen.append((seat, _ask(game, player, seat, say, ask)))
        for seat, moves in chosen:
            game.play(seat, moves)
    if shown_up_to:  # print the end of the game, for all people here
        eyes = game.options.eyes(next(iter(shown_up_to))) if len(shown_up_to) == 1 else 0
        _tell(game, eyes, min(shown_up_to.values()), say)


def _tell(game: Game, eyes: int, since: int, say: Say) -> None:
    """Print the events that these seats were told since log entry ``since``."""
    for line in game.story_for(eyes, since):
        say(f"  {line}")


def _ask(game: Game, player: int, seat: int, say: Say, ask: Ask) -> list[int]:
    """Ask a person for a decision: print the board and the moves, and read a number or a notation.

    For a chain, ask for one link after the other, until it ends or the person sends it.
    """
    title, links = game.title, list[int]()
    seen = game.seen(game.options.eyes(player))
    screen = get_terminal_size()
    most_lines = screen.lines - (BOARD if hasattr(title.text, "small") else SMALL_BOARD)
    say("")
    for line in _board(seen, seat, screen.columns, screen.lines - 3, most_lines):
        say(line)
    while not (preview := seen.preview(links, seat)).ended:
        say(title.text.status(preview.seen))
        if links:
            say(_(_CONTINUE).format(moves=notation(title, seen.setup, links)))
        else:
            say(_("{seat}, choose (? explains):").format(seat=seen.seat_name(seat)))
        choices = _choices(preview)
        listed = _in_short(seen, choices, most_lines, screen.columns)
        for line in listed:
            say(line)
        whole = sum(" #" in line for line in listed) == len(choices)
        while True:
            answer = ask(pgettext("noun", "Move: ")).strip()
            if answer.casefold() in HELP:
                for line in (*title.text.board(preview.seen), *_listed(seen, choices, screen.columns)):
                    say(line)
                for line in _how_to_write(title):
                    say(line)
                continue
            if links and answer.casefold() == SEND:
                return links
            if links and answer.casefold() == BACK:
                links.pop()
                break
            try:
                chain = [*links, *_moves_of_answer(seen, choices, answer, whole)]
                if len(chain) > MOST_LINKS:
                    raise BadMove(too_many_links())
                seen.preview(chain, seat)
            except PaddockError as error:
                say(str(error))
                if answer.isdecimal() and "#1" not in str(error):
                    say(_("To choose a line of the list, write its number like this: #1."))
            else:
                links = chain
                break
    return links


def _choices(preview: Preview) -> list[Chain]:
    """Return the legal next moves and the suggested chains."""
    seen, seat, title = preview.seen, preview.seat, preview.seen.title
    moves = zip(preview.legal, preview.costs, strict=True)
    links = [Chain((move,), title.text.label(seen, seat, move), cost) for move, cost in moves]
    ready = title.chains.ready(seen, seat) if title.chains else ()
    return [*links, *(chain for chain in ready if len(chain.moves) > 1)]


def _how_to_write(title: Title) -> list[str]:
    """Return how to write a move."""
    lines = [_("Write a move as the first column shows it, or its number, such as #1.")]
    if title.chains:
        lines.append(_("Moves can be joined: “send” plays those so far, “back” removes the last one."))
    return ["", *lines]


def _listed(seen: Seen, choices: Sequence[Chain], columns: int) -> list[str]:
    """Return a line for each choice: number, notation, effect and cost. What is too wide goes on below."""
    written = [notation(seen.title, seen.setup, choice.moves) for choice in choices]
    width = min(24, max(map(len, written)))
    below = " " * (width + 9)
    lines = []
    for n, (moves, choice) in enumerate(zip(written, choices, strict=True), 1):
        costs = ", ".join(f"{name} {amount}" for name, amount in choice.cost.items() if amount)
        words = choice.label + (f" ({costs})" if costs else "")
        line = f"  {moves:{width}}  {f'#{n}':4} {words}"
        lines.append("\n".join(wrap(line, columns, subsequent_indent=below, break_on_hyphens=False)) or line)
    return lines


def _board(seen: Seen, seat: int, width: int, lines: int, most_lines: int) -> list[str]:
    """Return the board. A large one is cut so that it fits ``lines`` with the list of the choices."""
    text = seen.title.text
    if (small := getattr(text, "small", None)) is None:
        return text.board(seen)
    choices = _in_short(seen, _choices(seen.preview((), seat)), most_lines, width)
    return list(small(seen, seat, width, lines - _height([*choices, text.status(seen)], width)))


def _in_short(seen: Seen, choices: Sequence[Chain], most_lines: int, width: int) -> list[str]:
    """Return the list of the choices. If it takes more than ``most_lines``, many moves with the same first
    word have one line together."""
    lines = _listed(seen, choices, width)
    if _height(lines, width) <= most_lines:
        return lines
    written = [notation(seen.title, seen.setup, choice.moves) for choice in choices]
    kinds: dict[str, list[int]] = {}
    for i, moves in enumerate(written):
        kinds.setdefault(moves.partition(" ")[0], []).append(i)
    if len(kinds) == len(lines):
        return lines
    short = []
    for word, members in kinds.items():
        if len(members) <= 3:
            short += [lines[i] for i in members]
        else:
            span = _("{word} … : {n} moves, such as {moves}").format(
                word=word, n=len(members), moves=written[members[len(members) // 2]]
            )
            short.append(f"  {span}")
    if len(short) + 1 >= len(lines):
        return lines
    return [*short, "  " + _("? explains all {n} moves").format(n=len(choices))]


def _height(lines: Sequence[str], width: int) -> int:
    """Return how many lines of a terminal these take."""
    return sum(max(1, -(-len(part) // width)) for line in lines for part in line.split("\n"))


def _moves_of_answer(seen: Seen, choices: Sequence[Chain], answer: str, whole: bool) -> list[int]:
    """Return the moves of an answer (a number or notation); raise ``BadMove`` or ``IllegalMove``.

    A number without «#» is one of the list, if the ``whole`` list is shown and no move is written like that.
    """
    written = [notation(seen.title, seen.setup, choice.moves) for choice in choices]
    number = answer.removeprefix("#").strip()
    if not answer.startswith("#"):
        words = {moves.partition(" ")[0] for moves in written}
        if len(words) == 1 and f"{min(words)} {answer}" in written:  # «plan 1-2-1-1» without its first word
            answer = f"{words.pop()} {answer}"
        meant = [moves for moves in written if _plain_notation(moves) == _plain_notation(answer)]
        try:
            moves = split_notation(answer if answer in written or len(meant) != 1 else meant[0])
            return [move_id(seen.title, seen.setup, move) for move in moves]
        except BadMove:
            if answer.partition(" ")[0] in words:
                raise  # it says how such a move is written
            if not (whole and number.isdecimal()):
                example = written[len(written) // 2]
                sentence = _(
                    "“{answer}” is no move here: write one of the list, such as {move} or #1. ? explains."
                )
                raise BadMove(sentence.format(answer=brief(answer), move=example)) from None
    if number.isdecimal() and len(number) < 9 and 1 <= int(number) <= len(choices):
        return list(choices[int(number) - 1].moves)
    raise BadMove(_("Write a number from #1 to #{n}, or a move as the list shows it.").format(n=len(choices)))


def _plain_notation(text: str) -> str:
    """A notation without capital letters and spaces."""
    return "".join(text.casefold().split())
