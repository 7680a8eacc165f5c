"""Views in the store: found by what they depend on, kept under it, and never taken when in doubt."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol

from ifacegen import keys
from ifacegen.adapter import NO_TOOLCHAIN, TOOLCHAIN
from ifacegen.index import Candidate, format_record, parse_record
from ifacegen.model import Interface, LoadedWhenRead, Module, Note, Package, TokenCounts, View
from ifacegen.plain import compact, plain, restored, shallow
from ifacegen.render.json import FORMAT
from ifacegen.snapshot import Snapshot
from ifacegen.views import Built
from ifacegen_cache import Entry, Store, action_key

#: What is composed when a view is read, or is an entry of its own.
_NOT_IN_JSON = frozenset({"body", "header", "commit"})
#: What a view consulted for which there was no toolchain.
_LACKING = TOOLCHAIN + NO_TOOLCHAIN


class Adapters(Protocol):
    """What the adapters of a package say together; see :class:`ifacegen.adapter.BuildsViews`."""

    def consult(
        self, snapshot: Snapshot, package: Package, names: Sequence[str]
    ) -> Mapping[str, tuple[str, str] | None]:
        """What names that a build consulted mean now."""
        ...

    def outer_sources(self, snapshot: Snapshot, package: Package) -> list[tuple[str, str]]:
        """Path and id of the package's files outside its directory."""
        ...

    def absent(self, snapshot: Snapshot, package: Package, names: Sequence[str]) -> tuple[str, ...]:
        """Paths that must stay free for that to hold, sorted."""
        ...


@dataclass(frozen=True, slots=True)
class Lookup:
    """What the store has for a package's tree."""

    package: Package
    status: Literal["hit", "miss"]
    #: Why it is a miss, in one line; empty for a hit.
    reason: str
    #: What the view depends on, by name; ``inputs`` only where a candidate was looked at.
    fields: Mapping[str, str]
    tree_id: str | None = None
    candidate: Candidate | None = None
    text: Entry | None = None


