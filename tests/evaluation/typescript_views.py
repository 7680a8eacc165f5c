"""Do views of npm packages say what TypeScript's compiler knows of the packages?

    make evaluate NAME=typescript_views

zod, hono, rxjs, @trpc/server, type-fest and @types/node at pinned versions. Their views' stubs take the packages' places
in a project, and the compiler's API (TypeScript 6) is asked for all that it knows of both: names of every module, of
ambient modules and of the global scope, of members; types as it prints them; documentation; diagnostics. Where a type
is printed differently it is asked whether the two are identical. Names tagged ``@internal`` are left out by design.

Packages that ship their sources are looked at a second time with nothing but these: their declarations are then
generated, with a toolchain and without any.

Fails where less than 99.5 % of the names of a package are found, or more than 1 % are too many.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from evaluation._typescript import SUBJECTS, Installed, asked, folder_of, ifacegen, installed, without_node
from evaluation._typescript_names import names_of
from evaluation._typescript_symbols import Compared, alike, compared, list_names, questions
from evaluation.packages import add_arguments, table

from ifacegen import Workspace

_FOUND, _EXTRA = 0.995, 0.01
_SHIPPED = "shipped"
#: Of the subjects, those that ship the sources that they are built from.
_GENERATED = ("zod", "rxjs", "@trpc/server")
#: Not exported by the sources, or tagged ``@internal`` where they are: bundled declarations export all that they declare.
_BY_BUNDLER = {
    "@trpc/server/adapters/aws-lambda:LambdaEvent",
    "@trpc/server/adapters/fastify:FastifyRequestHandlerOptions",
    "@trpc/server/adapters/next-app-dir:rethrowNextErrors",
    "@trpc/server/adapters/standalone:StandaloneHandlerOptions",
}
_PRINTED = 8
_CUT = 160
#: Specifiers that resolve and that nobody writes: declaration files by name.
_DECLARATIONS = (".d.ts", ".d.mts", ".d.cts")
_HEAD = (
    *("package", "modules", "absent", "listed", "names", "found", "extra", "@internal"),
    *(
        "types",
        "printed alike",
        "alike or identical",
        "another type",
        "docs",
        "kept",
        "diagnostics",
        "in both",
    ),
)


@dataclass(frozen=True)
class Oracle:
    """The packages as they are, known to the compiler."""

    found: Installed
    project: Path
    entries: Mapping[str, Sequence[str]]

    @classmethod
    def open(cls, found: Installed, project: Path, packages: Sequence[str]) -> Oracle:
        """Lay out the packages, and ask what can be imported of them."""
        found.project(project)
        answer = asked("entries", home=found.node, project=project, packages=packages)
        entries = {
            name: [each["specifier"] for each in all_of if _counts(each)] for name, all_of in answer.items()
        }
        return cls(found, project, entries)

    def described(self, package: str, project: Path | None = None) -> Any:
        """What the compiler knows of a package, in this project or in another."""
        types = {"types": "node", "globals": ["node"]} if package == "@types/node" else {}
        specifiers = self.entries[package]
        where = {"home": self.found.node, "project": project or self.project, "package": package}
        return asked("describe", **where, specifiers=specifiers, **types)

    def held_against(self, package: str, original: Any, project: Path, *, is_asked: bool = True) -> Compared:
        """The package of another project; whether types are identical that are printed differently only if asked."""
        result = compared(package, original, self.described(package, project))
        names = questions(result, original) if is_asked else {}
        differing = {f"{specifier}:{each[0]}" for specifier, exports in names.items() for each in exports}
        there, copied = (
            (self._others(names, each) for each in (project, self._copy(package)))
            if names
            else (set(), set())
        )
        result.identical = differing - there
        result.other, result.unlike_itself = sorted(there - copied), sorted(there & copied)
        return result

    def _others(self, names: Mapping[str, Any], project: Path) -> set[str]:
        """Exports that aren't identical in another project."""
        where = {
            "home": self.found.node,
            "project": self.project,
            "other": project,
            "specifiers": list(names),
        }
        wrong = asked("assignable", **where, names=names)["wrong"]
        return {f"{each['specifier']}:{each['name']}" for each in wrong if each["relation"] == "identical"}

    def _copy(self, package: str) -> Path:
        """A project with a copy of a package, which the compiler doesn't know for one."""
        target = self.project.with_name("copy")
        self.found.project(target, [package])
        folder = target / "node_modules" / package
        shutil.copytree(self.found.modules / package, folder)
        written = json.loads((folder / "package.json").read_bytes())
        (folder / "package.json").write_text(
            json.dumps({**written, "version": "0.0.0-copy"}), encoding="utf-8"
        )
        return target


def _counts(entry: Mapping[str, Any]) -> bool:
    return bool(entry["files"]["bundler"]) and not entry["specifier"].endswith(_DECLARATIONS)


