"""Options with data: complete in records and positions, elsewhere a digest if they are long."""

from __future__ import annotations

import copy
import pickle
from types import SimpleNamespace
from typing import Any, Literal
from unittest.mock import Mock

import pytest
from pydantic import field_validator

import paddock
from paddock import records
from paddock.core import options as options_module
from paddock.core.errors import BadOption
from paddock.core.options import LONGEST_DATA, LONGEST_WORD, Options, digest_of_data, digests, option
from paddock.core.rooms.setup import fill
from paddock.core.title import title

DECK = paddock.title("rasant").options
OWN = "+".join(f"{colour}{n}0" for colour in "rgbyk" for n in range(1, 12, 2))  # no runs: its word is long
OTHER = OWN.replace("r10", "r20")


class Maps(Options):
    """Options with two maps."""

    players: int = option(2, "X-1", "How many.", ge=1, le=4)
    map: str = option("small", "X-2", "A map.", data=True)
    track: str = option("none", "X-3", "Another one.", data=True)
    note: str = option("none", "X-4", "A text.")

    @field_validator("map", "track")
    @classmethod
    def _word(cls, text: str) -> str:
        faults = [f"row {i} has the letter “x”" for i, row in enumerate(text.split(), 1) if "x" in row]
        if faults:
            raise ValueError("; ".join(faults))
        return {"blank": "two words", "name": "~name"}.get(text, "/".join(text.split()))

    @property
    def rounds(self) -> int:
        return 1


LONG = "\n".join(["a" * 30] * 4)
WORD = "/".join(["a" * 30] * 4)


def refused(values: dict[str, Any], find: Any = None) -> tuple[str, ...]:
    with pytest.raises(paddock.BadOption) as error:
        Maps.read(values, find=find)
    return error.value.faults


def test_long_data_is_whole_in_the_text_and_named_in_the_short_one() -> None:
    options = Maps.read({"map": LONG, "track": "mine"})
    name = f"~{digest_of_data(WORD)}"
    assert len(name) == 17
    assert options.text == f"players=2 map={WORD} track=mine note=none"
    assert options.short == f"players=2 map={name} track=mine note=none"
    assert options.named == {"players": 2, "map": name, "track": "mine", "note": "none"}
    assert options.data == {name[1:]: WORD}
    assert digests(options.short) == [name[1:]]
    assert not digests(options.text)


def test_the_same_content_has_the_same_name_however_it_is_written() -> None:
    one, two = Maps.read({"map": LONG}), Maps.read({"map": LONG.replace("\n", " \r\n  ") + "\n"})
    assert one == two and one.short == two.short
    both = Maps.read({"map": LONG, "track": WORD})
    assert list(both.data.values()) == [WORD]
    assert Maps.read({"map": LONG.replace("a", "b")}).short != one.short


def test_the_short_text_is_read_where_its_data_is_known() -> None:
    options = Maps.read({"map": LONG})
    find = options.data.get
    assert Maps.read_text(options.short, find=find) == options == Maps.read_text(options.text)
    assert Maps.read(options.named, find=find) == options
    for lost in (None, {}.get, Maps.read({"map": LONG + "b"}).data.get):
        assert refused({"map": options.named["map"]}, lost) == (
            (
                f"map={options.named['map']}: no file with this digest is stored here: "
                "give the file itself (X-2)"
            ),
        )


def test_data_that_a_digest_names_is_checked_like_any_other() -> None:
    assert refused({"map": "~" + "a" * 16}, {"a" * 16: "x"}.get) == (
        f"map=~{'a' * 16}: row 1 has the letter “x”",
    )


@pytest.mark.parametrize("length", [LONGEST_WORD, LONGEST_WORD + 1])
def test_short_data_is_its_own_name(length: int) -> None:
    options = Maps.read({"map": "a" * length})
    assert (options.short == options.text) == (length <= LONGEST_WORD) == (not options.data)


def test_every_fault_is_listed_with_the_digest_that_is_not_known() -> None:
    faults = refused({"players": 9, "map": "~lost", "track": "a x b x", "speed": 1})
    assert [fault.partition(":")[0] for fault in faults] == [
        "players=9", "map=~lost", "track=a x b x",
        "there is no option “speed”; the options are players, map, track, note",
    ]  # fmt: skip


def test_a_text_that_is_no_data_may_begin_as_a_digest_does() -> None:
    assert Maps.read({"note": "~lost"}).note == "~lost"


