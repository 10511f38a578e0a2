"""The table on the web: pages, their event stream, and the server that carries them."""