def with_stubs(
    found: Installed, repository: Path, packages: Sequence[str], target: Path
) -> Mapping[str, Mapping[str, set[str]]]:
    """Make a project in which views' stubs have the packages' places; package → module → names that the view lists."""
    found.project(target, packages)
    listed = {}
    with tempfile.TemporaryDirectory(prefix="ifacegen-cache-") as cache:
        workspace = Workspace.open(repository, cache_dir=cache)
        for name in packages:
            address = f"packages/{folder_of(name)}"
            listed[name] = names_of(workspace.view(address))
            words = ("show", address, "--format", "stub", "-o", target / "node_modules" / name)
            done = ifacegen(repository, *words, cache=Path(cache))
            if done.returncode:
                raise SystemExit(f"{name}: {done.stderr}")
    return listed


def measure(found: Installed, packages: Sequence[str], home: Path) -> Iterator[tuple[str, list[Compared]]]:
    """Each way to make views: its name, and every package."""
    oracle = Oracle.open(found, home / "original", packages)
    described = {name: oracle.described(name) for name in packages}
    generated = [name for name in packages if name in _GENERATED]
    ways = (
        (_SHIPPED, found.shipped, packages, nullcontext()),
        ("generated from sources, with a toolchain", found.unbuilt, generated, nullcontext()),
        ("read from sources, without a toolchain", found.unbuilt_alone, generated, without_node()),
    )
    for title, repository, names, path in ways:
        print(f"{title} …", file=sys.stderr)
        with path:
            listed = with_stubs(found, repository, names, home / "view")
        # Where types are unknown there is nothing to ask; the compiler would take gigabytes to say so.
        is_asked = repository is not found.unbuilt_alone
        results = [
            oracle.held_against(name, described[name], home / "view", is_asked=is_asked) for name in names
        ]
        for each in results:
            list_names(each, described[each.package], listed[each.package])
        yield title, results
        shutil.rmtree(home / "view")


def report(title: str, results: Sequence[Compared]) -> Iterator[str]:
    """A table, and examples of all that differs."""
    yield f"\n{title[0].upper()}{title[1:]}\n"
    yield from table(_HEAD, [_row(each) for each in results])
    for each in results:
        yield from _examples(each)


def _row(result: Compared) -> tuple[str, ...]:
    printed, same = alike(result)
    kept = result.documented - len(result.undocumented)
    return (
        *(
            result.package,
            f"{result.entries:,}",
            f"{len(result.absent):,}",
            f"{result.listed:,}",
            f"{result.names:,}",
        ),
        *(f"{result.found_share():.2%}", f"{result.extra_share:.2%}", f"{result.internal:,}"),
        *(f"{result.typed:,}", f"{printed / max(result.typed, 1):.2%}"),
        *(f"{(printed + same) / max(result.typed, 1):.2%}", f"{len(result.other):,}"),
        *(f"{result.documented:,}", f"{kept / max(result.documented, 1):.2%}"),
        *(f"{sum(result.wrong.values()):,}", f"{result.wrong_in_both:,}"),
    )


def _examples(result: Compared) -> Iterator[str]:
    for what, names in (
        ("absent", result.absent),
        ("not listed", result.unlisted),
        ("listed without being there", result.invented),
        ("lost", result.lost),
        ("extra", result.extra),
        ("another type", result.other),
        ("not identical to a mere copy either", result.unlike_itself),
        ("without its documentation", result.undocumented),
        ("diagnostics", [f"{count} x {each}" for each, count in result.wrong.most_common()]),
    ):
        if names:
            more = ", …" if len(names) > _PRINTED else ""
            yield f"\n{result.package}, {what} ({len(names)}): {', '.join(names[:_PRINTED])}{more}"
    for name, (one, other) in list(result.differing.items())[:_PRINTED]:
        at = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
        start = max(0, at - 40)
        yield f"\n{result.package}, {name}:\n- {one[start : start + _CUT]}\n+ {other[start : start + _CUT]}"


def main() -> int:
    """Measure, print, judge."""
    parser = argparse.ArgumentParser(
        description="Hold the views of npm packages against TypeScript's compiler."
    )
    add_arguments(parser)
    parser.add_argument(
        "--only", action="append", choices=SUBJECTS, help="this package alone; may be repeated"
    )
    options = parser.parse_args()
    found, holds = installed(options.cache), True
    with tempfile.TemporaryDirectory(prefix="oracle-", dir=found.node.parent) as home:
        for title, results in measure(found, options.only or SUBJECTS, Path(home)):
            print("\n".join(report(title, results)), flush=True)
            known = _BY_BUNDLER if title != _SHIPPED else set[str]()
            good = (each.found_share(known) >= _FOUND and each.extra_share <= _EXTRA for each in results)
            holds = all(good) and holds
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
