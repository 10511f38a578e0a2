"""The fixtures of pages, for the pages of this feature."""

from web.conftest import app, client, one_server, own_server, server

__all__ = ["app", "client", "one_server", "own_server", "server"]
