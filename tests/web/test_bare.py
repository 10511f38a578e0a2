"""Paddock plays where packages with code in C are missing, such as in the Python of a browser."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from web.bare import BLOCK, RIVALS


@pytest.mark.slow("starts an application and its workers, and plays three titles")
def test_all_titles_are_played_through_pages_without_packages_that_a_browser_lacks(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(BLOCK, "utf-8")
    more = {
        "PYTHONPATH": os.pathsep.join([str(tmp_path), *filter(None, sys.path)]),
        "PADDOCK_RATE_ADDRESS": "0",
        "PADDOCK_RATE_HOLDER": "0",
    }
    played = subprocess.run(
        [sys.executable, "-m", "web.bare", str(tmp_path)],
        env=os.environ | more,
        capture_output=True,
        text=True,
        timeout=280,
    )
    # A busy machine lets the server wait, which it says
    said = [line for line in played.stderr.splitlines() if "did not run for" not in line]
    assert (played.stdout.split(), said) == (["played", *RIVALS], [])
