"""``ifacegen.yaml``: what it may say, and what is answered to what it may not."""

from __future__ import annotations

import pickle
import re
import subprocess
import sys
from contextlib import suppress
from fnmatch import fnmatchcase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ifacegen.adapter import ViewOptions
from ifacegen.cli.init import starter
from ifacegen.config import (
    AGES,
    SIZES,
    CacheRules,
    Config,
    PackageRule,
    load_config,
    parse_amount,
    parse_config,
)
from ifacegen.errors import ConfigError, UsageError
from ifacegen.globs import clean_path, directory_globs, ignore_globs
from ifacegen.model import Package
from support.trees import memory_tree

WHOLE = """\
version: 1
packages:
  - packages/*
  - "!packages/attic"
  - path: ./tools/release/
    name: release-tools
    role: app
    public: [release.api]
    hidden: [release.legacy]
    interfaces: [python, "openapi:specs/*.yaml"]
exclude:
  - "**/_generated/**"
view:
  docs: first_paragraph
  long_value: 80
discovery:
  python: true
  go: off
cache:
  dir: ./.cache/views/
  read_only_dirs: [/mnt/views, ../nightly, ~/views]
  max_bytes: 20 GB
  max_age: 2w
"""


def test_all_sections_arrive() -> None:
    assert parse_config(WHOLE) == Config(
        package_globs=("packages/*", "!packages/attic"),
        rules=(
            PackageRule(
                "tools/release",
                "release-tools",
                "app",
                ("release.api",),
                ("release.legacy",),
                ("python", "openapi:specs/*.yaml"),
                line=5,
            ),
        ),
        exclude=("**/_generated/**",),
        docs="first_paragraph",
        long_value=80,
        discovery=(("go", False), ("python", True)),
        cache=CacheRules(
            ".cache/views", ("/mnt/views", "../nightly", "~/views"), 20_000_000_000, 14 * 86_400
        ),
    )


@pytest.mark.parametrize("text", ["", "# nothing\n", "---\n", "null\n", "version: 1\n", "\ufeffversion: 1\n"])
def test_nothing_said_is_the_defaults(text: str) -> None:
    assert load_config(memory_tree({"ifacegen.yaml": text})) == Config()
    assert load_config(memory_tree({})) == Config()


def test_view_options_are_of_one_package() -> None:
    config = parse_config(WHOLE)
    assert config.view_options("packages/a") == ViewOptions("first_paragraph", 80)
    assert config.view_options("tools/release") == ViewOptions(
        "first_paragraph",
        80,
        public=("release.api",),
        hidden=("release.legacy",),
        interfaces=("python", "openapi:specs/*.yaml"),
    )


def test_interfaces_are_chosen_by_ecosystem_and_file() -> None:
    options = ViewOptions(interfaces=("python", "openapi:specs/*.yaml"))
    assert options.includes("python", "src/a.py")
    assert options.includes("openapi", "specs/a.yaml")
    assert not options.includes("openapi", "specs/old/a.yaml")
    assert not options.includes("protobuf", "a.proto")
    assert ViewOptions().includes("protobuf", "a.proto")


def test_discovery_is_on_unless_switched_off() -> None:
    config = parse_config(WHOLE)
    assert [config.discovers(name) for name in ("python", "go", "java")] == [True, False, True]


