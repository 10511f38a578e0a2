from __future__ import annotations

import datetime
import random
from contextlib import suppress
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import paddock
from paddock import records
from paddock.core.game import Game
from paddock.core.log import Entry
from paddock.core.words import CHANCE, HIDDEN
from paddock.kernel.source import Seeded
from sampling import count

DATE = datetime.date(2026, 3, 1)
OPTIONS = st.one_of(
    st.fixed_dictionaries({"drivers": st.integers(2, 6)}),
    st.fixed_dictionaries({"drivers": st.integers(4, 6), "pairs": st.just(True)}),
    st.fixed_dictionaries(
        {
            "drivers": st.integers(2, 6),
            "extra_suits": st.integers(0, 6),
            "double_redline": st.sampled_from(["refused", "void"]),
            "points": st.sampled_from(["1", "9,6,4,3,2,1", "0"]),
        }
    ),
)


def play(game, seed, stop=10**6):
    """Play at random to the end, or for ``stop`` decisions."""
    choose = random.Random(seed)
    for _ in range(stop):
        if game.over:
            break
        seat = choose.choice(game.deciders)
        game.play(seat, choose.choice(game.legal(seat).ids))
    return game


def started(seed=7, **options):
    return paddock.start("lacorsa", seed=seed, **{"races": 1, **options})


def players(game):
    levels = [None, "club", "rookie"]
    return [(name, levels[i % 3]) for i, name in enumerate(game.names)]


def written(game, eyes=None, date=DATE):
    return records.write(game, date=date, players=players(game), eyes=eyes)


def replaced(text, old, new):
    """Change one line of the text, and remove the checksum."""
    assert text.count(f"\n{old}\n") == 1, text.count(old)
    text = text.replace(f"\n{old}\n", f"\n{new}\n")
    return "\n".join(line for line in text.split("\n") if not line.startswith("checksum"))


def refused(text):
    with pytest.raises(paddock.BadRecord) as caught:
        records.read(text).game()
    return caught.value


@settings(max_examples=count(20, 100))
@given(options=OPTIONS, races=st.integers(1, 2), seed=st.integers(0, 10**6), stop=st.integers(0, 150))
def test_a_record_replays_to_the_game_it_was_written_from(options, races, seed, stop):
    game = play(started(seed, races=races, **options), seed, stop)
    text = written(game)
    record = records.read(text)
    again = record.game()
    assert record.complete and record.eyes is None and record.date == "2026-03-01"
    assert record.options == game.options and list(record.players) == players(game)
    assert (again.log, again.position, again.events) == (game.log, game.position, game.events)
    assert written(again) == text


def test_the_same_seed_writes_the_same_record_but_for_its_date():
    one, two = (written(play(started(races=2), 3), date=date) for date in ("2026-03-01", "2027-01-31"))
    lines = list(zip(one.split("\n"), two.split("\n"), strict=True))
    assert [pair for pair in lines if pair[0] != pair[1]] == [("date: 2026-03-01", "date: 2027-01-31")]


def test_moves_that_were_taken_back_are_no_part_of_it():
    game = play(started(), 1, 9)
    text = written(game)
    game.play(game.deciders[0], game.legal(game.deciders[0]).ids[0])
    game.undo()
    assert written(game) == text


def test_line_ends_marks_and_empty_lines_of_other_editors_mean_nothing():
    text = written(play(started(), 1))
    plain = records.read(text)
    for other in ("\ufeff" + text, text.replace("\n", "\r\n"), text.replace("\n", "  \n\n"), text.rstrip()):
        assert records.read(other).game().position == plain.game().position


