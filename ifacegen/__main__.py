"""The installed command, and ``python -m ifacegen``: the fast path where it answers, else the command line."""

from __future__ import annotations

import os
import sys

from ifacegen.fastpath import attempt


def entry() -> int:
    """Run ``sys.argv`` and return the exit code."""
    try:
        return _run()
    except KeyboardInterrupt:
        sys.stderr.write("ifacegen: interrupted\n")
        return 130


def _run() -> int:
    text = attempt(sys.argv[1:])
    if text is None or sys.stdout is None:
        from ifacegen.cli import main

        return main()
    try:
        sys.stdout.buffer.write(text)
        sys.stdout.buffer.flush()
    except (
        OSError
    ) as error:  # of which a reader who has gone (`| head`) is none: end without a second complaint
        code = 0 if isinstance(error, BrokenPipeError) else 3
        if code:
            sys.stderr.write(f"ifacegen: the output cannot be written: {error.strerror or error}\n")
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return code
    return 0


if __name__ == "__main__":
    sys.exit(entry())
