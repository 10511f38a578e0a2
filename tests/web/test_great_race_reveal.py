"""The Great Race: what its page reveals, what moves on its map, and the sentences of its story."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from paddock.core.game import Game
from paddock.core.log import Entry, Event, EventBatch
from paddock.core.pages import Beat, To
from paddock.core.words import HIDDEN
from paddock.games.great_race.drawing.map import stand
from paddock.games.great_race.page import page, reveals
from paddock.games.great_race.rulebook import TITLE
from paddock.games.great_race.rules import state
from web.test_great_race_page import NAMES, game, settle

NAMED = re.findall(r"^    ([A-Z_]+),", Path(state.__file__).read_text("utf-8").split("# Events:")[1], re.M)
CODES = {name: getattr(state, name) for name in NAMED}
SILENT = {"GOES_FIRST", "NUMBERED", "TURN", "USED", "SHUFFLED"}  # the title or the story tells them


@cache
def raced() -> Game:
    """Return a race that random moves have taken some way."""
    made, rng = game(3)
    for _n in range(900):
        if not made.deciders:
            break
        for seat in made.deciders:
            made.append(Entry(seat, rng.choice(made.seen(1 << seat).legal(seat))))
        settle(made, rng)
    return made


def test_every_event_has_a_sentence_and_a_step() -> None:
    made = raced()
    view = TITLE.view.view(made.seen(0))
    for name, code in CODES.items():
        event = Event(code, 0, state.SCOUT if name == "USED" else 1, 1)
        line = TITLE.text.line(made.setup, event, NAMES)
        assert line and "{" not in line
        shown = reveals._step(0, event, NAMES, view)
        assert (shown is None) == (name in SILENT)
        assert shown is None or (shown.text and "{" not in shown.text + shown.value)


def test_great_news_have_a_headline() -> None:
    great = {code for code in CODES.values() if page.kicker(Event(code, 0, 1, 0))}
    assert great == {*page._KICKERS, state.ORDERED, state.ENDED}
    assert page.kicker(Event(state.BROKE_DOWN, 1, 0, 0)) == "Breakdown"
    assert page.kicker(Event(state.ORDERED, 1, 2, 10)) == page.kicker(Event(state.ENDED, 1, 0, 0)) == ""


def test_every_reveal_has_a_title_and_begins_with_what_began_it() -> None:
    made = raced()
    seen, titles = made.seen(0), set()
    view = TITLE.view.view(seen)
    for end in range(1, len(made.events) + 1):
        shown = page.reveal(made.events[:end], NAMES, view, 0)
        if shown:
            assert shown.mark <= made.events[end - 1].entry
            assert [step.entry for step in shown.steps] == sorted(step.entry for step in shown.steps)
            titles.add(shown.title)
    assert {"The drive", "The plans are revealed", "The bivouac", "Scouting", "A card is played"} <= titles
    assert page.reveal(made.events, NAMES, view, len(made.log)) is None


def told(*events: Event, since: int = 0) -> list[str]:
    view = TITLE.view.view(raced().seen(0))
    batches = [EventBatch(0, entry, (event,)) for entry, event in enumerate(events)]
    shown = page.reveal(batches, NAMES, view, since)
    return [f"{step.text} {step.value}".strip() for step in shown.steps] if shown else []


def test_a_drive_is_told_step_by_step() -> None:
    drive = (
        Event(state.PLANNED, 0, 0, 0),
        Event(state.USED, 1, state.DRIVE, 0),
        Event(state.PLAYED, 1, state.MILITIA, 0),
        Event(state.GUARDED, 1, state.PLAY + state.MILITIA, 0),
        Event(state.HARMED, 1, state.CHASSIS, 2),
        Event(state.BROKE_DOWN, 1, 0, 0),
    )
    assert told(*drive) == [
        "plays Militia",
        "avoids the danger",
        "chassis −2",
        "has broken down",
    ]


def test_while_nothing_has_followed_the_last_part_is_shown() -> None:
    before = Event(state.USED, 1, state.SCOUT, 0), Event(state.PLACED, 1, 0, 30)
    assert told(*before, Event(state.USED, 1, state.DRIVE, 0)) == told(*before) != []


def test_plans_are_revealed_together_and_the_finish_too() -> None:
    plans = [Event(state.PLANNED, seat, 0, 0) for seat in range(3)]
    assert told(Event(state.TOOK, 0, 1, 0), *plans) == ["Funding 5 0-0-0-5"] * 3
    finish = [Event(state.ENDED, 0, 1, 12), Event(state.ENDED, 1, 0, 0)]
    assert told(Event(state.ARRIVED, 0, 1, 0), *finish) == [
        "number 1 12 points of prestige",
        "has not arrived",
    ]


def test_hidden_cards_stay_hidden() -> None:
    view = TITLE.view.view(raced().seen(0))
    for event in (Event(state.DREW, 0, HIDDEN, 0), Event(state.STOLE, 0, 1, HIDDEN)):
        shown = reveals._step(0, event, NAMES, view)
        assert shown and shown.face is None and "a card" in shown.text


def test_drives_and_lanes_move_the_half_track_on_the_map() -> None:
    made = raced()
    view = TITLE.view.view(made.seen(0))
    found = page.moves(made.events, view)
    events = {(batch.entry, n): e for batch in made.events for n, e in enumerate(batch.events)}
    assert found
    for place, ((move,),) in found.items():
        event = events.pop(place)
        if move == 0:  # only its sentence is shown
            assert event.code == state.STOPPED
            continue
        if isinstance(move, Beat):
            arrives = event.code == state.ARRIVED
            assert event.code in (*reveals.HITS, state.ARRIVED) and move.piece == event.a + 1
            assert str(move) == f"{event.a + 1}{'*' if arrives else '!'}"
            continue
        at = stand(view.spaces[event.b])
        assert event.code in reveals.ROADS and move == To(event.a + 1, *at)
        assert str(move) == f"{event.a + 1}@{at[0]:g},{at[1]:g}"
    assert not {event.code for event in events.values()} & {*reveals.ROADS, *reveals.TOLD}
    drawing = TITLE.draw.board(view)
    for seat in range(3):
        for piece in ("car", "far"):
            assert f'id="gr-{piece}-{seat + 1}" data-piece="{seat + 1}" data-flat' in drawing
    assert drawing.count("data-roams") == 3  # half-tracks go from space to space, tokens at the end


def test_a_half_track_goes_onto_unknown_land_and_back() -> None:
    view = TITLE.view.view(raced().seen(0))
    bounce = (Event(state.EXPLORED, 1, 30, 0), Event(state.TURNED_BACK, 1, 29, 0))
    found = page.moves([EventBatch(0, 5, bounce)], view)
    assert list(found.values()) == [[(To(2, *stand(view.spaces[at])),)] for at in (30, 29)]
