"""How progress looks: a bar on a terminal, plain lines elsewhere; always on stderr."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ifacegen.cli.output import Output
    from ifacegen.warm import WarmEvent

#: Without a terminal, a line for every so many builds: logs are kept.
_EVERY = 25


@contextmanager
def progress_on(output: Output) -> Iterator[Callable[[WarmEvent], None]]:
    """What to call with each event."""
    if not output.is_terminal:
        yield lambda event: _line(event, output)
        return
    # Half of ifacegen's start-up would be rich; only people see it.
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("warming"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    named = TextColumn("{task.fields[package]}", markup=False)
    with Progress(*columns, named, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None, package="")

        def show(event: WarmEvent) -> None:
            package = event.result.package if event.result is not None else ""
            bar.update(task, completed=event.done, total=event.total, package=package)

        yield show


def _line(event: WarmEvent, output: Output) -> None:
    if event.result is None:
        output.note(f"{event.total} {'view' if event.total == 1 else 'views'} to build")
    elif event.done % _EVERY == 0 or event.done == event.total:
        output.note(f"{event.done} of {event.total}: {event.result.package}")
