"""Which packages there are, what they are for, who needs whom, and what an address means."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ifacegen.adapter import Tree
from ifacegen.addresses import resolve_address
from ifacegen.cli.packages import describe, table
from ifacegen.config import Config, PackageRule, load_config, parse_config
from ifacegen.discovery import discover, files_of, owner_of, role_of_path, survey
from ifacegen.errors import AmbiguousAddress, UnknownAddress, UsageError
from ifacegen.model import Dependency, Edge, Package, Project
from ifacegen.repository import Repository
from ifacegen_adapters.python import project as python_project
from support.trees import commit_all, git_repo, memory_tree, repo

PYTHON = SimpleNamespace(
    name="python",
    find_projects=python_project.find_projects,
    plain_project=python_project.plain_project,
    normalise_name=python_project.normalise_name,
)


DEFAULTS = Config()


class Json:
    """An ecosystem made up for these tests: ``project.json`` names the package and its dependencies."""

    name = "json"

    def find_projects(self, tree: Tree) -> Iterable[Project]:
        for path in tree.paths:
            if path.rpartition("/")[2] == "project.json":
                name, *needs = tree.read(path).data.decode().split()
                yield Project(
                    "json",
                    path.rpartition("/")[0],
                    name.lstrip("*"),
                    path,
                    dependencies=tuple(Dependency(need, "run") for need in needs),
                    members=("**", "!**/ignored") if name.startswith("*") else (),
                )

    def plain_project(self, tree: Tree, directory: str) -> Project | None:
        return None

    def normalise_name(self, name: str) -> str:
        return name


class Contracts(Json):
    """Contracts made up for these tests: every ``*.contract`` is one."""

    name = "contract"

    def find_projects(self, tree: Tree) -> Iterable[Project]:
        for path in tree.paths:
            if path.endswith(".contract"):
                yield Project(self.name, path.rpartition("/")[0], None, path, attaches=True)

    def plain_project(self, tree: Tree, directory: str) -> Project | None:
        found = [path for path in tree.below(directory) if path.endswith(".contract")]
        return Project(self.name, directory, attaches=True) if found else None


class Broken(Json):
    """An adapter that fails whenever it is asked."""

    name = "broken"

    def find_projects(self, tree: Tree) -> Iterable[Project]:
        yield Project("broken", "x")
        raise ValueError("over\nand out")

    def plain_project(self, tree: Tree, directory: str) -> Project | None:
        raise KeyError("no")


def _found(picture: str, config: Config | str = DEFAULTS, *more: object) -> dict[str, Package]:
    settings = parse_config("version: 1\n" + config) if isinstance(config, str) else config
    packages = discover(memory_tree(picture), settings, [PYTHON, *more])
    assert [package.path for package in packages] == sorted(package.path for package in packages)
    return {package.path: package for package in packages}


def _workspace(members: str, *paths: str) -> str:
    lines = [f"pyproject.toml | [tool.uv.workspace]\\n{members}"]
    lines += [
        path if "|" in path else f'{path}/pyproject.toml | [project]\\nname = "{path}"' for path in paths
    ]
    return "\n".join(lines)


# -- published contracts ------------------------------------------------------------------------------


def _interfaces(found: dict[str, Package]) -> dict[str, list[str]]:
    return {path: [f"{each.adapter} {each.path}" for each in p.projects] for path, p in found.items()}


def test_a_contract_belongs_to_the_package_it_lies_in() -> None:
    picture = """
        services/shop/pyproject.toml       | [project]\\nname = "shop"
        services/shop/api/shop.contract    |
        services/shop/shop.contract        |
        apis/github/github.contract        |
        apis/github/old/github.contract    |
    """
    assert _interfaces(_found(picture, Config(), Contracts())) == {
        "apis/github": ["contract apis/github", "contract apis/github/old"],
        "services/shop": ["python services/shop", "contract services/shop", "contract services/shop/api"],
    }


def test_a_contract_does_not_change_the_role_and_the_name_of_its_package() -> None:
    picture = """
        tool/pyproject.toml   | [project]\\nname = "acme-tool"\\n[project.scripts]\\ntool = "tool:main"
        tool/tool.contract    |
    """
    with_contract = _found(picture, Config(), Contracts())["tool"]
    without = _found(picture)["tool"]
    assert (with_contract.role, with_contract.name) == (without.role, without.name)


def test_a_root_that_gathers_packages_holds_only_its_own_contracts() -> None:
    picture = """
        pyproject.toml        | [project]\\nname = "all"\\n[tool.uv.workspace]\\nmembers = ["libs/*"]
        libs/a/pyproject.toml | [project]\\nname = "a"
        root.contract         |
        apis/x/x.contract     |
    """
    assert _interfaces(_found(picture, Config(), Contracts())) == {
        ".": ["python ", "contract "],
        "apis/x": ["contract apis/x"],
        "libs/a": ["python libs/a"],
    }


def test_a_contract_at_the_top_is_no_package_of_all_others() -> None:
    assert _interfaces(_found("root.contract |\napis/x/x.contract |", Config(), Contracts())) == {
        ".": ["contract "],
        "apis/x": ["contract apis/x"],
    }


def test_a_repository_of_one_package_has_all_contracts() -> None:
    picture = "pyproject.toml | [project]\\nname = 'one'\nspecs/v1/one.contract |"
    assert _interfaces(_found(picture, Config(), Contracts())) == {".": ["python ", "contract specs/v1"]}


def test_contracts_of_examples_fixtures_and_vendored_copies_are_not_the_package_s() -> None:
    picture = """
        lib/pyproject.toml              | [project]\\nname = "lib"
        lib/fixtures/a.contract         |
        lib/third_party/b/b.contract    |
        lib/examples/shop/c.contract    |
    """
    found = _found(picture, Config(), Contracts())
    assert _interfaces(found) == {
        "lib": ["python lib"],
        "lib/examples/shop": ["contract lib/examples/shop"],
    }
    assert found["lib/examples/shop"].role == "example"


@pytest.mark.parametrize("settings", ["packages: ['apis/*']", "packages: [{path: apis/github}]"])
def test_a_configured_folder_of_contracts_has_each_once(settings: str) -> None:
    picture = "apis/github/generated/github.contract |\napis/github/github.contract |"
    found = _found(picture, settings, Contracts())
    assert _interfaces(found) == {
        "apis/github": ["contract apis/github", "contract apis/github/generated"],
    }
    assert found["apis/github"].declared_by == "configured"


def test_contracts_beside_plain_sources_are_packages_of_their_own() -> None:
    picture = "tool.py | x = 1\nprotos/a/a.contract |"
    assert _interfaces(_found(picture, Config(), Contracts())) == {
        ".": ["python "],
        "protos/a": ["contract protos/a"],
    }


# -- which directories --------------------------------------------------------------------------------


def test_members_that_are_called_like_tests_are_packages() -> None:
    """vercel/turborepo#695, #1143."""
    found = _found(_workspace('members = ["caps/*", "tests"]', "caps/test", "tests"))
    assert {path: (p.role, p.declared_by) for path, p in found.items()} == {
        "caps/test": ("test", "member"),
        "tests": ("test", "member"),
    }


