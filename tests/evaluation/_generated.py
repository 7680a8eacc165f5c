"""Python modules made by Hypothesis: valid, and written as nobody would write them.

The running Python need not know the newest syntax: what is between ``⟦`` and ``⟧`` is in the file, but not in
the text that ``ast`` gets, which has the same lines and the same definitions.
"""

from __future__ import annotations

import ast
import contextlib
import re
import warnings
from dataclasses import dataclass

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

_NEWER = re.compile("⟦.*?⟧", re.DOTALL)

_NAMES = st.sampled_from(
    [
        "a",
        "b1",
        "Foo",
        "_private",
        "__mangled",
        "__call__",
        "été",
        "变量",
        "match",
        "type",
        "case",
        "print",
        "long_name",
    ]
)
_STRINGS = st.sampled_from(
    [
        *(
            "''",
            '"a"',
            "'it\\'s'",
            'r"\\d+"',
            "b'\\x00'",
            "u'ü'",
            "rb'\\1'",
            "'a' \"b\"",
            "'''x\ny'''",
            '"""#"""',
        ),
        *(
            "f'{a}'",
            "f'{a!r:>{b1}}'",
            "f'''{\n a}'''",
            "'\\\n'",
            "'(['",
            "'{'",
            "'\\N{DASH}'",
            "f'{{'",
            "'\\t#'",
        ),
    ]
)
_ATOMS = st.sampled_from(
    [
        *(
            "0",
            "0x_ff",
            "1_000",
            "1e-3",
            "1j",
            "...",
            "None",
            "True",
            "-1",
            "[]",
            "{}",
            "()",
            "(1,)",
            "lambda: 0",
        ),
        *(
            "lambda a, *, b=1: (a, b)",
            "(y := 3)",
            "[x for x in a if x]",
            "{**a, 'b': 1}",
            "{*a}",
            "a[1:2, ...]",
        ),
        *(
            "not a",
            "a if b1 else Foo",
            "a < b1 <= 3",
            "(yield_ := [i async for i in a])[:0]",
            "a@b1",
            "~a**-b1",
        ),
        *(
            "(\n  1 +  # a comment (\n  2\n)",
            "a \\\n  . b",
            "[\n]",
            "{'a': 1,\n\n'b': 2}",
            "a.b.c(d)(*e, **f)",
        ),
    ]
).filter(lambda text: "async" not in text)
_EXPRESSIONS = st.recursive(
    _ATOMS | _STRINGS | _NAMES,
    lambda inner: st.one_of(
        st.builds("({}, {})".format, inner, inner),
        st.builds("[{}, *{}]".format, inner, _NAMES),
        st.builds("{{{}: {}}}".format, inner, inner),
        st.builds("{}({}, key={})".format, _NAMES, inner, inner),
        st.builds("({} | {})".format, inner, inner),
        st.builds("(lambda x={}: {})".format, inner, inner),
        st.builds("{}[{}]".format, _NAMES, inner),
    ),
    max_leaves=4,
)
_ANNOTATIONS = st.sampled_from(
    [
        *(
            "int",
            "'Foo'",
            "list[int]",
            "a.b | None",
            "Callable[[int], str]",
            "Literal['a', \"b\"]",
            "lambda: 0",
        ),
        *(
            "Annotated[int, 'x' 'y']",
            "tuple[int, ...]",
            "dict[\n  str,  # key\n  int,\n]",
            "-1",
            "f'{a}'",
            "(int)",
        ),
    ]
)
_TYPE_PARAMETERS = st.sampled_from(
    [
        "",
        "",
        "",
        "⟦[T]⟧",
        "⟦[T: (int, str), *Ts, **P]⟧",
        "⟦[T: 'Foo[int]']⟧",
        "⟦[ T , ]⟧",
        "⟦[T: dict[str, int]]⟧",
    ]
)
_DOCS = st.sampled_from(
    [
        *(
            '"""Doc."""',
            "'one'",
            '"""\n\n  Indented.\n\n    More.\n"""',
            'r"""\\d {x}"""',
            "'''It's \"\"\"quoted\"\"\".'''",
        ),
        *(
            '("""In parentheses.""")',
            "'two' ' parts'",
            '"""Tab\there\\n\n\there"""',
            '"""\\\nContinued."""',
            '""',
        ),
        *('"""Ends in a backslash \\\\"""', '"""Ends in a quote\\""""', "u'é — 变'", '"""   """', "'a'; 'b'"),
    ]
)
_PARAMETERS = st.sampled_from(
    [
        *(
            "",
            "self",
            "a, /",
            "a, b=⟪, *c, d: ⟨, e: ⟨ = ⟪, **f: ⟨",
            "*, a",
            "a: ⟨, /, b: ⟨ = ⟪, *, c=⟪,",
            "*a: *Ts",
        ),
        *(
            "\n  a,  # the (first\n  b: ⟨\n  = ⟪,\n",
            "self, a=⟪, /, b=⟪",
            "\\\n  a \\\n  , b",
            "été, 变量=⟪",
            "*,\n\n a=⟪,",
        ),
        *("match, type=⟪, *case, **print", " a , b : ⟨ = ⟪ "),
    ]
)
_SIMPLE = st.sampled_from(
    [
        *(
            "pass",
            "...",
            "x = 1; y: int = 2;",
            "a = b1 = ⟪",
            "été: ⟨ = ⟪",
            "long_name = ⟪",
            "A, (B, *C) = ⟪",
            "D: ⟨",
        ),
        *(
            "x \\\n  = \\\n  ⟪",
            "# comment ( [ {",
            "#: doc\nE = ⟪",
            "F = ⟪  #: doc",
            "G = ⟪\n'''Doc of G.'''",
            "x += ⟪",
        ),
        *(
            "import a, b1 as c",
            "from .m import (\n  a,  # why\n  Foo as Bar,\n)",
            "from os import *",
            "del long_name",
        ),
        *(
            "H = []  # type: list[int]",
            "⟦type ⟧Alias = ⟪",
            "\f",
            "assert a, ⟪",
            "global_ = ⟪; 'not a doc'",
            "print(a)",
        ),
        *(
            "__slots__ = 'a', 'b1'",
            "a[0]: ⟨ = ⟪",
            "a.b = ⟪",
            "@ x\ndef one(): return 1",
            "class Two: z = ⟪",
            "raise a",
        ),
    ]
)


