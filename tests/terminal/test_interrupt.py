"""Ctrl-C in real processes: exit 130, no output, and no waiting for threads."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from sampling import some

MAIN = "from paddock.cli import main; main()"
# Sends Ctrl-C to itself as soon as a thread plays.
INTERRUPTED = """
import os, signal, sys, threading, time
def interrupt():
    while not any(thread.name.startswith("ThreadPoolExecutor") for thread in threading.enumerate()):
        time.sleep(0.01)
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt, daemon=True).start()
"""
# Games that never end, so that who waits for them never ends either.
ENDLESS = """
import paddock.kernel.bulk as bulk, paddock.kernel.watch as watch
bulk.Bench = watch.Bench = lambda *_: threading.Event().wait()
"""


def interrupted(program: str, *words: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", program + MAIN, *words], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr.strip()) == (130, "", "")


@pytest.mark.parametrize("command", some(["simulate", "invariants"], 1, "endless"))
def test_bulk_play_ends_without_its_games(command: str) -> None:
    interrupted(INTERRUPTED + ENDLESS, command, "rasant", "--threads", "2")


@pytest.mark.parametrize(
    "words",
    some([("simulate", "lacorsa", "--games", "5000000"), ("invariants", "lacorsa")], 1, "games"),
)
def test_bulk_play_ends_as_it_is(words: tuple[str, ...]) -> None:
    """Whether the kernel is compiled already or not."""
    interrupted(INTERRUPTED, *words)


def test_a_race_ends_while_it_waits_for_a_person() -> None:
    command = [sys.executable, "-u", "-c", MAIN, "race", "rasant", "--seats", "me,rookie"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout and process.stderr
        said = ""
        while not said.endswith("Move: "):
            said += process.stdout.read(1)
        process.send_signal(signal.SIGINT)
        assert process.stdout.read() == "" and process.stderr.read().strip() == ""
        assert process.wait() == 130


def test_a_race_that_nobody_answers_ends_in_the_same_way() -> None:
    command = [sys.executable, "-c", MAIN, "race", "rasant", "--seats", "me,rookie"]
    done = subprocess.run(command, input="", capture_output=True, text=True, check=False)
    assert done.returncode == 130
    assert done.stdout.endswith("Move: ") and done.stderr.strip() == ""
