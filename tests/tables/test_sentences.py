"""Sentences of a table are stored as templates with data: each reader gets them in their own language."""

from __future__ import annotations

import contextvars
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po

from paddock.core.errors import PaddockError
from paddock.core.i18n import Sentence, catalogues, language
from paddock.kernel.source import Seeded
from paddock.tables import Table, Tables, orders, talk
from paddock.tables.change import Change
from paddock.tables.context import Context
from paddock.tables.orders import DROPPED
from paddock.tables.table import TABLE
from paddock.tables.tasks import background
from tables.clockwork import HandRuntime, friends, play_on, quiet, road, said
from tables.harness import ANA, service

pytestmark = pytest.mark.anyio
WORDS = {
    "{name} asks to take the last move back.": "{name} pide deshacer.",
    "{name} is away: a bot plays until they are back.": "{name} no está.",
    "{name} joins as {place}.": "{name} entra como {place}.",
    "{word} {n}": "{n}.º {word}",
    "driver": "piloto",
    "Committed: {move}.": "Elegido: {move}.",
    DROPPED: "“{order}”: {reason}.",
    "the race for which it was given is over": "la carrera terminó",
}


@pytest.fixture
def spanish(tmp_path: Path) -> Iterator[str]:
    """A catalogue with a few sentences; the tests themselves run in English."""
    catalogue = Catalog("es")
    for english, foreign in WORDS.items():
        catalogue.add(english, foreign)
    folder = tmp_path / "locale" / "es" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    with (folder / "paddock.po").open("wb") as stream:
        write_po(stream, catalogue)
    token = catalogues.set(tmp_path / "locale")
    yield "es"
    catalogues.reset(token)


def put(sentence: object, code: str) -> str:
    """The sentence as a reader of this language gets it."""
    context = contextvars.copy_context()
    context.run(language.set, code)
    return context.run(str, sentence)


def test_a_sentence_is_kept_with_its_words(spanish: str) -> None:
    sentence = Sentence("{name} joins as {place}.", name="Ana", place=Sentence("{word} {n}", word="x", n=2))
    again = Sentence.load(sentence.dump())
    assert again == sentence and hash(again) == hash(sentence) and again != Sentence("{name} is back.")
    assert str(again) == "Ana joins as x 2." and put(again, spanish) == "Ana entra como 2.º x."
    assert "\n" not in Sentence("{a}", a="\u2028\n").dump() and sentence.dump().isascii()
    error = PaddockError(sentence)
    assert error.message == sentence and str(error) == "Ana joins as x 2."
    assert PaddockError("plain").message == "plain"


@pytest.mark.parametrize("old", ["Ana is ready.", "[1]", "7", "null", '["a"]', '["a", "b"]', "[1, {}]", ""])
def test_what_older_versions_stored_is_shown_as_it_is(old: str) -> None:
    assert Sentence.load(old) == old


def stored(table: Table, context: Context, text: str) -> Change[None]:
    """Store a line of the table with this text, which may be that of an older version."""
    change = Change(table, context.now, None)
    change.say(None, TABLE, text, ())
    return change


async def test_lines_of_the_table_are_in_the_language_of_the_reader(database: str, spanish: str) -> None:
    async with service(database) as tables:
        table = await tables.making.create("lacorsa", {"races": 1}, ["me"] * 4, list("ABCD"), holder=ANA)
        place = Sentence("{word} {n}", word=Sentence("driver"), n=1)
        line = Sentence("{name} joins as {place}.", name="Ana", place=place).dump()
        await tables.run(table.id, stored, "Ben is ready.")  # by an older version
        await tables.run(table.id, stored, line)
        await tables.run(table.id, talk.say, ANA, 0, line)  # a person may write what looks like it
        lines = talk.lines_for(await tables.table(table.id), 0)
        assert [one.text for one in lines] == ["Ben is ready.", "Ana joins as driver 1.", line]
        token = language.set(spanish)
        assert [one.text for one in lines] == ["Ben is ready.", "Ana entra como 1.º piloto.", line]
        language.reset(token)


async def dropped(tables: Tables, table: Table) -> list[str]:
    """Give an order, and play until its race is over."""
    await play_on(tables, table, lambda: road(table))
    order = next(order for order in orders.offered(table, 0) if order.text != orders.ONLY)
    await tables.run(table.id, orders.give, table.players[0].holder, 0, order.text)
    await play_on(tables, table, lambda: len(table.game.rounds) == 1)
    tables.start_bots()
    await quiet(tables)
    return orders.dropped(table, 0)


async def test_a_dropped_order_is_told_in_the_language_of_its_owner(database: str, spanish: str) -> None:
    runtime = HandRuntime()
    async with service(database, Seeded(7), runtime) as tables:
        table = await friends(tables, 4, races=2)
        token = language.set(spanish)
        (told,) = await dropped(tables, table)
        assert told.endswith(": la carrera terminó.")
        language.reset(token)
    async with service(database, Seeded(7), runtime) as tables:
        table = await tables.table(table.id)
        (told,) = orders.dropped(table, 0)
        assert told.endswith(" was dropped: the race for which it was given is over.")
        table.orders[0] = "# “Defend” was dropped: so it goes."  # as an older version stored it
        assert orders.dropped(table, 0) == ["“Defend” was dropped: so it goes."]


async def test_an_answer_is_given_again_in_the_language_of_the_request(database: str, spanish: str) -> None:
    async with service(database) as tables:
        table = await tables.making.create("lacorsa", {"races": 1}, ["me"] * 4, list("ABCD"), holder=ANA)
        move = table.moves(0)[0][1][0][1]
        answer = await tables.submit(table.id, ANA, 0, move, table.decision, "key")
        again = await tables.submit(table.id, ANA, 0, move, table.decision, "key")
        assert again == answer and again.sentence == f"Committed: {move}."
        token = language.set(spanish)
        assert again.sentence == f"Elegido: {move}."
        language.reset(token)


async def test_a_background_task_does_not_have_the_language_of_the_request(spanish: str) -> None:
    found: list[str] = []

    async def work() -> None:
        found.append(language.get())

    token = language.set(spanish)
    await background(work(), "test")
    assert found == ["en"] and language.get() == spanish
    language.reset(token)


async def test_a_bot_that_stands_in_is_announced_to_each_in_their_language(
    database: str, spanish: str
) -> None:
    runtime = HandRuntime()
    async with service(database, runtime=runtime) as tables:
        token = language.set(spanish)  # of the request that starts the timers
        table = await friends(tables, 3, 1, grace=30)
        tables.start_bots()
        await runtime.let(tables, 31)
        assert all(line.endswith(" no está.") for line in await said(tables, table))
        language.reset(token)
        lines = await said(tables, table)
        assert lines and all(line.endswith(" is away: a bot plays until they are back.") for line in lines)
