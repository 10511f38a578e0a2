"""Writes Paddock as a folder of static files that runs in a browser: ``paddock pack FOLDER``.

Three parts come together: Python for the browser (the npm package ``pyodide``), the packages that it needs
(pure ones from the installation that runs this, those in C as wheels for the browser), and Paddock itself.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import json
import mimetypes
import re
import shutil
import sqlite3
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any

from platformdirs import user_cache_path

import paddock
from paddock.bots.champion import FOLDER, has_networks, playing
from paddock.core.errors import PaddockError
from paddock.core.extras import DISTRIBUTION
from paddock.core.i18n import LOCALE, _, catalogues, language, languages, mark
from paddock.device.home import homes
from paddock.device.root import FRESH
from paddock.features import FEATURES
from paddock.store.database import database_url, sqlite, upgrade

PYODIDE = "314.0.7"  # of the npm package; it is Python 3.14
SHA256 = "66b7949e5a0cba2250b586d7e368bf12fb482800748d182c4618254b685ffaa0"  # of its archive
PYTHON, PLATFORM = "3.14", "pyemscripten_2026_0_wasm32"
LIBRARY = "python_stdlib.zip"
PYTHON_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", LIBRARY, "pyodide-lock.json")
CODE = "code.zip"
LARGE = frozenset({*PYTHON_FILES, CODE})  # what is kept compressed
ABOVE = ("404.html", "index.html", "sw.js")  # what stands at the base path itself
STATIC = Path(__file__).parent / "static"
PACKED = ".packed"  # what is behind the name of a file that is compressed
# Distributions that a browser does without: those in C, and those of the terminal and of a server's sockets
LEFT_OUT = frozenset({
    "aiosqlite", "brotli", "cffi", "click", "cryptography", "greenlet", "httptools",
    "icalendar", "numpy", "orjson", "prometheus-client", "pycparser", "pygments",
    "resvg-py", "rich", "shellingham", "typer", "tzdata", "uvicorn", "uvloop",
    "zstandard",
})  # fmt: skip
FOR_BROWSER = ("pydantic-core",)  # distributions in C that have wheels for a browser
# What only a computer uses of Paddock, of packages, and of the library: a test says that nothing needs it
ELSEWHERE = re.compile(
    r"paddock/(arena|lab|envs|tasks|terminal|trials|device/static)/|paddock/(cli\w*|admin|__main__|device/(home|pack|trim))\.py"
    r"|paddock/(server/(serve|processes|doctor)|core/processes|features/\w+/commands)\.py|.*\.mjs$|.*/provision\.py"
    r"|sqlalchemy/(testing/|dialects/(mysql|oracle|mssql)/|ext/(associationproxy|automap|baked|declarative|hybrid"
    r"|horizontal_shard|indexable|instrumentation|mutable|mypy|orderinglist|serializer)\b)"
    r"|alembic/(templates|testing)/|anyio/(_backends/_trio|pytest_plugin)|dotenv/(__main__|cli|ipython)|fastapi/testclient"
    r"|httpcore/(\w+/(http2|socks_proxy)|_backends/trio)|mako/(ext|testing)/|platformdirs/pytest_plugin"
    r"|pydantic/(v1/|mypy|experimental/)|starlette/(testclient|middleware/sessions)"
)
LIBRARY_ELSEWHERE = re.compile(
    r"(_pyrepl|multiprocessing|unittest|xmlrpc|wsgiref|ctypes/macholib|xml/(dom|etree)|__phello__)/"
    r"|(__hello__|_pydatetime|_pyio|antigravity|bdb|cProfile|cmd|compileall|doctest|fileinput|ftplib|imaplib"
    r"|mailbox|modulefinder|optparse|pdb|pickletools|plistlib|poplib|profile|pstats|py_compile|pyclbr|pydoc"
    r"|rlcompleter|shelve|smtplib|tabnanny|tarfile|this|trace|turtle|wave|zipapp)\.py$"
    r"|asyncio/(__main__|proactor_events|tools|windows_events|windows_utils)\.py|concurrent/futures/process\.py"
    r"|logging/(config|handlers)\.py|pyodide/console\.py"
    r"|encodings/(?!__init__|_|aliases|ascii|base64|charmap|cp437|cp1252|hex|idna|iso8859_1\.|latin_1|mbcs|punycode"
    r"|raw_unicode|unicode_escape|undefined|utf_)"
)
LEAVE = (".so", ".pyd", ".pyi", ".pot", ".typed", ".c", ".h", ".pyc", ".pyx", ".pem")
WORDS: Mapping[str, str] = {  # what the loader says
    "gets": mark("Paddock is loaded onto this device once."),
    "bytes": mark("{n} of {of} MB"),
    "starts": mark("Paddock starts …"),
    "pressed": mark("Paddock starts, and goes on with what you have pressed …"),
    "cannot": mark("This browser cannot run Paddock on the device. Try a newer one, and no private window."),
    "full": mark("The storage of this browser is full. Make room, and reload the page."),
    "little": mark("The storage of this browser is nearly full. Make room, or download your games."),
    "unkept": mark(
        "The storage of this browser is full: what you do now is not kept. Make room, or download your games."
    ),
    "gone": mark(
        "The storage of this browser was cleared: nothing is kept now. Download your games, then reload."
    ),
    "elsewhere": mark("Paddock runs in another window already. Close it, and reload this page."),
    "newer": mark(
        "This browser has games of a newer version of Paddock. They are kept: come back when this address has"
        " that version again, or download them."
    ),
    "save": mark("Download my games"),
    "way": mark("Back to {host}"),
    "failed": mark("Paddock does not start. Reload the page to try again."),
}


class PackError(PaddockError):
    """What is missing to write the folder, or what failed."""


@dataclass(frozen=True, kw_only=True)
class Written:
    """What was written: the version, the bytes that a first visit loads, and how many files."""

    version: str
    bytes: int
    files: int


def pack(folder: Path, python: Path | None = None, wheels: Path | None = None) -> Written:
    """Write the files into a folder, which must be empty or one of an earlier pack.

    ``python`` is the unpacked npm package ``pyodide``, ``wheels`` a folder of wheels for the browser. Without
    them, both are downloaded once.
    """
    if folder.exists() and any(folder.iterdir()) and not (folder / "pack.json").exists():
        words = _("{folder} has files of something else: name an empty folder").format(folder=folder)
        raise PackError(words)
    python = python or python_for_browser()
    sources = dict(collect(wheels or wheels_for_browser()))
    files = {name: (python / name).read_bytes() for name in PYTHON_FILES}
    own = {name: sources.pop(name) for name in [*sources] if name.startswith("paddock/")}
    made = compiled(python, {"library": library(files[LIBRARY]), "packages": sources, "paddock": own})
    code = unzipped(made["packages"]) | unzipped(made["paddock"]) | {f"paddock/device/{FRESH.name}": fresh()}
    files |= {CODE: zipped(code), LIBRARY: made["library"]}
    return write(folder, files | shell() | homes())


def fresh() -> bytes:
    """Return a database without games, as migrations make it."""
    with TemporaryDirectory() as scratch:
        engine = sqlite(database_url(f"sqlite:///{scratch}/{FRESH.name}"))
        with engine.begin() as connection:
            upgrade(connection)
        engine.dispose()
        with closing(sqlite3.connect(Path(scratch, FRESH.name))) as file:
            file.execute("PRAGMA journal_mode = DELETE")  # everything is in one file then
        return Path(scratch, FRESH.name).read_bytes()


def write(folder: Path, files: Mapping[str, bytes]) -> Written:
    """Write the files of a version, and what points to it. Earlier versions go."""
    listed, stored = list[dict[str, Any]](), dict[str, bytes]()
    for name, data in sorted(files.items()):
        if name in ABOVE:
            continue
        worth = name in LARGE  # the loader gets these; the shell page needs the others before it runs
        sent = gzip.compress(data, 9, mtime=0) if worth else data
        stored[name + PACKED if worth else name] = sent
        listed.append(
            {
                "name": name,
                "type": media_type(name),
                "hash": hashlib.sha256(data).hexdigest(),
                "bytes": len(sent),
                "packed": worth,
            }
        )
    listing = json.dumps(listed, indent=1).encode()
    version = hashlib.sha256(b"".join([listing, *(files[name] for name in ABOVE)])).hexdigest()[:12]
    shutil.rmtree(folder / "pack", ignore_errors=True)
    inside = folder / "pack" / version
    inside.mkdir(parents=True)
    for name, data in {**stored, "files.json": listing}.items():
        (inside / name).write_bytes(data)
    (folder / "sw.js").write_bytes(files["sw.js"])
    (folder / "index.html").write_bytes(files["index.html"].replace(b"@VERSION@", version.encode()))
    (folder / "404.html").write_bytes(allowed(files["404.html"]))
    (folder / "pack.json").write_text(json.dumps({"version": version, "paddock": paddock.__version__}))
    (folder / ".nojekyll").write_bytes(b"")  # GitHub Pages leaves names such as __init__ alone then
    return Written(version=version, bytes=sum(file["bytes"] for file in listed), files=len(listed))


def allowed(page: bytes) -> bytes:
    """Return a page whose policy allows its own script."""
    script = re.search(rb"<script[^>]*>(.*?)</script>", page, re.DOTALL)
    digest = hashlib.sha256(script[1] if script else b"").digest()
    return page.replace(b"@HASH@", base64.b64encode(digest))


def media_type(name: str) -> str:
    """Return the type of a file as browsers want it."""
    known = {".mjs": "text/javascript", ".js": "text/javascript", ".wasm": "application/wasm"}
    return known.get(Path(name).suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"


def shell() -> dict[str, bytes]:
    """Return the files of the shell page and its workers."""
    files = {path.name: path.read_bytes() for path in STATIC.iterdir()}
    icon = Path(paddock.__file__).parent / "web" / "static" / "icon.svg"
    return files | {"icon.svg": icon.read_bytes(), "words.json": words()}


def words() -> bytes:
    """Return what the loader says, in every language."""
    said: dict[str, dict[str, str]] = {}
    for code in ("en", *languages(LOCALE)):
        said[code] = {name: in_language(code, text) for name, text in WORDS.items()}
    return json.dumps(said, ensure_ascii=False).encode()


def in_language(code: str, text: str) -> str:
    """Return a message in a language."""
    catalogues.set(LOCALE)
    before = language.set(code)
    try:
        return _(text)
    finally:
        language.reset(before)


def collect(wheels: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the files of Paddock and of the packages that it needs, by their names in Python's folder."""
    yield from of_paddock()
    for package in needed(DISTRIBUTION):
        if canonical(package.name) not in FOR_BROWSER:
            yield from of_package(package)
    for name in FOR_BROWSER:
        version = distribution(name).version
        pattern = f"{name.replace('-', '_')}-{version}-*{PLATFORM}.whl"
        wheel = next(wheels.glob(pattern), None)
        if wheel is None:
            sentence = _("there is no wheel {pattern} in {folder}")
            raise PackError(sentence.format(pattern=pattern, folder=wheels))
        with zipfile.ZipFile(wheel) as archive:
            for entry in archive.namelist():
                if entry.endswith(".so") or kept(entry):
                    yield entry, archive.read(entry)


