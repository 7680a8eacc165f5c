"""A package's view as data, each declaration with the definition in a source that it shows.

Where the view is documented to say more or otherwise than that one place, what is expected is worked out here
from the sources, by rule: documentation of an implementation on its overloads, of ``self.x`` on ``x: int``, what a
stub beside a source leaves open, members of private generic bases.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import zip_longest
from pathlib import Path
from typing import Any

from evaluation._oracle import Expr, Source, Thing, expression, read
from evaluation._oracle_compare import Same, same_doc, text
from evaluation._oracle_names import Meanings, Respelled
from evaluation._oracle_syntax import Condition, all_of, joined

_CALLABLE = ("function", "method", "property")
_TYPE_VARIABLES = frozenset({"TypeVar", "ParamSpec", "TypeVarTuple"})


@dataclass(frozen=True, slots=True)
class Pair:
    """One declaration."""

    module: str
    value: Mapping[str, Any]
    #: As the source has it, and as it is expected to be shown.
    source: Thing
    stated: Thing
    #: As the JSON shows it.
    shown: Thing
    same: Same
    #: Names of the classes' own, where it is a member.
    scopes: tuple[frozenset[str], ...] = ()

    @property
    def where(self) -> str:
        """Where to look."""
        return f"{self.value['path']}:{self.value['line']} {self.value['id']}"


class PackageView:
    """What a view says of one package, beside its sources."""

    def __init__(self, value: Mapping[str, Any], stubs: Mapping[str, str], root: Path) -> None:
        self.value = value
        self._root = root
        #: The stub of each module, as text.
        self._stubs = stubs
        #: Places where the JSON contradicts itself or shows what is not there.
        self.odd: list[tuple[str, str]] = []

    @cached_property
    def sources(self) -> Mapping[str, Source]:
        """Every Python source of the package that this Python reads, by path."""
        paths = [path for each in self.value["interfaces"] for path in each["paths"]]
        stubs = [path for path in paths if path.endswith(".pyi")]
        paths += [path[:-1] for path in stubs if (self._root / path[:-1]).is_file()]
        found = {path: self._read(path) for path in dict.fromkeys(paths) if path.endswith((".py", ".pyi"))}
        return {path: source for path, source in found.items() if source is not None}

    @cached_property
    def unread(self) -> list[str]:
        """Sources that this Python cannot read."""
        paths = (path for each in self.value["interfaces"] for path in each["paths"])
        return [path for path in paths if path.endswith((".py", ".pyi")) and path not in self.sources]

    def _read(self, path: str) -> Source | None:
        return read((self._root / path).read_bytes())

    @cached_property
    def _places(self) -> Mapping[tuple[str, int], list[Thing]]:
        found: dict[tuple[str, int], list[Thing]] = defaultdict(list)
        for path, source in self.sources.items():
            for thing in source.walk():
                # Targets of an unpacking are on lines of their own.
                last = thing.end_line if thing.hoisted else thing.line
                for line in range(thing.line, last + 1):
                    found[path, line].append(thing)
        return found

    @cached_property
    def siblings(self) -> Mapping[tuple[str, str], list[Thing]]:
        """Things by path and qualified name."""
        found: dict[tuple[str, str], list[Thing]] = defaultdict(list)
        for path, source in self.sources.items():
            for thing in source.walk():
                found[path, thing.qualname].append(thing)
        return found

    @cached_property
    def _type_variables(self) -> frozenset[str]:
        return frozenset(
            thing.name
            for source in self.sources.values()
            for thing in source.things
            if thing.value is not None and _callee(thing.value) in _TYPE_VARIABLES
        )

    @cached_property
    def meanings(self) -> Meanings:
        """What names mean in the sources, stubs first."""
        return Meanings(self.sources, self.value["modules"], ".pyi")

    @cached_property
    def _untyped(self) -> Meanings:
        return Meanings(self.sources, self.value["modules"], ".py")

    @cached_property
    def stubs(self) -> Mapping[str, Source | None]:
        """What is printed for each module."""
        return {each["name"]: stub_of(each["name"], self._stubs) for each in self.value["modules"]}

    def is_same(self, mine: str, theirs: str) -> bool:
        """Whether two meanings are one: type variables may be made alike, typing has collections.abc's names."""
        mine, theirs = (each.replace("typing:", "collections.abc:") for each in (mine, theirs))
        return mine == theirs or (self._made(mine) is not None and self._made(mine) == self._made(theirs))

    def _made(self, meaning: str) -> Expr | None:
        module, _, name = meaning.partition(":")
        found = self.siblings.get((self.meanings.paths.get(module, ""), name), [])
        value = found[0].value if len(found) == 1 else None
        return value if value is not None and _callee(value) in _TYPE_VARIABLES else None

    def in_stub(self, module: str, name: str) -> str:
        """What a name means in the stub of a module: by what it shows, else by its imports."""
        if origins := self._shown.get((module, name)):
            return min(origins)
        stub = self.stubs[module]
        for each in stub.imported.get(name, ()) if stub else ():
            return self.meanings.imported(module, each.origin)
        return f"builtins:{name}" if name in dir(builtins) else f"nothing:{name}"

    @cached_property
    def _shown(self) -> Mapping[tuple[str, str], set[str]]:
        found: dict[tuple[str, str], set[str]] = defaultdict(set)
        for module in self.value["modules"]:
            for value in module["declarations"]:
                source = self._definition(value) if value["line"] else None
                if source is not None and value["kind"] not in ("import", "alias"):
                    found[module["name"], value["name"]].add(self.meanings.of(value["path"], source.name))
        return found

    @cached_property
    def pairs(self) -> list[Pair]:
        """Every declaration that stands for a definition in a source that could be read."""
        return [pair for module in self.value["modules"] for pair in self._module_pairs(module)]

    def _module_pairs(self, module: Mapping[str, Any]) -> Iterator[Pair]:
        mappings: dict[str, dict[str, str]] = defaultdict(dict)
        for value in flat(module["declarations"]):
            if value["kind"] in ("import", "alias") or not value["line"] or value["path"] not in self.sources:
                continue
            where = f"{value['path']}:{value['line']} {value['id']}"
            shown, source = declared(value), self._definition(value)
            if shown is None or source is None:
                self.odd.append(
                    (where, f"{'not there' if shown else 'no Python'}: {value['signature'][:100]}")
                )
                continue
            self.odd.extend((where, words) for words in _contradictions(value, shown, source))
            variables = self._type_variables if value["inherited_from"] else frozenset[str]()
            same = Respelled(
                partial(self.meanings.of, value["path"]),
                partial(self.in_stub, module["name"]),
                variables,
                mappings[_owner(value)],
            )
            expected = self._expected(source, shown, value, module)
            scopes = tuple(self._scopes(source, value["path"]))
            yield Pair(module["name"], value, source, expected, shown, same, scopes)

    def _scopes(self, source: Thing, path: str) -> Iterator[frozenset[str]]:
        owner = source.qualname.rpartition(".")[0]
        for each in self.siblings.get((path, owner), []) if owner else ():
            yield frozenset(member.name for member in each.members)

    def _definition(self, value: Mapping[str, Any]) -> Thing | None:
        """The definition that a declaration says it shows."""
        there = self._places.get((value["path"], value["line"]), [])
        origin = (value["origin"] or "").rpartition(":")[2].rpartition(".")[2]
        for name in (origin, value["name"]):
            named = [each for each in there if each.name == name]
            if named:
                return named[0]
        return None

    def _expected(
        self, source: Thing, shown: Thing, value: Mapping[str, Any], module: Mapping[str, Any]
    ) -> Thing:
        """A definition with what the documentation of views adds or takes away."""
        siblings = list(self.siblings[value["path"], source.qualname])
        expected = source
        if value["path"].endswith(".pyi"):
            twins = self._twins(value["path"][:-1], source.qualname)
            siblings.extend(twins)
            expected = _completed(source, twins)
        expected = replace(expected, conditions=self._conditions(expected, shown, value, module))
        if expected.qualname in self.sources[value["path"]].augmented:
            expected = replace(expected, value=None)  # what `+=` makes of it is nowhere to be read
        if expected.doc is None:
            docs = [each.doc for each in siblings if each.doc and same_doc(each.doc, shown.doc)]
            expected = replace(expected, doc=docs[0] if docs else None)
        if expected.sort == "variable" and expected.annotation is None:
            types = [each.annotation for each in siblings if each.annotation == shown.annotation]
            expected = replace(expected, annotation=types[0] if types else None)
        if value["visibility"] == "carried" and shown.doc is None and not value["members"]:
            # Carried by its header alone: nothing but a value or a decorator mentions it.
            expected = replace(expected, doc=None)
        return expected

    def _twins(self, path: str, qualname: str) -> list[Thing]:
        """The definitions in sources that a stub describes, followed through imports and bases."""
        top, dot, rest = qualname.partition(".")
        if path not in self.sources:
            return []
        module, _, name = self._untyped.of(path, top).partition(":")
        origin = self._untyped.paths.get(module, "")
        if found := self.siblings.get((origin, name + dot + rest)):
            return found
        bases = [base for each in self.siblings.get((origin, name), []) for _, base in each.bases]
        names = [each.node.id for each in bases if isinstance(each.node, ast.Name)] if rest else []
        return [thing for each in names if each != name for thing in self._twins(origin, f"{each}.{rest}")]

    def inherited(self, path: str, thing: Thing, above: tuple[str, ...] = ()) -> frozenset[str]:
        """Names that the bases of a class state, as far as they are in the package."""
        found: set[str] = set()
        for _, base in thing.bases:
            name = base.node.value if isinstance(base.node, ast.Subscript) else base.node
            for module, _, rest in self._reached(path, ast.unparse(name)):
                origin = self.meanings.paths.get(module, "")
                for each in self.siblings.get((origin, rest), []) if f"{module}:{rest}" not in above else ():
                    found.update(member.name for member in each.members)
                    found |= self.inherited(origin, each, (*above, f"{module}:{rest}"))
        return frozenset(found)

    def _reached(self, path: str, chain: str) -> Iterator[tuple[str, str, str]]:
        """Where a dotted name leads."""
        top, _, rest = chain.partition(".")
        for each in sorted(self.meanings.every(path, top)):
            module, colon, name = each.partition(":")
            if colon:
                yield module, colon, f"{name}.{rest}" if rest else name
            elif rest:
                inner, _, last = rest.rpartition(".")
                yield self.meanings.imported(
                    "", f"{'.'.join(filter(None, (module, inner)))}:{last}"
                ).partition(":")

    def _conditions(
        self, source: Thing, shown: Thing, value: Mapping[str, Any], module: Mapping[str, Any]
    ) -> tuple[Condition, ...]:
        """Those of the definition, behind those of the imports that lead to it."""
        moved = value["path"] != module["path"]
        # What a module asserts needn't hold for who imports from it: another module may give the name as well.
        chains = [source.conditions, source.unasserted] if moved else [source.conditions]
        if "." not in value["qualname"] and moved:
            ways = list(self.meanings.chains(module["name"], value["name"]))
            # The public import says when the name is there; where it doesn't, those behind it do.
            ways += self.meanings.conditions(module["path"], value["name"]) + ([()] if len(ways) > 1 else [])
            chains = [joined([*way, *own]) for own in chains for way in ways] or chains
        own = self.sources.get(module["path"])
        if (own is not None and own.is_lazy) or value["visibility"] == "type_checking":
            # What is written for type checkers is there all the same; or it has a mark that says so.
            chains.extend([joined([each for each in way if not _for_checkers(each)]) for way in chains])
        return shown.conditions if shown.conditions in chains else chains[0]


