"""Type the commands of docs/host.md as they are written, and use what they set up: ``make host``.

Everything happens in a mount and network namespace of its own, over copies of /etc, /opt, /var and others, so
that the page's own paths and ports are used and nothing of this machine changes. It needs root, Linux, and
Debian's caddy, nginx, curl, openssl and postgresql. What stands for the rest of a machine:

- ``sudo`` runs the command; ``systemctl`` reads the unit file of the page, and runs its command as another
  user with nothing but the variables of the unit; ``journalctl`` shows what it has said.
- Wheels are downloaded before, as there is no network inside. Certificates are Caddy's own or openssl's.

Each step is printed. The first one that fails ends the script with 1.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import shutil
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import yaml

ROOT = Path(__file__).parents[1]
PAGE, UPGRADE = ROOT / "docs/host.md", ROOT / "docs/upgrade.md"
NAME, CLUB = "play.club.example", "club.example"
TOKEN = "0123456789abcdef0123456789abcdef"
OVERLAID = ("/etc", "/opt", "/var", "/usr/local", "/run")
USER = 61_234  # of the service
UNIT = Path("/etc/systemd/system/paddock.service")
LOG = Path("/var/log/paddock-unit.log")
SHIMS = {
    "sudo": """#!/bin/sh
if [ "$1" = -u ]; then
    user=$2
    shift 2
    exec setpriv --reuid "$user" --regid "$user" --clear-groups env "$@"
fi
exec env "$@"
""",
    "journalctl": f"#!/bin/sh\ncat {LOG}\n",
    "systemctl": f'#!/bin/sh\nexec {sys.executable} {__file__} --systemctl "$@"\n',
}


# ---- the machine


def overlay(folder: str, work: Path) -> None:
    """Mount a copy of a folder over it, which forgets what is written."""
    name = folder.strip("/").replace("/", "-")
    upper, inner = work / name, work / f"{name}.work"
    upper.mkdir()
    inner.mkdir()
    options = f"lowerdir={folder},upperdir={upper},workdir={inner}"
    subprocess.run(["mount", "-t", "overlay", "overlay", "-o", options, folder], check=True)


def loopback() -> None:
    """Switch the loopback of this network namespace on."""
    with socket.socket() as it:
        request = struct.pack("16sh", b"lo", 0x1)  # IFF_UP
        fcntl.ioctl(it, 0x8914, request)  # SIOCSIFFLAGS


def systemctl(words: list[str]) -> int:
    """Do what the page asks of systemd: start, stop or restart the service."""
    command = next(word for word in words if not word.startswith("-"))
    pid = Path("/run/paddock.pid")
    if command in ("stop", "restart") and pid.exists():
        number = int(pid.read_text())
        os.kill(number, 15)
        while Path(f"/proc/{number}").exists() and "Z" not in Path(f"/proc/{number}/stat").read_text():
            time.sleep(0.05)
        pid.unlink()
    if command in ("enable", "start", "restart"):
        unit = UNIT.read_text()
        environment = dict(
            line.split("=", 1) for line in re.findall(r"^Environment=(.*)$", unit, re.MULTILINE)
        ) | {"PATH": "/usr/bin:/bin"}
        for kind, base in (("State", "/var/lib"), ("Cache", "/var/cache")):
            for name in re.findall(rf"^{kind}Directory=(.*)$", unit, re.MULTILINE):
                folder = Path(base) / name
                folder.mkdir(exist_ok=True)
                os.chown(folder, USER, USER)
        run = re.findall(r"^ExecStart=(.*)$", unit, re.MULTILINE)[0].split()
        log = LOG.open("ab")
        server = subprocess.Popen(
            ["setpriv", "--reuid", str(USER), "--regid", str(USER), "--clear-groups", *run],
            env=environment, stdout=log, stderr=log, stdin=subprocess.DEVNULL, cwd="/",
            start_new_session=True,
        )  # fmt: skip
        pid.write_text(str(server.pid))
        said = wait_for("http://127.0.0.1:8000/healthz", verify=False)
        if said is None:
            print(LOG.read_text(), file=sys.stderr)
            return 1
    return 0


def wait_for(url: str, seconds: float = 120, **how: Any) -> httpx.Response | None:
    """Return the first answer of an address; None if there is none in time."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            answer = httpx.get(url, trust_env=False, timeout=20, **how)
            if answer.status_code < 500:
                return answer
        except (httpx.TransportError, FileNotFoundError):
            pass
        time.sleep(0.2)
    return None


# ---- the page


