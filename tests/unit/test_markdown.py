"""Pages as Markdown: exact where it matters, readable where people look."""

from __future__ import annotations

import re
from dataclasses import replace

from ifacegen.model import Declaration, Module
from ifacegen.render.markdown import markdown
from ifacegen.render.page import Page, Press, Section
from ifacegen_adapters.python import PythonAdapter

F = Declaration("m:f", "f", "f", "function", "def f()", doc="What f does.")
MODULE = Module("m", "python", "m.py", "A module.", (F,))


class Proto(PythonAdapter):
    """Another ecosystem, as far as Markdown can tell."""

    name = "proto"
    language = "protobuf"
    comment = "//"

    def render(self, modules: object, *, docs: str = "full") -> str:
        return "message M {}\n"


PRESS = Press({"python": PythonAdapter(), "proto": Proto()})


def shown(*modules: Module, **fields: object) -> str:
    page = Page("p", "p", ("# p — interface view, 5 tokens",), (Section(modules),))
    return markdown([replace(page, **fields)], PRESS)  # type: ignore[arg-type]


def test_a_page_is_a_heading_a_list_and_a_block_a_module() -> None:
    assert shown(MODULE) == (
        "# p\n\n- interface view, 5 tokens\n\n## module m\n\n```python\n"
        '"""A module."""\n\ndef f():\n    """What f does."""\n```\n'
    )


def test_a_fence_is_longer_than_any_within() -> None:
    doc = "Use:\n\n````md\n```\n````\n"
    text = shown(replace(MODULE, doc=doc))
    (fence,) = set(re.findall(r"^`{5,}", text, re.MULTILINE))
    assert text.count(fence) == 2
    assert "````md\n```\n````" in text


def test_what_markdown_would_read_as_its_own_is_escaped_outside_of_code() -> None:
    text = shown(header=("# p — *x* <b> __init__ snake_case `--format json` [a](b)",))
    assert "- \\*x\\* \\<b\\> \\_\\_init\\_\\_ snake_case `--format json` \\[a\\](b)" in text
    assert "- a \\` b" in shown(header=("# p — a ` b",))


def test_several_interfaces_are_headings_above_their_modules() -> None:
    other = Module("q.proto", "proto", "q.proto", None, (F,))
    text = shown(other, MODULE)
    assert [line for line in text.splitlines() if line.startswith("#")] == [
        "# p",
        "## proto",
        "### q.proto",
        "## python",
        "### module m",
    ]
    assert "```protobuf\nmessage M {}\n```" in text


def test_modules_for_the_sake_of_others_come_last() -> None:
    private = replace(MODULE, name="_m", declarations=(replace(F, visibility="carried"),))
    text = shown(private, MODULE)
    assert text.index("## module m") < text.index("## module \\_m  (private: carried names only)")


def test_captions_and_what_is_only_counted_are_words() -> None:
    section = Section((MODULE,), "a line each:", lines=True)
    text = shown(sections=(section,), counted={"python": ("not shown:", "  m.x: 3 declarations")})
    assert "*a line each:*\n\n## module m\n\n```python\ndef f()\n```\n" in text
    assert text.endswith("\nnot shown:\n\n- m.x: 3 declarations\n")


def test_a_module_without_anything_is_a_heading() -> None:
    assert (
        shown(Module("m", "python", "m.py", None, ())) == "# p\n\n- interface view, 5 tokens\n\n## module m\n"
    )
