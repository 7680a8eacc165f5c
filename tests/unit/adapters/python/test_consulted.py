"""What a view depends on outside its package is named, all of it, and can be asked for again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ifacegen.adapter import BuildContext, Surface, Tree, ViewOptions
from ifacegen.config import load_config
from ifacegen.discovery import survey
from ifacegen.facts import MemoryFacts
from ifacegen_adapters.python import PythonAdapter
from support.trees import memory_tree

CONFIG = 'version: 1\npackages: ["*"]\n'
#: `pkg` lies in `a`; `user` imports from it.
USER = {
    "ifacegen.yaml": CONFIG,
    "user/user/__init__.py": "from pkg import thing as thing\nfrom pkg.sub import other as other\n",
    "user/pyproject.toml": "[project]\nname = 'user'\n",
}
PROJECT = "[project]\nname = '{}'\n"


def context_of(tree: Tree, package: str = "user") -> BuildContext:
    packages = survey(tree, load_config(tree), [PythonAdapter()]).packages
    (chosen,) = (each for each in packages if each.path == package)
    return BuildContext(tree, chosen, packages, ViewOptions(), MemoryFacts(), {}, len, {})


def surface_of(files: Mapping[str, str], package: str = "user") -> Surface:
    return PythonAdapter().build(context_of(memory_tree(files), package))


def test_modules_of_other_packages_are_named_with_their_ids() -> None:
    files = {**USER, "a/pkg/__init__.py": "thing = 1\n", "a/pyproject.toml": PROJECT.format("pkg")}
    tree = memory_tree(files)
    surface = PythonAdapter().build(context_of(tree))
    assert surface.consulted["pkg"] == ("a/pkg/__init__.py", tree.id("a/pkg/__init__.py"))
    assert surface.consulted["pkg.sub"] is None


def test_they_can_be_asked_for_again_without_building() -> None:
    files = {**USER, "a/pkg/__init__.py": "thing = 1\n", "a/pyproject.toml": PROJECT.format("pkg")}
    before = context_of(memory_tree(files))
    consulted = PythonAdapter().build(before).consulted
    assert PythonAdapter().consult(before, list(consulted)) == consulted
    changed = context_of(memory_tree({**files, "a/pkg/__init__.py": "thing = 2\n", "a/pkg/sub.py": ""}))
    now = PythonAdapter().consult(changed, ["pkg", "pkg.sub", "user"])
    assert now["pkg"] not in (None, consulted["pkg"])
    assert now["pkg.sub"] is not None
    assert now["user"] is None  # its own modules are not consulted


def test_no_path_of_the_package_itself_must_be_absent() -> None:
    assert surface_of(USER).absent == ()


def test_a_missing_directory_stands_for_all_in_it() -> None:
    files = {
        **USER,
        "user/user/__init__.py": "from pkg.sub.deep import x as x\n",
        "a/pkg/__init__.py": "",
        "a/pyproject.toml": PROJECT.format("pkg"),
    }
    assert surface_of(files).absent == ("a/pkg-stubs", "a/pkg/sub")


def test_a_missing_module_may_come_in_three_forms() -> None:
    files = {**USER, "a/pkg/__init__.py": "thing = 1\n", "a/pyproject.toml": PROJECT.format("pkg")}
    wanted = {"a/pkg/sub", "a/pkg/sub.py", "a/pkg/sub.pyi"}
    assert wanted <= set(surface_of(files).absent)


def test_what_would_go_before_a_module_that_is_there_must_be_absent() -> None:
    files = {**USER, "a/pkg/__init__.py": "", "a/pkg/sub.py": "", "a/pyproject.toml": PROJECT.format("pkg")}
    absent = set(surface_of(files).absent)
    assert {"a/pkg/sub.pyi", "a/pkg/sub", "a/pkg/__init__.pyi", "a/pkg-stubs"} <= absent
    assert "a/pkg/sub.py" not in absent


def test_packages_that_cannot_have_the_name_are_not_watched() -> None:
    others = {
        f"{name}/{name}/__init__.py": "" for name in ("a", "b")
    }  # what they provide has other names, and that is their layout
    assert surface_of({**USER, **others}).absent == ()


def namespace(*packages: str) -> dict[str, str]:
    """Packages that share the namespace `pkg`, each with one part of it."""
    files = {f"{each}/src/pkg/{each}/__init__.py": "thing = 1\n" for each in packages}
    for each in packages:
        files[f"{each}/pyproject.toml"] = PROJECT.format(f"pkg-{each}") + (
            '[tool.hatch.build.targets.wheel]\npackages = ["src/pkg"]\n'
            '[build-system]\nbuild-backend = "hatchling.build"\n'
        )
    return files


def test_new_parts_of_a_namespace_are_the_layout_of_their_package() -> None:
    files = {**USER, **namespace("a", "b", "c")}
    watched = surface_of(files).absent
    assert sorted(watched) == sorted(
        f"{each}/src/{path}" for each in "abc" for path in ("pkg.py", "pkg.pyi", "pkg-stubs")
    )


def test_a_part_of_a_namespace_is_watched_where_it_is() -> None:
    files = {**USER, **namespace("a", "b", "c"), "user/user/__init__.py": "from pkg.b.deep import x as x\n"}
    absent = surface_of(files).absent
    assert {"b/src/pkg/b/deep", "b/src/pkg/b/deep.py"} <= set(absent)
    assert not any(path.startswith(("a/src/pkg/", "c/src/pkg/")) for path in absent)


# --- Whatever changes elsewhere ---------------------------------------------------------------------

FILES = [
    f"{package}/{root}{path}"
    for package in ("a", "v")
    for root in ("", "src/")
    for path in (
        "pkg.py",
        "pkg.pyi",
        "pkg/__init__.py",
        "pkg/__init__.pyi",
        "pkg/sub.py",
        "pkg/sub.pyi",
        "pkg/sub/__init__.py",
        "pkg/sub/deep.py",
        "pkg/sub/deep/__init__.pyi",
        "pkg/tests/sub.py",
        "pkg-stubs/__init__.pyi",
        "pkg-stubs/sub.pyi",
        "pkg-stubs/sub/deep.pyi",
        "docs/sub.py",
        "docs/__init__.py",
        "other.py",
        "other/__init__.py",
    )
]
HATCH = '[build-system]\nbuild-backend = "hatchling.build"\n[tool.hatch.build.targets.wheel]\npackages = {}\n'
PROJECTS = st.sampled_from(
    [
        "",
        PROJECT.format("pkg"),
        PROJECT.format("x"),
        PROJECT.format("pkg") + HATCH.format('["src/pkg"]'),
        PROJECT.format("pkg") + HATCH.format('["src/pkg", "pkg"]'),
        PROJECT.format("pkg-sub") + HATCH.format('["src/pkg/sub"]'),
        PROJECT.format("x") + "[tool.setuptools.packages.find]\nwhere = ['src']\ninclude = ['pkg']\n",
    ]
)
IMPORTS = st.lists(
    st.sampled_from(
        [
            "import pkg as a1",
            "from pkg import K as a2",
            "from pkg import sub as a3",
            "from pkg.sub import K as a4",
            "from pkg.sub.deep import K as a5",
            "from pkg import *",
            "from pkg.sub import *",
            "import docs.sub as a6",
            "from other import K as a7",
        ]
    ),
    min_size=1,
    max_size=4,
)
SHOWN = "\nclass C(a2, a4, a5, a7):\n    x: a1.K\n    y: a3.K\n    z: a1.sub.deep.K\n    w: a6.K\n"


@st.composite
def repositories(draw: st.DrawFn) -> tuple[dict[str, str], dict[str, str]]:
    """A repository, and the same with a few files more or fewer in packages other than `user`."""
    files = {"ifacegen.yaml": CONFIG, "user/user/__init__.py": "\n".join(draw(IMPORTS)) + SHOWN}
    for package in ("a", "v"):
        if project := draw(PROJECTS):
            files[f"{package}/pyproject.toml"] = project
    lying = draw(st.sets(st.sampled_from(FILES), max_size=8))
    changed = lying ^ draw(st.sets(st.sampled_from(FILES), min_size=1, max_size=2))
    return {**files, **dict.fromkeys(lying, KINDS)}, {**files, **dict.fromkeys(changed, KINDS)}


KINDS = "class _Base:\n    def f(self): ...\n\nclass K(_Base): ...\n"


def holds(surface: Surface, before: BuildContext, after: BuildContext) -> bool:
    """Whether all that a surface depends on is as it was, as the core would find out."""

    def layout(context: BuildContext) -> object:
        return [
            (each.path, [(one.path, one.roots, one.import_names) for one in each.projects])
            for each in context.packages
        ]

    tree = after.tree
    return (
        layout(before) == layout(after)
        and all(found is None or _id(tree, found[0]) == found[1] for found in surface.consulted.values())
        and not any(path in tree or tree.below(path) for path in surface.absent)
    )


def _id(tree: Tree, path: str) -> str:
    return tree.id(path) if path in tree else ""


@pytest.mark.slow
@settings(max_examples=3_000)
@given(repository=repositories())
def test_a_surface_is_the_same_while_nothing_that_it_names_has_changed(
    repository: tuple[dict[str, str], dict[str, str]],
) -> None:
    before, after = (context_of(memory_tree(files)) for files in repository)
    surface = PythonAdapter().build(before)
    assert not any(path in before.tree or before.tree.below(path) for path in surface.absent)
    if holds(surface, before, after):
        again = PythonAdapter().build(after)
        assert replace(again, absent=surface.absent) == surface
