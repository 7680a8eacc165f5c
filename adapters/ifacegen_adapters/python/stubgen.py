"""mypy's stubgen, consulted for the types that a source doesn't state. The only importer of mypy.

Parse only, one file at a time, in process: no semantic analysis (whose answers depend on what else is
built and on what is installed beside us), no imports, nothing executed. Its answers are types; names,
signatures, values and documentation come from the source, because stubgen's text loses or alters them.
"""

from __future__ import annotations

import contextlib
import functools
import importlib.metadata
import io
import re
import tempfile
from collections.abc import Iterator, Mapping
from typing import Any

#: Bytes of the largest file that mypy's parser, which recurses in C, is trusted with.
LARGEST = 2 * 1024 * 1024

_CLASS = re.compile(r"( *)class (\w+)")
_FUNCTION = re.compile(r"( *)(?:async )?def (\w+)\(.*\) -> (.+): \.\.\.")
_VARIABLE = re.compile(r"( *)(\w+): (.+?)(?: = .*)?$")
_UNKNOWN = re.compile(r"\b_?Incomplete\b")


class StubgenFailed(Exception):
    """stubgen gave no answer for a file; ``str()`` says why."""


@functools.cache
def tool() -> str:
    """Name and version, for keys and provenance."""
    return f"mypy {importlib.metadata.version('mypy')} stubgen"


@functools.cache
def _options() -> Any:
    from mypy.stubgen import mypy_options, parse_options

    # It makes its output folder at once, though nothing is written to it: name one that exists.
    output = ["-o", tempfile.gettempdir()]
    flags = ["--parse-only", "--no-import", "--include-private", "-q", *output, "module.py"]
    with contextlib.redirect_stderr(io.StringIO()):
        return mypy_options(parse_options(flags))


def inferred_types(source: str) -> Mapping[str, str]:
    """Types by qualified name (``Class.attribute``, ``function`` for what it returns), unknown ones left out.

    Raises:
        StubgenFailed: The file is beyond it, with the reason.
    """
    return dict(_answers(_stub(source)))


def check(source: str) -> None:
    """Find out whether there would be answers, at a third of their price.

    Raises:
        StubgenFailed: As :func:`inferred_types` would.
    """
    with _failures():
        _parsed(source, eager=False)


def _stub(source: str) -> str:
    from mypy.stubgen import ASTStubGenerator

    with _failures():
        generator = ASTStubGenerator(
            None, include_private=True, include_docstrings=False, analyzed=False, export_less=False
        )
        _parsed(source, eager=True).accept(generator)
        return generator.output()


def _parsed(source: str, *, eager: bool) -> Any:
    """mypy's tree of a source; unless ``eager``, it is empty, and says only whether the source has one."""
    import mypy.parse
    from mypy.errors import Errors

    options = _options()
    errors = Errors(options)
    # A constant module name keeps the answer free of where the file lies.
    tree: Any = mypy.parse.parse(
        source, fnam="module.py", module="module", errors=errors, options=options, eager=eager
    )
    raw = () if eager or tree.raw_data is None else tree.raw_data.raw_errors
    if errors.is_blockers() or any(error.get("blocker", True) for error in raw):
        raise StubgenFailed("mypy cannot parse it")
    return tree


@contextlib.contextmanager
def _failures() -> Iterator[None]:
    """Whatever mypy dies of is one kind of failure."""
    from mypy.errors import CompileError

    try:
        yield
    except (SystemExit, CompileError, RecursionError, AssertionError, ValueError, LookupError) as error:
        raise StubgenFailed(type(error).__name__) from error
    except (AttributeError, TypeError, NotImplementedError) as error:  # stubgen's own faults on odd input
        raise StubgenFailed(f"{type(error).__name__}: {error}") from error


def _answers(stub: str) -> Iterator[tuple[str, str]]:
    """Read a stub of stubgen's own regular layout: one header a line, four spaces a level."""
    classes: list[str] = []
    seen: set[str] = set()
    for line in stub.splitlines():
        if found := _CLASS.match(line):
            del classes[len(found[1]) // 4 :]
            classes.append(found[2])
        elif found := _FUNCTION.match(line) or _VARIABLE.match(line):
            del classes[len(found[1]) // 4 :]
            name = ".".join([*classes, found[2]])
            answer = known_part(found[3])
            if answer and name not in seen:
                yield name, answer
            seen.add(name)


def known_part(type_: str) -> str | None:
    """A type without its unknown arguments: ``Generator[Incomplete]`` is a ``Generator``; None if nothing is known."""
    if not _UNKNOWN.search(type_):
        return type_
    head, bracket, _ = type_.partition("[")
    closes_at_end = bracket and type_.endswith("]") and _UNKNOWN.search(head) is None and " " not in head
    return head if closes_at_end and head not in ("Union", "Callable", "Annotated", "type") else None
