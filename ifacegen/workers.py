"""Child processes for what may crash, hang or eat the memory: C parsers on files nobody vouches for.

A :class:`WorkerPool` is an :class:`concurrent.futures.Executor`: what codes against that can be run by any
other one too (a cluster's, say). Calls are named functions with JSON values, so nothing that comes back
from a child is ever executed; a child that dies takes its own call with it and no other.
"""

from __future__ import annotations

import atexit
import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextlib import suppress
from typing import Any, TypeVar

from ifacegen import errors
from ifacegen.errors import IfacegenError
from ifacegen.worker import OUT_OF_MEMORY

T = TypeVar("T")

#: Bytes of address space of one child; views of the largest packages known take a sixth of it.
MEMORY = 3 * 1024**3


class WorkerDied(IfacegenError):
    """The child that ran a call died of it; ``str()`` says how."""


class WorkerFailed(IfacegenError):
    """A call raised something unexpected in its child."""


class WorkerPool(Executor):
    """Some child processes, started when first needed.

    Use as a context manager, or call :meth:`shutdown`; an interpreter that ends without either stops them.
    """

    def __init__(self, workers: int = 1, *, memory: int = MEMORY) -> None:
        """Make a pool.

        Args:
            workers: How many calls may run at once.
            memory: Bytes of address space for each child.
        """
        self._calls: queue.SimpleQueue[_Call | None] = queue.SimpleQueue()
        self._memory = memory
        self._workers = workers
        self._threads: list[threading.Thread] = []
        self._children: set[_Child] = set()
        self._lock = threading.Lock()
        self._closed = False
        self._idle = 0
        self._is_cancelled = False
        self._owner = os.getpid()

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Run a module's function in a child.

        Args:
            fn: A function that can be imported by name.
            *args: JSON values.
            **kwargs: JSON values by name.

        Returns:
            A future of the JSON value that ``fn`` returns. It raises :class:`WorkerDied` if the child died,
            the error itself if it is one of ifacegen's, else :class:`WorkerFailed`.
        """
        future: Future[T] = Future()
        name = f"{fn.__module__}:{fn.__qualname__}"
        with self._lock:
            if self._closed:
                raise RuntimeError("the pool is shut down")
            is_busy = self._idle <= self._calls.qsize()
            self._calls.put((future, json.dumps({"call": name, "args": args, "kwargs": kwargs})))
            if len(self._threads) < self._workers and is_busy:
                thread = threading.Thread(target=self._serve, daemon=True)
                self._threads.append(thread)
                thread.start()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the children: after their calls, or at once where ``cancel_futures`` drops these."""
        if self._owner != os.getpid():  # a fork has neither the threads nor the children
            return
        with self._lock:
            self._closed = True
            threads = tuple(self._threads)
        if cancel_futures:
            self._drop()
        for _ in threads:
            self._calls.put(None)
        if wait:
            for thread in threads:
                thread.join()

    def _drop(self) -> None:
        while True:
            try:
                call = self._calls.get_nowait()
            except queue.Empty:
                break
            if call is not None:
                call[0].cancel()
        with self._lock:
            self._is_cancelled = True
            for child in self._children:
                child.kill()

    def _serve(self) -> None:
        child: _Child | None = None
        while True:
            with self._lock:
                self._idle += 1
            call = self._calls.get()
            with self._lock:
                self._idle -= 1
            if call is None:
                break
            future, request = call
            if not future.set_running_or_notify_cancel():
                continue
            try:
                if child is not None and not child.is_alive:
                    child.close()
                    child = None
                child = child or self._started()
                future.set_result(child.answer(request))
            except IfacegenError as error:
                future.set_exception(error)
            except OSError as error:
                future.set_exception(WorkerFailed(f"a process cannot be started: {error.strerror or error}"))
        if child is not None:
            child.close()
            self._children.discard(child)

    def _started(self) -> _Child:
        child = _Child(self._memory)
        with self._lock:
            self._children = {each for each in self._children if each.is_alive} | {child}
            if self._is_cancelled:  # while it was being started
                child.kill()
        return child


_Call = tuple[Future[Any], str]


class _Child:
    """One process that answers one call after the other."""

    def __init__(self, memory: int) -> None:
        # -P: the directory it runs in may hold a `mypy.py` of somebody else's.
        command = [sys.executable, "-P", "-m", "ifacegen.worker", str(memory)]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    def answer(self, request: str) -> Any:
        line = b""
        try:
            if self._process.stdin is not None and self._process.stdout is not None:
                self._process.stdin.write(request.encode("ascii") + b"\n")
                self._process.stdin.flush()
                line = self._process.stdout.readline()
        except (OSError, ValueError):
            line = b""
        if not line.endswith(b"\n"):
            self.kill()
            self.close()
            raise WorkerDied(_cause(self._process.wait()))
        try:
            reply = json.loads(line)
        except ValueError:
            self.kill()
            self.close()
            raise WorkerFailed("a process gave an answer that is none") from None
        if "result" in reply:
            return reply["result"]
        raise _error(reply)

    def kill(self) -> None:
        self._process.kill()

    def close(self) -> None:
        """Let it end by itself: its input is at an end."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):  # what it did not read any more
                    pipe.close()
        self._process.wait()


def _cause(code: int) -> str:
    if code == OUT_OF_MEMORY:
        return "needed more memory than it may have"
    if code >= 0:
        return f"ended with exit code {code}"
    if -code == signal.SIGPROF:
        return "took too long"
    try:
        return f"died of {signal.Signals(-code).name}"
    except ValueError:
        return f"died of signal {-code}"


def _error(reply: dict[str, Any]) -> IfacegenError:
    kind = getattr(errors, str(reply.get("error")), None)
    if isinstance(kind, type) and issubclass(kind, IfacegenError):
        error = kind.__new__(kind)
        error.args = tuple(reply["args"])
        error.__dict__.update(reply["state"])
        return error
    return WorkerFailed(f"{reply.get('error')}: {reply.get('message')}")


_shared: dict[int, WorkerPool] = {}


def shared() -> WorkerPool:
    """The pool of one child that every workspace of this process builds in; a fork has its own."""
    process = os.getpid()
    if process not in _shared:
        pool = _shared[process] = WorkerPool()
        atexit.register(pool.shutdown, wait=False, cancel_futures=True)
    return _shared[process]