def test_names_are_made_one_line_of_visible_text():
    game = started()
    names = ["Ana\nresult: 1 Ana 99", "  Zoë\u2028\t X ", "", "👩‍🚗\x00" + "x" * 200]
    text = records.write(game, date=DATE, players=[(name, None) for name in names])
    assert records.read(text).names[:3] == ("Ana result: 1 Ana 99", "Zoë X", "Driver 3")
    assert len(records.read(text).names[3]) == 100


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"players": [("Ana", None)]}, "give 4 players, not 1"),
        ({"players": [("Ana", "A B")] * 4}, "is not a bot level"),
        ({"date": "1.3.2026"}, "write it as 2026-03-01"),
    ],
)
def test_what_cannot_be_written_is_refused(wrong, reason):
    with pytest.raises(paddock.PaddockError, match=reason):
        records.write(started(), **{"date": DATE, "players": [("Ana", None)] * 4, **wrong})


def test_a_game_from_a_position_has_no_record():
    game = play(started(), 1, 9)
    with pytest.raises(paddock.PaddockError, match="started from a position"):
        written(paddock.position(game.position))


HEADERS = [
    ("paddock record 1", "paddock record 2", 1, "begins with the line"),
    ("title: lacorsa/2", "title: chess/2", 2, "no title “chess”"),
    (
        "title: lacorsa/2",
        "title: lacorsa/3",
        2,
        "this version of Paddock plays lacorsa/1 and lacorsa/2",
    ),
    ("title: lacorsa/2", "title: lacorsa/0", 2, "plays lacorsa/1 and"),
    ("title: lacorsa/2", "title: lacorsa/01", 2, "plays lacorsa/1 and"),
    ("title: lacorsa/2", "title: lacorsa", 2, "plays lacorsa/1 and"),
    ("date: 2026-03-01", "date: 2026-02-30", 4, "is not a date"),
    ("date: 2026-03-01", "date: 20260301", 4, "is not a date"),
    ("player 2: club Driver 2", "player 2: Driver", 6, "write a player as"),
    ("player 2: club Driver 2", "player 3: club Driver 2", 6, "player 2: …"),
    ("race 1", "race 2", 11, "does not start here"),
    ("race 1", "rice 1", 11, "neither a move"),
    ("race 1", "deal 1: 1", 11, "write the heading “race 1” first"),
]


@pytest.mark.parametrize(("old", "new", "line", "reason"), HEADERS)
def test_a_wrong_line_is_refused_by_its_number(old, new, line, reason):
    text = written(play(started(), 1))
    fault = refused(replaced("\n" + text, old, new).removeprefix("\n"))
    assert (fault.line, reason in fault.reason) == (line, True), str(fault)


@pytest.mark.parametrize("text", ["", "\n\n", "no record\n"])
def test_what_does_not_begin_as_a_record_is_refused_in_its_first_line(text):
    fault = refused(text)
    assert (fault.line, "begins with the line" in fault.reason) == (1, True)


def test_every_option_at_fault_is_named():
    text = written(started())
    options = text.split("\n")[2]
    fault = refused(replaced(text, options, "options: drivers=99 races=0"))
    assert fault.line == 3 and "drivers=99" in fault.reason and "races=0" in fault.reason


def test_the_header_has_teams_when_the_game_is_over():
    game = started(drivers=4, pairs=True)
    assert "\nteams: " not in written(play(game, 1, 3))
    assert "\nteams: " in written(play(game, 1))


def test_a_changed_result_is_refused():
    text = written(play(started(pairs=True), 1))
    for key in ("result: ", "teams: "):
        line = next(line for line in text.split("\n") if line.startswith(key))
        fault = refused(replaced(text, line, line[:-1] + ("1" if line[-1] != "1" else "2")))
        assert "the header says" in fault.reason
    unfinished = next(line for line in text.split("\n") if line.startswith("result: "))
    assert "the header says" in refused(replaced(text, unfinished, "result: unfinished")).reason


