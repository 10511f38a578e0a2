"""Matches on a Ray cluster: two nodes on this machine, which talk over 127.0.0.1 only.

All tests use one cluster, in one worker of pytest. Their programs wait for a file before their first move, so
that the tests know what is being played when they interrupt it.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from threading import Thread
from typing import Any

import psutil
import pytest

import paddock
from lab.here import rows_here
from living import running, wait_for, with_command
from paddock.core.title import title
from paddock.lab import cluster as lab_cluster
from paddock.lab.cluster import Host, make_task, play_deals_on
from paddock.lab.journal import Journal
from paddock.lab.plan import Plan, make_plan
from paddock.lab.results import make_match
from sampling import WHOLE

pytestmark = pytest.mark.xdist_group("ray")
MANY = 1_000_000  # deals or games: more than are played
HOUR = 3600.0  # seconds for a decision: the programs wait
# The command line, which waits for actors that end slowly
PATIENT = "from paddock.lab import cluster; cluster.PATIENCE = 140; from paddock.cli import main; main()"
HELD = "held.sh"  # the program of ``held``: it is also started once to see whether it starts
WAITS = HELD + " waits"
SETTINGS = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",  # nodes have the address 127.0.0.1
    "RAY_enable_worker_prestart": "0",  # a match starts the processes that it needs
    "RAY_prestart_worker_first_driver": "0",
    # A dead node refuses connections: Ray notices it in a second. One that is slow is not dead.
    "RAY_health_check_initial_delay_ms": "0",
    "RAY_health_check_period_ms": "300",
    "RAY_health_check_failure_threshold": "3",
    "RAY_health_check_timeout_ms": "280000",
    "RAY_agent_register_timeout_ms": "280000",  # then the node would end itself
    "RAY_worker_register_timeout_seconds": "280",
    "RAY_CLIENT_SERVER_CHECK_CHANNEL_TIMEOUT_S": "280",
    "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),  # this checkout, on the nodes too
}


def descendants(process: psutil.Process) -> list[psutil.Process]:
    """Return its children and theirs: actors are children of their node."""
    return process.children(recursive=True)


def family(processes: list[psutil.Process]) -> list[psutil.Process]:
    """Return those that run, and their descendants."""
    found = []
    for one in processes:
        with suppress(psutil.Error):  # it has just ended
            found += [one, *descendants(one)]
    return found


def names(processes: list[psutil.Process]) -> set[str]:
    found = set()
    for one in processes:
        with suppress(psutil.Error):
            found.add(one.name())
    return found


def playing(node: psutil.Process, name: str = HELD) -> list[psutil.Process]:
    """Return the programs of a match that run on a node; those named ``WAITS`` have begun a game."""
    return with_command(descendants(node), name)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def make(bots: list[Any], seed: int = 9) -> Plan:
    return make_plan(title("lacorsa"), bots, seed, {}, HOUR)


def held(tmp_path: Path) -> list[Any]:
    """Return bots, one of them a program that waits for the file ``go`` before it plays."""
    script = tmp_path / HELD
    example = Path(__file__).resolve().parents[2] / "examples/bot.sh"
    script.write_text(
        f"""
        echo ready
        read line
        read game
        sh -c 'while [ ! -e {tmp_path}/go ]; do sleep 0.05; done' '{WAITS}'
        . {example}
        """
    )
    return ["club", "rookie", f"cmd:sh {script}", "rookie"]


@dataclass
class Nodes:
    address: str
    client: str  # the same cluster for ray://
    first: psutil.Process
    second: psutil.Process
    start: Callable[[], psutil.Process]  # another node


@contextmanager
def cluster_of_somebody_else() -> Iterator[None]:
    """A process that Ray takes for a node of another cluster: it looks at the command lines of a machine."""
    words = ["raylet", "-c", "read line", "--gcs-address=127.0.0.1:1"]
    process = subprocess.Popen(words, executable="/bin/sh", stdin=subprocess.PIPE)
    try:
        yield
    finally:
        process.communicate(b"\n")


@pytest.fixture(scope="module")
def nodes() -> Iterator[Nodes]:
    """Start two nodes with a CPU each. At the end, check that nothing of a match is left, and kill them."""
    folder = tempfile.mkdtemp(prefix="ray-", dir="/tmp")  # paths of sockets must be short
    with pytest.MonkeyPatch.context() as patch:
        for name, value in SETTINGS.items():
            patch.setenv(name, value)
        patch.setenv("RAY_TMPDIR", folder)  # with the address that ``auto`` finds
        patch.delenv("RAY_ADDRESS", raising=False)
        from ray.cluster_utils import Cluster

        small = {"num_cpus": 1, "object_store_memory": 80 << 20, "include_log_monitor": False}
        port = free_port()
        started, all_of_it = Cluster(shutdown_at_exit=False), list[psutil.Process]()
        roots = list[dict[str, psutil.Process]]()

        def start(**more: Any) -> psutil.Process:
            node = started.add_node(**small, **more)
            processes = node.all_processes.items()
            roots.append({name: psutil.Process(infos[0].process.pid) for name, infos in processes})
            return roots[-1]["raylet"]

        try:
            first = start(include_dashboard=False, no_monitor=True, ray_client_server_port=port)
            yield Nodes(started.address, f"ray://127.0.0.1:{port}", first, start(), start)
            ours = [one for processes in roots for one in processes.values()]
            all_of_it += family(ours)
            wait_for(lambda: "ray::Host" not in names(family(ours)))  # a match leaves no actor behind
        finally:
            for node in started.list_all_nodes():
                node.kill_all_processes(check_alive=False, allow_graceful=True, wait=True)
            for one in running(all_of_it):  # it would take them half a minute to notice
                with suppress(psutil.Error):
                    one.kill()
            wait_for(lambda: not running(all_of_it))
            shutil.rmtree(folder)


def test_a_client_server_that_does_not_start_is_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ray starts a process for each client, which now and then ends at once."""
    import ray

    joined = []

    def init(address: str, **_: Any) -> None:
        joined.append(address)
        if len(joined) < needed:
            raise ConnectionAbortedError("Starting Ray client server failed.")

    monkeypatch.setattr(ray, "init", init)
    monkeypatch.setattr(ray, "shutdown", lambda: None)
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"ray://127.0.0.1:{server.getsockname()[1]}"
        needed = lab_cluster.JOINS
        with lab_cluster._connected(address):
            assert joined == [address] * needed
        joined.clear()
        needed += 1
        with (
            pytest.raises(paddock.PaddockError, match="Starting Ray client server failed"),
            lab_cluster._connected(address),
        ):
            pass