@st.composite
def _filled(draw: st.DrawFn, templates: st.SearchStrategy[str]) -> str:
    """A template with expressions for ``⟪`` and annotations for ``⟨``."""
    text = draw(templates)
    for mark, strategy in (("⟪", _EXPRESSIONS), ("⟨", _ANNOTATIONS)):
        while mark in text:
            text = text.replace(mark, draw(strategy), 1)
    return text


@st.composite
def _block(draw: st.DrawFn, inner: st.SearchStrategy[str], *, is_documented: bool = False) -> str:
    """Statements under a header, indented as it comes; or on the header's line."""
    if draw(st.integers(0, 5)) == 0:
        return " " + draw(st.sampled_from(["pass", "...", "x = 1; y = 2", "'Doc.'", "return_ = 1  # c"]))
    statements = draw(st.lists(inner, min_size=1, max_size=4))
    if is_documented and draw(st.booleans()):
        statements.insert(0, draw(_DOCS))
    statements.append("pass")
    unit = draw(st.sampled_from(["    ", "    ", "\t", " ", "  ", "        "]))
    gap = draw(st.sampled_from(["\n", "\n", "\n\n", "\n# flush left\n", f"\n{unit} \t\n"]))
    start = draw(st.sampled_from(["", "", "  # why: (", " "]))
    lines = (statement.replace("\n", f"\n{unit}") for statement in statements)
    return f"{start}\n" + gap.join(f"{unit}{each}" for each in lines)


@st.composite
def _compound(draw: st.DrawFn, inner: st.SearchStrategy[str]) -> str:
    kind = draw(st.sampled_from(["def", "def", "async def", "class", "class", "if", "try", "match", "other"]))
    if kind in ("def", "async def", "class"):
        return draw(_definition(kind, inner))
    block = _block(inner)
    if kind == "if":
        tests = ["TYPE_CHECKING", "sys.version_info >= (3, 12)", "a\\\n and b1", "(\n  a\n)", "0", "(y := 1)"]
        text = f"if {draw(st.sampled_from(tests))}:{draw(block)}"
        text += f"\nelif b1:{draw(block)}" if draw(st.booleans()) else ""
        return text + (f"\nelse:{draw(block)}" if draw(st.booleans()) else "")
    if kind == "try":
        handler = draw(st.sampled_from(["except ImportError", "except (a, b1) as e", "except* a", "finally"]))
        return f"try:{draw(block)}\n{handler}:{draw(block)}"
    if kind == "match":
        case = draw(st.sampled_from(["[1, *_]", "{'a': b}", "Foo(a=1) | None if a", "_", "str() as s"]))
        return f"match a:\n  case {case}:" + draw(block).replace("\n", "\n  ")
    header = draw(st.sampled_from(["for i in a", "while a", "with a as b2, (c)", "with (\n a as d,\n)"]))
    return f"{header}:{draw(block)}"


