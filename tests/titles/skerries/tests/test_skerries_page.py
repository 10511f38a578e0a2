"""Skerries on pages without script: a chain is chosen link by link, previewed, and sent as one."""

from __future__ import annotations

import html
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from paddock.core.title import Title
from paddock.server.app import create_app
from web.conftest import running
from web.helpers import page as shown
from web.helpers import play_out

pytestmark = pytest.mark.anyio
FORM = {"title": "skerries", "skippers": "2", "races": "1", "chart": "q...h/x+..l", "pace": "instant"}


class Breeze:
    """Chance that always gives the same: a 2 on the die."""

    def below(self, n: int) -> int:
        """The second outcome, where there is one."""
        return min(1, n - 1)


@dataclass
class Table:
    """A table for two on one device, where skipper 1 must sail."""

    client: httpx.AsyncClient
    path: str
    text: str

    @property
    def fields(self) -> dict[str, str]:
        """The fields of its form except the move."""
        return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', self.form))

    @property
    def form(self) -> str:
        """The form in which a move is chosen."""
        return re.findall(r'<form[^>]*class="compose".*?</form>', self.text, re.S)[0]

    @property
    def options(self) -> list[str]:
        """What the form can send."""
        return [html.unescape(move) for move in re.findall(r'<option value="([^"]+)"', self.form)]

    @property
    def chosen(self) -> str:
        """The links that the page previews."""
        return html.unescape(re.findall(r'data-chosen="([^"]*)"', self.form)[0])

    async def post(self, where: str, move: str, more: dict[str, str] | None = None) -> httpx.Response:
        """Send the form, and take the answer as the page."""
        data = self.fields | {"move": move} | (more or {})
        answer = await self.client.post(f"{self.path}/{where}", data=data, follow_redirects=True)
        self.text = answer.text
        return answer


@pytest.fixture
async def table(skerries: Title, tmp_path: Path) -> AsyncIterator[Table]:
    """Every roll is a 2: four wind."""
    app = create_app(f"sqlite:///{tmp_path / 'p.sqlite3'}", chance=Breeze(), pace="instant")
    async with running(app) as client:
        answer = await client.post("/tables", data=FORM | {"who-1": "me", "who-2": "me"})
        path = answer.headers["location"]
        text = await shown(client, path)
        assert "You have 4 wind" in text
        yield Table(client, path, text)


async def test_the_form_lists_the_next_links_and_ready_chains(table: Table) -> None:
    ways = ["e; e", "e; se", "e; e; e", "e; e; sw", "e; e; se", "e; e; e; e", "e; e; e; se", "e; e; e; sw"]
    assert table.options[:2] == ["e", "stop"] and set(table.options[2:]) < set(ways)
    assert {"e; e", "e; se", "e; e; e; e"} < set(table.options)
    assert table.chosen == "" and "data-says" not in table.form
    assert 'formaction="' + table.path + '/preview"' in table.form
    assert table.form.index('class="primary"') < table.form.index("formaction"), "Enter sends"


async def test_a_preview_shows_where_the_links_lead_and_tells_nobody(table: Table) -> None:
    record = (await table.client.get(f"{table.path}/record")).text
    answer = await table.post("preview", "e; se")
    assert answer.status_code == 200 and table.chosen == "e; se"
    assert "You have 1 wind" in table.text and "Sail south-east to the reef b2" in table.text
    assert "Total: wind 3" in table.text
    assert re.search(r"<button class=\"primary\"[^>]*>Send 2 moves; the last: Sail south-east", table.form)
    boat = re.search(r'<g id="boat-1"[^>]*><g[^>]*transform="translate\(([\d.]+) ([\d.]+)\)', table.text)
    assert boat and float(boat[2]) > 60, "in the second row"
    assert (
        table.options == ["e; se", "e; se; e", "e; se; nw", "e; se; ne", "e; se; stop"]
        or table.options[0] == "e; se"
    )
    assert table.options == ["e; se", "e; se; e", "e; se; ne", "e; se; nw", "e; se; stop"]
    assert (await table.client.get(f"{table.path}/record")).text == record
    assert "You have 4 wind" in (await table.client.get(table.path)).text


async def test_a_preview_has_the_digest_of_the_page_itself(table: Table) -> None:
    """Otherwise wake-ups would fetch the page again and again."""
    plain = re.findall(r'data-digest="(\w+)"', table.text)
    await table.post("preview", "e")
    assert re.findall(r'data-digest="(\w+)"', table.text) == plain


async def test_a_chain_is_sent_as_one(table: Table) -> None:
    await table.post("preview", "e; w")
    answer = await table.post("move", table.chosen + "; stop")
    assert answer.status_code == 200 and answer.history[0].status_code == 303
    record = (await table.client.get(f"{table.path}/record")).text
    assert "1: e; w; stop\n" in record