class ViewCache:
    """Reads and writes the views of one generator."""

    def __init__(self, store: Store, makers: Mapping[str, str], adapters: Adapters) -> None:
        """``makers`` is all that makes views here, by name, with versions."""
        self._store = store
        self._makers = makers
        self._generator = action_key(makers)
        self._adapters = adapters
        #: Candidates that were found right, by the name of their record.
        self._records: dict[str, list[Candidate]] = {}

    def look_up(self, snapshot: Snapshot, package: Package) -> Lookup:
        """The entry of a package's view, with the reason where there is none."""
        tree_id = snapshot.tree_id(package)
        fields = self._fields(snapshot, package, tree_id or "")
        if tree_id is None:
            return Lookup(package, "miss", "its directory has no id (nothing there, or unreadable)", fields)
        name = keys.record_name(keys.configuration_id(snapshot, package), tree_id, package.path)
        reason = "no view was made of this tree with this configuration"
        shown = fields
        for candidates, is_ours in self._candidates(name):
            mine = [each for each in reversed(candidates) if each.generator == self._generator]
            reason = "views of this tree were made by other versions only" if candidates else reason
            # What fits by its lines alone goes first, what lacked a toolchain behind others; the newest last, so
            # that the reason is its.
            ranks = [(not self._is_quick(snapshot, each), _LACKING in each.consulted) for each in mine]
            for index in sorted(range(len(mine)), key=ranks.__getitem__):
                candidate = mine[index]
                verified, why = self._verified(snapshot, package, fields, candidate)
                entry = self._store.get("views", candidate.text_key) if verified is not None else None
                if verified is None or entry is None or not self._store.contains("views", candidate.json_key):
                    reason = why or "an entry that the index names is gone or damaged"
                    shown = keys.with_inputs(fields, candidate.consulted)
                    continue
                if is_ours and verified not in candidates:
                    kept = [
                        each for each in candidates if each != candidate or each.absent != verified.absent
                    ]
                    self._write(name, [verified, *kept])
                shown = keys.with_inputs(fields, verified.consulted)
                return Lookup(package, "hit", "", shown, tree_id, verified, entry)
        return Lookup(package, "miss", reason, shown, tree_id)

    def known(self, snapshot: Snapshot, package: Package) -> str | None:
        """The key of a view that is there and fits; None for a miss. Reads each record once, and no entry."""
        tree_id = snapshot.tree_id(package)
        if tree_id is None:
            return None
        name = keys.record_name(keys.configuration_id(snapshot, package), tree_id, package.path)
        for candidate in self._records.get(name, ()):
            if not candidate.around and self._is_quick(snapshot, candidate):
                return candidate.json_key
        lookup = self.look_up(snapshot, package)
        if lookup.candidate is None:
            return None
        self._records.setdefault(name, []).append(lookup.candidate)
        return lookup.candidate.json_key

    def remember(self, snapshot: Snapshot) -> None:
        """Tell readers in other languages which layout and configuration a commit has."""
        if snapshot.root_tree is None:
            return
        record = keys.tree_record(snapshot).encode("utf-8", "surrogateescape")
        before = self._store.get("trees", snapshot.root_tree)
        if before is None or before.payload != record:
            self._store.put("trees", snapshot.root_tree, record, replace=True)

    def _is_quick(self, snapshot: Snapshot, candidate: Candidate) -> bool:
        """Whether a candidate fits by what it lists alone."""
        return (
            snapshot.layout in candidate.layouts
            and not any(name.startswith(TOOLCHAIN) for name in candidate.consulted)
            and all((snapshot.object_id(path) or "-") == known for path, known in candidate.inputs())
            and not any(snapshot.has(path) for path in candidate.absent)
        )

    def _fields(self, snapshot: Snapshot, package: Package, tree_id: str) -> dict[str, str]:
        """What the view depends on, but for the modules it consults."""
        fields = keys.view_fields(snapshot, package, tree_id, self._makers)
        around = [*snapshot.links(package), *self._adapters.outer_sources(snapshot, package)]
        return {**fields, "around": "\n".join(" ".join(each) for each in around)}

    def _candidates(self, name: str) -> Iterator[tuple[list[Candidate], bool]]:
        """The candidates of a record, the newest first, and whether the record is ours; then those of others."""
        entry = self._store.get("index", name)
        own = parse_record(entry.payload) if entry is not None else []
        yield own, True
        others = [
            each for found in self._store.get_all("index", name) for each in parse_record(found.payload)
        ]
        yield [each for each in others if each not in own], False

    def _verified(
        self, snapshot: Snapshot, package: Package, fields: Mapping[str, str], candidate: Candidate
    ) -> tuple[Candidate | None, str]:
        """The candidate, if everything it depends on is as it was; else why not."""
        if candidate.around != _digest(fields["around"]):
            return None, "links or sources outside its directory have changed"
        if self._is_quick(snapshot, candidate):
            return candidate, ""
        now = self._adapters.consult(snapshot, package, sorted(candidate.consulted))
        for module, before in sorted(candidate.consulted.items()):
            if now.get(module) != before:
                return None, _difference(module, before, now.get(module))
        if keys.entry_keys(keys.with_inputs(fields, now))[0] != candidate.json_key:
            return None, "its projects, its nested packages or what is excluded in it have changed"
        return self._with_layout(snapshot, package, candidate), ""

    def _with_layout(self, snapshot: Snapshot, package: Package, candidate: Candidate) -> Candidate:
        """The candidate for the layout of the snapshot too; other roots there may keep other paths free."""
        absent = self._adapters.absent(snapshot, package, sorted(candidate.consulted))
        before = candidate.layouts if absent == candidate.absent else ()
        layouts = (*(each for each in before if each != snapshot.layout), snapshot.layout)
        return replace(candidate, layouts=layouts, absent=absent)

    def save(self, snapshot: Snapshot, package: Package, built: Built) -> bool:
        """Keep a view; whether it was possible."""
        tree_id = snapshot.tree_id(package)
        if tree_id is None:
            return False
        consulted = {name: found for each in built.surfaces for name, found in each.consulted.items()}
        fields = self._fields(snapshot, package, tree_id)
        json_key, text_key = keys.entry_keys(keys.with_inputs(fields, consulted))
        absent = tuple(sorted({path for each in built.surfaces for path in each.absent}))
        candidate = Candidate(
            self._generator,
            json_key,
            text_key,
            (snapshot.layout,),
            consulted,
            absent,
            _digest(fields["around"]),
        )
        name = keys.record_name(keys.configuration_id(snapshot, package), tree_id, package.path)
        (own, _), *_ = self._candidates(name)
        others = [each for each in own if each.json_key != json_key]
        whole = compact({"format": FORMAT, **shallow(built.view, _NOT_IN_JSON)})
        body = built.view.body.encode("utf-8", "backslashreplace")
        return (
            self._store.put("views", json_key, whole)
            and self._store.put("views", text_key, body, _text_meta(built.view, json_key))
            and self._write(name, [candidate, *others])
        )

    def _write(self, name: str, newest_first: Sequence[Candidate]) -> bool:
        try:
            record = format_record(reversed(newest_first))
        except ValueError:
            return False  # a line end in a path: such a package is built each time
        return self._store.put("index", name, record, replace=True)

    def view(self, lookup: Lookup, again: Callable[[], View]) -> View | None:
        """The view of a hit; its modules are read when somebody looks at them.

        Args:
            lookup: What :meth:`look_up` found.
            again: Makes the view anew, if its JSON turns out to be lost or damaged when it is read.
        """
        if lookup.text is None:
            return None
        meta = lookup.text.meta
        try:
            content = _Content(self._store, meta["json"], again)
            return View(
                lookup.package.path,
                LoadedWhenRead(lambda: content.get(Interface, "interfaces")),
                LoadedWhenRead(lambda: content.get(Module, "modules")),
                LoadedWhenRead(lambda: content.get(Note, "notes")),
                restored(TokenCounts, meta["tokens"]),
                meta["digest"],
                lookup.text.payload.decode("utf-8"),
                tuple(meta["header"]),
            )
        except (KeyError, TypeError, ValueError):
            return None


