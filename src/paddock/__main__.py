"""``python -m paddock`` is the same as ``paddock``."""

from paddock.cli import main

main()
