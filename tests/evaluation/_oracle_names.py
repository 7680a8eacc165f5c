"""What a name means in a module of a package: where it is defined in the end, and under which conditions.

A definition that is shown in another module than its own brings its annotations along; names in them may be
spelled anew there, as long as they lead to the same definition.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from evaluation._oracle import Expr, Source, Thing, expression
from evaluation._oracle_syntax import Condition

_BUILTIN = frozenset(dir(builtins))
_Name = tuple[str, str]


class Meanings:
    """Follows imports through the sources of a package."""

    def __init__(
        self, sources: Mapping[str, Source], modules: Sequence[Mapping[str, str]], suffix: str
    ) -> None:
        """``suffix``: of the file to read where a stub lies beside a source."""
        self._sources = sources
        bases = {_base(each["path"]).removesuffix(each["name"].replace(".", "/")) for each in modules}
        #: Path → module, and module → the path that counts.
        self.modules: dict[str, str] = {}
        self.paths: dict[str, str] = {}
        for path in sources:
            base = max((each for each in bases if path.startswith(each)), key=len, default="")
            name = _base(path).removeprefix(base).replace("/", ".")
            self.modules[path] = name
            if name not in self.paths or path.endswith(suffix):
                self.paths[name] = path

    def of(self, path: str, name: str) -> str:
        """``module:name`` of what a name in a source means; ``nothing:name`` where that cannot be seen."""
        return self._in_source(path, self.modules.get(path, ""), name, ())

    def every(self, path: str, name: str) -> set[str]:
        """What a name means by each of a source's definitions and imports."""
        module = self.modules.get(path, "")
        found = {self.of(path, name)}
        for each in self._sources[path].imported.get(name, ()):
            found.add(self.imported(module, each.origin))
            # Where a submodule is called like a name in its package, the order of imports decides.
            package, _, last = self.imported_name(module, each.origin).partition(":")
            if f"{package}.{last}" in self.paths:
                found.add(f"{package}.{last}")
        return found

    def _of(self, module: str, name: str, above: tuple[_Name, ...]) -> str:
        path = self.paths.get(module)
        return f"{module}:{name}" if path is None else self._in_source(path, module, name, above)

    def _in_source(self, path: str, module: str, name: str, above: tuple[_Name, ...]) -> str:
        source = self._sources[path]
        if (module, name) in above or any(each.name == name for each in source.things):
            return f"{module}:{name}"
        for target in source.imported.get(name, ()):
            return self.imported(module, target.origin, (*above, (module, name)))
        for star in source.imported.get("*", ()):
            found = self.imported(module, f"{star.origin.partition(':')[0]}:{name}", (*above, (module, name)))
            if found.partition(":")[0] in self.paths and self._defines(found):
                return found
        if f"{module}.{name}" in self.paths:
            return f"{module}.{name}"
        return f"builtins:{name}" if name in _BUILTIN else f"nothing:{name}"

    def _defines(self, meaning: str) -> bool:
        module, _, name = meaning.partition(":")
        return any(each.name == name for each in self._sources[self.paths[module]].things)

    def imported(self, module: str, target: str, above: tuple[_Name, ...] = ()) -> str:
        """What an import in a module brings."""
        origin, _, name = target.partition(":")
        level = len(origin) - len(origin.lstrip("."))
        if level:
            is_package = "/__init__." in self.paths.get(module, "")
            parts = module.split(".") if is_package else module.split(".")[:-1]
            origin = ".".join(filter(None, (*parts[: len(parts) - level + 1], origin[level:])))
        if origin == module and f"{origin}.{name}" in self.paths:
            return f"{origin}.{name}"  # a package that imports from itself means its submodule
        return self._of(origin, name, above) if name else origin

    def chains(
        self, module: str, name: str, above: tuple[_Name, ...] = ()
    ) -> Iterator[tuple[Condition, ...]]:
        """The conditions that the imports stand under by which a module has a name, one chain for each way."""
        path = self.paths.get(module)
        if path is None or (module, name) in above:
            return
        source = self._sources[path]
        if any(each.name == name for each in source.things):
            yield ()
        for star in (False, True):
            for each in source.imported.get("*" if star else name, ()):
                origin = f"{each.origin.partition(':')[0]}:{name}" if star else each.origin
                inner, _, original = self.imported_name(module, origin).partition(":")
                for rest in self.chains(inner, original, (*above, (module, name))):
                    yield (*each.conditions, *rest)

    def conditions(self, path: str, name: str) -> list[tuple[Condition, ...]]:
        """Those of a source's own imports of a name."""
        source = self._sources.get(path)
        return [each.conditions for each in source.imported.get(name, ())] if source else []

    def imported_name(self, module: str, target: str) -> str:
        """The absolute ``module:name`` that an import statement names."""
        origin, colon, name = target.partition(":")
        return f"{self.imported(module, origin)}{colon}{name}"