REFUSED = {
    # what the file says → where, the full key, and what the message has to mention
    "version: 2": (1, "version", "must be 1"),
    "view: {docs: full}": (1, "version", "version is missing"),
    "version: 2\npolicies: {}": (1, "version", "must be 1"),
    "version: '1'": (1, "version", "whole number"),
    "version: true": (1, "version", "truth value"),
    "versoin: 1": (1, "versoin", "did you mean `version`"),
    "version: 1\npackges: []": (2, "packges", "did you mean `packages`"),
    "version: 1\npolicy: {}": (2, "policy", "known: version, packages"),
    "version: 1\nversion: 1": (2, "version", "given twice, first in line 1"),
    "version: 1\nview:\n  docs: full\n  docs: none": (4, "view.docs", "given twice, first in line 3"),
    "version: 1\nview:\n  dosc: full": (3, "view.dosc", "did you mean `docs`"),
    "version: 1\nview:\n  docs: most": (3, "view.docs", "full, first_paragraph, none"),
    "version: 1\nview:\n  long_value: -1": (3, "view.long_value", "from 0"),
    "version: 1\nview:\n  long_value: 1_000": (3, "view.long_value", "from 0"),
    "version: 1\nview:\n  long_value: 1e3": (3, "view.long_value", "whole number"),
    "version: 1\nview: full": (2, "view", "must be a mapping, not the string 'full'"),
    "version: 1\nview:": (2, "view", "must be a mapping, not nothing"),
    "version: 1\npackages: packages/*": (2, "packages", "must be a list"),
    "version: 1\npackages:\n  - 7": (3, "packages[0]", "must be a string, not the number '7'"),
    "version: 1\npackages:\n  - ''": (3, "packages[0]", "must not be empty"),
    "version: 1\npackages:\n  - ../other/*": (3, "packages[0]", "leads out of the repository"),
    "version: 1\npackages:\n  - name: a": (3, "packages[0]", "needs a `path`"),
    "version: 1\npackages:\n  - path: /srv/a": (3, "packages[0].path", "leads out of the repository"),
    "version: 1\npackages:\n  - path: a\n    roel: app": (4, "packages[0].roel", "did you mean `role`"),
    "version: 1\npackages:\n  - path: a\n    role: lib": (4, "packages[0].role", "library, app, test"),
    "version: 1\npackages:\n  - path: a\n    public: a.b": (4, "packages[0].public", "must be a list"),
    "version: 1\npackages:\n  - path: a\n    interfaces: openapi": (
        4,
        "packages[0].interfaces",
        "must be a list",
    ),
    "version: 1\npackages:\n  - path: a\n    interfaces: []": (4, "packages[0].interfaces", "must name an"),
    "version: 1\npackages:\n  - path: a\n    interfaces: [a.yaml]": (
        4,
        "packages[0].interfaces[0]",
        "must be an",
    ),
    "version: 1\npackages:\n  - path: a\n    interfaces: [python, 'openapi:../b']": (
        4,
        "packages[0].interfaces[1]",
        "must be an",
    ),
    "version: 1\npackages:\n  - path: a\n  - path: ./a": (4, "packages[1]", "described in line 3"),
    "version: 1\nexclude: [[a]]": (2, "exclude[0]", "must be a string, not a list"),
    "version: 1\ndiscovery:\n  python: 1": (3, "discovery.python", "true or false"),
    "version: 1\ncache: none": (2, "cache", "must be a mapping, not the string 'none'"),
    "version: 1\ncache:\n  direcory: a": (3, "cache.direcory", "known: dir, read_only_dirs"),
    "version: 1\ncache:\n  max_byte: 1": (3, "cache.max_byte", "did you mean `max_bytes`"),
    "version: 1\ncache:\n  dir: /var/cache": (3, "cache.dir", "inside the repository"),
    "version: 1\ncache:\n  dir: ../cache": (3, "cache.dir", "inside the repository"),
    "version: 1\ncache:\n  dir: a/..": (3, "cache.dir", "inside the repository"),
    "version: 1\ncache:\n  dir: ~": (3, "cache.dir", "must be a string, not nothing"),
    "version: 1\ncache:\n  dir: ''": (3, "cache.dir", "must not be empty"),
    "version: 1\ncache:\n  read_only_dirs: /mnt": (3, "cache.read_only_dirs", "must be a list"),
    "version: 1\ncache:\n  read_only_dirs: ['']": (3, "cache.read_only_dirs[0]", "must not be empty"),
    "version: 1\ncache:\n  max_bytes: much": (
        3,
        "cache.max_bytes",
        "with one of B, KB, MB, GB, TB, not 'much'",
    ),
    "version: 1\ncache:\n  max_bytes: 1.5 GB": (3, "cache.max_bytes", "must be a whole number"),
    "version: 1\ncache:\n  max_bytes: -1": (3, "cache.max_bytes", "must be a whole number"),
    "version: 1\ncache:\n  max_bytes:": (3, "cache.max_bytes", "must be a whole number"),
    "version: 1\ncache:\n  max_bytes: [5]": (
        3,
        "cache.max_bytes",
        "must be a number with a unit, not a list",
    ),
    "version: 1\ncache:\n  max_age: 30 days": (
        3,
        "cache.max_age",
        "with one of s, m, h, d, w, not '30 days'",
    ),
    "version: 1\ncache:\n  max_age: 1:30": (3, "cache.max_age", "must be a whole number"),
    "version: 1\n? [a]\n: b": (2, "a key", "must be a string, not a list"),
    "version: 1\n<<: {view: {}}": (2, "a key", "must be a string"),
    "- version": (1, None, "must be a mapping, not a list"),
    "version: 1\nview: [": (2, None, "not YAML"),
    "version: 1\n\tview: x": (2, None, "not YAML"),
    "version: 1\nview: *nobody": (2, None, "not YAML"),
    "version: 1\n---\nversion: 1": (2, None, "not YAML"),
    "version: \x07": (None, None, "not YAML"),
    "[" * 2_000: (None, None, "nested too deeply"),
}


