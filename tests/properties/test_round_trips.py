"""What goes in comes out: documentation and signatures survive reading and printing, whatever they hold."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import json
import keyword
import re
from collections.abc import Mapping
from typing import Any, get_args, get_origin, get_type_hints

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from ifacegen_adapters.python.facts import Definition, FileFacts, FileTypes, Problem
from ifacegen_adapters.python.headers import Header
from ifacegen_adapters.python.reader import read_facts
from ifacegen_adapters.python.stored import Malformed, decode, encode
from support.views import surface_of, text_of

# --- Documentation ----------------------------------------------------------------------------------

#: Texts that quoting trips over more often than over any text.
AWKWARD = st.text(
    st.sampled_from("\\\"'\n\t\r \x00\x0b\x0c\x1b\x7f\x85\u2028\ufeff\ud800ab{}#é"), max_size=30
)
#: White space that is none of Python's indentation counts as blank for some of its functions and not for others.
ODD_SPACE = "\r\x0b\x0c\x1c\x1d\x1e\x1f\x85\u2028\u2029"
DOCS = (st.text() | AWKWARD | st.lists(AWKWARD, max_size=4).map("\n    ".join)).map(
    lambda doc: doc.translate(dict.fromkeys(map(ord, ODD_SPACE)))
)


def documented(doc: str, kind: str) -> str:
    """A module with one thing that has this documentation."""
    literal = repr(doc)
    return {
        "module": f"{literal}\nX = 1\n",
        "function": f"def f():\n    {literal}\n    return 1\n",
        "class": f"class C:\n    {literal}\n    x = 1\n",
        "method": f"class C:\n    def f(self):\n        {literal}\n",
        "attribute": f"X = 1\n{literal}\n",
    }[kind]


def documentation(text: str, kind: str) -> str | None:
    """That documentation, read back from what is printed."""
    module = ast.parse(text.encode("utf-8"))
    if kind == "module":
        return ast.get_docstring(module)
    if kind == "attribute":
        statement = module.body[-1]
        is_doc = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        return inspect.cleandoc(statement.value.value) if is_doc else None  # type: ignore[attr-defined]  # is_doc says so
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == (
            "C" if kind == "class" else "f"
        ):
            return ast.get_docstring(node)
    raise AssertionError(f"no {kind} in {text!r}")


def without_blank_edges(text: str) -> str:
    """Text from its first to its last line with anything on it."""
    return re.sub(r"\A(?:[ \t]*\n)+|(?:\n[ \t]*)+\Z", "", text).rstrip(" \t") if text.strip() else ""


def is_ordinary(doc: str) -> bool:
    """Whether it begins with a word and indents with spaces: what cleaning twice leaves alone."""
    lines = doc.split("\n")
    indents = (line[: len(line) - len(line.lstrip())] for line in lines)
    return not doc or (bool(lines[0].strip()) and all(not indent.strip(" ") for indent in indents))


@pytest.mark.parametrize("kind", ["module", "function", "class", "method", "attribute"])
@given(doc=DOCS)
@example(doc='ends with """')
@example(doc='\\"""')
@example(doc='"')
@example(doc="ends with \\")
@example(doc="first\n   ")
@example(doc="C:\\Users\\N{x}\nand more")
@example(doc="\n\n    ")
def test_documentation_survives(kind: str, doc: str) -> None:
    text = text_of(surface_of({"m.py": documented(doc, kind)}))
    wanted = inspect.cleandoc(doc).encode("utf-8", "backslashreplace").decode("utf-8")
    found = documentation(text, kind)
    assume(is_ordinary(wanted))
    # Lines of nothing but white space at either end say nothing, and cannot be told from the quotes' own.
    assert without_blank_edges(found or "").strip() == without_blank_edges(wanted).strip()


def test_lines_indented_below_the_first_stay_so() -> None:
    doc = "Summary\n    indented\n      more"
    text = text_of(surface_of({"m.py": documented(f"\n{doc}", "function")}))
    assert documentation(text, "function") == doc


@given(doc=DOCS)
def test_the_shorter_the_policy_the_shorter_the_view(doc: str) -> None:
    surface = surface_of({"m.py": documented(doc, "function")})
    sizes = [len(text_of(surface, docs)) for docs in ("none", "first_paragraph", "full")]
    assert sizes == sorted(sizes)
    for docs in ("none", "first_paragraph"):
        ast.parse(text_of(surface, docs).encode("utf-8"))