def of_paddock() -> Iterator[tuple[str, bytes]]:
    """Yield Paddock's own files, without stages of training, features for several people, and what only a
    computer uses.
    """
    root = Path(paddock.__file__).parent
    networks = {
        Path(str(title.file(FOLDER)), f"{name}.npz")
        for title in paddock.titles().values()
        if has_networks(title)
        for name in playing(title)
    }
    together = tuple(f"{feature.package.replace('.', '/')}/" for feature in FEATURES if not feature.alone)
    for path in sorted(root.rglob("*")):
        name = f"paddock/{path.relative_to(root).as_posix()}"
        if name.startswith(together):
            continue
        if path.is_file() and kept(name) and (path.suffix != ".npz" or path in networks):
            yield name, path.read_bytes()
    yield from described(distribution(DISTRIBUTION))


def of_package(package: Distribution) -> Iterator[tuple[str, bytes]]:
    """Yield the files of an installed package that a browser can use."""
    yield from described(package)
    for file in package.files or ():
        name = PurePosixPath(file).as_posix()
        if not name.startswith("..") and ".dist-info/" not in name and kept(name):
            yield name, Path(str(package.locate_file(file))).read_bytes()


def described(package: Distribution) -> Iterator[tuple[str, bytes]]:
    """Yield what a package says of itself: its version, its licences, and its entry points."""
    folder = f"{canonical(package.name).replace('-', '_')}-{package.version}.dist-info"
    for name in ("METADATA", "entry_points.txt"):
        if text := package.read_text(name):
            yield f"{folder}/{name}", text.encode()
    for file in package.files or ():
        if ".dist-info/licenses/" in str(file) or re.search(r"\.dist-info/LICEN[CS]E", str(file)):
            yield (
                f"{folder}/licenses/{file.name}",
                Path(str(package.locate_file(file))).read_bytes(),
            )


