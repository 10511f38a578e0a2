"""The Great Race: what a study counts, and who is ahead."""

from __future__ import annotations

from paddock.core.i18n import _, mark, pmark
from paddock.games.great_race.rules import state
from paddock.games.great_race.rules.hands import gain
from paddock.games.great_race.rules.land import progress
from paddock.games.great_race.rules.lots import choose_leader
from paddock.games.great_race.rules.state import Setup, State
from paddock.games.great_race.words import names
from paddock.kernel import Row, below, rule, weighted

SWAPS = 8  # tiles of the bag that ``give`` replaces

ROUND = state.TURN
ROUNDS = pmark("of all crews", "turns")
A_ROUND = pmark("of all crews", "turn")
EVENTS = {
    state.DROVE: mark("A step by land"),
    state.FLEW: mark("A lane by air or sea"),
    state.EXPLORED: mark("Unknown land is explored"),
    state.TURNED_BACK: mark("A crew turns back"),
    state.STOPPED: mark("A stop sign stops a crew"),
    state.PLACED: mark("A tile is placed by scouts"),
    state.PLAYED: mark("A card is played"),
    state.CANCELLED: mark("A card is cancelled"),
    state.GUARDED: mark("A danger is avoided"),
    state.HARMED: mark("Damage to engine or chassis"),
    state.MENDED: mark("A level is repaired"),
    state.BROKE_DOWN: mark("A breakdown"),
    state.BOUGHT: mark("Petrol is bought"),
    state.FUNDED: mark("Money from funding"),
    state.EARNED: mark("Money from a card or a city"),
    state.STOLE: mark("A theft"),
    state.PASSED: mark("A pass"),
    state.SHUFFLED: mark("The discard pile is shuffled"),
    state.ARRIVED: mark("A crew arrives"),
}


@rule
def standing(s: State, g: Setup, out: Row) -> int:
    """GR-1.11 write the progress of every crew, in columns; return 0 before the destination is known."""
    if s.goal == state.OFF:
        return 0
    for seat in range(g.players):
        out[seat] = progress(s, g, s.at[seat])
    return 1


def items() -> dict[str, tuple[str, ...]]:
    """Return the cards, tiles and leaders, as ``holdings`` writes them."""
    return {
        "cards": tuple(_(name) for name in names.CARD_NAMES),
        "tiles": tuple(_(name) for name in names.TILE_NAMES),
        "leaders": tuple(_(name) for name in names.LEADER_NAMES),
    }


@rule
def holdings(s: State, g: Setup, seat: int, out: Row) -> None:
    """Write the cards of the hand, the tiles of the bag and the leader of a crew: how many of each."""
    for kind in range(state.CARDS):
        out[kind] = s.hand[seat, kind]
    for tile in range(state.TILES):
        out[state.CARDS + tile] = s.bag[tile]
    for leader in range(state.COOK, state.KATE + 1):
        out[state.CARDS + state.TILES + leader] = int(s.leader[seat] == leader)


@rule
def give(s: State, g: Setup, rng: Row) -> None:
    """Deal out by lot what is chosen in a race, or comes late: so its worth is not that of who chose it.

    Every other crew, on average, gets a card of the deck; some tiles of the bag are replaced by others; GR-11
    the leaders are drawn.
    """
    for seat in range(g.players):
        if below(rng, 2):
            kind = weighted(rng, s.deck, s.deck_size)
            s.deck[kind] -= 1
            s.deck_size -= 1
            gain(s, seat, kind, 0)
    for _swap in range(SWAPS):
        tile = weighted(rng, s.bag, s.bag_size)
        s.bag[tile] -= 1
        tile = weighted(rng, g.bag, s.bag_size)
        s.bag[tile] += 1
    while s.stage == state.CHOOSE_LEADER:
        leader = below(rng, state.KATE + 1)
        taken = 0
        for seat in range(g.players):
            taken |= int(s.leader[seat] == leader)
        if taken == 0:
            choose_leader(s, g, s.turn, leader)
