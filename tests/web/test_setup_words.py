"""No page speaks of the command line: no ``name=value``, no file after an @, no names of options."""

from __future__ import annotations

import html
import re
from itertools import product
from typing import Any

import httpx
import pytest

import paddock
from paddock.core.errors import BadOption
from paddock.core.options import Options
from paddock.core.title import Title
from paddock.core.title import title as find_title

pytestmark = pytest.mark.anyio
TITLES = ("lacorsa", "rasant", "great_race")
NONSENSE = ("", "-1", "0", "1", "7", "13", "999", "x", "1,2", "9,9,x", "1-2/2-3", "kkk", "q=w", "~lost")
# What stands between tags, and what is read or shown instead of it
SHOWN = re.compile(r"<(?:script|style)\b.*?</(?:script|style)>|<[^>]*>", re.S)
READ = re.compile(r' (?:aria-label|placeholder|title|alt)="([^"]*)"')


def words(text: str) -> str:
    """What a reader of a page sees, and hears of its fields."""
    page = text[text.index("<main") : text.index("</main>")]
    typed = re.sub(r"<textarea.*?</textarea>", "", page, flags=re.S)  # what was pasted is repeated there
    return html.unescape(f"{SHOWN.sub(' ', typed)} {' '.join(READ.findall(typed))}")


def syntax(title: Title, text: str) -> list[str]:
    """What a text says that belongs on the command line."""
    names = [row.name for row in title.options.describe() if "_" in row.name]
    forbidden = [r"\w+=\S*", r"@\w+", r"\bNAME\b", r"\bVALUE\b", r"commas?\b", *map(re.escape, names)]
    return [found for one in forbidden for found in re.findall(one, text)]


def wrong(title: Title) -> list[dict[str, str]]:
    """Sets of options with every kind of fault: each option with nonsense, and pairs that do not fit."""
    rows = title.options.describe()
    sets: list[dict[str, str]] = [{row.name: text} for row in rows for text in NONSENSE]
    chosen = [[(row.name, value) for value, *_words in row.values[-2:]] for row in rows]
    for one, other in product(chosen, chosen):
        sets += [dict([a, b]) for a, b in zip(one, other, strict=False)]
    most = {title.players_option: str(rows[0].most)}
    return sets + [most | {row.name: row.values[-1][0]} for row in rows if row.values]


@pytest.mark.parametrize("name", TITLES)
def test_no_fault_for_pages_has_syntax(name: str) -> None:
    title = find_title(name)
    told: dict[str, Any] = {}
    for values in wrong(title):
        try:
            title.options.read(values)
        except BadOption as error:
            told |= {sentence: values for _option, sentence in error.said}
    assert len(told) > 8
    quoted = [re.sub("“[^”]*”", "", sentence) for sentence in told]  # what was typed may be anything
    assert {sentence: syntax(title, sentence) for sentence in quoted if syntax(title, sentence)} == {}


def test_the_command_line_still_says_what_to_write() -> None:
    with pytest.raises(BadOption, match="points=1,x: write whole numbers, separated by commas"):
        paddock.start("lacorsa", points="1,x")


def test_a_validator_without_plain_words_is_quoted_as_it_is() -> None:
    """For titles that know nothing of pages."""

    class Plain(Options):
        players: int = paddock.core.options.option(2, "X-1", "How many.", ge=1, le=4)

    with pytest.raises(BadOption) as error:
        Plain.read({"players": "9"})
    assert error.value.faults == ("players=9: write a whole number from 1 to 4 (X-1)",)
    assert error.value.said == (("players", "write a whole number from 1 to 4 (X-1)"),)


@pytest.mark.parametrize("name", TITLES)
async def test_no_set_up_page_has_syntax(client: httpx.AsyncClient, name: str) -> None:
    title = find_title(name)
    count = title.players_option
    some = [{}, *({row.name: "x", count: "99"} for row in title.options.describe()[1:])]
    for values in [*some, {"points": "9,1,x"}, {"pairs": "1-2/2-3"}, {"drivers": "12", "grid_hands": "no"}]:
        text = words((await client.get(f"/new/{name}", params=values)).text)
        assert syntax(title, text) == [], values
    answer = await client.post("/tables", data={"title": name, count: "99", "clock": "x", "pace": "y"})
    assert answer.status_code == 422 and syntax(title, words(answer.text)) == []


@pytest.mark.parametrize("options", ["drivers=99", "races=x points=1,9", "teams", "drivers=4 drivers=5"])
async def test_no_refusal_of_a_record_has_syntax(client: httpx.AsyncClient, options: str) -> None:
    text = f"paddock record 1\ntitle: lacorsa/2\noptions: {options}\n"
    answer = await client.post("/records", files={"record": ("race.txt", text)})
    assert answer.status_code == 422
    assert "Line 3: " in answer.text and syntax(find_title("lacorsa"), words(answer.text)) == []
