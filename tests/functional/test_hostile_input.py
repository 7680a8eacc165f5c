"""Input that breaks readers of source: one bad file costs nothing but itself, and is named with a reason."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ifacegen import Workspace
from ifacegen.model import View
from support.trees import Link, repo
from support.views import codes, declared, names, view_of

DEEP = 30_000
#: A healthy neighbour: whatever happens to the file beside it, this is shown.
GOOD = {"pk/__init__.py": "", "pk/good.py": 'def good(x: int) -> int:\n    """Good."""\n    return x\n'}


def view_with(tmp_path: Path, source: str | bytes, name: str = "bad.py") -> View:
    """The view of a package with the healthy module and one other; the healthy one is checked."""
    view = view_of({**GOOD, f"pk/{name}": source}, tmp_path / "repo")
    assert declared(view, "good").doc == "Good."
    assert "adapter-failed" not in {note.code for note in view.notes}
    parses(view)
    return view


def parses(view: View) -> None:
    with_types = [d.signature for _, d in view.declarations() if d.signature.startswith("type ")]
    if not with_types:  # Python 3.11 has no type statement
        ast.parse(view.body.encode("utf-8"))


# --- Bytes ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "code"),
    [
        (b"def f(): ...\n\0", "unreadable"),
        (b"\0" * 1000, "unreadable"),
        ("def f(): ...\n\0".encode("utf-16"), "unreadable"),
        (b"NAME = '\xe9'\n", "encoding"),
        (b"# coding: utf-8\nNAME = '\xe9'\n", "encoding"),
        (b"# coding: klingon\nNAME = 1\n", "encoding"),
        (b"# coding: rot13\nNAME = 1\n", "encoding"),
        (b"# coding: " + b"x" * 5000 + b"\nNAME = 1\n", "encoding"),
    ],
)
def test_bytes_that_python_refuses_are_named(source: bytes, code: str, tmp_path: Path) -> None:
    assert code in codes(view_with(tmp_path, source), "pk/bad.py")


@pytest.mark.parametrize(
    ("source", "value"),
    [
        (b"\xef\xbb\xbfNAME = '\xc3\xa9'\n", "é"),
        (b"# -*- coding: latin-1 -*-\nNAME = '\xe9'\n", "é"),
        (b"#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\nNAME = '\x80'\n", "€"),
        (b"# coding: utf-8-sig\nNAME = '\xc3\xa9'\n", "é"),
        (b"# coding: latin-1 \r\nNAME = '\xe9'\r\n", "é"),
        ("NAME = 'é'\n".encode("utf-16"), "é"),
    ],
)
def test_encodings_that_are_declared_are_followed(source: bytes, value: str, tmp_path: Path) -> None:
    assert declared(view_with(tmp_path, source), "NAME").value == f"'{value}'"


def test_a_cookie_beyond_the_second_line_means_nothing(tmp_path: Path) -> None:
    view = view_with(tmp_path, b"#\n#\n# coding: latin-1\nNAME = '\xc3\xa9'\n")
    assert declared(view, "NAME").value == "'é'"


def test_every_line_end_counts(tmp_path: Path) -> None:
    view = view_with(tmp_path, b"A = 1\r\nB = 2\rC = 3\n\x0cD = 4")
    assert {"pk.bad:A", "pk.bad:B", "pk.bad:C", "pk.bad:D"} <= names(view)
    assert declared(view, "C").line == 3


# --- Depth ----------------------------------------------------------------------------------------


def nested_classes(depth: int) -> str:
    return "".join(f"{' ' * level}class C{level}:\n" for level in range(depth)) + " " * depth + "x = 1\n"


def nested_functions(depth: int) -> str:
    return "".join(f"{' ' * level}def f{level}():\n" for level in range(depth)) + " " * depth + "pass\n"


def nested_ifs(depth: int) -> str:
    return "".join(f"{' ' * level}if x:\n" for level in range(depth)) + " " * depth + "y = 1\n"


TOWERS = {
    "brackets": f"X = {'[' * DEEP}{']' * DEEP}",
    "parentheses": f"X = {'(' * DEEP}1{')' * DEEP}",
    "dicts": f"X = {'{1: ' * DEEP}1{'}' * DEEP}",
    "open brackets": f"X = {'[' * 10_000}",
    "calls": f"X = {'f(' * DEEP}1{')' * DEEP}",
    "subscripts": f"X: {'list[' * DEEP}int{']' * DEEP}",
    "attributes": f"X = a{'.b' * DEEP}",
    "sum": f"X = {'+'.join(['1'] * DEEP)}",
    "unary minus": f"X = {'-' * DEEP}1",
    "not": f"X = {'not ' * DEEP}1",
    "lambda": f"X = {'lambda: ' * DEEP}1",
    "ternary": f"X = {'1 if x else ' * DEEP}1",
    "strings": 'X = ' + '"a" ' * DEEP,
    "comparison": f"X = {'<'.join(['a'] * DEEP)}",
    "elif": "if x == 0:\n    a0 = 1\n" + "".join(f"elif x == {n}:\n    a{n} = {n}\n" for n in range(1, 3000)),
    "default": f"def f(a={'[' * DEEP}{']' * DEEP}): ...",
    "annotation": f"def f(a: {'list[' * DEEP}int{']' * DEEP}) -> {'(' * DEEP}int{')' * DEEP}: ...",
    "decorator": f"@d{'(d' * DEEP}{')' * DEEP}\ndef f(): ...",
    "base": f"class C({'(' * DEEP}object{')' * DEEP}): ...",
    "body": f"def f():\n    return {'[' * DEEP}{']' * DEEP}",
    "self attribute": f"class C:\n    def f(self):\n        self.x = {'[' * DEEP}{']' * DEEP}",
    "__all__": '__all__ = ["before"]' + '+["after"]' * DEEP,
    "assignments": f"{'X = ' * DEEP}1",
    "targets": f"{'(' * 3_000}X{',)' * 3_000} = x",
    "if": nested_ifs(300),
    "classes": nested_classes(300),
    "functions": nested_functions(300),
    "decorators": "@d\n" * DEEP + "def f(): ...",
    "parameters": f"def f({', '.join(f'a{n}=1' for n in range(DEEP))}): ...",
    "semicolons": "x = 1; " * DEEP,
    "backslashes": "X = 1 " + "\\\n" * 2_000,
    "stars": f"X = {'*' * 10_000}",
    "dots": f"from {'.' * DEEP} import x",
}  # fmt: skip


@pytest.mark.parametrize("tower", sorted(TOWERS))
def test_towers_do_not_topple(tower: str, tmp_path: Path) -> None:
    view = view_with(tmp_path, f"def before(): ...\n{TOWERS[tower]}\ndef after(): ...\n")
    assert {"pk.bad:before", "pk.bad:after"} <= names(view)
    assert len(view.body) < 2_000_000


@pytest.mark.slow
@pytest.mark.parametrize("build", [nested_ifs, nested_classes, nested_functions])
def test_blocks_nested_thousands_deep_are_named(build: object, tmp_path: Path) -> None:
    assert callable(build)
    view = view_with(tmp_path, f"def before(): ...\n{build(3_000)}\ndef after(): ...\n")
    assert codes(view, "pk/bad.py")
    assert "pk.bad:before" in names(view)


def test_a_deep_tree_is_not_given_to_stubgen(tmp_path: Path) -> None:
    view = view_with(tmp_path, f"X = {'+'.join(['1'] * 1000)}\nY = 1\n")
    assert "stubgen-skipped" in codes(view, "pk/bad.py")
    assert declared(view, "Y").value == "1"


# --- Size -----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_generated_literal_of_10_mb_is_elided(tmp_path: Path) -> None:
    table = "".join(f"    {n}: 'value {n}',\n" for n in range(430_000))
    assert len(table) > 10_000_000
    view = view_with(tmp_path, f"TABLE = {{\n{table}}}\ndef after(): ...\n")
    assert "430,000 entries" in str(declared(view, "TABLE").extra["elided"])
    assert "stubgen-skipped" in codes(view, "pk/bad.py")
    assert "pk.bad:after" in names(view)
    assert len(view.body) < 2_000


@pytest.mark.slow
def test_small_functions_by_the_ten_thousand_are_all_shown(tmp_path: Path) -> None:
    count = 35_000
    source = "".join(
        f"def function_{n}(argument: int = {n}) -> int:\n    return argument\n\n" for n in range(count)
    )
    assert len(source) > 2_097_152  # beyond what stubgen is given
    view = view_with(tmp_path, source)
    assert len(names(view)) == count + 1
    assert "stubgen-skipped" in codes(view, "pk/bad.py")


@pytest.mark.slow
def test_a_file_over_2_mb_is_shown_without_inferred_types(tmp_path: Path) -> None:
    view = view_with(tmp_path, f"def f():\n    return '{'x' * 2_200_000}'\ndef last(): ...\n")
    assert "stubgen-skipped" in codes(view, "pk/bad.py")
    assert "pk.bad:last" in names(view)


@pytest.mark.slow
def test_a_file_too_large_to_be_source_is_named(tmp_path: Path) -> None:
    view = view_with(tmp_path, b"x = 1\n" * 3_000_000)
    assert codes(view, "pk/bad.py") == {"unreadable"}


@pytest.mark.slow
def test_a_line_of_a_megabyte_is_counted(tmp_path: Path) -> None:
    view = view_with(tmp_path, f"X = '{'a' * 1_000_000}'\n# {'z' * 1_000_000}\n")
    assert view.tokens.implementation > 100_000


def test_docs_and_names_of_any_length_are_shown(tmp_path: Path) -> None:
    name = "n" * 10_000
    view = view_with(tmp_path, f"def {name}():\n    '''{'word ' * 20_000}'''\n")
    assert len(declared(view, name).doc or "") == 100_000


# --- Names ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["typing", "builtins", "enum", "dataclasses", "types", "abc", "sys", "os"])
def test_modules_may_be_named_like_the_standard_library(name: str, tmp_path: Path) -> None:
    source = "import enum\n\nclass Any: ...\nclass E(enum.Enum):\n    A = 1\nNUMBER = 1\ndef f(): return 1\n"
    view = view_of(
        {f"{name}.py": source, "user.py": f"from {name} import Any\nX: Any = 1\n"}, tmp_path / "repo"
    )
    assert f"{name}:E.A" in names(view)
    assert "user:X" in names(view)
    assert not [note for note in view.notes if note.severity != "info"]


def test_identifiers_may_be_unicode(tmp_path: Path) -> None:
    view = view_with(
        tmp_path, "class Größe:\n    属性: int = 1\ndef naïve(ñ: int) -> 'Größe': ...\n", "módulo.py"
    )
    assert {"pk.módulo:Größe", "pk.módulo:Größe.属性", "pk.módulo:naïve"} <= names(view)


@pytest.mark.parametrize(
    "name", ["two-words.py", "1st.py", "class.py", "a b.py", "dotted.name.py", "new\nline.py", ".hidden.py"]
)
def test_files_without_a_module_name_do_no_harm(name: str, tmp_path: Path) -> None:
    view = view_with(tmp_path, "def unreachable(): ...\n", name)
    assert all(
        module.name in ("pk", "pk.good") or module.name == f"pk.{name[:-3]}" for module in view.modules
    )


def test_names_may_hold_anything_a_file_system_allows(tmp_path: Path) -> None:
    view = view_of({**GOOD, "pk/$(touch x);'\".py": "x = 1\n", "pk/-rf/m.py": "x = 1\n"}, tmp_path / "repo")
    assert "pk.good:good" in names(view)


# --- Names that lead in circles ---------------------------------------------------------------------

CIRCLES = {
    "stars": {"a": "from pk.b import *\nA = 1\n", "b": "from pk.a import *\nB = 1\n"},
    "three stars": {"a": "from pk.b import *\nA = 1\n", "b": "from pk.c import *\nB = 1\n", "c": "from pk.a import *\nC = 1\n"},
    "self star": {"a": "from pk.a import *\nfrom . import *\nA = 1\n", "b": "B = 1\n"},
    "names": {"a": "from pk.b import x as x\nA = 1\n", "b": "from pk.a import x as x\nB = 1\n"},
    "self name": {"a": "from pk.a import A as A, missing as missing\nA = 1\n", "b": "B = 1\n"},
    "__all__": {
        "a": "from pk import b\n__all__ = ['A', *b.__all__]\nA = 1\n",
        "b": "from pk import a\n__all__ = ['B'] + a.__all__\nB = 1\n",
    },
    "own __all__": {"a": "import pk.a\n__all__ = ['A', *pk.a.__all__]\nA = 1\n", "b": "B = 1\n"},
    "bases": {"a": "class _A(_B): x = 1\nclass _B(_A): y = 1\nclass C(_A): z = 1\nA = 1\n", "b": "B = 1\n"},
    "own base": {"a": "class _A(_A): x = 1\nclass C(_A): ...\nA = 1\n", "b": "B = 1\n"},
    "base across": {
        "a": "from pk.b import _Y\nclass _X(_Y): x = 1\nclass P(_X): ...\nA = 1\n",
        "b": "from pk.a import _X\nclass _Y(_X): y = 1\nB = 1\n",
    },
    "aliases": {"a": "_X = _Y\n_Y = _X\ndef f(a: '_X') -> '_Y': ...\nA = 1\n", "b": "B = 1\n"},
    "lazy": {
        "a": "_T = {'x': 'pk.b', 'y': 'pk.a'}\ndef __getattr__(n): return _T[n]\nA = 1\n",
        "b": "_T = {'x': 'pk.a'}\ndef __getattr__(n): return _T[n]\nB = 1\n",
    },
    "package": {"a": "from . import a as a, b as c\nA = 1\n", "b": "from .. import pk as pk\nfrom ..pk import b\nB = 1\n"},
    "beyond the top": {"a": "from ....... import x as x\nfrom .....b import *\nA = 1\n", "b": "B = 1\n"},
}  # fmt: skip


@pytest.mark.parametrize("circle", sorted(CIRCLES))
def test_circles_end(circle: str, tmp_path: Path) -> None:
    files = CIRCLES[circle]
    view = view_of({**GOOD, **{f"pk/{name}.py": text for name, text in files.items()}}, tmp_path / "repo")
    assert {"pk.good:good", "pk.a:A", "pk.b:B"} <= names(view)
    assert "adapter-failed" not in {note.code for note in view.notes}
    parses(view)


# --- Files that are not there, or not readable ------------------------------------------------------


def built_from_what_was_listed(workspace: Workspace) -> View:
    """The view as a build makes it that had listed the files before they changed."""
    return workspace._builder.build_here(workspace.packages()[0], None, {}).view


def test_a_file_that_vanishes_is_named(tmp_path: Path) -> None:
    root = repo({**GOOD, "pk/bad.py": "x = 1\n"}, tmp_path / "repo")
    workspace = Workspace.open(root)
    workspace.packages()
    (root / "pk/bad.py").unlink()
    view = built_from_what_was_listed(workspace)
    assert "read-failed" in codes(view, "pk/bad.py")
    assert "pk.good:good" in names(view)
    later = workspace.view(".")  # its child looks for itself
    assert "pk.good:good" in names(later)
    assert "pk.bad:x" not in names(later)


def test_a_folder_that_vanishes_is_named(tmp_path: Path) -> None:
    root = repo({**GOOD, "pk/sub/__init__.py": "x = 1\n"}, tmp_path / "repo")
    workspace = Workspace.open(root)
    workspace.packages()
    (root / "pk/sub/__init__.py").unlink()
    (root / "pk/sub").rmdir()
    assert "read-failed" in codes(built_from_what_was_listed(workspace), "pk/sub/__init__.py")


def test_a_file_that_becomes_a_folder_is_named(tmp_path: Path) -> None:
    root = repo({**GOOD, "pk/bad.py": "x = 1\n"}, tmp_path / "repo")
    workspace = Workspace.open(root)
    workspace.packages()
    (root / "pk/bad.py").unlink()
    (root / "pk/bad.py").mkdir()
    assert "read-failed" in codes(built_from_what_was_listed(workspace), "pk/bad.py")


@pytest.fixture
def locked() -> Iterator[list[Path]]:
    """Paths that a test makes unreadable; readable again afterwards, so that they can be removed."""
    if os.geteuid() == 0:
        pytest.skip("root reads everything")
    paths: list[Path] = []
    yield paths
    for path in paths:
        path.chmod(0o755)


def test_an_unreadable_file_is_named(tmp_path: Path, locked: list[Path]) -> None:
    root = repo({**GOOD, "pk/bad.py": "x = 1\n"}, tmp_path / "repo")
    locked.append(root / "pk/bad.py")
    locked[0].chmod(0)
    view = Workspace.open(root).view(".")
    assert "read-failed" in codes(view, "pk/bad.py")
    assert "pk.good:good" in names(view)


def test_an_unreadable_folder_does_no_harm(tmp_path: Path, locked: list[Path]) -> None:
    root = repo({**GOOD, "pk/sub/__init__.py": "x = 1\n"}, tmp_path / "repo")
    locked.append(root / "pk/sub")
    locked[0].chmod(0)
    workspace = Workspace.open(root)
    assert "pk.good:good" in names(workspace.view("."))
    assert any(note.path == "pk/sub" for note in workspace.notes())


def test_links_in_circles_end(tmp_path: Path) -> None:
    picture = {
        **GOOD,
        "pk/self.py": Link("self.py"),
        "pk/one.py": Link("two.py"),
        "pk/two.py": Link("one.py"),
        "pk/loop": Link("."),
        "pk/up": Link(".."),
        "pk/dangling.py": Link("nowhere.py"),
        "pk/outside.py": Link("/etc/passwd"),
    }
    view = view_of(picture, tmp_path / "repo")
    assert "pk.good:good" in names(view)
    assert "root:" not in view.body


def test_a_pipe_among_the_sources_is_not_read(tmp_path: Path) -> None:
    root = repo(GOOD, tmp_path / "repo")
    os.mkfifo(root / "pk/pipe.py")
    assert "pk.good:good" in names(Workspace.open(root).view("."))


# --- Packages with little in them -------------------------------------------------------------------

PROJECT = '[project]\nname = "p"\nversion = "1"\n'


def test_a_package_without_modules_says_so(tmp_path: Path) -> None:
    view = view_of({"pyproject.toml": PROJECT}, tmp_path / "repo")
    assert view.modules == ()
    assert {note.code for note in view.notes} == {"no-interface"}


def test_a_package_of_an_empty_init_has_an_empty_module(tmp_path: Path) -> None:
    view = view_of({"pyproject.toml": PROJECT, "p/__init__.py": ""}, tmp_path / "repo")
    assert [(module.name, module.declarations) for module in view.modules] == [("p", ())]
    assert view.notes == ()


def test_a_package_of_broken_files_names_each(tmp_path: Path) -> None:
    bad: dict[str, str | bytes] = {
        "p/__init__.py": b"\0",
        "p/a.py": "def (:\n",
        "p/b.py": ")]}",
        "p/c.py": "'''",
        "p/d.py": "class",
    }
    view = view_of({"pyproject.toml": PROJECT, **bad}, tmp_path / "repo")
    for path in bad:
        assert codes(view, path), path
    parses(view)


def test_a_broken_file_of_another_package_is_not_in_the_notes(tmp_path: Path) -> None:
    files = {
        "a/pyproject.toml": PROJECT.replace('"p"', '"a"'),
        "a/a/__init__.py": "from b import *\nfrom b import x as x\nclass C: ...\n",
        "b/pyproject.toml": PROJECT.replace('"p"', '"b"'),
        "b/b/__init__.py": "def (:\nx = 1\n",
    }
    view = view_of(files, tmp_path / "repo", "a")
    assert {"a:C", "a:x"} <= names(view)


def test_nothing_of_the_repository_is_executed(tmp_path: Path) -> None:
    trap = "import pathlib\npathlib.Path('ran').touch()\nraise SystemExit(7)\n"
    files: dict[str, str | bytes] = dict.fromkeys(
        (
            "setup.py",
            "conftest.py",
            "pk/__init__.py",
            "pk/sitecustomize.py",
            "sitecustomize.py",
            "typing.py",
            "mypy_plugin.py",
        ),
        trap,
    )
    files["mypy.ini"] = "[mypy]\nplugins = mypy_plugin\n"
    root = repo(files, tmp_path / "repo")
    done = subprocess.run(
        [Path(sys.executable).with_name("ifacegen"), "show", "."],
        cwd=root,
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert not (root / "ran").exists()
