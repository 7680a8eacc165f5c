"""The installed command, as users and agents run it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from ifacegen.tokens import count_tokens
from support.trees import commit_all, git_repo, repo

IFACEGEN = Path(sys.executable).with_name("ifacegen")

FILES = {
    "libs/auth-lib/pyproject.toml": '[project]\nname = "shared-auth"\nversion = "1"\n',
    "libs/auth-lib/src/shared_auth/__init__.py": '"""Auth."""\nfrom .api import login as login\n',
    "libs/auth-lib/src/shared_auth/api.py": (
        "from typing import overload\n\n"
        "class Session:\n    user: str = 'né'\n    def close(self) -> None: ...\n\n"
        "@overload\ndef login(name: str) -> Session: ...\n"
        "@overload\ndef login(name: str, token: bytes) -> Session: ...\n"
        "def login(name, token=b''):\n    '''Log in.'''\n    return Session()\n"
    ),
    "libs/auth-lib/src/shared_auth/other.py": "class Session: ...\nLIMIT = 3\n",
    "services/shop/pyproject.toml": '[project]\nname = "shop"\nversion = "1"\ndependencies = ["shared-auth"]\n',
    "services/shop/shop/__init__.py": "def order(n: int = 1) -> str:\n    return 'x'\n",
    "other/shop/pyproject.toml": '[project]\nname = "other-shop"\nversion = "1"\n',
    "other/shop/other_shop.py": "def unrelated() -> None: ...\n",
}


def run(
    root: Path, *arguments: str, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """The command, run in ``root``."""
    return subprocess.run(
        [IFACEGEN, *arguments],
        cwd=root,
        env={**os.environ, **(env or {})},
        check=False,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )


def shown(root: Path, *arguments: str) -> str:
    """What a command that must succeed prints."""
    done = run(root, *arguments)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


@pytest.fixture(scope="module")
def mono(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A git repository of three packages; tests leave it as it is."""
    return git_repo(FILES, tmp_path_factory.mktemp("mono"))


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A repository of a test's own, to change."""
    return git_repo(FILES, tmp_path / "own")


# --- show: what an address may be -------------------------------------------------------------------

ADDRESSES = ["libs/auth-lib", "./libs/auth-lib/", "shared-auth", "Shared_Auth", "shared_auth", "auth-lib"]


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_package_answers_to_its_path_and_its_names(mono: Path, address: str) -> None:
    first = shown(mono, "show", address).splitlines()[0]
    assert first.startswith("# libs/auth-lib — interface view, ")


def test_a_package_answers_to_a_path_from_where_the_command_runs(mono: Path) -> None:
    assert shown(mono / "libs", "show", "auth-lib") == shown(mono, "show", "libs/auth-lib")
    assert shown(mono / "libs/auth-lib", "show", ".") == shown(mono, "show", "libs/auth-lib")


def test_c_changes_where_the_command_runs(mono: Path, tmp_path: Path) -> None:
    assert shown(tmp_path, "-C", str(mono / "libs"), "show", "auth-lib") == shown(
        mono, "show", "libs/auth-lib"
    )


def test_a_file_is_shown_alone(mono: Path) -> None:
    text = shown(mono, "show", "libs/auth-lib/src/shared_auth/other.py")
    assert "LIMIT = 3" in text
    assert "login" not in text


def test_a_declaration_is_shown_with_its_members_and_overloads(mono: Path) -> None:
    assert shown(mono, "show", "shared-auth::login").count("@overload") == 2
    assert shown(mono, "show", "shared-auth::LIMIT").endswith("LIMIT = 3\n")
    assert "def close(self)" in shown(mono, "show", "shared-auth::shared_auth.api:Session")


def test_one_of_several_is_shown_by_number(mono: Path) -> None:
    second = shown(mono, "show", "shared-auth::login#2")
    assert second.count("@overload") == 1
    assert "token: bytes" in second


def test_a_member_is_shown_by_its_qualified_name(mono: Path) -> None:
    text = shown(mono, "show", "shared-auth::Session.close")
    assert "def close(self) -> None" in text
    assert "user" not in text


def test_a_declaration_is_found_in_a_file(mono: Path) -> None:
    text = shown(mono, "show", "libs/auth-lib/src/shared_auth/other.py::Session")
    assert "class Session: ..." in text


