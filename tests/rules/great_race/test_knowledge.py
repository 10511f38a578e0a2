"""GR-1.5, GR-3.3, GR-3.4: who knows which card, what ``hide`` wipes, and what a redeal may be.

Scenes are scripts over a small deck, every card a letter: ``1+m`` seat 1 draws an m in secret, ``1*m`` takes
one face up, ``1-m`` plays one, ``1<2:m`` steals one from seat 2, ``1?m`` draws one to choose from, ``1!m``
keeps it, ``shuffle`` makes the discard pile the deck.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from paddock.games.great_race.rulebook import TITLE
from paddock.games.great_race.rules import state
from paddock.games.great_race.rules.hands import deal_again, gain, lose, move_hidden, refill, stuck
from paddock.games.great_race.rules.invariants import INVARIANTS, broken_cards
from paddock.kernel import HIDDEN
from sampling import count

from ..harness import eyes_of, rng

LETTER = {
    "m": state.MILITIA,
    "j": state.JERRYCAN,
    "g": state.GUIDE,
    "t": state.TRACKER,
    "p": state.ENGINE_PARTS,
    "s": state.SABOTEUR,
}
SEATS = 3
Fields = dict[str, Any]


class Table:
    """Hands of three seats, and a deck, without a race around them."""

    g: Any
    s: Any

    def __init__(self, deck: str) -> None:
        self.g, self.s = state.Setup(), state.State()
        self.g.players = SEATS
        self.s.card = state.NO_CARD
        for letter in deck:
            self.g.deck[LETTER[letter]] += 1
            self.s.deck[LETTER[letter]] += 1
            self.s.deck_size += 1

    def copy(self) -> Table:
        new = object.__new__(Table)  # an empty state costs more than a copy
        new.g, new.s = self.g, self.s.copy()
        return new

    def do(self, step: str) -> int:
        """One step of a script; returns the chances of it among those there were, 0 where it cannot be."""
        s = self.s
        if step == "shuffle":
            refill(s)
            return 1
        seat, what, kind = int(step[0]) - 1, step[1], LETTER[step[-1]]
        if what in "+*?":
            chances = s.deck[kind]
            if chances == 0:
                return 0
            s.deck[kind] -= 1
            s.deck_size -= 1
            if what == "?":
                s.turn = seat
                s.drawn[seat, kind] += 1
                s.drawn_size += 1
            else:
                gain(s, seat, kind, int(what == "*"))
        elif what == "!":
            chances = s.drawn[seat, kind]
            if chances == 0:
                return 0
            s.drawn[seat, kind] -= 1
            s.drawn_size -= 1
            gain(s, seat, kind, 0)
        else:
            holder = int(step[2]) - 1 if what == "<" else seat
            chances = s.hand[holder, kind]
            if chances == 0:
                return 0
            if what == "<":
                move_hidden(s, self.g, seat, holder, kind)
            else:
                lose(s, seat, kind)
                s.discard[kind] += 1
        assert broken_cards(s, self.g) == 0, INVARIANTS[broken_cards(s, self.g)]
        return int(chances)

    def run(self, script: str) -> Table:
        for step in script.split():
            assert self.do(step), f"{step} cannot be"
        return self

    def hide(self, *seats: int) -> Table:
        """A copy as those who hold these seats know it."""
        new = self.copy()
        TITLE.rules.hide(new.s, self.g, eyes_of(seats))
        return new

    def deals(self, seats: tuple[int, ...], times: int) -> Iterator[Table]:
        """So many redeals for the eyes of these seats; always the same table."""
        new, row = self.hide(*seats), rng(1)
        for _ in range(times):
            deal_again(new.s, self.g, eyes_of(seats), row)
            assert broken_cards(new.s, self.g) == 0, INVARIANTS[broken_cards(new.s, self.g)]
            yield new

    @property
    def fields(self) -> Fields:
        fields = {name: getattr(self.s, name) for name in self.s.__slots__ if name != "events"}
        return {n: f.copy() if isinstance(f, (list, dict)) else f for n, f in fields.items()}

    @property
    def world(self) -> str:
        """All hands, the drawn cards and the deck: ``mj|g||p:t``."""
        rows = [
            "".join(letter * grid[seat, kind] for letter, kind in LETTER.items())
            for grid in (self.s.hand, self.s.drawn)
            for seat in range(SEATS)
        ]
        deck = "".join(letter * self.s.deck[kind] for letter, kind in LETTER.items())
        return "|".join(rows[:SEATS]) + "|" + "".join(rows[SEATS:]) + ":" + deck

    def claims(self, holder: int, *knowers: int) -> str:
        """What all, or else these seats alone, know of a hand."""
        rows = [self.s.private] if knowers else [self.s.known]
        index = [state.SEATS * (knower - 1) + holder - 1 for knower in knowers] or [holder - 1]
        return "".join(
            letter * sum(row[i, kind] for row in rows for i in index) for letter, kind in LETTER.items()
        )


# Claims


def test_gr_3_3_a_card_taken_at_bivouac_is_known_while_it_is_held() -> None:
    table = Table("mmj").run("1*m 1+j")
    assert (table.claims(1), table.s.cards[0]) == ("m", 2)
    assert table.run("1-j").claims(1) == "m"
    assert table.run("1-m").claims(1) == ""
    assert table.world == "|||:m"


def test_gr_3_3_a_card_that_is_played_counts_as_one_that_is_known() -> None:
    table = Table("mm").run("1*m 1+m 1-m")
    assert (table.claims(1), table.world) == ("", "m|||:")


def test_gr_3_3_a_stolen_card_is_known_to_thief_and_victim() -> None:
    table = Table("mmj").run("1+m 1+j 2<1:m")
    assert (table.claims(2), table.claims(2, 1), table.claims(2, 3)) == ("", "m", "")
    assert table.world == "j|m||:m"
    assert table.run("2+m 2-m").claims(2, 1) == ""  # it may be the stolen one


def test_gr_3_3_private_claims_are_used_up_only_where_there_is_no_public_one() -> None:
    table = Table("mmmj").run("1+m 1+j 2<1:m 2*m")
    assert (table.claims(2), table.claims(2, 1)) == ("m", "m")
    table.run("2-m")
    assert (table.claims(2), table.claims(2, 1)) == ("", "m")
    assert table.run("2-m").claims(2, 1) == ""


def test_gr_3_3_two_private_claims_on_one_kind_both_fall() -> None:
    """Forgotten on purpose: seats 1 and 3 together knew of two."""
    table = Table("mmjj").run("1+m 1+j 3+m 3+j 2<1:m 2<3:m")
    assert (table.claims(2, 1), table.claims(2, 3), table.claims(2, 1, 3)) == ("m", "m", "mm")
    assert table.run("2-m").claims(2, 1, 3) == ""


def test_gr_3_4_a_hidden_theft_takes_one_claim_of_every_kind_from_third_parties() -> None:
    table = Table("mmgp").run("1*m 1*m 1*g 1+p 2<1:m")
    assert (table.claims(1), table.claims(1, 3)) == ("m", "")
    assert table.claims(1, 2) == "g"  # the thief saw that it was not the Guide
    assert (table.claims(2), table.claims(2, 1)) == ("", "m")


def test_gr_3_4_the_thief_keeps_what_it_knew_alone() -> None:
    table = Table("mgpj").run("2+m 2+g 2+j 1<2:m 1<2:g 1+p")
    assert table.claims(1, 2) == "mg"
    table.run("2<1:p")
    assert (table.claims(1, 2), table.claims(1)) == ("mg", "")
    table.run("2<1:m")
    assert (table.claims(1, 2), table.claims(2, 1)) == ("g", "mp")


def test_gr_3_4_who_is_no_party_to_a_theft_loses_private_claims_too() -> None:
    table = Table("mgpj").run("3+m 3+g 1<3:m 1+p 2<1:p")
    assert (table.claims(1, 3), table.claims(1, 2)) == ("", "")
    table = Table("mmgpj").run("3+m 3+g 1<3:m 1*m 1+p 2<1:p")
    assert (table.claims(1), table.claims(1, 3), table.claims(1, 2)) == ("", "m", "m")
    assert table.claims(2, 1) == "p"


def test_gr_3_4_a_theft_from_a_hand_of_one_known_kind_is_no_secret() -> None:
    table = Table("mmj").run("1*m 1*m 2<1:m")
    assert (table.claims(1), table.claims(2), table.claims(2, 1)) == ("m", "m", "")
    table = Table("mgj").run("1*m 1*g 2<1:m")
    assert (table.claims(1), table.claims(2), table.claims(2, 1), table.claims(1, 2)) == ("", "", "m", "g")


def test_gr_1_8_an_empty_deck_is_refilled_and_no_other() -> None:
    table = Table("mj").run("1+m 1-m shuffle")
    assert (table.world, table.s.discard[LETTER["m"]]) == ("|||:j", 1)
    table.s.events = []
    table.run("1+j shuffle")
    assert (table.world, table.s.discard[LETTER["m"]], table.s.deck_size) == ("j|||:m", 0, 1)
    assert [event[0] for event in table.s.events] == [state.SHUFFLED]
    table.s.events = []
    table.run("1+m shuffle")
    assert (table.s.deck_size, table.s.events) == (0, [])


# What is hidden

OWNERS = ("hand", "drawn")  # a row for every seat
KNOWERS = "private"  # SEATS rows for every seat
NOBODYS = "deck"


def full_table() -> Table:
    """Cards wherever they can be, and two plans."""
    table = Table("mmmjjjggttpps").run("1*m 1+j 2+m 2*g 2+t 3+p 3+j 3+m 1<2:t 2<3:p 1-j 3?g 3?t")
    table.s.card = LETTER["s"]
    table.s.deck[LETTER["s"]] -= 1
    table.s.market[LETTER["p"]] += 1
    table.s.deck[LETTER["p"]] -= 1
    table.s.deck_size -= 2
    table.s.market_size = 1
    table.s.plan[0], table.s.plan[2] = 5, 56
    return table


def test_gr_1_5_what_each_field_of_the_state_is_to_whom() -> None:
    """GR-1.5, GR-3.3, GR-4.1 a hand-written table: all that is not named here is public."""
    table = full_table()
    assert broken_cards(table.s, table.g) == 0
    true = table.fields
    for eyes in ((), (1,), (2,), (3,), (1, 3), (1, 2, 3)):
        seen = table.hide(*eyes).fields
        for name, value in true.items():
            if name in OWNERS:
                value = {(seat, k): n if seat + 1 in eyes else 0 for (seat, k), n in value.items()}
            elif name == KNOWERS:
                rows = state.SEATS
                value = {(r, k): n if r // rows + 1 in eyes else 0 for (r, k), n in value.items()}
            elif name == NOBODYS:
                value = [0] * state.CARDS
            elif name == "plan":
                value = [x if seat + 1 in eyes or x == 0 else HIDDEN for seat, x in enumerate(value)]
            assert seen[name] == value, name


def test_gr_3_3_a_redeal_leaves_what_the_eyes_know() -> None:
    """GR-1.5, GR-3.3 hiding again gives the same; all eyes together know the deck by counting."""
    table = full_table()
    for eyes in ((), (1,), (2,), (3,), (1, 3), (2, 3)):
        hidden = table.hide(*eyes)
        for new in table.deals(eyes, 30):
            assert new.hide(*eyes).s == hidden.s
            for holder in {1, 2, 3} - set(eyes):
                known = Counter(table.claims(holder) + (table.claims(holder, *eyes) if eyes else ""))
                assert known <= Counter(new.world.split("|")[holder - 1])
    for new in table.deals((1, 2, 3), 1):
        assert new.s == table.s


def test_gr_5_12_a_jerrycan_alone_answers_no_question() -> None:
    jerrycan = state.PLAY + state.JERRYCAN
    assert stuck([jerrycan, state.DONE], 0)
    assert stuck([jerrycan, state.DONE], 1)
    assert not stuck([jerrycan, state.DONE], 2)
    assert not stuck([state.PLAY + state.MILITIA, jerrycan], 1)


# Every world that agrees with what some eyes saw


def replays(script: str, eyes: tuple[int, ...], deck: str) -> Iterator[tuple[Table, int]]:
    """Every state that the eyes could take for the end of a script, with its weight among all courses."""
    courses = {b"": (Table(deck), 1)}
    for step in script.split():
        witnesses = {int(n) for n in step if n.isdigit()}
        secret = step[1] in "+?!<" and not witnesses & set(eyes)
        after: dict[bytes, tuple[Table, int]] = {}
        for table, weight in courses.values():
            for letter in LETTER if secret else step[-1]:
                new = table.copy()
                chances = new.do(step if step == "shuffle" else step[:-1] + letter)
                if chances:
                    state_of: bytes = new.s.tobytes()
                    _same, so_far = after.get(state_of, (new, 0))
                    after[state_of] = new, so_far + weight * chances
        courses = after
    yield from courses.values()


def worlds(true: Table, script: str, eyes: tuple[int, ...], deck: str) -> Counter[str]:
    """The weights of all worlds that look like the true one to the eyes, by brute force.

    In each of them all claims of the eyes are true, for ``Table.do`` checks the claims of every world.
    """
    hidden = true.hide(*eyes).s
    found: Counter[str] = Counter()
    for table, weight in replays(script, eyes, deck):
        assert table.hide(*eyes).s == hidden, "claims tell of what the eyes did not see"
        found[table.world] += weight
    assert true.world in found
    return found


EXACT = {  # deck, script, eyes
    "drawn cards": ("mmjgp", "1+m 2+j 2+g 3+m", (1,)),
    "a spectator": ("mmjgp", "1+m 2+j 2+g", ()),
    "two seats that look together": ("mmjgp", "1+m 2+j 2+g 3+m", (1, 3)),
    "a card taken at bivouac": ("mmjgp", "1*m 1+j 2*g 2+m", (3,)),
    "a card that is played": ("mjgpts", "1+m 1+j 2+g 2+p 1-m", (3,)),
    "a known card that is played": ("mjgpt", "1*m 1+j 2+g 1-m", (2,)),
    "one of two known cards that is played": ("mmjgp", "1*m 1*m 1+j 2+g 1-m", (2,)),
    "a theft that its victim saw": ("mmjgp", "1+m 1+j 2+g 2<1:m", (1,)),
    "a theft that its thief saw": ("mmjgp", "1+m 1+j 1+g 2<1:m", (2,)),
    "the thief knew the hand": ("mjgpt", "1*m 1*j 1+g 2<1:m", (2,)),
    "a stolen card that is played": ("mjgpt", "1+m 1+j 2+g 2<1:m 2-m", (1,)),
    "a theft of unknown cards": ("mmjgp", "1+m 1+j 2+g 2<1:m", (3,)),
    "a theft of a hand that all knew": ("mmjgp", "1*m 1*m 2+j 2<1:m", (3,)),
    "a card stolen back": ("mjgpt", "1+m 1+j 2+g 2<1:m 1<2:m", (1,)),
    "two thefts": ("mmjgp", "1+m 1+j 2+g 3+m 2<1:j 3<2:g", (3,)),
    "drawn to choose from": ("mmjgp", "1+m 2?j 2?g 2!g", (1,)),
    "drawn to choose from, by the eyes": ("mmjgp", "1+m 2?j 2?g 2!g", (2,)),
}


@pytest.mark.parametrize("case", EXACT)
def test_gr_3_3_a_redeal_brings_every_world_by_its_weight(case: str) -> None:
    """GR-1.5, GR-3.3, GR-3.4 support and frequency of a redeal, beside brute force."""
    deck, script, eyes = EXACT[case]
    true = Table(deck).run(script)
    expected = worlds(true, script, eyes, deck)
    assert len(expected) > 1
    times = count(500, 1500)
    found = Counter(table.world for table in true.deals(eyes, times))
    assert set(found) <= set(expected)
    even = {world: times * weight / expected.total() for world, weight in expected.items()}
    spread = sum((found[world] - n) ** 2 / n for world, n in even.items())
    free = len(expected) - 1
    assert spread < free + 4 * (2 * free) ** 0.5 + 3


USED_UP = {  # deck, script, eyes
    "a known card is played": ("mmjg", "1*m 1+j 2+g 1-m", (2,)),
    "a known card is stolen": ("mmjgp", "1*m 1*j 1+g 2<1:m", (2,)),
    "a stolen card is stolen back": ("mmjgp", "1+m 1+j 2+g 2<1:m 1<2:m", (1,)),
}


@pytest.mark.parametrize("case", USED_UP)
def test_gr_3_3_a_used_up_claim_leaves_the_true_worlds(case: str) -> None:
    """GR-3.3 a card that leaves counts as the known one, though it may be another: weights are not exact."""
    deck, script, eyes = USED_UP[case]
    true = Table(deck).run(script)
    expected = worlds(true, script, eyes, deck)
    assert len(expected) > 1
    assert {table.world for table in true.deals(eyes, 300)} == set(expected)


FORGOTTEN = {  # deck, script, eyes, a world that the eyes could rule out
    "a card is with thief or victim": ("mgjp", "1*m 1+g 2<1:m", (3,), "j|g||:mp"),
    "thief and a third seat look together": ("mgjp", "3+m 3+p 1<3:m 1+g 2<1:g", (2, 3), "j|g|p|:m"),
    "two seats each know one": ("mmjjg", "1+m 1+j 3+m 3+j 2<1:m 2<3:m 2-m", (1, 3), "j|g|j|:m"),
    "what was shuffled": ("mjgp", "1+m 2+j 3+g 1-m 3+p shuffle", (3,), "|m|gp|:j"),
}


@pytest.mark.parametrize("case", FORGOTTEN)
def test_gr_3_4_what_is_forgotten_leaves_every_true_world(case: str) -> None:
    """GR-3.4 where claims fall on purpose there are more worlds, and never fewer."""
    deck, script, eyes, more = FORGOTTEN[case]
    true = Table(deck).run(script)
    expected = set(worlds(true, script, eyes, deck))
    found = {table.world for table in true.deals(eyes, 400)}
    assert expected <= found
    assert more in found - expected


def test_gr_3_4_claims_are_true_whatever_happens() -> None:
    """GR-3.3, GR-3.4 in every world that looks like the true one to some eyes, their claims are true."""
    steps = ("{}+{k}", "{}+{k}", "{}*{k}", "{}*{k}", "{}-{k}", "{}<{}:{k}", "{}<{}:{k}")
    looked = 0
    for seed in range(30):
        choose = random.Random(seed)
        true, deck, script = Table("mmjjg"), "mmjjg", ""
        for _ in range(30):
            step = choose.choice(steps).format(*choose.sample("123", 2), k=choose.choice("mjg"))
            script += f"{step} " if true.do(step) else ""
        script = " ".join(script.split()[:10])
        true = Table(deck).run(script)
        for eyes in ((), (1,), (2,), (1, 3)):
            looked += len(worlds(true, script, eyes, deck))
    assert looked > 150