def section(heading: str, page: Path = PAGE) -> str:
    text = page.read_text("utf-8")
    found = text.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    if not found:
        raise SystemExit(f"{page} has no section “{heading}”")
    return found


def blocks(heading: str, language: str, page: Path = PAGE) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", section(heading, page), re.DOTALL)


def typed(command: str, answers: str = "", expect: int = 0) -> str:
    """Type one command; return what it prints."""
    print(f"$ {command}", flush=True)
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=ROOT,
        input=answers,
        capture_output=True,
        text=True,
        start_new_session=True,
    )
    if done.returncode != expect:
        raise SystemExit(f"{done.stdout}{done.stderr}{command}: exit {done.returncode}\n{said_last()}")
    return done.stdout + done.stderr


def said_last() -> str:
    return LOG.read_text()[-3000:] if LOG.exists() else ""


def type_all(heading: str, number: int = 0, answers: str = "") -> str:
    """Type the commands of a section's block."""
    lines = blocks(heading, "sh")[number].replace("\\\n", " ").splitlines()
    return "".join(typed(line, answers) for line in lines if line.strip() and not line.startswith("#"))


# ---- what people do


def play(base: str, ca: Path) -> str:
    """Play a whole race by the API, and look at its pages and its stream; return the id of the table."""
    trust = ssl.create_default_context(cafile=str(ca))
    with httpx.Client(base_url=base, verify=trust, trust_env=False, timeout=60) as client:
        home = client.get("")
        assert home.status_code == 200, home
        for address in re.findall(r'(?:href|src)="(/[^"]*)"', home.text):
            assert address.startswith(httpx.URL(base).path.rstrip("/") + "/"), address
        lesson = client.post("learn/lacorsa")
        cookie = lesson.headers.get("set-cookie", "")
        assert {"Secure", "HttpOnly"} <= set(cookie.split("; ")), (lesson, cookie)
        token = client.post("api/v1/tokens", json={"label": f"{time.time()}"}).json()["token"]
        client.headers["Authorization"] = f"Bearer {token}"
        seats = ["me", "club", "club", "rookie"]
        body = {"title": "lacorsa", "options": {"drivers": 4, "races": 1}, "seats": seats, "pace": "instant"}
        made = client.post("api/v1/tables", json=body)
        assert made.status_code == 201, made.text
        id = made.json()["id"]
        with client.stream("GET", f"api/v1/tables/{id}/stream") as stream:
            begun = time.monotonic()
            next(line for line in stream.iter_lines() if line)
            assert time.monotonic() - begun < 10, "the stream is held back"
        while (table := client.get(f"api/v1/tables/{id}").json())["phase"] != "over":
            for ask in table["asks"]:
                if ask["committed"] or not ask["moves"]:
                    continue
                said = {"seat": ask["seat"], "decision": table["decision"], "move": ask["moves"][0]["move"]}
                key = f"{table['decision']}.{ask['seat']}"
                client.post(f"api/v1/tables/{id}/moves", json=said | {"key": key})
                break
            else:
                time.sleep(0.1)
        for page in ("", "/replay", "/record"):
            answer = client.get(f"t/{id}{page}")
            assert answer.status_code == 200, (page, answer)
        print(f"  a race was played at {base}t/{id}", flush=True)
        return str(id)


@contextmanager
def proxy(name: str, *words: str) -> Iterator[None]:
    """A proxy that runs meanwhile."""
    environment = {"HOME": "/root", "PATH": os.environ["PATH"], "XDG_DATA_HOME": "/var/lib/caddy-data"}
    with Path(f"/var/log/{name}-said").open("ab") as said:
        process = subprocess.Popen([name, *words], env=environment, stdout=said, stderr=said)
    try:
        yield
    finally:
        process.terminate()
        process.wait()


CADDY_CA = Path("/var/lib/caddy-data/caddy/pki/authorities/local/root.crt")


@contextmanager
def caddy(sites: str, url: str) -> Iterator[Path]:
    """Caddy with the sites of the page and certificates of its own; yields its authority."""
    Path("/etc/caddy").mkdir(exist_ok=True)
    Path("/etc/caddy/Caddyfile").write_text(
        "{\n\tlocal_certs\n\tskip_install_trust\n\tadmin off\n}\n" + sites
    )
    with proxy("caddy", "run", "--config", "/etc/caddy/Caddyfile"):
        answer = wait_for(url, verify=False)
        assert answer is not None, Path("/var/log/caddy-said").read_text()[-2000:]
        yield CADDY_CA


