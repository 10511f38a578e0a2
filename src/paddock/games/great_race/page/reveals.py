"""The Great Race: what happened last, step by step, and which half-tracks moved."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from paddock.core.i18n import _, mark, pgettext, plural, pmark
from paddock.core.log import Event, EventBatch
from paddock.core.pages import Beat, Moves, To
from paddock.core.words import HIDDEN
from paddock.games.great_race.drawing.map import stand
from paddock.games.great_race.page.offers import Face
from paddock.games.great_race.rules import state
from paddock.games.great_race.rules.setup import ASSISTANTS, plans
from paddock.games.great_race.rules.state import BOXES, ENGINE, NO_CARD, OFF
from paddock.games.great_race.words.names import (
    BOX_NAMES,
    CARDS,
    TILES,
    card_name,
    card_number,
    leader_name,
    tile_name,
)
from paddock.games.great_race.words.places import the_space
from paddock.games.great_race.words.view import View

MOST = 40  # steps that a reveal shows; earlier ones are in the story


@dataclass(frozen=True)
class RevealStep:
    """One thing that happened."""

    entry: int  # the log entry that it followed from
    seat: int | None  # whose mark it shows
    text: str  # in a few words
    how: str = "fade"  # how it appears: see docs/look.md
    face: Face | None = None  # the card, tile or leader that it shows
    value: str = ""  # what it cost or brought
    good: bool = False  # for the crew
    bad: bool = False


@dataclass(frozen=True)
class Reveal:
    """What happened last."""

    mark: int  # the log entry of its last event
    title: str
    steps: tuple[RevealStep, ...]


ACTIONS = {
    state.SCOUT: mark("Scouting"),
    state.SUPPLY: mark("Supplies"),
    state.REPAIR: mark("The repair"),
    state.DRIVE: mark("The drive"),
    state.CLEAR: mark("The way is cleared"),
    state.COOK_CLEAR: mark("The way is cleared"),
    state.STEAL: mark("Red Kate goes stealing"),
}
STARTS = {  # events that begin something, and its name
    state.DESTINATION: mark("The race"),
    state.LED_BY: mark("The leaders"),
    state.TURN: mark("The bivouac"),
    state.PLANNED: mark("The plans are revealed"),
    state.BOUGHT: mark("The pump"),
    state.PLAYED: mark("A card is played"),
    state.FUNDED: mark("Funding"),
    state.PASSED: mark("A crew passes"),
    state.ORDERED: mark("The new turn order"),
    state.ENDED: mark("The finish"),
}
LATEST = mark("What happened last")  # without anything that began it
RUNS = {state.LED_BY, state.PLANNED, state.ORDERED, state.ENDED}  # one follows another: they belong together

ANSWERS = {state.MILITIA, state.GUIDE}


ROADS = (state.EXPLORED, state.DROVE, state.FLEW, state.TURNED_BACK)
TOLD = (state.HARMED, state.GUARDED, state.BROKE_DOWN, state.STOPPED, state.ARRIVED)  # while they drive


def moves(batches: Sequence[EventBatch], view: View) -> Moves:
    """Return where each event has moved a half-track; 0 for what else is told on the way."""
    return {
        (batch.entry, place): [(_entered_space(event, view),)]
        for batch in batches
        for place, event in enumerate(batch.events)
        if event.code in ROADS + TOLD
    }


HITS = (state.HARMED, state.GUARDED, state.BROKE_DOWN)  # damage, and a danger that is avoided


def _entered_space(event: Event, view: View) -> To | Beat | int:
    """GR-7.5 onto unknown land, and back from it if it cannot be paid; else to the next space."""
    if event.code in HITS or event.code == state.ARRIVED:
        return Beat(event.a + 1, "hit" if event.code in HITS else "arrives")
    return To(event.a + 1, *stand(view.spaces[event.b])) if event.code in ROADS else 0


def reveal(batches: Sequence[EventBatch], names: Sequence[str], view: View, since: int) -> Reveal | None:
    """Return what happened last since entry ``since``: the drive, the card, the plans; None if nothing did.

    ``batches`` are the events that the reader was told, so cards that the reader may not see are hidden.
    """
    for part in _story_parts(_backwards(batches, since)):
        steps = [step for entry, event in part if (step := _step(entry, event, names, view))]
        if steps:
            return Reveal(part[-1][0], _title(part[0][1]), tuple(steps[-MOST:]))
    return None


def _story_parts(events: Iterator[tuple[int, Event]]) -> Iterator[list[tuple[int, Event]]]:
    """Parts of the story that belong together, the last one first; each in the order of time."""
    part = list[tuple[int, Event]]()
    for entry, event in events:
        if part and _parted(event, part[-1][1]):
            yield part[::-1]
            part = []
        part.append((entry, event))
        if _begins(event):
            yield part[::-1]
            part = []
    if part:
        yield part[::-1]


def _backwards(batches: Sequence[EventBatch], since: int) -> Iterator[tuple[int, Event]]:
    for batch in reversed(batches):
        if batch.entry < since:
            return
        yield from ((batch.entry, event) for event in reversed(batch.events))


def _begins(event: Event) -> bool:
    """Whether something begins with this event. A card that answers a danger or a stop sign does not."""
    if event.code == state.PLAYED:
        return event.b not in ANSWERS
    return event.code == state.USED or (event.code in STARTS and event.code not in RUNS)


def _parted(event: Event, later: Event) -> bool:
    """Whether something new begins between these two events: a run starts or ends there."""
    return (later.code in RUNS or event.code in RUNS) and event.code != later.code


def _title(first: Event) -> str:
    if first.code == state.USED:
        return _(ACTIONS[first.b])
    return _(STARTS.get(first.code, LATEST))


Write = Callable[[int, Event, Sequence[str], View], RevealStep]


def _step(entry: int, event: Event, names: Sequence[str], view: View) -> RevealStep | None:
    write = _STEPS.get(event.code)
    return write(entry, event, names, view) if write else None


def _place(view: View, space: int) -> str:
    view_space = view.spaces[space]
    return view_space.where if view_space.city else the_space(view_space.where)


def _card(view: View, kind: int) -> Face | None:
    hidden = kind in (HIDDEN, NO_CARD)
    return None if hidden else Face("card", CARDS[kind], number=card_number(view, kind))


def _tile(kind: int) -> Face:
    return Face("tile", TILES[kind])


def _levels(gauge: int, levels: int, sign: str) -> str:
    words = _("engine {sign}{n}") if gauge == ENGINE else _("chassis {sign}{n}")
    return words.format(sign=sign, n=levels)


def _petrol(levels: int, sign: str) -> str:
    return _("petrol {sign}{n}").format(sign=sign, n=levels)


def _francs(francs: int, sign: str) -> str:
    return _("{sign}{n} F").format(sign=sign, n=francs) if francs else ""


def _took(words: str, how: str = "flip") -> Write:
    """A step with a card, which these eyes may not see."""

    def write(entry: int, e: Event, names: Sequence[str], view: View) -> RevealStep:
        card = _("a card") if e.b == HIDDEN else card_name(e.b)
        return RevealStep(entry, e.a, _(words).format(card=card), how, _card(view, e.b))

    return write


def _target(entry: int, e: Event, names: Sequence[str], view: View) -> RevealStep:
    return RevealStep(entry, e.a, _("aims at {rival}").format(rival=names[e.b]), "pop")


def _stole(entry: int, e: Event, names: Sequence[str], view: View) -> RevealStep:
    card = _("a card") if e.c == HIDDEN else card_name(e.c)
    words = _("steals {card} from {rival}").format(card=card, rival=names[e.b])
    return RevealStep(entry, e.a, words, "flip", _card(view, e.c), good=True)


def _plan(entry: int, e: Event, names: Sequence[str], view: View) -> RevealStep:
    boxes = [f"{_(BOX_NAMES[box])} {n}" for box, n in enumerate(_PLANS[e.b]) if n]
    return RevealStep(entry, e.a, _(", ").join(boxes), "flip", value="-".join(map(str, _PLANS[e.b])))


def _removed(entry: int, e: Event, names: Sequence[str], view: View) -> RevealStep:
    words = _("leaves it out") if e.b == OFF else _("clears {place}")
    place = "" if e.b == OFF else _place(view, e.b)
    return RevealStep(entry, e.a, words.format(place=place), "pop", _tile(e.c))


def _ended(entry: int, e: Event, names: Sequence[str], view: View) -> RevealStep:
    """Show the place of a crew at the end, with its prestige."""
    if not e.b:
        return RevealStep(entry, e.a, _("has not arrived"), "pop", bad=True)
    points = plural("{n} point of prestige", "{n} points of prestige", e.c)
    return RevealStep(
        entry,
        e.a,
        pgettext("place in an order", "number {n}").format(n=e.b),
        "pop",
        value=points,
        good=e.b == 1,
    )


_PLANS = tuple(boxes for n in ASSISTANTS for boxes in plans(n, BOXES))  # in the order of ``g.plan``

# n: the log entry, e: the event, v: the view
_STEPS: dict[int, Write] = {
    state.DESTINATION: lambda n, e, names, v: RevealStep(
        n, None, _("{start} to {finish}").format(start=_place(v, e.b), finish=_place(v, e.a)), "drive"
    ),
    state.LED_BY: lambda n, e, names, v: RevealStep(n, e.a, leader_name(e.b), "flip"),
    state.DEALT: lambda n, e, names, v: RevealStep(n, None, card_name(e.a), "flip", _card(v, e.a)),
    state.TOOK: _took(mark("takes {card}"), "pop"),
    state.PLANNED: _plan,
    state.BOUGHT: lambda n, e, names, v: RevealStep(
        n, e.a, _petrol(e.b, "+"), "pop", value=_francs(e.c, "−"), good=True
    ),
    state.PLAYED: _took(mark("plays {card}")),
    state.TARGETED: _target,
    state.PASSED: lambda n, e, names, v: RevealStep(n, e.a, pgettext("make no more moves", "passes")),
    state.FUNDED: lambda n, e, names, v: RevealStep(
        n, e.a, _("funding"), "pop", value=_francs(e.c, "+"), good=True
    ),
    state.FILLED: lambda n, e, names, v: RevealStep(n, e.a, _petrol(e.b, "+"), "pop", good=True),
    state.EARNED: lambda n, e, names, v: RevealStep(n, e.a, _francs(e.b, "+"), "pop", good=True),
    state.DREW: _took(pmark("takes from the deck", "draws {card}")),
    state.KEPT: _took(mark("keeps {card}"), "pop"),
    state.DISCARDED: _took(mark("discards {card}"), "pop"),
    state.DREW_TILE: lambda n, e, names, v: RevealStep(n, e.a, tile_name(e.b), "flip", _tile(e.b)),
    state.PLACED: lambda n, e, names, v: RevealStep(
        n, e.a, _("on {place}").format(place=_place(v, e.c)), "pop", _tile(e.b)
    ),
    state.RETURNED_TILE: lambda n, e, names, v: RevealStep(n, None, _("fits nowhere"), "fade", _tile(e.a)),
    state.REMOVED: _removed,
    state.SWAPPED: lambda n, e, names, v: RevealStep(
        n, e.a, _("swaps {place} and {other}").format(place=_place(v, e.b), other=_place(v, e.c)), "pop"
    ),
    state.MENDED: lambda n, e, names, v: RevealStep(
        n, e.a, _levels(e.b, 1, "+"), "pop", value=_francs(e.c, "−"), good=True
    ),
    state.DROVE: lambda n, e, names, v: RevealStep(
        n, e.a, _("to {place}").format(place=_place(v, e.b)), "drive", value=_petrol(e.c, "−") if e.c else ""
    ),
    state.FLEW: lambda n, e, names, v: RevealStep(
        n, e.a, _("by the lane to {place}").format(place=_place(v, e.b)), "drive", value=_francs(e.c, "−")
    ),
    state.EXPLORED: lambda n, e, names, v: RevealStep(
        n, e.a, _("explores {place}").format(place=_place(v, e.b)), "flip", _tile(e.c)
    ),
    state.TURNED_BACK: lambda n, e, names, v: RevealStep(
        n, e.a, _("turns back to {place}").format(place=_place(v, e.b)), "pop", bad=True
    ),
    state.GUARDED: lambda n, e, names, v: RevealStep(n, e.a, _("avoids the danger"), "pop", good=True),
    state.HARMED: lambda n, e, names, v: RevealStep(n, e.a, _levels(e.b, e.c, "−"), "pop", bad=True),
    state.BROKE_DOWN: lambda n, e, names, v: RevealStep(n, e.a, _("has broken down"), "pop", bad=True),
    state.STOPPED: lambda n, e, names, v: RevealStep(n, e.a, _("stops at the sign"), "pop"),
    state.HALTED: lambda n, e, names, v: RevealStep(n, e.a, _("halts")),
    state.CANCELLED: lambda n, e, names, v: RevealStep(n, e.a, _("foils it"), "pop", good=True),
    state.LOST_PETROL: lambda n, e, names, v: RevealStep(n, e.a, _petrol(e.b, "−"), "pop", bad=True),
    state.LOST_MONEY: lambda n, e, names, v: RevealStep(n, e.a, _francs(e.b, "−"), "pop", bad=True),
    state.PAID_OFF: lambda n, e, names, v: RevealStep(
        n, e.a, _("pays {rival}").format(rival=names[e.b]), "pop", value=_francs(e.c, "−")
    ),
    state.STOLE: _stole,
    state.ARRIVED: lambda n, e, names, v: RevealStep(
        n,
        e.a,
        _("arrives"),
        "pop",
        value=pgettext("place in an order", "number {n}").format(n=e.b),
        good=True,
    ),
    state.ORDERED: lambda n, e, names, v: RevealStep(
        n, e.a, pgettext("place in an order", "number {n}").format(n=e.b), "fade", value=_francs(e.c, "+")
    ),
    state.ENDED: _ended,
}
