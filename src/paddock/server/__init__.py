"""The server: puts tables, pages and features together, listens, and stops."""