async def test_what_the_rules_refuse_keeps_the_links_before_it(table: Table) -> None:
    for where in ("preview", "move"):
        answer = await table.post(where, "e; w; nw; e")
        assert answer.status_code == 422
        assert re.search(
            r'role="alert">The chart ends there\. <a href="/rules/skerries#SK-2\.3">', table.text
        )
        assert table.chosen == "e; w"
    record = (await table.client.get(f"{table.path}/record")).text
    assert "1: e" not in record


async def test_nothing_follows_the_end_of_a_chain(table: Table) -> None:
    await table.post("preview", "e; stop")
    assert table.chosen == "e; stop" and table.options == ["e; stop"]
    answer = await table.post("preview", "e; stop; e")
    assert answer.status_code == 422 and "the chain ends with move 2" in table.text.lower()
    assert table.chosen == "e; stop"


async def test_no_links_at_all_show_the_page_itself(table: Table) -> None:
    await table.post("preview", "e")
    await table.post("preview", "")
    assert table.chosen == "" and "You have 4 wind" in table.text
    answer = await table.post("move", "")
    assert answer.status_code == 422 and "Choose a move first." in table.text


@pytest.mark.parametrize(
    ("more", "code"),
    [({"decision": "999"}, 200), ({"seat": "1"}, 200), ({"seat": "7"}, 200), ({"seat": "x"}, 400),
     ({"move": "nonsense"}, 422), ({"move": "; ".join(["e"] * 101)}, 422), ({"move": "e" * 10**5}, 413)],
)  # fmt: skip
async def test_a_preview_of_something_else_is_the_page_itself(
    table: Table, more: dict[str, str], code: int
) -> None:
    answer = await table.post("preview", "e", more)
    assert answer.status_code == code
    if code == 200:
        assert table.chosen == "" and "You have 4 wind" in table.text


async def test_a_stranger_gets_no_preview(table: Table) -> None:
    stranger = httpx.AsyncClient(transport=table.client._transport, base_url="http://paddock.test")
    answer = await stranger.post(f"{table.path}/preview", data=table.fields | {"move": "e"})
    assert answer.status_code == 200
    assert 'class="compose"' not in answer.text and "data-move" not in answer.text


async def test_a_hex_in_reach_is_a_button_and_others_are_not(table: Table) -> None:
    buttons = dict(re.findall(r'<g id="hex-(\w+)"[^>]*data-move="([^"]+)"', table.text))
    assert (buttons["b1"], buttons["c1"], buttons["b2"]) == ("e", "e; e", "e; se")
    assert "a1" not in buttons and "a2" not in buttons, "the boat is there, and a skerry"


async def test_a_whole_race_has_every_page(table: Table) -> None:
    for address in ("/?title=skerries", "/new/skerries", "/rules/skerries"):
        assert (await table.client.get(address)).status_code == 200
    await play_out(table.client, table.path)
    over = (await table.client.get(table.path)).text
    assert 'class="sk-podium"' in over and "podium.svg" in over
    for eyes in ("all", "none", "1"):
        replay = (await table.client.get(f"{table.path}/replay?step=0&eyes={eyes}")).text
        assert 'class="sk-chart"' in replay and "data-move" not in replay
    assert (
        (await table.client.get(f"{table.path}/podium.svg")).headers["content-type"].startswith("image/svg")
    )


async def test_it_is_set_up_by_pictures(table: Table) -> None:
    """SK-1.1: presets, charts with their facts, and a chart of one's own with every fault beside it."""
    text = (await table.client.get("/new/skerries?skippers=2&races=3&chart=narrows")).text
    assert re.findall(r'value="(\w+)"[^>]* aria-current="true"', text) == ["regatta"]
    assert "Three sisters" in text and "5 by 11 hexes · 4 harbours" in text
    pictures = {html.unescape(one) for one in re.findall(r'<img src="(/pictures/skerries/[^"]+)"', text)}
    assert {one.split("?")[0].rpartition("/")[2] for one in pictures} == {"chart", "presets", "skippers"}
    for one in pictures:
        assert (await table.client.get(one)).text.startswith("<svg")
    wrong = {"chart": "own", "chart-own": "q.\n.x\n.h."}
    text = html.unescape((await table.client.post("/new/skerries", data=wrong)).text)
    said = re.search(r'id="said-chart".*?</div>', text, re.S)
    assert said and said[0].count("<li>") == 2 and "Row 3 has 3 hexes, row 1 has 2." in said[0]
    text = (await table.client.post("/new/skerries", data=wrong | {"chart-own": "q.h\n..l"})).text
    assert 'name="chart" value="q.h/..l" checked' in text and "2 by 3 hexes" in text
