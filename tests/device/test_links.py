"""The application as a device has it: every link and form leads somewhere, and nothing needs anybody else."""

from __future__ import annotations

import re
from collections import Counter, deque
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import httpx
import pytest
from fastapi import FastAPI
from starlette.routing import Match

import paddock
from paddock.core.settings import Settings
from paddock.device.root import features
from paddock.kernel.source import Seeded
from paddock.server.app import create_app
from paddock.tables.means import ONE_THREAD
from sampling import count, some
from store.databases import prepared
from web.conftest import running
from web.helpers import finish

BASE = "/p"
SITE = "http://paddock.test"
# Of several people, other devices or the operator
OF_OTHERS = (
    "others=open",
    'value="open"',
    f"{BASE}/me/device",
    'name="notify"',
    f"{BASE}/pair",
    f"{BASE}/admin",
)
KIND = re.compile(r"\d+|(?<=/t/)[\w-]+|(?<=static/)\w+|[0-9a-f]{8,}")  # what differs in addresses of one kind


class Links(HTMLParser):
    """The links and forms of a page."""

    def __init__(self, page: httpx.Response) -> None:
        super().__init__()
        self.address = str(page.url)
        self.gets, self.posts = list[str](), list[str]()
        self.feed(page.text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note where an element leads to."""
        facts = dict(attrs)
        to = facts.get("action" if tag == "form" else "src" if tag in ("script", "img") else "href")
        if to is None or urlsplit(whole := urljoin(self.address, to)).netloc != urlsplit(SITE).netloc:
            return
        post = tag == "form" and (facts.get("method") or "").lower() == "post"
        (self.posts if post else self.gets).append(whole.removeprefix(SITE).partition("#")[0])


def answers_posts(app: FastAPI, path: str) -> bool:
    """Return whether the application has a route for a form that is sent to this path."""
    scope = {
        "type": "http",
        "path": path.partition("?")[0].removeprefix(BASE),
        "method": "POST",
        "root_path": "",
    }
    return any(route.matches(scope)[0] == Match.FULL for route in app.router.routes)


@pytest.mark.slow("looks at every page of a device")
@pytest.mark.anyio
async def test_no_link_is_dead(tmp_path: Path) -> None:
    """From home, from games of every title before and after their end, and from lessons."""
    settings = Settings(base_path=BASE, hosts=frozenset({"*"}), rate_address=0, rate_holder=0)
    database = prepared(f"sqlite:///{tmp_path / 'tables.sqlite3'}")
    app = create_app(
        database, chance=Seeded(7), pace="instant", settings=settings, features=features(), means=ONE_THREAD
    )
    async with running(app) as client:
        waiting, seen, kinds = deque([f"{BASE}/"]), set[str](), Counter[str]()

        async def visit() -> None:
            while waiting:
                path = waiting.popleft()
                kinds[kind := KIND.sub("", path)] += path not in seen
                if path in seen or kinds[kind] > count(2, 30) or "/stream" in path:
                    continue
                seen.add(path)
                answer = await client.get(path)
                assert answer.status_code in (200, 204, 303), (path, answer.status_code)
                if answer.status_code == 303:
                    waiting.append(answer.headers["location"])
                if not answer.headers.get("content-type", "").startswith("text/html"):
                    continue
                assert not [word for word in OF_OTHERS if word in answer.text], path
                links = Links(answer)
                waiting.extend(links.gets)
                assert [form for form in links.posts if not answers_posts(app, form)] == [], path

        await visit()
        for name in some([*paddock.titles()], 1, "links"):
            asked = {"title": name, "pace": "instant", "who-1": "me"}
            made = await client.post(
                f"{BASE}/tables", data=asked | {f"who-{n}": "rookie" for n in range(2, 5)}
            )
            lesson = await client.post(f"{BASE}/learn/{name}")
            table = made.headers["location"]
            waiting.extend([table, lesson.headers["location"]])
            await visit()
            await finish(client, table)
            seen.discard(table)
            waiting.append(table)
            await visit()
        assert {f"{BASE}/puzzles", f"{BASE}/me", f"{BASE}/rules/lacorsa"} <= seen
        assert len(seen) > count(40, 60)