@pytest.mark.slow("two Ray nodes start, and each process of a match on them imports Ray")
def test_a_match_on_a_cluster_is_interrupted_and_resumed(nodes: Nodes, tmp_path: Path) -> None:
    """Ctrl-C leaves nothing behind on the nodes.

    In the whole suite the rest is played through ray://. Ray starts a process for that, which does not always
    come up where all cores are busy.
    """
    rest = nodes.client if WHOLE else nodes.address
    file, whole, bots = tmp_path / "games.csv", tmp_path / "whole.csv", held(tmp_path)
    words = ["match", "lacorsa", *bots, "--seed", "9", "--games", str(MANY), "--to", str(file)]
    with cluster_of_somebody_else():
        process = subprocess.Popen(
            [
                sys.executable, "-c", PATIENT,
                *words, "--seconds", str(HOUR), "--cluster", "auto",
            ],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        )  # fmt: skip
        wait_for(lambda: process.poll() is not None or (playing(nodes.first) and playing(nodes.second)))
        (tmp_path / "go").touch()
        wait_for(lambda: process.poll() is not None or file.read_bytes().count(b"\n") > 8)
        programs = playing(nodes.first) + playing(nodes.second)
        os.killpg(process.pid, signal.SIGINT)
        printed, said = process.communicate()
    assert (printed, said.strip()) == ("", "")
    assert process.returncode == 130
    assert programs and not running(programs), "stopped before the command ends"
    deals = (file.read_bytes().count(b"\n") - 1) // 4
    games, told = 4 * deals + 8, list[int]()
    played = paddock.match(
        "lacorsa", bots, games, 9, seconds=HOUR, to=file, cluster=rest, progress=told.append
    )
    assert told == [4 * deals, 4, 4]
    plan, rows = rows_here("lacorsa", bots, games, 9, {}, HOUR)
    assert str(played) == str(make_match(plan, rows))
    with Journal(plan, whole) as journal:
        journal.add(rows)
    assert file.read_bytes() == whole.read_bytes()


def test_a_node_that_cannot_play_the_match_is_refused(nodes: Nodes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lab_cluster, "code_digest", lambda modules, packages: "other code")
    with pytest.raises(paddock.PaddockError, match=r"a node of the cluster cannot play .* its code differs"):
        paddock.match("lacorsa", ["club", "rookie"], 2, cluster=nodes.address, processes=1)


@pytest.mark.slow("four processes import Ray")
def test_a_match_goes_on_when_a_node_and_a_worker_are_killed(nodes: Nodes, tmp_path: Path) -> None:
    """They die with the first deals: these are played again, and then others. Other tests need two nodes."""
    bots, lost, third = held(tmp_path), list[psutil.Process](), nodes.start()

    def kill() -> None:
        wait_for(lambda: playing(nodes.first, WAITS) and playing(third, WAITS))
        waiting = playing(nodes.first, WAITS)[0]
        worker = next(one for one in waiting.parents() if HELD not in " ".join(one.cmdline()))
        lost.extend([third, *descendants(third), worker])
        for process in lost:
            with suppress(psutil.NoSuchProcess):  # a «sleep» of the program that has just ended
                process.kill()
        (tmp_path / "go").touch()

    plan, killer = make(bots), Thread(target=kill, daemon=True)
    killer.start()
    with closing(play_deals_on(nodes.address, plan, range(MANY), None)) as deals:
        rows = [row for deal in islice(deals, 4) for row in deal]
    killer.join()
    assert lost and rows == rows_here("lacorsa", bots, 16, 9, {}, HOUR)[1]
    wait_for(lambda: not running(lost))


# Without a cluster


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("127.0.0.1:1", "Connection refused"),
        ("ray://127.0.0.1:1", "Connection refused"),
        ("ray://here", "write HOST:PORT, ray://HOST:PORT or auto"),
        ("here", "Invalid address format: here"),
    ],
)
def test_an_address_where_nobody_answers_is_one_sentence(address: str, reason: str) -> None:
    with pytest.raises(
        paddock.PaddockError, match=f"cannot connect to the Ray cluster “{address}”: .*{reason}"
    ):
        paddock.match("lacorsa", ["club", "rookie"], 2, cluster=address)


def test_what_a_node_must_have(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))  # a host changes these in its own process
    monkeypatch.setitem(vars(sys.modules["__main__"]), "__file__", "main.py")
    missing = make_task(make(["club", "cmd:sh nobody-has-this.sh"]))
    assert "the bot cmd:sh nobody-has-this.sh does not start: crash" in Host().start(missing)
    nowhere = str(tmp_path / "nowhere")
    assert f"there is no folder {nowhere}" in Host().start(replace(missing, folder=nowhere))
    other = Host().start(replace(missing, digest="", version="0.1"))
    assert other.startswith(socket.gethostname()) and other.endswith("and needs 0.1")