def test_module_selects_one_module(mono: Path) -> None:
    text = shown(mono, "show", "shared-auth", "--module", "shared_auth.other")
    assert "# module shared_auth.other" in text
    assert "# module shared_auth.api" not in text
    header, _, body = text.partition("\n\n")
    assert header == (
        "# shared-auth, module shared_auth.other — from the interface view of libs/auth-lib, "
        f"{count_tokens(body.rstrip() + chr(10)):,} tokens"
    )


def test_several_addresses_follow_one_another(mono: Path) -> None:
    text = shown(mono, "show", "shared-auth", "services/shop")
    assert text.index("# libs/auth-lib —") < text.index("# services/shop —")
    values = json.loads(shown(mono, "show", "shared-auth", "services/shop", "--format", "json"))
    assert [value["package"] for value in values] == ["libs/auth-lib", "services/shop"]


# --- show: names that fail --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "candidate"),
    [
        ("shared-auht", "libs/auth-lib"),
        ("libs/auth-lib/src/shared_auth", "libs/auth-lib"),
        ("shared-auth::logn", "libs/auth-lib::login"),
        ("shop", "services/shop"),
        ("shop", "other/shop"),
        ("shared-auth::Session", "libs/auth-lib::shared_auth.api:Session"),
        ("shared-auth::Session", "libs/auth-lib::shared_auth.other:Session"),
    ],
)
def test_unknown_and_ambiguous_names_give_candidates(mono: Path, address: str, candidate: str) -> None:
    done = run(mono, "show", address)
    assert done.returncode == 2
    assert candidate in done.stdout.splitlines()
    assert done.stderr.startswith("ifacegen: ")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "address",
    ["", "::", "shared-auth::", "shared-auth::login#0", "shared-auth::login#3", "/", "../..", "no/such"],
)
def test_addresses_that_mean_nothing_are_usage_errors(mono: Path, address: str) -> None:
    done = run(mono, "show", address)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert done.stderr.count("\n") <= 2


def test_candidates_can_be_used_as_addresses(mono: Path) -> None:
    for candidate in run(mono, "show", "shared-auth::Session").stdout.splitlines():
        assert "class Session" in shown(mono, "show", candidate)


@pytest.mark.parametrize(
    "arguments",
    [
        ("show",),
        ("nothing",),
        ("show", "shared-auth", "--format", "pdf"),
        ("show", "shared-auth", "--module", "shared_auth.oter"),
        ("show", "shared-auth", "--commit", "no-such-revision"),
        ("show", "shared-auth", "--commit", "--help"),
        ("show", "shared-auth", "--format", "stub"),
        ("-C", "no/such/directory", "packages"),
    ],
)
def test_wrong_usage_exits_2_in_a_line(mono: Path, arguments: tuple[str, ...]) -> None:
    done = run(mono, *arguments)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


# --- show: formats ----------------------------------------------------------------------------------


def test_json_is_the_view(mono: Path) -> None:
    value = json.loads(shown(mono, "show", "shared-auth", "--format", "json"))
    assert value["package"] == "libs/auth-lib"
    assert [module["name"] for module in value["modules"]] == [
        "shared_auth",
        "shared_auth.api",
        "shared_auth.other",
    ]
    assert value["tokens"]["encoding"] == "cl100k_base"


def test_text_and_json_go_to_a_file(mono: Path, tmp_path: Path) -> None:
    for format_ in ("text", "json"):
        assert shown(mono, "show", "shared-auth", "--format", format_, "-o", str(tmp_path / format_)) == ""
        assert (tmp_path / format_).read_text("utf-8") == shown(
            mono, "show", "shared-auth", "--format", format_
        )


def test_stubs_fill_a_folder(mono: Path, tmp_path: Path) -> None:
    assert shown(mono, "show", "shared-auth", "--format", "stub", "-o", str(tmp_path / "out")) == ""
    stubs = {
        str(path.relative_to(tmp_path / "out")) for path in (tmp_path / "out").rglob("*") if path.is_file()
    }
    assert stubs == {"shared_auth/__init__.pyi", "shared_auth/api.pyi", "shared_auth/other.pyi"}
    assert "class Session:" in (tmp_path / "out/shared_auth/api.pyi").read_text("utf-8")


