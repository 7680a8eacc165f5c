"""That reading a damaged file takes time in proportion to its size, whatever is wrong with it."""

from __future__ import annotations

import pytest
from tree_sitter import Node

from ifacegen_adapters.python import recovery

_METHOD = '    def m{0}(self, a: int) -> str:\n        """Doc {0}."""\n        return str(a)\n\n'
_CLASS = "class A:\n" + "".join(map(_METHOD.format, range(400)))
DAMAGED = {
    "one colon": _CLASS.replace("m5(self, a: int) -> str:", "m5(self, a: int) -> str"),
    "all colons": _CLASS.replace("-> str:", "-> str"),
    "all brackets": _CLASS.replace("str(a)", "str(a"),
    "all quotes": _CLASS.replace('."""', "."),
    "assignments": "x = (\n" * 2_000,
    "decorators": "@a(\n" * 2_000,
    "headers": "def f(\n" * 2_000,
    "a long header": "def f(\n" + "  a:\n" * 5_000,
    "split docstrings": 'def f():\n    """\nfrom x\n' * 500,
    "nested classes": "".join(f"{' ' * i}class A:\n{' ' * i} def f(:\n" for i in range(15)) * 20,
}


@pytest.mark.parametrize("kind", DAMAGED)
def test_what_is_parsed_grows_with_the_file(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    source = DAMAGED[kind].encode()
    parse = recovery._tree
    sizes: list[int] = []

    def counting(text: bytes) -> Node:
        sizes.append(len(text))
        return parse(text)

    monkeypatch.setattr(recovery, "_tree", counting)
    recovery.parsed(source, 400)
    assert sum(sizes) < 20 * len(source)
