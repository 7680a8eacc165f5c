"""Which files a package's view may be made of, and which of them lead to one another."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from ifacegen.adapter import BuildContext
from ifacegen_adapters.typescript.entries import package_entries
from ifacegen_adapters.typescript.facts import Doc, Fact, FileFacts, Ref, Text
from ifacegen_adapters.typescript.neighbours import place_of
from ifacegen_adapters.typescript.outside import is_own
from ifacegen_adapters.typescript.paths import (
    SOURCES,
    is_aside,
    is_code,
    is_declaration,
    is_ignored,
    is_script,
    is_source,
    joined,
    relative_to,
    stem_of,
)
from ifacegen_adapters.typescript.resolve import Resolver
from ifacegen_adapters.typescript.unbuilt import OUTPUTS

_MOST_FILES = 50_000


def sources(context: BuildContext) -> tuple[str, ...]:
    """The files of the package's implementation, by path: no tests, no documentation, and no build beside its sources."""
    known: dict[str, tuple[str, ...]] = context.shared.setdefault("typescript.sources", {})
    path = context.package.path
    if path not in known:
        known[path] = tuple(_sources(context))
    return known[path]


def readable(context: BuildContext) -> tuple[str, ...]:
    """Every file of code that a view of the package may read, builds and tests included, by path."""
    place = place_of(context.package)
    own = [path for path in context.tree.below(place) if is_code(path) and is_own(context, path)]
    outside = [each.path for each in package_entries(context).entries if not is_own(context, each.path)]
    return (*(path for path in own if not is_ignored(relative_to(path, place))), *outside)


def _sources(context: BuildContext) -> Iterator[str]:
    place = place_of(context.package)
    files = [
        path
        for path in context.tree.below(place)
        if is_code(path) and is_own(context, path) and _matters(relative_to(path, place))
    ]
    typed = [path for path in files if is_source(path)]
    written = [path for path in typed if not _output(relative_to(path, place))] or typed
    if not written:
        yield from _without_twins(files)
        return
    named = frozenset(written)
    # Some keep their sources where others build to.
    own = {_output(relative_to(path, place)) for path in written}
    for path in files:
        output = _output(relative_to(path, place))
        is_built = output and output not in own
        # Declarations and JavaScript among sources are sources, too.
        if path in named or not (is_built or _is_made(path, place, named)):
            yield path


def _matters(relative: str) -> bool:
    return not is_ignored(relative) and not is_aside(relative)


def _output(relative: str) -> str:
    """The directory of builds that a file lies in; empty if it lies in none."""
    first = relative.partition("/")[0]
    return first if first != relative and OUTPUTS.fullmatch(first) else ""


def _is_made(path: str, place: str, written: frozenset[str]) -> bool:
    """Whether the source that a file is made from lies beside it, or below ``src``."""
    stem = stem_of(path)
    below = joined(place, f"src/{relative_to(stem, place)}")
    return any(each + suffix in written for each in (stem, below) for suffix in SOURCES)


def _without_twins(files: Sequence[str]) -> Iterator[str]:
    """Where only builds are committed: JavaScript as long as there is any, in one of its formats."""
    scripts = [path for path in files if is_script(path)] or [path for path in files if is_declaration(path)]
    seen: set[str] = set()
    for path in scripts:
        if stem_of(path) not in seen:
            seen.add(stem_of(path))
            yield path


def closure(
    context: BuildContext, roots: Iterable[str], facts_of: Callable[[str], FileFacts]
) -> tuple[str, ...]:
    """The roots and all files that they lead to, nearest first; JSON and files of other packages included.

    Args:
        context: Whose package imports.
        roots: Files to begin with.
        facts_of: What a file of code states.
    """
    resolver = Resolver(context)
    found: dict[str, None] = dict.fromkeys(roots)
    pending = list(found)
    for path in pending:  # grows
        if not is_code(path):
            continue
        for specifier in specifiers(facts_of(path)):
            target = resolver.resolve(specifier, path).path
            if target is not None and target not in found and len(found) < _MOST_FILES:
                found[target] = None
                pending.append(target)
    return tuple(found)


def specifiers(facts: FileFacts) -> tuple[str, ...]:
    """Every module that a file names, in the order of its imports, exports, references and types."""
    found: dict[str, None] = {}
    found.update((each.module, None) for each in facts.imports)
    found.update((each.module, None) for each in facts.exports)
    for kind, value in facts.references:
        if kind == "path":
            found[value if value.startswith(".") else f"./{value}"] = None
        elif kind == "types":
            found[value] = None
    pending = list(facts.declarations)
    while pending:
        fact = pending.pop()
        pending += fact.members
        found.update((each.module, None) for each in fact.imports)
        found.update((each.module, None) for each in fact.exports)
        found.update((piece.module, None) for piece in _pieces(fact) if isinstance(piece, Ref))
    found.pop("", None)
    return tuple(found)


def _pieces(fact: Fact) -> Iterator[str | Ref | Doc]:
    texts: list[Text | None] = [fact.header, fact.returns, fact.type_params, fact.type, *fact.bases]
    texts += [each.annotation for each in fact.parameters]
    for text in texts:
        yield from text or ()
