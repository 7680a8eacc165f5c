"""What TypeScript's compiler says of a package and of its view, symbol by symbol."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Symbol = Mapping[str, Any]
#: Where global names are, beside modules.
_GLOBAL = "(global)"
#: A link is printed with a space behind its target where that was found, without one where not.
_LINK = re.compile(r"(\{@link[^}]*?)\s*\}")
#: What bundlers and views put behind a name that is taken.
_RENAMED = re.compile(r"(?<=\w)[$_]\d+\b")
_EXPORTED_WHOLE = "export="


@dataclass(slots=True)
class Compared:
    """One package held against its view."""

    package: str
    names: int = 0
    #: Exported names that the view itself lists; those it lacks and those that are none.
    listed: int = 0
    unlisted: list[str] = field(default_factory=list)
    invented: list[str] = field(default_factory=list)
    #: Tagged ``@internal``: left out by design.
    internal: int = 0
    lost: list[str] = field(default_factory=list)
    extra: list[str] = field(default_factory=list)
    #: Symbols that both have; and where what is printed differs, both texts.
    typed: int = 0
    differing: dict[str, tuple[str, str]] = field(default_factory=dict)
    #: Exported names, of which something is printed differently, that the compiler takes for identical types, and others.
    identical: set[str] = field(default_factory=set)
    other: list[str] = field(default_factory=list)
    #: Those that aren't identical in a copy of the package either: private members, unique symbols.
    unlike_itself: list[str] = field(default_factory=list)
    documented: int = 0
    undocumented: list[str] = field(default_factory=list)
    #: Diagnostics of the view alone; and how many both have.
    wrong: Counter[str] = field(default_factory=Counter)
    wrong_in_both: int = 0
    #: Entry points that the compiler finds in the package and not in the view.
    entries: int = 0
    absent: list[str] = field(default_factory=list)

    def found_share(self, known: Collection[str] = ()) -> float:
        """Of the compiler's names, how many the view has: of stubs and the view's own lists the lesser; some need not be."""
        pairs = (self.lost, self.names), (self.unlisted, self.listed)
        return 1 - max(sum(name not in known for name in lost) / max(every, 1) for lost, every in pairs)

    @property
    def extra_share(self) -> float:
        """Names of the view that the compiler doesn't know, as a share of those it does."""
        return max(len(self.extra) / max(self.names, 1), len(self.invented) / max(self.listed, 1))


def compared(package: str, original: Symbol, view: Symbol) -> Compared:
    """Every symbol of two descriptions."""
    result = Compared(package)
    modules = original["modules"]
    result.entries = len(modules)
    result.absent = sorted(set(modules) - set(view["modules"]))
    every, shown = dict(_flat(original)), dict(_flat(view))
    once = {name: each for name, each in every.items() if not each.get("seen")}
    known = {name: each for name, each in once.items() if not each.get("internal")}
    result.internal = len(once) - len(known)
    result.names = len(known)
    result.lost = [each for each in known if each not in shown]
    result.extra = [name for name, each in shown.items() if name not in every and not each.get("seen")]
    for name, symbol in known.items():
        if name in shown:
            _compare(result, name, symbol, shown[name])
    _diagnose(result, original, view)
    return result


def list_names(result: Compared, original: Symbol, listed: Mapping[str, set[str]]) -> None:
    """Hold the names that a view lists against those that a package exports."""
    for place, module in {**original["modules"], **original["ambient"]}.items():
        # What is exported as a whole has the names of one declaration; its members are compared with those of others.
        if module["equals"] or place not in listed:
            continue
        names = {name for name, each in module["exports"].items() if not each.get("internal")}
        result.listed += len(names)
        result.unlisted += [f"{place}:{each}" for each in sorted(names - listed[place])]
        result.invented += [f"{place}:{each}" for each in sorted(listed[place] - set(module["exports"]))]


def questions(result: Compared, original: Symbol) -> Mapping[str, Sequence[tuple[str, str, int]]]:
    """Of exported names that are printed differently: specifier → name, meanings, number of type parameters."""
    asked: dict[str, list[tuple[str, str, int]]] = {}
    for specifier, module in original["modules"].items():
        for name, symbol in module["exports"].items():
            if name != _EXPORTED_WHOLE and any(
                _within(f"{specifier}:{name}", each) for each in result.differing
            ):
                question = (name, symbol["meanings"], symbol["parameters"])
                asked.setdefault(specifier, []).append(question)
    return asked


def alike(result: Compared) -> tuple[int, int]:
    """How many symbols are printed alike; how many more are part of what is identical all the same."""
    same = sum(any(_within(each, name) for each in result.identical) for name in result.differing)
    return result.typed - len(result.differing), same


def _within(export: str, name: str) -> bool:
    return name.startswith(export) and name[len(export) : len(export) + 1] in ("", "#", ":")


def _flat(description: Symbol) -> Iterator[tuple[str, Symbol]]:
    places = {
        **description["modules"],
        **description["ambient"],
        _GLOBAL: {"exports": description["globals"]},
    }
    for place, module in places.items():
        yield from _walk(place, module["exports"])


def _walk(prefix: str, names: Mapping[str, Symbol]) -> Iterator[tuple[str, Symbol]]:
    for name, symbol in names.items():
        inner = f"{prefix}:{name}"
        yield inner, symbol
        if symbol.get("internal"):
            continue
        seen = {"seen": True} if symbol.get("seen") else {}
        for each in symbol["members"]:
            static = " static" if "static" in each["words"] else ""
            yield f"{inner}#{each['name']}{static}", {**each, **seen}
        for name_within, within in _walk(inner, symbol["inner"]):
            yield name_within, {**within, **seen}


def _compare(result: Compared, name: str, original: Symbol, view: Symbol) -> None:
    result.typed += 1
    one, other = _printed(original), _printed(view)
    if one != other:
        result.differing[name] = one, other
    if doc := _worded(original["doc"]):
        result.documented += 1
        if doc != _worded(view["doc"]):
            result.undocumented.append(name)


def _printed(symbol: Symbol) -> str:
    kept = (
        f"{symbol['meanings']}: {symbol['types']}"
        if "types" in symbol
        else f"{symbol['words']}: {symbol['type']}"
    )
    return _RENAMED.sub("", kept)


def _worded(doc: str) -> str:
    return " ".join(_LINK.sub(r"\1}", doc).split())


def _diagnose(result: Compared, original: Symbol, view: Symbol) -> None:
    known, shown = _diagnostics(original), _diagnostics(view)
    result.wrong = Counter({each: count for each, count in shown.items() if each not in known})
    result.wrong_in_both = sum(count for each, count in shown.items() if each in known)


def _diagnostics(description: Symbol) -> Counter[str]:
    return Counter(f"TS{each['code']}: {each['text'].splitlines()[0]}" for each in description["diagnostics"])
