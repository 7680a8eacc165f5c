"""Outlines, budgets, Markdown, and what single declarations bring with them, as users ask for them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from ifacegen import fastpath
from ifacegen.tokens import count_tokens
from support.api import installed
from support.trees import git_repo
from support.truth import run, slow

DOC = "It does what it says, and this is a sentence that makes it long enough to be cut. " * 3
FILES = {
    "lib/pyproject.toml": '[project]\nname = "lib"\nversion = "1"\n',
    "lib/lib/__init__.py": '"""Lib."""\nfrom .core import run as run\n',
    "lib/lib/core.py": f'import os\n\ndef run(path: os.PathLike[str]) -> None:\n    """Run it.\n\n    {DOC}\n    """\n',
    "shop/pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n',
    "shop/shop/__init__.py": "def buy() -> None: ...\n",
    "shop/one.api": (
        "GET /v1/{name}:cancel | Cancel it. Or not. | Order\n"
        "repos/get | Get it. And more. | Order Owner\n"
        "Order | An order. It is long. | Owner\n"
        "Alone | Nobody mentions it.\n"
    ),
    "shop/two.api": "Owner | An owner. | Order\n",
}

Show = Callable[..., str]


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return git_repo(FILES, tmp_path_factory.mktemp("sizes") / "repository")


@pytest.fixture(scope="module")
def show(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Show:
    """What ``show`` prints in the repository, by the installed command and with the tests' adapter."""
    folder = tmp_path_factory.mktemp("api")
    env = {"PYTHONPATH": installed(folder / "site"), "IFACEGEN_CACHE_DIR": str(folder / "cache")}

    def shown(*arguments: str) -> str:
        done = run(root, "show", *arguments, env=env)
        assert done.returncode == 0, done.stderr.decode()
        assert done.stderr == b""
        return done.stdout.decode("utf-8")

    return shown


# --- outlines ---------------------------------------------------------------------------------------


def test_an_outline_says_what_it_is_and_how_large(show: Show) -> None:
    header, text = show("lib", "--outline").split("\n\n", 1)
    first, provenance = header.splitlines()
    assert first.startswith(f"# lib — outline, {count_tokens(text)} tokens, of the interface view (")
    assert provenance == "# python: generated from 2 files"
    assert text == (
        "# module lib\nfrom .core import run\n\n# module lib.core\ndef run(path: os.PathLike[str]) -> None\n"
    )


def test_an_outline_of_a_part(show: Show) -> None:
    module = show("lib", "--outline", "--module", "lib.core")
    assert module.startswith("# lib, module lib.core — outline, ")
    assert " of the interface view of lib (" in module
    assert module.endswith("\n\n# module lib.core\ndef run(path: os.PathLike[str]) -> None\n")
    assert show("lib::run", "--outline").endswith(
        "\n\n# module lib.core\ndef run(path: os.PathLike[str]) -> None\n"
    )
    file = show("lib/lib/core.py", "--outline")
    assert file.endswith(module.partition("\n\n")[2])


def test_outlines_of_several_addresses_and_of_a_commit(show: Show, root: Path) -> None:
    both = show("lib", "shop", "--outline", "--commit", "HEAD")
    assert both.count(" — outline, ") == 2
    assert both.count("# at commit ") == 2


def test_an_outline_of_several_interfaces_has_a_section_each(show: Show) -> None:
    text = show("shop", "--outline").partition("\n\n")[2]
    assert text == (
        "// === api ===\n\n// one\nop GET /v1/{name}:cancel\nop repos/get\nop Order\nop Alone\n\n// two\nop Owner\n"
        "\n\n# === python ===\n\n# module shop\ndef buy() -> None\n"
    )


