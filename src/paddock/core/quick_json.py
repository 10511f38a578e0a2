"""JSON for what is sent often: by orjson where that is installed, else by Python's own module."""

from typing import TYPE_CHECKING

from paddock.core.extras import installed

if TYPE_CHECKING or installed("orjson"):
    from orjson import OPT_NON_STR_KEYS, OPT_UTC_Z, Fragment, dumps
else:
    from paddock.core.plain_json import OPT_NON_STR_KEYS, OPT_UTC_Z, Fragment, dumps

__all__ = ["OPT_NON_STR_KEYS", "OPT_UTC_Z", "Fragment", "dumps"]