def test_output_that_cannot_be_written_is_a_usage_error(mono: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for arguments in (("-o", str(tmp_path)), ("--format", "stub", "-o", str(tmp_path / "file"))):
        done = run(mono, "show", "shared-auth", *arguments)
        assert done.returncode == 2
        assert "Traceback" not in done.stderr


def test_output_is_utf8_whatever_the_locale(mono: Path) -> None:
    plain = shown(mono, "show", "shared-auth")
    assert "'né'" in plain
    for env in (
        {"LC_ALL": "C"},
        {"LC_ALL": "C", "PYTHONUTF8": "0"},
        {"PYTHONIOENCODING": "ascii"},
        {"LC_ALL": "POSIX"},
    ):
        done = run(mono, "show", "shared-auth", env=env)
        assert (done.returncode, done.stdout) == (0, plain)


def test_a_reader_may_leave_early(mono: Path) -> None:
    script = f"'{IFACEGEN}' show shared-auth shared-auth shared-auth | head -n 1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", script], cwd=mono, check=False, capture_output=True, encoding="utf-8"
    )
    assert done.stderr == ""
    assert done.stdout.splitlines()[-1] == "0"


def test_a_closed_output_is_no_crash(mono: Path) -> None:
    done = subprocess.run(
        ["bash", "-c", f"'{IFACEGEN}' show shared-auth >&-"],
        cwd=mono,
        check=False,
        capture_output=True,
        encoding="utf-8",
    )
    assert "Traceback" not in done.stderr


# --- show: commits and the work tree ----------------------------------------------------------------


def test_a_commit_is_read_without_touching_the_work_tree(own: Path) -> None:
    clean = shown(own, "show", "shared-auth", "--commit", "HEAD")
    api = own / "libs/auth-lib/src/shared_auth/api.py"
    api.write_text("def brand_new() -> int: ...\n", "utf-8")
    before = {
        path: path.stat().st_mtime_ns
        for path in own.rglob("*")
        if path.is_file() and ".git" not in path.parts
    }

    assert shown(own, "show", "shared-auth", "--commit", "HEAD") == clean
    assert "brand_new" in shown(own, "show", "shared-auth")
    assert "brand_new" not in clean

    after = {
        path: path.stat().st_mtime_ns
        for path in own.rglob("*")
        if path.is_file() and ".git" not in path.parts
    }
    assert after == before


def test_an_older_commit_has_its_own_packages_and_view(own: Path) -> None:
    repo(
        {"libs/new/pyproject.toml": '[project]\nname = "new"\nversion = "1"\n', "libs/new/new.py": "X = 1\n"},
        own,
    )
    commit_all(own)
    assert "X = 1" in shown(own, "show", "new")
    assert run(own, "show", "new", "--commit", "HEAD~1").returncode == 2
    assert "new" not in shown(own, "packages", "--commit", "HEAD~1")


def test_the_header_names_the_commit(own: Path) -> None:
    commit = commit_all(own)
    assert f"# at commit {commit}" in shown(own, "show", "shared-auth", "--commit", "main")
    assert "# at commit" not in shown(own, "show", "shared-auth")


def test_a_bare_repository_is_read_by_commit(own: Path, tmp_path: Path) -> None:
    subprocess.run(["git", "clone", "--quiet", "--bare", str(own), str(tmp_path / "bare")], check=True)
    done = run(tmp_path / "bare", "show", "shared-auth", "--commit", "main")
    assert done.returncode in (0, 2)
    assert "Traceback" not in done.stderr


def test_a_repository_without_commits_has_a_work_tree(tmp_path: Path) -> None:
    root = git_repo(FILES, tmp_path / "fresh", commit=False)
    assert "def login" in shown(root, "show", "shared-auth")
    assert run(root, "show", "shared-auth", "--commit", "HEAD").returncode == 2


def test_a_plain_folder_needs_no_git(tmp_path: Path) -> None:
    root = repo(FILES, tmp_path / "plain")
    assert "def login" in shown(root, "show", "shared-auth")
    assert run(root, "show", "shared-auth", "--commit", "HEAD").returncode == 2


# --- packages and init ------------------------------------------------------------------------------


def test_packages_lists_path_name_kind_role_and_edges(mono: Path) -> None:
    lines = shown(mono, "packages").splitlines()
    assert lines[0].split() == ["PATH", "NAME", "KIND", "ROLE", "NEEDS"]
    assert [line.split()[0] for line in lines[1:]] == ["libs/auth-lib", "other/shop", "services/shop"]
    assert "libs/auth-lib (run)" in lines[3]


