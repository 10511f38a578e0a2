"""Watching: how many watch a table, live tables on the home page, and tables in frames on other sites."""
