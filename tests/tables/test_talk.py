"""Chat and personal tokens: who can read, who can write, what is stored."""

from __future__ import annotations

import asyncio
import hashlib
import unicodedata
from collections.abc import Callable
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paddock.core.errors import BadOption
from paddock.tables import Forbidden, NoTable, Tables, talk
from paddock.tables.hosting import Abandon
from paddock.tables.make import LONGEST_NAME
from paddock.tables.make import clean as clean_name
from paddock.tables.names import UNSEEN, NameFilter, same
from paddock.tables.talk import FLOOD, clean
from tables.clockwork import PATIENCE_S
from tables.harness import ANA, BEN, CountedRuntime, alter, give_seats, service

pytestmark = pytest.mark.anyio


async def make(tables: Tables, **options: object) -> str:
    """A table with four people: two of Ana's, two of Ben's."""
    table = await tables.making.create(
        "lacorsa", {"races": 1} | options, ["me"] * 4, list("ABCD"), holder=ANA
    )
    await give_seats(tables, table, {2: BEN, 3: BEN})
    return table.id


async def heard(tables: Tables, id: str, player: int | None) -> list[tuple[int | None, str]]:
    return [(line.player, line.text) for line in talk.lines_for(await tables.table(id), player)]


async def test_everybody_hears_the_table_and_only_a_team_its_own(database: str) -> None:
    """LX-1.3 a team has its own chat."""
    async with service(database) as tables:
        id = await make(tables, pairs=True)
        await tables.run(id, talk.say, ANA, 0, "hello")
        await tables.run(id, talk.say, ANA, 1, "ours", "team")
        await tables.run(id, talk.say, BEN, 2, "theirs", "team")
        assert await heard(tables, id, None) == [(0, "hello")]
        assert await heard(tables, id, 0) == await heard(tables, id, 1) == [(0, "hello"), (1, "ours")]
        assert await heard(tables, id, 3) == [(0, "hello"), (2, "theirs")]
    async with service(database) as tables:
        assert await heard(tables, id, 3) == [(0, "hello"), (2, "theirs")]
        n = [line.n for line in talk.lines_for(await tables.table(id), 0)]
        assert n == sorted(set(n))


async def test_numbers_of_lines_do_not_count_those_of_others(database: str) -> None:
    """LX-1.3 pages show them: they must not say how often another team talks."""
    async with service(database, runtime=CountedRuntime()) as tables:
        numbers = []
        for secret in (False, True):
            id = await make(tables, pairs=True)
            for text in ("one", "two", "three"):
                await tables.run(id, talk.say, ANA, 0, text)
                if secret:
                    await tables.run(id, talk.say, BEN, 2, f"our {text}", "team")
                await tables.runtime.sleep(4)
            numbers.append([line.n for line in talk.lines_for(await tables.table(id), None)])
        assert numbers[0] == numbers[1] == sorted(set(numbers[0]))


async def test_who_may_not_speak(database: str) -> None:
    async with service(database) as tables:
        id = await make(tables)
        for holder, player in ((BEN, 0), (None, 0), ("c" * 64, 2), (ANA, 9)):
            with pytest.raises(Forbidden, match="take a seat"):
                await tables.run(id, talk.say, holder, player, "hello")
        with pytest.raises(NoTable):
            await tables.run("nowhere", talk.say, ANA, 0, "hello")
        for text in ("", " \u200b\n", "\u200d \u200d", "x" * 501):
            with pytest.raises(BadOption):
                await tables.run(id, talk.say, ANA, 0, text)
        with pytest.raises(BadOption, match="no teams"):
            await tables.run(id, talk.say, ANA, 0, "hello", "team")
        with pytest.raises(BadOption):
            await tables.run(id, talk.say, ANA, 0, "hello", "team:1")
        await tables.run(id, alter, {0: {"muted": True}})
        with pytest.raises(Forbidden, match="muted"):
            await tables.run(id, talk.say, ANA, 0, "hello")
        assert await heard(tables, id, None) == []


async def test_a_line_sent_twice_is_said_once_and_a_flood_is_stopped(database: str) -> None:
    runtime = CountedRuntime()
    async with service(database, runtime=runtime) as tables:
        id = await make(tables)
        first = await tables.run(id, talk.say, ANA, 0, "hello")
        assert await tables.run(id, talk.say, ANA, 0, "hello") == first
        runtime.time += talk.AGAIN.total_seconds()
        await tables.run(id, talk.say, ANA, 0, "hello")
        for n in range(FLOOD - 2):
            await tables.run(id, talk.say, ANA, 0, f"line {n}")
        with pytest.raises(Forbidden, match="wait a moment"):
            await tables.run(id, talk.say, ANA, 0, "one more")
        await tables.run(id, talk.say, BEN, 2, "mine is another")
        runtime.time += 21
        await tables.run(id, talk.say, ANA, 0, "one more")
        assert len(await heard(tables, id, None)) == FLOOD + 2


