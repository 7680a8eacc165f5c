"""Whatever files export to one another, callers are shown what they can import, each declaration once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from unit.adapters.typescript.linking import surface_of, text_of

from ifacegen.adapter import Surface
from ifacegen_adapters.typescript.files import facts_of_bytes

FILES: tuple[str, ...] = ("index", "a", "b", "c")
NAMES = ("A", "B", "C", "D")


@dataclass(frozen=True)
class File:
    """One file: what it declares, what it takes from others by name, and of which it exports all."""

    own: frozenset[str]
    named: tuple[tuple[str, str, str], ...]
    stars: tuple[str, ...]

    def text(self, name: str) -> str:
        """The file as it is written; every declaration mentions every other of the file, and the global Map."""
        members = "".join(f" {each.lower()}: {each};" for each in sorted(self.own))
        lines = [
            f"export interface {each} {{ from: '{name}.{each}';{members} m: Map<{each}, C_> }}"
            for each in sorted(self.own)
        ]
        lines += [f"export {{ {theirs} as {ours} }} from './{other}';" for ours, other, theirs in self.named]
        lines += [f"export * from './{other}';" for other in self.stars]
        return "\n".join(["interface C_ { private_: 1 }", *lines, "export {};"])


def _files() -> st.SearchStrategy[Mapping[str, File]]:
    names = st.sampled_from(NAMES)
    file = st.builds(
        _file,
        st.frozensets(names, max_size=2),
        st.lists(st.tuples(names, st.sampled_from(FILES), names), max_size=2),
        st.lists(st.sampled_from(FILES), max_size=3, unique=True),
    )
    files: dict[str, st.SearchStrategy[File]] = dict.fromkeys(FILES, file)
    return st.fixed_dictionaries(files)


def _file(own: frozenset[str], named: list[tuple[str, str, str]], stars: list[str]) -> File:
    taken = {ours: (ours, other, theirs) for ours, other, theirs in named if ours not in own}
    return File(own, tuple(taken.values()), tuple(stars))


def _origins(files: Mapping[str, File], file: str, name: str, seen: frozenset[tuple[str, str]]) -> set[str]:
    """What a name means, by the rules and nothing else."""
    if (file, name) in seen:
        return set()
    seen = seen | {(file, name)}
    here = files[file]
    if name in here.own:
        return {f"{file}.{name}"}
    for ours, other, theirs in here.named:
        if ours == name:
            return _origins(files, other, theirs, seen)
    return {each for other in here.stars for each in _origins(files, other, name, seen)}


def _expected(files: Mapping[str, File], file: str) -> dict[str, str]:
    found = {name: _origins(files, file, name, frozenset()) for name in NAMES}
    return {name: next(iter(origins)) for name, origins in found.items() if len(origins) == 1}


def _shown(surface: Surface, module: str) -> dict[str, str]:
    """Public name → ``file.Name`` of what it is, by what the modules say of themselves."""
    (here,) = (each for each in surface.modules if each.name == module)
    known = {
        each.id: _from(each.members[0].signature)
        for m in surface.modules
        for each in m.declarations
        if each.members
    }
    found: dict[str, str] = {}
    for each in here.declarations:
        if each.kind == "alias" and each.name == "*":
            other = (each.origin or "").rpartition(":")[0]
            found.update(_shown(surface, other))
        elif each.kind == "alias":
            found[each.name] = known[each.origin or ""]
        elif each.kind != "import" and each.visibility == "public" and "export" not in each.extra:
            found[each.name] = known[each.id]
    return found


def _from(signature: str) -> str:
    return signature.partition("'")[2].rstrip("';")


def _declared(surface: Surface) -> Iterator[str]:
    for module in surface.modules:
        for each in module.declarations:
            if each.members and each.members[0].name == "from":
                yield each.members[0].signature


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(_files())
def test_callers_see_what_they_can_import(files: Mapping[str, File]) -> None:
    surface = surface_of(
        {f"{name}.d.ts": file.text(name) for name, file in files.items()},
        exports={".": "./index.d.ts", "./a": "./a.d.ts"},
    )
    for module, file in (("pkg", "index"), ("pkg/a", "a")):
        assert _shown(surface, module) == _expected(files, file)
    assert max(Counter(_declared(surface)).values(), default=1) == 1
    assert not facts_of_bytes(text_of(surface).encode(), ".d.ts").troubles