def test_packages_as_json(mono: Path) -> None:
    packages = {each["path"]: each for each in json.loads(shown(mono, "packages", "--json"))["packages"]}
    assert packages["libs/auth-lib"]["name"] == "shared-auth"
    assert packages["libs/auth-lib"]["import_names"] == ["shared_auth"]
    assert packages["services/shop"]["edges"] == [
        {"target": "libs/auth-lib", "kind": "run", "name": "shared-auth"}
    ]


def test_an_empty_folder_has_no_packages(tmp_path: Path) -> None:
    done = run(tmp_path, "packages")
    assert (done.returncode, done.stdout) == (0, "")
    assert "no packages" in done.stderr


def test_init_writes_a_file_that_changes_nothing_and_is_never_overwritten(own: Path) -> None:
    before = shown(own, "packages", "--json"), shown(own, "show", "shared-auth")
    done = run(own, "init")
    assert (done.returncode, done.stdout) == (0, "")
    assert (shown(own, "packages", "--json"), shown(own, "show", "shared-auth")) == before
    written = (own / "ifacegen.yaml").read_bytes()
    assert run(own, "init").returncode == 2
    assert (own / "ifacegen.yaml").read_bytes() == written


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("version: 1\nviews:\n  docs: none\n", "ifacegen.yaml:2"),
        ("version: 1\nview:\n  docs: some\n", "ifacegen.yaml:3"),
        ("version: 99\n", "ifacegen.yaml:1"),
        ("version: 1\npackages: [\n", "ifacegen.yaml:"),
        ("- a\n", "ifacegen.yaml"),
        ("version: 1\nview: *nowhere\n", "ifacegen.yaml:2"),
        ("a: !!python/object/apply:os.system ['touch ran']\n", "ifacegen.yaml:1"),
    ],
)
def test_a_wrong_configuration_is_named_by_file_and_line(tmp_path: Path, text: str, where: str) -> None:
    root = repo({**FILES, "ifacegen.yaml": text}, tmp_path / "broken")
    for command in (("show", "shared-auth"), ("packages",)):
        done = run(root, *command)
        assert done.returncode == 2
        assert where in done.stderr
        assert "Traceback" not in done.stderr
    assert not (root / "ran").exists()


# --- The whole command ------------------------------------------------------------------------------


def test_a_package_without_a_view_exits_3(tmp_path: Path) -> None:
    root = repo(
        {"a/pyproject.toml": '[project]\nname = "a"\nversion = "1"\n', "a/README.md": "Nothing."},
        tmp_path / "x",
    )
    done = run(root, "show", "a")
    assert done.returncode == 3
    assert "a: no view" in done.stderr


def test_a_broken_file_is_no_failure(tmp_path: Path) -> None:
    root = repo({**FILES, "services/shop/shop/bad.py": "def (:\n"}, tmp_path / "x")
    done = run(root, "show", "services/shop")
    assert done.returncode == 0
    assert "# note: services/shop/shop/bad.py:1:" in done.stdout


def test_nothing_needs_the_network(mono: Path) -> None:
    program = """
import socket, sys
def refused(*args, **kwargs): raise AssertionError("the network is not there")
socket.socket = socket.create_connection = socket.getaddrinfo = refused
from ifacegen.cli import main
sys.exit(main(["show", "shared-auth", "--format", "json"]))
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=mono,
        env={**os.environ, "TIKTOKEN_CACHE_DIR": "", "https_proxy": "http://127.0.0.1:1"},
        check=False,
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["tokens"]["view"] > 0


def test_the_module_runs_as_the_command_does(mono: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ifacegen", "show", "shared-auth"],
        cwd=mono,
        check=False,
        capture_output=True,
        encoding="utf-8",
    )
    assert (done.returncode, done.stdout) == (0, shown(mono, "show", "shared-auth"))


def test_nothing_is_written_into_the_repository(own: Path) -> None:
    def listing() -> set[Path]:
        return {path for path in own.rglob("*") if ".git" not in path.parts}

    before = listing()
    run(own, "show", "shared-auth")
    run(own, "packages")
    assert listing() == before
