"""Reads a trace of system calls, and says whether every answer came after the flush of what it acknowledges.

SQLite appends each transaction to its write-ahead log as frames: a header of 24 bytes, and a page. The header
of a transaction's last frame is not zero in bytes 4 to 7. The transaction survives a power cut once the log
was flushed after that frame.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

# ``-s`` is longer than a page, a request and the start of an answer. ``-xx`` writes all bytes in hexadecimal.
STRACE = (
    "-f", "--seccomp-bpf", "-y", "-xx", "-s", "5000",
    "-e", "trace=read,recvfrom,recvmsg,pwrite64,fdatasync,fsync,write,writev,sendto,sendmsg",
)  # fmt: skip
_LINE = re.compile(r"(\d+) +(.*)")
_CALL = re.compile(r"(\w+)\((\d+)<([^>]*)>(.*)")
_RESUMED = re.compile(r"<\.\.\. (\w+) resumed>(.*)")
_RESULT = re.compile(r"\) += (-?\d+)")
_BYTES = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')
_KEY = re.compile(rb'"key": ?"([^"]+)"')
_HEADER = 24  # bytes of a frame's header


@dataclass
class Flushed:
    """What a trace shows. ``stored`` has the bytes that are stored for the key of each submission."""

    stored: Mapping[bytes, bytes]
    acknowledged: list[bytes] = field(default_factory=list)  # keys whose 200 came
    early: list[bytes] = field(default_factory=list)  # those of them that were not flushed yet
    groups: list[int] = field(default_factory=list)  # submissions that each flush made durable
    _asked: dict[str, bytes] = field(default_factory=dict)  # the key last sent on each connection
    _written: set[bytes] = field(default_factory=set)  # in frames of an open transaction
    _whole: set[bytes] = field(default_factory=set)  # in whole transactions
    _durable: set[bytes] = field(default_factory=set)
    _last: bool = False  # whether the frame that is written ends its transaction
    _begun: dict[str, tuple[str, str, str]] = field(default_factory=dict)  # unfinished calls of threads
    _flushing: dict[str, set[bytes]] = field(default_factory=dict)  # by thread: whole when the flush began

    def read(self, lines: Iterable[str]) -> Flushed:
        """Take the lines of the trace in their order; return self."""
        for line in lines:
            if found := _LINE.match(line):
                self._line(found[1], found[2])
        return self

    def _line(self, thread: str, text: str) -> None:
        if found := _RESUMED.match(text):
            name, file, start = self._begun.pop(thread, ("", "", ""))
            if name == found[1]:
                self._end(thread, name, file, start + found[2])
        elif found := _CALL.match(text):
            name, file, rest = found[1], _plain(found[3]).decode(errors="replace"), found[4]
            self._start(thread, name, file, rest)
            if "<unfinished ...>" in rest:
                self._begun[thread] = name, file, rest
            else:
                self._end(thread, name, file, rest)

    def _start(self, thread: str, name: str, file: str, rest: str) -> None:
        """A call begins: an answer counts from here, and a flush covers what was written before."""
        if name in ("write", "writev", "sendto", "sendmsg") and file.startswith("socket:"):
            if _plain(rest).startswith(b"HTTP/1.1 ") and (key := self._asked.pop(file, None)):
                self._answered(key, _plain(rest))
        elif name in ("fdatasync", "fsync") and file.endswith("-wal"):
            self._flushing[thread] = set(self._whole)

    def _end(self, thread: str, name: str, file: str, text: str) -> None:
        """A call ends: what was read is known from here, and what was written or flushed."""
        result = _RESULT.search(text)
        if result is None or int(result[1]) < 0:
            return
        if name in ("read", "recvfrom", "recvmsg") and file.startswith("socket:"):
            if found := _KEY.search(_plain(text)):
                self._asked[file] = found[1]
        elif name == "pwrite64" and file.endswith("-wal"):
            self._frame(_plain(text))
        elif name in ("fdatasync", "fsync") and file.endswith("-wal"):
            fresh = self._flushing.pop(thread, set()) - self._durable
            self._durable |= fresh
            if fresh:
                self.groups.append(len(fresh))

    def _frame(self, data: bytes) -> None:
        if len(data) == _HEADER:
            self._last = any(data[4:8])
            return
        self._written |= {key for key, kept in self.stored.items() if kept in data} - self._durable
        if self._last:
            self._whole |= self._written
            self._written, self._last = set(), False

    def _answered(self, key: bytes, answer: bytes) -> None:
        if answer.startswith(b"HTTP/1.1 200") and key in self.stored:
            self.acknowledged.append(key)
            if key not in self._durable:
                self.early.append(key)


def _plain(text: str) -> bytes:
    """Return the bytes that strace wrote in hexadecimal: of the strings, or of a file's name."""
    found = _BYTES.findall(text) or [text]
    return b"".join(bytes.fromhex(part.replace("\\x", "")) for part in found if part.startswith("\\x"))