def test_negated_members_at_any_depth_are_no_members() -> None:
    """vercel/turborepo#998, #5391: below a fixture directory, where only members count."""
    picture = """
        project.json                          | *root
        fixtures/a/project.json               | a
        fixtures/deep/ignored/project.json    | i
    """
    found = _found(picture, Config(), Json())
    assert list(found) == [".", "fixtures/a"]


def test_members_without_a_project_file_hidden_ones_and_files_are_no_errors() -> None:
    """astral-sh/uv#7071, #5403, #5724."""
    picture = _workspace(
        'members = ["m/*"]\\nexclude = ["m/gone", "m/out"]',
        "m/a",
        "m/out",
        "m/README.md |",
        "m/.hidden/x.py |",
        "m/empty/notes.txt |",
    )
    found = _found(picture)
    # m/out is no member, but has a project file of its own.
    assert {path: package.declared_by for path, package in found.items()} == {
        "m/a": "member",
        "m/out": "project file",
    }


def test_names_are_normalised_for_edges() -> None:
    """lucasvieirasilva/nx-plugins#349."""
    found = _found("""
        my_app/pyproject.toml | [project]\\nname = "acme-my-app"\\ndependencies = ["Acme.Shared_Lib>=1; python_version>'3'"]
        lib/pyproject.toml    | [project]\\nname = "acme_shared-lib"
    """)
    assert found["my_app"].edges == (Edge("lib", "run", "Acme.Shared_Lib"),)


