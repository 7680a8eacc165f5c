"""What a view depends on outside its package, and what is kept between builds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ifacegen.facts import MemoryFacts
from ifacegen_adapters.protobuf import protoc
from support.protos import ADAPTER, HEAD, context, package_of, surface_of, text_of

SHOP = {"shop/a.proto": HEAD + 'import "money/m.proto";\nmessage A { Money m = 1; }'}
MONEY = {"common/money/m.proto": HEAD + 'import "money/unit.proto";\nmessage Money { Unit u = 1; }'}
UNIT = {"common/money/unit.proto": HEAD + "message Unit { string name = 1; }"}
COMMON = package_of("common", ["common"])


def test_files_of_other_packages_are_consulted_with_what_they_import() -> None:
    files = {**SHOP, **MONEY, **UNIT}
    surface = ADAPTER.build(context(files, path="shop", roots=["shop"], others=[COMMON]))
    assert {name: found and found[0] for name, found in surface.consulted.items()} == {
        "money/m.proto": "common/money/m.proto",
        "money/unit.proto": "common/money/unit.proto",
    }
    assert surface.absent == ()  # what the package itself could provide is in its own tree
    assert surface.notes == ()


def test_consult_and_absent_say_the_same_as_the_build() -> None:
    for files in ({**SHOP, **MONEY, **UNIT}, {**SHOP, **MONEY}, SHOP):
        asked = context(files, path="shop", roots=["shop"], others=[COMMON])
        surface = ADAPTER.build(asked)
        names = sorted(surface.consulted)
        assert ADAPTER.consult(asked, names) == surface.consulted
        assert tuple(ADAPTER.absent(asked, names)) == surface.absent


def test_where_a_missing_import_could_come_to_lie_is_told() -> None:
    surface = ADAPTER.build(
        context({**SHOP, "common/x.proto": HEAD}, path="shop", roots=["shop"], others=[COMMON])
    )
    assert surface.consulted == {"money/m.proto": None}
    assert surface.absent == ("common/money",)
    assert [(note.code, note.path, note.line) for note in surface.notes] == [
        ("import-missing", "shop/a.proto", 2)
    ]


def test_well_known_types_are_consulted_as_absent_because_a_repository_may_bring_its_own() -> None:
    files = {"shop/a.proto": HEAD + 'import "google/protobuf/empty.proto";', "common/x.proto": HEAD}
    surface = ADAPTER.build(context(files, path="shop", roots=["shop"], others=[COMMON]))
    assert surface.consulted == {"google/protobuf/empty.proto": None}
    assert surface.absent == ("common/google",)
    assert surface.notes == ()


def test_a_repository_s_own_well_known_type_goes_first() -> None:
    files = {
        "a.proto": HEAD + 'import "google/protobuf/empty.proto";\nmessage A { google.protobuf.Mine m = 1; }',
        "google/protobuf/empty.proto": HEAD + "package google.protobuf;\nmessage Mine {}",
    }
    assert surface_of(files).notes == ()


def test_the_same_import_name_means_another_file_below_another_root() -> None:
    files = {
        "x/a.proto": HEAD + 'import "o.proto";\nmessage A { Inner i = 1; }',
        "x/o.proto": HEAD + "message Inner {}",
        "y/b.proto": HEAD + 'import "o.proto";\nmessage B { Other o = 1; }',
        "y/o.proto": HEAD + "message Other {}",
    }
    surface = ADAPTER.build(context(files, roots=["x", "y"]))
    assert {note.code for note in surface.notes} == {"import-clash"}
    ids = [each.id for module in surface.modules for each in module.declarations]
    assert len(ids) == len(set(ids))


def test_roots_that_only_imports_tell_are_known_to_consult_and_absent() -> None:
    files = {
        **{f"shop/in/{name}.proto": HEAD + f'import "{other}.proto";' for name, other in ("ab", "bc")},
        "shop/in/c.proto": HEAD + 'import "money/m.proto";\nimport "nowhere.proto";',
        **MONEY,
        **UNIT,
    }
    asked = context(files, path="shop", roots=["shop"], others=[COMMON])
    surface = ADAPTER.build(asked)
    assert [module.name for module in surface.modules] == ["a.proto", "b.proto", "c.proto"]
    assert {name: found and found[0] for name, found in surface.consulted.items()} == {
        "shop/in//money/m.proto": "common/money/m.proto",
        "shop/in//money/unit.proto": "common/money/unit.proto",
        "shop/in//nowhere.proto": None,
    }
    names = sorted(surface.consulted)
    assert ADAPTER.consult(asked, names) == surface.consulted
    assert tuple(ADAPTER.absent(asked, names)) == surface.absent


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """The names that protoc was asked for, call by call; it runs all the same."""
    asked: list[tuple[str, ...]] = []
    original = protoc.compile_files

    def recording(sources: Any, wanted: Any) -> Any:
        asked.append(tuple(wanted))
        return original(sources, wanted)

    monkeypatch.setattr(protoc, "compile_files", recording)
    return asked


def test_only_what_changed_and_what_imports_it_is_compiled_again(compiled: list[tuple[str, ...]]) -> None:
    facts = MemoryFacts()
    files = {
        "a.proto": HEAD + "message A {}",
        "b.proto": HEAD + 'import "a.proto";\nmessage B { A a = 1; }',
        "c.proto": HEAD + "message C {}",
    }
    first = ADAPTER.build(context(files, facts=facts))
    again = ADAPTER.build(context(files, facts=facts))
    assert replace(again, consulted={}) == replace(first, consulted={})
    changed = {**files, "a.proto": HEAD + "message A { string a = 1; }"}
    assert text_of(ADAPTER.build(context(changed, facts=facts))) == text_of(surface_of(changed))
    assert compiled[:2] == [("a.proto", "b.proto", "c.proto"), ("a.proto", "b.proto")]


def test_facts_that_are_damaged_are_made_anew() -> None:
    class Damaged(MemoryFacts):
        def get(self, **fields: str) -> bytes | None:
            known = super().get(**fields)
            return known and known[: len(known) // 2]

    facts = Damaged()
    files = {"a.proto": HEAD + "message A { string a = 1; }"}
    first = ADAPTER.build(context(files, facts=facts))
    assert ADAPTER.build(context(files, facts=facts)) == first


def test_what_killed_a_process_is_not_read_again() -> None:
    files = {"a.proto": HEAD + "message A {}", "b.proto": HEAD + 'import "a.proto";\nmessage B { A a = 1; }'}
    asked = context(files)
    asked = replace(asked, unreadable={asked.tree.id("a.proto"): "it died of SIGSEGV"})
    surface = ADAPTER.build(asked)
    assert [(note.code, note.path) for note in surface.notes] == [
        ("crashed", "a.proto"),
        ("import-missing", "b.proto"),
    ]
    assert [module.name for module in surface.modules] == ["b.proto"]
