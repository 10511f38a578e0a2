"""The page of a table: the server makes it, and a browser draws it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from paddock.core.settings import environment_with
from paddock.core.title import Title
from paddock.trials.trial import Fault, NotTried, Trial

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chromium-headless-shell")
PATIENCE = 120  # seconds for the browser


@contextmanager
def _server(folder: Path) -> Iterator[str]:
    """Yield the address of a server with a database of its own."""
    environment = environment_with(database_url=f"sqlite:///{folder / 'check.sqlite3'}")
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "paddock", "serve", "--port", "0"],
        env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    assert process.stdout
    lines = []
    try:
        for line in process.stdout:
            lines.append(line)
            if " at http" in line:
                yield line.split(" at ")[1].split()[0]
                return
        raise RuntimeError("".join(lines))
    finally:
        process.terminate()
        process.communicate()


def _post(address: str, data: Any, token: str = "") -> Any:
    """Send JSON; return the answer."""
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    with urlopen(Request(address, json.dumps(data).encode(), headers)) as answer:
        return json.load(answer)


def table(title: Title, seed: int) -> str:
    """Open a table on a server, and show it in a browser if there is one."""
    with tempfile.TemporaryDirectory() as folder, _server(Path(folder)) as url:
        token = _post(f"{url}api/v1/tokens", {"label": "check"})["token"]
        seats = ["me", *["rookie"] * (title.options.read({}).players - 1)]
        made = _post(f"{url}api/v1/tables", {"title": title.name, "seats": seats, "pace": "instant"}, token)
        pages = [f"new/{title.name}", f"rules/{title.name}", f"t/{made['id']}"]
        for page in pages:
            with urlopen(url + page) as answer:
                answer.read()
        return _drawn(url + pages[-1], Path(folder) / "browser")


def _drawn(address: str, profile: Path) -> str:
    """Load a page in Chromium; raise ``Fault`` if it says an error."""
    command = next(filter(None, map(shutil.which, BROWSERS)), None)
    if command is None:
        raise NotTried("the server makes the pages; no Chromium in the PATH to show them")
    run = subprocess.run(
        [
            command, "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
            f"--user-data-dir={profile}", "--enable-logging=stderr", "--dump-dom", "--timeout=8000",
            address,
        ],
        capture_output=True, text=True, timeout=PATIENCE,
    )  # fmt: skip
    errors = [line for line in run.stderr.splitlines() if "CONSOLE" in line and "rror" in line]
    if errors:
        raise Fault("draw.py", errors[0])
    if 'id="board"' not in run.stdout:
        raise Fault("draw.py", "the page has no board")
    return "a table in Chromium"


PAGES = (Trial("page", "draw.py", table),)