def test_missing_and_superfluous_entries_are_refused():
    lines = written(play(started(), 1)).rstrip().split("\n")
    lines = [line for line in lines if not line.startswith("checksum")]
    ends, mover = refused("\n".join(lines[:-1])), lines[-1].partition(":")[0]
    assert ends.line == len(lines) - 1 and ends.reason.endswith(f"ends before the game: next is car {mover}")
    more = refused("\n".join([*lines, "1: 7"]))
    assert more.line == len(lines) + 1 and "over" in more.reason
    assert "does not start here" in refused("\n".join([*lines, "race 2"])).reason
    assert "not due here" in refused("\n".join([*lines, "deal 1: 4"])).reason
    first = next(i for i, line in enumerate(lines) if line.startswith("1: "))
    assert refused("\n".join([*lines[:first], *lines[first + 1 :]])).line > first


def test_an_illegal_move_is_refused_with_its_clause():
    lines = written(play(started(), 1)).split("\n")
    lines = [line for line in lines if not line.startswith("checksum")]
    first = next(i for i, line in enumerate(lines) if line[:3] in ("1: ", "2: ", "3: ", "4: "))
    lines[first] = "1: x4"
    fault = refused("\n".join(lines))
    assert fault.line == first + 1 and fault.reason.startswith("LC-3.1 ")


def test_an_impossible_card_is_refused():
    text = written(started(drivers=4))
    deal = next(line for line in text.split("\n") if line.startswith("deal 1: "))
    fault = refused(replaced(text, deal, "deal 1: 1 1 1 1 1" + " 2" * 8))
    assert "not possible" in fault.reason


def test_the_checksum_finds_a_changed_card_that_still_replays():
    text = written(play(started(), 1))
    assert "was changed" in refused(text.replace("player 1: person", "player 1: club")).reason


def test_every_change_of_one_character_is_refused_or_means_the_same():
    game = play(started(drivers=4, seed=2), 1, 12)
    text = written(game)
    choose = random.Random(4)
    date = text.index("date: ")
    for at in range(len(text)):
        letter = choose.choice("0123456789R?+x^: \n\r\tZé\ufeff\u2028\x00")
        for other in (
            text[:at] + letter + text[at + 1 :],
            text[:at] + letter + text[at:],
            text[:at] + text[at + 1 :],
        ):
            with suppress(paddock.BadRecord):
                record = records.read(other)
                if not date <= at <= date + 16:
                    assert record.date == "2026-03-01"
                assert (record.game().position, record.players) == (game.position, tuple(players(game)))


@settings(max_examples=count(40, 1000))
@given(st.text(max_size=200))
def test_any_text_is_refused_with_a_line(text):
    with pytest.raises(paddock.BadRecord):
        records.read(text)


@cache
def mangled():
    """The record that is mangled: one that a player saw, without its checksum."""
    lines = written(play(started(), 1), eyes=1).split("\n")
    return "\n".join(line for line in lines if not line.startswith("checksum"))


@settings(max_examples=count(90, 1000))
@given(at=st.integers(0, 3000), junk=st.text(max_size=8), cut=st.integers(0, 40))
def test_a_mangled_record_is_refused_or_replays(at, junk, cut):
    text = mangled()
    with suppress(paddock.BadRecord):
        record = records.read(text[:at] + junk + text[at + cut :])
        records.check(record)
        records.complete(record, Seeded(1))


def test_a_record_is_as_long_as_its_games_can_be():
    text = written(started(races=1))
    options = len(paddock.title("lacorsa").options.model_fields)
    most = 20_000 + 50_000 * options + 64 * paddock.title("lacorsa").rules.MAX_DECISIONS
    assert records.read(text + "\n" * (most - len(text))).game().log
    assert (
        f"longer than any record of these options can be: {most} characters"
        in refused(text + "\n" * most).reason
    )
    text = written(started(races=2))
    assert records.read(text + "\n" * most).game().log


