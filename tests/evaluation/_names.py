"""The names of modules: those of a view held against those at run time, each difference with its reason."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from evaluation._runtime import ImportedModule, Runtime

from ifacegen.model import Declaration, Module, View

UNEXPLAINED = "UNEXPLAINED"
#: Missing, but no reading of the sources could know it.
AT_RUN_TIME = "made at run time"
#: Not there, as the condition says that is shown.
CONDITIONAL = "shown with a condition that is not met here"
#: Not there, but no reading of the source could know it.
ELSEWHERE = "shown, set at run time on other platforms"
#: Own modules under a foreign name.
STRAYED = "strayed module, not shown"
_EVERYWHERE = frozenset({"__doc__", "__name__", "__file__"})


@dataclass(frozen=True, slots=True, order=True)
class Difference:
    """A name that is there and not shown, or shown and not there."""

    #: ``missing``, ``extra``, or what is counted as neither.
    kind: str
    reason: str
    name: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a set of names at run time and its view have in common, and what not."""

    expected: int
    differences: tuple[Difference, ...]

    def count(self, kind: str) -> int:
        """How many differences are of a kind."""
        return sum(1 for each in self.differences if each.kind == kind)


class ShownModules:
    """What a view shows, by module."""

    def __init__(self, view: View) -> None:
        self._view = view
        self.modules: Mapping[str, Module] = {each.name: each for each in view.modules}

    def names(self, module: str) -> Mapping[str, Declaration]:
        """Declarations that are the module's to give away; carried ones are not."""
        found = self.modules[module].declarations if module in self.modules else ()
        return {each.name: each for each in found if each.kind != "import" and each.visibility != "carried"}

    def submodules(self, module: str) -> frozenset[str]:
        """Submodules shown directly below a module."""
        below = (each.removeprefix(f"{module}.") for each in self.modules if each.startswith(f"{module}."))
        return frozenset(name.partition(".")[0] for name in below)

    def is_published(self, module: str) -> bool:
        """Whether an existing stub describes a module."""
        return module in self.modules and self.modules[module].path.endswith(".pyi")


def compare(runtime: Runtime, shown: ShownModules, module: str) -> Comparison:
    """One module."""
    there = runtime.modules[module]
    return Comparison(
        len(there.public), tuple(sorted((*_missing(there, shown), *_superfluous(there, shown))))
    )


def _missing(there: ImportedModule, shown: ShownModules) -> Iterator[Difference]:
    names = shown.names(there.name)
    missing = there.public - names.keys() - shown.submodules(there.name)
    marked = {name for name in there.public & names.keys() if names[name].visibility == "type_checking"}
    for name in sorted(missing | marked):
        dotted = f"{there.name}.{name}"
        if name in marked:
            yield Difference("missing", f"{UNEXPLAINED}: shown as for type checkers only", dotted)
        elif reason := _made_at_run_time(there, name):
            yield Difference(AT_RUN_TIME, reason, dotted)
        else:
            yield Difference("missing", _why_missing(there, shown, name), dotted)
    for name in sorted(there.strayed - names.keys() - shown.submodules(there.name)):
        yield Difference(STRAYED, "left in its namespace by a star", f"{there.name}.{name}")


def _made_at_run_time(there: ImportedModule, name: str) -> str:
    """By what a name is made that no reading of the source could know; nothing where one could."""
    if there.source is None:
        return "C extension"
    if "loop" in there.source.scope.conditions(name):
        return "bound by a loop or a `with`"
    is_known = there.bindings(name) or name in _EVERYWHERE or there.sources.starred(there.name, name)
    if is_known or there.values[name].module:
        return ""
    return "set by a call (globals, setattr)" if there.source.writes_globals else "set from another module"


def _why_missing(there: ImportedModule, shown: ShownModules, name: str) -> str:
    if name in _EVERYWHERE:
        return "every module has it"
    return "published stub doesn't state it" if shown.is_published(there.name) else UNEXPLAINED


def _superfluous(there: ImportedModule, shown: ShownModules) -> Iterator[Difference]:
    for name, declaration in shown.names(there.name).items():
        dotted = f"{there.name}.{name}"
        if declaration.visibility == "type_checking":
            continue  # says that it is not there; where it is, it counts as missing
        if name not in there.values:
            if there.is_module(name):
                continue  # `from package import module` imports it
            if declaration.conditions:
                yield Difference(CONDITIONAL, " and ".join(declaration.conditions), dotted)
            else:
                yield _absent(there, shown, name)
        elif not (there.may_show(name) or shown.is_published(there.name)):
            yield Difference("extra", f"{UNEXPLAINED}: importable, public by no rule", dotted)


def _absent(there: ImportedModule, shown: ShownModules, name: str) -> Difference:
    dotted, inside = f"{there.name}.{name}", [each.inside for each in there.bindings(name)]
    if any("TYPE_CHECKING" in text for each in inside for text in each):
        if there.source is not None and there.source.updates_globals:
            return Difference(ELSEWHERE, "stated for type checkers, set by `globals().update(…)`", dotted)
        return Difference("extra", f"{UNEXPLAINED}: for type checkers only, not marked", dotted)
    return Difference("extra", _why_absent(there, shown, name), dotted)


def _why_absent(there: ImportedModule, shown: ShownModules, name: str) -> str:
    bindings = there.bindings(name)
    if bindings and all(each.inside for each in bindings):
        return f"{UNEXPLAINED}: bound under a condition that is not shown"
    if there.listed is not None and name in there.listed:
        return "listed in `__all__`, not there"
    if shown.is_published(there.name) and not bindings:
        return "stated by the published stub alone, not marked"
    return UNEXPLAINED
