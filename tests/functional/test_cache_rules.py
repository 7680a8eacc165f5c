"""What hits and what misses: a view depends on what was looked at to make it, and on nothing else."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ifacegen import Workspace
from support.trees import Link, commit_all, git, repo
from support.truth import Lab, fresh

PROJECT = '[project]\nname = "{}"\nversion = "1"\n'
CONFIG = "version: 1\npackages:\n  - path: libs/core\n    hidden: [core.secret]\n"
FILES = {
    "ifacegen.yaml": CONFIG,
    ".gitignore": "*.log\n",
    "libs/core/pyproject.toml": PROJECT.format("core"),
    "libs/core/src/core/__init__.py": "from .shapes import *\n\ndef secret() -> None: ...\n",
    "libs/core/src/core/shapes.py": "class Shape:\n    def area(self) -> float:\n        return 1.0\n",
    "libs/core/src/core/private.py": "def helper() -> int:\n    return 1\n",
    "apps/shop/pyproject.toml": PROJECT.format("shop"),
    "apps/shop/shop/__init__.py": "from core import *\nfrom newcomer import *\n",
    "other/pyproject.toml": PROJECT.format("other"),
    "other/other.py": 'def other() -> None:\n    """Doc."""\n',
    "docs/readme.txt": "Documentation.\n",
}
PACKAGES = ("apps/shop", "libs/core", "other")
NEWCOMER = {
    "new/newcomer/pyproject.toml": PROJECT.format("newcomer"),
    "new/newcomer/newcomer.py": "NEW = 1\n",
}
UNRELATED = {
    "new/thing/pyproject.toml": PROJECT.format("thing"),
    "new/thing/src/thing/__init__.py": "THING = 1\n",
}


@pytest.fixture(scope="module")
def warmed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository and its cache, with the views of the work tree in it; to be copied."""
    home = tmp_path_factory.mktemp("warmed")
    lab = Lab.of(FILES, home)
    for package in PACKAGES:
        lab.view(package)
    return home


@pytest.fixture
def lab(warmed: Path, tmp_path: Path) -> Lab:
    """A copy of it, to change."""
    shutil.copytree(warmed, tmp_path / "lab", symlinks=True)
    return Lab(tmp_path / "lab/repository", tmp_path / "lab/cache")


def hits(lab: Lab, commit: str | None = None) -> set[str]:
    """The packages whose views are in the store, each of them what a fresh build gives."""
    workspace = lab.workspace()
    found = {each for each in PACKAGES if workspace.look_up(each, commit).status == "hit"}
    for package in found:
        assert workspace.view(package, commit).text == fresh(lab.root, package, commit)
    return found


def why(lab: Lab, package: str, commit: str | None = None) -> str:
    """Why a package's view is a miss."""
    lookup = lab.look_up(package, commit)
    assert lookup.status == "miss"
    return lookup.reason


