"""From paths to facts: each file read once, its troubles kept with what it states."""

from __future__ import annotations

import functools
import hashlib
import importlib.metadata
from dataclasses import replace
from typing import TYPE_CHECKING

from ifacegen.errors import ReadError
from ifacegen_adapters.typescript.facts import FileFacts, Trouble
from ifacegen_adapters.typescript.provenance import FACTS_VERSION
from ifacegen_adapters.typescript.reader_source import Unreadable, read_source
from ifacegen_adapters.typescript.reader_suffix import suffix_of
from ifacegen_adapters.typescript.stored import LAYOUT, Malformed, decode, encode

if TYPE_CHECKING:
    from collections.abc import Callable

    from ifacegen.adapter import BuildContext

#: Declaration text that was emitted for a source.
_EMITTED = ".d.ts"


def facts_of(context: BuildContext, path: str) -> FileFacts:
    """What a file of the tree states, as it stands; one that cannot be read states a trouble and nothing else."""
    try:
        blob = context.tree.id(path)
        if reason := context.unreadable.get(blob):
            return FileFacts(troubles=(Trouble("crashed", reason),))
        fields = {"blob": blob, "suffix": suffix_of(path)}
        return _known(context, fields, lambda: context.tree.read(path).data)
    except ReadError as error:
        return FileFacts(troubles=(Trouble("read-failed", error.reason),))


def facts_of_text(context: BuildContext, path: str, text: str) -> FileFacts:
    """What the declarations say that were emitted for the source at a path; lines are the text's."""
    del path  # equal texts state the same, wherever they are from
    data = text.encode("utf-8", "replace")
    fields = {"digest": hashlib.sha256(data).hexdigest(), "suffix": _EMITTED}
    return _known(context, fields, lambda: data)


def _known(context: BuildContext, fields: dict[str, str], load: Callable[[], bytes]) -> FileFacts:
    """Facts that are remembered, stored, or made and kept in both places."""
    key = {"kind": "typescript-facts", "adapter": "typescript", "maker": _maker(), **fields}
    remembered = " ".join(key.values())
    known: FileFacts | None = context.memory.get(remembered)
    if known is None:
        known = _restored(context.facts.get(**key))
        if known is None:
            known = facts_of_bytes(load(), fields["suffix"])
            context.facts.put(encode(known), **key)
        context.memory[remembered] = known
    return known


@functools.cache
def _maker() -> str:
    grammar = importlib.metadata.version("tree-sitter-typescript")
    return f"{FACTS_VERSION} {LAYOUT} tree-sitter-typescript {grammar}"


def _restored(data: bytes | None) -> FileFacts | None:
    if data is None:
        return None
    try:
        return decode(data)
    except Malformed:  # made anew, and better
        return None


def facts_of_bytes(data: bytes, suffix: str) -> FileFacts:
    """What the bytes of a file state; ``suffix`` is what :func:`suffix_of` says of its path."""
    from ifacegen_adapters.typescript.reader import read_facts

    try:
        source = read_source(data, suffix)
    except Unreadable as error:
        return FileFacts(troubles=(Trouble("unreadable", str(error)),))
    try:
        facts = read_facts(source.text, suffix)
    except RecursionError:  # whatever else nests that nobody thought of: it costs this file alone
        return FileFacts(troubles=(Trouble("too-deep", "nested too deep to read"),))
    if not source.problem:
        return facts
    return replace(facts, troubles=(Trouble("encoding", source.problem), *facts.troubles))
