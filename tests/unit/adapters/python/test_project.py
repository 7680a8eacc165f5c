"""Python project files: names, dependencies, import roots and import names, whoever's dialect they are in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ifacegen.model import Dependency, Project, SourceRoot
from ifacegen_adapters.python.project import find_projects, normalise_name, plain_project
from support.trees import memory_tree


def _projects(picture: str) -> dict[str, Project]:
    return {project.path: project for project in find_projects(memory_tree(picture))}


def _only(picture: str) -> Project:
    (project,) = _projects(picture).values()
    return project


def _toml(text: str, **files: str) -> Project:
    (project,) = find_projects(memory_tree({"p/pyproject.toml": text, **{f"p/{name}": "" for name in files}}))
    return project


# -- layouts ------------------------------------------------------------------------------------------
# A picture; then what it provides: (root, names) and import names.

LAYOUTS = {
    "src layout": (
        """
        p/pyproject.toml | [project]\\nname = "acme-billing"
        p/src/billing/__init__.py
        p/src/billing/core.py
        p/tests/test_core.py
        """,
        [("p/src", ["billing"])],
        ["billing"],
    ),
    "src layout with several packages, a module and stubs": (
        """
        p/pyproject.toml | [project]\\nname = "x"
        p/src/attr/__init__.py
        p/src/attrs/__init__.py
        p/src/py.py
        p/src/attr-stubs/__init__.pyi
        p/src/x.egg-info/PKG-INFO
        p/src/tests/__init__.py
        """,
        [("p/src", ["attr", "attr-stubs", "attrs", "py"])],
        ["attr", "attrs", "py"],
    ),
    "namespaces are followed down to regular packages and modules": (
        """
        p/pyproject.toml | [project]\\nname = "otel-requests"
        p/src/opentelemetry/instrumentation/requests/__init__.py
        p/src/opentelemetry/instrumentation/requests/util.py
        p/src/opentelemetry/version.py
        """,
        [("p/src", ["opentelemetry"])],
        ["opentelemetry.instrumentation.requests", "opentelemetry.version"],
    ),
    "flat layout": (
        """
        p/pyproject.toml | [project]\\nname = "other"
        p/shop/__init__.py
        p/tests/__init__.py
        p/docs/conf.py
        p/scripts/run.py
        p/examples/__init__.py
        p/setup.py | from setuptools import setup\\nsetup()
        p/conftest.py
        """,
        [("p", ["shop"])],
        ["shop"],
    ),
    "flat layout: the package named like the distribution is the one": (
        """
        p/pyproject.toml | [project]\\nname = "Fast.API"
        p/fast_api/__init__.py
        p/docs_src/__init__.py
        """,
        [("p", ["fast_api"])],
        ["fast_api"],
    ),
    "flat layout: a name that is usually something else": (
        """
        p/pyproject.toml | [project]\\nname = "build"
        p/build/__init__.py
        p/tests/__init__.py
        """,
        [("p", ["build"])],
        ["build"],
    ),
    "flat layout: a namespace that spells the distribution": (
        """
        p/pyproject.toml | [project]\\nname = "acme-billing"
        p/acme/billing/__init__.py
        p/acme/other/__init__.py
        """,
        [("p", ["acme/billing"])],
        ["acme.billing"],
    ),
    "flat layout: a namespace package": (
        """
        p/pyproject.toml | [project]\\nname = "protos"
        p/google/api/__init__.py
        p/google/type/date.py
        """,
        [("p", ["google"])],
        ["google.api", "google.type.date"],
    ),
    "flat layout: a namespace named like the distribution": (
        """
        p/pyproject.toml | [project]\\nname = "acme"
        p/acme/core.py
        p/zoo/__init__.py
        """,
        [("p", ["acme"])],
        ["acme.core"],
    ),
    "flat layout without any __init__": (
        """
        p/pyproject.toml | [project]\\nname = "checkout-service"
        p/handlers/pay.py
        """,
        [("p", ["handlers"])],
        ["handlers.pay"],
    ),
    "a single module": (
        """
        p/pyproject.toml | [project]\\nname = "six"
        p/six.py
        p/setup.py | from setuptools import setup\\nsetup()
        p/test_six.py
        """,
        [("p", ["six"])],
        ["six"],
    ),
    "modules beside the project file": (
        """
        p/pyproject.toml | [project]\\nname = "service"
        p/main.py
        p/models.py
        p/conftest.py
        """,
        [("p", ["main", "models"])],
        ["main", "models"],
    ),
    "Python that only builds C in src": (
        """
        p/pyproject.toml | [project]\\nname = "fast"
        p/src/codegen.py
        p/fast/__init__.py
        """,
        [("p", ["fast"])],
        ["fast"],
    ),
    "a stub distribution": (
        """
        p/pyproject.toml | [project]\\nname = "types-six"
        p/six-stubs/__init__.pyi
        """,
        [("p", ["six-stubs"])],
        ["six"],
    ),
    "the repository itself": (
        """
        pyproject.toml | [project]\\nname = "top"
        src/top/__init__.py
        """,
        [("src", ["top"])],
        ["top"],
    ),
    "nothing yet": (
        """
        p/pyproject.toml | [project]\\nname = "empty"
        p/README.md
        """,
        [],
        [],
    ),
    "hatch packages": (
        """
        p/pyproject.toml | [tool.hatch.build.targets.wheel]\\npackages = ["src/ifa", "adapters/ifa_x", "./one.py"]\\n[project]\\nname = "n"
        p/src/ifa/__init__.py
        p/src/other/__init__.py
        p/adapters/ifa_x/__init__.py
        p/one.py
        """,
        [("p", ["one"]), ("p/adapters", ["ifa_x"]), ("p/src", ["ifa"])],
        ["ifa", "ifa_x", "one"],
    ),
    "hatch only-include and sources": (
        """
        p/pyproject.toml | [tool.hatch.build.targets.wheel]\\nonly-include = ["lib/ns/one"]\\nsources = ["lib"]\\n[project]\\nname = "n"
        p/lib/ns/one/__init__.py
        p/lib/ns/two/__init__.py
        """,
        [("p/lib", ["ns/one"])],
        ["ns.one"],
    ),
    "hatch include patterns": (
        """
        p/pyproject.toml | [tool.hatch.build]\\ninclude = ["/shop/**/*.py", "!/shop/x.py"]\\n[project]\\nname = "n"
        p/shop/__init__.py
        p/more/__init__.py
        """,
        [("p", ["shop"])],
        ["shop"],
    ),
    "hatch sources alone": (
        """
        p/pyproject.toml | [tool.hatch.build.targets.wheel]\\nsources = ["lib"]\\n[project]\\nname = "n"
        p/lib/a/__init__.py
        p/b/__init__.py
        """,
        [("p/lib", ["a"])],
        ["a"],
    ),
    "setuptools package-dir and packages": (
        """
        p/pyproject.toml | [tool.setuptools]\\npackages = ["a", "a.b", "c.d"]\\npackage-dir = {"" = "lib", "c.d" = "elsewhere/d"}\\n[project]\\nname = "n"
        p/lib/a/__init__.py
        p/lib/a/b/__init__.py
        p/elsewhere/d/__init__.py
        """,
        [("p/elsewhere", ["d"]), ("p/lib", ["a"])],
        ["a", "d"],
    ),
    "setuptools find": (
        """
        p/pyproject.toml | [tool.setuptools.packages.find]\\nwhere = ["python"]\\ninclude = ["shop*"]\\nexclude = ["shop_tests*"]\\n[project]\\nname = "n"
        p/python/shop/__init__.py
        p/python/shop_more/__init__.py
        p/python/shop_tests/__init__.py
        p/python/bench/__init__.py
        """,
        [("p/python", ["shop", "shop_more"])],
        ["shop", "shop_more"],
    ),
    "setuptools find with parts of a namespace": (
        """
        p/pyproject.toml | [tool.setuptools.packages.find]\\ninclude = ["acme.billing*"]\\n[project]\\nname = "n"
        p/acme/billing/__init__.py
        p/acme/other/__init__.py
        """,
        [("p", ["acme/billing"])],
        ["acme.billing"],
    ),
    "setuptools find takes all packages": (
        """
        p/pyproject.toml | [tool.setuptools.packages.find]\\n[project]\\nname = "a"
        p/a/__init__.py
        p/b/__init__.py
        p/tests/__init__.py
        """,
        [("p", ["a", "b"])],
        ["a", "b"],
    ),
    "setuptools py-modules": (
        """
        p/pyproject.toml | [tool.setuptools]\\npy-modules = ["one", "two"]\\n[project]\\nname = "n"
        p/one.py
        p/two.py
        p/three.py
        """,
        [("p", ["one", "two"])],
        ["one", "two"],
    ),
    "Poetry packages": (
        """
        p/pyproject.toml | [tool.poetry]\\nname = "n"\\npackages = [{include = "a", from = "lib"}, {include = "b/**/*.py"}, {include = "c.py"}]
        p/lib/a/__init__.py
        p/b/x/__init__.py
        p/c.py
        """,
        [("p", ["b", "c"]), ("p/lib", ["a"])],
        ["a", "b.x", "c"],
    ),
    "Poetry by name": (
        """
        p/pyproject.toml | [tool.poetry]\\nname = "my-lib"\\n[build-system]\\nbuild-backend = "poetry.core.masonry.api"
        p/src/my_lib/__init__.py
        p/src/scratch/__init__.py
        """,
        [("p/src", ["my_lib"])],
        ["my_lib"],
    ),
    "flit module": (
        """
        p/pyproject.toml | [tool.flit.module]\\nname = "ns.mod"\\n[project]\\nname = "n"
        p/src/ns/mod/__init__.py
        p/src/other.py
        """,
        [("p/src", ["ns/mod"])],
        ["ns.mod"],
    ),
    "flit's old metadata": (
        """
        p/pyproject.toml | [tool.flit.metadata]\\nmodule = "mod"\\ndist-name = "py-mod"
        p/mod.py
        p/other.py
        """,
        [("p", ["mod"])],
        ["mod"],
    ),
    "uv build backend": (
        """
        p/pyproject.toml | [tool.uv.build-backend]\\nmodule-root = ""\\nmodule-name = "acme.core"\\n[project]\\nname = "n"
        p/acme/core/__init__.py
        p/acme/extra/__init__.py
        """,
        [("p", ["acme/core"])],
        ["acme.core"],
    ),
    "uv build backend by name": (
        """
        p/pyproject.toml | [project]\\nname = "my-lib"\\n[build-system]\\nbuild-backend = "uv_build"
        p/src/my_lib/__init__.py
        p/src/junk/__init__.py
        """,
        [("p/src", ["my_lib"])],
        ["my_lib"],
    ),
    "pdm": (
        """
        p/pyproject.toml | [tool.pdm.build]\\npackage-dir = "py"\\n[project]\\nname = "n"
        p/py/a/__init__.py
        p/b/__init__.py
        """,
        [("p/py", ["a"])],
        ["a"],
    ),
    "maturin": (
        """
        p/pyproject.toml | [tool.maturin]\\npython-source = "python"\\n[project]\\nname = "n"
        p/python/fast/__init__.py
        p/src/lib.rs
        p/tests/test_x.py
        """,
        [("p/python", ["fast"])],
        ["fast"],
    ),
    "scikit-build": (
        """
        p/pyproject.toml | [tool.scikit-build]\\nwheel.packages = ["python/fast"]\\n[project]\\nname = "n"
        p/python/fast/__init__.py
        p/src/gen.py
        """,
        [("p/python", ["fast"])],
        ["fast"],
    ),
    "a configuration that fits nothing yields to what is there": (
        """
        p/pyproject.toml | [tool.hatch.build.targets.wheel]\\npackages = ["generated"]\\n[project]\\nname = "n"
        p/src/real/__init__.py
        """,
        [("p/src", ["real"])],
        ["real"],
    ),
    "setup.cfg": (
        """
        p/setup.cfg | [metadata]\\nname = SQLAlchemy\\n[options]\\npackages = find:\\npackage_dir =\\n    =lib
        p/setup.py | from setuptools import setup\\nsetup()
        p/lib/sqlalchemy/__init__.py
        p/test/__init__.py
        """,
        [("p/lib", ["sqlalchemy"])],
        ["sqlalchemy"],
    ),
    "setup.py with find_packages": (
        """
        p/setup.py | import setuptools\\nW = "source"\\nsetuptools.setup(name="n", package_dir={"": W}, packages=setuptools.find_packages(W, exclude=["t*"]))
        p/source/a/__init__.py
        p/source/t1/__init__.py
        """,
        [("p/source", ["a"])],
        ["a"],
    ),
    "setup.py with a list": (
        """
        p/setup.py | from setuptools import setup\\nP = ["requests"]\\nsetup(name="n", packages=P + ["requests.sub"], py_modules=["one"])
        p/requests/__init__.py
        p/one.py
        p/ext/__init__.py
        """,
        [("p", ["one", "requests"])],
        ["one", "requests"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", LAYOUTS)
def test_roots_and_import_names(case: str) -> None:
    picture, roots, imports = LAYOUTS[case]
    project = _only(picture)
    assert project.roots == tuple(SourceRoot(path, tuple(names)) for path, names in roots)
    assert list(project.import_names) == imports
    assert project.is_package
    assert project.notes == ()


def test_modules_of_a_nested_project_are_not_the_outer_ones() -> None:
    projects = _projects("""
        pyproject.toml                          | [project]\\nname = "mcp"
        src/mcp/__init__.py
        src/mcp-types/pyproject.toml            | [project]\\nname = "mcp-types"
        src/mcp-types/mcp_types/__init__.py
        plugins/extra/setup.py                  | setup(name="extra")
        plugins/extra/extra/__init__.py
    """)
    assert {path: project.import_names for path, project in projects.items()} == {
        "": ("mcp",),
        "plugins/extra": ("extra",),
        "src/mcp-types": ("mcp_types",),
    }


def test_a_nested_project_that_the_outer_one_names_is_in_both() -> None:
    projects = _projects("""
        pyproject.toml            | [tool.hatch.build.targets.wheel]\\npackages = ["lib/one"]\\n[project]\\nname = "all"
        lib/one/pyproject.toml    | [project]\\nname = "one"
        lib/one/__init__.py
    """)
    assert projects[""].import_names == ("one",)


def test_a_project_file_for_tools_alone_makes_no_package() -> None:
    assert not _toml("[tool.ruff]\nline-length = 100\n").is_package
    assert not _toml("[tool.uv.workspace]\nmembers = ['x']\n").is_package
    assert _projects("setup.cfg | [flake8]\\nmax-line-length = 100\\n[tool:pytest]\\naddopts = -q") == {}


@pytest.mark.parametrize(
    "picture",
    [
        "a/__init__.py |\na/setup.py | def setup(): ...\\nsetup()",  # a module that is called setup
        "a/setup.py | print('set up')",
        "a/setup.py | def setup_things(): ...",
    ],
)
def test_a_module_called_setup_is_no_project(picture: str) -> None:
    assert _projects(picture) == {}


def test_names_come_from_the_first_file_that_states_one() -> None:
    project = _only("""
        p/pyproject.toml  | [build-system]\\nrequires = ["setuptools"]
        p/setup.cfg       | [metadata]\\nname = from-cfg
        p/setup.py        | setup(name="from-py")
    """)
    assert (project.name, project.project_file) == ("from-cfg", "p/pyproject.toml")


@pytest.mark.parametrize("text", ["[tool.uv]\npackage = false", "[tool.poetry]\npackage-mode = false"])
def test_what_is_never_installed_is_an_application(text: str) -> None:
    assert _toml(f'{text}\n[project]\nname = "svc"').role == "app"


def test_nothing_in_setup_py_is_run() -> None:
    project = _only("""
        p/setup.py | import os\\nos.abort()\\nNAME = "n"\\nsetup(name=NAME, install_requires=["a", *open("x")], **os.abort())
    """)
    assert (project.name, project.dependencies) == ("n", (Dependency("a", "run"),))


# -- dependencies -------------------------------------------------------------------------------------

PEP_621 = """
[build-system]
requires = ["hatchling>=1"]
[project]
name = "a"
dependencies = ["Acme.Shared_Lib>=1; python_version > '3'", "b[x]~=2", "c @ https://x/y", "b", "!bad", 7]
[project.optional-dependencies]
http = ["d", "self-ref"]
[dependency-groups]
test = ["e>1"]
dev = ["f", {include-group = "test"}, {include-group = "LOOP"}, {include-group = "nowhere"}, {other = 1}]
loop = [{include-group = "dev"}, "g"]
[tool.uv]
dev-dependencies = ["h"]
[tool.uv.sources]
b = {path = "../b", editable = true}
d = [{path = "../../d", marker = "x"}, {git = "https://x"}]
e = {workspace = true}
f = {path = "../../../out"}
"""


def test_pep_621_and_groups() -> None:
    (project,) = find_projects(memory_tree({"packages/a/pyproject.toml": PEP_621}))
    assert project.dependencies == (
        Dependency("Acme.Shared_Lib", "run"),
        Dependency("b", "run", "packages/b"),
        Dependency("c", "run"),
        Dependency("d", "extra:http", "d"),
        Dependency("self-ref", "extra:http"),
        Dependency("f", "group:dev"),
        Dependency("e", "group:dev"),
        Dependency("g", "group:dev"),
        Dependency("g", "group:loop"),
        Dependency("f", "group:loop"),
        Dependency("e", "group:loop"),
        Dependency("e", "group:test"),
        Dependency("h", "group:dev"),
        Dependency("hatchling", "build"),
    )


POETRY = """
[tool.poetry]
name = "a"
[tool.poetry.dependencies]
python = "^3.11"
b = {path = "../b", develop = true}
c = "^1"
d = {version = "1", optional = true}
e = [{version = "1", python = "<3"}, {path = "../e"}]
[tool.poetry.extras]
more = ["d", "c"]
[tool.poetry.dev-dependencies]
f = "*"
[tool.poetry.group.docs.dependencies]
g = "*"
"""


def test_poetry() -> None:
    (project,) = find_projects(memory_tree({"packages/a/pyproject.toml": POETRY}))
    assert project.dependencies == (
        Dependency("b", "run", "packages/b"),
        Dependency("c", "run"),
        Dependency("d", "extra:more"),
        Dependency("e", "run", "packages/e"),
        Dependency("f", "group:dev"),
        Dependency("g", "group:docs"),
    )


def test_setup_cfg_and_setup_py() -> None:
    wanted = (
        Dependency("a", "run"),
        Dependency("b", "run"),
        Dependency("c", "extra:X"),
        Dependency("t", "group:test"),
        Dependency("s", "build"),
    )
    cfg = """\