@pytest.mark.parametrize("text", REFUSED, ids=lambda text: ascii(text[:40]))
def test_what_is_not_understood_is_refused_with_its_place(text: str) -> None:
    line, key, message = REFUSED[text]
    with pytest.raises(ConfigError, match=re.escape(message)) as caught:
        parse_config(text)
    assert caught.value.line == line
    assert (caught.value.key or None) == key
    assert str(caught.value).startswith(f"ifacegen.yaml:{line}: " if line else "ifacegen.yaml: ")
    assert "\n" not in str(caught.value)


def test_an_error_is_a_usage_error_and_crosses_processes() -> None:
    with pytest.raises(UsageError) as caught:
        parse_config("version: 2")
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (str(copy), copy.line, copy.key) == (str(caught.value), 1, "version")


@pytest.mark.parametrize(
    ("text", "bytes_"),
    [("0", 0), ("7", 7), ("7B", 7), ("5 GB", 5 * 10**9), ("5gb", 5 * 10**9), (" 12  MB ", 12 * 10**6)],
)
def test_amounts_have_units(text: str, bytes_: int) -> None:
    assert parse_amount(text, SIZES) == bytes_
    assert parse_config(f"version: 1\ncache:\n  max_bytes: {text}\n").cache.max_bytes == bytes_


@given(st.integers(0, 10**15 - 1), st.sampled_from([*AGES, *SIZES]), st.sampled_from(["", " "]))
def test_every_unit_is_understood_in_either_case(number: int, unit: str, gap: str) -> None:
    units = AGES if unit in AGES else SIZES
    for written in (unit, unit.lower(), unit.upper()):
        assert parse_amount(f"{number}{gap}{written}", units) == number * units[unit]


@given(st.text(max_size=20))
def test_any_text_is_an_amount_or_a_value_error(text: str) -> None:
    with suppress(ValueError):
        assert parse_amount(text, SIZES) >= 0


def test_the_cache_is_where_nothing_else_is_said() -> None:
    config = parse_config("version: 1\ncache: {dir: .views}\n")
    assert config.cache == CacheRules(".views")
    assert Config().cache == CacheRules(None, (), 5 * 10**9, 30 * 86_400)


def test_bytes_that_are_no_text_are_refused() -> None:
    with pytest.raises(ConfigError, match="not UTF-8"):
        load_config(memory_tree({"ifacegen.yaml": b"version: 1\n# \xff\n"}))


def test_yaml_is_imported_only_when_there_is_a_file() -> None:
    code = "import sys, ifacegen.config; assert 'yaml' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


@given(st.text(max_size=200))
def test_any_text_is_a_configuration_or_a_config_error(text: str) -> None:
    with suppress(ConfigError):
        assert isinstance(parse_config(text), Config)


def test_excluded_files_are_not_in_the_tree() -> None:
    tree = memory_tree({"a/x.py": "", "a/gen/y.py": "", "b.lock": ""})
    config = Config(exclude=("gen/", "*.lock"))
    assert list(config.applied_to(tree).paths) == ["a/x.py"]
    assert Config().applied_to(tree) is tree


# -- globs --------------------------------------------------------------------------------------------

IGNORED = [
    # pattern, matches, does not
    ("*.lock", ["a.lock", "x/y/a.lock"], ["a.lock.txt", "lock"]),
    ("gen", ["gen", "gen/x", "a/gen/x/y"], ["agen", "gens/x"]),
    ("gen/", ["gen/x", "a/gen/x"], ["gen", "a/gen"]),
    ("/gen", ["gen/x"], ["a/gen/x"]),
    ("a/gen", ["a/gen/x"], ["b/a/gen/x"]),
    ("a/*/c", ["a/b/c", "a/b/c/d"], ["a/c", "a/b/b/c"]),
    ("a/**/c", ["a/c", "a/b/c", "a/b/b/c/d"], ["ac", "a/bc"]),
    ("**/c", ["c", "a/b/c"], ["a/bc"]),
    ("a/**", ["a/b", "a/b/c"], ["a", "ab"]),
    ("a?.py", ["ab.py"], ["a.py", "a/.py", "abb.py"]),
    ("[a-c].py", ["b.py"], ["d.py"]),
    ("[!a-c].py", ["d.py"], ["b.py"]),
    ("[]x].py", ["].py", "x.py"], ["y.py"]),
    ("[z-a].py", ["[z-a].py"], ["m.py"]),
    ("a[.py", ["a[.py"], ["a.py"]),
    ("\\*.py", ["*.py"], ["a.py"]),
    ("\\!a", ["!a"], ["a"]),
    ("/", [], ["a"]),
    ("", [], ["a"]),
]


