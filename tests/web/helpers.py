"""Actions of a player on pages, for tests without a browser."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass

import httpx

from paddock.tables import Table, Tables, automatic, forced
from paddock.tables.lessons import waits
from tables.clockwork import PATIENCE_S
from tables.harness import decide

HUMANS = {"title": "lacorsa", "races": "1", "pace": "instant"} | {f"who-{i}": "me" for i in range(1, 7)}
SHORT = "r10-130 g10-130\nk30 k90"  # a deck that makes a game of Rasant short
RASANT = {name: value for name, value in HUMANS.items() if name != "races"} | {
    "title": "rasant", "games": "1", "deck": SHORT
}  # fmt: skip


@dataclass
class Form:
    """An open form of a table page."""

    seat: str
    decision: str
    key: str
    moves: list[str]

    def data(self, move: str | None = None) -> dict[str, str]:
        """Return the fields that it sends."""
        return {
            "seat": self.seat,
            "decision": self.decision,
            "key": self.key,
            "move": self.moves[0] if move is None else move,
        }


def forms(page: str) -> list[Form]:
    """Return the forms of a table page where a move can be chosen."""
    out = []
    for text in re.findall(r'<form[^>]*class="(?:compose|moves)".*?</form>', page, re.DOTALL):
        fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', text))
        moves = [
            html.unescape(m) for m in re.findall(r'<(?:option|button[^>]* name="move") value="([^"]+)"', text)
        ]
        out.append(Form(fields["seat"], fields["decision"], fields["key"], moves))
    return out


def words(text: str) -> str:
    """Return the words of a page."""
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", text)))


async def table(client: httpx.AsyncClient, **fields: str) -> str:
    """Create a table with all seats on this device, unless the fields say otherwise; return its path."""
    usual = RASANT if fields.get("title") == "rasant" else HUMANS
    answer = await client.post("/tables", data=usual | fields)
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


def tables_of(client: httpx.AsyncClient) -> Tables:
    """Return the tables of the application that a client speaks to in this process.

    httpx has no public name for it, and no type that knows of our state.
    """
    tables: Tables = client._transport.app.state.tables  # type: ignore[attr-defined]
    return tables


async def page(client: httpx.AsyncClient, path: str) -> str:
    """Return the page after forced moves, and after lifting the curtain if there is one."""
    tables = tables_of(client)
    id = path.split("/")[2]
    async with tables.streams.watch(id) as changed:
        table = await tables.table(id)
        while any(forced.of(table, seat) for seat in table.awaited_seats()):
            await changed(PATIENCE_S)
    text = (await client.get(path)).text
    if 'class="curtain' in text:
        player = re.findall(r'name="player" value="(\d+)"', text)[0]
        await client.post(f"{path}/sit", data={"player": player})
        text = (await client.get(path)).text
    return text


async def turn(tables: Tables, table: Table) -> None:
    """Wait until a person must decide, a lesson waits, or the game is over."""
    async with tables.streams.watch(table.id) as changed:
        while not (table.game.over or waits(table)):
            if {*table.awaited_seats()} - automatic.awaited(table).keys():
                return
            await changed(PATIENCE_S)


async def settled(tables: Tables, table: Table) -> None:
    """Wait until only people must decide: no bot changes the page."""
    async with tables.streams.watch(table.id) as changed:
        while automatic.awaited(table):
            await changed(PATIENCE_S)


async def finish(client: httpx.AsyncClient, path: str) -> None:
    """Play the first legal moves until the game is over; not by pages, which takes ten times as long."""
    tables = tables_of(client)
    table = await tables.table(path.rpartition("/")[2])
    while not table.game.over:
        seat = table.awaited_seats()[0]
        move = dict(table.moves(table.options.owners[seat]))[seat][0][1]
        await decide(tables, table, seat, move)


async def play_out(client: httpx.AsyncClient, path: str, moves: int = 400) -> None:
    """Play the first legal move of every form until the game is over or this many moves are made."""
    for _ in range(moves):
        text = await page(client, path)
        open_forms = forms(text)
        if not open_forms:
            assert "/replay" in text
            return
        answer = await client.post(f"{path}/move", data=open_forms[0].data())
        assert answer.status_code == 303, answer.text