@settings(max_examples=count(15, 100))
@given(options=OPTIONS, seed=st.integers(0, 10**6), stop=st.integers(0, 120), data=st.data())
def test_a_partial_record_holds_nothing_its_eyes_cannot_know_and_can_be_completed(options, seed, stop, data):
    game = play(started(seed, **options), seed, stop)
    player = data.draw(st.integers(-1, game.options.players - 1))
    eyes = game.options.eyes(player)
    text = written(game, eyes)
    record = records.read(text)
    assert record.eyes == eyes and not record.complete
    for line in record.lines:
        if line.by == CHANCE and line.heading.startswith("deal"):
            owner = int(line.heading.split()[1]) - 1
            assert (HIDDEN in line.whats) != bool(eyes >> owner & 1)
    assert records.check(record) == []
    for sample in range(2):
        other = records.complete(record, Seeded(sample))
        assert written(other, eyes) == text
        assert other.seen(eyes).state.tobytes() == game.seen(eyes).state.tobytes()
        assert records.read(written(other)).game().log == other.log


def test_a_commitment_is_hidden_while_it_is_face_down_and_written_once_revealed():
    game = started(drivers=4)
    for seat in (2, 0, 1):
        game.play(seat, game.legal(seat).ids[0])
    text = written(game, eyes=1)
    assert text.endswith(f"\n3: ?\n1: {game.title.text.move(game.setup, game.log[-2].what)}\n2: ?\n")
    game.play(3, game.legal(3).ids[0])
    assert "?" not in "".join(line for line in written(game, 1).split("\n") if line[:1] in "1234")


def test_all_seats_may_be_the_eyes():
    game = started(drivers=4)
    record = records.read(written(game, eyes=15))
    assert record.eyes == 15 and records.complete(record, Seeded(1)).log == game.log


def test_a_partial_record_is_not_replayed():
    refusal = refused(written(play(started(), 1), eyes=2)).reason
    assert "use paddock.records.complete to fill in a partial record" in refusal


def test_a_complete_record_has_no_question_marks():
    text = written(play(started(), 1))
    deal = next(line for line in text.split("\n") if line.startswith("deal 1: "))
    assert "is only allowed in partial records" in refused(replaced(text, deal, "deal 1: ?")).reason


def partial(game, eyes, *changes):
    text = written(game, eyes)
    for old, new in changes:
        text = replaced(text, old, new)
    return records.read(text)


def faults_of(record):
    faults = records.check(record)
    assert faults
    with pytest.raises(paddock.BadRecord) as caught:
        records.complete(record, Seeded(1))
    assert str(caught.value) == faults[0]
    return faults


def test_a_known_hand_cannot_play_what_it_was_not_dealt():
    game = started(drivers=4, extra_suits=0)
    while game.deciders:
        seat = game.deciders[0]
        if len(game.log) > 60:
            break
        game.play(seat, game.legal(seat).ids[-1])
    hand = {entry.what for entry in game.log[:13]}
    missing = min({str(k) for k in range(1, 13)} - {str(k) for k in hand}, default=None)
    if missing is None:
        pytest.skip("the hand holds every rank")
    line = next(line for line in written(game, 1).split("\n") if line.startswith("1: "))
    text = written(game, 1).split("\n")
    text[text.index(line)] = f"1: {missing}"
    record = records.read("\n".join(t for t in text if not t.startswith("checksum")))
    assert f"the hand cannot contain this card: {missing}" in faults_of(record)[0]


def test_more_cards_of_a_kind_than_there_are_cannot_be_played():
    head = written(started(drivers=4), eyes=0).split("\nrace 1")[0].split("\n")
    head = [line for line in head if not line.startswith("checksum")]
    deals = [f"deal {car}:" + " ?" * 13 for car in (1, 2, 3, 4)]
    moves = ["1: 12", "2: 12", "3: 12", "4: 5", "4: 12", "3: 12"]
    record = records.read("\n".join([*head, "race 1", *deals, *moves]))
    assert faults_of(record) == [f"line {len(head) + 11}: there are only 4 cards 12, and this is one more"]


def test_what_the_eyes_saw_is_no_question_mark():
    game = started(drivers=4)
    deal = next(line for line in written(game, 1).split("\n") if line.startswith("deal 1: "))
    assert "the seats in “eyes” saw this" in faults_of(partial(game, 1, (deal, "deal 1:" + " ?" * 13)))[0]