@contextmanager
def nginx(servers: str, name: str) -> Iterator[Path]:
    """Run nginx with the servers of the page and a certificate that one has; yields its authority."""
    folder = Path("/etc/ssl/club")
    folder.mkdir(parents=True, exist_ok=True)
    chain, key = folder / "fullchain.pem", folder / "privkey.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={name}",
         "-addext", f"subjectAltName=DNS:{name}", "-keyout", str(key), "-out", str(chain)],
        check=True, capture_output=True,
    )  # fmt: skip
    temporary = "".join(
        f"{kind}_temp_path /var/lib/nginx-{kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    config = Path("/etc/nginx-page.conf")
    config.write_text(f"pid /run/nginx.pid;\nevents {{}}\nhttp {{\naccess_log off;\n{temporary}{servers}}}\n")
    with proxy("nginx", "-c", str(config), "-e", "/var/log/nginx-errors", "-g", "daemon off; user root;"):
        answer = wait_for(f"https://{name}/", verify=False)
        assert answer is not None, Path("/var/log/nginx-said").read_text()[-2000:]
        yield chain


def doctor(url: str, ca: Path) -> None:
    """Let the doctor look through the proxy, as a visitor of the address."""
    environment = f"SSL_CERT_FILE={ca} PADDOCK_DATABASE_URL=sqlite:////var/lib/paddock/paddock.db"
    said = typed(f"{environment} /opt/paddock/bin/paddock admin doctor --quick --url {url}")
    assert "✗" not in said, said
    print("  " + "\n  ".join(said.splitlines()), flush=True)


def settings(*lines: str) -> None:
    """Add settings to the unit, as with ``systemctl edit``."""
    text = UNIT.read_text()
    for line in lines:
        name = line.split("=")[1]
        text = re.sub(rf"^Environment={name}=.*\n", "", text, flags=re.MULTILINE)
        text = text.replace("[Service]\n", f"[Service]\n{line}\n")
    UNIT.write_text(text)


def visit() -> None:
    """Follow the page from its beginning to its end."""
    with Path("/etc/hosts").open("a") as hosts:
        hosts.write(f"\n127.0.0.1 {NAME} {CLUB}\n")
    type_all("Install")
    UNIT.parent.mkdir(parents=True, exist_ok=True)
    UNIT.write_text(blocks("The service", "ini")[0])
    said = type_all("The service")
    assert '{"status":"ok"}' in said, said
    with caddy(blocks("HTTPS in front", "text")[0], f"https://{NAME}/") as ca:
        first = play(f"https://{NAME}/", ca)
        doctor(f"https://{NAME}/", ca)
    with nginx(blocks("HTTPS in front", "nginx")[0], NAME) as ca:
        play(f"https://{NAME}/", ca)
        doctor(f"https://{NAME}/", ca)

    # Below a path
    base = ("Environment=PADDOCK_BASE_PATH=/games", f"Environment=PADDOCK_HOSTS={NAME},{CLUB}")
    settings(*base, f"Environment=PADDOCK_ADMIN_TOKEN={TOKEN}")
    typed("sudo systemctl restart paddock")
    with caddy(blocks("Below a path", "text")[0], f"https://{CLUB}/games/") as ca:
        play(f"https://{CLUB}/games/", ca)
        doctor(f"https://{CLUB}/games/", ca)
        operate(f"https://{CLUB}/games/", ca)
    site = blocks("HTTPS in front", "nginx")[0].replace(NAME, CLUB)
    below = re.sub(
        r"    location / \{.*?\n    \}\n", lambda _: blocks("Below a path", "nginx")[0], site, flags=re.S
    )
    with nginx(below, CLUB) as ca:
        play(f"https://{CLUB}/games/", ca)
        doctor(f"https://{CLUB}/games/", ca)

    # Backups, and the commands for tables
    Path("/var/backups").mkdir(exist_ok=True)
    local = "PADDOCK_DATABASE_URL=sqlite:////var/lib/paddock/paddock.db"
    os.environ["PATH"] = f"/opt/paddock/bin:{os.environ['PATH']}"
    os.environ.update([local.split("=", 1)])
    type_all("Backups", 0)
    type_all("Backups", 1)
    owners = {path.stat().st_uid for path in Path("/var/lib/paddock").iterdir()}
    assert owners == {USER}, f"files of {owners}: the server cannot write them"
    commands = re.findall(r"^\| `(paddock admin [^`]+)`", section("Look after the tables"), re.MULTILINE)
    for command in commands:
        if "doctor" in command:
            continue  # typed above, with the authority of the test
        words = command.replace("TABLE:PLAYER", f"{first}:1").replace("TABLE", first)
        if "delete" in words:
            continue  # comes last
        if "FILE" in words or "backup" in words:
            words = words.replace("FILE", "/var/backups/paddock-monday.db")
        typed(words, "y\n")
    left = typed("paddock admin tables list")
    gone = re.findall(r"[\w-]{16}", left)
    if gone:
        typed(f"paddock admin tables delete {gone[0]} --yes")
    typed("paddock admin doctor")

    # PostgreSQL
    with postgres():
        type_all("PostgreSQL", 0, "PASSWORD\nPASSWORD\n")
        url = blocks("PostgreSQL", "ini")[0].strip()
        settings(url)
        os.environ["PADDOCK_DATABASE_URL"] = url.partition("URL=")[2]
        typed("sudo systemctl stop paddock")
        typed("paddock admin restore /var/backups/paddock-monday.db")
        typed("sudo systemctl start paddock")
        with caddy(blocks("Below a path", "text")[0], f"https://{CLUB}/games/") as ca:
            play(f"https://{CLUB}/games/", ca)
        typed("paddock admin backup /var/backups/from-postgres.db")
        typed("sudo systemctl stop paddock")
        container()

    # Upgrades
    settings(f"Environment={local}")
    os.environ.update([local.split("=", 1)])
    typed("sudo systemctl start paddock")
    for line in blocks("Will running games go on?", "sh", UPGRADE)[0].splitlines():
        said = typed(line)
    assert "0 changed, 0 refused" in said, said
    type_all("Upgrades")
    assert wait_for("http://127.0.0.1:8000/games/readyz", headers={"host": CLUB}) is not None
    typed("sudo systemctl stop paddock")
    secrets = [TOKEN, "PASSWORD"]
    assert not any(secret in LOG.read_text() for secret in secrets), said_last()


def container() -> None:
    """Run what the Dockerfile runs as the compose file asks: no other variables, nothing to write to."""
    if not shutil.which("bwrap"):
        print("  not run, as there is no bwrap: the entry point where nothing can be written", flush=True)
        return
    lines = re.sub(r"\\\n\s*", "", (ROOT / "deploy/Dockerfile").read_text("utf-8")).splitlines()
    said = {line.split()[0]: line.partition(" ")[2] for line in lines if line and line[0].isalpha()}
    variables = dict(re.findall(r'(\w+)="?([^\s"]+)', said["ENV"]))
    variables["PATH"] = variables["PATH"].replace("$PATH", "/usr/local/bin:/usr/bin:/bin")
    compose = yaml.safe_load((ROOT / "deploy/compose.yaml").read_text("utf-8"))["services"]["paddock"]
    assert compose["read_only"], compose
    assert compose["cap_drop"] == ["ALL"], compose
    given = {"POSTGRES_PASSWORD": "PASSWORD", "PADDOCK_NAME": "localhost", "PADDOCK_ADMIN_TOKEN": TOKEN}
    for name, value in compose["environment"].items():
        variables[name] = re.sub(r"\$\{(\w+)[^}]*\}", lambda found: given[found[1]], value)
    variables["PADDOCK_DATABASE_URL"] = variables["PADDOCK_DATABASE_URL"].replace("@db/", "@127.0.0.1/")
    user = said["USER"].split(":")
    box = ["bwrap", "--unshare-user", "--unshare-pid", "--die-with-parent"]
    box += ["--uid", user[0], "--gid", user[1], "--clearenv"]
    for folder in ("/usr", "/etc", "/opt/paddock"):
        box += ["--ro-bind", folder, folder]
    for name in ("bin", "lib", "lib64"):
        box += ["--symlink", f"usr/{name}", f"/{name}"]
    for folder in ("/data", "/cache"):
        (outside := Path(f"/var/lib/box{folder}")).mkdir(parents=True)
        box += ["--bind", str(outside), folder]
    box += ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--remount-ro", "/", "--chdir", "/"]
    for pair in variables.items():
        box += ["--setenv", *pair]
    run = [*json.loads(said["ENTRYPOINT"]), *json.loads(said["CMD"])]
    print(f"$ {' '.join(run)}   (in a box of its own)", flush=True)
    with LOG.open("ab") as log:
        server = subprocess.Popen([*box, *run], stdout=log, stderr=log)
    assert wait_for("http://127.0.0.1:8000/readyz") is not None, said_last()
    health = json.loads(said["HEALTHCHECK"].partition("CMD ")[2])
    subprocess.run([*box, *health], check=True)
    for path in ("/x", "/opt/paddock/x", "/usr/x"):
        assert subprocess.run([*box, "touch", path], capture_output=True).returncode, f"{path} can be written"
    assert wait_for("http://127.0.0.1:8000/", headers={"host": "localhost"}) is not None
    server.terminate()
    server.wait(60)
    print("  the entry point serves as another user, and writes to /data, /cache and /tmp only", flush=True)


def operate(base: str, ca: Path) -> None:
    """Open the page of the operator and the numbers, and leave."""
    trust = ssl.create_default_context(cafile=str(ca))
    with httpx.Client(base_url=base, verify=trust, trust_env=False, timeout=60) as client:
        assert client.get("metrics").status_code == 401
        bearer = {"Authorization": f"Bearer {TOKEN}"}
        assert "paddock_moves_total" in client.get("metrics", headers=bearer).text
        entered = client.post("admin", data={"token": TOKEN})
        cookie = entered.headers["set-cookie"]
        assert {"Path=/games/admin", "Secure"} <= set(cookie.split("; ")), cookie
        assert "Tables in the database" in client.get("admin").text
        client.post("admin", data={"leave": "yes"})
        assert "Tables in the database" not in client.get("admin").text
        print("  /admin and /metrics answer to the token only", flush=True)


@contextmanager
def postgres() -> Iterator[None]:
    """A PostgreSQL as Debian runs it: at its usual port and socket, its owner is the user postgres."""
    programs = max(Path("/usr/lib/postgresql").iterdir()) / "bin"
    data, sockets = Path("/var/lib/pg-page"), Path("/var/run/postgresql")
    sockets.mkdir(parents=True, exist_ok=True)
    data.mkdir()
    for folder in (data, sockets):
        shutil.chown(folder, "postgres", "postgres")
    me = ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--clear-groups"]
    subprocess.run([*me, programs / "initdb", "-D", data, "-A", "peer", "--auth-host=scram-sha-256"],
                   check=True, capture_output=True)  # fmt: skip
    start = [
        *me,
        programs / "pg_ctl",
        "-D",
        data,
        "-w",
        "-o",
        f"-k {sockets} -h 127.0.0.1",
        "-l",
        data / "log",
    ]
    subprocess.run([*start, "start"], check=True, capture_output=True)
    try:
        yield
    finally:
        subprocess.run([*me, programs / "pg_ctl", "-D", data, "-m", "fast", "stop"], capture_output=True)


def main() -> int:
    if sys.argv[1:2] == ["--systemctl"]:
        return systemctl(sys.argv[2:])
    if sys.argv[1:2] == ["--inside"]:
        work = Path(sys.argv[2])
        subprocess.run(["mount", "-t", "tmpfs", "tmpfs", work], check=True)
        for folder in OVERLAID:
            overlay(folder, work)
        loopback()
        for name, text in SHIMS.items():
            (file := Path("/usr/local/bin") / name).write_text(text)
            file.chmod(0o755)
        os.environ["PATH"] = f"/usr/local/bin:{os.environ['PATH']}"
        visit()
        print("docs/host.md does what it says")
        return 0
    if os.geteuid() or not shutil.which("unshare"):
        raise SystemExit("this needs root and Linux: it makes a machine of its own")
    for need in ("caddy", "nginx", "curl", "openssl"):
        if not shutil.which(need):
            raise SystemExit(f"there is no {need} in the PATH")
    with tempfile.TemporaryDirectory(prefix="paddock-host-") as made:
        wheels = Path(made) / "wheels"
        subprocess.run(["make", "wheel"], cwd=ROOT, check=True)
        command = ["python3", "-m", "pip", "download", "-q", "-d", wheels, "--only-binary", ":all:"]
        subprocess.run([*command, "--require-hashes", "-r", ROOT / "dist/server.txt"], check=True)
        (work := Path(made) / "work").mkdir()
        # Debian's own programs first: another Python may be where the user of the service cannot read
        path = f"/usr/bin:/bin:/usr/sbin:{os.environ['PATH']}"
        environment = {"PATH": path, "HOME": "/root", "LANG": "C.UTF-8"}
        environment |= {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(wheels), "PYTHONUNBUFFERED": "1"}
        inside = [
            "unshare",
            "-mnpf",
            "--mount-proc",
            "--kill-child",
            sys.executable,
            __file__,
            "--inside",
            str(work),
        ]
        return subprocess.run(inside, env=environment).returncode


if __name__ == "__main__":
    sys.exit(main())
