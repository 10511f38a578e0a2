"""Who knows what in Skerries: what is wiped, what a redeal may be, and what a chain may tell."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product
from math import comb

import pytest
from tests.titles.skerries.tests.harness import asked, at, finished, random_game, sailing

from paddock.core.game import Game
from paddock.core.log import Entry
from paddock.core.title import Seen, Title
from paddock.core.words import CHANCE, HIDDEN
from sampling import count

# Field of the state: what of it who may know.
PUBLIC, NOBODY, OWNER, KNOWER = "public", "nobody", "the seat of the row", "the seat of row // 4"
TABLE = {
    "phase": PUBLIC,
    "day": PUBLIC,
    "turn": PUBLIC,
    "wind": PUBLIC,
    "drew": PUBLIC,
    "piloted": PUBLIC,
    "robbed": PUBLIC,
    "victim": PUBLIC,
    "arrived": PUBLIC,
    "at": PUBLIC,
    "place": PUBLIC,
    "left": PUBLIC,
    "deck": NOBODY,
    "open": PUBLIC,
    "cards": PUBLIC,
    "held": OWNER,
    "known": KNOWER,
}


def expected(s: object, eyes: int) -> dict[str, object]:
    """A state as the eyes know it, by the table."""
    out: dict[str, object] = {}
    for name, who in TABLE.items():
        value = getattr(s, name)
        if who == NOBODY:
            value = [0] * len(value)
        elif who in (OWNER, KNOWER):
            rows = 1 if who == OWNER else 4
            value = {ij: n if eyes >> ij[0] // rows & 1 else 0 for ij, n in value.items()}
        out[name] = value
    return out


def test_what_is_wiped_is_what_the_table_says(skerries: Title) -> None:
    """SK-3.1, SK-4.4 hands, and what is remembered of them."""
    assert set(TABLE) == set(skerries.rules.State.dtype.names)
    for seed in range(count(14, 40)):
        for game, _choose in random_game(seed):
            for eyes in range(1 << game.options.seats):
                seen = game.seen(eyes).state
                assert {name: getattr(seen, name) for name in TABLE} == expected(game._state, eyes)


def worlds(game: Game, eyes: int) -> Counter[tuple[int, ...]]:
    """Every way to deal the cards that agrees with what the eyes see, by its weight: hands, then the deck.

    Brute force: of each kind every split over the other hands and the deck; cards of a kind are told apart.
    """
    s, g = game.seen(eyes).state, game.setup
    others = [seat for seat in range(g.skippers) if not eyes >> seat & 1]
    splits = []
    for kind in range(sailing.KINDS):
        held = sum(s.held[seat, kind] for seat in range(g.skippers) if eyes >> seat & 1)
        free = g.copies - s.open[kind] - held
        least = [
            sum(s.known[4 * knower + seat, kind] for knower in range(4) if eyes >> knower & 1)
            for seat in others
        ]
        ways = []
        for split in product(*(range(known, 4) for known in least)):
            left, weight = free - sum(least), 1
            for n, known in zip(split, least, strict=True):
                weight *= comb(left, n - known) if left >= 0 else 0
                left -= n - known
            if left >= 0:
                ways.append((split, left, weight))
        splits.append(ways)
    found: Counter[tuple[int, ...]] = Counter()
    for choice in product(*splits):
        hands = list(zip(*(split for split, _left, _weight in choice), strict=True))
        if [sum(hand) for hand in hands] == [s.cards[seat] for seat in others]:
            world = tuple(n for hand in hands for n in hand) + tuple(left for _split, left, _w in choice)
            weight = 1
            for _split, _left, ways in choice:
                weight *= ways
            # Cards of a kind are told apart in a hand and not in their order: C(n, k) of each kind.
            found[world] = weight
    return found


@pytest.mark.parametrize(
    "fields",
    [
        {"hands": "gp|a|g"},
        {"hands": "a|gp|pa", "open": "g"},
        {"hands": "-|gpa|g", "known": "1>2:p"},
        {"hands": "p|ga|ga", "known": "1>2:g,2>3:a,3>2:a", "open": "p"},
        {"hands": "a|gg|pa", "known": "1>2:g,3>2:g"},
        {"hands": "ga|gpa|p", "open": "-"},
        {"hands": "gg|ppa|a"},
    ],
    ids=lambda fields: fields["hands"],
)
def test_a_redeal_is_every_world_that_agrees_by_its_weight(skerries: Title, fields: dict[str, str]) -> None:
    """SK-1.3, SK-4.4 support and frequency of ``redeal``, beside brute force."""
    samples, rng = 4000, [12345]
    game = at(**fields)
    for eyes in range(1, 8):
        wanted = worlds(game, eyes)
        others = [seat for seat in range(3) if not eyes >> seat & 1]
        hidden = game.seen(eyes).state
        found: Counter[tuple[int, ...]] = Counter()
        for _ in range(samples):
            s = hidden.copy()
            skerries.rules.redeal(s, game.setup, eyes, rng, [0] * 16)
            hands = tuple(s.held[seat, kind] for seat in others for kind in range(3))
            found[hands + tuple(s.deck)] += 1
        assert set(found) <= set(wanted)
        even = {world: samples * weight / wanted.total() for world, weight in wanted.items()}
        square = sum((found[world] - n) ** 2 / n for world, n in even.items())
        freedom = len(wanted) - 1
        assert square < freedom + 5 * (2 * freedom) ** 0.5 + 5, "the chi-square of these weights"
        truth = tuple(game._state.held[seat, kind] for seat in others for kind in range(3))
        assert truth + tuple(game._state.deck) in wanted


def test_what_a_skipper_knows_follows_from_what_it_saw(skerries: Title) -> None:
    """SK-4.4 each memory is of a card that its skipper was robbed of; every world with it is a true one."""
    remembered = 0
    for seed in range(count(50, 120)):
        for game, _choose in random_game(seed):
            s = game._state
            for row, kind in ((row, kind) for row in range(16) for kind in range(3)):
                if s.known[row, kind]:
                    knower, holder = divmod(row, 4)
                    robbed_by = {
                        event.a
                        for item in game.events
                        for event in item.events
                        if event.code == sailing.STOLE and (event.b, event.c) == (knower, kind)
                    }
                    assert holder in robbed_by
                    remembered += 1
    assert remembered > count(15, 50)


# Chains


def links(seen: Seen, choose: random.Random) -> list[int]:
    """A random chain, as far as the preview goes on."""
    chain: list[int] = []
    while not (preview := seen.preview(chain)).ended and len(chain) < 12:
        steps = [move for move in preview.legal if move != sailing.STOP] or preview.legal
        chain.append(choose.choice(steps))
        if choose.random() < 0.2:
            break
    return chain


def test_a_preview_is_the_same_whatever_is_hidden(skerries: Title) -> None:
    """The secrecy theorem for chains: deal again what the seat cannot know, and every answer is the same."""
    longest, checks = 0, 0
    for seed in range(count(20, 40)):
        for game, seat, choose in asked(seed):
            seen = game.seen(1 << seat)
            chain = links(seen, choose)
            longest = max(longest, len(chain))
            s = seen.state.copy()
            skerries.rules.redeal(s, game.setup, seen.eyes, [seed + 1], [0] * 16)
            twin = Game.from_state(skerries, game.options, s, game.rounds, None, game.names)
            for n in range(len(chain) + 1):
                one, other = seen.preview(chain[:n]), twin.seen(1 << seat).preview(chain[:n])
                assert (one.legal, one.costs, one.ended) == (other.legal, other.costs, other.ended)
                assert one.view == other.view
                assert one.seen.state == other.seen.state
                checks += 1
    assert longest > 5 and checks > count(2_000, 5_000)


def test_what_is_foreseen_comes_as_foreseen(skerries: Title) -> None:
    """After a chain in earnest the seat sees what the preview showed; no link but the last meets chance."""
    played = 0
    for seed in range(count(16, 40)):
        for game, seat, choose in asked(seed):
            chain = links(game.seen(1 << seat), choose)
            if not chain:
                continue
            *head, _last = chain
            twin = game.fork()
            twin.chance = None
            shown = game.seen(1 << seat).preview(head)
            if head:
                twin.play(seat, head)
                assert twin.seen(1 << seat) == shown.seen
                assert twin.deciders == (seat,) and not twin.chance_due
            whole = game.fork()
            whole.play(seat, chain)
            moves = [entry for entry in whole.log[len(game.log) :] if entry.by != CHANCE]
            assert [(entry.what, entry.linked) for entry in moves] == [
                (m, i > 0) for i, m in enumerate(chain)
            ]
            played += len(head) > 2
    assert played > count(15, 50)


def test_foreseen_is_the_same_on_the_hidden_state(skerries: Title) -> None:
    for seed in range(count(20, 60)):
        for game, seat, _choose in asked(seed):
            hidden = game.seen(1 << seat).state
            for move in game.legal(seat).ids:
                foreseen = skerries.rules.foreseen(game._state, game.setup, seat, move)
                assert foreseen == skerries.rules.foreseen(hidden, game.setup, seat, move)


# What happens in secret


def test_who_sees_an_outcome_is_who_is_told_of_it(skerries: Title) -> None:
    """SK-3.1, SK-4.3 the log and the story agree on who knows which card."""
    drawn = stolen = 0
    for seed in range(count(20, 60)):
        game = finished(seed)
        plain = Game(skerries, game.options)
        for entry in game.log:
            turn, victim, phase = (getattr(plain._state, name) for name in ("turn", "victim", "phase"))
            shown = {eyes: plain.shown(eyes, entry) for eyes in range(1 << plain.options.seats)}
            plain.append(entry)
            owners = {sailing.DRAW: 1 << turn, sailing.THEFT: 1 << turn | 1 << victim}.get(phase, -1)
            for eyes, what in shown.items():
                assert what == (entry.what if eyes & owners or owners == -1 else HIDDEN)
            if owners != -1:
                told = plain.events[-1].events[-1]
                assert told.eyes == owners
                drawn += phase == sailing.DRAW
                stolen += phase == sailing.THEFT
    assert drawn > count(14, 50) and stolen > count(5, 20)


def test_an_event_is_blurred_for_who_did_not_see_it(skerries: Title) -> None:
    game = at(boats="b1,b1,a1", hands="-|g|p", turn="1")
    game.play(0, "rob 2")
    game.play(1, "yield")
    game.append(Entry(CHANCE, 0))
    for eyes in range(8):
        event = game.events_for(eyes)[-1].events[-1]
        assert (event.code, event.a, event.b) == (sailing.STOLE, 0, 1)
        assert event.c == (0 if eyes & 3 else HIDDEN)