# --- Signatures -------------------------------------------------------------------------------------

NAMES = st.from_regex(r"[a-z_][a-z0-9_]{0,6}", fullmatch=True) | st.sampled_from(
    ["é", "x", "属性", "self", "T"]
)
NAMES = NAMES.filter(lambda name: not keyword.iskeyword(name))
LITERALS = st.one_of(
    st.integers().map(str),
    st.sampled_from(
        [
            "0xFF",
            "10_000",
            "1e-3",
            "2j",
            "...",
            "None",
            "True",
            "-1",
            "+2",
            "~3",
            "not x",
            "(1,)",
            "()",
            "r'\\d'",
        ]
    ),
    st.text(max_size=8).map(repr).filter(lambda text: text.isprintable()),
    st.binary(max_size=4).map(repr),
    st.sampled_from(['f"{x}"', "f'{x!r:>{y}}'", '"#"', "'a' \"b\"", '"""two\nlines"""', '"("']),
)


def compound(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Expressions of expressions, with line breaks and comments inside brackets."""
    gap = st.sampled_from(["", " ", "\n    ", "  # comment, with (\n    "])
    some = st.lists(inner, min_size=1, max_size=3)
    return st.one_of(
        st.builds(lambda items, g: f"[{g}{f',{g}'.join(items)}{g}]", some, gap),
        st.builds(lambda items, g: f"({g}{f', {g}'.join(items)},{g})", some, gap),
        st.builds(lambda items, g: f"call({g}{f', {g}'.join(items)}, key={items[0]},{g})", some, gap),
        st.builds(lambda key, value, g: f"{{{g}{key}: {value},{g}}}", inner, inner, gap),
        st.builds(lambda a, b: f"{a} if {b} else {a}", inner, inner).map(lambda text: f"({text})"),
        st.builds(
            lambda a, b, o: f"({a} {o} {b})",
            inner,
            inner,
            st.sampled_from(["+", "**", "and", "<", "is not", "|", "@"]),
        ),
        st.builds(lambda a, b: f"(lambda {a}, *b, c={b}: {a})", NAMES.filter(lambda n: n not in "bc"), inner),
        st.builds(lambda a, b, g: f"{a}[{g}{b}{g}]", NAMES, inner, gap),
        st.builds(lambda a, b: f"{a}.{b}", NAMES, NAMES),
        st.builds(lambda a, n: f"[{n} for {n} in {a} if {n}]", inner, NAMES),
    )


EXPRESSIONS = st.recursive(LITERALS | NAMES, compound, max_leaves=6)
VALUES = EXPRESSIONS | st.builds("x[{}:{}, ::2]".format, EXPRESSIONS, EXPRESSIONS)
GAPS = st.sampled_from(["", " ", "\n", "\n\n    # a comment, = with ) things\n    ", "  # trailing\n"])


@st.composite
def functions(draw: st.DrawFn) -> str:
    """The source of a function with any signature, laid out in any way."""
    names = draw(st.lists(NAMES, max_size=7, unique=True))
    cuts = sorted(draw(st.tuples(*[st.integers(0, len(names))] * 2)))
    positional, plain, keywords = names[: cuts[0]], names[cuts[0] : cuts[1]], names[cuts[1] :]
    defaulted = draw(st.integers(0, len(positional) + len(plain)))
    pieces: list[str] = []
    for index, name in enumerate([*positional, *plain]):
        pieces.append(draw(parameters(name, index >= defaulted)))
        if index + 1 == len(positional):
            pieces.append("/")
    star = draw(st.sampled_from(["", "*", "*args"]))
    if star == "*args" or keywords:
        pieces.append(f"*{draw(parameters('args', False))}" if star == "*args" else "*")
        pieces.extend(draw(parameters(name, draw(st.booleans()))) for name in keywords)
    if draw(st.booleans()):
        pieces.append(f"**{draw(parameters('kwargs', False))}")
    trailing = "," if draw(st.booleans()) and pieces else ""
    separator = f",{draw(GAPS)}"
    returns = f" -> {draw(EXPRESSIONS)}" if draw(st.booleans()) else ""
    lines = [f"@{draw(EXPRESSIONS)}" for _ in range(draw(st.integers(0, 2)))]
    start = draw(st.sampled_from(["def", "async def"]))
    open_gap, close_gap = draw(GAPS), draw(GAPS)
    lines.append(f"{start} function({open_gap}{separator.join(pieces)}{trailing}{close_gap}){returns}:")
    return "\n".join([*lines, f"    {draw(st.sampled_from(['...', 'pass', 'return 1', 'yield']))}"]) + "\n"


def parameters(name: str, has_default: bool) -> st.SearchStrategy[str]:
    """One parameter, annotated or not."""
    annotation = st.none() | EXPRESSIONS
    default = VALUES if has_default else st.none()
    return st.builds(
        lambda a, d: f"{name}{f': {a}' if a else ''}{f' = {d}' if d else ''}",
        annotation,
        default,
    )


def is_python(source: str) -> bool:
    """Whether Python takes it: repeated names and the like are not worth a strategy."""
    try:
        compile(source, "<generated>", "exec", dont_inherit=True, flags=ast.PyCF_ONLY_AST)
    except (SyntaxError, ValueError):
        return False
    return True


def header(source: str) -> Any:
    """The one function in a source, without its body."""
    (node,) = (
        each
        for each in ast.walk(ast.parse(source))
        if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef) and each.name == "function"
    )
    node.body = []
    return ast.dump(node)


@given(source=functions().filter(is_python))
def test_signatures_are_exact(source: str) -> None:
    assert header(text_of(surface_of({"m.py": source}))) == header(source)


@given(source=functions().filter(is_python))
def test_signatures_of_methods_are_exact(source: str) -> None:
    inside = "class C:\n" + "".join(f"  {line}\n" for line in source.splitlines())
    if is_python(inside) and '"""two' not in source:
        assert header(text_of(surface_of({"m.py": inside}))) == header(inside)


STEP = pytest.param(
    "x[::2]", marks=pytest.mark.xfail(strict=True, reason="the grammar has no such slices in annotations")
)


@pytest.mark.parametrize("annotation", ["x[1:2]", "Array[1:2, int]", STEP])
def test_annotations_may_be_slices(annotation: str) -> None:
    source = f"def function(a: {annotation}, b=1) -> {annotation}: ...\n"
    assert header(text_of(surface_of({"m.py": source}))) == header(source)


@given(value=VALUES, name=st.sampled_from(["constant", "CONSTANT"]))
def test_values_are_exact(value: str, name: str) -> None:
    source = f"{name} = {value}\n"
    if is_python(source) and len(value) < 200:
        printed = ast.parse(text_of(surface_of({"m.py": source}))).body
        (assignment,) = (each for each in printed if isinstance(each, ast.Assign))
        assert ast.dump(assignment) == ast.dump(ast.parse(source).body[0])


@given(bases=st.lists(EXPRESSIONS, max_size=3), keywords=st.lists(EXPRESSIONS, max_size=2))
def test_class_headers_are_exact(bases: list[str], keywords: list[str]) -> None:
    arguments = ", ".join([*bases, *(f"k{index}={value}" for index, value in enumerate(keywords))])
    source = f"class Class({arguments}):\n    x = 1\n"
    if is_python(source):
        (printed,) = (
            n for n in ast.parse(text_of(surface_of({"m.py": source}))).body if isinstance(n, ast.ClassDef)
        )
        (written,) = (n for n in ast.parse(source).body if isinstance(n, ast.ClassDef))
        assert [ast.dump(each) for each in printed.bases] == [ast.dump(each) for each in written.bases]
        assert [ast.dump(each) for each in printed.keywords] == [ast.dump(each) for each in written.keywords]


# --- Facts as bytes ---------------------------------------------------------------------------------

#: Lone surrogates included, in any order: a literal in a source may hold them.
TEXTS = st.text() | st.text(st.sampled_from('\ud83d\ude00a"\\\x00\u2028'), max_size=6)


def values(hint: Any) -> st.SearchStrategy[Any]:
    """Any value that a field of this type may have."""
    origin, arguments = get_origin(hint), get_args(hint)
    if dataclasses.is_dataclass(hint):
        return st.deferred(lambda: instances(hint))
    if origin in (tuple, frozenset):
        several = st.lists(values(arguments[0]), max_size=3)
        return several.map(origin)
    if origin is Mapping:
        return st.dictionaries(TEXTS, values(arguments[1]), max_size=3)
    if arguments:  # a union, or the values themselves
        are_types = any(isinstance(each, type) or get_origin(each) for each in arguments)
        return st.one_of([values(each) for each in arguments]) if are_types else st.sampled_from(arguments)
    known = {str: TEXTS, int: st.integers(), bool: st.booleans(), type(None): st.none()}
    return known[hint]


def instances(kind: Any) -> st.SearchStrategy[Any]:
    """Any value of a class, with as many defaults as not."""
    fields = dataclasses.fields(kind)
    hints = get_type_hints(kind)
    required = {each.name: values(hints[each.name]) for each in fields if not has_default(each)}
    optional = {each.name: values(hints[each.name]) for each in fields if has_default(each)}
    return st.fixed_dictionaries(required, optional=optional).map(lambda given: kind(**given))


def has_default(field: dataclasses.Field[Any]) -> bool:
    return field.default is not dataclasses.MISSING or field.default_factory is not dataclasses.MISSING


@given(facts=instances(FileFacts))
def test_facts_survive_being_stored(facts: FileFacts) -> None:
    again = decode(FileFacts, encode(facts))
    assert again == facts
    assert encode(again) == encode(facts)


@given(types=instances(FileTypes))
def test_types_survive_being_stored(types: FileTypes) -> None:
    assert decode(FileTypes, encode(types)) == types


@given(doc=DOCS)
def test_the_facts_of_a_source_survive_being_stored(doc: str) -> None:
    for kind in ("module", "function", "class", "method", "attribute"):
        facts = read_facts(documented(doc, kind).encode("utf-8", "backslashreplace"))
        assert decode(FileFacts, encode(facts)) == facts


def test_a_surrogate_pair_of_two_characters_stays_two() -> None:
    facts = FileFacts(doc="\ud83d\ude00")
    assert len(decode(FileFacts, encode(facts)).doc or "") == 2


@given(
    data=st.binary(max_size=40)
    | st.recursive(st.none() | st.booleans() | st.integers() | TEXTS, st.lists).map(
        lambda value: json.dumps(value).encode()
    )
)
def test_bytes_that_are_no_facts_are_refused(data: bytes) -> None:
    try:
        facts = decode(FileFacts, data)
    except Malformed:
        return
    assert is_sound(facts, FileFacts)


EXAMPLE = FileFacts(
    doc="d",
    definitions=(
        Definition("function", Header("f"), 1, 2, frozenset({"yields"}), "doc", ("d",), "1", "1 character"),
        Definition(
            "class", Header("C", bases=("B",)), 3, 4, members=(Definition("method", Header("m"), 4, 4),)
        ),
    ),
    tables={"t": ("a",)},
    problems=(Problem("code", "message", 3),),
)
#: Stands for what may be put in place of any value.
OTHER = st.sampled_from([None, 0, 1.5, True, "x", [], ["x"], [["x"]], {}, {"x": 1}])


@given(data=st.data())
def test_a_value_of_the_wrong_type_anywhere_is_refused(data: st.DataObject) -> None:
    value = json.loads(encode(EXAMPLE))
    parent, key = data.draw(st.sampled_from(list(places(value))))
    parent[key] = data.draw(OTHER)
    try:
        facts = decode(FileFacts, json.dumps(value).encode())
    except Malformed:
        return
    assert is_sound(facts, FileFacts)


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every place in a JSON value where another may be put."""
    keys = range(len(value)) if isinstance(value, list) else list(value) if isinstance(value, dict) else ()
    return [place for key in keys for place in ((value, key), *places(value[key]))]


def is_sound(value: Any, hint: Any) -> bool:
    """Whether a value is what its annotation says, all the way down."""
    origin, arguments = get_origin(hint), get_args(hint)
    if dataclasses.is_dataclass(hint):
        hints = get_type_hints(hint)
        return type(value) is hint and all(is_sound(getattr(value, name), hints[name]) for name in hints)
    if origin in (tuple, frozenset):
        return type(value) is origin and all(is_sound(each, arguments[0]) for each in value)
    if origin is Mapping:
        return type(value) is dict and all(is_sound(each, arguments[1]) for each in value.values())
    if arguments:
        return any(type(value) is type(each) or is_sound(value, each) for each in arguments)
    return type(value) is hint
