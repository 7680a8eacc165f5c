"""The only module that prints: results to stdout, everything said about them to stderr."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, TextIO

from ifacegen.errors import IfacegenError


class OutputLost(IfacegenError):
    """A result could not be written where it was to go."""


@contextmanager
def _telling() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputLost(f"the output cannot be written: {error.strerror or error}") from None


class Output:
    """Where a command's words go."""

    def __init__(self, stdout: TextIO | None = None, stderr: TextIO | None = None) -> None:
        # Python has no stream where the shell closed one (`>&-`).
        self._stdout = stdout or sys.stdout or io.StringIO()
        self._stderr = stderr or sys.stderr or io.StringIO()

    @property
    def is_terminal(self) -> bool:
        """Whether somebody watches stderr."""
        return self._stderr.isatty()

    def out(self, text: str) -> None:
        """A result, with one line end after it."""
        with _telling():
            _write(self._stdout, text if text.endswith("\n") else f"{text}\n")

    def json(self, value: Any) -> None:
        """A result as JSON."""
        from ifacegen.render.json import to_json

        self.out(to_json(value))

    def note(self, text: str) -> None:
        """Something the user should know; not part of the result."""
        with suppress(OSError):  # a full disk below a log must not stop what is logged
            _write(self._stderr, f"ifacegen: {text}\n")

    def flush(self) -> None:
        """Push out what is buffered, so that a closed pipe is noticed here and not at exit."""
        with _telling():
            self._stdout.flush()
        with suppress(OSError):
            self._stderr.flush()

    def close_stdout(self) -> None:
        """The reader has gone (``| head``): let the interpreter end without a second complaint."""
        os.dup2(os.open(os.devnull, os.O_WRONLY), self._stdout.fileno())


def _write(stream: TextIO, text: str) -> None:
    """Write UTF-8 whatever the locale says: views are files that others read."""
    data = text.encode("utf-8", "backslashreplace")
    buffer = getattr(stream, "buffer", None)
    if buffer is None:
        stream.write(data.decode("utf-8"))
    else:
        stream.flush()
        buffer.write(data)
