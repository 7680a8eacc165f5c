"""The child's side of :mod:`ifacegen.workers`: ``python -P -m ifacegen.worker MEMORY``, JSON lines both ways."""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import signal
import sys
from typing import Any

from ifacegen.errors import IfacegenError

#: Exit code of a child that needed more memory than it may have.
OUT_OF_MEMORY = 77


def main() -> None:
    """Answer calls until standard input ends."""
    gc.set_threshold(200_000, 20, 20)
    _limit_memory(int(sys.argv[1]))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides; its end is ours
    # Answers have a descriptor of their own: whatever prints must not get between them.
    with os.fdopen(os.dup(1), "wb") as answers:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        for line in sys.stdin.buffer:
            with contextlib.suppress(BrokenPipeError):
                answers.write(json.dumps(_answer(json.loads(line))).encode("ascii") + b"\n")
                answers.flush()
    os._exit(0)  # tearing millions of objects down takes longer than what they were for


def limit_time(seconds: float) -> None:
    """Let this process die (of SIGPROF) once it has used that many more CPU seconds; 0 takes the limit back."""
    signal.setitimer(signal.ITIMER_PROF, seconds)


def _limit_memory(size: int) -> None:
    try:
        import resource
    except ImportError:  # Windows has no such limits
        return
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (size, resource.getrlimit(resource.RLIMIT_AS)[1]))
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _answer(request: dict[str, Any]) -> dict[str, Any]:
    module, _, name = request["call"].partition(":")
    try:
        function = getattr(importlib.import_module(module), name)
        return {"result": function(*request["args"], **request["kwargs"])}
    except IfacegenError as error:
        state = {name: each for name, each in error.__dict__.items() if _is_plain(each)}
        return {"error": type(error).__name__, "args": [str(each) for each in error.args], "state": state}
    except MemoryError:
        os._exit(OUT_OF_MEMORY)
    except Exception as error:  # noqa: BLE001  # it must be told, not end the child
        return {"error": type(error).__name__, "message": str(error)}


def _is_plain(value: object) -> bool:
    return value is None or isinstance(value, str | int | float | bool)


if __name__ == "__main__":
    main()