def _base(path: str) -> str:
    return path.removesuffix("i").removesuffix(".py").removesuffix("/__init__")


@dataclass(frozen=True, slots=True)
class Respelled:
    """Compares expressions whose names may be others, as long as they mean the same; literals may not differ.

    For the members of a private generic base, one thing stands for each of its type variables.
    """

    in_source: Callable[[str], str]
    in_stub: Callable[[str], str]
    #: Type variables that may be replaced.
    variables: frozenset[str] = frozenset()
    given: dict[str, str] = field(default_factory=dict)

    def __call__(self, stated: Expr, shown: Expr) -> bool:
        """Whether they say the same."""
        if stated == shown:
            return True
        mine, theirs = stated.literals, shown.literals
        is_spelled = len(mine) != len(theirs) or all(map(_may_be, mine, theirs))
        return is_spelled and self._alike(stated.node, shown.node)

    def _alike(self, stated: object, shown: object) -> bool:
        if isinstance(stated, ast.Name) and isinstance(shown, ast.AST):
            return self._names(stated, shown)
        if isinstance(stated, ast.AST) and isinstance(shown, ast.AST):
            if _is_text(stated) and _is_text(shown) and ast.dump(stated) != ast.dump(shown):
                mine, theirs = (expression(getattr(each, "value", "")) for each in (stated, shown))
                return mine is not None and theirs is not None and self(mine, theirs)
            mine_, theirs_ = dict(ast.iter_fields(stated)), dict(ast.iter_fields(shown))
            return type(stated) is type(shown) and all(self._alike(mine_[key], theirs_[key]) for key in mine_)
        if isinstance(stated, list) and isinstance(shown, list):
            return len(stated) == len(shown) and all(map(self._alike, stated, shown))
        return stated == shown

    def _names(self, stated: ast.Name, shown: ast.AST) -> bool:
        if ast.dump(stated) == ast.dump(shown):
            return True
        if isinstance(shown, ast.Name) and self.in_source(stated.id) == self.in_stub(shown.id):
            return True
        if stated.id not in self.variables:
            return False
        return self.given.setdefault(stated.id, ast.dump(shown)) == ast.dump(shown)


def _may_be(stated: str, shown: str) -> bool:
    """Whether one literal isn't merely spelled as another: a quoted annotation may hold other names."""
    if stated == shown:
        return True
    try:
        return bool(ast.literal_eval(stated) != ast.literal_eval(shown))
    except ValueError:
        return False  # f-strings


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _is_literal(node: ast.AST) -> bool:
    return isinstance(node, ast.Subscript) and ast.unparse(node.value).endswith("Literal")


def used(thing: Thing) -> frozenset[str]:
    """Names that a definition shows, in strings that are annotations too."""
    values = [thing.annotation, thing.returns, *(base for _, base in thing.bases)]
    values += [each.annotation for each in thing.arguments]
    plain = [*thing.decorators, *(each.default for each in thing.arguments)]
    plain += [] if thing.hoisted else [thing.value]
    found = {name for value in values if value for name in _used(value, strings=True)}
    found |= {name for value in plain if value for name in _used(value, strings=False)}
    return frozenset(found - {name for each in thing.type_params for name in each.split("'")[1::2]})


def _used(value: Expr, *, strings: bool) -> Iterator[str]:
    everything = list(ast.walk(value.node))
    bound = {each.arg for each in everything if isinstance(each, ast.arg)}
    bound |= {
        each.id for each in everything if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load)
    }
    literal = [part for each in everything if _is_literal(each) for part in ast.walk(each)]
    for each in everything:
        if isinstance(each, ast.Name) and each.id not in bound:
            yield each.id
        elif strings and _is_text(each) and isinstance(each, ast.Constant) and each not in literal:
            quoted = expression(str(each.value))
            yield from _used(quoted, strings=False) if quoted else ()
