"""The Great Race: what buttons, the status line, the story, the view and the terminal say."""

from __future__ import annotations

import json
import random
import re
from collections import Counter, defaultdict
from dataclasses import asdict, replace

import pytest
from tests.games.great_race_help import NAMES, RULES, at, legal, races, seats, seen, states

from paddock.core.errors import BadMove
from paddock.core.log import Event
from paddock.games.great_race.drawing import draw
from paddock.games.great_race.drawing import map as draw_map
from paddock.games.great_race.maps import SHIPPED
from paddock.games.great_race.rulebook import TITLE
from paddock.games.great_race.rules import state
from paddock.games.great_race.rules.state import ACTIONS, OUTCOMES
from paddock.games.great_race.words import chains, text, view
from paddock.games.great_race.words.notation import move, outcome, parse_move, parse_outcome
from paddock.kernel.source import Seeded
from sampling import WHOLE, count

EACH = count(3, 15)  # states of a stage that are all looked at; of the others every hundredth
STAGES = 30
EVENTS = 43
TOLD = set(range(1, EVENTS + 1)) - {state.RETURNED_TILE}  # which is rare


def test_every_id_is_written_and_read() -> None:
    """Those of larger maps, too."""
    g = TITLE.setup_of(TITLE.options.read({}))
    ids = range(ACTIONS)
    names = {str(move(g, id)): id for id in ids}
    assert len(names) == len(ids)
    for name, id in names.items():
        assert parse_move(g, name).id == id
        assert parse_move(g, f"  {name} ".replace(" ", "  ")).id == id
    for bad in (
        "",
        "fly",
        "play",
        "play jeep",
        "99z",
        "buy 0",
        "player 9",
        "plan 9-9-9-9",
        "leader anna",
        "x" * 99,
    ):
        with pytest.raises(BadMove):
            parse_move(g, bad)


def test_every_outcome_is_written_and_read() -> None:
    """Under the heading of its lot."""
    met = set()
    out, weights = [0] * OUTCOMES, [0] * OUTCOMES
    for _options, s, g in races(12):
        if RULES.who(s, g) and not seats(s, g):
            heading = text.chance_heading(s, g)
            for id in out[: RULES.outcomes(s, g, out, weights)]:
                assert parse_outcome(g, heading, outcome(g, id)) == id
                met.add(s.stage)
            with pytest.raises(BadMove):
                parse_outcome(g, heading, "jeep")
    assert len(met) == 7


@pytest.mark.slow("many races, until every sentence was said")
def test_everything_that_is_said() -> None:
    """At every stage, for every legal move and event, and all eyes: a sentence, and plain data."""
    stages: Counter[int] = Counter()
    said: defaultdict[int, set[str]] = defaultdict(set)
    for options, s, g in races(24, seed=4):
        if len(stages) == STAGES and not TOLD - set(said) and not WHOLE:
            break
        names = NAMES[: g.players]
        for event in map(Event._make, s.events or ()):
            for eyes in range(1 << g.players) if len(said[event.code]) < 20 else ():
                shown = RULES.event_for(g, eyes, event)
                assert shown
                said[event.code].add(whole(text.line(g, shown, names)))
        stages[s.stage] += 1
        if stages[s.stage] > EACH and stages[s.stage] % 100:
            continue
        for eyes in (0, 1, (1 << g.players) - 1):
            mine = seen(options, s, g, eyes)
            whole(text.status(mine))
            shown_view = view.view(mine)
            assert json.loads(json.dumps(asdict(shown_view)))
            assert hash(shown_view)
            assert all("{" not in line for line in text.board(mine))
        for seat in seats(s, g):
            mine = seen(options, s, g, 1 << seat)
            moves = legal(s, g, seat)
            labels = [whole(text.label(mine, seat, id)) for id in moves]
            assert len(set(labels)) == len(labels)
            for id in moves:
                assert all(amount >= 0 for amount in chains.cost(mine, seat, id).values())
    assert len(stages) == STAGES and not TOLD - set(said)


def test_a_tile_that_fits_nowhere_is_told() -> None:
    """GR-6.8 it is rare."""
    g = TITLE.setup_of(TITLE.options.read({}))
    event = Event(state.RETURNED_TILE, 0, 0, 0)
    assert text.line(g, event, NAMES) == "Track fits nowhere and goes back into the bag."


def whole(sentence: str) -> str:
    """The sentence, which has no gaps and no fields left to fill."""
    assert sentence.strip() == sentence
    assert sentence
    assert "{" not in sentence
    assert "  " not in sentence
    return sentence