def test_a_revealed_move_is_no_question_mark():
    game = started(drivers=4)
    for seat in range(4):
        game.play(seat, game.legal(seat).ids[0])
    line = next(line for line in written(game, 1).split("\n") if line.startswith("3: "))
    assert "revealed later" in faults_of(partial(game, 1, (line, "3: ?")))[0]


def test_a_move_out_of_turn_is_found_by_the_replay():
    """The hand can contain the card, so counting finds no fault."""
    game = play(started(drivers=4), 3, 4)
    assert 1 not in game.deciders
    text = written(game, 1) + "2: x1\n"
    record = records.read("\n".join(t for t in text.split("\n") if not t.startswith("checksum")))
    (fault,) = faults_of(record)
    assert "2 has nothing to decide now" in fault


def test_hidden_cards_are_filled_in_as_chance_deals_them():
    """A spectator's record of two hands: a hand gets what it played, and the rest uniformly."""
    game = play(started(drivers=2, extra_suits=3), 5, 6)
    record = records.read(written(game, eyes=0))
    stock = game.setup.deck[12]
    dealt = 0
    samples = count(120, 300)
    for sample in range(samples):
        other = records.complete(record, Seeded(sample))
        dealt += sum(entry.what == 12 for entry in other.log if entry.by == CHANCE and entry.what < 13)
    shown = sum(game.seen(0).state.discard[k] for k in range(13))
    played = game.seen(0).state.discard[12]
    share = (52 - shown) / (sum(game.setup.deck) - shown)
    expected = played + (stock - played) * share
    assert abs(dealt / samples - expected) < 0.25


def test_logs_are_folded_with_no_chance_of_their_own():
    game = play(started(), 1)
    again = Game(game.title, game.options, None, game.names)
    for entry in game.log:
        again.append(Entry(entry.by, entry.what))
    assert written(again) == written(game)


# Submissions of several moves


@pytest.fixture
def chained(monkeypatch):
    """LACORSA, as if a seat could predict everything that follows from its moves."""
    monkeypatch.setitem(paddock.title("lacorsa").__dict__, "foreseen", lambda s, g, seat, move: 1)


def in_chains(game, seed):
    """Play at random to the end; consecutive decisions of a seat are one submission or several."""
    choose = random.Random(seed)
    while not game.over:
        seat = choose.choice(game.deciders)
        twin, chain = game.fork(), []
        while not chain or (twin.log[-1] == Entry(seat, chain[-1]) and twin.deciders == (seat,)):
            chain.append(choose.choice(twin.legal(seat).ids))
            twin.play(seat, chain[-1])
            if choose.random() < 0.3:
                break
        game.play(seat, chain)
    return game


def test_the_moves_of_one_submission_are_one_line(chained):
    together = apart = 0
    for seed in range(10):
        game = in_chains(started(seed), seed)
        text = written(game)
        lines = [line for line in records.read(text).lines if line.by not in (CHANCE, None)]
        entries = [entry for entry in game.log if entry.by != CHANCE]
        submissions = [n for n, entry in enumerate(entries) if not entry.linked]
        ends = [*submissions[1:], len(entries)]
        assert [line.whats for line in lines] == [
            tuple(entry.what for entry in entries[start:end])
            for start, end in zip(submissions, ends, strict=True)
        ]
        together += sum(len(line.whats) > 1 for line in lines)
        apart += sum(
            entry.by == before.by and not entry.linked
            for before, entry in pairwise(game.log)
            if entry.by != CHANCE
        )
        assert text.count("; ") - text.partition("race 1")[0].count("; ") == sum(e.linked for e in entries)
        again = records.read(text).game()
        assert again.log == game.log and written(again) == text
        partial_text = written(game, 1)
        assert records.complete(records.read(partial_text), Seeded(1)).log != game.log
        assert written(records.complete(records.read(partial_text), Seeded(1)), 1) == partial_text
    assert together > 10 and apart > 5


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{seat}: {first}; {second}; {second}", None),
        ("{seat}: {first};{second}", "is not a move"),
        ("{seat}: {first}; ", "is not a move"),
        ("{seat}: ; {first}", "is not a move"),
        ("{seat}: {first}; ?", "is only allowed in partial records"),
    ],
)
def test_a_line_of_moves_is_read_strictly(chained, line, reason):
    lines, at = first_pair()
    one, two = lines[at], lines[at + 1]
    seat, first, second = one[0], one[3:], two[3:]
    lines[at : at + 2] = [line.format(seat=seat, first=first, second=second)]
    fault = refused("\n".join(lines))
    assert fault.line == at + 1 and (reason is None or reason in fault.reason), fault