async def test_talk_wakes_who_watches_and_lasts_after_the_end(database: str) -> None:
    async with service(database) as tables:
        id = await make(tables)
        async with tables.streams.watch(id) as changed:
            await tables.run(id, talk.say, ANA, 0, "hello")
            assert await changed(PATIENCE_S)


async def test_a_word_wakes_an_abandoned_table(database: str) -> None:
    async with service(database) as tables:
        table = await tables.table(await make(tables))
        await tables.sweep(tables.runtime.now() + timedelta(days=31), Abandon())
        assert table.abandoned
        await tables.run(table.id, talk.say, ANA, 0, "hello")
        assert not table.abandoned and table.touched_at == tables.runtime.now()


async def test_many_tables_talk_at_once(database: str) -> None:
    """Each needs only one connection: the pool has fifteen."""
    async with service(database) as tables:
        ids = [await make(tables) for _ in range(20)]
        await asyncio.gather(*(tables.run(id, talk.say, ANA, 0, "hello") for id in ids))
        for id in ids:
            assert await heard(tables, id, None) == [(0, "hello")]


def test_what_is_left_of_a_line() -> None:
    assert clean("  a\tb\r\n c ") == "a b c"
    assert clean("a\u202eb\u0000\x1b[31mc") == "ab[31mc"
    family = "\U0001f468\u200d\U0001f469"
    assert clean(family) == family
    assert clean("<b>") == "<b>"  # pages escape it


def test_a_name_has_no_marks_that_cannot_be_seen() -> None:
    for mark in ("\ufe0f", "\u034f", "\u180b", "\u17b4", "\U000e0101"):
        assert clean_name(f"Ana{mark}") == "Ana" and clean_name(mark) == ""
    assert same("Jos\u00e9", "Jose\u0301") and same("\ufb01sh", "FISH") and not same("Ana", "Anna")
    assert clean("\u2764\ufe0f") == clean_name("\u2764\ufe0f") == "\u2764\ufe0f", "emoji need one"
    assert same("\u2764\ufe0f", "\u2764")


JOINED = (
    "علی\u200cرضا",  # Persian: two letters that would join
    "می\u200cخواهم",
    "ශ්\u200dරී",  # Sinhala
    "ന്\u200d", "രാജന്\u200d",  # Malayalam, an older spelling
    "क्\u200dष", "क्\u200cष",  # Devanagari
    "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466",  # a family
    "\U0001f3c3\U0001f3fd\u200d\u2640\ufe0f\u200d\u27a1\ufe0f",  # she runs to the right
    "\U0001f3f3\ufe0f\u200d\U0001f308", "\U0001f3f4\u200d\u2620\ufe0f",  # rainbow, pirates
    "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",  # Scotland
    "\U0001f1e9\U0001f1ea", "1\ufe0f\u20e3", "\u2764\ufe0e",
    "葛\U000e0100飾", "\u1820\u180b",  # forms of an ideograph and of a Mongolian letter
)  # fmt: skip


@pytest.mark.parametrize("clean", [clean, clean_name])
@pytest.mark.parametrize("word", JOINED)
def test_what_cannot_be_seen_stays_where_a_script_or_an_emoji_needs_it(
    word: str, clean: Callable[[str], str]
) -> None:
    """The kind: every place that removes characters of the category Cf asks the same function."""
    word = unicodedata.normalize("NFC", word)
    assert clean(word) == word and clean(f"Ana {word} Ben") == f"Ana {word} Ben"
    assert clean(f"{word} " * 500).startswith(word), "in a long text too"


@pytest.mark.parametrize("clean", [clean, clean_name])
def test_what_cannot_be_seen_goes_where_nothing_needs_it(clean: Callable[[str], str]) -> None:
    for (
        hidden
    ) in "\u200c\u200d\ufe0f\u034f\U000e0101\U000e0041\U000e007f\u180b\u200e\u061c\u00ad\u2060\ufeff":
        for word in ("Ana", "ab ad", "د د", "\u4e00x", "س "):
            for at in range(len(word) + 1):
                left = clean(word[:at] + hidden + word[at:])
                assert left in (clean(word), f"\u4e00{hidden}x"), (hidden, word, at)
    assert clean("ب\u200c\u200cب") == "بب" and clean("क\u200dष") == "कष" and clean("क्\u200dा") == "क्ा"
    assert clean("क्\u200d\u200dा") == "क्ा"
    tags = "\U000e0068\U000e0069" * 30
    assert clean(f"\U0001f3f4{tags}\U000e007f") == "\U0001f3f4", "no hidden text in a flag"
    assert clean("\u200d\u200c") == ""


