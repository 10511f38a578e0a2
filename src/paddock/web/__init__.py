"""The web server: pages, the JSON API and event streams."""