def kept(name: str) -> bool:
    """Return whether a file of a package goes into the pack."""
    parts = name.split("/")
    return not (name.endswith(LEAVE) or "__pycache__" in parts or "tests" in parts or ELSEWHERE.match(name))


def needed(name: str, extras: Iterable[str] = ("serve",)) -> list[Distribution]:
    """Return the installed packages that one needs, itself left out."""
    reached: dict[str, Distribution] = {}

    def reach(names: Iterable[str]) -> None:
        for each in names:
            if each in LEFT_OUT or each in reached:
                continue
            try:
                reached[each] = distribution(each)
            except PackageNotFoundError:
                continue  # what another system or another version of Python needs
            reach(requirements(reached[each], ()))

    reach(requirements(distribution(name), extras))
    return list(reached.values())


def requirements(package: Distribution, extras: Iterable[str]) -> list[str]:
    """Return the names of the packages that one needs, and those of some of its extras."""
    names = []
    for line in package.requires or ():
        text, _semicolon, marker = line.partition(";")
        extra = re.search(r"extra\s*==\s*['\"]([^'\"]+)", marker)
        if not extra or extra[1] in extras:
            names.append(canonical(re.split(r"[^\w.-]", text.strip())[0]))
    return names


def canonical(name: str) -> str:
    """Return the name of a package as indexes write it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Return a zip of files, not compressed, the same bytes each time."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(name), data)
    return out.getvalue()


def library(archive: bytes) -> dict[str, bytes]:
    """Return the files of Python's own library that a browser can use."""
    with zipfile.ZipFile(io.BytesIO(archive)) as files:
        names = [name for name in files.namelist() if not LIBRARY_ELSEWHERE.match(name)]
        return {name: files.read(name) for name in names if name.endswith(".py")}


