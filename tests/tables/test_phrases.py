"""Reactions: phrases of a fixed list, for each reader in their language."""

from __future__ import annotations

from pathlib import Path

import pytest

from paddock.core import i18n
from paddock.core.errors import BadOption
from paddock.tables import Forbidden, hosting, talk
from paddock.tables.phrases import PHRASES
from paddock.tables.talk import FLOOD
from tables.harness import ANA, BEN, CountedRuntime, service
from tables.test_talk import heard, make

pytestmark = pytest.mark.anyio


async def test_a_phrase_is_said_to_everybody_and_stored_by_its_name(database: str) -> None:
    async with service(database) as tables:
        id = await make(tables, pairs=True)
        said = await tables.run(id, talk.react, ANA, 0, "nice")
        assert (said.text, said.phrase, said.channel) == ("Nice move!", "nice", "table")
        assert await heard(tables, id, None) == [(0, "Nice move!")]
        with pytest.raises(BadOption, match="choose one of hello"):
            await tables.run(id, talk.react, ANA, 0, "<b>")
        with pytest.raises(Forbidden, match="take a seat"):
            await tables.run(id, talk.react, ANA, 2, "nice")
        with pytest.raises(Forbidden, match="take a seat"):
            await tables.run(id, talk.react, None, 0, "nice")
    async with service(database) as tables:
        (line,) = talk.lines_for(await tables.table(id), None)
        assert (line.text, line.phrase) == ("Nice move!", "nice")


async def test_each_reader_gets_it_in_their_language(database: str, tmp_path: Path) -> None:
    from web.strange import write_catalogue

    folder = write_catalogue(tmp_path)
    async with service(database) as tables:
        id = await make(tables)
        await tables.run(id, talk.react, ANA, 0, "luck")
        (line,) = talk.lines_for(await tables.table(id), None)
        tokens = i18n.catalogues.set(folder), i18n.language.set(i18n.languages(folder)[1])
        try:
            assert line.text != "Good luck!" == PHRASES["luck"]
        finally:
            i18n.catalogues.reset(tokens[0])
            i18n.language.reset(tokens[1])


async def test_mute_and_rate_limit_cover_phrases(database: str) -> None:
    runtime = CountedRuntime()
    async with service(database, runtime=runtime) as tables:
        id = await make(tables)
        phrases = list(PHRASES)
        for n in range(FLOOD):
            await (
                tables.run(id, talk.react, BEN, 2, phrases[n % len(phrases)])
                if n % 2
                else tables.run(id, talk.say, BEN, 2, f"line {n}")
            )
        with pytest.raises(Forbidden, match="too fast"):
            await tables.run(id, talk.react, BEN, 2, "hello")
        runtime.time += 30
        first = await tables.run(id, talk.react, BEN, 2, "wow")
        assert await tables.run(id, talk.react, BEN, 2, "wow") == first, "a double tap is one"
        assert len(await heard(tables, id, None)) == FLOOD + 1
        await tables.run(id, hosting.mute, ANA, 2, True)
        with pytest.raises(Forbidden, match="muted you"):
            await tables.run(id, talk.react, BEN, 2, "game")
