"""The log of a game and the events that followed from it, packed into a few bytes per entry."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, repeat
from typing import NamedTuple, Self, overload

from paddock.core.words import CHANCE, PUBLIC


class Event(NamedTuple):
    """Something that happened in the game: a code defined by the title, and three numbers.

    ``eyes`` is the bitmask of the seats that saw all of it, or PUBLIC for everybody. A number that
    the viewer must not know is HIDDEN.
    """

    code: int
    a: int = 0
    b: int = 0
    c: int = 0
    eyes: int = PUBLIC

    def for_eyes(self, eyes: int) -> Event | None:
        """Return the event if one of the seats ``eyes`` saw it; else None."""
        return self if self.eyes == PUBLIC or self.eyes & eyes else None


@dataclass(frozen=True)
class Entry:
    """A log entry: a move of a seat, or a chance outcome (``by`` is CHANCE).

    ``linked`` means that the move was submitted together with the one before it.
    """

    by: int
    what: int
    linked: bool = False


class Snapshot(NamedTuple):
    """A game before an entry of its log."""

    at: int  # the index of the entry
    rounds: int  # the number of finished rounds
    linkable: int  # ``Game.linkable``
    who: int  # bitmask of who must decide
    state: bytes  # packed


@dataclass(frozen=True)
class EventBatch:
    """The events that followed from one log entry, in round ``round`` (from 0)."""

    entry: int  # index in the log
    round: int
    events: tuple[Event, ...]


_LINKED = 64  # flag in the byte that also holds the seat or CHANCE


class Packed:
    """Parallel arrays that are copied and truncated together."""

    __slots__ = ()

    def copy(self) -> Self:
        """Return an independent copy."""
        copied = type(self).__new__(type(self))
        name: str
        for name in self.__slots__:
            part = getattr(self, name)
            setattr(copied, name, part[:] if isinstance(part, array) else part.copy())
        return copied


class Log(Packed, Sequence[Entry]):
    """A sequence of entries. Equal to any sequence of the same entries."""

    __slots__ = ("_by", "_what")
    __hash__ = None  # type: ignore[assignment]  # mutable

    def __init__(self, entries: Sequence[Entry] = ()) -> None:
        self._by = array("b")
        self._what = array("i")
        for entry in entries:
            self.append(entry)

    def append(self, entry: Entry) -> None:
        """Add an entry at the end."""
        self._by.append(entry.by | _LINKED * entry.linked)
        self._what.append(entry.what)

    def cut(self, length: int) -> None:
        """Remove all entries from index ``length`` on."""
        del self._by[length:], self._what[length:]

    def continues(self, other: Log) -> bool:
        """Whether this log begins with all entries of another one."""
        n = len(other)
        return self._by[:n] == other._by and self._what[:n] == other._what

    def chance(self) -> list[bool]:
        """Return for every entry whether it is a chance outcome."""
        return [by == CHANCE for by in self._by]

    def submission(self, before: int | None = None) -> int:
        """Return the index of the first entry of the last submission, or −1: of those before ``before``."""
        end = len(self) if before is None else before
        return next((i for i in reversed(range(end)) if self._begins(i)), -1)

    def _begins(self, i: int) -> bool:
        return self._by[i] < 31

    def __len__(self) -> int:
        return len(self._by)

    @overload
    def __getitem__(self, i: int) -> Entry: ...
    @overload
    def __getitem__(self, i: slice) -> list[Entry]: ...
    def __getitem__(self, i: int | slice) -> Entry | list[Entry]:
        if isinstance(i, slice):
            return [self[k] for k in range(*i.indices(len(self)))]
        by = self._by[i]
        return Entry(by & (_LINKED - 1), self._what[i], by >= _LINKED)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Log):
            return self._by == other._by and self._what == other._what
        return isinstance(other, Sequence) and list(self) == list(other)

    def __repr__(self) -> str:
        return f"Log({list(self)!r})"


class EventLog(Packed, Sequence[EventBatch]):
    """The event batches of a log. Entries without events have no batch."""

    __slots__ = ("_entry", "_eyes", "_first", "_numbers", "_round")
    __hash__ = None  # type: ignore[assignment]  # mutable

    def __init__(self) -> None:
        self._entry = array("i")  # for each batch: index in the log
        self._round = array("h")
        self._first = array("i")  # index of its first event
        self._numbers = array("i")  # four for each event
        self._eyes: dict[int, int] = {}  # by event index, for events that are not public

    @property
    def entries(self) -> Sequence[int]:
        """The index in the log of every batch's entry."""
        return self._entry

    @property
    def public(self) -> bool:
        """Whether all events are public."""
        return not self._eyes

    def append(self, entry: int, round: int, events: Sequence[tuple[int, ...]]) -> None:
        """Add a batch at the end."""
        first = len(self._numbers) // 4
        self._entry.append(entry)
        self._round.append(round)
        self._first.append(first)
        for i, (code, a, b, c, eyes) in enumerate(events, first):
            self._numbers.extend((code, a, b, c))
            if eyes != PUBLIC:
                self._eyes[i] = eyes

    def cut(self, length: int) -> None:
        """Remove the batches of log entries from index ``length`` on."""
        items = len(self._entry)
        while items and self._entry[items - 1] >= length:
            items -= 1
        if items < len(self._entry):
            events = self._first[items]
            del self._entry[items:], self._round[items:], self._first[items:], self._numbers[4 * events :]
            for i in [i for i in self._eyes if i >= events]:
                del self._eyes[i]

    def __len__(self) -> int:
        return len(self._entry)

    @overload
    def __getitem__(self, i: int) -> EventBatch: ...
    @overload
    def __getitem__(self, i: slice) -> list[EventBatch]: ...
    def __getitem__(self, i: int | slice) -> EventBatch | list[EventBatch]:
        if isinstance(i, slice):
            return [self[k] for k in range(*i.indices(len(self)))]
        i = range(len(self))[i]
        end = self._first[i + 1] if i + 1 < len(self) else len(self._numbers) // 4
        events = (
            Event._make((*self._numbers[4 * k : 4 * k + 4], self._eyes.get(k, PUBLIC)))
            for k in range(self._first[i], end)
        )
        return EventBatch(self._entry[i], self._round[i], tuple(events))

    def __iter__(self) -> Iterator[EventBatch]:
        numbers, ends = self._numbers, (*self._first[1:], len(self._numbers) // 4)
        eyes = map(self._eyes.get, range(len(numbers) // 4), repeat(PUBLIC)) if self._eyes else repeat(PUBLIC)
        facts = zip(numbers[::4], numbers[1::4], numbers[2::4], numbers[3::4], eyes, strict=False)
        events = map(Event._make, facts)
        for entry, round, first, end in zip(self._entry, self._round, self._first, ends, strict=False):
            yield EventBatch(entry, round, tuple(islice(events, end - first)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    def __repr__(self) -> str:
        return f"<EventLog of {len(self)}>"
