"""A long value means the same after it was broken, whatever it is made of."""

from __future__ import annotations

import ast

from hypothesis import assume, example, given
from hypothesis import strategies as st

from ifacegen_adapters.python.lines import WIDTH, value_lines

NAMES = st.sampled_from(
    ["a", "table", "a_name_that_is_rather_long", "module.attribute", "print", "match", "type"]
)
STRINGS = st.sampled_from([
    '"a, (b"', "'it, is ['", 'r"\\d, \\w"', 'b"bytes, {"', 'f"{a[1]}, {b!r:>{c}}"', '"é, ünï"', '"""three, quotes"""', '"\\", \\""'
])  # fmt: skip
ATOMS = NAMES | STRINGS | st.sampled_from(["0x10", "1.5e3", "None", "...", "-1", "not a", "1_000j"])


def compound(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Expressions made of expressions."""
    several = st.lists(inner, min_size=1, max_size=6)
    listed = several.map(", ".join)
    return st.one_of(
        st.tuples(st.sampled_from(["[{}]", "({},)", "{{{}}}", "f({})", "f(*x, {}, **y)", "a[{}]", "g(h({}))"]), listed).map(
            lambda pair: pair[0].format(pair[1])
        ),
        st.lists(st.tuples(inner, inner), max_size=5).map(
            lambda pairs: "{" + ", ".join(f"({key}): {value}" for key, value in pairs) + "}"
        ),
        st.lists(STRINGS.filter(lambda text: text[0] != "b"), min_size=2, max_size=4).map(
            lambda texts: f"({' '.join(texts)})"
        ),
        st.tuples(
            st.sampled_from([
                "({})", "(({}))", "lambda x, *y, z=1: {}", "[x for x, y in ({}) if x]", "(x async for x in ({}))",
                "(x := ({}))", "{{k: v for k, v in ({}).items()}}", "f(x for x in ({}))", "a[({}):1, ::2]", "(yield)", "({}).x",
                "f(name=({}), **{{}})",
            ]),
            inner,
        ).map(lambda pair: pair[0].format(pair[1])),
        st.tuples(inner, st.sampled_from(["+", "|", "and", "or", "if x else", "<", "not in", "**"]), inner).map(
            lambda parts: f"({parts[0]}) {parts[1]} ({parts[2]})"
        ),
    )  # fmt: skip


VALUES = st.recursive(ATOMS, compound, max_leaves=40)


def meaning(value: str) -> str | None:
    """The tree of what is assigned; None where Python doesn't read it."""
    try:
        return ast.dump(ast.parse(value))
    except SyntaxError:
        return None


@given(VALUES, st.sampled_from(["X = ", "X: Final[dict[str, int]] = ", f"X: {'T' * WIDTH} = "]))
@example("(yield)", "X = ")
@example("(x := 1)", "X = ")
@example("(1,)", "X = ")
@example(f"({'a, ' * 60})", "X = ")
@example(f"[{'a, ' * 60}]", "X = ")
@example(f"a[{'b, ' * 60}]", "X = ")
@example(f"a[{'b' * WIDTH},]", "X = ")
@example(f"({'a + ' * 60}f(b, c))", "X = ")
def test_a_value_means_the_same_when_it_is_broken(value: str, head: str) -> None:
    before = meaning(f"{head}{value}")
    assume(before is not None)
    assert meaning("\n".join(value_lines(head, value, ""))) == before


@given(VALUES)
def test_a_value_means_the_same_within_a_class(value: str) -> None:
    before = meaning(f"class C:\n    x = {value}")
    assume(before is not None)
    assert meaning("\n".join(["class C:", *value_lines("x = ", value, "    ")])) == before


@given(st.lists(ATOMS, min_size=1, max_size=30).filter(lambda items: all("\n" not in each for each in items)))
def test_no_line_is_longer_than_it_must_be(items: list[str]) -> None:
    value = f"[{', '.join(items)}]"
    assert all(len(line) <= WIDTH for line in value_lines("X = ", value, ""))


def test_what_cannot_be_read_stays_as_it_is() -> None:
    value = f"(print 'x', {'y' * WIDTH}"
    assert value_lines("X = ", value, "") == [f"X = {value}"]
