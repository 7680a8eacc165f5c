"""What changes a view and what does not: edits, neighbours, order of questions, hash seeds, commits, policies."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ifacegen import Workspace
from ifacegen.model import View
from support.trees import commit_all, git_repo, repo
from support.views import view_of

REPOSITORY = Path(__file__).parents[2]
CASES = REPOSITORY / "tests/cases/python"
#: Real inputs: name → (directory, package in it).
INPUTS = {
    "shared-auth": (REPOSITORY / "examples/monorepo/packages/shared-auth", "."),
    "checkout": (REPOSITORY / "examples/monorepo/services/checkout", "."),
    "probe_pk": (CASES / "probe_pk/input", "."),
}


def files_of(directory: Path) -> dict[str, str]:
    """Every Python and project file below a directory."""
    paths = (each for each in sorted(directory.rglob("*")) if each.suffix in (".py", ".toml"))
    return {str(path.relative_to(directory)): path.read_text("utf-8") for path in paths}


@pytest.fixture(params=sorted(INPUTS))
def files(request: pytest.FixtureRequest) -> dict[str, str]:
    """The files of one real package."""
    return files_of(INPUTS[str(request.param)][0])


def state(view: View) -> tuple[str, str]:
    """What must stay the same."""
    return view.body, view.digest


# --- Edits that callers cannot see ------------------------------------------------------------------


def statements(tree: ast.AST) -> Iterator[ast.stmt]:
    """Statements that begin a line: a decorated one begins with its decorator."""
    for node in ast.walk(tree):
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list):
                rows = [each.lineno for each in block]
                yield from (
                    each for each in block if isinstance(each, ast.stmt) and rows.count(each.lineno) == 1
                )


def insertions(text: str, line: Callable[[str], str], nodes: Iterable[ast.stmt]) -> str:
    """The text with ``line(indent)`` before each of some statements."""
    lines = text.split("\n")
    rows = {
        min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))]): node for node in nodes
    }
    for row in sorted(rows, reverse=True):
        own = lines[row - 1]
        indent = own[: len(own) - len(own.lstrip())]
        if rows[row].col_offset == len(indent.encode()) and not lines[row - 2].lstrip().startswith("#:"):
            lines.insert(row - 1, line(indent))
    return "\n".join(lines)


def with_comments(text: str) -> str:
    return (
        insertions(text, lambda indent: f"{indent}# a remark: def x(", statements(ast.parse(text)))
        + "\n# the end\n"
    )


def with_blank_lines(text: str) -> str:
    return insertions(text, lambda _: "", statements(ast.parse(text)))


def with_busier_bodies(text: str) -> str:
    """A statement more in every function that has a real body."""
    inserted = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body[1:] if ast.get_docstring(node) is not None else node.body
            if (
                body
                and not all(isinstance(each, ast.Pass | ast.Expr) for each in body)
                and body[0].lineno > node.lineno
            ):
                inserted.append(body[0])
    return insertions(text, lambda indent: f"{indent}busier = [n for n in range(3)]; del busier", inserted)


def with_imports_reversed(text: str) -> str:
    """Each run of imports at the top of a module in reverse order."""
    lines = text.split("\n")
    runs: list[list[ast.stmt]] = [[]]
    for node in ast.parse(text).body:
        is_future = isinstance(node, ast.ImportFrom) and node.module == "__future__"
        if isinstance(node, ast.Import | ast.ImportFrom) and not is_future:
            runs[-1].append(node)
        elif runs[-1]:
            runs.append([])
    for run in reversed([run for run in runs if len(run) > 1]):
        texts = ["\n".join(lines[node.lineno - 1 : node.end_lineno]) for node in run]
        lines[run[0].lineno - 1 : run[-1].end_lineno] = reversed(texts)
    return "\n".join(lines)


def with_other_line_ends(text: str) -> str:
    return text.replace("\n", "\r\n")


INVISIBLE = [with_comments, with_blank_lines, with_busier_bodies, with_imports_reversed, with_other_line_ends]


def edited(files: dict[str, str], edit: Callable[[str], str]) -> dict[str, str]:
    """The files with an edit in each module that this Python can parse."""
    return {
        path: edit(text) if path.endswith(".py") and parses(text) else text for path, text in files.items()
    }


def parses(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


@pytest.mark.parametrize("edit", INVISIBLE)
def test_edits_that_callers_cannot_see_change_nothing(
    edit: Callable[[str], str], files: dict[str, str], tmp_path: Path
) -> None:
    changed = edited(files, edit)
    assert changed != files
    assert state(view_of(changed, tmp_path / "after")) == state(view_of(files, tmp_path / "before"))


@pytest.fixture(scope="module")
def shared_auth(tmp_path_factory: pytest.TempPathFactory) -> View:
    """The view of the example's package as it is."""
    return view_of(files_of(INPUTS["shared-auth"][0]), tmp_path_factory.mktemp("before"))