def test_undeclared_projects_count_outside_fixtures_and_vendored_copies() -> None:
    found = _found(_workspace(
        'members = ["packages/*", "vendor/ours", "tests/fixtures/kept"]',
        "packages/a", "tools/b", "examples/c", "tests/plugin", "tests/fixtures/d", "testdata/e", "a/__fixtures__/f",
        "third_party/g", "vendor/h", "vendor/ours", "tests/fixtures/kept", "test/projects/i",
    ))  # fmt: skip
    assert {path: (p.role, p.declared_by) for path, p in found.items()} == {
        "examples/c": ("example", "project file"),
        "packages/a": ("library", "member"),
        "tests/fixtures/kept": ("fixture", "member"),
        "tests/plugin": ("test", "project file"),
        "tools/b": ("library", "project file"),
        "vendor/ours": ("vendored", "member"),
    }


def test_a_workspace_root_is_a_package_if_it_is_a_project_itself() -> None:
    picture = """
        pyproject.toml          | [project]\\nname = "top"\\n[tool.uv.workspace]\\nmembers = ["src/*"]
        src/top/__init__.py
        src/inner/pyproject.toml  | [project]\\nname = "inner"
    """
    assert {path: p.name for path, p in _found(picture).items()} == {".": "top", "src/inner": "inner"}


def test_projects_of_one_directory_are_one_package() -> None:
    picture = """
        a/pyproject.toml | [project]\\nname = "py-a"\\ndependencies = ["py-b"]
        a/project.json   | js-a js-b
        b/pyproject.toml | [project]\\nname = "py-b"
        b/project.json   | js-b py-b
    """
    found = _found(picture, Config(), Json())
    assert found["a"].kinds == ("python", "json")
    assert found["a"].name == "py-a"
    assert found["a"].edges == (Edge("b", "run", "js-b"), Edge("b", "run", "py-b"))
    assert found["b"].edges == ()  # names are of one ecosystem


def test_a_repository_without_project_files_is_one_folder() -> None:
    found = _found("shop/__init__.py |\ntests/test_shop.py |")
    assert {path: (p.declared_by, p.import_names) for path, p in found.items()} == {
        ".": ("folder", ("shop",))
    }
    assert _found("README.md |") == {}


def test_a_project_file_for_tools_alone_leaves_the_folder() -> None:
    assert list(_found("pyproject.toml | [tool.ruff]\nshop/__init__.py |")) == ["."]


def test_a_broken_project_file_is_a_package_with_a_note() -> None:
    found = _found("a/pyproject.toml | [project\na/src/a/__init__.py |")
    assert (found["a"].name, found["a"].import_names, [n.code for n in found["a"].notes]) == (
        "a", ("a",), ["project-unparsed"],
    )  # fmt: skip


# -- configuration ------------------------------------------------------------------------------------

MIXED = """
packages/a/pyproject.toml  | [project]\\nname = "a"
packages/b/lib.py
packages/c/notes.txt
packages/old/pyproject.toml | [project]\\nname = "old"
other/d/pyproject.toml     | [project]\\nname = "d"
fixtures/e/pyproject.toml  | [project]\\nname = "e"
deep/x/y/f/pyproject.toml  | [project]\\nname = "f"
deep/x/y/g.py
"""

RESTRICTED = [
    ("packages: ['packages/*']", ["packages/a", "packages/b", "packages/old"]),
    ("packages: ['packages/*', '!packages/old']", ["packages/a", "packages/b"]),
    ("packages: ['packages/*', '!packages/*', 'packages/a']", ["packages/a"]),
    ("packages: ['deep/**']", ["deep/x/y/f"]),
    ("packages: ['fixtures/e']", ["fixtures/e"]),
    ("packages: ['nothing/*']", []),
    ("packages: [{path: packages/b}]", ["deep/x/y/f", "other/d", "packages/a", "packages/b", "packages/old"]),
    ("packages: ['other/*', {path: packages/c}]", ["other/d", "packages/c"]),
    ("packages: ['other/*', {path: fixtures/e}]", ["fixtures/e", "other/d"]),
    ("exclude: [packages/, deep]", ["other/d"]),
    ("discovery: {python: false}", []),
]