@pytest.fixture
def no_builds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Building anything is a failure."""

    def refuse(*_: object) -> None:
        raise AssertionError("a view is built")

    monkeypatch.setattr("ifacegen.workers.shared", refuse)


# --- Commits and branches -----------------------------------------------------------------------------


@pytest.mark.usefixtures("no_builds")
def test_what_was_warmed_hits(lab: Lab) -> None:
    assert hits(lab) == hits(lab, "HEAD") == set(PACKAGES)


@pytest.mark.usefixtures("no_builds")
def test_a_branch_never_warmed_hits_where_its_trees_are_mains(lab: Lab) -> None:
    git(lab.root, "checkout", "--quiet", "-b", "branch")
    repo({"other/other.py": "def changed() -> None: ...\n", **UNRELATED}, lab.root)
    commit_all(lab.root)
    assert hits(lab, "branch") == hits(lab) == {"apps/shop", "libs/core"}
    assert hits(lab, "main") == set(PACKAGES)
    assert why(lab, "other", "branch") == "no view was made of this tree with this configuration"


@pytest.mark.usefixtures("no_builds")
def test_a_commit_hits_what_the_dirty_tree_before_it_made(lab: Lab) -> None:
    assert hits(lab, commit_all(lab.root, "nothing")) == set(PACKAGES)


def test_a_dirty_tree_hits_again_and_its_commit_does(lab: Lab) -> None:
    repo({"other/other.py": "def changed() -> None: ...\n"}, lab.root)
    assert hits(lab) == {"apps/shop", "libs/core"}
    lab.view("other")
    assert hits(lab) == set(PACKAGES)
    assert hits(lab, commit_all(lab.root)) == set(PACKAGES)
    git(lab.root, "checkout", "--quiet", "HEAD~1")
    assert hits(lab) == set(PACKAGES)


# --- The configuration --------------------------------------------------------------------------------

POLICIES = {
    "a comment": CONFIG + "# by the platform team\n",
    "the cache": CONFIG + "cache:\n  max_age: 3d\n  max_bytes: 1 GB\n  dir: .cache\n",
    "another package's name and role": CONFIG + "  - path: other\n    name: else\n    role: test\n",
    "the order": "packages:\n  - hidden: [core.secret]\n    path: libs/core\nversion: 1\n",
    "an adapter that is on": CONFIG + "discovery:\n  python: true\n",
}


@pytest.mark.usefixtures("no_builds")
@pytest.mark.parametrize("policy", POLICIES)
def test_an_edit_that_changes_no_view_invalidates_nothing(lab: Lab, policy: str) -> None:
    repo({"ifacegen.yaml": POLICIES[policy]}, lab.root)
    assert hits(lab) == set(PACKAGES)
    assert hits(lab, commit_all(lab.root)) == set(PACKAGES)


@pytest.mark.usefixtures("no_builds")
def test_the_directory_may_be_named_in_any_way(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = lab.root / ".cache"
    shutil.copytree(lab.cache, cache)
    repo({"ifacegen.yaml": CONFIG + "cache:\n  dir: .cache\n", ".gitignore": ".cache/\n"}, lab.root)
    monkeypatch.delenv("IFACEGEN_CACHE_DIR")
    assert Workspace.open(lab.root).look_up("other").status == "hit"
    monkeypatch.setenv("IFACEGEN_CACHE_DIR", str(lab.cache))
    assert Workspace.open(lab.root).look_up("other").status == "hit"
    reading = Workspace.open(lab.root, cache_dir=lab.root.parent / "empty", read_only_dirs=[lab.cache])
    assert reading.look_up("other").status == "hit"
    assert Workspace.open(lab.root, cache=False).look_up("other").status == "miss"


@pytest.mark.parametrize("rule", ["public: [core.private]", "hidden: [core.Shape]"])
def test_rules_for_one_package_are_its_own(lab: Lab, rule: str) -> None:
    repo({"ifacegen.yaml": f"version: 1\npackages:\n  - path: libs/core\n    {rule}\n"}, lab.root)
    assert hits(lab) == {"apps/shop", "other"}
    assert why(lab, "libs/core") == "no view was made of this tree with this configuration"
    lab.view("libs/core")
    assert hits(lab) == set(PACKAGES)


@pytest.mark.parametrize("option", ["docs: none", "docs: first_paragraph", "long_value: 20"])
def test_options_of_all_views_miss_all(lab: Lab, option: str) -> None:
    repo({"ifacegen.yaml": CONFIG + f"view:\n  {option}\n"}, lab.root)
    assert hits(lab) == set()
    assert {why(lab, each) for each in PACKAGES} == {"no view was made of this tree with this configuration"}


def test_defaults_may_be_spelled_out(lab: Lab) -> None:
    repo({"ifacegen.yaml": CONFIG + "view:\n  docs: full\n  long_value: 200\n"}, lab.root)
    assert hits(lab) == set(PACKAGES)


def test_what_is_excluded_counts_where_it_lies(lab: Lab) -> None:
    repo({"ifacegen.yaml": CONFIG + "exclude: [/libs/core/src/core/private.py]\n"}, lab.root)
    assert hits(lab) == {"apps/shop", "other"}
    assert why(lab, "libs/core").endswith("what is excluded in it have changed")


# --- What makes views ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ifacegen.generator.VERSION", "0.0.0.dev0"),
        ("ifacegen_adapters.python.PythonAdapter.tool", lambda _: "another mypy"),
        ("ifacegen.generator.development_sources", lambda: ()),
    ],
    ids=["ifacegen", "a tool", "the sources of a checkout"],
)
def test_views_of_another_generator_are_not_taken(
    lab: Lab, monkeypatch: pytest.MonkeyPatch, name: str, value: object
) -> None:
    monkeypatch.setattr(name, value)
    assert hits(lab) == hits(lab, "HEAD") == set()
    assert {why(lab, each) for each in PACKAGES} == {"views of this tree were made by other versions only"}


def test_every_part_of_the_generator_is_a_field_of_the_key(lab: Lab) -> None:
    fields = lab.look_up("other").fields
    made_by = {name.removeprefix("made by ") for name in fields if name.startswith("made by ")}
    assert {"ifacegen", "python", "adapter python"} <= made_by
    for tool in ("mypy", "tree-sitter-python"):
        assert tool in fields["made by adapter python"]


# --- Other packages -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("libs/core/src/core/__init__.py", "from .shapes import *\nMORE = 1\n"),
        ("libs/core/src/core/shapes.py", "class Circle: ...\n"),
    ],
    ids=["a star import", "a star import of a star import"],
)
def test_a_change_of_what_a_star_import_consulted_misses(lab: Lab, path: str, content: str) -> None:
    repo({path: content}, lab.root)
    assert hits(lab) == {"other"}
    assert why(lab, "apps/shop") == f"{path} has changed"
    assert why(lab, "apps/shop", commit_all(lab.root)) == f"{path} has changed"
    lab.view("apps/shop")
    assert lab.view("apps/shop") == fresh(lab.root, "apps/shop")
    assert lab.view("apps/shop", "HEAD~1") == fresh(lab.root, "apps/shop", "HEAD~1")


def test_a_consulted_module_that_goes_misses(lab: Lab) -> None:
    (lab.root / "libs/core/src/core/shapes.py").unlink()
    assert hits(lab) == {"other"}
    assert why(lab, "apps/shop") == "module core.shapes (libs/core/src/core/shapes.py) is gone"


def test_a_consulted_module_that_moves_misses(lab: Lab) -> None:
    (lab.root / "libs/core/src/core/shapes").mkdir()
    git(lab.root, "mv", "libs/core/src/core/shapes.py", "libs/core/src/core/shapes/__init__.py")
    was, now = "libs/core/src/core/shapes.py", "libs/core/src/core/shapes/__init__.py"
    assert why(lab, "apps/shop") == f"module core.shapes was {was} and is {now} now"


ELSEWHERE = {
    "the body of a module that was not consulted": {
        "libs/core/src/core/private.py": "def helper() -> int:\n    return 2\n"
    },
    "a new module that nobody looked for": {"libs/core/src/core/more.py": "MORE = 1\n"},
    "a test": {"libs/core/tests/test_core.py": "def test() -> None: ...\n"},
    "a file that is no source": {"libs/core/README.md": "Core.\n", "docs/readme.txt": "Other.\n"},
    "what a project file says besides": {
        "libs/core/pyproject.toml": PROJECT.format("core") + 'description = "Core"\ndependencies = ["x"]\n'
    },
}


@pytest.mark.usefixtures("no_builds")
@pytest.mark.parametrize("change", ELSEWHERE)
def test_any_other_change_of_another_package_hits(lab: Lab, change: str) -> None:
    repo(ELSEWHERE[change], lab.root)
    assert {"apps/shop", "other"} <= hits(lab)
    assert {"apps/shop", "other"} <= hits(lab, commit_all(lab.root))


@pytest.mark.parametrize(
    ("files", "module"),
    [
        (NEWCOMER, "new/newcomer/newcomer.py"),
        ({"libs/core/src/newcomer/__init__.py": "NEW = 1\n"}, "libs/core/src/newcomer/__init__.py"),
        ({"docs/pyproject.toml": PROJECT.format("newcomer"), "docs/newcomer.py": ""}, "docs/newcomer.py"),
    ],
    ids=["a new package", "in another package", "a folder becomes a package"],
)
def test_the_appearance_of_what_was_consulted_and_absent_misses(
    lab: Lab, files: dict[str, str], module: str
) -> None:
    repo(files, lab.root)
    assert "other" in hits(lab)
    assert why(lab, "apps/shop") == f"module newcomer, absent before, is {module} now"
    assert why(lab, "apps/shop", commit_all(lab.root)) == f"module newcomer, absent before, is {module} now"
    assert lab.view("apps/shop") == fresh(lab.root, "apps/shop")
    assert hits(lab, "HEAD~1") == set(PACKAGES)


@pytest.mark.usefixtures("no_builds")
def test_an_unrelated_new_package_hits_and_is_verified_once(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo(UNRELATED, lab.root)
    assert hits(lab) == set(PACKAGES)

    def refuse(*_: object) -> None:
        raise AssertionError("verified again")

    monkeypatch.setattr("ifacegen_adapters.python.PythonAdapter.consult", refuse)
    assert {lab.look_up(each).status for each in PACKAGES} == {"hit"}
    monkeypatch.undo()
    candidate = lab.look_up("apps/shop").candidate
    assert candidate is not None
    assert len(candidate.layouts) == 2


@pytest.mark.usefixtures("no_builds")
def test_a_package_that_goes_is_missed_by_nobody_who_does_not_use_it(lab: Lab) -> None:
    shutil.rmtree(lab.root / "other")
    workspace = lab.workspace()
    assert {workspace.look_up(each).status for each in ("apps/shop", "libs/core")} == {"hit"}


def test_a_package_inside_takes_its_files_with_it(lab: Lab) -> None:
    inner = {"libs/core/src/core/inner/pyproject.toml": PROJECT.format("inner")}
    repo({**inner, "libs/core/src/core/inner/inner.py": "INNER = 1\n"}, lab.root)
    lab.view("libs/core")
    assert lab.view("libs/core") == fresh(lab.root, "libs/core")
    repo({"ifacegen.yaml": CONFIG + "exclude: [/libs/core/src/core/inner/pyproject.toml]\n"}, lab.root)
    assert "libs/core" not in hits(lab)


def test_equal_trees_at_two_paths_do_not_mix(tmp_path: Path) -> None:
    same = {"pyproject.toml": PROJECT.format("same"), "same.py": "SAME = 1\n"}
    files = {f"{place}/{path}": text for place in ("one", "two") for path, text in same.items()}
    lab = Lab.of(files, tmp_path)
    lab.view("one")
    assert lab.look_up("two").status == "miss"
    for package in ("one", "two"):
        assert lab.view(package) == lab.view(package) == fresh(lab.root, package)
    assert lab.look_up("one").tree_id == lab.look_up("two").tree_id


# --- Links --------------------------------------------------------------------------------------------

LINKS = {
    "apps/shop/shop/linked.py": Link("../../../libs/core/src/core/private.py"),
    "apps/shop/shop/dangling.py": Link("../../../docs/late.py"),
    "apps/shop/shop/through.py": Link("../../../docs/current.py"),
    "docs/current.py": Link("one.py"),
    "docs/one.py": "ONE = 1\n",
    "docs/two.py": "TWO = 2\n",
}
LINK_CHANGES: dict[str, dict[str, str | bytes]] = {
    "the target": {"libs/core/src/core/private.py": "def helper() -> str: ...\n"},
    "a target appears": {"docs/late.py": "LATE = 1\n"},
    "a link on the way": {"docs/current.py": Link("two.py")},
}


@pytest.mark.parametrize("change", LINK_CHANGES)
def test_what_links_lead_to_is_a_part_of_the_package(lab: Lab, change: str) -> None:
    repo(LINKS, lab.root)
    commit_all(lab.root)
    lab.view("apps/shop")
    assert "apps/shop" in hits(lab)
    assert "apps/shop" in hits(lab, "HEAD")
    for path in LINK_CHANGES[change]:
        (lab.root / path).unlink(missing_ok=True)
    repo(LINK_CHANGES[change], lab.root)
    assert "apps/shop" not in hits(lab)
    assert "apps/shop" not in hits(lab, commit_all(lab.root))
    assert lab.view("apps/shop") == fresh(lab.root, "apps/shop")


# --- A plain folder whose modules lie beside it -------------------------------------------------------


@pytest.mark.parametrize("beside", ["plain/kit-stubs/__init__.pyi", "plain/kit.pyi", "plain/kit.py"])
def test_what_lies_beside_a_folder_and_belongs_to_it_is_seen(tmp_path: Path, beside: str) -> None:
    files = {"ifacegen.yaml": "version: 1\npackages: [plain/kit]\n", "plain/kit/__init__.py": "KIT = 1\n"}
    lab = Lab.of(files, tmp_path)
    lab.check()
    for content in ("KIT: int\n", "KIT: str\n"):
        repo({beside: content}, lab.root)
        lab.check()
        commit_all(lab.root)
        lab.check("HEAD")
    (lab.root / beside).unlink()
    lab.check()
