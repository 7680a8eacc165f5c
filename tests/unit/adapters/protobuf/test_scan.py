"""What a file says of others, read without compiling it."""

from __future__ import annotations

import pytest

from ifacegen_adapters.protobuf import scan


@pytest.mark.parametrize(
    ("text", "imports"),
    [
        ('import "a.proto";', ("a.proto",)),
        ("import 'a.proto' ;\n\timport public \"b.proto\";import weak\n'c.proto';", ("a.proto", "b.proto", "c.proto")),
        ('import option "a.proto";', ("a.proto",)),
        ('// import "a.proto";\nimport "b.proto"; // import "c.proto";', ("b.proto",)),
        ('/*\nimport "a.proto";\n*/ import "b.proto";', ("b.proto",)),
        ('option x = "/*";\nimport "a.proto";\noption y = "*/";', ("a.proto",)),
        ('package p; import "a.proto";', ("a.proto",)),
        ("message M { string import = 1; }", ()),
        ('import "a.proto', ()),
        ("/* open", ()),
    ],
)  # fmt: skip
def test_imports(text: str, imports: tuple[str, ...]) -> None:
    assert sorted(scan.imports(text)) == sorted(imports)


@pytest.mark.parametrize(
    ("text", "package"),
    [
        ("package a.b.c;", "a.b.c"),
        ('syntax = "proto3"; package a;', "a"),
        ("// package a;\npackage b;", "b"),
        ("/* package a; */", ""),
        ("", ""),
    ],
)
def test_package(text: str, package: str) -> None:
    assert scan.package(text) == package


def test_other_encodings_are_read_and_told() -> None:
    assert scan.decoded("\ufeffé".encode()) == scan.Source("é")
    latin = scan.decoded(b"a\nb\xe9")
    assert latin.text == "a\nbé"
    assert "line 2" in (latin.problem or "")
    assert scan.decoded("é".encode("utf-16")).text == "é"


@pytest.mark.parametrize("data", [b"a\0b", b"x" * (scan.LARGEST + 1)])
def test_what_is_no_text_is_refused(data: bytes) -> None:
    with pytest.raises(scan.Unreadable):
        scan.decoded(data)