@pytest.mark.parametrize(("config", "paths"), RESTRICTED)
def test_the_configuration_chooses(config: str, paths: list[str]) -> None:
    assert list(_found(MIXED, config)) == paths


def test_a_mapping_corrects_one_package() -> None:
    config = "packages: [{path: packages/a, name: alpha, role: app}, {path: packages/c}]"
    found = _found(MIXED, config)
    assert (found["packages/a"].name, found["packages/a"].role) == ("alpha", "app")
    assert (found["packages/c"].name, found["packages/c"].declared_by) == ("c", "configured")


def test_a_configured_directory_that_is_not_there_is_noted_with_its_line() -> None:
    config = parse_config("version: 1\npackages:\n  - path: packages/gone\n")
    result = survey(memory_tree(MIXED), config, [PYTHON])
    assert [(n.code, n.path, n.line) for n in result.notes] == [("package-missing", "ifacegen.yaml", 3)]
    assert "packages/gone" not in [package.path for package in result.packages]


def test_the_root_can_be_corrected() -> None:
    found = _found('pyproject.toml | [project]\\nname = "top"', "packages: [{path: ., role: app}]")
    assert found["."].role == "app"


def test_a_failing_adapter_is_a_note_and_the_others_go_on() -> None:
    result = survey(memory_tree(MIXED), Config(), [Broken(), PYTHON, object()])
    assert len(result.packages) == 4
    assert [str(note) for note in result.notes] == [
        "adapter broken failed to find projects: ValueError: over [adapter-failed]"
    ]
    folder = survey(memory_tree("a.py |"), Config(), [Broken(), PYTHON])
    assert [package.path for package in folder.packages] == ["."]


def test_a_commit_has_its_own_configuration(tmp_path: Path) -> None:
    root = git_repo({"a/x.py": "", "b/x.py": "", "ifacegen.yaml": "version: 1\npackages: [a]\n"}, tmp_path)
    repo({"ifacegen.yaml": "version: 1\npackages: [b]\n"}, root)
    commit_all(root)
    repo({"ifacegen.yaml": "version: 1\npackages: [a, b]\n"}, root)
    opened = Repository.open(root)
    trees = (opened.commit_tree("HEAD~1"), opened.commit_tree("HEAD"), opened.work_tree())
    found = [[package.path for package in discover(tree, load_config(tree), [PYTHON])] for tree in trees]
    assert found == [["a"], ["b"], ["a", "b"]]


# -- roles and edges ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "role"),
    [
        (".", None), ("packages/a", None), ("services/checkout", "app"), ("apps/web", "app"), ("tests/e2e", "test"),
        ("examples/tests", "example"), ("docs/Examples/x", "example"), ("vendor/tests", "vendored"),
        ("x/_template", "template"), ("{{ cookiecutter.slug }}", "template"), ("tests/fixtures/a", "fixture"),
        ("sandbox2", "fixture"), ("test/projects/a", "fixture"), ("packages/testing-tools", None), ("latest", None),
    ],
)  # fmt: skip
def test_roles_come_from_path_segments(path: str, role: str | None) -> None:
    assert role_of_path(path) == role


def test_the_configured_role_beats_the_project_s_which_beats_the_path_s() -> None:
    picture = """
        examples/a/pyproject.toml | [project]\\nname = "a"\\n[tool.uv]\\npackage = false
        examples/b/pyproject.toml | [project]\\nname = "b"\\n[tool.uv]\\npackage = false
    """
    found = _found(picture, Config(rules=(PackageRule("examples/b", role="library"),)))
    assert [package.role for package in found.values()] == ["app", "library"]


def test_edges_have_kinds_and_follow_paths_and_leave_out_the_package_itself() -> None:
    found = _found("""
        a/pyproject.toml | [project]\\nname = "a"\\ndependencies = ["b", "b>1", "requests"]\\n[project.optional-dependencies]\\nall = ["a[x]", "c"]\\n[dependency-groups]\\ndev = ["b"]\\n[build-system]\\nrequires = ["c"]
        b/pyproject.toml | [tool.poetry]\\nname = "b"\\n[tool.poetry.dependencies]\\nodd-name = {path = "../c"}\\na = {path = "../nowhere"}
        c/setup.py       | setup()
        c/c.py           |
    """)
    assert found["a"].edges == (
        Edge("b", "group:dev", "b"), Edge("b", "run", "b"), Edge("c", "build", "c"), Edge("c", "extra:all", "c"),
    )  # fmt: skip
    assert found["b"].edges == (Edge("a", "run", "a"), Edge("c", "run", "odd-name"))


