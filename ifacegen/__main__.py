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
    except BrokenPipeError:  # the reader has gone (`| head`): end without a second complaint
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


if __name__ == "__main__":
    sys.exit(entry())