@pytest.mark.parametrize(("pattern", "yes", "no"), IGNORED)
def test_exclude_patterns_are_those_of_gitignore(pattern: str, yes: list[str], no: list[str]) -> None:
    globs = ignore_globs([pattern])
    assert [path for path in yes if not globs.match(path)] == []
    assert [path for path in no if globs.match(path)] == []


DIRECTORIES = [
    (["packages/*"], ["packages/a"], ["packages", "packages/a/b", "x/packages/a"]),
    (["./packages/*/"], ["packages/a"], ["packages/a/b"]),
    (["packages/**"], ["packages/a", "packages/a/b"], ["packages"]),
    (["**/svc"], ["svc", "a/b/svc"], ["svc/a"]),
    (["p/*", "!p/old"], ["p/a"], ["p/old"]),
    (["!p/old", "p/*"], ["p/old"], []),
    (["."], ["."], ["a"]),
]


@pytest.mark.parametrize(("patterns", "yes", "no"), DIRECTORIES)
def test_package_globs_name_directories_and_the_last_one_decides(
    patterns: list[str], yes: list[str], no: list[str]
) -> None:
    globs = directory_globs(patterns)
    assert [path for path in yes if not globs.match(path)] == []
    assert [path for path in no if globs.match(path)] == []


_PART = st.text("ab*?", min_size=1, max_size=6)
_PATH = st.lists(st.text("ab", min_size=1, max_size=4), min_size=1, max_size=5)


def _slow_match(pattern: list[str], path: list[str]) -> bool:
    if not pattern:
        return not path
    if pattern[0] == "**":
        rest = range(len(path)) if len(pattern) == 1 else range(len(path) + 1)
        return any(_slow_match(pattern[1:], path[index:]) for index in rest) or (
            len(pattern) == 1 and bool(path)
        )
    return bool(path) and fnmatchcase(path[0], pattern[0]) and _slow_match(pattern[1:], path[1:])


@given(st.lists(st.just("**") | _PART.filter(lambda part: "**" not in part), min_size=1, max_size=5), _PATH)
def test_globs_agree_with_a_naive_matcher(pattern: list[str], path: list[str]) -> None:
    assert directory_globs(["/".join(pattern)]).match("/".join(path)) == _slow_match(pattern, path)


@given(st.text(max_size=30), st.text(max_size=30))
def test_no_pattern_raises(pattern: str, path: str) -> None:
    ignore_globs([pattern]).match(path)
    directory_globs([pattern]).match(path)


def test_patterns_cannot_be_made_slow() -> None:
    assert not ignore_globs(["*a" * 60]).match("a" * 200 + "b")
    assert not directory_globs(["**/a/" * 40 + "c"]).match("a/" * 200 + "b")


@pytest.mark.parametrize(
    ("path", "clean"),
    [
        ("a/./b//c/", "a/b/c"), ("a/../b", "b"), (".", "."), ("", "."), ("a/..", "."),
        ("..", None), ("a/../../b", None), ("/a", None),
    ],
)  # fmt: skip
def test_paths_are_cleaned_without_leading_out(path: str, clean: str | None) -> None:
    assert clean_path(path) == clean


# -- the starter file ---------------------------------------------------------------------------------


def test_the_starter_says_what_was_found_and_means_the_defaults() -> None:
    packages = (Package("packages/a", "acme\nversion: 2", "library", ()), Package(".", "top", "app", ()))
    text = starter(packages)
    assert parse_config(text) == parse_config(starter(())) == Config()
    assert "#   packages/a  (acme version: 2, library)\n" in text


def test_everything_the_starter_offers_is_understood() -> None:
    lines = [
        line.removeprefix("# ") if re.match(r"# ( |\w+:( true|$))", line) else line
        for line in starter(()).splitlines()
    ]
    config = parse_config("\n".join(lines))
    assert config.package_globs
    assert config.rules
    assert config.exclude
    assert config.discovery == (("openapi", True), ("protobuf", True), ("python", True), ("typescript", True))
    assert config.cache == CacheRules(".ifacegen-cache", ("/mnt/views",))
    assert [name for name, _ in config.tools] == ["node", "oxc-transform", "typescript"]