def first_pair():
    """Return the lines of a record, and the indices where one seat moved twice in a row."""
    for seed in range(100):
        game = play(started(seed), seed)
        lines = [line for line in written(game).split("\n") if not line.startswith("checksum")]
        for at, (one, two) in enumerate(pairwise(lines)):
            if one[:3] == two[:3] and one[:3] in ("1: ", "2: ", "3: ", "4: "):
                return lines, at
    raise AssertionError


def test_what_cannot_be_sent_together_is_refused():
    """LACORSA has no chains here: each move is a submission."""
    lines, at = first_pair()
    lines[at : at + 2] = [f"{lines[at]}; {lines[at + 1][3:]}"]
    fault = refused("\n".join(lines))
    assert (fault.line, fault.reason) == (
        at + 1,
        "there is no open submission to add this move to",
    )


# Records of earlier rules, and ranks


def of_revision_1(text):
    """Return the record as revision 1 of the rules wrote it."""
    text = text.replace("title: lacorsa/2", "title: lacorsa/1").replace(" one_draft=yes", "")
    return "\n".join(line for line in text.split("\n") if not line.startswith("checksum"))


def test_a_record_of_earlier_rules_plays_as_it_did_and_is_written_anew():
    """LX-5.2 revision 1 had only the draft of the first 3."""
    game = play(started(large_grid=True, one_draft=True), 1)
    text = of_revision_1(written(game))
    assert "one_draft" not in text
    record = records.read(text)
    assert (record.revision, records.read(written(game)).revision) == (1, 2)
    assert record.options == game.options
    again = record.game()
    assert again.log == game.log and written(again) == written(game)
    assert records.read(text.replace("lacorsa/1", "lacorsa/2")).options != game.options


KEPT = Path(__file__).parents[1] / "kept" / "records" / "complete-nobody-finishes.txt"


def test_who_has_no_place_has_no_rank():
    record = records.read(KEPT.read_text("utf-8"))
    text = records.write(record.game(), date=record.date, players=record.players)
    assert "\nresult: - Ana 0; - Ben 0\nteams: - Ana 0; - Ben 0\n" in text
    again = records.read(text)
    assert again.result == "- Ana 0; - Ben 0" and again.game().log == record.game().log


@pytest.mark.parametrize(
    ("revision", "said", "fits"),
    [
        (1, "1 Ana 0; 1 Ben 0", True),
        (1, "- Ana 0; - Ben 0", True),
        (1, "1 Ana 0; 2 Ben 0", False),
        (1, "1 Ana 1; 1 Ben 0", False),
        (2, "1 Ana 0; 1 Ben 0", False),
    ],
)
def test_earlier_records_rank_those_who_have_no_place(revision, said, fits):
    text = replaced(KEPT.read_text("utf-8"), "title: lacorsa/1", f"title: lacorsa/{revision}")
    for key in ("result", "teams"):
        text = replaced(text, f"{key}: 1 Ana 0; 1 Ben 0", f"{key}: {said}")
    if fits:
        assert records.read(text).game().over
    else:
        assert refused(text).reason == f"the header says “{said}”, but the game ended with “- Ana 0; - Ben 0”"