@pytest.mark.parametrize("word", JOINED)
def test_names_that_only_differ_in_what_cannot_be_seen_are_the_same(word: str) -> None:
    assert same(word, UNSEEN.sub("", word)) and same(f"x{word}", f"X{UNSEEN.sub('', word)}")
    assert NameFilter().refuses("ad\u200cm\u200din")


ODD = "aبدک\u200c\u200dक्ाන\U0001f468\U0001f1e9\U0001f3f4\ufe0f\U000e0067\U000e007f\u0301葛\U000e0100 1\u20e3"


@given(st.text(alphabet=ODD))
def test_a_clean_name_stays_as_it_is(text: str) -> None:
    name = clean_name(text)
    assert clean_name(name) == name and len(name) <= LONGEST_NAME


def test_a_name_is_not_cut_inside_an_emoji() -> None:
    family = JOINED[7]
    assert clean_name("x" * 20 + family) == "x" * 20
    assert clean_name("x" * 23 + "\U0001f1e9\U0001f1ea") == "x" * 23
    assert clean_name("\U0001f468" + "\u200d\U0001f468" * 40) == "\U0001f468" + "\u200d\U0001f468" * 11


@pytest.mark.parametrize("clean", [clean, clean_name])
def test_piles_of_combining_marks_are_cut(clean: Callable[[str], str]) -> None:
    for mark in ("\u0300", "\u0e47", "\u20dd"):
        assert clean(f"q{mark * 20}z{mark * 4}") == f"q{mark * 3}z{mark * 3}"
    assert len(clean("q" + "\u0301\u0316" * 8)) == 4
    for word in ("Tiếng Việt", "བསྒྲུབས", "မြွှာ", "בְּרֵאשִׁ֖ית", "हिन्दी", "\U0001f469\U0001f3fd\u200d\u2764\ufe0f"):
        whole = unicodedata.normalize("NFC", word)
        assert clean(whole) == whole


@pytest.mark.parametrize("clean", [clean, clean_name])
def test_letters_that_look_like_spaces_are_removed(clean: Callable[[str], str]) -> None:
    assert clean("\u115f\u1160 \u2800\u3164\uffa0") == ""
    assert clean("A\u3164n a") == "An a"


async def test_a_token_stands_for_its_holder_until_it_is_dropped(database: str) -> None:
    runtime = CountedRuntime()
    async with service(database, runtime=runtime) as tables:
        label, token = await tables.tokens.make(ANA, " My\n bot ")
        assert label == "My bot"
        digest = hashlib.sha256(token.encode()).hexdigest()
        assert await tables.tokens.holder(digest) == ANA
        assert await tables.tokens.holder("0" * 64) is None
        (kept,) = await tables.tokens.of(ANA)
        assert (kept.label, kept.hash, kept.used_at) == ("My bot", digest, runtime.now())
        runtime.time += 60
        await tables.tokens.holder(digest)
        assert (await tables.tokens.of(ANA))[0].used_at == runtime.now() - timedelta(seconds=60)
        runtime.time += 3600
        await tables.tokens.holder(digest)
        assert (await tables.tokens.of(ANA))[0].used_at == runtime.now()
        with pytest.raises(BadOption, match="already"):
            await tables.tokens.make(ANA, "My bot")
        assert await tables.tokens.make(BEN, "My bot") != (label, token)
        with pytest.raises(BadOption):
            await tables.tokens.drop("c" * 64, "My bot")
        await tables.tokens.drop(ANA, "My bot")
        assert await tables.tokens.holder(digest) is None
        assert len(await tables.tokens.of(BEN)) == 1


async def test_a_token_of_who_is_forgotten_or_gets_a_new_secret_ends_at_once(database: str) -> None:
    async with service(database) as tables:
        digests = []
        for holder in (ANA, BEN):
            _label, token = await tables.tokens.make(holder, "bot")
            digests.append(hashlib.sha256(token.encode()).hexdigest())
            assert await tables.tokens.holder(digests[-1]) == holder
        await tables.forget(ANA)
        await tables.rekey(BEN, "c" * 64)
        assert [await tables.tokens.holder(digest) for digest in digests] == [None, None]


async def test_a_holder_has_so_many_tokens(database: str) -> None:
    async with service(database) as tables:
        for n in range(20):
            await tables.tokens.make(ANA, f"bot {n}")
        with pytest.raises(BadOption, match="20"):
            await tables.tokens.make(ANA, "one more")


async def test_a_server_remembers_so_many_tokens(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("paddock.tables.tokens.MOST_KNOWN", 2)
    async with service(database) as tables:
        for n in range(3):
            _label, token = await tables.tokens.make(ANA, f"bot {n}")
            assert await tables.tokens.holder(hashlib.sha256(token.encode()).hexdigest()) == ANA
            assert 0 < len(tables.tokens._known) <= 2