def test_of_two_packages_with_one_name_the_member_has_it() -> None:
    picture = _workspace('members = ["packages/*"]', "packages/user").replace(
        '"packages/user"', '"user"\\ndependencies = ["lib"]'
    )
    picture += """
a/pyproject.toml            | [project]\\nname = "Lib"
packages/lib/pyproject.toml | [project]\\nname = "lib"
"""
    found = _found(picture)
    assert found["packages/user"].edges == (Edge("packages/lib", "run", "lib"),)
    assert [(note.code, note.path) for note in found["a"].notes] == [("name-clash", "a/pyproject.toml")]
    assert found["packages/lib"].notes == ()


# -- ownership ----------------------------------------------------------------------------------------


def _packages(*paths: str) -> tuple[Package, ...]:
    return tuple(Package(path, path.rpartition("/")[2], "library", ()) for path in paths)


@pytest.mark.parametrize(
    ("path", "owner"),
    [
        ("x.py", "."),
        ("a/x.py", "a"),
        ("a/b/x.py", "a/b"),
        ("a/bc/x.py", "a"),
        ("ab/x.py", "."),
        ("a/b", "a/b"),
    ],
)
def test_the_longest_path_owns_a_file(path: str, owner: str) -> None:
    found = owner_of(_packages(".", "a", "a/b"), path)
    assert found is not None
    assert found.path == owner


def test_a_file_outside_all_packages_has_no_owner() -> None:
    assert owner_of(_packages("a"), "b/x.py") is None


@given(st.sets(st.sampled_from([".", "a", "a/b", "a/b/c", "ab"]), min_size=1))
def test_every_file_is_of_the_package_that_owns_it(paths: set[str]) -> None:
    files = ["x", "a/x", "a/b/x", "a/b/c/x", "ab/x", "a/bc/x"]
    packages = _packages(*sorted(paths))
    tree = memory_tree(dict.fromkeys(files, ""))
    for package in packages:
        assert list(files_of(tree, packages, package)) == sorted(
            f for f in files if owner_of(packages, f) is package
        )


# -- addresses ----------------------------------------------------------------------------------------

SHOP = """
packages/shared-auth/pyproject.toml               | [project]\\nname = "Acme.Shared_Auth"
packages/shared-auth/src/shared_auth/tokens.py
packages/shared-auth/src/shared_auth/__init__.py
packages/otel-api/pyproject.toml                  | [project]\\nname = "otel-api"
packages/otel-api/src/otel/api/__init__.py
packages/otel-sdk/pyproject.toml                  | [project]\\nname = "otel-sdk"
packages/otel-sdk/src/otel/sdk/__init__.py
services/api/pyproject.toml                       | [project]\\nname = "shop-api"
libs/api/pyproject.toml                           | [project]\\nname = "lib-api"
libs/shop-api/pyproject.toml                      | [project]\\nname = "something"
otel-api/pyproject.toml                           | [project]\\nname = "third"
loose.py
"""

MEANT = [
    # address, where it is written, package, file
    ("packages/shared-auth", ".", "packages/shared-auth", None),
    ("packages/shared-auth/", ".", "packages/shared-auth", None),
    ("./packages//shared-auth", ".", "packages/shared-auth", None),
    ("shared-auth", "packages", "packages/shared-auth", None),
    (".", "packages/shared-auth", "packages/shared-auth", None),
    ("../otel-sdk", "packages/shared-auth", "packages/otel-sdk", None),
    ("libs/api", "packages/shared-auth", "libs/api", None),
    ("shared-auth", ".", "packages/shared-auth", None),
    ("acme-shared-auth", ".", "packages/shared-auth", None),
    ("Acme.Shared_Auth", ".", "packages/shared-auth", None),
    ("shared_auth", ".", "packages/shared-auth", None),
    ("otel.sdk", ".", "packages/otel-sdk", None),
    ("otel-api", ".", "otel-api", None),  # a path beats the name of packages/otel-api
    ("otel-api", "packages", "packages/otel-api", None),
    ("packages/shared-auth/src/shared_auth/tokens.py", ".", "packages/shared-auth", "packages/shared-auth/src/shared_auth/tokens.py"),
    ("src/shared_auth/tokens.py", "packages/shared-auth", "packages/shared-auth", "packages/shared-auth/src/shared_auth/tokens.py"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "base", "package", "path"), MEANT)
