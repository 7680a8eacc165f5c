"""What each schema is called in a view, and which are still to be declared.

Component schemas keep their names. What documents refer to elsewhere (in other files, inside of other
schemas) and what is too long to stand in a line is given a name and declared beside them.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any

from ifacegen_adapters.openapi.document import Document
from ifacegen_adapters.openapi.library import Found
from ifacegen_adapters.openapi.texts import exact_name, name_text, word
from ifacegen_adapters.openapi.troubles import Place

#: Parts of pointers that say nothing of what is there.
_NO_NAMES = frozenset(
    {"schema", "schemas", "items", "properties", "content", "responses", "components", "definitions", "$defs",
     "allOf", "oneOf", "anyOf", "parameters", "paths", "requestBody", "application/json", "not"}
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Named:
    """A schema's name and the module that declares it."""

    module: str
    name: str

    @property
    def id(self) -> str:
        """The id of its declaration."""
        return f"{self.module}:{self.name}"


@dataclass(frozen=True, slots=True)
class Wanted:
    """A schema that is to be declared."""

    named: Named
    node: Any
    document: Document
    place: Place


@dataclass(frozen=True, slots=True)
class Root:
    """An OpenAPI document whose contents are being described."""

    document: Document
    #: The module of its components.
    components: str
    #: Goes before the names of its modules.
    prefix: str = ""


class Names:
    """The schemas of one package, by where they stand."""

    def __init__(self, shared: str) -> None:
        """``shared`` is the module of schemas that no document has among its components."""
        self._shared = shared
        self._by_key: dict[tuple[str, str], Named] = {}
        self._by_node: dict[int, Named] = {}
        self._claims: dict[tuple[str, tuple[str, str]], Named] = {}
        #: Module → name → how many have asked for it.
        self._taken: dict[str, dict[str, int]] = {}
        self.wanted: deque[Wanted] = deque()

    def component(self, root: Root, name: str, node: Any, key: tuple[str, str]) -> Named:
        """Register a component schema."""
        named = self._free(root.components, exact_name(name))
        self._by_key[key] = named
        if isinstance(node, dict):
            self._by_node.setdefault(id(node), named)
        return named

    def of_node(self, node: Any) -> Named | None:
        """The component that a node is, wherever a YAML alias has put it."""
        return self._by_node.get(id(node))

    def claim(self, root: Root, named: Named, key: tuple[str, str]) -> bool:
        """Let a component name what it merely refers to, in its own document; False where something else does."""
        claim = root.components, key
        if key in self._by_key or claim in self._claims:
            return False
        self._claims[claim] = named
        return True

    def named(self, found: Found, root: Root) -> Named:
        """The name of what a reference leads to; it is declared if nothing else does."""
        known = self._by_key.get(found.key) or self._claims.get((root.components, found.key))
        if known is None:
            known = self._free(self._shared, _suggested(found.key))
            self._by_key[found.key] = known
            self.wanted.append(Wanted(known, found.node, found.document, found.place))
        return known

    def inline(self, name: str, node: Any, document: Document, place: Place, root: Root) -> Named:
        """Give a schema a name that has none."""
        named = self._free(root.components, name)
        self.wanted.append(Wanted(named, node, document, place))
        return named

    def text(self, named: Named, root: Root) -> str:
        """How the contents of a document refer to it."""
        own = self._taken.get(root.components, ())
        is_shared = named.module == self._shared and named.name not in own
        is_plain = named.module == root.components or is_shared
        return word(named.name if is_plain else named.id)

    def _free(self, module: str, name: str) -> Named:
        taken = self._taken.setdefault(module, {})
        free = name
        while free in taken:
            taken[name] += 1
            free = f"{name}_{taken[name]}"
        taken[free] = 1
        return Named(module, free)


def _suggested(key: tuple[str, str]) -> str:
    """A name for what has none: the last word of its pointer that says something, else its file's."""
    path, pointer = key
    parts = [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]
    telling = [part for part in parts if part not in _NO_NAMES and not part.isdecimal()]
    if telling:
        return name_text(telling[-1])
    return name_text(path.rpartition("/")[2].partition(".")[0] or path)
