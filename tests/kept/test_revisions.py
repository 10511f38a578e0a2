"""Open tables survive changes of the rules: see ``scripts/revisions.py``."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import revisions

TABLES = 10_000 if os.environ.get("PADDOCK_TEST_WHOLE") else 12


@pytest.mark.slow("starts a server for each of four revisions")
@pytest.mark.timeout(3600)
def test_three_revisions_freeze_no_open_table() -> None:
    command = [sys.executable, revisions.__file__, "--tables", f"{TABLES}"]
    done = subprocess.run(command, capture_output=True, text=True)
    said = done.stdout
    assert done.returncode == 0, said + done.stderr
    assert f"all: {TABLES} same, 0 changed, 0 refused" in said
    assert f"open before: {TABLES:,}" in said and "no table is frozen" in said
    alone = said.partition("without the earlier ones:")[2]
    assert (
        "0 same" in alone
        and "(revision 3, now 4), and under the new ones it would have gone differently" in alone
    )
