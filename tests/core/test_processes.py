"""Worker processes: deadlines, deaths, cancelling, and the end of all of them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path

import psutil
import pytest

from living import running, wait_for
from paddock.core.beside import Lost, TaskLate
from paddock.core.errors import BadRecord
from paddock.core.processes import Pool

HANGING = """
import os, signal
from paddock.core.processes import Pool

def hang():
    print(os.getpid(), flush=True)
    signal.pause()

if __name__ == "__main__":
    Pool(1).submit(hang).result()
"""


UNGUARDED = {
    "match": "paddock.match('rasant', ['rookie', 'rookie'], 4, 1, processes=2)",
    "pool": "paddock.core.processes.Pool(2).submit(print).result()",
}


def held(folder: Path) -> int:
    """Write this process's id to ``pid``, and wait for the file ``go``."""
    (folder / "pid.new").write_text(str(os.getpid()))
    (folder / "pid.new").rename(folder / "pid")
    while not (folder / "go").exists():
        time.sleep(0.01)
    return os.getpid()


def begun(folder: Path) -> int:
    """Return the id of the process that is held in this folder, once there is one."""
    while not (folder / "pid").exists():  # pytest-timeout ends it
        time.sleep(0.01)
    return int((folder / "pid").read_text())


def refuse() -> None:
    raise BadRecord(7, "write a date")


def test_a_task_that_takes_too_long_is_killed_and_the_next_has_a_new_process(tmp_path: Path) -> None:
    with closing(Pool(1)) as pool:
        first = pool.submit(os.getpid).result()
        with pytest.raises(TaskLate, match="no answer within 0 s"):
            pool.submit(held, tmp_path, seconds=0).result()
        assert not psutil.pid_exists(first) and pool.processes == []
        assert pool.submit(os.getpid, seconds=300).result() != first


@pytest.mark.slow("a script starts a match")
@pytest.mark.parametrize("what", UNGUARDED)
def test_a_script_without_a_main_guard_ends_with_a_sentence_that_names_it(what: str, tmp_path: Path) -> None:
    """Each worker imports the script, and would start workers again: that was hundreds of lines."""
    script = tmp_path / "script.py"
    script.write_text(f"import paddock, paddock.core.processes\n{UNGUARDED[what]}\n")
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True)
    *_trace, last = done.stderr.splitlines()
    assert done.returncode == 1 and last.endswith(
        'put its lines that do something below if __name__ == "__main__":'
    )
    assert last.startswith("paddock.core.errors.PaddockError: ") and done.stderr.count("Traceback") == 1, (
        done.stderr
    )


def test_what_cannot_be_sent_and_what_fails_do_not_stop_the_process() -> None:
    with closing(Pool(1, nice=3)) as pool:
        process = pool.submit(os.getpid).result()
        assert pool.submit(os.nice, 0).result() == os.nice(0) + 3
        with pytest.raises(BadRecord, match="write a date"):
            pool.submit(refuse).result()
        with pytest.raises(RuntimeError, match="ZeroDivisionError"):
            pool.submit(divmod, 1, 0).result()
        with pytest.raises(RuntimeError, match="cannot pickle"):
            pool.submit(threading.Lock).result()
        with pytest.raises(TypeError, match="cannot pickle"):
            pool.submit(id, threading.Lock()).result()
        assert pool.submit(os.getpid).result() == process


def test_tasks_that_wait_can_be_cancelled_and_closing_ends_all(tmp_path: Path) -> None:
    with closing(Pool(1)) as pool:
        runs, cancelled, waits = pool.submit(held, tmp_path), pool.submit(os.getpid), pool.submit(os.getpid)
        process = begun(tmp_path)
        assert cancelled.cancel() and not runs.cancel()
    assert not psutil.pid_exists(process)
    for lost, reason in ((runs, "exit status -9"), (waits, "the pool is closed")):
        with pytest.raises(Lost, match=reason):
            lost.result()
    with pytest.raises(Lost, match="the pool is closed"):
        pool.submit(os.getpid)


def test_a_process_ends_with_its_parent_and_not_by_ctrl_c(tmp_path: Path) -> None:
    (script := tmp_path / "hanging.py").write_text(HANGING)
    parent = subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    worker = psutil.Process(int(parent.stdout.readline()))
    worker.send_signal(signal.SIGINT)
    assert worker.status() != psutil.STATUS_ZOMBIE and os.getsid(worker.pid) == worker.pid
    parent.kill()
    parent.communicate()
    wait_for(lambda: not running([worker]))