@st.composite
def _definition(draw: st.DrawFn, kind: str, inner: st.SearchStrategy[str]) -> str:
    decorators = st.sampled_from(
        [
            *("@a", "@a.b(⟪)", "@(lambda f: f)", "@a[⟪]", "@a(\n  ⟪,  # c\n)", "@a\n# between", "@ property"),
            *("@a \\\n .b", "@(yy := a)", "@staticmethod", "@a.setter", "@functools.wraps(⟪)"),
        ]
    )
    above = "".join(f"{draw(_filled(decorators))}\n" for _ in range(draw(st.integers(0, 2))))
    name, types = draw(_NAMES), draw(_TYPE_PARAMETERS)
    body = draw(_block(inner, is_documented=True))
    if kind == "class":
        bases = draw(
            _filled(st.sampled_from(["", "()", "(a)", "(a.b[int], metaclass=⟪)", "(*a, **b1)", "(\n a,\n)"]))
        )
        return f"{above}class {name}{types}{bases}:{body}"
    space = draw(st.sampled_from([" ", " ", "  ", " \\\n  "]))
    returns = draw(_filled(st.sampled_from(["", "", " -> ⟨", "->⟨ ", " -> \\\n ⟨"])))
    return f"{above}{kind}{space}{name}{types}({draw(_filled(_PARAMETERS))}){returns}:{body}"


_STATEMENTS = st.recursive(_filled(_SIMPLE), _compound, max_leaves=8)
_TOP = _compound(_STATEMENTS) | _compound(_STATEMENTS) | _STATEMENTS


@dataclass(frozen=True, slots=True)
class Generated:
    """One file, and what ``ast`` is asked about."""

    data: bytes
    plain: bytes


@st.composite
def _modules(draw: st.DrawFn) -> Generated:
    head = draw(
        st.sampled_from(
            [
                "",
                "",
                "#!/usr/bin/env python\n",
                '"""Module."""\n',
                "from __future__ import annotations\n",
                "\f\n",
                "\\\n\n",
            ]
        )
    )
    coding = draw(st.sampled_from(["", "", "", "# -*- coding: latin-1 -*-\n", "\ufeff"]))
    text = coding + head + "\n".join(draw(st.lists(_TOP, min_size=3, max_size=9)))
    text += draw(st.sampled_from(["\n", "", "\n\n", "\n    \n", "\n# end", "\n\f"]))
    newline = draw(st.sampled_from(["\n", "\n", "\n", "\r\n", "\r"]))
    encoding = "latin-1" if "latin" in coding else "utf-8"

    def encoded(source: str) -> bytes:
        return source.replace("\n", newline).encode(encoding, "ignore")

    return Generated(encoded(re.sub("[⟦⟧]", "", text)), encoded(_NEWER.sub("", text)))


class _Enough(Exception):
    """Hypothesis has no other way to be stopped."""


def generated(count: int) -> list[Generated]:
    """So many different files that Python can read: the same ones for the same code."""
    found: dict[bytes, Generated] = {}

    @settings(
        max_examples=20 * count,
        derandomize=True,
        database=None,
        deadline=None,
        phases=(Phase.generate,),
        report_multiple_bugs=False,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
    )
    @given(_modules())
    def collect(module: Generated) -> None:
        if is_python(module.plain):
            found.setdefault(module.data, module)
        if len(found) >= count:
            raise _Enough

    with contextlib.suppress(_Enough):
        collect()
    return list(found.values())


def is_python(data: bytes) -> bool:
    """Whether the running Python reads it."""
    return tree_of(data) is not None


def tree_of(data: bytes) -> ast.Module | None:
    """What the running Python reads in it, if it does."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about escapes, which are as they are
        for type_comments in (True, False):  # a comment that is no type is a syntax error
            try:
                return ast.parse(data, type_comments=type_comments)
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                continue
    return None