def test_a_file_has_a_limit() -> None:
    assert len(Maps.read({"map": "a" * LONGEST_DATA}).map) == LONGEST_DATA
    (fault,) = refused({"map": "a" * (LONGEST_DATA + 1)})
    assert fault.endswith("…: a file has at most 50,000 characters, not 50,001 (X-2)")
    assert len(fault) < 200


@pytest.mark.parametrize(
    "points",
    ["a," * 900, ["a"] * 900, "a," * 25_000, ["a"] * 100_000],
    ids=["text", "list", "long text", "long list"],
)
def test_a_list_has_one_fault_however_many_of_its_parts_are_wrong(
    points: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each fault costs milliseconds: a form may have 25,000 of them, and a body of the API 100,000."""
    options = paddock.title("lacorsa").options
    describe = Mock(wraps=options.describe)
    monkeypatch.setattr(options, "describe", describe)
    with pytest.raises(paddock.BadOption, match=r"points=.*: write whole numbers, separated by commas"):
        options.read({"points": points})
    describe.assert_called_once()


@pytest.mark.parametrize("text", ["blank", "name", ""])
def test_a_title_must_make_one_word_of_its_data(text: str) -> None:
    with pytest.raises(TypeError, match="map: the validator"):
        Maps.read({"map": text})


def test_set_up_pages_are_told_which_options_are_data() -> None:
    assert [row.kind for row in Maps.describe()] == ["integer", "data", "data", "string"]


def test_options_with_data_are_copied_and_pickled() -> None:
    options = Maps.read({"map": LONG})
    for twin in (pickle.loads(pickle.dumps(options)), copy.deepcopy(options), Maps.read_text(options.text)):
        assert twin == options and hash(twin) == hash(options) and twin.short == options.short


def test_RA_1_2_a_deck_of_ones_own_is_whole_in_records_and_positions() -> None:
    game = paddock.start("rasant", deck=OWN.replace("+", "\n"), seed=3)
    name = game.options.named["deck"]
    assert name.startswith("~")
    assert f" deck={OWN} " in game.position
    assert paddock.position(game.position).options == game.options
    text = records.write(game, date="2026-03-01", players=[(name, None) for name in game.names])
    assert f" deck={OWN} " in text
    assert records.read(text).options == game.options
    with pytest.raises(paddock.BadPosition, match="no file with this digest is stored here"):
        paddock.position(game.position.replace(OWN, name))
    with pytest.raises(paddock.BadRecord, match="no file with this digest"):
        records.read("\n".join(x for x in text.replace(OWN, name).split("\n") if "checksum" not in x))


@pytest.mark.parametrize("deck", ["standard", "all-black-top", "r10-130+g10-130+k30"])
def test_RA_1_2_a_shipped_deck_and_a_short_one_are_named_as_ever(deck: str) -> None:
    options = DECK.read({"deck": deck, "players": 2})
    assert f" deck={deck} " in options.short == options.text and not options.data


def test_a_fault_reads_little_of_a_long_list(monkeypatch: pytest.MonkeyPatch) -> None:
    read, text = [0], options_module.value_text

    def counted(value: object) -> str:
        read[0] += 1
        return text(value)

    monkeypatch.setattr(options_module, "value_text", counted)
    with pytest.raises(BadOption, match="points=a,a,"):
        title("lacorsa").options.read({"points": ["a"] * 9_000})
    assert read[0] < 1_500


class Later(Options):
    """Options of which two came later."""

    players: int = option(2, "X-1", "How many.", ge=1, le=4)
    lead: Literal["passed", "winner"] = option("passed", "X-2", "Who leads.", later=True)
    double: bool = option(False, "X-3", "Whether a win counts twice.", later=True)


def test_texts_leave_out_a_later_option_with_its_default() -> None:
    assert Later().text == Later().short == "players=2"
    assert Later(lead="winner").text == "players=2 lead=winner"
    assert Later.read_text("players=2 lead=passed double=yes").text == "players=2 double=yes"


def test_a_setup_is_filled_by_the_names_of_its_fields() -> None:
    fields = {"lead": (), "double": (), "deck": (3,), "own": ()}
    g = SimpleNamespace(kernel_layout=[(name, "i1", shape) for name, shape in fields.items()])
    assert fill(g, Later(lead="winner", double=True)) == ["deck", "own"]
    assert (g.lead, g.double, hasattr(g, "own")) == (1, 1, False)