# --- budgets ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("more", [[], ["--outline"], ["--format", "markdown"], ["--module", "lib.core"]])
def test_a_budget_is_kept_headers_included(show: Show, more: list[str]) -> None:
    whole = count_tokens(show("lib", *more))
    for budget in (whole - 1, whole * 3 // 4):
        text = show("lib", "--budget", str(budget), *more)
        assert count_tokens(text) <= budget
        assert f"shortened to {budget} tokens: " in text
    assert show("lib", "--budget", str(whole), *more) == show("lib", *more)


def test_a_budget_is_for_all_addresses_together(show: Show) -> None:
    text = show("lib", "shop", "lib::run", "--budget", "300")
    assert count_tokens(text) <= 300
    assert "shortened to 300 tokens for 3 addresses together: " in text


def test_what_is_only_counted_is_counted_in_its_interface(show: Show) -> None:
    text = show("shop", "--budget", "110")
    assert count_tokens(text) <= 110
    api, python = text.split("# === python ===")
    assert "\n// not shown:\n" in api
    assert "op " in api or "//   2 modules: 5 declarations" in api
    assert "def buy()" in python or "1 declaration" in python


def test_a_budget_that_is_too_small_is_told_with_the_least(root: Path, show: Show, tmp_path: Path) -> None:
    code, out, err = slow("-C", str(root), "--cache-dir", str(tmp_path), "show", "lib", "--budget", "7")
    assert (code, out) == (2, b"")
    least = err.decode().partition("too small: ")[2].partition(" tokens")[0]
    assert (
        err.decode() == f"ifacegen: --budget 7 is too small: {least} tokens are the least that works here\n"
    )
    (line,) = show("lib", "--budget", least).splitlines()
    assert line.startswith("# lib — shortened to ")


@pytest.mark.parametrize("wrong", ["0", "-3", "many", "1.5", "", "9" * 30])
def test_a_budget_is_a_number_of_tokens(root: Path, wrong: str) -> None:
    code, out, err = slow("-C", str(root), "show", "lib", f"--budget={wrong}")
    assert (code, out) == (2, b"")
    assert b"is no number of tokens" in err


def test_a_number_may_be_written_as_ifacegen_writes_it(show: Show) -> None:
    assert show("lib", "--budget", "1,000,000") == show("lib")


@pytest.mark.parametrize("size", [["--outline"], ["--budget", "100"], ["--outline", "--budget", "100"]])
@pytest.mark.parametrize("form", ["json", "stub"])
def test_json_and_stubs_are_always_whole(root: Path, tmp_path: Path, size: list[str], form: str) -> None:
    code, out, err = slow("-C", str(root), "show", "lib", "--format", form, "-o", str(tmp_path / "x"), *size)
    assert (code, out) == (2, b"")
    assert b" and ".join(each.encode() for each in size if each.startswith("--")) in err
    assert b"use --format text or markdown" in err
    assert not (tmp_path / "x").exists()


def test_sizes_go_to_files(show: Show, tmp_path: Path) -> None:
    assert show("lib", "--outline", "-o", str(tmp_path / "a.txt")) == ""
    assert (tmp_path / "a.txt").read_text("utf-8") == show("lib", "--outline")


@pytest.mark.parametrize(
    "more", [["--outline"], ["--budget", "100"], ["--budget=100"], ["--format", "markdown"]]
)
def test_the_fast_path_leaves_sizes_to_the_slow_one(show: Show, root: Path, more: list[str]) -> None:
    show("lib")
    assert fastpath.attempt(["-C", str(root), "show", "lib", *more]) is None


# --- single declarations ----------------------------------------------------------------------------


def test_a_declaration_brings_what_it_mentions(show: Show) -> None:
    header, text = show("shop::repos/get").split("\n\n", 1)
    assert header.startswith("# shop::repos/get — from the interface view of shop, ")
    assert text == (
        "// one\nop repos/get  // Get it. And more.\n\n// what it mentions\n\n"
        "// one\nop Order  // An order. It is long.\n\n// two\nop Owner  // An owner.\n"
    )


def test_what_mentions_nothing_comes_alone(show: Show) -> None:
    assert show("shop::Alone").endswith("\n\n// one\nop Alone  // Nobody mentions it.\n")


def test_json_has_the_modules_of_both(show: Show) -> None:
    value = json.loads(show("shop::repos/get", "--format", "json"))
    found = {each["name"]: [d["name"] for d in each["declarations"]] for each in value["modules"]}
    assert found == {"one": ["repos/get", "Order"], "two": ["Owner"]}


def test_an_outline_of_a_declaration_brings_them_too(show: Show) -> None:
    text = show("shop::repos/get", "--outline").partition("\n\n")[2]
    assert text == "// one\nop repos/get\n\n// what it mentions\n\n// one\nop Order\n\n// two\nop Owner\n"


def test_a_name_may_have_what_parts_an_address(show: Show) -> None:
    assert "op GET /v1/{name}:cancel  // Cancel it. Or not." in show("shop::GET /v1/{name}:cancel")


@pytest.mark.parametrize("address", ["shop::shop.v1.Owner", "shop::two:Owner", "shop::two:shop.v1.Owner"])
def test_a_declaration_answers_to_the_path_of_its_import(show: Show, address: str) -> None:
    assert "// two\nop Owner  // An owner.\n" in show(address)


def test_candidates_are_told(root: Path, show: Show, tmp_path: Path) -> None:
    arguments = ("-C", str(root), "--cache-dir", str(tmp_path), "show", "lib::ran")
    assert slow(*arguments) == (
        2,
        b"lib::run\n",
        b"ifacegen: lib::ran: no such declaration; did you mean lib::run?\n",
    )


def test_markdown_has_both_interfaces(show: Show) -> None:
    text = show("shop", "--format", "markdown")
    assert [line for line in text.splitlines() if line.startswith("#")] == [
        "# shop",
        "## api",
        "### one",
        "### two",
        "## python",
        "### module shop",
    ]
    assert "```api\nop GET /v1/{name}:cancel  // Cancel it. Or not.\n" in text
    assert "```python\ndef buy() -> None: ...\n```\n" in text


# --- the documentation ------------------------------------------------------------------------------


def test_the_documented_budget_is_what_the_command_prints(tmp_path: Path) -> None:
    repository = Path(__file__).parents[2]
    text = (repository / "docs/views.md").read_text("utf-8")
    (example,) = re.findall(r"<!-- example: (.+?) -->\n```text\n(.*?)```\n<!-- end -->", text, re.DOTALL)
    directory = ("-C", str(repository / "examples/monorepo"), "--cache-dir", str(tmp_path))
    assert slow(*directory, *example[0].split()) == (0, example[1].encode(), b"")
