"""The Great Race: every move is legal or refused, with a clause of the rules and a sentence."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.games.great_race_help import at, legal, races, seats

from paddock.games.great_race.maps.tiles import WORDS
from paddock.games.great_race.rulebook import TITLE
from paddock.games.great_race.rules import reasons, state
from paddock.games.great_race.rules.convoy import petrol_price
from paddock.games.great_race.rules.crew import most
from paddock.games.great_race.rules.state import ACTIONS, BLANK, CARDS, CITY, PLAY, Setup, State
from paddock.games.great_race.words import refusals
from paddock.games.great_race.words.refusals import refusal
from sampling import count

EACH = count(12, 40)  # states of a stage that are all looked at; of the others every fortieth
SENTENCES = count(200, 10**9)  # of a code at a stage that are looked at
RARE = {
    reasons.NO_LOOSE_TILE,
    reasons.ONE_LOOSE_TILE,
    reasons.NO_CARDS_LEFT,
    reasons.LANE_CHOSEN,
    reasons.FARE_IS_PAID,
    reasons.TOO_MUCH_DAMAGE,
    reasons.NO_STEP_AFTER_STOP,
    reasons.MUST_AVOID,
    reasons.NO_VICTIM,
}


def codes(s: State, g: Setup, seat: int, said: Counter[tuple[int, int]] | None = None) -> Counter[int]:
    """The codes of all moves of a seat, which are checked; ``said``: those of each stage so far."""
    said = Counter() if said is None else said
    moves = set(legal(s, g, seat))
    met: Counter[int] = Counter()
    for move in range(ACTIONS):
        code = refusals.why(s, g, seat, move)
        assert (code == reasons.LEGAL) == (move in moves), (s.stage, move, code)
        met[code] += 1
        said[code, s.stage] += 1
        if code and said[code, s.stage] <= SENTENCES:
            clause, sentence = refusal(s, g, seat, code, move)
            assert clause in TITLE.rulebook.clauses, clause
            assert "  " not in sentence
            assert "{" not in sentence
    return met


@pytest.mark.slow("all moves of many positions")
def test_a_move_is_legal_or_refused() -> None:
    """For every state and every id ``why`` is 0 exactly where the move is legal."""
    stages: Counter[int] = Counter()
    met: Counter[int] = Counter()
    said: Counter[tuple[int, int]] = Counter()
    for _options, s, g in races(count(30, 60), turns=50):
        stages[s.stage] += 1
        if stages[s.stage] <= EACH or stages[s.stage] % 40 == 0:
            for seat in seats(s, g):
                met += codes(s, g, seat, said)
    assert set(range(reasons.CODES)) - set(met) <= RARE  # these have tests of their own below


def test_petrol_that_cannot_be_bought_at_all_is_not_called_too_much() -> None:
    """GR-5.2 «buy less» is said only where less can be bought."""
    s, g = at(state.ACT)
    seat = s.asked
    s.bought, s.petrol[seat] = 0, 2
    price = petrol_price(s, g, seat)
    said = {}
    for francs in (0, price - 10, price, 2 * price - 10):
        s.money[seat] = francs
        for levels in (1, 2):
            code = refusals.why(s, g, seat, state.BUY + levels)
            said[francs // 10, levels] = refusal(s, g, seat, code, state.BUY + levels)[1] if code else ""
    poor = f"a level of petrol costs {price} F here, and you have {{n}} F"
    less = "you cannot pay for so much petrol: buy less"
    p = price // 10
    assert said == {
        (0, 1): poor.format(n=0), (0, 2): poor.format(n=0),
        (p - 1, 1): poor.format(n=price - 10), (p - 1, 2): poor.format(n=price - 10),
        (p, 1): "", (p, 2): less,
        (2 * p - 1, 1): "", (2 * p - 1, 2): less,
    }  # fmt: skip
    s.money[seat], s.petrol[seat] = 200, most(s, g, seat)
    code = refusals.why(s, g, seat, state.BUY + 1)
    assert refusal(s, g, seat, code, state.BUY + 1) == ("GR-5.2", "the petrol is at its maximum")
    s.petrol[seat] -= 1
    code = refusals.why(s, g, seat, state.BUY + 2)
    assert refusal(s, g, seat, code, state.BUY + 2)[1] == "there is no room for so much petrol: buy less"


def test_no_two_players_have_the_same_leader() -> None:
    """GR-11.0."""
    s, g = at(state.CHOOSE_LEADER)
    s.leader[(s.asked + 1) % g.players] = state.KATE
    move = state.LEADER + state.KATE
    assert move not in legal(s, g, s.asked)
    code = refusals.why(s, g, s.asked, move)
    assert code == reasons.LEADER_TAKEN
    assert refusal(s, g, s.asked, code, move)[0] == "GR-11.0"


def test_red_kate_needs_a_rival_with_a_card() -> None:
    """GR-11.7 without one her power is of no use."""
    s, g = at(state.ACT)
    s.leader[s.asked], s.power_used[s.asked] = state.KATE, 0
    for rival in range(g.players):
        s.cards[rival] = 0
    assert refusals.why(s, g, s.asked, state.STEAL) == reasons.NO_VICTIM


def test_a_con_artist_needs_two_tiles() -> None:
    """GR-10.24."""
    s, g = at(state.ACT)
    s.hand[s.asked, state.CON_ARTIST] = 1
    for space in range(g.spaces):
        s.tile[space] = BLANK
    for seat in range(g.players):
        s.at[seat] = s.origin
    assert reasons.NO_LOOSE_TILE in codes(s, g, s.asked)
    s.tile[next(space for space in range(g.spaces) if g.land[space] != CITY)] = 0
    assert reasons.ONE_LOOSE_TILE in codes(s, g, s.asked)


def test_nothing_is_drawn_from_an_empty_deck() -> None:
    """GR-5.10."""
    s, g = at(state.ACT)
    s.deck_size = 0
    for kind in range(CARDS):
        s.deck[kind] = s.discard[kind] = 0
    s.hand[s.asked, state.TRACKER] = s.assistants[s.asked, state.PATHFINDER] = 1
    assert codes(s, g, s.asked)[reasons.NO_CARDS_LEFT] == 2


def test_after_a_transport_only_a_lane_may_be_taken() -> None:
    """GR-7.9 and a second one is not lost where the fare is paid."""
    s, g = at(state.STEP)
    seat = s.asked
    s.tried = s.money[seat] = 0
    s.petrol[seat] = 3
    lanes = range(g.lanes)
    s.at[seat] = g.lane_from[0]
    s.discount = max(g.fare[lane] for lane in lanes)
    s.hand[seat, state.TRANSPORT] = 1
    met = codes(s, g, seat)
    assert met[reasons.LANE_CHOSEN]
    assert met[reasons.FARE_IS_PAID] == 1


def test_a_guide_needs_a_step_that_can_be_tried() -> None:
    """GR-7.19."""
    s, g = at(state.STOP_SIGN)
    s.hand[s.asked, state.GUIDE] = 1
    s.petrol[s.asked] = 0
    assert refusals.why(s, g, s.asked, PLAY + state.GUIDE) == reasons.NO_STEP_AFTER_STOP
    assert reasons.NO_STEP_AFTER_STOP in codes(s, g, s.asked)


def test_a_known_tile_whose_damage_cannot_be_paid_is_not_entered() -> None:
    """GR-7.4 without a guard or a Militia."""
    s, g = at(state.STEP)
    seat, kind = s.asked, WORDS.index("scree")
    space = next(g.beside[s.at[seat], way] for way in range(state.WAYS) if to_land(s, g, seat, way))
    s.tile[space], s.petrol[seat], s.engine[seat], s.chassis[seat] = kind, 5, 1, 0
    s.discount = 0
    assert refusals.why(s, g, seat, state.SPACE + space) == reasons.TOO_MUCH_DAMAGE
    s.chassis[seat] = 1
    assert refusals.why(s, g, seat, state.SPACE + space) == reasons.LEGAL


def test_a_danger_that_cannot_be_paid_must_be_avoided() -> None:
    """GR-7.4 a guard that made the step possible must be used."""
    s, g = at(state.DANGER)
    seat, kind = s.asked, WORDS.index("outlaws")
    s.tile[s.entering], s.petrol[seat], s.engine[seat], s.chassis[seat] = kind, 5, 1, 0
    s.assistants[seat, state.SECURITY] = 1
    assert refusals.why(s, g, seat, state.DECLINE) == reasons.MUST_AVOID
    assert reasons.MUST_AVOID in codes(s, g, seat)
    s.chassis[seat] = 1
    assert refusals.why(s, g, seat, state.DECLINE) == reasons.LEGAL


def to_land(s: State, g: Setup, seat: int, way: int) -> bool:
    """Whether a space that is no city lies this way of the vehicle."""
    space = g.beside[s.at[seat], way]
    return space != state.OFF and g.land[space] != CITY
