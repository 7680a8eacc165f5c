"""``ifacegen.yaml`` → a frozen :class:`Config`, or a :class:`~ifacegen.errors.ConfigError` that says where.

Strict on purpose: a key that is not understood would be a wish silently not granted. Sections enter here
together with the code that first reads them. PyYAML is imported only when there is a file to read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar, get_args

from ifacegen.adapter import Tree, ViewOptions
from ifacegen.errors import ConfigError, ReadError
from ifacegen.globs import Globs, clean_path, directory_globs, ignore_globs
from ifacegen.model import Role
from ifacegen.trees import FilteredTree

if TYPE_CHECKING:
    from yaml.nodes import MappingNode, ScalarNode, SequenceNode

    Node = MappingNode | ScalarNode | SequenceNode

#: Where the configuration lives, relative to the repository.
CONFIG_FILE = "ifacegen.yaml"
_T = TypeVar("_T")
_ROLES: tuple[str, ...] = get_args(Role)
#: Units of sizes and ages.
SIZES = {"B": 1, "KB": 1000, "MB": 1000**2, "GB": 1000**3, "TB": 1000**4}
AGES = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 7 * 86_400}
_DOCS = ("full", "first_paragraph", "none")
#: What ``tools`` may name: a program, and directories of npm packages.
_TOOLS = ("node", "oxc-transform", "typescript")


@dataclass(frozen=True, slots=True)
class PackageRule:
    """What the configuration says about one package."""

    path: str
    name: str | None = None
    role: Role | None = None
    public: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    interfaces: tuple[str, ...] = ()
    #: Where the configuration says it.
    line: int = 0


@dataclass(frozen=True, slots=True)
class CacheRules:
    """What the configuration says about the cache."""

    #: Its directory, inside the repository; None leaves it to the environment and the platform.
    directory: str | None = None
    #: Stores that are only read, behind the local one; relative to the repository unless absolute.
    read_only_dirs: tuple[str, ...] = ()
    #: What ``ifacegen cache prune`` keeps at most.
    max_bytes: int = 5 * 1000**3
    #: Seconds after their last use that ``ifacegen cache prune`` keeps entries.
    max_age: int = 30 * 86_400


@dataclass(frozen=True, slots=True)
class Config:
    """All of ``ifacegen.yaml``; without a file, the defaults."""

    #: Globs of package directories; none means discovery is not restricted.
    package_globs: tuple[str, ...] = ()
    rules: tuple[PackageRule, ...] = ()
    exclude: tuple[str, ...] = ()
    docs: str = "full"
    long_value: int = 200
    #: (adapter, on or off), in order of name.
    discovery: tuple[tuple[str, bool], ...] = ()
    cache: CacheRules = CacheRules()
    #: (name, path) of external programs, absolute or in the user's home (``~/…``), in order of name.
    tools: tuple[tuple[str, str], ...] = ()

    def discovers(self, adapter: str) -> bool:
        """Whether an adapter may look for projects."""
        return dict(self.discovery).get(adapter, True)

    def rule(self, package_path: str) -> PackageRule | None:
        """What is configured for one package, by its path."""
        return next((rule for rule in self.rules if rule.path == package_path), None)

    def directories(self) -> Globs:
        """Matcher for the directories that may be packages."""
        return directory_globs(self.package_globs)

    def applied_to(self, tree: Tree) -> Tree:
        """The tree without the files that ``exclude`` names."""
        patterns = self.exclude
        if self.cache.directory is not None:
            patterns = (*patterns, f"/{self.cache.directory}/")  # what is kept there is no source
        return FilteredTree(tree, ignore_globs(patterns)) if patterns else tree

    def view_options(self, package_path: str) -> ViewOptions:
        """The part that bears on the view of one package."""
        rule = self.rule(package_path) or PackageRule(package_path)
        return ViewOptions(self.docs, self.long_value, rule.public, rule.hidden, rule.interfaces)


def load_config(tree: Tree) -> Config:
    """Read ``ifacegen.yaml`` from a tree; the defaults if it has none.

    Raises:
        ConfigError: Something in it is not understood.
    """
    if CONFIG_FILE not in tree:
        return Config()
    try:
        text = tree.read(CONFIG_FILE).data.decode("utf-8-sig")
    except ReadError as error:
        raise ConfigError(CONFIG_FILE, error.reason) from None
    except UnicodeDecodeError:
        raise ConfigError(CONFIG_FILE, "is not UTF-8") from None
    return parse_config(text)


def parse_config(text: str) -> Config:
    """The configuration a text states.

    Raises:
        ConfigError: Something in it is not understood.
    """
    node = _compose(text)
    if node is None:
        return Config()
    version = dict(_pairs(node, "")).get("version")
    if version is not None and _integer(version, "version") != 1:  # before its unknown keys are complained of
        raise _problem(version, "version", "must be 1; a newer ifacegen may know others")
    top = _mapping(node, "", ("version", "packages", "exclude", "view", "discovery", "cache", "tools"))
    if version is None:
        raise ConfigError(CONFIG_FILE, "version is missing: begin with `version: 1`", line=1, key="version")
    view = _mapping(top["view"], "view", ("docs", "long_value")) if "view" in top else {}
    globs, rules = _packages(top["packages"]) if "packages" in top else ((), ())
    return Config(
        package_globs=globs,
        rules=rules,
        exclude=_strings(top["exclude"], "exclude") if "exclude" in top else (),
        docs=_choice(view["docs"], "view.docs", _DOCS) if "docs" in view else "full",
        long_value=_integer(view["long_value"], "view.long_value") if "long_value" in view else 200,
        discovery=_switches(top["discovery"]) if "discovery" in top else (),
        cache=_cache(top["cache"]) if "cache" in top else CacheRules(),
        tools=_tools(top["tools"]) if "tools" in top else (),
    )


def _cache(node: Node) -> CacheRules:
    fields = _mapping(node, "cache", ("dir", "read_only_dirs", "max_bytes", "max_age"))
    given: dict[str, Any] = {}
    if "dir" in fields:
        # A repository must not be able to make ifacegen write anywhere else.
        given["directory"] = clean_path(_string(fields["dir"], "cache.dir"))
        if given["directory"] in (None, "."):
            message = "must be a directory inside the repository; for another one set IFACEGEN_CACHE_DIR"
            raise _problem(fields["dir"], "cache.dir", message)
    if "read_only_dirs" in fields:
        given["read_only_dirs"] = _strings(fields["read_only_dirs"], "cache.read_only_dirs")
    for name, units in (("max_bytes", SIZES), ("max_age", AGES)):
        if name in fields:
            given[name] = _amount(fields[name], f"cache.{name}", units)
    return CacheRules(**given)


def _tools(node: Node) -> tuple[tuple[str, str], ...]:
    found: dict[str, str] = {}
    for name, each in _mapping(node, "tools", _TOOLS).items():
        path = found[name] = _string(each, f"tools.{name}")
        # Nothing of the repository is ever run.
        if not path.startswith(("/", "~/")):
            message = (
                f"must be an absolute path outside the repository, or one in your home (`~/…`), not {path!r}"
            )
            raise _problem(each, f"tools.{name}", message)
    return tuple(sorted(found.items()))


def _amount(node: Node, key: str, units: Mapping[str, int]) -> int:
    """A whole number with a unit (``5 GB``, ``30d``)."""
    if node.id != "scalar":
        raise _problem(node, key, f"must be a number with a unit, not {_what(node)}")
    try:
        return parse_amount(str(node.value), units)
    except ValueError as error:
        raise _problem(node, key, str(error)) from None


def parse_amount(text: str, units: Mapping[str, int]) -> int:
    """``"5 GB"`` with :data:`SIZES` is 5,000,000,000; without a unit the number counts as it is.

    Raises:
        ValueError: It is no whole number with one of the units.
    """
    found = re.fullmatch(r"\s*(\d{1,15})\s*([A-Za-z]*)\s*", text, re.ASCII)
    factors = {name.lower(): each for name, each in units.items()}
    factor = factors.get(found[2].lower()) if found and found[2] else 1
    if found is None or factor is None:
        raise ValueError(f"must be a whole number with one of {', '.join(units)}, not {text!r}")
    return int(found[1]) * factor


def _packages(node: Node) -> tuple[tuple[str, ...], tuple[PackageRule, ...]]:
    globs: list[str] = []
    rules: dict[str, PackageRule] = {}
    for index, item in enumerate(_sequence(node, "packages")):
        key = f"packages[{index}]"
        if item.id != "mapping":
            globs.append(_glob(item, key))
            continue
        rule = _rule(item, key)
        if rule.path in rules:
            raise _problem(item, key, f"{rule.path} was described in line {rules[rule.path].line} already")
        rules[rule.path] = rule
    return tuple(globs), tuple(rules.values())


def _glob(node: Node, key: str) -> str:
    text = _string(node, key)
    if clean_path(text.removeprefix("!").replace("**", "x")) is None:
        raise _problem(node, key, f"{text!r} leads out of the repository")
    return text


def _rule(node: Node, key: str) -> PackageRule:
    fields = _mapping(node, key, ("path", "name", "role", "interfaces", "public", "hidden"))
    if "path" not in fields:
        raise _problem(node, key, "needs a `path`")
    path = clean_path(_string(fields["path"], f"{key}.path"))
    if path is None:
        raise _problem(fields["path"], f"{key}.path", "leads out of the repository; paths are relative to it")
    return PackageRule(
        path=path,
        name=_string(fields["name"], f"{key}.name") if "name" in fields else None,
        role=_choice(fields["role"], f"{key}.role", _ROLES) if "role" in fields else None,  # type: ignore[arg-type]
        public=_strings(fields["public"], f"{key}.public") if "public" in fields else (),
        hidden=_strings(fields["hidden"], f"{key}.hidden") if "hidden" in fields else (),
        interfaces=_interfaces(fields["interfaces"], f"{key}.interfaces") if "interfaces" in fields else (),
        line=_line(node),
    )


def _interfaces(node: Node, key: str) -> tuple[str, ...]:
    """``openapi``, or ``openapi:GLOB`` for some of its files."""
    found = _strings(node, key)
    for index, (each, item) in enumerate(zip(found, _sequence(node, key), strict=True)):
        adapter, mark, glob = each.partition(":")
        if not re.fullmatch(r"[a-z][a-z0-9_-]*", adapter) or (mark and clean_path(glob or "..") is None):
            message = (
                "must be an ecosystem (`openapi`), or one with files of the package (`openapi:specs/v2.yaml`)"
            )
            raise _problem(item, f"{key}[{index}]", f"{message}, not {each!r}")
    if not found:
        raise _problem(node, key, "must name an ecosystem; leave it out to have all of them")
    return found


def _switches(node: Node) -> tuple[tuple[str, bool], ...]:
    return tuple(
        sorted((name, _boolean(each, f"discovery.{name}")) for name, each in _pairs(node, "discovery"))
    )


def _compose(text: str) -> Node | None:
    import yaml  # 33 ms that a repository without a configuration does not pay

    try:
        node: Any = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = error.problem or error.context or "is not YAML"
        raise ConfigError(
            CONFIG_FILE, f"is not YAML: {problem}", line=mark.line + 1 if mark else None
        ) from None
    except yaml.YAMLError as error:
        raise ConfigError(CONFIG_FILE, f"is not YAML: {str(error).splitlines()[0]}") from None
    except RecursionError:
        raise ConfigError(CONFIG_FILE, "is nested too deeply") from None
    return None if node is None or node.tag.endswith(":null") else node


def _pairs(node: Node, key: str) -> list[tuple[str, Node]]:
    """Keys and values of a mapping, as written; a key that comes twice is refused."""
    if node.id != "mapping":
        raise _problem(node, key, f"must be a mapping, not {_what(node)}")
    seen: dict[str, int] = {}
    pairs: list[tuple[str, Node]] = []
    for name, value in node.value:
        text = _string(name, f"a key of {key}" if key else "a key")
        if text in seen:
            raise _problem(name, _join(key, text), f"is given twice, first in line {seen[text]}")
        seen[text] = _line(name)
        pairs.append((text, value))
    return pairs


def _mapping(node: Node, key: str, known: Iterable[str]) -> Mapping[str, Node]:
    pairs = _pairs(node, key)
    for (name, _), (name_node, _) in zip(pairs, node.value, strict=True):
        if name not in known:
            raise _problem(name_node, _join(key, name), f"is not a key ifacegen knows{_guess(name, known)}")
    return dict(pairs)


def _guess(name: str, known: Iterable[str]) -> str:
    import difflib

    near = difflib.get_close_matches(name, list(known), n=1)
    return f"; did you mean `{near[0]}`?" if near else f" (known: {', '.join(known)})"


def _sequence(node: Node, key: str) -> list[Any]:
    if node.id != "sequence":
        raise _problem(node, key, f"must be a list, not {_what(node)}")
    return list(node.value)


def _strings(node: Node, key: str) -> tuple[str, ...]:
    return tuple(_string(item, f"{key}[{index}]") for index, item in enumerate(_sequence(node, key)))


def _string(node: Node, key: str) -> str:
    text = _scalar(node, key, "str", "a string", str)
    if not text or "\0" in text:
        raise _problem(node, key, "must not be empty" if not text else "must not hold a null character")
    return text


def _integer(node: Node, key: str) -> int:
    value = _scalar(node, key, "int", "a whole number", str)
    # YAML 1.1 also has octal, binary and sexagesimal numbers; nobody means them here.
    if not value.isascii() or not value.isdigit() or len(value) > 9:
        raise _problem(node, key, f"must be a whole number from 0, not {value!r}")
    return int(value)


def _boolean(node: Node, key: str) -> bool:
    return _scalar(node, key, "bool", "true or false", lambda text: text.lower() in ("true", "yes", "on"))


def _choice(node: Node, key: str, choices: tuple[str, ...]) -> str:
    value = _string(node, key)
    if value not in choices:
        raise _problem(node, key, f"must be one of {', '.join(choices)}, not {value!r}")
    return value


def _scalar(node: Node, key: str, tag: str, wanted: str, convert: Callable[[str], _T]) -> _T:
    if node.id != "scalar" or node.tag != f"tag:yaml.org,2002:{tag}":
        raise _problem(node, key, f"must be {wanted}, not {_what(node)}")
    return convert(str(node.value))


def _what(node: Node) -> str:
    if node.id != "scalar":
        return {"sequence": "a list", "mapping": "a mapping"}.get(node.id, node.id)
    names = {"str": "the string", "int": "the number", "float": "the number", "bool": "the truth value"}
    kind = node.tag.rpartition(":")[2]
    return "nothing" if kind == "null" else f"{names.get(kind, f'the {kind}')} {node.value!r}"


def _join(key: str, name: str) -> str:
    return f"{key}.{name}" if key else name


def _line(node: Node) -> int:
    return int(node.start_mark.line) + 1


def _problem(node: Node, key: str, message: str) -> ConfigError:
    return ConfigError(CONFIG_FILE, f"{key} {message}" if key else message, line=_line(node), key=key)