def test_what_is_said_tells_no_secret() -> None:
    """GR-1.10 deal again what a seat cannot know: all that it is told stays the same."""
    rng, out = Seeded(3).rng, [0] * (ACTIONS + 1)
    for i, (options, s, g) in enumerate(races(4, seed=6)):
        if i % 37 or s.phase == state.OVER:
            continue
        for seat in range(g.players):
            twin = s.copy()
            RULES.hide(twin, g, 1 << seat)
            RULES.redeal(twin, g, 1 << seat, rng, out)
            one, other = seen(options, s, g, 1 << seat), seen(options, twin, g, 1 << seat)
            assert view.view(one) == view.view(other)
            assert text.board(one) == text.board(other)
            assert text.status(one) == text.status(other)
            for id in legal(s, g, seat) if seat in one.deciders else ():
                assert text.label(one, seat, id) == text.label(other, seat, id)
                assert chains.cost(one, seat, id) == chains.cost(other, seat, id)


def test_ready_drives_are_legal_and_cost_what_they_say() -> None:
    """GR-7.1 each suggested way is legal link by link, and ends where its label says."""
    ways = 0
    for i, (options, s, g) in enumerate(races(25, seed=7)):
        if s.stage != state.STEP or i % 5:
            continue
        mine = seen(options, s, g, 1 << s.turn)
        for chain in chains.ready(mine, s.turn):
            after = mine.preview(list(chain.moves), s.turn)
            assert (
                after.seen.state.at[s.turn] == chain.moves[-1] or after.ended or is_facing(after.seen.state)
            )
            if after.seen.state.at[s.turn] == chain.moves[-1]:
                assert s.petrol[s.turn] - after.seen.state.petrol[s.turn] == chain.cost["petrol"]
                ways += len(chain.moves) > 1
    assert ways > 20


def is_facing(s: state.State) -> bool:
    """Whether the way's last step asks about a danger, damage or cards."""
    return s.stage in (state.DANGER, state.DAMAGE, state.DRAW_CARD)


def test_a_podium_shows_the_first_three_and_nobody_who_has_not_finished() -> None:
    """GR-9.2, GR-9.6"""
    places = (2, 0, 1, 3, 4)
    crews = [
        draw.Finisher(place, name, 12 - place, seat=i)
        for i, (place, name) in enumerate(zip(places, NAMES, strict=True))
    ]
    drawing = draw.podium(crews)
    assert 'aria-label="Podium: 1. Cleo, 11 points; 2. Anna, 10 points; 3. Dora, 9 points"' in drawing
    assert "Ben" not in drawing
    assert "Emil" not in drawing
    assert "Cut short: a v…<" in draw.podium([draw.Finisher(1, "Cut short: a very long name", 9, seat=4)])
    assert 'aria-label="Heats"' in draw.podium([], heading="Heats")


def test_a_map_in_the_midst_of_a_race_is_drawn() -> None:
    """Every city is named, every half-track is there, and the drawing stands alone."""
    s, g = at(state.STEP)
    options = next(options for options, one, _g in races(60) if one.stage == state.STEP)
    picture = view.view(seen(options, s, g, 1))
    drawing = draw.svg(picture)
    for space in picture.spaces:
        assert space.city in drawing
    for seat in range(g.players):
        assert f'id="gr-car-{seat + 1}"' in drawing
    for lane in picture.lanes:
        assert f">{lane.fare}<" in drawing
    assert "START" in drawing
    assert "FINISH" in drawing
    assert "var(" not in drawing


@pytest.mark.parametrize("name", SHIPPED)
def test_the_flag_of_any_city_is_drawn_whole(name: str) -> None:
    """Also in the top row and in the last one, small and large."""
    options = TITLE.options.read({"map": name})
    s, g = next(states(random.Random(name), options))
    shown = view.view(seen(options, s, g, 0))
    spaces = tuple(replace(space, end="destination" if space.city else "") for space in shown.spaces)
    drawing = draw.map_svg(replace(shown, spaces=spaces))
    high = float(re.findall(r'viewBox="0 0 \S+ (\S+)"', drawing)[0]) - draw_map.TRACK
    flags = [float(y) for y in re.findall(r'translate\(\S+ (\S+)\)"><path d="M-25-9H25', drawing)]
    small = [float(y) for y in re.findall(r'translate\(\S+ (\S+)\)"><path d="M-12-9H12V9', drawing)]
    assert len(flags) == len(small) == sum(bool(space.city) for space in spaces)
    assert all(9 < y < high - 9 for y in flags + small)