def test_what_an_address_means(text: str, base: str, package: str, path: str | None) -> None:
    tree = memory_tree(SHOP)
    found = resolve_address(discover(tree, Config(), [PYTHON]), text, base, tree)
    assert (found.package.path, found.path, found.qualname) == (package, path, None)


@pytest.mark.parametrize(
    ("rest", "parts"),
    [
        ("f", (None, "f", None)),
        ("C.m#2", (None, "C.m", 2)),
        ("a.b:C.m", ("a.b", "C.m", None)),
        ("a.b:C.m#10", ("a.b", "C.m", 10)),
        ("C.#private", (None, "C.#private", None)),
        ("src/x.ts:C", ("src/x.ts", "C", None)),
        ("a::b", ("a:", "b", None)),
    ],
)
def test_declarations_are_addressed_behind_two_colons(rest: str, parts: tuple[object, ...]) -> None:
    found = resolve_address(_packages("a"), f"a::{rest}")
    assert (found.module, found.qualname, found.number) == parts


@pytest.mark.parametrize("text", ["", "::f", "a::", "a::m:", "a::f#0", "a::#1"])
def test_what_is_no_address_is_a_usage_error(text: str) -> None:
    with pytest.raises(UsageError):
        resolve_address(_packages("a"), text)


@pytest.mark.parametrize(
    ("text", "candidates"),
    [
        ("api", ("libs/api", "services/api")),
        ("api::f", ("libs/api::f", "services/api::f")),
        ("shop-api", ("libs/shop-api", "services/api")),  # a directory and a distribution
        ("otel", ("packages/otel-api", "packages/otel-sdk")),  # a namespace that two share
    ],
)
def test_an_ambiguous_address_names_its_candidates(text: str, candidates: tuple[str, ...]) -> None:
    tree = memory_tree(SHOP)
    with pytest.raises(AmbiguousAddress) as caught:
        resolve_address(discover(tree, Config(), [PYTHON]), text, ".", tree)
    assert caught.value.candidates == candidates


@pytest.mark.parametrize(
    ("text", "candidates"),
    [
        ("shared-auht", ("packages/shared-auth",)),
        ("shared_auth.tokens", ("packages/shared-auth",)),
        ("packages/shared-auth/src", ("packages/shared-auth",)),
        ("packages/shared-auht::Claims", ("packages/shared-auth::Claims",)),
        ("../../etc", ()),
        ("/etc/passwd", ()),
        ("loose.py", ()),
        ("zzz", ()),
    ],
)
def test_an_unknown_address_names_the_nearest(text: str, candidates: tuple[str, ...]) -> None:
    tree = memory_tree(SHOP)
    with pytest.raises(UnknownAddress) as caught:
        resolve_address(discover(tree, Config(), [PYTHON]), text, ".", tree)
    assert caught.value.candidates[:1] == candidates


@given(st.text(max_size=20), st.sampled_from([".", "packages", "services/api"]))
def test_any_text_is_an_address_or_a_usage_error(text: str, base: str) -> None:
    with suppress(UsageError):
        assert resolve_address(_packages("packages/a", "services/api"), text, base).package.role == "library"


# -- as it is listed ----------------------------------------------------------------------------------


def test_the_table_has_a_line_a_package() -> None:
    found = _found("""
        a/pyproject.toml | [project]\\nname = "acme-a"\\ndependencies = ["b"]
        b/pyproject.toml | [project]\\nname = "b"
    """)
    assert table(tuple(found.values())).splitlines() == [
        "PATH  NAME    KIND    ROLE     NEEDS",
        "a     acme-a  python  library  b (run)",
        "b     b       python  library  -",
    ]


def test_the_json_has_everything() -> None:
    (package,) = _found("svc/pyproject.toml | [project\nsvc/src/svc/__init__.py |").values()
    described = describe(package)
    assert described.pop("notes")[0]["code"] == "project-unparsed"
    assert described == {
        "path": "svc",
        "name": "svc",
        "kinds": ["python"],
        "role": "library",
        "declared_by": "project file",
        "import_names": ["svc"],
        "edges": [],
    }
