"""Names that a TypeScript view itself says its modules have, whatever compilers make of its stubs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ifacegen.model import Declaration, View

#: A name as the whole of what is exported, and a second name.
_WHOLE, _STAR, _DEFAULT = "export=", "*", "default"
_GLOBAL = " (global)"
_SPECIFIER = re.compile(r"""from (["'])(.+)\1""")
_SELF = re.compile(r"/// <reference|export \{\s*\}")


def names_of(view: View) -> Mapping[str, set[str]]:
    """Module → its names; star exports of modules of the view replaced by theirs."""
    own = {each.name: set(_names(each.declarations)) for each in view.modules}
    stars = {each.name: [star for star in map(_star, each.declarations) if star] for each in view.modules}
    return {name: _reached(name, own, stars) for name in own if not name.endswith(_GLOBAL)}


def _names(declarations: Sequence[Declaration]) -> Iterator[str]:
    for each in declarations:
        if each.visibility == "public" and each.kind not in ("import", "ambient", "global"):
            how = each.extra.get("export")
            if each.kind == "alias":
                yield from _alias(each)
            elif how == _DEFAULT:
                yield _DEFAULT
            elif how not in ("=", "alias"):
                yield each.name


def _alias(declaration: Declaration) -> Iterator[str]:
    written = declaration.signature
    if written.startswith("export as namespace") or _SELF.match(written):
        return
    if declaration.name != _STAR and not written.startswith("export ="):
        yield declaration.name


def _star(declaration: Declaration) -> str | None:
    if declaration.kind != "alias" or declaration.name != _STAR:
        return None
    found = _SPECIFIER.search(declaration.signature)
    return found[2] if found else None


def _reached(name: str, own: Mapping[str, set[str]], stars: Mapping[str, list[str]]) -> set[str]:
    found, seen, waiting = set[str](), set[str](), [name]
    while waiting:
        module = waiting.pop()
        if module not in seen:
            seen.add(module)
            found |= own.get(module, set()) if module == name else own.get(module, set()) - {_DEFAULT}
            waiting += stars.get(module, [])
    return found