def unzipped(archive: bytes) -> dict[str, bytes]:
    """Return the files of a zip."""
    with zipfile.ZipFile(io.BytesIO(archive)) as files:
        return {name: files.read(name) for name in files.namelist()}


def compiled(python: Path, archives: Mapping[str, Mapping[str, bytes]]) -> dict[str, bytes]:
    """Return zips of modules as bytecode of the browser's Python, which runs under Node for it.

    Of each name the last one is kept in the user's cache: packages and the library seldom change.
    """
    cache = user_cache_path("paddock") / "bytecode"
    cache.mkdir(parents=True, exist_ok=True)
    here = Path(__file__).parent
    makers = [here / "compile.mjs", here / "trim.py", python.resolve() / "pyodide.asm.wasm"]
    by = hashlib.sha256(b"".join(maker.read_bytes() for maker in makers)).digest()
    sources = {name: zipped(files) for name, files in archives.items()}
    kept = {
        name: cache / f"{name}-{hashlib.sha256(by + data).hexdigest()}.zip" for name, data in sources.items()
    }
    made = dict[str, bytes]()
    for name, file in kept.items():
        with suppress(FileNotFoundError):
            made[name] = file.read_bytes()
    with TemporaryDirectory(dir=cache) as scratch:
        paths = {name: Path(scratch, name) for name in archives if name not in made}
        for name, path in paths.items():
            path.write_bytes(sources[name])
        if paths:
            script = [program("node"), str(makers[0]), str(python.resolve()), str(makers[1])]
            call([*script, *map(str, paths.values())])
        for name, path in paths.items():
            made[name] = path.read_bytes()
            for earlier in cache.glob(f"{name}-*.zip"):
                earlier.unlink(missing_ok=True)
            path.rename(kept[name])  # it is there as a whole, or not at all
    return made