@pytest.mark.slow
@settings(max_examples=20)
@given(data=st.data())
def test_any_mixture_of_such_edits_changes_nothing(data: st.DataObject, shared_auth: View) -> None:
    changed = files_of(INPUTS["shared-auth"][0])
    modules = sorted(path for path in changed if path.startswith("src/"))
    for path in data.draw(st.lists(st.sampled_from(modules), min_size=1, unique=True)):
        for edit in data.draw(st.lists(st.sampled_from(INVISIBLE[:4]), min_size=1, unique=True)):
            changed[path] = edit(changed[path])
    with tempfile.TemporaryDirectory() as folder:
        assert state(view_of(changed, Path(folder))) == state(shared_auth)


# --- Edits that they can ----------------------------------------------------------------------------

SOURCE = '''
"""Module."""
from typing import overload
LIMIT = 10
#: Documented.
NAME: str = "x"
class C(Base, flag=True):
    """Class."""
    field: int = 1
    @property
    def p(self) -> int:
        """Property."""
    def m(self, a: int, /, b: str = "x", *args: int, c=1, **kw: str) -> "C":
        """Method."""
        self.attribute: int = a
        return self
async def f(x): await x
if LIMIT > 3:
    def conditional() -> None: ...
'''
CHANGES = {
    "a default": ('b: str = "x"', 'b: str = "y"'),
    "an annotation": ("a: int, /", "a: bool, /"),
    "a parameter's name": ("c=1", "d=1"),
    "a parameter's kind": ("a: int, /, b", "a: int, b"),
    "a return type": ('-> "C"', '-> "D"'),
    "async": ("async def f(x): await x", "def f(x): x"),
    "a decorator": ("    @property\n", ""),
    "a base": ("Base, flag", "Other, flag"),
    "a class keyword": ("flag=True", "flag=False"),
    "a constant": ("LIMIT = 10", "LIMIT = 11"),
    "a constant's spelling": ("LIMIT = 10", "LIMIT = 0xA"),
    "a field": ("field: int = 1", "field: int = 2"),
    "an instance attribute": ("self.attribute: int", "self.attribute: str"),
    "a module's doc": ('"""Module."""', '"""Module!"""'),
    "a class's doc": ('"""Class."""', '"""Class!"""'),
    "a method's doc": ('"""Method."""', '"""Method!"""'),
    "a constant's doc": ("#: Documented.", "#: Documented!"),
    "a condition": ("if LIMIT > 3", "if LIMIT > 4"),
    "a name": ("def conditional", "def _conditional"),
    "an order of parameters": ("*args: int, c=1", "*args: int, c=1, d=2"),
}


@pytest.mark.parametrize("change", sorted(CHANGES))
def test_edits_that_callers_can_see_change_body_and_digest(change: str, tmp_path: Path) -> None:
    old, new = CHANGES[change]
    assert SOURCE.count(old) == 1
    before = view_of({"m.py": SOURCE}, tmp_path / "before")
    after = view_of({"m.py": SOURCE.replace(old, new)}, tmp_path / "after")
    assert after.body != before.body
    assert after.digest != before.digest


# --- Neighbours, order, seeds -----------------------------------------------------------------------


def test_a_package_alone_and_beside_others_has_the_same_view(tmp_path: Path) -> None:
    monorepo = files_of(REPOSITORY / "examples/monorepo")
    alone = {path: text for path, text in monorepo.items() if path.startswith("packages/shared-auth/")}
    crowd = {
        **monorepo,
        **{
            f"packages/more-{n}/src/{m}/__init__.py": "X = 1\n"
            for n, m in enumerate(("enum", "typing", "jwt"))
        },
    }
    crowd.update(
        {
            f"packages/more-{n}/pyproject.toml": f'[project]\nname = "more-{n}"\nversion = "1"\n'
            for n in range(3)
        }
    )
    first, second, third = (
        view_of(each, tmp_path / str(index), "packages/shared-auth")
        for index, each in enumerate((alone, monorepo, crowd))
    )
    assert state(first) == state(second)
    assert state(second) == state(third)


