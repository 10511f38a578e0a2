"""Run the examples of docs/other-libraries.md as they stand there, in an environment of their own.

    python scripts/upstream.py
    python scripts/upstream.py mccfr solved
    python scripts/upstream.py --torch torch==2.13.0+cpu

It installs Paddock, PyTorch and sb3-contrib into build/upstream: gigabytes where only builds for GPUs can be
had. ``--torch`` names another build. The first example that fails ends it.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time

from lock import ROOT
from pythons import install, make_environment

FOLDER, EXAMPLES = ROOT / "build/upstream", ROOT / "examples/upstream"
VERSION = "{}.{}".format(*sys.version_info)


def main() -> int:
    """Run the examples that the command line names, or all; return the exit status of one that fails."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    known = sorted(path.stem for path in EXAMPLES.glob("*.py"))
    parser.add_argument("examples", nargs="*", default=known, help=f"of {', '.join(known)}")
    parser.add_argument("--torch", default="torch", help="what pip is to install as PyTorch")
    given = parser.parse_args()
    python = make_environment(sys.executable, FOLDER)
    install(VERSION, python, "-e", ".[research]", given.torch, "sb3-contrib", "dm-tree")
    for name in given.examples:
        print(f"{name}:", flush=True)
        begun = time.perf_counter()
        if status := subprocess.run([python, EXAMPLES / f"{name}.py"], cwd=FOLDER).returncode:
            return status
        print(f"({time.perf_counter() - begun:.0f} s)", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
