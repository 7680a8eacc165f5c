"""From adapters' surfaces to a view: parts put together, counted, and given a digest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from ifacegen.adapter import BuildContext, BuildsViews, Surface, ViewOptions
from ifacegen.facts import MemoryFacts
from ifacegen.model import Declaration, Interface, Module, Note, Package, Project, View
from ifacegen.tokens import count_tokens
from ifacegen.views import build_view
from support.trees import memory_tree

F = Declaration("m:f", "f", "f", "function", "def f()", doc="What f does.", path="m.py", line=3, end_line=4)
C = Declaration(
    "m:C", "C", "C", "class", "class C", members=(replace(F, id="m:C.f", qualname="C.f", kind="method"),)
)


class Toy:
    """An adapter that shows what it is given."""

    language = "text"
    comment = "#"

    def __init__(self, *declarations: Declaration, name: str = "toy", notes: tuple[Note, ...] = ()) -> None:
        self.name = name
        self._declarations = declarations
        self._notes = notes

    def tool(self) -> str:
        return "toy 1"

    def build(self, context: BuildContext) -> Surface:
        modules = (
            (Module("m", self.name, "m.py", "A module.", self._declarations),) if self._declarations else ()
        )
        interfaces = (Interface(self.name, "generated", self.tool(), ("m.py",)),)
        return Surface(interfaces, modules, self._notes, sources=("m.py",), source_tokens=5)

    def consult(self, context: BuildContext, names: Sequence[str]) -> Mapping[str, tuple[str, str] | None]:
        return dict.fromkeys(names)

    def absent(self, context: BuildContext, names: Sequence[str]) -> Sequence[str]:
        return ()

    def sources(self, context: BuildContext) -> Sequence[str]:
        return ("m.py",)

    def compile(self, context: BuildContext, paths: Sequence[str]) -> None:
        """There is nothing to find out."""

    def render(self, modules: Sequence[Module], *, docs: str = "full") -> str:
        return "".join(
            self.render_declaration(each, docs=docs) for module in modules for each in module.declarations
        )

    def render_declaration(self, declaration: Declaration, *, docs: str = "full") -> str:
        own = f"{declaration.signature}: {declaration.doc if docs == 'full' else '...'}\n"
        return own + "".join(self.render_declaration(each, docs=docs) for each in declaration.members)

    def render_stubs(self, modules: Sequence[Module], *, docs: str = "full") -> Mapping[str, str]:
        return {}

    def render_outline(self, modules: Sequence[Module]) -> str:
        return "".join(f"{each.signature}\n" for module in modules for each in module.declarations)

    def shorten_doc(self, doc: str) -> str:
        return doc.partition("\n")[0]


class Broken(Toy):
    """An adapter with a fault."""

    def build(self, context: BuildContext) -> Surface:
        raise LookupError("no such thing")


def context(*adapters: str, docs: str = "full") -> BuildContext:
    package = Package(
        "p",
        "p",
        "library",
        tuple(Project(each, "p", notes=(Note("info", "own", "of a project"),)) for each in adapters),
        notes=(Note("info", "clash", "with another package, which is not the view's affair"),),
    )
    return BuildContext(
        memory_tree({"m.py": "def f(): pass\n"}),
        package,
        (package,),
        ViewOptions(docs=docs),
        MemoryFacts(),
        {},
        count_tokens,
        {},
    )


def built(context: BuildContext, adapters: Sequence[BuildsViews]) -> View:
    return build_view(context, adapters).view


def codes(view: View) -> list[str]:
    return [note.code for note in view.notes]


def test_a_view_has_its_body_its_parts_and_its_sizes() -> None:
    view = built(context("toy"), [Toy(F, C)])
    assert view.package == "p"
    assert view.body == "def f(): What f does.\nclass C: None\ndef f(): What f does.\n"
    assert view.tokens.view == count_tokens(view.body)
    assert view.tokens.view_without_docs == count_tokens("def f(): ...\nclass C: ...\ndef f(): ...\n")
    assert view.tokens.implementation == 5
    assert codes(view) == ["own"]
    assert view.commit is None


def test_a_declaration_counts_its_members() -> None:
    (_, c, f), *_ = [[d for _, d in built(context("toy"), [Toy(F, C)]).declarations()]]
    assert f.tokens == count_tokens("def f(): What f does.\n")
    assert c.tokens == count_tokens("class C: None\n") + f.tokens


def test_only_the_ecosystems_of_the_package_are_asked() -> None:
    view = built(context("toy"), [Broken(F, name="other"), Toy(F)])
    assert [each.adapter for each in view.interfaces] == ["toy"]
    assert codes(view) == ["own"]


def test_several_ecosystems_follow_one_another() -> None:
    view = built(context("toy", "two"), [Toy(F), Toy(C, name="two")])
    assert [each.adapter for each in view.interfaces] == ["toy", "two"]
    assert view.body == (
        "# === toy ===\n\ndef f(): What f does.\n\n\n# === two ===\n\nclass C: None\ndef f(): What f does.\n"
    )
    assert view.tokens.implementation == 10


def test_an_interface_without_a_word_has_no_section() -> None:
    view = built(context("toy", "two"), [Toy(name="toy"), Toy(F, name="two")])
    assert view.body == "def f(): What f does.\n"


def test_what_is_published_comes_first() -> None:
    mixed = context("code", "contract")
    projects = tuple(replace(each, attaches=each.adapter == "contract") for each in mixed.package.projects)
    mixed = replace(mixed, package=replace(mixed.package, projects=projects))
    view = built(mixed, [Toy(C, name="code"), Toy(F, name="contract")])
    assert [each.adapter for each in view.interfaces] == ["contract", "code"]
    assert [each.adapter for each in view.modules] == ["contract", "code"]


@pytest.mark.parametrize(
    ("interfaces", "shown", "missing"),
    [
        (("two", "toy"), ["two", "toy"], []),
        (("two",), ["two"], []),
        (("two:m.*",), ["two"], []),
        (("two:other/*.py", "toy"), ["two", "toy"], ["two:other/*.py"]),
        (("three", "toy"), ["toy"], ["three"]),
    ],
    ids=str,
)
def test_interfaces_are_restricted_and_ordered_as_configured(
    interfaces: tuple[str, ...], shown: list[str], missing: list[str]
) -> None:
    asked = replace(context("toy", "two"), options=ViewOptions(interfaces=interfaces))
    view = built(asked, [Toy(F), Toy(C, name="two")])
    assert [each.adapter for each in view.interfaces] == shown
    notes = [note.message for note in view.notes if note.code == "interface-missing"]
    assert [each for each in missing if any(each in note for note in notes)] == missing
    assert len(notes) == len(missing)


def test_a_fault_in_one_adapter_costs_only_its_part() -> None:
    view = built(context("bad", "toy"), [Broken(F, name="bad"), Toy(F)])
    assert [each.adapter for each in view.interfaces] == ["toy"]
    (failed,) = (note for note in view.notes if note.code == "adapter-failed")
    assert failed.severity == "error"
    assert "bad" in failed.message
    assert "LookupError" in failed.message


def test_a_package_without_modules_says_so() -> None:
    view = built(context("toy"), [Toy()])
    assert view.body == ""
    assert codes(view) == ["own", "no-interface"]


def test_a_note_is_given_once() -> None:
    note = Note("warning", "twice", "said twice", "m.py", 1)
    assert codes(built(context("toy"), [Toy(F, notes=(note, note))])) == ["own", "twice"]


def test_the_documentation_policy_reaches_the_body() -> None:
    view = built(context("toy", docs="none"), [Toy(F)])
    assert view.body == "def f(): ...\n"
    assert view.tokens.view == view.tokens.view_without_docs


@pytest.mark.parametrize(
    "change",
    [
        {"path": "elsewhere.py"},
        {"line": 99, "end_line": 100},
        {"tokens": 99},
        {"raises": ("ValueError",)},
    ],
    ids=str,
)
def test_the_digest_does_not_depend_on_positions(change: dict[str, Any]) -> None:
    before, after = (built(context("toy"), [Toy(each)]) for each in (F, replace(F, **change)))
    assert before.digest == after.digest


@pytest.mark.parametrize(
    "change",
    [
        {"doc": "Something else."},
        {"signature": "def f(x)"},
        {"visibility": "carried"},
        {"decorators": ("final",)},
        {"conditions": ("if X",)},
        {"extra": {"field": 1}},
        {"deprecated": ""},
        {"import_paths": ("m.f",)},
        {"members": (C,)},
    ],
    ids=str,
)
def test_the_digest_depends_on_all_that_callers_see(change: dict[str, Any]) -> None:
    before, after = (built(context("toy"), [Toy(each)]) for each in (F, replace(F, **change)))
    assert before.digest != after.digest


def test_the_digest_does_not_depend_on_notes() -> None:
    note = Note("info", "some", "thing")
    assert built(context("toy"), [Toy(F)]).digest == built(context("toy"), [Toy(F, notes=(note,))]).digest