def downloaded() -> bool:
    """Return whether a pack can be written without a download."""
    return bool(shutil.which("node")) and _has_python(_python_cache()) and not _lacking(_wheel_cache())


def _python_cache() -> Path:
    return user_cache_path("paddock") / f"pyodide-{PYODIDE}"


def _has_python(cache: Path) -> bool:
    return (cache / "package" / "pyodide.asm.wasm").exists()


def _wheel_cache() -> Path:
    return user_cache_path("paddock") / "wheels"


def _lacking(cache: Path) -> list[str]:
    """Return the requirements of which a folder has no wheel for the browser."""
    wanted = {name: distribution(name).version for name in FOR_BROWSER}
    return [
        f"{name}=={version}"
        for name, version in wanted.items()
        if not any(cache.glob(f"{name.replace('-', '_')}-{version}-*{PLATFORM}.whl"))
    ]


def python_for_browser() -> Path:
    """Return the folder of the npm package, downloaded once."""
    cache = _python_cache()
    if not _has_python(cache):
        cache.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=cache) as scratch:
            call([program("npm"), "pack", "--silent", "--pack-destination", scratch, f"pyodide@{PYODIDE}"])
            data = Path(scratch, f"pyodide-{PYODIDE}.tgz").read_bytes()
            if hashlib.sha256(data).hexdigest() != SHA256:
                raise PackError(
                    _("the download of {name} is not the one that is known").format(name="pyodide")
                )
            with tarfile.open(fileobj=io.BytesIO(data)) as archive:
                archive.extractall(scratch, filter="data")
            shutil.rmtree(cache / "package", ignore_errors=True)
            Path(scratch, "package").rename(cache / "package")  # it is there as a whole, or not at all
    return cache / "package"


def wheels_for_browser() -> Path:
    """Return the folder of wheels for the browser, downloaded once: of the versions that are installed."""
    cache = _wheel_cache()
    only = ["--no-deps", "--only-binary=:all:", "--platform", PLATFORM, "--python-version", PYTHON]
    for requirement in _lacking(cache):
        call([sys.executable, "-m", "pip", "download", "--quiet", *only, "--dest", str(cache), requirement])
    return cache


def program(name: str) -> str:
    """Return where a program is. Raises ``PackError`` if it is not installed."""
    path = shutil.which(name)
    if path is None:
        raise PackError(_("{program} is not installed: it comes with Node.js").format(program=name))
    return path


def call(command: list[str]) -> None:
    """Run a command. Raises ``PackError`` with the last line that it says if it fails."""
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode:
        last = (result.stderr.strip() or result.stdout.strip() or "?").splitlines()[-1]
        sentence = _("“{command}” failed: {reason}")
        raise PackError(sentence.format(command=" ".join(command[:4]), reason=last))
