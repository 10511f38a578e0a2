"""Parses a position text into a game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from paddock.core.errors import BadOption, BadPosition, PaddockError, brief, quoted
from paddock.core.game import ChanceSource, Game
from paddock.core.i18n import _, plural
from paddock.core.series import RoundResult
from paddock.core.title import Title, seats_of, title

if TYPE_CHECKING:
    from paddock.core.options import Options


def position(text: str, chance: ChanceSource | None = None, names: Sequence[str] = ()) -> Game:
    """Return a game that starts in a position; raise ``BadPosition`` with every fault."""
    if not isinstance(text, str):
        raise BadPosition(
            [_("{what} is not a text: give a position as Game.position returns it").format(what=quoted(text))]
        )
    head, *field_words = text.split() or [""]
    name, _slash, revision = head.partition("/")
    try:
        found_title = title(name)
    except PaddockError as error:
        raise BadPosition([str(error)]) from None
    if revision not in map(str, range(found_title.oldest, found_title.revision + 1)):
        raise BadPosition(
            [
                _("“{head}”: this version of Paddock reads {known}").format(
                    head=brief(head), known=f"{found_title.name}/{found_title.revision}"
                )
            ]
        )
    found_title = found_title.at(int(revision))
    words: dict[str, str] = {}
    faults = []
    for word in field_words:
        key, equals, value = word.partition("=")
        if not equals or key in words:
            faults.append(_("“{word}”: write each field once, as name=value").format(word=brief(word)))
        words[key] = value
    try:
        option_words = {k: words.pop(k) for k in list(words) if k in found_title.options.model_fields}
        options = found_title.options.read(option_words, revision=int(revision))
    except BadOption as error:
        raise BadPosition([*faults, *error.faults]) from None
    results, wrong = _results(words.pop("results", ""), found_title, options)
    faults += wrong
    if faults:
        raise BadPosition(faults)
    state = None
    if len(results) < options.rounds:
        state = found_title.text.parse_position(words, found_title.setup_of(options))
        if any(
            seat >= options.seats
            for seat in seats_of(found_title.rules.who(state, found_title.setup_of(options)))
        ):
            raise BadPosition([_("a seat must decide that does not exist")])
    elif words:
        fields = "”, “".join(words)
        raise BadPosition(
            [_("“{fields}”: the series is over, so nothing follows the results").format(fields=fields)]
        )
    game = Game.from_state(found_title, options, state, results, None, names)
    start_words = f"{found_title.name}/{found_title.revision} {options.text}"
    if int(revision) < found_title.revision:  # an older revision writes its own options
        start_words = " ".join([head, *(f"{key}={value}" for key, value in option_words.items())])
    if f"{start_words} {game.position_words}" != text:
        raise BadPosition([_("write it as: {position}").format(position=game.position)])
    return Game.from_state(found_title, options, state, results, chance, names) if chance else game


def _results(text: str, title: Title, options: Options) -> tuple[list[RoundResult], list[str]]:
    """Return the finished rounds of a position, and their faults."""
    if text == "-":
        return [], []
    setup, rounds = title.setup_of(options), []
    for part in text.split("/"):
        try:
            pairs = [tuple(map(int, pair.split(":"))) for pair in part.split(",")]
            places, scores = zip(*((p, s) for p, s in pairs), strict=True)
        except ValueError:
            advice = _("write place:score for each seat, rounds separated by /, or -")
            return [], [f"results={brief(text)}: {advice}"]
        if len(places) != options.seats or any(not 0 <= p <= options.seats for p in places):
            advice = _("write one place:score for each of the {n} seats").format(n=options.seats)
            return [], [f"results={brief(part)}: {advice}"]
        if fault := title.text.result_fault(places, scores, setup):
            return [], [f"results={brief(part)}: {fault}"]
        rounds.append(RoundResult(places=places, scores=scores))
    if len(rounds) > options.rounds:
        advice = plural("the series has only {n} round", "the series has only {n} rounds", options.rounds)
        return [], [f"results={brief(text)}: {advice}"]
    return rounds, []
