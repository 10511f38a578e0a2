"""Data sets: the decisions of many games of bots as Parquet (docs/data.md)."""

from paddock.lab.data.check import StoredGame, check_data, data_files, replayed_rows, stored_games
from paddock.lab.data.make import DataMade, make_data

__all__ = [
    "DataMade", "StoredGame",
    "check_data", "data_files", "make_data", "replayed_rows", "stored_games",
]  # fmt: skip
