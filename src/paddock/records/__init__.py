"""Game records: text that people can read and compare. ``SPEC.md`` defines the format."""

from paddock.core.errors import BadRecord
from paddock.records.fill import check, complete
from paddock.records.notes import Note
from paddock.records.proof import Fair
from paddock.records.reader import read
from paddock.records.record import Line, Record
from paddock.records.several import read_all, write_all
from paddock.records.writer import write

__all__ = [
    "BadRecord",
    "Fair",
    "Line",
    "Note",
    "Record",
    "check",
    "complete",
    "read",
    "read_all",
    "write",
    "write_all",
]