def _for_checkers(condition: Condition) -> bool:
    return condition.word == "if" and len(condition.tests) == 1 and "'TYPE_CHECKING'" in condition.tests[0]


def stub_of(module: str, stubs: Mapping[str, str]) -> Source | None:
    """The printed stub of a module, read."""
    base = module.replace(".", "/")
    printed = stubs.get(f"{base}/__init__.pyi", stubs.get(f"{base}.pyi"))
    return read(_plain(printed)) if printed is not None else None


def _plain(stub: str) -> str:
    """A stub with the names that attributes would hide spelled as in the source; it says which: ``_str = str``, ``builtins.type``."""
    for spelled, name in re.findall(r"^(_+(\w+?)_*) = \2$", stub, re.MULTILINE):
        rest = stub.replace(f"{spelled} = {name}\n", "")
        stub = re.sub(rf"(?<![\w.]){spelled}\b", name, rest)
    return re.sub(r"(?<![\w.])builtins\.(\w+)", r"\1", stub)


def flat(declarations: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Declarations, members after their owners."""
    for each in declarations:
        yield each
        yield from flat(each["members"])


def _owner(value: Mapping[str, Any]) -> str:
    owner: str = value["qualname"].rpartition(".")[0]
    return f"{owner} {value['inherited_from']}"


def _callee(value: Expr) -> str:
    called = value.node.func if isinstance(value.node, ast.Call) else None
    return ast.unparse(called).rpartition(".")[2] if called is not None else ""


def _completed(stub: Thing, twins: list[Thing]) -> Thing:
    """A definition in a stub with what only the source beside it says."""
    if not twins:
        return stub
    twin = twins[-1]
    defaults = {each.name: each.default for each in twin.arguments}
    arguments = tuple(
        replace(each, default=defaults.get(each.name) or each.default) if _is_open(each.default) else each
        for each in stub.arguments
    )
    is_open = (stub.value is None or _is_open(stub.value)) and not twin.hoisted
    value = twin.value if is_open else stub.value
    # What a stub says of a context manager is the type of what the decorator makes.
    added = [each for each in twin.decorators if not each.text.endswith("contextmanager")]
    return replace(stub, arguments=arguments, value=value, decorators=stub.decorators or tuple(added))


def _is_open(value: Expr | None) -> bool:
    return value is not None and isinstance(value.node, ast.Constant) and value.node.value is ...


# --- one declaration, read as data ---


def declared(value: Mapping[str, Any]) -> Thing | None:
    """A declaration's signature, decorators, documentation and conditions as the oracle has them."""
    decorators = "".join(f"@{each}\n" for each in value["decorators"])
    block = ": ..." if value["kind"] in (*_CALLABLE, "class") else ""
    if not block and value["signature"] == value["name"]:
        block = " = ..."  # neither type nor value
    found = read(f"{decorators}{value['signature']}{block}\n")
    if found is None or len(found.things) != 1:
        return None
    thing = found.things[0]
    docs = {each["name"]: each["doc"] for each in value["parameters"]}
    return replace(
        thing,
        qualname=value["qualname"],
        line=value["line"],
        end_line=value["end_line"],
        doc=value["doc"],
        conditions=joined([condition(each) for each in value["conditions"]]),
        arguments=tuple(replace(each, doc=docs.get(each.name)) for each in thing.arguments),
    )


def condition(words: str) -> Condition:
    """A condition of a view as the oracle has it."""
    word, _, rest = words.partition(" ")
    test = expression(rest) if rest else None
    if word == "if" and test is not None:
        return all_of([test.node], test.literals)
    if word == "except" and test is not None:
        return Condition("except", (test.dump,))
    return Condition(words)


def _contradictions(value: Mapping[str, Any], shown: Thing, source: Thing) -> Iterator[str]:
    """Fields of a declaration that say otherwise than its signature or its source."""
    names = [(each["name"], each["kind"]) for each in value["parameters"]]
    if names != [(each.name, each.kind) for each in shown.arguments]:
        yield f"parameters {names} beside {value['signature'][:100]}"
    for argument, parameter in zip_longest(shown.arguments, value["parameters"]):
        if argument is not None and parameter is not None:
            yield from _field(f"annotation of {argument.name}", parameter["annotation"], argument.annotation)
            yield from _field(f"default of {argument.name}", parameter["default"], argument.default)
    yield from _field("returns", value["returns"], shown.returns)
    if shown.sort == "variable" and value["value"] is not None:
        yield from _field("value", value["value"], shown.value)
    if shown.sort == "class":
        bases = read(f"class _({', '.join(value['bases'])}): ...\n")
        if bases is None or bases.things[0].bases != shown.bases:
            yield f"bases {value['bases']} beside {value['signature'][:100]}"
    if shown.sort == "function" and value["is_async"] != shown.is_async:
        yield "is_async"
    yield from _places_differ(value, source)


def _places_differ(value: Mapping[str, Any], source: Thing) -> Iterator[str]:
    elided = value["extra"].get("elided")
    if elided and source.size and elided != _size(source):
        yield f"elided as {elided}, not {_size(source)}"
    if value["end_line"] != source.end_line:
        yield f"ends in line {source.end_line}, not {value['end_line']}"


def _size(source: Thing) -> str:
    """What is said of a value that is too long."""
    node = source.value.node if source.value else None
    size = f"{source.size:,} characters"
    entries = node.keys if isinstance(node, ast.Dict) else getattr(node, "elts", None)
    if entries is None:
        return size
    return f"{len(entries):,} {'entry' if len(entries) == 1 else 'entries'}, {size}"


def _field(label: str, given: str | None, stated: Expr | None) -> Iterator[str]:
    if (expression(given) if given is not None else None) != stated:
        yield f"{label}: {given!r} beside {text(stated)} in the signature"
