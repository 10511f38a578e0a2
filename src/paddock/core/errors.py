"""Errors caused by user input. Each message is one sentence that says what to do."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from operator import index
from typing import Any, SupportsIndex

from paddock.core.i18n import Sentence, _, mark, plural

_MANY = mark("{bound}: the rules need {needed}, and there is room for {most}")
_FEW = mark("{bound}: the rules give {needed}, and the least is {least}")

_UNSEEN = {
    "Cc",
    "Cf",
    "Cs",
    "Co",
    "Cn",
    "Zl",
    "Zp",
}  # controls, direction marks and their kind


def visible(text: str) -> str:
    """Replace what nobody sees, such as a mark that turns a line around.

    Spaces, line breaks and the soft hyphens of translations stay. Every refusal does this with all that it
    says, because it may repeat what somebody has sent.
    """
    if text.isprintable():
        return text
    return "".join("�" if c not in "\n\xad" and unicodedata.category(c) in _UNSEEN else c for c in text)


def brief(text: str, most: int = 60) -> str:
    """Shorten user input to one line of at most ``most`` printable characters, to quote it in a message."""
    line = "".join(c if c.isprintable() else "�" for c in " ".join(text[: 10 * most].split()))
    return line if len(line) <= most else f"{line[: most - 2]} …"


def quoted(value: object) -> str:
    """Return the ``repr`` of any value, shortened, to quote it in a message."""
    try:
        return brief(repr(value))
    except ValueError:  # Python refuses to print integers of thousands of digits
        return _("a very long number")


def whole(value: object) -> int | None:
    """Return the value as an ``int`` if it is an integer, such as one of NumPy; else None."""
    if type(value) is int:  # most values; the check of the protocol below is slow
        return value
    if isinstance(value, bool) or not isinstance(value, SupportsIndex):
        return None
    try:
        return index(value)
    except TypeError:  # an array of NumPy has ``__index__``, and refuses
        return None


def clean_name(name: str) -> str:
    """Clean a player's name: one line, at most 100 characters; empty if no character is visible."""
    line = "".join(c for c in " ".join(name.split()) if unicodedata.category(c) not in ("Cc", "Cs"))
    line = "".join(c for c in line if c != "\ufeff" and ord(c) & 0xFFFE != 0xFFFE)  # not allowed in XML
    visible_name = any(unicodedata.category(c)[0] not in "CZ" for c in line)
    return " ".join(line[:100].split()) if visible_name else ""


def listed(faults: Sequence[str], most: int = 20) -> str:
    """Join faults into one sentence: the first ``most``, then how many more there are."""
    left = len(faults) - most
    rest = [plural("and {n} more", "and {n} more", left)] if left > 0 else []
    return "; ".join([*faults[:most], *rest])


class PaddockError(ValueError):
    """Input that the user can correct. ``str(error)`` is the message to show.

    A message that is stored or shown later is given as a ``Sentence``. ``status`` is the exit status of a
    command that ends with it.
    """

    status = 2

    def __str__(self) -> str:
        return visible(super().__str__())

    @property
    def message(self) -> str | Sentence:
        """The message as it was given, to put it into another sentence."""
        message = self.args[0] if len(self.args) == 1 else None
        return message if isinstance(message, Sentence) else str(self)

    def __reduce__(self) -> tuple[Any, ...]:
        # By default, unpickling would call the class with the message only.
        return _unpickled, (type(self), self.args, vars(self))


def _unpickled(kind: type[PaddockError], args: tuple[Any, ...], values: Mapping[str, Any]) -> PaddockError:
    error = kind.__new__(kind, *args)
    vars(error).update(values)
    return error


class BadValue(ValueError):
    """What the validator of an option says about a wrong value.

    ``said`` are plain sentences, for pages. ``write`` replaces them where options are written as
    ``name=value``. ``about`` is the option that a page shows them beside, if several are checked together.
    """

    def __init__(self, *said: str, write: str = "", about: str = "") -> None:
        self.said = tuple(map(visible, said))
        self.about = about
        super().__init__(visible(write or "; ".join(said)))


class BadOption(PaddockError):
    """Invalid options; ``faults`` lists everything that is wrong with them.

    ``wrong`` are the names of options whose values are invalid by themselves, whatever the others are.
    ``said`` has the faults for pages, where nobody writes ``name=value``: the option (or ""), a sentence.
    """

    def __init__(
        self, faults: Sequence[str], wrong: Iterable[str] = (), said: Sequence[tuple[str, str]] = ()
    ) -> None:
        self.faults = tuple(map(visible, faults))
        self.wrong = frozenset(wrong)
        self.said = tuple((name, visible(sentence)) for name, sentence in said) or tuple(
            ("", f) for f in self.faults
        )
        super().__init__(listed(self.faults))


class BadMove(PaddockError):
    """A move that is malformed, out of turn, or made after the end of the game."""


class IllegalMove(PaddockError):
    """A move that the rules forbid: ``clause`` is the clause id, ``reason`` a sentence."""

    def __init__(self, clause: str, reason: str) -> None:
        self.clause = clause
        self.reason = visible(reason)
        super().__init__(f"{clause} {reason}")


class OutOfBounds(PaddockError):
    """Rules that break the ``bound`` which they declare: they need ``needed``."""

    def __init__(self, bound: str, needed: int, most: int, least: int = 1) -> None:
        self.bound, self.needed = bound, int(needed)
        template = _FEW if needed < least else _MANY
        super().__init__(
            Sentence(template, bound=bound, needed=self.needed, most=int(most), least=int(least))
        )


class BadPosition(PaddockError):
    """An invalid position text; ``faults`` lists everything that is wrong with it."""

    def __init__(self, faults: Sequence[str]) -> None:
        self.faults = tuple(map(visible, faults))
        super().__init__(listed(self.faults))


class BadRecord(PaddockError):
    """A record that cannot be parsed: the ``line`` (from 1) and the ``reason``.

    In a file of several records, ``record`` is the number of the record (from 1), and ``line`` counts from
    the start of the file; else ``record`` is None. ``said`` is the reason for pages, where it differs.
    """

    def __init__(self, line: int, reason: str, record: int | None = None, said: str = "") -> None:
        self.line = line
        self.reason = visible(reason)
        self.record = record
        self.said = visible(said) or self.reason
        template = (
            _("line {line}: {reason}") if record is None else _("record {record}, line {line}: {reason}")
        )
        super().__init__(template.format(record=record, line=line, reason=reason))