[metadata]
name: n
[options]
install-requires =
    a>=1;python_version<"3"
    b
tests_require = t
setup_requires = s
[options.extras_require]
X = c
"""
    call = 'setup(install_requires=["a>=1", "b"], extras_require={"X": "c"}, tests_require="t", setup_requires=["s"])'
    for path, text in (("setup.cfg", cfg), ("setup.py", call)):
        (project,) = find_projects(memory_tree({path: text}))
        assert project.dependencies == wanted


def test_workspace_members_and_exclusions() -> None:
    project = _toml('[tool.uv.workspace]\nmembers = ["packages/*", "./libs/a"]\nexclude = ["./packages/old"]')
    assert project.members == ("packages/*", "./libs/a", "!packages/old")


@pytest.mark.parametrize(
    ("name", "normal"), [("Acme.Shared_Lib", "acme-shared-lib"), ("a--_.b", "a-b"), ("x", "x")]
)
def test_names_are_compared_as_pep_503_says(name: str, normal: str) -> None:
    assert normalise_name(name) == normal


# -- broken files -------------------------------------------------------------------------------------

BROKEN = {
    "not TOML": ("pyproject.toml", b"[project\nname = 'a'"),
    "not UTF-8": ("pyproject.toml", b"[project]\nname = '\xff'"),
    "null bytes": ("pyproject.toml", b"\0"),
    "deep nesting": ("pyproject.toml", b"x = " + b"[" * 50_000),
    "a template": ("pyproject.toml", b"[project]\nname = '{{ cookiecutter.name }}'"),
    "a template that is no TOML": ("pyproject.toml", b"[project]\nname = {{ cookiecutter.name }}"),
    "a placeholder": ("pyproject.toml", b"[project]\nname = '<REPLACE ME>'"),
    "no name": ("pyproject.toml", b"[project]\nversion = '1'"),
    "a name that is no string": ("pyproject.toml", b"[project]\nname = 1"),
    "setup.cfg without sections": ("setup.cfg", b"[metadata]\nname\n= x\nbroken"),
    "setup.py for Python 2": ("setup.py", b"print 'x'\nsetup(name='old')"),
    "setup.py too large": ("setup.py", b"setup(name='x')\n" + b"#" * 300_000),
    "setup.py too deep": ("setup.py", b"setup(name=" + b"(" * 5_000 + b")" * 5_000 + b")"),
    "setup.py with null bytes": ("setup.py", b"setup(name='x')\0"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_project_file_is_a_package_with_a_note(case: str) -> None:
    file, data = BROKEN[case]
    (project,) = find_projects(memory_tree({f"p/{file}": data, "p/src/mod/__init__.py": b""}))
    assert project.is_package
    assert project.import_names == ("mod",)
    assert [note.code for note in project.notes] == ["project-unparsed"]
    assert project.notes[0].path == f"p/{file}"
    assert "\n" not in project.notes[0].message
    assert project.name == (
        "old" if "Python 2" in case else "x" if "null bytes" in case and file == "setup.py" else None
    )


def test_a_byte_order_mark_is_no_error() -> None:
    (project,) = find_projects(memory_tree({"pyproject.toml": b'\xef\xbb\xbf[project]\r\nname = "a"\r\n'}))
    assert (project.name, project.notes) == ("a", ())


ODD_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.sampled_from(["..", "/", "a/*", "src", "[", "."]),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from([
            "name", "path", "packages", "find", "where", "include", "exclude", "from", "group", "dependencies",
            "package-dir", "module-name", "module-root", "sources", "wheel", "targets", "members", "test",
        ]),
        inner,
        max_size=3,
    ),
    max_leaves=12,
)  # fmt: skip
TABLES = ["project", "hatch", "setuptools", "poetry", "uv", "flit", "pdm", "maturin", "scikit-build"]


@given(
    st.dictionaries(st.sampled_from(TABLES), ODD_VALUES, max_size=4),
    st.dictionaries(st.text("ab"), ODD_VALUES),
)
def test_values_of_any_type_are_survived(tables: dict[str, object], groups: dict[str, object]) -> None:
    from ifacegen_adapters.python.layout import find_modules
    from ifacegen_adapters.python.pyproject import _stated

    document = {
        "project": tables.get("project"),
        "tool": tables,
        "dependency-groups": groups,
        "build-system": groups,
    }
    stated = _stated(document, "p", "p/pyproject.toml")
    find_modules(["p/src/a/__init__.py", "p/b.py"], "p", stated.layout, stated.name)


# -- folders without a project file -------------------------------------------------------------------


def test_a_plain_folder() -> None:
    tree = memory_tree("""
        tools/release/cli.py
        tools/release/api/__init__.py
        lib/pkg/__init__.py
        lib/pkg/core.py
        docs/readme.md
    """)
    folder = plain_project(tree, "tools/release")
    assert folder == Project(
        "python", "tools/release", None, None, ("api", "cli"), (SourceRoot("tools/release", ("api", "cli")),)
    )
    regular = plain_project(tree, "lib/pkg")
    assert regular == Project("python", "lib/pkg", None, None, ("pkg",), (SourceRoot("lib", ("pkg",)),))
    assert plain_project(tree, "docs") is None
    assert plain_project(tree, "nowhere") is None


@pytest.mark.parametrize("top", ["", "."])
def test_the_repository_as_a_plain_folder(top: str) -> None:
    project = plain_project(memory_tree({"shop/__init__.py": "", "test_shop.py": ""}), top)
    assert project is not None
    assert (project.path, project.import_names) == ("", ("shop",))


def test_a_folder_inside_a_package_is_imported_through_it() -> None:
    project = plain_project(memory_tree({"lib/a/__init__.py": "", "lib/a/b/__init__.py": ""}), "lib/a/b")
    assert project is not None
    assert (project.roots, project.import_names) == ((SourceRoot("lib", ("a/b",)),), ("a.b",))


# -- nothing makes it slow or crash -------------------------------------------------------------------


@pytest.mark.parametrize(
    "source", ["x" + ".a" * 60_000, "1" + "+1" * 60_000, "-" * 100_000 + "1", "[" * 90_000]
)
def test_a_setup_script_of_any_depth_is_survived(source: str) -> None:
    project = _only_bytes("setup.py", f"setup(name='n')\n{source}\n".encode())
    assert project.name == "n"


def _only_bytes(path: str, data: bytes) -> Project:
    (project,) = find_projects(memory_tree({path: data}))
    return project


def test_lists_of_lists_are_evaluated_within_bounds() -> None:
    lines = [f"A{index} = [{', '.join([f'A{index + 1}'] * 500)}]" for index in range(8)]
    assert (
        _only_bytes("setup.py", "\n".join([*lines, "A8 = 'x'", "setup(name='n', packages=A0)"]).encode()).name
        == "n"
    )


def test_groups_of_groups_are_resolved_within_bounds() -> None:
    lines = [
        f'g{i} = ["r{i}", {{include-group = "g{i + 1}"}}, {{include-group = "g{i + 1}"}}]' for i in range(500)
    ]
    project = _only_bytes("pyproject.toml", "\n".join(["[dependency-groups]", *lines]).encode())
    assert len(project.dependencies) < 500 * 51


def test_folders_of_any_depth_are_survived() -> None:
    deep = "/".join(["d"] * 3_000)
    projects = find_projects(
        memory_tree({"pyproject.toml": "[project]\nname = 'd'", f"{deep}/m.py": "", f"src/{deep}/m.py": ""})
    )
    assert [len(project.import_names) for project in projects] == [1]


def test_members_of_hatch_workspaces() -> None:
    project = _toml(
        '[tool.hatch.envs.default]\nworkspace.members = ["packages/*", {path = "libs/a", features = ["x"]}]'
    )
    assert project.members == ("packages/*", "libs/a")


def test_sources_are_found_by_normalised_name() -> None:
    project = _toml(
        '[project]\nname = "a"\ndependencies = ["My.Lib"]\n[tool.uv.sources]\nmy-lib = {path = "../lib"}'
    )
    assert project.dependencies == (Dependency("My.Lib", "run", "lib"),)
