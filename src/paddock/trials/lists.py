"""Whether the lists of ``text.py`` and ``refusals.py`` say what the rules have."""

from __future__ import annotations

from collections.abc import Sequence

from paddock.core.rooms.text import UsualText
from paddock.core.title import Title
from paddock.trials.trial import Fault, Trial


def lists(title: Title, seed: int) -> str:
    """Every move and outcome has a word, sentences have only fields that are filled in, and names exist."""
    _reasons(getattr(title.refusals, "REASONS", ()))
    text, own, rules = title.text, vars(title.text), title.rules
    if not isinstance(text, UsualText):
        return "text.py has functions of its own"
    if "move" not in own:
        _words("MOVES", text.MOVES, rules.ACTIONS)
        if len(text.LABELS) != rules.ACTIONS:
            raise Fault(
                "text.py", f"LABELS has {len(text.LABELS)} texts, and there are {rules.ACTIONS} moves"
            )
    if "outcome" not in own:
        _words("OUTCOMES", text.OUTCOMES, rules.OUTCOMES)
    for sentence in text.EVENTS.values() if "line" not in own else ():
        if fault := misformed(sentence):
            raise Fault("text.py", fault)
    for name in text.FIELDS:
        if not hasattr(rules.State(), name):
            raise Fault("text.py", f"FIELDS has {name}, and the state has no such field")
    return f"{len(text.MOVES)} moves, {len(text.OUTCOMES)} outcomes, {len(text.EVENTS)} events"


def misformed(sentence: str) -> str:
    """Return what is wrong with the fields of an event's sentence; empty if nothing is."""
    try:
        sentence.format(name="", a=0, b=0, c=0)
    except (KeyError, ValueError, IndexError):
        return f"“{sentence}”: fields are {{name}}, {{a}}, {{b}} and {{c}}; for a brace write {{{{ or }}}}"
    return ""


def _words(name: str, words: Sequence[str], number: int) -> None:
    """Raise ``Fault`` unless there are so many words, each with single spaces inside."""
    if len(words) != number:
        bound = "ACTIONS" if name == "MOVES" else "OUTCOMES"
        raise Fault("text.py", f"{name} has {len(words)} words, and {bound} of the rules is {number}")
    for word in words:
        if not word or word != " ".join(word.split()) or ";" in word:
            raise Fault("text.py", f"{name} has “{word}”: write words with one space between them, without ;")


def _reasons(reasons: Sequence[object]) -> None:
    """Raise ``Fault`` unless all are pairs of texts."""
    for reason in reasons:
        match reason:
            case (str(), str()):
                continue
        raise Fault("refusals.py", f"REASONS has {reason!r}: each is (clause, sentence), the first is empty")


LISTS = (Trial("lists", "text.py", lists),)
