"""The page of a table: the server makes it, and a browser draws it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from paddock.core.settings import environment_with
from paddock.core.title import Title
from paddock.trials.trial import Fault, NotTried, Trial, bound_of, own_place, rules_file

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chromium-headless-shell")
PATIENCE = 120  # seconds for the browser


@contextmanager
def _server(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield the address of a server with a database of its own, and the file of its log."""
    environment = environment_with(database_url=f"sqlite:///{folder / 'check.sqlite3'}")
    log = folder / "server.log"
    with log.open("w") as written, log.open() as lines:
        process = subprocess.Popen(
            [sys.executable, "-u", "-m", "paddock", "serve", "--port", "0"],
            env=environment, stdout=written, stderr=subprocess.STDOUT,
        )  # fmt: skip
        try:
            while not (ready := re.search(r" at (http\S+)", log.read_text("utf-8"))):
                if process.poll() is not None:
                    raise RuntimeError(lines.read())
                time.sleep(0.05)
            yield ready[1], log
        finally:
            process.terminate()
            process.wait()


def _post(address: str, data: Any, token: str = "") -> Any:
    """Send JSON; return the answer."""
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    with urlopen(Request(address, json.dumps(data).encode(), headers)) as answer:
        return json.load(answer)


def table(title: Title, seed: int) -> str:
    """Open a table on a server, and show it in a browser if there is one."""
    with tempfile.TemporaryDirectory() as folder, _server(Path(folder)) as (url, log):
        try:
            token = _post(f"{url}api/v1/tokens", {"label": "check"})["token"]
            seats = ["me", *["rookie"] * (title.options.read({}).players - 1)]
            setup = {"title": title.name, "seats": seats, "pace": "instant"}
            table_id = _post(f"{url}api/v1/tables", setup, token)["id"]
            for page in (f"new/{title.name}", f"rules/{title.name}", f"t/{table_id}"):
                with urlopen(url + page) as answer:
                    answer.read()
        except HTTPError as error:
            raise _refused(title, error, log.read_text("utf-8")) from None
        return _drawn(f"{url}t/{table_id}", Path(folder) / "browser")


def _refused(title: Title, error: HTTPError, log: str) -> Fault:
    """Return the fault behind an answer of the server: what it says, or the last error in its log."""
    where = urlsplit(error.url).path
    says = error.read().decode()
    if error.headers.get_content_type() == "application/json":
        says = str(json.loads(says).get("error", says))
    if error.code < 500:  # the server says what is wrong
        bound = bound_of(says)
        return Fault(rules_file(title) if bound else "rulebook.py", f"{where} answers: {says}", cause=bound)
    places = re.findall(r'File "([^"]+)", line (\d+)', log)
    room = own_place(title, [(file, int(line)) for file, line in places])
    errors = re.findall(r"^\w*(?:Error|Exception|Bounds)\b.*", log, re.MULTILINE)
    says = errors[-1] if errors else says
    return Fault(room or "draw.py", f"{where} answers with an error: {says}", cause=room)


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