def test_the_order_of_questions_means_nothing(tmp_path: Path) -> None:
    root = repo(files_of(CASES / "two_packages/input"), tmp_path / "repo")
    alone = {package: Workspace.open(root).view(package) for package in ("base", "user")}
    for order in (("base", "user"), ("user", "base"), ("user", "user")):
        workspace = Workspace.open(root)
        for package in order:
            assert workspace.view(package) == alone[package]


PROGRAM = """
import json, sys
from ifacegen import Workspace
found = {}
for place in sys.argv[1:]:
    workspace = Workspace.open(place)
    for package in workspace.packages():
        view = workspace.view(package)
        found[f"{place}:{package.path}"] = [view.body, view.digest, [str(note) for note in view.notes], repr(view.modules)]
print(json.dumps(found))
"""


@pytest.mark.slow
def test_hash_seeds_mean_nothing(tmp_path: Path) -> None:
    places = [
        str(shutil.copytree(case / "input", tmp_path / case.name, symlinks=True))
        for case in sorted(CASES.iterdir())
        if (case / "input").is_dir()
    ]
    results = [
        json.loads(
            subprocess.run(
                [sys.executable, "-c", PROGRAM, *places],
                env={**os.environ, "PYTHONHASHSEED": seed},
                check=True,
                capture_output=True,
                text=True,
            ).stdout
        )
        for seed in ("0", "1", "4242")
    ]
    assert results[0]
    for place, found in results[0].items():
        for other in results[1:]:
            assert other[place] == found, place


def test_where_a_repository_lies_means_nothing(files: dict[str, str], tmp_path: Path) -> None:
    one = view_of(files, tmp_path / "one")
    other = view_of(files, tmp_path / "an other/place called _tests")
    assert one == other


# --- Commits ----------------------------------------------------------------------------------------


def test_the_work_tree_and_the_same_content_at_a_commit_have_the_same_view(
    files: dict[str, str], tmp_path: Path
) -> None:
    root = git_repo(files, tmp_path / "repo")
    workspace = Workspace.open(root)
    here, there = workspace.view("."), workspace.view(".", commit="HEAD")
    assert state(here) == state(there)
    assert (here.notes, here.tokens, here.modules) == (there.notes, there.tokens, there.modules)


def test_a_dirty_work_tree_has_the_view_of_the_commit_it_becomes(
    files: dict[str, str], tmp_path: Path
) -> None:
    root = git_repo(files, tmp_path / "repo")
    changed = next(path for path in sorted(files) if path.endswith("__init__.py") and "tests" not in path)
    (root / changed).write_text(files[changed] + "\nBRAND_NEW = 1\n__all__ += ['BRAND_NEW']\n", "utf-8")
    repo({str(Path(changed).with_name("untracked.py")): "def untracked() -> int: ...\n"}, root)
    dirty = Workspace.open(root).view(".")
    assert "BRAND_NEW" in dirty.body
    assert "untracked" in dirty.body
    commit_all(root)
    assert state(Workspace.open(root).view(".", commit="HEAD")) == state(dirty)


# --- Policies ---------------------------------------------------------------------------------------


def test_shorter_documentation_makes_shorter_views_of_the_same_declarations(
    files: dict[str, str], tmp_path: Path
) -> None:
    views = {}
    for docs in ("none", "first_paragraph", "full"):
        options = {"ifacegen.yaml": f"version: 1\nview:\n  docs: {docs}\n"}
        views[docs] = view_of({**files, **options}, tmp_path / docs)
    sizes = [view.tokens.view for view in views.values()]
    assert sizes == sorted(set(sizes))
    names = [[each.id for _, each in view.declarations()] for view in views.values()]
    assert names[0] == names[1] == names[2]
    assert views["none"].tokens.view == views["full"].tokens.view_without_docs
    assert views["none"].tokens.implementation == views["full"].tokens.implementation