class _Content:
    """The JSON of a view, parsed when first needed."""

    def __init__(self, store: Store, key: str, again: Callable[[], View]) -> None:
        self._store = store
        self._key = key
        self._again = again
        self._value: dict[str, Any] | None = None

    def get(self, kind: Any, name: str) -> tuple[Any, ...]:
        value = self._value
        if value is None:
            entry = self._store.get("views", self._key)
            value = self._value = json.loads(entry.payload) if entry is not None else {}
        if name not in value:
            made: tuple[Any, ...] = tuple(getattr(self._again(), name))
            return made
        return tuple(restored(kind, each) for each in value[name])


def view_of(value: Mapping[str, Any], body: str, header: Sequence[str]) -> View:
    """The view that a child answered with, where it could not be kept."""
    return View(
        value["package"],
        tuple(restored(Interface, each) for each in value["interfaces"]),
        tuple(restored(Module, each) for each in value["modules"]),
        tuple(restored(Note, each) for each in value["notes"]),
        restored(TokenCounts, value["tokens"]),
        value["digest"],
        body,
        tuple(header),
    )


def _text_meta(view: View, json_key: str) -> dict[str, Any]:
    return {
        "digest": view.digest,
        "header": list(view.header),
        "json": json_key,
        "tokens": plain(view.tokens),
    }


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest() if text else ""


def _difference(module: str, before: tuple[str, str] | None, now: tuple[str, str] | None) -> str:
    if module.startswith(TOOLCHAIN):
        return f"it was made with {module.removeprefix(TOOLCHAIN)} as the toolchain, and this machine has another"
    if before is None:
        return f"module {module}, absent before, is {now[0] if now else 'there'} now"
    if now is None:
        return f"module {module} ({before[0]}) is gone"
    if before[0] != now[0]:
        return f"module {module} was {before[0]} and is {now[0]} now"
    return f"{before[0]} has changed"
